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
		claim("table1", "Every column of ionosphere, breast and Parkinsons lies within two printed standard "+
			"deviations of the printed mean.",
			func(at findBlock) (bool, string) {
				n := 0
				for _, d := range []string{"ionosphere", "breast-wisconsin", "parkinsons"} {
					n += at(d, PerExample, 0).CountMeansNearPrinted(2)
				}
				return n == 18, fmt.Sprint(n)
			}),
		claim("table1", "Sonar's linear base, linear ℓ1 and quadratic base columns come out lower than printed, by "+
			"more than one printed standard deviation.",
			func(at findBlock) (bool, string) {
				least := math.Inf(1)
				for _, k := range []int{0, 1, 3} {
					p := Printed["sonar"][k]
					least = min(least, (p[0]-at("sonar", PerExample, 0).Columns[k].Mean)/p[1])
				}
				return least > 1, fmt.Sprintf("%.1f", least)
			}),
		claim("table1", "Breast's linear columns come out below .40 where .70 is printed, and ionosphere's below "+
			".70 where .81 or more is.",
			func(at findBlock) (bool, string) {
				b, i := 0.0, 0.0
				for k := range 3 {
					b, i = max(b, at("breast-wisconsin", AsWritten, 0).Columns[k].Mean),
						max(i, at("ionosphere", AsWritten, 0).Columns[k].Mean)
				}
				return b > 0 && b < 0.4 && i > 0 && i < 0.7, formatDecimal(b) + ", " + formatDecimal(i)
			}),
		claim("table1", "Compared with as written, a constant base kernel lowers the quadratic base column of "+
			"every set by more than .08, and breast's column by more than half.",
			func(at findBlock) (bool, string) {
				least, half := math.Inf(1), true
				for _, d := range Sets {
					w, c := at(d, AsWritten, 0).Columns[3].Mean, at(d, Constant, 0).Columns[3].Mean
					least = min(least, w-c)
					half = half && (d != "breast-wisconsin" || c < w/2)
				}
				return least > 0.08 && half, formatDecimal(least)
			}),
		claim("table1", "Learned weights change no column's mean by more than .04 (all readings but leak-free).",
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
		claim("table1", "Of the 16 intervals of learned − base (4 sets, linear and quadratic, ℓ1 and ℓ2) at most two "+
			"exclude 0, all of linear kernels.",
			func(at findBlock) (bool, string) {
				linear, quadratic := 0, 0
				for _, d := range Sets {
					for k, c := range at(d, PerExample, 0).Columns {
						switch {
						case c.ExcludesZero() && k < 3:
							linear++
						case c.ExcludesZero():
							quadratic++
						}
					}
				}
				run := at(Sets[0], PerExample, 0).Splits > 0
				return run && linear <= 2 && quadratic == 0, fmt.Sprint(linear + quadratic)
			}),
		sentence("table1", "The printed gain of quadratic ℓ2, −.04, lies outside our interval, centered per "+
			"example and as written.",
			func(list []Block) (bool, string) {
				count := 0
				for _, reading := range []string{PerExample, AsWritten} {
					count += CountExcluding(list, "sonar", reading, 5)
				}
				return count == 2, fmt.Sprint(count)
			}),
		claim("table1", "With no person on both sides, the quadratic base error is .86 or more, no better "+
			"than a constant (.86). As written, halves share persons, and it is below .80.",
			func(at findBlock) (bool, string) {
				p, r := at("parkinsons", LeakFree, 0).Columns[3].Mean, at("parkinsons", AsWritten, 0).Columns[3].Mean
				return p >= 0.86 && r < 0.8 && r > 0, formatDecimal(p) + ", " + formatDecimal(r)
			}),
		claim("figure3", "Degree 1 changes by less than 0.5 % at factors 5 to 20.",
			func(at findBlock) (bool, string) {
				most := 0.0
				for _, factor := range Factors[:3] {
					b := at("kin-8nm", "degree 1", factor)
					most = max(most, math.Abs(b.Columns[1].Diff)/b.Columns[0].Mean)
				}
				return most < 0.005, fmt.Sprintf("%.2f %%", 100*most)
			}),
	}
}
