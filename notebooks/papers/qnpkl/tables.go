package qnpkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

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
var printedColumn = map[string]int{MKL: 0, AsPrinted: 1, LargeB1: 1, ClippedLargeB1: 1, EightSteps: 1,
	ToTheEnd: 1, GMKL: 2, UniformProduct: 3}

// describeSplits returns the words of a caption that describe the splits of resultBlocks.
func describeSplits(resultBlocks []Block) string {
	splitCount := 0
	for _, b := range Pooled(resultBlocks) {
		splitCount = max(splitCount, len(b.Accuracy))
	}
	return fmt.Sprintf("%d stratified splits of 70 and 30 %% of each set (%d seeds, %d splits each)",
		splitCount, len(shared.DistinctSeeds(resultBlocks)), len(resultBlocks[0].Accuracy))
}

// intervalName is the name of the intervals in tables (after ±) and of error bars.
const intervalName = "corrected resampled 95 % interval"

// formatDifference returns "+1.2 [−3.4, +5.6]".
func formatDifference(d compare.Difference) string {
	return fmt.Sprintf("%s [%s, %s]", viz.SignedNumber(d.Mean, 1).Text, viz.SignedNumber(d.Lo, 1).Text,
		viz.SignedNumber(d.Hi, 1).Text)
}

// differenceCell returns a cell with a difference, emphasized if its interval excludes 0.
func differenceCell(d compare.Difference) any {
	c := viz.Cell{Text: formatDifference(d)}
	if d.ExcludesZero() {
		return viz.Emphasize(c)
	}
	return c
}

// table1Methods lists the methods in the order of the rows of Table1.
var table1Methods = []string{UniformProduct, OneWidth, MKL, AsPrinted, LargeB1, ClippedLargeB1, EightSteps, ToTheEnd,
	GMKL}

// Table1 shows the mean accuracy of each method on each dataset, in the paper and here with each scaling.
func Table1(title string) viz.Figure {
	header, rows := []string{"data", "method", "paper"}, [][]any{}
	var ofScaling [][]Block
	for _, s := range Scalings {
		header, ofScaling = append(header, s.Name), append(ofScaling, Pooled(s.Stored("table1")))
	}
	for _, dataset := range Sets3 {
		for _, m := range table1Methods {
			row := []any{dataset, m, "–"}
			if column, ok := printedColumn[m]; ok {
				row[2] = viz.Number(PrintedTable1[dataset][column].Mean, 1)
			}
			for _, pooledBlocks := range ofScaling {
				row = append(row, numberOrDash(Find(pooledBlocks, dataset, m)))
			}
			rows = append(rows, row)
		}
	}
	return viz.Table(title, fmt.Sprintf("Table 1: mean accuracy in percent, in the paper and here for each scaling of "+
		"the features, over %s; C in %s, σ of GMKL in 1, 10, …, 10⁵ and the factor of the one width in 1/64, 1/16, …, "+
		"64 are chosen by two folds inside the training part.", describeSplits(Standardized.Stored("table1")),
		commaList(candidatesC)), header, rows...)
}

// numberOrDash returns the mean accuracy of b, or a dash if b has no splits.
func numberOrDash(b Block) any {
	if len(b.Accuracy) == 0 {
		return "–"
	}
	mean, _ := b.Mean()
	return viz.Number(mean, 1)
}

// GainsTable shows how much more accurate methods are than a baseline, on each dataset of Table 1 and with each
// scaling, and the differences of the accuracies that the paper prints.
func GainsTable(title, baseline string, methods ...string) viz.Figure {
	header, rows := []string{"scaling", "method"}, [][]any{}
	for _, dataset := range Sets3 {
		header = append(header, dataset)
	}
	if column, ok := printedColumn[baseline]; ok {
		row := []any{"paper", "QN-PKL"}
		for _, dataset := range Sets3 {
			p := PrintedTable1[dataset]
			row = append(row, viz.SignedNumber(p[printedColumn[AsPrinted]].Mean-p[column].Mean, 1).Text)
		}
		rows = append(rows, row)
	}
	for _, s := range Scalings {
		if len(Find(s.Stored("table1"), Sets3[0], baseline).Accuracy) == 0 {
			continue
		}
		for _, m := range methods {
			row := []any{s.Name, m}
			for _, dataset := range Sets3 {
				row = append(row, differenceCell(s.Gain(dataset, m, baseline)))
			}
			rows = append(rows, row)
		}
	}
	return viz.Table(title, fmt.Sprintf("Accuracy minus that of “%s”, percentage points, and its %s; bold: clear. "+
		"Means over %s.", baseline, intervalName, describeSplits(Standardized.Stored("table1"))), header, rows...)
}

// GainsOverMKL shows how much more accurate methods are than MKL and than GMKL on each dataset of Table 1, features
// standardized, and the differences of the accuracies that the paper prints.
func GainsOverMKL(title string, methods ...string) viz.Figure {
	baselines, header, rows := []string{MKL, GMKL}, []string{"data", "method"}, [][]any{}
	for _, baseline := range baselines {
		header = append(header, "minus "+baseline)
	}
	for _, dataset := range Sets3 {
		p, row := PrintedTable1[dataset], []any{dataset, "QN-PKL in the paper"}
		for _, baseline := range baselines {
			gain := p[printedColumn[AsPrinted]].Mean - p[printedColumn[baseline]].Mean
			row = append(row, viz.SignedNumber(gain, 1).Text)
		}
		rows = append(rows, row)
		for _, m := range methods {
			row := []any{dataset, m}
			for _, baseline := range baselines {
				row = append(row, differenceCell(Standardized.Gain(dataset, m, baseline)))
			}
			rows = append(rows, row)
		}
	}
	return viz.Table(title, fmt.Sprintf("Accuracy minus that of MKL and of GMKL, percentage points, and its %s; bold: "+
		"clear. Features standardized; means over %s.", intervalName, describeSplits(Standardized.Stored("table1"))),
		header, rows...)
}

// GainsFigure draws, for each dataset of Table 1 and each scaling, the accuracy of three forms of learning and of one
// chosen width minus that of equal widths, beside the gain that the paper prints.
func GainsFigure(title string) viz.Figure {
	var panels []viz.Figure
	var scalingNames []string
	for _, s := range Scalings {
		scalingNames = append(scalingNames, s.Name)
	}
	for _, dataset := range Sets3 {
		var dots []viz.Bar
		for _, m := range []string{AsPrinted, EightSteps, ToTheEnd, OneWidth} {
			dots = append(dots, gainDots(m, func(i int) compare.Difference {
				return Scalings[i].Gain(dataset, m, UniformProduct)
			}, len(Scalings)))
		}
		p := PrintedTable1[dataset]
		printed := viz.Bar{Name: "QN-PKL in the paper"}
		for range Scalings {
			printed.Values = append(printed.Values,
				p[printedColumn[AsPrinted]].Mean-p[printedColumn[UniformProduct]].Mean)
		}
		panels = append(panels, viz.Dots(dataset, "", scalingNames, append(dots, printed)...).
			WithBaseline(UniformProduct, 0))
	}
	return viz.Multiples(title, fmt.Sprintf("Difference to equal widths (γ = 1/M) on the same splits: %s; "+
		"bars: %s. C is chosen inside the training part for each method.",
		describeSplits(Standardized.Stored("table1")), intervalName), 3, panels...).
		WithAxes("", "accuracy minus that of equal widths, percentage points")
}

// gainDots returns count differences as dots with error bars.
func gainDots(name string, difference func(i int) compare.Difference, count int) viz.Bar {
	b := viz.Bar{Name: name, Band: intervalName}
	for i := range count {
		d := difference(i)
		b.Values, b.Lo, b.Hi = append(b.Values, d.Mean), append(b.Lo, d.Lo), append(b.Hi, d.Hi)
	}
	return b
}

// SevenSetsFigure draws, for seven datasets with standardized features, the accuracy of two forms of learning minus
// that of one chosen width.
func SevenSetsFigure(title string) viz.Figure {
	const baseline = OneWidth
	var dots []viz.Bar
	for _, m := range []string{EightSteps, ToTheEnd} {
		dots = append(dots, gainDots(m, func(i int) compare.Difference {
			return Standardized.Gain(Sets7[i], m, baseline)
		}, len(Sets7)))
	}
	return viz.Dots(title, fmt.Sprintf("Difference to “%s” on the same splits, features standardized: %s; bars: %s. "+
		"C is chosen inside the training part for each method.", baseline,
		describeSplits(Standardized.Stored("table1", "more")), intervalName), Sets7, dots...).
		WithAxes("", "difference of accuracy, percentage points").WithBaseline(baseline, 0)
}

// StepsFigure draws, for one dataset and each scaling, the error on the training points and on the test points against
// the number of steps of learning. The band about the test error is the interval of its difference to no step.
func StepsFigure(title, dataset string) viz.Figure {
	var panels []viz.Figure
	for _, s := range Scalings {
		pooledBlocks, test, train := Pooled(s.Stored("steps")), viz.Points{}, viz.Points{}
		var lo, hi []float64 // ends of the band
		start := Find(pooledBlocks, dataset, fmt.Sprintf(nameOfSteps, 0))
		startError := 100 - stat.Mean(start.Accuracy, nil)
		for _, k := range Steps {
			b := Find(pooledBlocks, dataset, fmt.Sprintf(nameOfSteps, k))
			test.X, test.Y = append(test.X, float64(k+1)), append(test.Y, 100-stat.Mean(b.Accuracy, nil))
			train.X, train.Y = append(train.X, float64(k+1)), append(train.Y, 100-stat.Mean(b.TrainAccuracy, nil))
			d := Difference(start, b)
			lo, hi = append(lo, startError+d.Lo), append(hi, startError+d.Hi)
		}
		panels = append(panels, viz.Lines(fmt.Sprintf("%s, C = %g", s.Name, s.stepsC[dataset]), "",
			viz.Line{Name: "test points", XYs: test, Mark: viz.MarkBoth, Lo: lo, Hi: hi, Band: intervalName},
			viz.Line{Name: "training points", XYs: train, Mark: viz.MarkBoth}))
	}
	return viz.Multiples(title, fmt.Sprintf("Error of the corrected QN-PKL on %s after 0, 1, 2, 4, …, 64 steps from "+
		"equal widths γ = 1/M, with the C of the title. Means over %s; band: %s of the difference to 0 steps (not to "+
		"step 8).", dataset, describeSplits(Standardized.Stored("steps")), intervalName), 3, panels...).
		WithAxes("1 + steps of learning", "error, percent").WithLogX()
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
			b.Values = append(b.Values, shared.MedianOfSorted(t))
			b.Lo, b.Hi = append(b.Lo, t[0]), append(b.Hi, t[len(t)-1])
		}
		printedRatio := PrintedTimes[s][0] / PrintedTimes[s][1]
		b.Values, b.Lo, b.Hi = append(b.Values, printedRatio), append(b.Lo, printedRatio), append(b.Hi, printedRatio)
		dots = append(dots, b)
	}
	return viz.Dots(title, fmt.Sprintf("Processor time of SimpleMKL (reduced gradient, to a gap of 1 %%) divided by "+
		"the time of another method, C = %g: medians over ten seeds, one split each; bars: the least and the largest. "+
		"Last row: from the times that the paper prints.", fixedC), append(methods, "QN-PKL in the paper"), dots...).
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
func Table2(title string, s Scaling) viz.Figure {
	pooledBlocks, header, rows := Pooled(s.Stored("table2")), []string{"data", "method", "paper"}, [][]any{}
	for _, c := range Cs {
		header = append(header, fmt.Sprintf("C = %g", c))
	}
	for _, dataset := range Sets3 {
		for i, m := range []string{MKL, AsPrinted, Clipped, ClippedLargeB1, EightSteps, ToTheEnd} {
			p := PrintedTable2[dataset]
			row := []any{dataset, m, fmt.Sprintf("%.1f, R %.1f", p[min(i, 1)].Mean, p[min(i, 1)].R)}
			for _, c := range Cs {
				b := Find(pooledBlocks, dataset, methodNameAtC(m, c))
				mean, _ := b.Mean()
				row = append(row, fmt.Sprintf("%.1f, R %.1f", mean, stat.Mean(b.Ratio, nil)))
			}
			rows = append(rows, row)
		}
	}
	return viz.Table(title, fmt.Sprintf("Table 2, features %s, 25 noise features added. Accuracy and R, the share of "+
		"the weights on features that are not noise, in percent: in the paper, and here for each C, as means "+
		"over %s.",
		s.Name, describeSplits(s.Stored("table2"))), header, rows...)
}

// Table2ByC shows each method with one C for all datasets and with C by dataset, in the form of Table2. The C are those
// with R nearest to the printed R; one C for all datasets has the smallest largest distance. Entries with R within one
// point of the printed R are emphasized.
func Table2ByC(title string, s Scaling) viz.Figure {
	pooledBlocks, eightCs := Pooled(s.Stored("table2", "between")), slices.Concat(Cs, BetweenCs)
	header, rows := append([]string{"method", "C"}, Sets3...), [][]any{}
	for i, m := range []string{MKL, AsPrinted, Clipped, ClippedLargeB1, EightSteps, ToTheEnd, ToTheEnd} {
		name, candidates, column := m, Cs, min(i, 1)
		if i == 6 {
			name, candidates = m+", eight C", eightCs
		}
		if i == column { // the first of MKL or of QN-PKL
			row := []any{[]string{"paper: MKL", "paper: QN-PKL"}[i], "–"}
			for _, dataset := range Sets3 {
				p := PrintedTable2[dataset][column]
				row = append(row, fmt.Sprintf("%.1f, R %.1f", p.Mean, p.R))
			}
			rows = append(rows, row)
		}
		distance := func(dataset string, c float64) float64 {
			return math.Abs(stat.Mean(Find(pooledBlocks, dataset, methodNameAtC(m, c)).Ratio, nil) -
				PrintedTable2[dataset][column].R)
		}
		nearest := func(datasets ...string) float64 {
			farthest := func(c float64) (d float64) {
				for _, dataset := range datasets {
					d = max(d, distance(dataset, c))
				}
				return d
			}
			return slices.MinFunc(candidates, func(a, b float64) int { return cmp.Compare(farthest(a), farthest(b)) })
		}
		forAll := nearest(Sets3...)
		one, bySet := slices.Repeat([]float64{forAll}, len(Sets3)), []float64{}
		for _, dataset := range Sets3 {
			bySet = append(bySet, nearest(dataset))
		}
		addRow := func(choice string, cs []float64) {
			row := []any{name, choice}
			for k, dataset := range Sets3 {
				b := Find(pooledBlocks, dataset, methodNameAtC(m, cs[k]))
				mean, _ := b.Mean()
				entry := viz.Cell{Text: fmt.Sprintf("%.1f, R %.1f", mean, stat.Mean(b.Ratio, nil))}
				if distance(dataset, cs[k]) <= 1 {
					entry = viz.Emphasize(entry)
				}
				row = append(row, entry)
			}
			rows = append(rows, row)
		}
		if slices.Equal(one, bySet) {
			addRow(fmt.Sprintf("one, by set: %g", forAll), one)
			continue
		}
		addRow(fmt.Sprintf("one: %g", forAll), one)
		addRow("by set: "+commaList(bySet), bySet)
	}
	return viz.Table(title, fmt.Sprintf("Accuracy and R, features %s: for each method the C whose R is nearest to the "+
		"paper's, of %s (eight C: also %s); one for all sets, or by set in the order of the columns. Bold: R within "+
		"one point of the paper's. Means over %s.", s.Name, commaList(Cs), commaList(BetweenCs),
		describeSplits(s.Stored("table2"))), header, rows...)
}

// commaList returns "0.1, 1, 10".
func commaList(values []float64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ", "), "[]")
}

// RatioFigure draws R against C for MKL and four forms of the algorithm (for ToTheEnd also at BetweenCs), in one panel
// for each dataset. Lines mark the R that the paper prints for QN-PKL, and that of equal weights.
func RatioFigure(title string, s Scaling) (viz.Figure, error) {
	var panels []viz.Figure
	pooledBlocks := Pooled(s.Stored("table2", "between"))
	for _, dataset := range Sets3 {
		var lines []viz.Line
		for _, m := range []string{MKL, AsPrinted, ClippedLargeB1, EightSteps, ToTheEnd} {
			p := viz.Points{X: slices.Clone(Cs)}
			if m == ToTheEnd {
				p.X = append(p.X, BetweenCs...)
				slices.Sort(p.X)
			}
			for _, c := range p.X {
				p.Y = append(p.Y, stat.Mean(Find(pooledBlocks, dataset, methodNameAtC(m, c)).Ratio, nil))
			}
			lines = append(lines, viz.Line{Name: m, XYs: p, Mark: viz.MarkBoth})
		}
		d, err := Load(dataset)
		if err != nil {
			return viz.Figure{}, err
		}
		count := float64(d.Dim())
		panels = append(panels, viz.Lines(dataset, "", lines...).
			WithBaseline("paper, QN-PKL", PrintedTable2[dataset][1].R).
			WithBaseline("equal weights", 100*count/(count+noiseFeatures)))
	}
	return viz.Multiples(title, fmt.Sprintf("R with 25 noise features, features %s: means over %s. “%s” "+
		"has five more C, added after these results. Dashed: above, R of QN-PKL in the paper; below, R of equal "+
		"weights.",
		s.Name, describeSplits(s.Stored("table2")), ToTheEnd), 3, panels...).
		WithAxes("C", "R, percent").WithLogX().WithTicks(Cs, nil), nil
}

// Table2Gain returns the accuracy of a method minus that of MKL with 25 noise features and one C.
func (s Scaling) Table2Gain(dataset, method string, c float64) compare.Difference {
	pooledBlocks := Pooled(s.Stored("table2"))
	return Difference(Find(pooledBlocks, dataset, methodNameAtC(method, c)),
		Find(pooledBlocks, dataset, methodNameAtC(MKL, c)))
}

// Table2Gains shows Table2Gain for five forms of the algorithm and each C, and the gain in the paper.
func Table2Gains(title string, s Scaling) viz.Figure {
	header, rows := []string{"data", "paper", "method"}, [][]any{}
	for _, c := range Cs {
		header = append(header, fmt.Sprintf("C = %g", c))
	}
	for _, dataset := range Sets3 {
		for _, m := range []string{AsPrinted, Clipped, ClippedLargeB1, EightSteps, ToTheEnd} {
			p := PrintedTable2[dataset]
			row := []any{dataset, viz.SignedNumber(p[1].Mean-p[0].Mean, 1).Text, m}
			for _, c := range Cs {
				row = append(row, differenceCell(s.Table2Gain(dataset, m, c)))
			}
			rows = append(rows, row)
		}
	}
	return viz.Table(title, fmt.Sprintf("Accuracy minus that of MKL with 25 noise features, features %s, percentage "+
		"points, and its %s; bold: clear. Means over %s.", s.Name, intervalName, describeSplits(s.Stored("table2"))),
		header, rows...)
}

// Ranking ranks one chosen width and two forms of learning by mean accuracy over seven datasets.
func Ranking(resultBlocks []Block) (*compare.Ranking, error) {
	pooledBlocks, methods, scores := Pooled(resultBlocks), []string{OneWidth, EightSteps, ToTheEnd}, [][]float64{}
	for _, s := range Sets7 {
		var row []float64
		for _, m := range methods {
			row = append(row, meanAccuracy(pooledBlocks, s, m))
		}
		scores = append(scores, row)
	}
	return compare.RankScores(slices.Clone(Sets7), methods, scores, true)
}

// Overall returns the mean over some datasets of the accuracy of a method minus the accuracy of a baseline, with its
// interval. The differences are averaged over the datasets split by split.
func Overall(resultBlocks []Block, method, baseline string, sets []string) compare.Difference {
	pooledBlocks, learned, base := Pooled(resultBlocks), Block{}, Block{}
	for _, s := range sets {
		x, y := Find(pooledBlocks, s, method).Accuracy, Find(pooledBlocks, s, baseline).Accuracy
		if learned.Accuracy == nil {
			learned.Accuracy, base.Accuracy = make([]float64, len(x)), make([]float64, len(x))
		}
		floats.AddScaled(learned.Accuracy, 1/float64(len(sets)), x)
		floats.AddScaled(base.Accuracy, 1/float64(len(sets)), y)
	}
	return Difference(learned, base)
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
