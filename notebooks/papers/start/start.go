// Package start has the data and the figures of the notebook 00_start_here, which introduces package mklnb: a CSV file
// like one that a reader may have, and comparisons of learned weights with their baselines, stored for ten seeds of the
// splits.
//
//	WritePlants      writes the file; MeanHeight and Noise are the truth behind it
//	Ranges           the features of sonar as those of three instruments: low, middle and high frequencies
//	Compare, Stored  a comparison, and the stored comparisons (Draw)
//	Summarize        the difference between the errors of two methods, over the seeds
//	Verdict          the chart of these differences for all comparisons, VerdictTable its numbers
//	Differences      the chart of these differences for each seed of a comparison, Table its summaries
//	Weights          the chart of learned weights
package start

import (
	"context"
	"embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// MeanHeight returns the mean height of a plant. No quantity has a unit. soil is 0 (clay), 1 (sand) or 2 (loam).
func MeanHeight(light, water float64, soil int) float64 {
	return 12 + 3*float64(soil) + 2*light - 0.8*(water-2)*(water-2)
}

// Noise is the standard deviation of the height of a plant about its mean.
const Noise = 0.5

// WritePlants writes a CSV file of n simulated plants to the folder of temporary files, under the file name name, and
// returns its path. The columns, without units, are light in [0, 10], soil (clay, sand or loam), water in [0, 5] and
// height (see MeanHeight and Noise). The soil of the second plant is missing.
func WritePlants(name string, n int, seed uint64) (string, error) {
	rng, lines := rand.New(rand.NewPCG(seed, 0)), []string{"light,soil,water,height"}
	for i := range n {
		light, water, soil := 10*rng.Float64(), 5*rng.Float64(), i%3
		lines = append(lines, fmt.Sprintf("%.2f,%s,%.2f,%.1f", light, []string{"clay", "sand", "loam"}[soil], water,
			MeanHeight(light, water, soil)+Noise*rng.NormFloat64()))
	}
	lines[2] = strings.Replace(lines[2], ",sand,", ",,", 1)
	path := filepath.Join(os.TempDir(), name)
	return path, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// Ranges divides the 60 bands of sonar among three instruments: low, middle and high frequencies.
func Ranges() data.Views {
	return data.Views{
		"low":    {"V?", "V1?", "V20"},
		"middle": {"V2[1-9]", "V3?", "V40"},
		"high":   {"V4[1-9]", "V5?", "V60"},
	}
}

// Draw holds the results of a comparison on the splits of one seed. The methods, which are the keys of RMSE and
// Accuracy, are "uniform", "best single" and "learned" (learn.UniformName, learn.SingleName, learn.LearnedName).
type Draw struct {
	DatasetName    string `json:"Data"` // name of the comparison: a dataset, such as "plants", or "sonar in ranges"
	Seed           uint64
	RMSE           map[string][]float64 // the root mean squared error on each split, by method
	Accuracy       map[string][]float64 `json:"Hits"`  // the accuracy on each split, by method
	TestTrainRatio float64              `json:"Ratio"` // n_test/n_train
}

// SplitSeed returns the seed from which the splits were drawn.
func (d *Draw) SplitSeed() uint64 { return d.Seed }

// Compare compares learned weights with uniform weights and the best single kernel on the first splitCount of ten
// splits of a seed. comparisonName is a dataset; " in ranges" after it divides the features into Ranges.
func Compare(ctx context.Context, comparisonName string, seed uint64, splitCount int) (*Draw, error) {
	datasetName, _, isDividedIntoRanges := strings.Cut(comparisonName, " in ranges")
	d, err := loadData(datasetName)
	if err != nil {
		return nil, err
	}
	allSplits, err := fit.Holdout(d.Y, 0.25, 10, seed)
	if err != nil {
		return nil, err
	}
	options := []learn.Option{learn.WithSeed(seed), learn.WithSplits(allSplits[:splitCount])}
	if isDividedIntoRanges {
		options = append(options, learn.WithViews(Ranges()))
	}
	l, err := learn.Learn(ctx, d, options...)
	if err != nil {
		return nil, err
	}
	result := &Draw{DatasetName: comparisonName, Seed: seed, TestTrainRatio: l.Table.TestTrainRatio,
		RMSE: map[string][]float64{}, Accuracy: map[string][]float64{}}
	for _, m := range []string{learn.UniformName, learn.SingleName, learn.LearnedName} {
		result.RMSE[m] = shared.RoundInPlace(l.Table.Values(m, model.RMSE), 5)
		if d.Classes != nil {
			result.Accuracy[m] = shared.RoundInPlace(l.Table.Values(m, model.Accuracy), 5)
		}
	}
	return result, nil
}

// loadData returns the dataset of a comparison. "plants" is the file that the notebook writes.
func loadData(name string) (*data.Dataset, error) {
	if name != "plants" {
		return datasets.Load(name)
	}
	path, err := WritePlants("plants.csv", 150, 1)
	if err != nil {
		return nil, err
	}
	return data.Options{Label: "height", Regression: true, Missing: data.Fill}.Open(path)
}

//go:embed results
var results embed.FS

// Stored returns the stored results of a comparison, one Draw for each seed.
func Stored(comparisonName string) []*Draw {
	return shared.ReadStored[*Draw](results, "results/"+comparisonName+".json")
}

// Minus returns the RMSE or the error rate of one method minus that of another on the same splits, with its corrected
// resampled 95 % interval. The methods are keys of Draw.RMSE.
func (d *Draw) Minus(method, other string, metric model.Metric) compare.Difference {
	errors, ofOther := d.RMSE[method], d.RMSE[other]
	if metric == model.ErrorRate { // its difference is that of the accuracies, exchanged
		errors, ofOther = d.Accuracy[other], d.Accuracy[method]
	}
	differences := floats.SubTo(make([]float64, len(errors)), errors, ofOther)
	return compare.CorrectedResampledDifference(differences, d.TestTrainRatio)
}

// Summary describes the difference between the errors of a method and of another over draws.
type Summary struct {
	Mean, Lo, Hi  float64 // means over the draws, of the differences and of the ends of their intervals
	OfOther       float64 // mean error of the other method
	Better, Worse int     // draws in which the method is clearly better than the other, or worse
	Ahead, Behind int     // draws in which its mean error is smaller, or larger
}

// Summarize returns the summary of the stored draws of a comparison: method minus other, by RMSE or by error rate.
func Summarize(comparisonName, method, other string, metric model.Metric) (s Summary) {
	draws := Stored(comparisonName)
	for _, d := range draws {
		c := d.Minus(method, other, metric)
		error := stat.Mean(d.RMSE[other], nil)
		if metric == model.ErrorRate {
			error = 1 - stat.Mean(d.Accuracy[other], nil)
		}
		count := 1 / float64(len(draws))
		s.Mean, s.Lo, s.Hi, s.OfOther = s.Mean+c.Mean*count, s.Lo+c.Lo*count, s.Hi+c.Hi*count, s.OfOther+error*count
		for _, one := range []struct {
			isTrue bool
			count  *int
		}{{c.Hi < 0, &s.Better}, {c.Lo > 0, &s.Worse}, {c.Mean < -1e-9, &s.Ahead}, {c.Mean > 1e-9, &s.Behind}} {
			if one.isTrue {
				*one.count++
			}
		}
	}
	return s
}

// Comparisons lists the comparisons in the order of the notebook's verdict: sonar, sonar divided among three
// instruments, the other embedded datasets with two classes except finefoods, which is too large, and the plants.
var Comparisons = []string{"sonar", "sonar in ranges", "ionosphere", "votes84", "breast-wisconsin", "credit-g",
	"breast-ljubljana", "pima", "liver-bupa", "heart-statlog", "plants"}

// baselines lists the methods with which learned weights are compared.
var baselines = []string{learn.UniformName, learn.SingleName}

// displayName returns the name of a comparison or a method for a reader.
func displayName(name string) string {
	switch name {
	case "sonar in ranges":
		return "sonar, three instruments"
	case "heart-statlog":
		return "heart disease"
	case learn.UniformName:
		return "equal weights"
	case learn.SingleName:
		return "best single kernel"
	}
	return name
}

// Verdict draws the RMSE of learned weights minus the RMSE of both baselines, in percent of the RMSE of the baseline:
// for each comparison the means over the stored draws.
func Verdict(title string) viz.Figure {
	var names []string
	for _, name := range Comparisons {
		names = append(names, displayName(name))
	}
	var bars []viz.Bar
	for _, other := range baselines {
		bar := viz.Bar{Name: "learned − " + displayName(other), Band: "95 % interval"}
		for _, name := range Comparisons {
			s := Summarize(name, learn.LearnedName, other, model.RMSE)
			percent := 100 / s.OfOther
			bar.Values = append(bar.Values, percent*s.Mean)
			bar.Lo, bar.Hi = append(bar.Lo, percent*s.Lo), append(bar.Hi, percent*s.Hi)
		}
		bars = append(bars, bar)
	}
	return viz.Dots(title, "RMSE of learned weights − RMSE of another method, in percent of the latter. Dots and ends "+
		"of 95 % intervals: means over ten draws (seeds of the splits).", names, bars...).
		WithAxes("", "change of RMSE, % (left of 0 learning is better)").WithBaseline("no change", 0)
}

// VerdictTable returns the changes of the RMSE by learned weights, and in how many draws they are clear, by RMSE and by
// error rate.
func VerdictTable(title string) viz.Figure {
	clearDraws := func(s Summary) string {
		switch {
		case s.Better+s.Worse == 0:
			return "none"
		case s.Worse == 0:
			return fmt.Sprintf("%d better", s.Better)
		case s.Better == 0:
			return fmt.Sprintf("%d worse", s.Worse)
		}
		return fmt.Sprintf("%d better, %d worse", s.Better, s.Worse)
	}
	columns := []string{"data"}
	for _, other := range baselines {
		name := "minus " + displayName(other)
		columns = append(columns, name+": RMSE, %", "clear draws", "by error rate")
	}
	var rows [][]any
	for _, name := range Comparisons {
		row := []any{displayName(name)}
		for _, other := range baselines {
			s := Summarize(name, learn.LearnedName, other, model.RMSE)
			byErrorRate := "–"
			if len(Stored(name)[0].Accuracy) > 0 {
				byErrorRate = clearDraws(Summarize(name, learn.LearnedName, other, model.ErrorRate))
			}
			row = append(row, viz.SignedNumber(100*s.Mean/s.OfOther, 0), clearDraws(s), byErrorRate)
		}
		rows = append(rows, row)
	}
	return viz.Table(title, "Learned weights minus another method: mean change of the RMSE over ten draws, and the "+
		"number of draws in which the difference is clear.", columns, rows...)
}

// Table returns the summaries of a comparison: learned weights minus both baselines, by RMSE, and by error rate if the
// target is a class. If the features are divided among instruments, it also has equal weights minus the best single
// kernel, which is the effect of adding the kernels.
func Table(title, comparisonName string) viz.Figure {
	draws := Stored(comparisonName)
	metrics := []model.Metric{model.RMSE}
	if len(draws[0].Accuracy) > 0 {
		metrics = append(metrics, model.ErrorRate)
	}
	pairs := [][2]string{{learn.LearnedName, learn.UniformName}, {learn.LearnedName, learn.SingleName}}
	if comparisonName == "sonar in ranges" {
		pairs = append(pairs, [2]string{learn.UniformName, learn.SingleName})
	}
	var rows [][]any
	for _, metric := range metrics {
		name, factor, decimals := "RMSE", 1., 3
		if metric == model.ErrorRate {
			name, factor, decimals = "error rate, points", 100, 1
		}
		for _, pair := range pairs {
			s := Summarize(comparisonName, pair[0], pair[1], metric)
			number := func(v float64) string { return viz.SignedNumber(factor*v, decimals).Text }
			rows = append(rows, []any{name, displayName(pair[0]) + " − " + displayName(pair[1]),
				fmt.Sprintf("%s [%s, %s]", number(s.Mean), number(s.Lo), number(s.Hi)), s.Better, s.Worse, s.Ahead,
				s.Behind})
		}
	}
	caption := fmt.Sprintf("%s, %d draws. Below 0 the first method has the smaller error. Differences and ends of "+
		"95 %% intervals: means over the draws. The last four columns count draws.", displayName(comparisonName),
		len(draws))
	return viz.Table(title, caption, []string{"measure", "difference", "mean [mean ends]", "clearly below 0",
		"clearly above 0", "below 0", "above 0"}, rows...)
}

// Weights draws the share of each kernel in the sum of the weights of the model of l, and equal shares as a line.
func Weights(title string, l *learn.Learned) viz.Figure {
	shares := slices.Clone(l.Result.Theta)
	floats.Scale(1/floats.Sum(shares), shares)
	return viz.Bars(title, "Shares of the kernels of "+l.Data+" in the sum of the weights, learned from all points.",
		l.Result.ThetaLabels, viz.Bar{Name: "learned", Values: shares}).WithAxes("", "share of the weights").
		WithBaseline("equal weights", 1/float64(len(shares)))
}

// Differences draws the RMSE of learned weights minus the RMSE of both baselines for one comparison: one dot with its
// interval for each draw and baseline.
func Differences(title, comparisonName string) viz.Figure {
	draws := Stored(comparisonName)
	var seeds []string
	for _, d := range draws {
		seeds = append(seeds, fmt.Sprint(d.Seed))
	}
	var bars []viz.Bar
	for _, m := range baselines {
		bar := viz.Bar{Name: "learned − " + displayName(m), Band: "95 % interval"}
		for _, d := range draws {
			c := d.Minus(learn.LearnedName, m, model.RMSE)
			bar.Values, bar.Lo, bar.Hi = append(bar.Values, c.Mean), append(bar.Lo, c.Lo), append(bar.Hi, c.Hi)
		}
		bars = append(bars, bar)
	}
	ratio := draws[0].TestTrainRatio
	caption := fmt.Sprintf("%s: RMSE of learned weights − RMSE of another method, for each of %d draws. "+
		"Lines: corrected 95 %% intervals of %d splits, with %.0f %% of the points for testing.",
		displayName(comparisonName), len(draws), len(draws[0].RMSE[learn.LearnedName]), 100*ratio/(1+ratio))
	return viz.Dots(title, caption, seeds, bars...).
		WithAxes("draw", "difference of RMSE (left of 0 learning is better)").WithBaseline("no difference", 0)
}
