package nkrr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"
)

// columnHeadings lists the headings of the columns of Table 1 as the paper abbreviates them.
var columnHeadings = []string{"lin. base", "lin. ℓ1", "lin. ℓ2", "quad. base", "quad. ℓ1", "quad. ℓ2"}

// meanAndRange returns the mean, the smallest and the largest value of valueOf over blocks, one for each seed.
func meanAndRange(blocks []Block, valueOf func(Block) float64) (mean, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, b := range blocks {
		v := valueOf(b)
		mean, lo, hi = mean+v/float64(len(blocks)), min(lo, v), max(hi, v)
	}
	return mean, lo, hi
}

// filterBlocks returns the blocks of all seeds with this Data, Case and X (number of bigrams, subsampling factor or 0).
func filterBlocks(blocks []Block, dataset, caseName string, bigramsOrFactor int) []Block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b Block) bool {
		return b.Data != dataset || b.Case != caseName || b.X != bigramsOrFactor
	})
}

// ReadingChart draws the row of Table 1 for one dataset: the printed numbers, and our numbers under each interpretation
// of the protocol (Reading) except LeakFree. The title counts our means near the printed ones for each interpretation.
func ReadingChart(blocks []Block, dataset string) viz.Figure {
	printedBar := viz.Bar{Name: "printed", Band: "± sd in the paper; for our means: range over ten draws"}
	for _, p := range Printed[dataset] {
		printedBar.Values = append(printedBar.Values, p[0])
		printedBar.Lo, printedBar.Hi = append(printedBar.Lo, p[0]-p[1]), append(printedBar.Hi, p[0]+p[1])
	}
	bars := []viz.Bar{printedBar}
	for _, readingName := range []string{PerExample, AsWritten, Constant} {
		d := viz.Bar{Name: readingName, Band: printedBar.Band}
		for k := range columnHeadings {
			mean, lo, hi := meanAndRange(filterBlocks(blocks, dataset, readingName, 0),
				func(b Block) float64 { return b.Columns[k].Mean })
			d.Values, d.Lo, d.Hi = append(d.Values, mean), append(d.Lo, lo), append(d.Hi, hi)
		}
		bars = append(bars, d)
	}
	var counts []string
	for _, b := range bars[1:] {
		counts = append(counts, fmt.Sprint(countMeansNearPrinted(b, dataset)))
	}
	title := dataset + ": " + strings.Join(counts, ", ") + " of 6 match"
	return viz.Dots(title, "", columnHeadings, bars...).WithAxes("", "RMSE on the test half")
}

// countMeansNearPrinted counts our means that are within two printed standard deviations of the printed means.
func countMeansNearPrinted(meanBars viz.Bar, dataset string) int {
	b := Block{Data: dataset}
	for _, v := range meanBars.Values {
		b.Columns = append(b.Columns, Column{Mean: v})
	}
	return b.CountMeansNearPrinted(2)
}

// Gain compares the RMSE of learned weights with the RMSE of fixed weights, over all stored seeds.
type Gain struct {
	Mean, Lo, Hi float64 // means over seeds of learned − fixed and of its interval, in % of the RMSE of fixed weights
	ClearSeeds   int     // number of seeds whose interval lies below 0: learned weights are better
	Seeds        int     // number of seeds
}

// NewGain compares the RMSE of method with that of fixed weights over the blocks with this Data, Case and X.
func NewGain(blocks []Block, dataset, caseName string, bigramsOrFactor int, method string) Gain {
	var g Gain
	for _, b := range filterBlocks(blocks, dataset, caseName, bigramsOrFactor) {
		fixedRMSE := 0.0
		for _, c := range b.Columns {
			if !c.HasLearnedWeights() {
				fixedRMSE = c.Mean
			}
			if c.Method != method {
				continue
			}
			g.Seeds++
			g.Mean, g.Lo, g.Hi = g.Mean+100*c.Diff/fixedRMSE, g.Lo+100*c.Lo/fixedRMSE, g.Hi+100*c.Hi/fixedRMSE
			if c.Hi < 0 {
				g.ClearSeeds++
			}
		}
	}
	n := float64(g.Seeds)
	g.Mean, g.Lo, g.Hi = g.Mean/n, g.Lo/n, g.Hi/n
	return g
}

// GainInPaper returns the printed RMSE of a column of Table 1 minus the printed RMSE of the quadratic kernel with fixed
// weights. The column is a quadratic kernel with learned weights.
func GainInPaper(dataset string, column int) float64 {
	return Printed[dataset][column][0] - Printed[dataset][3][0]
}

// CountExcluding returns the number of seeds for which our interval of the gain, under the given interpretation of the
// protocol, does not contain the gain that the paper prints in a column of Table 1.
func CountExcluding(blocks []Block, dataset, readingName string, column int) (seedsExcludingPrinted int) {
	for _, b := range filterBlocks(blocks, dataset, readingName, 0) {
		if c, printedGain := b.Columns[column], GainInPaper(dataset, column); printedGain < c.Lo || printedGain > c.Hi {
			seedsExcludingPrinted++
		}
	}
	return seedsExcludingPrinted
}

// PrintedGainChart draws the gains by learned weights of quadratic kernels in Table 1: printed, and ours in blocks for
// each interpretation of the protocol except LeakFree. For PerExample it also draws the gains of "table1-training".
func PrintedGainChart(title string, blocks []Block) viz.Figure {
	var names []string
	printedBar := viz.Bar{Name: "printed"}
	const band = "95 % interval, ends averaged over ten draws"
	bars := []viz.Bar{{Name: PerExample, Band: band}, {Name: "the same, choices from the training half", Band: band},
		{Name: AsWritten, Band: band}, {Name: Constant, Band: band}}
	readings := []string{PerExample, PerExample, AsWritten, Constant} // of each bar
	results := [][]Block{blocks, Stored("table1-training"), blocks, blocks}
	for _, set := range Sets {
		for k := 4; k <= 5; k++ {
			names = append(names, fmt.Sprintf("%s, %s", set, columnHeadings[k]))
			printedBar.Values = append(printedBar.Values, GainInPaper(set, k))
			for i := range bars {
				bar, blocksOfReading := &bars[i], filterBlocks(results[i], set, readings[i], 0)
				meanOverSeeds := func(valueOf func(c Column) float64) float64 {
					v, _, _ := meanAndRange(blocksOfReading, func(b Block) float64 { return valueOf(b.Columns[k]) })
					return v
				}
				bar.Values = append(bar.Values, meanOverSeeds(func(c Column) float64 { return c.Diff }))
				bar.Lo = append(bar.Lo, meanOverSeeds(func(c Column) float64 { return c.Lo }))
				bar.Hi = append(bar.Hi, meanOverSeeds(func(c Column) float64 { return c.Hi }))
			}
		}
	}
	return viz.Dots(title, "Quadratic kernels: RMSE with learned weights − RMSE with weights 1. Printed: "+
		"difference of the two means in Table 1 of the paper. Ours: mean of ten draws, with 95 % intervals. Choices: "+
		"λ, Λ and the scaling.",
		names, append([]viz.Bar{printedBar}, bars...)...).
		WithAxes("", "RMSE, learned − equal weights").WithBaseline("no change", 0)
}

// chartLabel returns the label of a method in the charts of Figure 2.
func (c Column) chartLabel() string {
	if c.HasLearnedWeights() {
		return c.Method
	}
	return "μ = 1"
}

// BigramChart draws the errors on finefoods against the number of bigrams, for one seed.
func BigramChart(title, caption string, blocks []Block) viz.Figure {
	var lines []viz.Line
	for k, column := range blocks[0].Columns {
		var p viz.Points
		l := viz.Line{Name: column.chartLabel(), Mark: viz.MarkBoth, Band: "± sd over random halves"}
		for _, b := range blocks {
			c := b.Columns[k]
			p.X, p.Y = append(p.X, float64(b.X)), append(p.Y, c.Mean)
			l.Lo, l.Hi = append(l.Lo, c.Mean-c.SD), append(l.Hi, c.Mean+c.SD)
		}
		l.XYs = p
		lines = append(lines, l)
	}
	return viz.Lines(title, caption, lines...).WithAxes("pairs of words", "RMSE").WithLogX()
}

// VerdictChart draws the change of the RMSE by learned weights, with its interval, in the studies of the notebook's
// verdict. Each label states in how many draws (seeds) the gain is clear.
func VerdictChart(title string) viz.Figure {
	bar := viz.Bar{Name: "RMSE, learned − equal weights", Band: "95 % interval, ends averaged over ten draws"}
	var names []string
	addGain := func(experiment, dataset, caseName string, bigramsOrFactor int, method, label string) {
		g := NewGain(Stored(experiment), dataset, caseName, bigramsOrFactor, method)
		names = append(names, fmt.Sprintf("%s: %d of %d", label, g.ClearSeeds, g.Seeds))
		bar.Values, bar.Lo, bar.Hi = append(bar.Values, g.Mean), append(bar.Lo, g.Lo), append(bar.Hi, g.Hi)
	}
	for _, set := range Sets {
		addGain("table1", set, PerExample, 0, "quadratic ℓ2", set+", rows centered")
		addGain("table1", set, Constant, 0, "quadratic ℓ2", set+", columns + constant")
	}
	for _, set := range []string{"kitchen", "electronics"} {
		addGain("figure2", set, Stars, 500, "ℓ2", set+", stars as given")
		addGain("figure2", set, CenteredStars, 500, "ℓ2", set+", stars centered")
		addGain("figure2", set, CenteredStars, 500, "ℓ1", set+", stars centered, ℓ1")
	}
	addGain("figure2", "finefoods", CenteredStars, 200, "ℓ2", "foods, targets centered")
	for _, x := range []int{5, 20} {
		pointCount := StoredFirst("figure3", "kin-8nm", "degree 4", x).TrainPointCount
		addGain("figure3", "kin-8nm", "degree 4", x, "degree 4 learned",
			fmt.Sprintf("arm, degree 4, %d points", pointCount))
	}
	return viz.Dots(title, "Stored results: mean change of the RMSE in ten draws, in % of that of equal weights. "+
		"“7 of 10”: in 7 draws the gain is clear. Quadratic kernels on the ℓ2 ball if the label names no other. The "+
		"reviews have 500 pairs of words, foods 200.",
		names, bar).WithAxes("", "change of the RMSE in % (left of 0 learning is better)").WithBaseline("no change", 0)
}

// Figure2Chart draws the test RMSE of fixed and learned weights on the reviews of one dataset with 500 bigrams.
func Figure2Chart(blocks []Block, dataset string) viz.Figure {
	var groups []string
	dots := make([]viz.Bar, 3)
	addGroup := func(group, caseName string, bigramCount int) {
		groups = append(groups, group)
		groupBlocks := filterBlocks(blocks, dataset, caseName, bigramCount)
		for k, column := range groupBlocks[0].Columns {
			mean, lo, hi := meanAndRange(groupBlocks, func(b Block) float64 { return b.Columns[k].Mean })
			d := &dots[k]
			d.Name, d.Band = column.chartLabel(), "range over ten draws"
			d.Values, d.Lo, d.Hi = append(d.Values, mean), append(d.Lo, lo), append(d.Hi, hi)
		}
	}
	addGroup("stars as given", Stars, 500)
	addGroup("stars centered", CenteredStars, 500)
	return viz.Dots(dataset, "", groups, dots...).WithAxes("", "RMSE in stars")
}

// Figure3Chart draws the RMSE of fixed and learned weights of one degree against the number of training points.
func Figure3Chart(blocks []Block, dataset string, degree int) viz.Figure {
	caseName := fmt.Sprintf("degree %d", degree)
	var lines []viz.Line
	for k, column := range filterBlocks(blocks, dataset, caseName, Factors[0])[0].Columns {
		var p viz.Points
		label := map[bool]string{false: "equal", true: "learned"}[column.HasLearnedWeights()]
		l := viz.Line{Name: label, Mark: viz.MarkBoth, Band: "range over ten draws"}
		for _, x := range Factors {
			mean, lo, hi := meanAndRange(filterBlocks(blocks, dataset, caseName, x),
				func(b Block) float64 { return b.Columns[k].Mean })
			p.X, p.Y = append(p.X, float64(filterBlocks(blocks, dataset, caseName, x)[0].TrainPointCount)),
				append(p.Y, mean)
			l.Lo, l.Hi = append(l.Lo, lo), append(l.Hi, hi)
		}
		l.XYs = p
		lines = append(lines, l)
	}
	return viz.Lines(caseName, "", lines...).WithAxes("points to train on", "RMSE on the test half").WithLogX()
}

// ConvexParts holds F of Figure 1 for one λ over a grid: in the weights μ and in t = μ².
type ConvexParts struct {
	Lambda    float64
	InMu, InT *shared.Surface
}

// Figure1 returns F of Figure 1 for each of lambdas on grid × grid.
func Figure1(lambdas, grid []float64) (parts []ConvexParts, err error) {
	for _, lambda := range lambdas {
		p, err := Figure1Problem(lambda)
		if err != nil {
			return nil, err
		}
		c := ConvexParts{Lambda: lambda}
		if c.InMu, err = shared.NewSurface(p, 1, grid); err != nil {
			return nil, err
		}
		if c.InT, err = shared.NewSurface(p, 2, grid); err != nil {
			return nil, err
		}
		parts = append(parts, c)
	}
	return parts, nil
}

// WeightChart draws the learned weights of each radius Λ of the ball about (1, …, 1), beside the weight 1.
func WeightChart(title, caption string, radii []float64, results []*mkl.Result) viz.Figure {
	var panels []viz.Figure
	for i, r := range results {
		weights := viz.Line{Name: "learned weight", XYs: viz.Values(r.Theta), Mark: viz.MarkPoints}
		panels = append(panels, viz.Lines(fmt.Sprintf("Λ = %g", radii[i]), "", weights).
			WithAxes("feature", "weight μ").WithBaseline("uniform", 1).WithRange(0, 7.5))
	}
	return viz.Multiples(title, caption, len(panels), panels...)
}
