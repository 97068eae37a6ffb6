package qnpkl

import (
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Accuracy is an accuracy in percent and its standard deviation, as the paper prints it.
type Accuracy struct{ Mean, SD float64 }

// String returns "mean ± SD" with one decimal.
func (a Accuracy) String() string { return fmt.Sprintf("%.1f ± %.1f", a.Mean, a.SD) }

// PrintedTable1 is Table 1 of the paper: the accuracies of MKL, QN-PKL, GMKL and SVM, in this order, by dataset.
var PrintedTable1 = map[string][4]Accuracy{
	"sonar":      {{77.9, 5.5}, {86.6, 3.4}, {82.3, 4.8}, {81.3, 3.9}},
	"ionosphere": {{91.3, 2.3}, {94.1, 1.5}, {93.0, 2.1}, {90.1, 2.3}},
	"pima":       {{71.4, 4.1}, {76.4, 1.9}, {77.2, 2.1}, {75.4, 2.3}},
}

// PrintedTable2 is Table 2 of the paper: the accuracies and R, the share of the weights on features that are not added
// noise, in percent, of MKL and QN-PKL, in this order, by dataset.
var PrintedTable2 = map[string][2]struct {
	Accuracy
	R float64
}{
	"sonar":      {{Accuracy{72.2, 3.5}, 84.9}, {Accuracy{80.8, 6.3}, 97.7}},
	"ionosphere": {{Accuracy{91.2, 2.6}, 67.2}, {Accuracy{93.3, 2.4}, 99.9}},
	"pima":       {{Accuracy{71.5, 3.4}, 61.1}, {Accuracy{74.8, 3.0}, 89.9}},
}

// PrintedTimes holds the training times in seconds that the paper prints, of SimpleMKL and of QN-PKL, by dataset.
var PrintedTimes = map[string][2]float64{"sonar": {6.2, 1.0}, "ionosphere": {7.1, 0.6}, "pima": {4.4, 2.8}}

// printedColumn maps a method to the index of its accuracy in a row of PrintedTable1.
var printedColumn = map[string]int{MKL: 0, AsPrinted: 1, LargeB1: 1, EightSteps: 1, ToTheEnd: 1, GMKL: 2,
	UniformProduct: 3}

// describeSplits returns the words of a caption that describe the splits of resultBlocks.
func describeSplits(resultBlocks []Block) string {
	return fmt.Sprintf("%d stratified splits of 70 and 30 %% of each set (%d seeds, %d splits each)",
		len(Pooled(resultBlocks)[0].Accuracy), len(shared.DistinctSeeds(resultBlocks)), len(resultBlocks[0].Accuracy))
}

// intervalName is the name of the intervals in tables (after ±) and of error bars.
const intervalName = "corrected resampled 95 % interval"

// Table1 shows the accuracy of each method here and in the paper, and how much it is above that of equal widths here.
func Table1(resultBlocks []Block) viz.Figure {
	pooledBlocks, header, rows := Pooled(resultBlocks), []string{"method"}, [][]any{}
	for _, s := range Sets3 {
		header = append(header, s, "paper", "− uniform")
	}
	for _, m := range distinctMethods(pooledBlocks) {
		row := []any{m}
		for _, s := range Sets3 {
			differenceText := "–"
			if m != UniformProduct {
				d := Difference(Find(pooledBlocks, s, m), Find(pooledBlocks, s, UniformProduct))
				differenceText = fmt.Sprintf("%+.1f ± %.1f", d.Mean, (d.Hi-d.Lo)/2)
			}
			mean, sd := Find(pooledBlocks, s, m).Mean()
			row = append(row, viz.MeanAndSD(mean, sd, 1), PrintedTable1[s][printedColumn[m]].String(), differenceText)
		}
		rows = append(rows, row)
	}
	return viz.Table("Table 1: accuracy in percent",
		fmt.Sprintf("Mean ± standard deviation over %s; C in %v, and σ of GMKL in 1, 10, …, 10⁵, are chosen by "+
			"two folds inside the training part. “− uniform”: accuracy − accuracy with equal widths, ± half of the %s.",
			describeSplits(resultBlocks), candidatesC, intervalName),
		header, rows...)
}

// GainFigure draws, for seven datasets, the accuracy of learned products minus the accuracy of the uniform product.
func GainFigure(title string, resultBlocks []Block) viz.Figure {
	pooledBlocks, bars := Pooled(resultBlocks), []viz.Bar{}
	for _, m := range []string{EightSteps, ToTheEnd} {
		b := viz.Bar{Name: m, Band: intervalName}
		for _, s := range Sets7 {
			d := Difference(Find(pooledBlocks, s, m), Find(pooledBlocks, s, UniformProduct))
			b.Values, b.Lo, b.Hi = append(b.Values, d.Mean), append(b.Lo, d.Lo), append(b.Hi, d.Hi)
		}
		bars = append(bars, b)
	}
	return viz.Dots(title, fmt.Sprintf("Difference to the uniform product on the same splits: %s; C is chosen inside "+
		"the training part for each method.", describeSplits(resultBlocks)), Sets7, bars...).
		WithAxes("", "accuracy minus that of the uniform product, percentage points").WithBaseline("uniform product", 0)
}

// StepsFigure draws the change of accuracy against the number of learning steps, with one panel for each dataset.
func StepsFigure(title string, resultBlocks []Block) viz.Figure {
	pooledBlocks, panels := Pooled(resultBlocks), []viz.Figure{}
	find := func(set string, steps int) Block { return Find(pooledBlocks, set, fmt.Sprintf(nameOfSteps, steps)) }
	for _, s := range Sets3 {
		l, p := viz.Line{Name: "corrected QN-PKL", Band: intervalName, Mark: viz.MarkBoth}, viz.Points{}
		for _, k := range Steps[1:] {
			d := Difference(find(s, k), find(s, 0))
			p.X, p.Y, l.Lo, l.Hi = append(p.X, float64(k)), append(p.Y, d.Mean), append(l.Lo, d.Lo), append(l.Hi, d.Hi)
		}
		l.XYs = p
		panels = append(panels, viz.Lines(s, "", l).WithBaseline("equal widths, not learned", 0))
	}
	return viz.Multiples(title, fmt.Sprintf("Test accuracy after the steps of the corrected QN-PKL minus test "+
		"accuracy at the start, equal widths γ = 1/M. C is fixed near the cross-validated C for equal widths (10 on "+
		"sonar, 1 on the other sets). Means over %s.", describeSplits(resultBlocks)), 3, panels...).
		WithAxes("steps of learning", "change of accuracy, percentage points").WithLogX()
}

// SpeedFigure draws the processor time of SimpleMKL divided by the time of each other method: the median and the range
// over the seeds. The last group is the same ratio for the times that the paper prints.
func SpeedFigure(title string, resultBlocks []Block) viz.Figure {
	var dots []viz.Bar
	methods := slices.DeleteFunc(distinctMethods(resultBlocks), func(m string) bool { return m == SimpleMKL })
	for _, s := range Sets3 {
		b := viz.Bar{Name: s, Band: "range over ten seeds"}
		for _, m := range methods {
			t := TimeRatios(resultBlocks, s, m)
			b.Values = append(b.Values, (t[(len(t)-1)/2]+t[len(t)/2])/2)
			b.Lo, b.Hi = append(b.Lo, t[0]), append(b.Hi, t[len(t)-1])
		}
		printedRatio := PrintedTimes[s][0] / PrintedTimes[s][1]
		b.Values, b.Lo, b.Hi = append(b.Values, printedRatio), append(b.Lo, printedRatio), append(b.Hi, printedRatio)
		dots = append(dots, b)
	}
	return viz.Dots(title, fmt.Sprintf("Processor time of SimpleMKL (reduced gradient, to a gap of 1 %%) divided by "+
		"the time of another method, C = %g: medians over ten seeds, one split each. Last row: from the times that "+
		"the paper prints.", fixedC), append(methods, "QN-PKL in the paper"), dots...).
		WithAxes("", "times as fast as SimpleMKL").WithBaseline("as fast", 1)
}

// TimeRatios returns the processor time of SimpleMKL divided by the time of another method on a dataset. There is one
// ratio for each seed; they are in ascending order.
func TimeRatios(resultBlocks []Block, dataset, method string) (ratios []float64) {
	for _, seed := range shared.DistinctSeeds(resultBlocks) {
		b := shared.SelectSeed(resultBlocks, seed)
		ratios = append(ratios, Find(b, dataset, SimpleMKL).CPU/Find(b, dataset, method).CPU)
	}
	slices.Sort(ratios)
	return ratios
}

func methodNameAtC(method string, c float64) string { return fmt.Sprintf(nameAtC, method, c) }

// Table2 shows the accuracies and R (see PrintedTable2), of each method and C, and those of the paper.
func Table2(resultBlocks []Block) viz.Figure {
	pooledBlocks, header, rows := Pooled(resultBlocks), []string{"data", "method", "paper"}, [][]any{}
	for _, c := range Cs {
		header = append(header, fmt.Sprintf("C = %g", c))
	}
	for _, s := range Sets3 {
		for i, m := range []string{MKL, AsPrinted, EightSteps, ToTheEnd} {
			p := PrintedTable2[s]
			row := []any{s, m, fmt.Sprintf("%v, R %.1f", p[min(i, 1)].Accuracy, p[min(i, 1)].R)}
			for _, c := range Cs {
				b := Find(pooledBlocks, s, methodNameAtC(m, c))
				mean, sd := b.Mean()
				row = append(row, fmt.Sprintf("%v, R %.1f", Accuracy{mean, sd}, stat.Mean(b.Ratio, nil)))
			}
			rows = append(rows, row)
		}
	}
	return viz.Table("Table 2: 25 noise features",
		fmt.Sprintf("Accuracy and R, the share of the weights on features that are not noise, in percent: in the "+
			"paper, and here for each C, as means over %s.", describeSplits(resultBlocks)), header, rows...)
}

// Ranking ranks the uniform product and two learned products by mean accuracy over seven datasets.
func Ranking(resultBlocks []Block) (*compare.Ranking, error) {
	pooledBlocks, methods, scores := Pooled(resultBlocks), []string{UniformProduct, EightSteps, ToTheEnd}, [][]float64{}
	for _, s := range Sets7 {
		var row []float64
		for _, m := range methods {
			row = append(row, meanAccuracy(pooledBlocks, s, m))
		}
		scores = append(scores, row)
	}
	return compare.RankScores(Sets7, methods, scores, true)
}

// Overall returns the mean over some datasets of the accuracy of a method minus the accuracy of the uniform product,
// with its interval. The differences are averaged over the datasets split by split.
func Overall(resultBlocks []Block, method string, sets []string) (learnedMinusUniform compare.Difference) {
	pooledBlocks, learned, uniform := Pooled(resultBlocks), Block{}, Block{}
	for _, s := range sets {
		x, y := Find(pooledBlocks, s, method).Accuracy, Find(pooledBlocks, s, UniformProduct).Accuracy
		if learned.Accuracy == nil {
			learned.Accuracy, uniform.Accuracy = make([]float64, len(x)), make([]float64, len(x))
		}
		floats.AddScaled(learned.Accuracy, 1/float64(len(sets)), x)
		floats.AddScaled(uniform.Accuracy, 1/float64(len(sets)), y)
	}
	return Difference(learned, uniform)
}

// Differences shows, for each dataset of Table 1 of the paper, the accuracy of QN-PKL minus the accuracy of each other
// method: computed here with the algorithm as printed, and the difference of the printed accuracies.
func Differences(resultBlocks []Block, others ...string) viz.Figure {
	pooledBlocks, header, rows := Pooled(resultBlocks), []string{"QN-PKL as printed minus the method below"}, [][]any{}
	for _, s := range Sets3 {
		header = append(header, s, "paper")
	}
	for _, m := range others {
		row := []any{m}
		for _, s := range Sets3 {
			d, p := Difference(Find(pooledBlocks, s, AsPrinted), Find(pooledBlocks, s, m)), PrintedTable1[s]
			row = append(row, fmt.Sprintf("%+.1f [%+.1f, %+.1f]", d.Mean, d.Lo, d.Hi),
				fmt.Sprintf("%+.1f", p[printedColumn[AsPrinted]].Mean-p[printedColumn[m]].Mean))
		}
		rows = append(rows, row)
	}
	return viz.Table("Printed gains over the SVM are outside our intervals on sonar and ionosphere",
		fmt.Sprintf("Difference of accuracy in percentage points, and its %s; means over %s.", intervalName,
			describeSplits(resultBlocks)), header, rows...)
}

// distinctMethods returns the distinct methods of resultBlocks in the order of their first block.
func distinctMethods(resultBlocks []Block) (methods []string) {
	for _, b := range resultBlocks {
		if !slices.Contains(methods, b.Method) {
			methods = append(methods, b.Method)
		}
	}
	return methods
}
