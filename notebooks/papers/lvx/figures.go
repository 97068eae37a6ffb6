package lvx

import (
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// number is a number of a curve against Lambdas, and a line that it is drawn as.
type number struct {
	name     string
	degree   int
	constant bool
	of       func(Curve) []float64
}

// The numbers that panels show.
func test(c Curve) []float64  { return c.Test }
func train(c Curve) []float64 { return c.Train }
func wrong(c Curve) []float64 { return c.Wrong }
func svm(c Curve) []float64   { return c.SVM }

// mean is the mean over draws of a set, with the least and the largest, against Lambdas.
func (n number) line(draws []*Draw, set string) viz.Line {
	sum, lo, hi := make([]float64, len(Lambdas)), Constant(math.Inf(1), len(Lambdas)), Constant(0, len(Lambdas))
	count := 0.0
	for _, d := range draws {
		if d.Data != set {
			continue
		}
		count++
		for i, v := range n.of(d.Of(n.degree, n.constant)) {
			sum[i], lo[i], hi[i] = sum[i]+v, min(lo[i], v), max(hi[i], v)
		}
	}
	floats.Scale(1/count, sum)
	return viz.Line{Name: n.name, XYs: viz.Points{X: Lambdas, Y: sum}, Lo: lo, Hi: hi, Band: "least and most of ten draws"}
}

// panels draws numbers against λ, a panel for each set; where least, a point marks the least of each line.
func panels(title, caption, what string, draws []*Draw, least bool, numbers ...number) viz.Figure {
	var all []viz.Figure
	for _, set := range Sets {
		var lines []viz.Line
		var low viz.Points
		for _, n := range numbers {
			l := n.line(draws, set)
			y := l.XYs.(viz.Points).Y
			i := floats.MinIdx(y)
			low.X, low.Y = append(low.X, Lambdas[i]), append(low.Y, y[i])
			lines = append(lines, l)
		}
		if least {
			lines = append(lines, viz.Line{Name: "least", XYs: low, Mark: viz.MarkPoints})
		}
		f := viz.Lines(set, "", lines...).WithAxes("λ", what).WithLogX()
		if strings.HasPrefix(what, "RMSE") {
			f = f.WithLogY().WithBaseline("always the mean", 1)
		}
		all = append(all, f)
	}
	return viz.Multiples(title, caption+" Lines: means of ten draws of ten random halves; bands: least and most of the draws. "+
		"μ₀ = 1, Λ = 2, features scaled to [0, 1] and centred. German is credit-g with its levels as columns.", 3, all...)
}

// Regression is Figures 1, 2, 5 to 9: the error of ridge regression with the learned kernel.
func Regression(title string, draws []*Draw) viz.Figure {
	return panels(title, "RMSE of ridge regression on the other half; the paper's axes end at λ = 10.", "RMSE", draws, true,
		number{"d = 1", 1, false, test}, number{"d = 2", 2, false, test}, number{"d = 3", 3, false, test},
		number{"d = 2 and constant", 2, true, test})
}

// Training is the error on the half that the kernel was learned from.
func Training(title string, draws []*Draw) viz.Figure {
	return panels(title, "RMSE on the half learned from.", "training error", draws, false,
		number{"d = 1", 1, false, train}, number{"d = 2", 2, false, train}, number{"d = 3", 3, false, train})
}

// Classification is Figures 3, 4, 10 to 12, with ridge regression beside the support vector machine.
func Classification(title string, draws []*Draw) viz.Figure {
	return panels(title, "Share of points of the other half decided wrongly, with the kernel learned for ridge regression.",
		"misclassified", draws, false, number{"SVM, d = 1", 1, false, svm}, number{"ridge, d = 1", 1, false, wrong},
		number{"SVM, d = 2", 2, false, svm}, number{"ridge, d = 2", 2, false, wrong})
}

// Gains draws what learned weights have less in RMSE than uniform ones of the same degree, on each set.
func Gains(title string, draws []*Draw) viz.Figure {
	var dots []viz.Bar
	for k, name := range []string{"d = 1", "d = 2 and constant"} {
		mean, lo, hi := Less(draws, k)
		dots = append(dots, viz.Bar{Name: name, Values: mean, Lo: lo, Hi: hi, Band: "mean 95 % interval of the ten draws"})
	}
	return viz.Dots(title, "RMSE of learned less that of uniform weights: mean of ten draws of ten random halves, with the mean of "+
		"their ten corrected resampled intervals. λ, and Λ in {1, 10, 100}, by 3-fold cross-validation inside each half.",
		Sets, dots...).WithAxes("", "learned − uniform, RMSE").WithBaseline("no difference", 0)
}

// Less are, of each set, the means over draws of the difference of one of Methods to uniform weights in RMSE, and of the
// ends of its intervals.
func Less(draws []*Draw, method int) (mean, lo, hi []float64) {
	for _, set := range Sets {
		var v [3]float64
		count := 0.0
		for _, d := range draws {
			if d.Data == set {
				count++
				floats.Add(v[:], d.Scores[method].Less[:])
			}
		}
		mean, lo, hi = append(mean, v[0]/count), append(lo, v[1]/count), append(hi, v[2]/count)
	}
	return mean, lo, hi
}

// Score is, of each set, the mean over draws of the RMSE of each of Methods.
func RMSE(draws []*Draw) (scores [][]float64) {
	for _, set := range Sets {
		row := make([]float64, len(Methods))
		for _, d := range draws {
			if d.Data == set {
				for k, s := range d.Scores {
					row[k] += s.RMSE / float64(len(draws)/len(Sets))
				}
			}
		}
		scores = append(scores, row)
	}
	return scores
}

// sets are those of Sets that some draws are of.
func sets(draws []*Draw) (names []string) {
	for _, d := range draws {
		if !slices.Contains(names, d.Data) {
			names = append(names, d.Data)
		}
	}
	return names
}
