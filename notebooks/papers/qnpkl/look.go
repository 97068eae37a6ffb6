package qnpkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Plane is the problem (5) of points x with labels y, features as they are.
func Plane(x [][]float64, y []float64, c float64) *mkl.Problem {
	rows := kernel.Rows{N: len(x), D: len(x[0]), Data: slices.Concat(x...)}
	return &mkl.Problem{Grams: kernel.Gaussians{}.On(rows), Set: set.Orthant{At: 1 / float64(len(x[0]))},
		Loss: loss.Hinge{C: c}, Y: y}
}

// At is p at theta, solved to a relative gap of 1e-10.
func At(p *mkl.Problem, theta []float64) (*mkl.Point, error) {
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	return pt, pt.Evaluate(nil, 1e-10)
}

// Shifted are n points of the plane, as many of each class, normal about (1, 0) and (−1, 0).
func Shifted(n int, seed uint64) (x [][]float64, y []float64) {
	x, y = Scatter(n, 2, seed), make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		x[i][0] += y[i]
	}
	return x, y
}

// Ray is J(t·1) at each t.
func Ray(p *mkl.Problem, t ...float64) ([]float64, error) {
	m, _ := p.Grams.Dims()
	theta, f := make([]float64, m), make([]float64, len(t))
	for i, v := range t {
		for k := range theta {
			theta[k] = v
		}
		pt, err := At(p, theta)
		if err != nil {
			return nil, err
		}
		f[i] = pt.F()
	}
	return f, nil
}

// RayFigure shows J along the ray, its value at 0 and the limit ω(I).
func RayFigure(p *mkl.Problem, limit float64) (viz.Figure, error) {
	var t, top []float64
	for x := -2.0; x <= 3; x += 0.125 {
		t, top = append(t, math.Pow(10, x)), append(top, limit)
	}
	f, err := Ray(p, t...)
	fig := viz.Lines("J falls and rises along a ray, and stays bounded: it is not convex",
		"J(t·1) for 15 and 15 points of the plane, C = 1; and ω(I), where it tends to.",
		viz.Line{Name: "J(t·1)", XYs: viz.Points{X: t, Y: f}}, viz.Line{Name: "ω(I)", XYs: viz.Points{X: t, Y: top}})
	fig.X.Log, fig.X.Label, fig.Y.Label = true, "t", "J"
	return fig, err
}

// Minima are the values at which runs from several starts of two weights end, where the projected gradient is
// small, ascending, equal ones (to 1e-3) once.
func Minima(p *mkl.Problem) (f []float64, err error) {
	for _, start := range [][]float64{{0.1, 0.1}, {3, 3}, {10, 0.01}, {0.01, 10}, {30, 30}, {0.1, 50}, {50, 0.1}} {
		r, err := mkl.Solve(background, p, mkl.LBFGS{}, &mkl.Settings{Theta: start, Iterations: 300, Gap: 1e-7})
		if err != nil {
			return nil, err
		}
		if r.Status == mkl.Stationary {
			f = append(f, r.F)
		}
	}
	slices.Sort(f)
	return slices.CompactFunc(f, func(a, b float64) bool { return math.Abs(a-b) <= 1e-3*a }), nil
}

// Second is the second direction of Algorithm 1: the slope of J along B∘p by the formula, −ΣB_mp_m², with B
// as it is printed, and by a difference of J; and how many B are negative.
func Second(p *mkl.Problem) (formula, difference float64, negative int, err error) {
	var theta, grad [2][]float64
	for it, err := range mkl.Steps(background, p, mkl.QuasiNewton{AsPrinted: true},
		&mkl.Settings{Inner: 1e-9, Gap: 1e-9}) {
		if err != nil {
			return 0, 0, 0, err
		}
		theta[it.K], grad[it.K] = slices.Clone(it.Theta), slices.Clone(it.Grad())
		if it.K == 1 {
			break
		}
	}
	d := make([]float64, len(theta[0]))
	for m, g := range grad[1] {
		b := (theta[1][m] - theta[0][m]) / (grad[0][m] - g) // p = −∇J
		d[m] = b * -g
		if formula += g * d[m]; b < 0 {
			negative++
		}
	}
	h := 1e-4 * floats.Norm(theta[1], 2) / floats.Norm(d, 2)
	f := func(t float64) float64 {
		z := slices.Clone(theta[1])
		floats.AddScaled(z, t, d)
		pt, e := At(p, z)
		if err = e; e != nil {
			return math.NaN()
		}
		return pt.F()
	}
	return formula, (f(h) - f(-h)) / (2 * h), negative, err
}

// Some are n points of d, evenly chosen.
func Some(d *data.Dataset, n int) (*data.Dataset, error) {
	if n >= d.Len() {
		return d, nil
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i * d.Len() / n
	}
	s, err := d.Slice(rows)
	if err != nil {
		return nil, err
	}
	return Varying(s)
}

// Live is Table1 now.
func Live(d *data.Dataset, size Size, seed uint64) ([]Block, error) {
	s, err := Table1(d, size, seed)
	if err != nil {
		return nil, err
	}
	return Run(s, 0)
}

// Paths follows several solvers on the problem of d with this C, on one split.
func Paths(d *data.Dataset, c float64, steps int, seed uint64, solvers ...mkl.Solver) (paths []*Path, err error) {
	splits, err := Halves(d, 1, seed)
	if err != nil {
		return nil, err
	}
	for _, s := range solvers {
		p, err := Follow(Problem(d, c), splits[0], s, mkl.Settings{Gap: 1e-4, Iterations: steps})
		if err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// Descent shows J against the machines solved.
func Descent(title, caption string, paths ...*Path) viz.Figure {
	var lines []viz.Line
	for _, p := range paths {
		lines = append(lines, viz.Line{Name: p.Solver, XYs: viz.Points{X: p.Evals, Y: p.F}})
	}
	f := viz.Lines(title, caption, lines...)
	f.X.Label, f.Y.Label = "support vector machines solved", "J"
	return f
}

// Story shows means over paths of J, as a share of its start, and of the accuracy on new points, step by step.
func Story(paths []*Path) (fall, correct viz.Figure) {
	length := 0
	for _, p := range paths {
		length = max(length, len(p.F))
	}
	j, c := make(viz.Values, length), make(viz.Values, length)
	for _, p := range paths {
		for t := range j {
			at := min(t, len(p.F)-1) // a run that has ended stays where it is
			j[t] += 100 * p.F[at] / p.F[0] / float64(len(paths))
			c[t] += p.Correct[at] / float64(len(paths))
		}
	}
	of := fmt.Sprintf("Sonar, C = 10, mean of %d splits of 70 and 30 %%, seeds 1 to %d.", len(paths), len(paths))
	fall = viz.Lines("J falls at every step", of, viz.Line{Name: "J, % of its start", XYs: j})
	correct = viz.Lines("Accuracy on new points does not follow J", of, viz.Line{Name: "accuracy, %", XYs: c})
	fall.X.Label, fall.Y.Label, correct.X.Label, correct.Y.Label = "step", "J, % of J at the start", "step",
		"accuracy, %"
	return fall, correct
}

// Solves is how many machines a run had solved when F was first within so much of best, relatively; 0 for never.
func Solves(r *mkl.Result, best, within float64) int {
	for _, row := range r.Trace {
		if row.F <= best*(1+within) {
			return row.Evals
		}
	}
	return 0
}

// Counts is a table of machines solved until within 1 % of the best J that any solver finds: of the product,
// and of the sum.
func Counts(c float64, sets ...*data.Dataset) (viz.Figure, error) {
	var rows [][]any
	for _, d := range sets {
		for _, g := range []struct {
			name    string
			p       *mkl.Problem
			solvers []mkl.Solver
		}{
			{"sum (MKL)", Sum(d, c), []mkl.Solver{mkl.ReducedGradient{}, mkl.ClosedForm{}, mkl.Level{}}},
			{"product (PKL)", Problem(d, c), []mkl.Solver{mkl.QuasiNewton{AsPrinted: true}, mkl.QuasiNewton{},
				mkl.LBFGS{}}},
		} {
			best, runs := math.Inf(1), []*mkl.Result{}
			for _, s := range g.solvers {
				r, err := mkl.Solve(background, g.p, s, &mkl.Settings{Gap: 1e-3, Iterations: 100})
				if err != nil {
					return viz.Figure{}, err
				}
				best, runs = min(best, r.F), append(runs, r)
			}
			for _, r := range runs {
				count := "never"
				if n := Solves(r, best, 1e-2); n > 0 {
					count = fmt.Sprint(n)
				}
				rows = append(rows, []any{d.Name, g.name, r.Solver, count, r.Trace[len(r.Trace)-1].Evals,
					viz.Number(r.F, 2)})
			}
		}
	}
	return viz.Table("Support vector machines solved",
		fmt.Sprintf("Until J is within 1 %% of the least that any method of the same problem found, and in all (at "+
			"most 100 steps); all points, C = %g. J of the sum and of the product are different functions.", c),
		[]string{"data", "kernel", "method", "to 1 %", "in all", "J"}, rows...), nil
}

// WeightsOf learns a sum and a product on a dataset with k features of noise and returns both weights, of sum 1.
func WeightsOf(d *data.Dataset, k int, c float64, seed uint64) (sum, product []float64, err error) {
	n, err := Noisy(d, k, seed)
	if err != nil {
		return nil, nil, err
	}
	s, err := mkl.Solve(background, Sum(n, c), mkl.Level{}, &mkl.Settings{Gap: 1e-2})
	if err != nil {
		return nil, nil, err
	}
	p, err := mkl.Solve(background, Problem(n, c), mkl.LBFGS{}, &mkl.Settings{Gap: 1e-3, Iterations: 100})
	if err != nil {
		return nil, nil, err
	}
	normed := func(v []float64) []float64 {
		w := slices.Clone(v)
		floats.Scale(1/floats.Sum(w), w)
		return w
	}
	return normed(s.Theta), normed(p.Theta), nil
}

// WeightsFigure is Figure 1 with features of noise beyond the first m.
func WeightsFigure(m int, sum, product []float64) viz.Figure {
	line := func(name string, v []float64) viz.Line {
		p := viz.Points{}
		for i, w := range v {
			p.X, p.Y = append(p.X, float64(i+1)), append(p.Y, w)
		}
		return viz.Line{Name: name, XYs: p}
	}
	f := viz.Scatter(fmt.Sprintf("Weights of the sum and of the product: R = %.1f %% and %.1f %%", 100*Ratio(sum, m),
		100*Ratio(product, m)),
		fmt.Sprintf("Weights, of sum 1, of sonar's %d features and of %d more of noise, which are those beyond %d; "+
			"all points, C = 10.", m, len(sum)-m, m),
		line("MKL", sum), line("product, L-BFGS", product))
	f.X.Label, f.Y.Label = "feature", "weight"
	return f
}

// Penalised is GMKL's problem on all points of d: J + ½σ‖γ‖² for a squared penalty, else J + σ‖γ‖₁.
func Penalised(d *data.Dataset, c, sigma float64, squared bool) *mkl.Problem {
	p := Problem(d, c)
	if p.Reg = (reg.Elastic{L1: sigma}); squared {
		p.Reg = reg.Ridge{Beta: sigma / 2}
	}
	return p
}

// Falls is how many of the steps of a run made f smaller, or not larger by more than 1e-6 of it.
func Falls(f []float64) (n int) {
	for t := 1; t < len(f); t++ {
		if f[t] <= f[t-1]*(1+1e-6) {
			n++
		}
	}
	return n
}
