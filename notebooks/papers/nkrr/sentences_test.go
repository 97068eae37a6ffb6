package nkrr

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

var sentence = sharedtest.NewSentence[Block]

// formatDecimal formats v with three decimals.
func formatDecimal(v float64) string { return fmt.Sprintf("%.3f", v) }

// findBlock returns a block of one seed.
type findBlock = func(data, name string, x int) Block

// claim returns a sentence that is decided by blocks of one seed.
func claim(experiment, text string, holds func(at findBlock) (bool, string)) sharedtest.Sentence[Block] {
	return sentence(experiment, text, func(list []Block) (bool, string) {
		if len(list) == 0 {
			return false, "no results"
		}
		return holds(func(data, name string, x int) Block {
			b := findFirstBlock(list, data, name, x)
			if b.Columns == nil {
				b.Columns = make([]Column, 6)
			}
			return b
		})
	})
}

// sentences returns the sentences of the notebook about stored results.
func sentences() []sharedtest.Sentence[Block] {
	return []sharedtest.Sentence[Block]{
		claim("table1", "In each draw all six errors of ionosphere, breast and Parkinsons lie within two printed "+
			"standard deviations of the printed means.",
			func(at findBlock) (bool, string) {
				n := 0
				for _, d := range []string{"ionosphere", "breast-wisconsin", "parkinsons"} {
					n += at(d, PerExample, 0).CountMeansNearPrinted(2)
				}
				return n == 18, fmt.Sprint(n)
			}),
		claim("table1", "Three of sonar's errors come out lower than printed, by more than one printed standard "+
			"deviation.",
			func(at findBlock) (bool, string) {
				n := 0
				for k, p := range Printed["sonar"] {
					if c := at("sonar", PerExample, 0).Columns[k]; c.Mean > 0 && p[0]-c.Mean > p[1] {
						n++
					}
				}
				return n == 3, fmt.Sprint(n)
			}),
		claim("table1", "Breast's linear errors come out below .40 where .70 is printed.",
			func(at findBlock) (bool, string) {
				most := 0.0
				for _, c := range at("breast-wisconsin", AsWritten, 0).Columns[:3] {
					most = max(most, c.Mean)
				}
				return most > 0 && most < 0.4, formatDecimal(most)
			}),
		claim("table1", "| linear | .69 | .39 | .39 | | quadratic | .69 | .75 | .33 |",
			func(at findBlock) (bool, string) {
				most := 0.0 // largest difference from these numbers
				for _, c := range []struct {
					reading string
					column  int
					want    float64
				}{{PerExample, 0, .69}, {AsWritten, 0, .39}, {Constant, 0, .39}, {PerExample, 3, .69},
					{AsWritten, 3, .75}, {Constant, 3, .33}} {
					most = max(most, math.Abs(at("breast-wisconsin", c.reading, 0).Columns[c.column].Mean-c.want))
				}
				return most < 0.01, formatDecimal(most)
			}),
		claim("table1", "Added to centered columns, it lowers the quadratic base error of every set by more than .08.",
			func(at findBlock) (bool, string) {
				least := math.Inf(1)
				for _, d := range Sets {
					least = min(least, at(d, AsWritten, 0).Columns[3].Mean-at(d, Constant, 0).Columns[3].Mean)
				}
				return least > 0.08, formatDecimal(least)
			}),
		claim("table1", "In the three readings learned weights change no mean error by more than .04.",
			func(at findBlock) (bool, string) {
				most := 0.0
				for _, d := range Sets {
					for _, r := range []string{PerExample, AsWritten, Constant} {
						for _, c := range at(d, r, 0).Columns {
							most = max(most, math.Abs(c.Diff))
						}
					}
				}
				return most > 0 && most <= 0.04, formatDecimal(most)
			}),
		sentence("table1", "With columns centered λ = 100 and Λ = 32, a large radius, are chosen in 5 of 10 draws.",
			func(list []Block) (bool, string) {
				b := findFirstBlock(list, "parkinsons", AsWritten, 0)
				if b.Columns == nil {
					return false, "no results"
				}
				c := b.Columns[5] // quadratic ℓ2
				return math.Abs(c.Lambda-100) < 1e-6 && c.Radius == "Λ=32", fmt.Sprintf("%.1f, %s", c.Lambda, c.Radius)
			}),
		claim("table1", "With columns centered our three quadratic errors match the printed ones in each draw.",
			func(at findBlock) (bool, string) {
				most := 0.0 // largest distance, in printed standard deviations
				for k, p := range Printed["sonar"] {
					if k >= 3 {
						most = max(most, math.Abs(at("sonar", AsWritten, 0).Columns[k].Mean-p[0])/p[1])
					}
				}
				return most <= 2, formatDecimal(most)
			}),
		sentence("table1", "For ℓ2 this gain lies outside our interval in each draw, in all three readings.",
			func(list []Block) (bool, string) {
				count := 0
				for _, reading := range []string{PerExample, AsWritten, Constant} {
					count += CountExcluding(list, "sonar", reading, 5)
				}
				return count == 3, fmt.Sprint(count)
			}),
		claim("table1", "With columns centered its quadratic base error then rises from below .80 to .86 or more, "+
			"no better than that of a constant prediction.",
			func(at findBlock) (bool, string) {
				p, r := at("parkinsons", LeakFree, 0).Columns[3].Mean, at("parkinsons", AsWritten, 0).Columns[3].Mean
				constant := 2 * math.Sqrt(147./195*48/195) // y = ±1; 147 of 195 recordings are of patients
				return math.Abs(constant-0.86) < 0.005 && p >= constant && r < 0.8 && r > 0,
					formatDecimal(p) + ", " + formatDecimal(r)
			}),
	}
}
