package lvx

import (
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// meanAndRangeOverSeeds returns the mean, the smallest and the largest value over the seeds of one dataset, for each
// number in the list that valuesOf returns. draws holds the results of all datasets and seeds.
func meanAndRangeOverSeeds(draws []*Draw, setName string, valuesOf func(d *Draw) []float64) (mean, lo, hi []float64) {
	count := 0.0
	for _, d := range draws {
		if d.DatasetName != setName {
			continue
		}
		v := valuesOf(d)
		if count++; count == 1 {
			mean, lo, hi = make([]float64, len(v)), slices.Clone(v), slices.Clone(v)
		}
		floats.Add(mean, v)
		for i := range v {
			lo[i], hi[i] = min(lo[i], v[i]), max(hi[i], v[i])
		}
	}
	floats.Scale(1/count, mean)
	return mean, lo, hi
}

// Curves draws the test error of ridge regression with the learned kernel against λ, as in Figures 1, 2 and 5 to 9,
// with one panel for each dataset. The axis of the errors runs from lowestRMSE to highestRMSE. A point marks the
// minimum of each line. crossValidated may add curves of cross-validation errors by dataset, or is nil.
func Curves(title string, draws []*Draw, lowestRMSE, highestRMSE float64, sets []string,
	crossValidated map[string][]Curve) viz.Figure {
	var panels []viz.Figure
	for _, set := range sets {
		var lines []viz.Line
		var minima viz.Points
		for k, degree := range []int{1, 2, 3, 2} {
			name, hasConstant := fmt.Sprintf("degree %d", degree), k == 3
			if hasConstant {
				name += " with a constant kernel"
			}
			testRMSEOf := func(d *Draw) []float64 { return d.Curve(degree, hasConstant).Test }
			meanRMSE, smallest, largest := meanAndRangeOverSeeds(draws, set, testRMSEOf)
			i := floats.MinIdx(meanRMSE)
			minima.X, minima.Y = append(minima.X, Lambdas[i]), append(minima.Y, meanRMSE[i])
			lines = append(lines, viz.Line{Name: name, XYs: viz.Points{X: Lambdas, Y: meanRMSE}, Lo: smallest,
				Hi: largest, Band: "range over ten seeds"})
		}
		lines = append(lines, viz.Line{Name: "least", XYs: minima, Mark: viz.MarkPoints})
		lines = append(lines, viz.Line{Name: "end of the paper's axis",
			XYs: viz.Pairs{{largestLambdaOfPaper, lowestRMSE}, {largestLambdaOfPaper, highestRMSE}}})
		for _, c := range crossValidated[set] { // added last: other lines keep their colors
			lines = append(lines, viz.Line{Name: fmt.Sprintf("cross-validation, degree %d", c.Degree),
				XYs: viz.Points{X: Lambdas, Y: c.Test}, Mark: viz.MarkBoth})
		}
		panels = append(panels, viz.Lines(set, "", lines...).WithAxes("λ", "RMSE").WithLogX().
			WithRange(lowestRMSE, highestRMSE))
	}
	return viz.Multiples(title, "RMSE on the test half: means over ten seeds with ten random halves each; bands: "+
		"range over the seeds. Ball of radius Λ = 2 about μ₀ = 1, features in [0, 1] and centered, y centered. "+
		"Larger errors are outside the axes.", 2, panels...)
}

// newBarsBySeed returns a bar for each name. Bar i shows, for each dataset, the mean, the smallest and the largest
// value of valuesOf(d)[i] over the draws d of this dataset, one for each seed.
func newBarsBySeed(draws []*Draw, barNames []string, valuesOf func(d *Draw) []float64) []viz.Bar {
	bars := make([]viz.Bar, len(barNames))
	for _, set := range Sets {
		mean, lo, hi := meanAndRangeOverSeeds(draws, set, valuesOf)
		for i, name := range barNames {
			b := &bars[i]
			b.Name, b.Band = name, "range over ten seeds"
			b.Values, b.Lo, b.Hi = append(b.Values, mean[i]), append(b.Lo, lo[i]), append(b.Hi, hi[i])
		}
	}
	return bars
}

// ErrorDifferenceChart draws, for each dataset, the misclassified share of the support vector machine minus the share
// of ridge regression with the same kernel (Figures 3, 4 and 10 to 12). For the first dot, both methods have the given
// λ; for the second, each has its best λ.
func ErrorDifferenceChart(title string, draws []*Draw, lambda float64) viz.Figure {
	lambdaIndex := slices.Index(Lambdas, lambda)
	names := []string{fmt.Sprintf("both methods at λ = %g", lambda), "each method at its best λ"}
	bars := newBarsBySeed(draws, names, func(d *Draw) []float64 {
		c := d.Curve(2, false)
		return []float64{c.SVM[lambdaIndex] - c.RidgeErrorRate[lambdaIndex], c.BestDifference[0]}
	})
	return viz.Dots(title, "Degree 2: misclassified share of the test half, SVM − ridge regression. Both use the "+
		"kernel learned for ridge regression. Dot: mean over ten seeds with ten random halves each. Line: smallest "+
		"and largest of the ten seeds; it is not a confidence interval.", Sets, bars...).
		WithAxes("", "misclassified share, SVM − ridge").WithBaseline("no difference", 0)
}

// GainChart draws, for each dataset, the RMSE of learned weights minus the RMSE of uniform weights of the same degree.
func GainChart(title string, draws []*Draw) viz.Figure {
	return differenceChart(title, "RMSE of learned weights − RMSE of uniform weights", "learned − uniform, RMSE", draws,
		[]string{"degree 1", "degree 2 with a constant kernel"},
		func(d *Draw, k int) []float64 { return d.Scores[k].Less[:] })
}

// ConstantChart draws, for each dataset, the RMSE of degree 2 with a constant kernel minus the RMSE of degree 1.
func ConstantChart(title string, draws []*Draw) viz.Figure {
	return differenceChart(title, "RMSE of degree 2 with a constant kernel − RMSE of degree 1",
		"degree 2 with a constant − degree 1, RMSE", draws, []string{"learned weights", "uniform weights"},
		func(d *Draw, k int) []float64 { return d.ConstantGains[k][:] })
}

// differenceChart draws differences of RMSE with their intervals, as means over the seeds. differenceOf returns
// difference k of a draw, followed by the ends of its interval.
func differenceChart(title, difference, axis string, draws []*Draw, names []string,
	differenceOf func(d *Draw, k int) []float64) viz.Figure {
	var dots []viz.Bar
	for k, name := range names {
		b := viz.Bar{Name: name, Band: "mean ends of ten 95 % intervals"}
		for _, set := range Sets {
			v, _, _ := meanAndRangeOverSeeds(draws, set, func(d *Draw) []float64 { return differenceOf(d, k) })
			b.Values, b.Lo, b.Hi = append(b.Values, v[0]), append(b.Lo, v[1]), append(b.Hi, v[2])
		}
		dots = append(dots, b)
	}
	return viz.Dots(title, difference+": mean over ten seeds with ten random halves each. Interval: mean ends of the "+
		"ten corrected resampled intervals; it is no 95 % interval itself. 3-fold cross-validation inside each "+
		"training half chooses λ from 0.01, 0.1, …, 10⁴ and Λ from 1, 10, 100.", Sets, dots...).
		WithAxes("", axis).WithBaseline("no difference", 0)
}

// NormsChart draws what MinimizerNorms returns for d and λ: the 2-norm of the minimizers against β/β₀.
func NormsChart(d *data.Dataset, lambda, betaZero float64, normsFromStart, normsFromZero viz.Points) viz.Figure {
	return viz.Lines("From β₀ on the regularized quadratic problem learns nothing", fmt.Sprintf("‖μ*‖ of "+
		"Algorithm 6's problem; %s, n = %d, y = ±1, λ = %g, β₀ = %.2f; gap 1e-8. From 0 the library first steps along "+
		"the top eigenvector of Q; Algorithm 6 stays at 0.", d.Name, d.Len(), lambda, betaZero),
		viz.Line{Name: "start inside", XYs: normsFromStart},
		viz.Line{Name: "start at 0", XYs: normsFromZero, Mark: viz.MarkPoints},
		viz.Line{Name: "β₀", XYs: viz.Pairs{{1, 0}, {1, normsFromStart.Y[0]}}}).
		WithAxes("β/β₀", "‖μ*‖").WithLogX()
}

// ExcessLine draws F of a run over a lower bound of min F, less 1, against the step.
func ExcessLine(name string, r *mkl.Result, lower float64) viz.Line {
	var c viz.Points
	for _, row := range r.Trace {
		c.X, c.Y = append(c.X, float64(row.Iter)), append(c.Y, row.F/lower-1)
	}
	return viz.Line{Name: name, XYs: c, Mark: viz.MarkBoth}
}

// RMSE returns, for each dataset, the mean over the seeds of the RMSE of each of Methods.
func RMSE(draws []*Draw) (byDatasetAndMethod [][]float64) {
	for _, set := range Sets {
		mean, _, _ := meanAndRangeOverSeeds(draws, set, func(d *Draw) (v []float64) {
			for _, s := range d.Scores {
				v = append(v, s.RMSE)
			}
			return v
		})
		byDatasetAndMethod = append(byDatasetAndMethod, mean)
	}
	return byDatasetAndMethod
}

// CountClear counts, over all datasets and seeds, how often a method is clearly better or worse than uniform weights:
// the 95 % interval of the difference of RMSE lies below 0 or above 0. It counts only the first methodCount methods.
func CountClear(draws []*Draw, methodCount int) (better, worse int) {
	for _, d := range draws {
		for _, s := range d.Scores[:methodCount] {
			if s.Less[2] < 0 {
				better++
			} else if s.Less[1] > 0 {
				worse++
			}
		}
	}
	return better, worse
}

// CountWins counts the comparisons, one for each dataset, seed, test half and λ ≤ 10, in which the support vector
// machine makes fewer or more errors than ridge regression with the same kernel of the given degree.
func CountWins(draws []*Draw, degree int) (svmWins, svmLosses int) {
	for _, d := range draws {
		c := d.Curve(degree, false)
		svmWins, svmLosses = svmWins+c.SVMWins, svmLosses+c.SVMLosses
	}
	return svmWins, svmLosses
}

// SVMTable compares, for each dataset and degrees 1 and 2, the support vector machine with ridge regression with the
// same kernel: in how many pairs of a test half and a λ ≤ 10 it makes fewer and more errors, and the difference of the
// misclassified shares, each at its own best λ, with the mean ends of its intervals.
func SVMTable(title string, draws []*Draw) viz.Figure {
	var rows [][]any
	for _, set := range Sets {
		row := []any{set}
		for degree := 1; degree <= 2; degree++ {
			svmWins, svmLosses := CountWins(slices.DeleteFunc(slices.Clone(draws), func(d *Draw) bool {
				return d.DatasetName != set
			}), degree)
			v, _, _ := meanAndRangeOverSeeds(draws, set, func(d *Draw) []float64 {
				c := d.Curve(degree, false)
				return c.BestDifference[:]
			})
			row = append(row, svmWins, svmLosses, fmt.Sprintf("%s [%s, %s]", viz.Number(v[0], 3).Text,
				viz.Number(v[1], 3).Text, viz.Number(v[2], 3).Text))
		}
		rows = append(rows, row)
	}
	return viz.Table(title, "Less and more: pairs of a test half and a λ ≤ 10, the same for both methods, on which "+
		"the SVM errs less and more than ridge regression, of 600 pairs of a set; the others are ties. Best λ: "+
		"misclassified share, SVM − ridge regression, each at its own best λ, mean over ten seeds [mean ends of ten "+
		"corrected resampled 95 % intervals; it is no 95 % interval itself].",
		[]string{"set", "d = 1: less", "more", "best λ", "d = 2: less", "more", "best λ"}, rows...)
}
