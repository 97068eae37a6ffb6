package render_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/viz"
)

// samples is a figure of every kind and of every hard case of layout, by the name of its golden
// image. The data are simulated.
func samples() map[string]viz.Figure {
	rng := rand.New(rand.NewPCG(7, 7))
	geometric := func(n int, first, ratio float64) (v viz.Values) {
		for i := range n {
			v = append(v, first*math.Pow(ratio, float64(i)))
		}
		return v
	}
	band := func(v viz.Values, lo, hi float64) (l, h []float64) {
		for _, y := range v {
			l, h = append(l, y*lo), append(h, y*hi)
		}
		return l, h
	}
	grid := func(lo, hi float64, n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = lo + (hi-lo)*float64(i)/float64(n-1)
		}
		return v
	}
	out := map[string]viz.Figure{}

	spg, pgd := geometric(31, 0.8, 0.62), geometric(31, 0.9, 0.8)
	lo, hi := band(pgd, 0.5, 2.1)
	lo1, hi1 := band(spg, 0.4, 2.4)
	out["loglines"] = viz.LogLines("The certified gap of SPG falls a decade every five iterations, that of "+
		"PGD every ten", "Median and quartiles.",
		viz.Line{Name: "SPG", XYs: spg, Lo: lo1, Hi: hi1, Band: "quartiles of 20 splits"},
		viz.Line{Name: "PGD", XYs: pgd, Lo: lo, Hi: hi, Band: "quartiles of 20 splits"},
		viz.Line{Name: "IIA", XYs: geometric(31, 0.5, 0.7)}).
		WithAxes("iteration", "relative gap (F − lower bound)/F").WithBaseline("asked for", 1e-4)

	zero := geometric(9, 1, 0.01)
	for i, v := range zero {
		zero[i] = math.Max(0, v-1e-12)
	}
	out["zerogap"] = viz.LogLines("A gap of zero stays in the picture", "The last values are 0.",
		viz.Line{Name: "SPG", XYs: zero, Mark: viz.MarkBoth},
		viz.Line{Name: "PGD", XYs: geometric(5, 1, 0.1)}).WithAxes("iteration", "relative gap")

	var curves []viz.Line
	for k, d := range []string{"degree 1", "degree 2", "degree 3", "degree 4", "degree 1, uniform", "degree 2, uniform",
		"degree 3, uniform", "degree 4, uniform"} {
		p := viz.Points{}
		for e := -3.0; e <= 3; e += 0.5 {
			p.X = append(p.X, math.Pow(10, e))
			p.Y = append(p.Y, 0.25+0.02*float64(k)+0.01*(e-float64(k)/4)*(e-float64(k)/4))
		}
		curves = append(curves, viz.Line{Name: d, XYs: p, Mark: viz.MarkBoth})
	}
	out["lines"] = viz.Lines("Learned weights need less regularization at every degree", "Error against λ.", curves...).
		WithAxes("λ", "root mean squared error").WithLogX().WithBaseline("linear ridge", 0.47)

	bar := func(name string, values, errors []float64) viz.Bar {
		b := viz.Bar{Name: name, Values: values, Band: "± one sd of 30 halves"}
		for i, v := range values {
			b.Lo, b.Hi = append(b.Lo, v-errors[i]), append(b.Hi, v+errors[i])
		}
		return b
	}
	out["bars"] = viz.Bars("Learned weights beat uniform ones on three of four datasets", "± one sd of 30 halves.",
		[]string{"sonar", "ionosphere", "breast", "pima"},
		bar("uniform weights", []float64{82.1, 90.3, 96.2, 76.1}, []float64{3.1, 1.9, 0.8, 2.0}),
		bar("best single kernel", []float64{83.3, 92.5, 95.9, 75.4}, []float64{2.8, 1.5, 0.9, 2.1}),
		bar("learned", []float64{86.0, 93.1, 96.8, 76.0}, []float64{2.5, 1.4, 0.7, 2.2})).
		WithAxes("", "accuracy (%)").WithBaseline("guessing the larger class", 64)

	out["dots"] = viz.Dots("Learned weights beat uniform ones", "95 % intervals of 20 splits.",
		[]string{"uniform weights", "best single kernel", "learned", "Learn"},
		viz.Bar{Name: "accuracy", Values: []float64{0.929, 0.901, 0.936, 0.938}, Lo: []float64{0.91, 0.87, 0.92, 0.93},
			Hi: []float64{0.95, 0.93, 0.95, 1}, Band: "95 % interval"}).
		WithAxes("", "accuracy").WithBaseline("the larger class always", 0.85)

	out["flippedbars"] = viz.Bars("Half of the weight goes to one Gaussian", "Weights θ.",
		[]string{"Linear{}", "RBF{Gamma: 0.1} of the first 30 features", "RBF{Gamma: 1}", "RBF{Gamma: 10}",
			"Poly{Degree: 2, Constant: 1}",
			"a kernel whose name is much longer than anybody should ever have to read in a " +
				"chart"},
		viz.Bar{Name: "learned", Values: []float64{0.1, 0.52, 0, 0.3, 0.05, -0.03}},
		viz.Bar{Name: "alignment", Values: []float64{0.2, 0.22, 0.18, 0.2, 0.1,
			0.1}}).WithAxes("", "weight θ_k").WithBaseline("uniform weights", 1.0/6)

	x, y := grid(0, 2, 41), grid(0, 2, 41)
	surf := func(x, y float64) float64 {
		return 3/(1+x+y) + 0.6*(x-1.2)*(x-1.2)*(y-0.7)*(y-0.7) + 0.3*math.Sin(3*x)*math.Cos(2*y)
	}
	out["heat"] = viz.Heat("F is convex only near its minimum", "Sonar, two features, λ = 1.", x, y,
		viz.Tabulate(x, y, surf)).
		WithAxes("μ₁", "μ₂").WithColorLabel("F(μ)").
		WithLines(viz.Line{Name: "SPG", XYs: viz.Points{X: []float64{0.2, 0.9, 1.2, 1.55, 1.5},
			Y: []float64{1.8, 1.5, 1.4, 1.45, 1.4}}, Mark: viz.MarkBoth},
			viz.Line{Name: "minimum", XYs: viz.Points{X: []float64{1.5}, Y: []float64{1.4}}, Mark: viz.MarkPoints}).
		WithMarkedPoints("convex", func(i, j int) bool {
			return (x[j]-1.3)*(x[j]-1.3)+1.8*(y[i]-1.1)*(y[i]-1.1) <= 1
		})

	k := make([][]float64, 80)
	for i := range k {
		k[i] = make([]float64, 80)
		for j := range k[i] {
			a, b := float64(i), float64(j)
			k[i][j] = math.Exp(-(a-b)*(a-b)/300) * (0.6 + 0.4*math.Cos(a/6)*math.Cos(b/6))
		}
	}
	out["gram"] = viz.Matrix("Points of one class are alike under the learned kernel", "K(θ) of 80 points.",
		k).WithColorLabel("K(θ)")

	small := [][]float64{{1, 0.82, -0.31, 0.05}, {0.82, 1, -0.45, 0.12},
		{-0.31, -0.45, 1, 0.007}, {0.05, 0.12, 0.007, 1}}
	out["signed"] = viz.Matrix("The two narrow kernels say the same", "Centered alignments.", small).
		WithColorLabel("alignment")

	blob := func(n int, cx, cy, sd float64) viz.Points {
		var p viz.Points
		for range n {
			p.X, p.Y = append(p.X, cx+sd*rng.NormFloat64()), append(p.Y, cy+sd*rng.NormFloat64())
		}
		return p
	}
	out["scatter"] = viz.Lines("Three clusters touch", "Simulated blobs, 60 points each, seed 7.",
		viz.Line{Name: "class −1", XYs: blob(60, -1, 0, 0.6), Mark: viz.MarkPoints},
		viz.Line{Name: "class +1", XYs: blob(60, 1, 0.3, 0.6), Mark: viz.MarkPoints},
		viz.Line{Name: "unlabeled", XYs: blob(60, 0, 1.6, 0.5), Mark: viz.MarkPoints}).
		WithAxes("first principal axis", "second principal axis")

	var panels []viz.Figure
	for i, lambda := range []float64{1, 10, 100} {
		panels = append(panels, viz.Heat(fmt.Sprintf("λ = %g", lambda), "", x, y,
			viz.Tabulate(x, y, func(x, y float64) float64 { return surf(x, y) / float64(1+i) })))
	}
	out["multiheat"] = viz.Multiples("The surface flattens as λ grows", "F over (μ₁, μ₂).", 3, panels...).
		WithAxes("μ₁", "μ₂").WithColorLabel("F(μ)")

	panels = nil
	for i, d := range []string{"sonar", "ionosphere", "breast", "pima", "heart"} {
		panels = append(panels, viz.LogLines(d, "",
			viz.Line{Name: "SPG", XYs: geometric(20+5*i, 1, 0.6+0.03*float64(i))},
			viz.Line{Name: "PGD", XYs: geometric(30, 1, 0.75+0.03*float64(i))}))
	}
	out["multilines"] = viz.Multiples("SPG needs fewer iterations than PGD on every dataset", "Relative gap.",
		3, panels...).
		WithAxes("iteration", "relative gap").WithBaseline("asked for", 1e-3)
	return out
}
