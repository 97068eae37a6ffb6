package lvx

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// number is a quantity of a curve, plotted against Lambdas as one line.
type number struct {
	name     string
	degree   int
	constant bool
	of       func(Curve) []float64
}

// The next functions select the numbers of a curve.

func test(c Curve) []float64  { return c.Test }
func train(c Curve) []float64 { return c.Train }
func wrong(c Curve) []float64 { return c.Wrong }
func svm(c Curve) []float64   { return c.SVM }
func fewer(c Curve) []float64 { return floats.SubTo(make([]float64, len(c.SVM)), c.SVM, c.Wrong) }

// spread returns the mean, the smallest and the largest value of several numbers over the draws of a set.
func spread(draws []*Draw, set string, of func(d *Draw) []float64) (mean, lo, hi []float64) {
	count := 0.0
	for _, d := range draws {
		if d.Data != set {
			continue
		}
		v := of(d)
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

// rmse returns the RMSE of each method of a draw.
func rmse(d *Draw) (v []float64) {
	for _, s := range d.Scores {
		v = append(v, s.RMSE)
	}
	return v
}

// line returns the mean of n over the draws of a set against Lambdas, with the smallest and the largest value as band.
func (n number) line(draws []*Draw, set string) viz.Line {
	mean, lo, hi := spread(draws, set, func(d *Draw) []float64 { return n.of(d.Of(n.degree, n.constant)) })
	return viz.Line{Name: n.name, XYs: viz.Points{X: Lambdas, Y: mean}, Lo: lo, Hi: hi,
		Band: "smallest and largest of ten draws"}
}

// panels draws numbers against λ, one panel per set. If least is true, a point marks the minimum of each line.
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
			f = f.WithLogY().WithBaseline("always 0", 1)
		} else if strings.HasPrefix(what, "SVM") {
			f = f.WithBaseline("no difference", 0)
		}
		all = append(all, f)
	}
	return viz.Multiples(title,
		caption+" Lines: means of ten draws of ten random halves; bands: smallest and largest draw. "+
			"μ₀ = 1, Λ = 2, features scaled to [0, 1] and centered. German is credit-g with one column per level.",
		3, all...)
}

// Regression draws Figures 1, 2 and 5 to 9: the error of ridge regression with the learned kernel.
func Regression(title string, draws []*Draw) viz.Figure {
	return panels(title, "RMSE of ridge regression on the test half; the axes of the paper end at λ = 10. On "+
		"breast-ljubljana and credit-g the lines of d = 2 with and without a constant coincide for small λ.",
		"RMSE", draws, true, number{"d = 1", 1, false, test}, number{"d = 2", 2, false, test},
		number{"d = 3", 3, false, test}, number{"d = 2 and constant", 2, true, test})
}

// Constants draws, for each set, the smallest RMSE over λ of degree 2 without and with a constant base kernel.
func Constants(title string, draws []*Draw) viz.Figure {
	bars := []viz.Bar{{Name: "d = 2"}, {Name: "d = 2 and constant"}}
	for _, set := range Sets {
		mean, lo, hi := spread(draws, set, func(d *Draw) []float64 {
			return []float64{slices.Min(d.Of(2, false).Test), slices.Min(d.Of(2, true).Test)}
		})
		for i := range bars {
			b := &bars[i]
			b.Values, b.Lo, b.Hi = append(b.Values, mean[i]), append(b.Lo, lo[i]), append(b.Hi, hi[i])
			b.Band = "smallest and largest of ten draws"
		}
	}
	return viz.Dots(title, "RMSE on the test half at the λ with the smallest RMSE (chosen on the test half, so "+
		"optimistic for both).",
		Sets, bars...).WithAxes("", "least RMSE").WithBaseline("always 0", 1)
}

// Training draws the error on the half on which the kernel was learned.
func Training(title string, draws []*Draw) viz.Figure {
	return panels(title, "RMSE on the training half.", "training RMSE", draws, false,
		number{"d = 1", 1, false, train}, number{"d = 2", 2, false, train}, number{"d = 3", 3, false, train})
}

// Classification draws Figures 3, 4 and 10 to 12 as differences: support vector machine minus ridge regression.
func Classification(title string, draws []*Draw) viz.Figure {
	return panels(title,
		"Misclassified share of the test half: SVM − ridge regression. Both use the kernel that was learned for ridge "+
			"regression.",
		"SVM − ridge, misclassified", draws, false, number{"d = 1", 1, false, fewer}, number{"d = 2", 2, false, fewer})
}

// GainChart draws, for each set, the RMSE of learned weights minus the RMSE of uniform weights of the same degree.
func GainChart(title string, draws []*Draw) viz.Figure {
	var dots []viz.Bar
	for k, name := range []string{"d = 1", "d = 2 and constant"} {
		mean, lo, hi := UniformDifferences(draws, k)
		dots = append(dots, viz.Bar{Name: name, Values: mean, Lo: lo, Hi: hi,
			Band: "mean 95 % interval of the ten draws"})
	}
	return viz.Dots(title,
		"RMSE of learned weights − RMSE of uniform weights: mean of ten draws of ten random halves, with the mean "+
			"of their ten corrected resampled intervals. λ, and Λ in {1, 10, 100}, are chosen by 3-fold "+
			"cross-validation inside each half.",
		Sets, dots...).WithAxes("", "learned − uniform, RMSE").WithBaseline("no difference", 0)
}

// UniformDifferences returns, for each set, the mean over draws of the RMSE difference between one of Methods and
// uniform weights, and the mean ends of its intervals.
func UniformDifferences(draws []*Draw, method int) (mean, lo, hi []float64) {
	for _, set := range Sets {
		v, _, _ := spread(draws, set, func(d *Draw) []float64 { return d.Scores[method].Less[:] })
		mean, lo, hi = append(mean, v[0]), append(lo, v[1]), append(hi, v[2])
	}
	return mean, lo, hi
}

// RMSE returns, for each set, the mean over draws of the RMSE of each of Methods.
func RMSE(draws []*Draw) (scores [][]float64) {
	for _, set := range Sets {
		mean, _, _ := spread(draws, set, rmse)
		scores = append(scores, mean)
	}
	return scores
}

// SurfacePair draws a function of two weights over μ and over t = μ², with the boundary of ‖μ‖ ≤ 1 and the minimum μ.
func SurfacePair(title, caption string, g []float64, inMu, inT [][]float64, mu []float64) viz.Figure {
	arc := viz.Curve(func(a float64) float64 { return math.Sqrt(1 - a*a) }, 0, 1)
	panel := func(name string, z [][]float64, edge viz.XYer, a, b float64) viz.Figure {
		down := SecondDifferences(z)
		for _, row := range down {
			floats.Scale(-1, row)
			floats.AddConst(-1e-9, row)
		}
		return viz.Heat(name, "", g, g, z).WithAxes("μ₁, or t₁ = μ₁²",
			"μ₂, or t₂ = μ₂²").WithColour("F").WithRegion("negative curvature", down).WithLines(
			viz.Line{Name: "edge of the set", XYs: edge},
			viz.Line{Name: "minimum", XYs: viz.Pairs{{a, b}}, Mark: viz.MarkPoints})
	}
	return viz.Multiples(title, caption, 2, panel("over μ", inMu, arc, mu[0], mu[1]),
		panel("over t = μ²", inT, viz.Pairs{{0, 1}, {1, 0}}, mu[0]*mu[0], mu[1]*mu[1]))
}

// AsPrinted draws the RMSE of Tables 2 and 4 as printed, next to the mean, smallest and largest value of the stored
// draws.
func AsPrinted(title string, draws []*Draw) viz.Figure {
	var names []string
	ours, paper := viz.Bar{Name: "here", Band: "smallest and largest of ten draws"}, viz.Bar{Name: "printed",
		Band: "± sd of 30 halves"}
	for _, set := range Sets[:2] {
		mean, lo, hi := spread(draws, set, rmse)
		ours.Values, ours.Lo, ours.Hi = append(ours.Values, mean...), append(ours.Lo, lo...), append(ours.Hi, hi...)
		for k, name := range Columns {
			p := Paper[set][k].RMSE
			names, paper.Values = append(names, set+", "+name), append(paper.Values, p[0])
			paper.Lo, paper.Hi = append(paper.Lo, p[0]-p[1]), append(paper.Hi, p[0]+p[1])
		}
	}
	return viz.Dots(title,
		"RMSE on the test half; λ and Λ or β are chosen by 5-fold cross-validation on all the data, as in the paper. "+
			"Ten draws of ten random halves.", names, ours, paper).WithAxes("", "RMSE")
}

// SmallestErrors shows the smallest RMSE over λ of each degree, and the smallest shares of wrong signs.
func SmallestErrors(title string, draws []*Draw) viz.Figure {
	var rows [][]any
	for _, set := range Sets {
		for _, n := range []number{{"1", 1, false, test}, {"2", 2, false, test}, {"3", 3, false, test},
			{"2 and constant", 2, true, test}} {
			at := func(of func(Curve) []float64) (mean, lambda float64) {
				n.of = of
				y := n.line(draws, set).XYs.(viz.Points).Y
				i := floats.MinIdx(y)
				return y[i], Lambdas[i]
			}
			rmse, lambda := at(test)
			ridge, _ := at(wrong)
			machine, _ := at(svm)
			rows = append(rows, []any{set, n.name, viz.Number(rmse, 3), fmt.Sprint(lambda), viz.Number(ridge, 3),
				viz.Number(machine, 3)})
		}
	}
	return viz.Table(title,
		"Means of ten draws of ten halves at the λ with the smallest mean. They are optimistic, because λ is chosen "+
			"on the test halves.", []string{"data", "d", "RMSE", "at λ", "ridge, wrong", "SVM, wrong"}, rows...)
}

// CountClear counts, in draws and their first methods, the comparisons with uniform weights whose interval lies below 0
// (better) and above 0 (worse).
func CountClear(draws []*Draw, methods int) (better, worse int) {
	for _, d := range draws {
		for _, s := range d.Scores[:methods] {
			if s.Less[2] < 0 {
				better++
			} else if s.Less[1] > 0 {
				worse++
			}
		}
	}
	return better, worse
}

// CountWins counts the halves, over all sets, draws and λ ≤ 10, on which the support vector machine makes fewer errors
// than ridge regression with the same kernel of this degree, and the halves on which it makes more.
func CountWins(draws []*Draw, degree int) (fewer, more int) {
	for _, d := range draws {
		c := d.Of(degree, false)
		fewer, more = fewer+c.Fewer, more+c.More
	}
	return fewer, more
}
