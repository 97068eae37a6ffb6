package algos_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/notebooks/papers/tkl"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Schema of tkl.json, version 1.

type tklStep struct {
	OptA float64  `json:"OPT_A"`
	OptP *float64 `json:"OPT_P"`
	Gap  *float64
	Step *float64
}

// tklCase has the members of all sections. Those that another one differs from by case alone have their exact names.
type tklCase struct {
	Name, Variant, Basis, Task, Rule string
	OfCase                           string  `json:"opt_a_case"`
	Degree                           int     `json:"d"`
	Derivative                       matrix  `json:"D"` // the gradient
	Constant                         float64 `json:"C"`
	Eps, Trace, Value, Objective     float64
	Bias, Correct                    float64
	Complement                       float64
	Top                              float64 `json:"lambda_max"`
	Lower                            float64 `json:"lower_bound"`
	PrintedXY                        float64 `json:"printed_xy"`
	PrintedYX                        float64 `json:"printed_yx"`
	Delta, Gamma                     [][]int
	A, B, Alpha, Lo, Hi, W           []float64
	Point                            []float64 `json:"x"`
	X                                matrix    `json:"X"`
	Targets                          []float64 `json:"y"`
	News                             matrix    `json:"Y"` // the other points of a kernel
	Test                             matrix    `json:"X_test"`
	FTest                            []float64 `json:"f_test"`
	K, P, S, M, Scaled               matrix
	Path                             []tklStep
}

// matrix is one, row by row.
type matrix [][]float64

func (m matrix) flat() []float64   { return slices.Concat(m...) }
func (m matrix) rows() points.Rows { return points.NewRows(m) }

func (g *golden) tkl(b []byte) {
	var file map[string]json.RawMessage
	g.must(json.Unmarshal(b, &file))
	var starts []tklCase
	if raw, ok := file["opt_a"]; ok {
		g.must(json.Unmarshal(raw, &starts))
	}
	for section, raw := range file {
		if section == "version" {
			continue
		}
		var list []tklCase
		if raw[0] != '[' { // one object is one check
			raw = slices.Concat([]byte("["), raw, []byte("]"))
		}
		g.must(json.Unmarshal(raw, &list))
		for _, c := range list {
			if strings.Contains(c.Name, "-orthant") && !strings.Contains(c.Name, "-n1-") { // not the paper's kernel
				continue
			}
			g.check(section+" "+c.Name, func(g *golden) { g.tklCase(section, c, starts) })
		}
	}
}

func (g *golden) tklCase(section string, c tklCase, starts []tklCase) {
	switch section {
	case "kernel":
		g.tklKernel(c)
	case "gradient":
		g.tklGradient(c)
	case "opt_p":
		g.tklOptP(c)
	case "opt_a":
		g.tklOptA(c)
	case "fw_path":
		at := slices.IndexFunc(starts, func(s tklCase) bool { return s.Name == c.OfCase })
		if at < 0 {
			g.Fatalf("no case %q", c.OfCase)
		}
		g.tklPath(c, starts[at])
	case "optimum":
		g.tklOptimum(c)
	case "projection":
		p := make([]float64, len(c.M)*len(c.M))
		set.Spectraplex{Trace: c.Trace}.Project(p, c.M.flat())
		g.near("P", p, c.P.flat(), 1e-10)
	case "scaling":
		g.tklScaling(c)
	case "d0":
		g.tklD0(c)
	case "printed_formula":
		g.tklPrinted(c)
	case "indicator":
		g.num("complement", tklValue(g.tklFamily(c), c), c.Complement, 1e-12)
	default:
		g.unknown(section, "")
	}
}

// tklFamily is what a case is about, of kernels as they are printed, not centered.
func (g *golden) tklFamily(c tklCase) tessellated.Family {
	f := tessellated.Family{Uncentered: true, Degree: c.Degree, Lower: c.A, Upper: c.B}
	switch c.Basis {
	case "full":
		f.Basis = tessellated.ZX
	case "x", "":
	default:
		g.unknown("basis", c.Basis)
	}
	return f
}

// tklValue is the kernel of f between the two points of c.
func tklValue(f tessellated.Family, c tklCase) float64 {
	k := mat.NewDense(1, 1, nil)
	f.Bind(matrix{c.Point}.rows()).Cross(matrix{c.Targets}.rows()).StoreMatrix(k, c.P.flat())
	return k.At(0, 0)
}

// tklGrams binds f to x and compares the monomials.
func (g *golden) tklGrams(f tessellated.Family, c tklCase, x matrix) *tessellated.Grams {
	k := f.Bind(x.rows()).(*tessellated.Grams)
	g.must(k.Validate())
	if c.Delta != nil {
		if d, z := k.Exponents(); !reflect.DeepEqual(d, c.Delta) || !reflect.DeepEqual(z, c.Gamma) {
			g.Errorf("the monomials are x^%v z^%v, want x^%v z^%v", d, z, c.Delta, c.Gamma)
		}
	}
	return k
}

// tklNear asks for |got−want| ≤ tol·max|want|.
func (g *golden) tklNear(what string, got, want []float64, tol float64) {
	g.Helper()
	top := floats.Norm(want, math.Inf(1))
	if top == 0 {
		top = 1
	}
	g.near(what, scaled(1/top, got), scaled(1/top, want), tol)
}

func (g *golden) tklKernel(c tklCase) {
	x, z := c.X, c.News
	for _, fixed := range []bool{false, true} { // k is symmetric: either may be the fixed points
		if fixed {
			x, z = z, x
		}
		k := mat.NewDense(len(z), len(x), nil)
		g.tklGrams(g.tklFamily(c), c, x).Cross(z.rows()).StoreMatrix(k, c.P.flat())
		got := k.RawMatrix().Data
		if !fixed {
			got = mat.DenseCopyOf(k.T()).RawMatrix().Data
		}
		g.tklNear("K", got, c.K.flat(), 1e-10)
	}
}

func (g *golden) tklGradient(c tklCase) {
	for _, plain := range []bool{true, false} { // Σw = 0
		f := g.tklFamily(c)
		f.Uncentered = plain
		k := g.tklGrams(f, c, c.X)
		m, _ := k.Dims()
		d := make([]float64, m)
		k.New().Gradient(d, c.W)
		g.tklNear("D", d, c.Derivative.flat(), 1e-9)
	}
}

func (g *golden) tklOptP(c tklCase) {
	grad := scaled(-0.5, c.Derivative.flat())
	s, v := make([]float64, len(grad)), make([]float64, len(c.Derivative))
	theta := set.Spectraplex{Trace: c.Trace}
	g.tklNear("value", []float64{theta.Minimize(s, grad)}, []float64{c.Value}, 1e-9)
	g.tklNear("S", s, c.S.flat(), 1e-9)
	g.tklNear("value by a vector", []float64{theta.MinimizeRankOne(v, grad)}, []float64{-c.Trace * c.Top / 2}, 1e-9)
	for i, a := range v {
		for j, b := range v {
			s[i*len(v)+j] = a * b
		}
	}
	g.tklNear("vvᵀ", s, c.S.flat(), 1e-9)
}

// tklProblem is what the case trains.
func (g *golden) tklProblem(c tklCase, f tessellated.Family) *mkl.Problem {
	var l loss.Loss = loss.Hinge{C: c.Constant}
	if c.Task == "regression" {
		l = loss.EpsilonInsensitive{C: c.Constant, Epsilon: c.Eps}
	}
	return &mkl.Problem{Grams: g.tklGrams(f, c, c.X), Set: set.Spectraplex{Trace: c.Trace}, Loss: l, Y: c.Targets}
}

// tklMultipliers are α of the file: w∘y for classes, w for numbers.
func tklMultipliers(p *mkl.Problem, w []float64) []float64 {
	if _, ok := p.Loss.(loss.Hinge); ok {
		return unsigned(w, p.Y)
	}
	return w
}

func (g *golden) tklOptA(c tklCase) {
	for _, plain := range []bool{true, false} {
		f := g.tklFamily(c)
		f.Uncentered = plain
		p := g.tklProblem(c, f)
		pt := g.at(p, c.P.flat())
		g.num("objective", pt.F(), c.Objective, 1e-8)
		g.near("alpha", tklMultipliers(p, pt.W), c.Alpha, 1e-6)
		if !plain {
			continue
		}
		g.tklNear("K", mat.DenseCopyOf(pt.Gram.K()).RawMatrix().Data, c.K.flat(), 1e-10)
		g.num("objective from above", pt.Primal, c.Objective, 1e-8)
		g.num("bias", pt.Bias, c.Bias, 1e-6)
	}
}

func (g *golden) tklPath(c, start tklCase) {
	s := mkl.FrankWolfe{}
	if c.Rule == "exact" {
		s.ExactLineSearch, s.Slope = true, 1e-9
	} else if c.Rule != "open" {
		g.unknown("fw_path", c.Rule)
	}
	for _, plain := range []bool{true, false} {
		f := g.tklFamily(start)
		f.Uncentered = plain
		g.tklWalk(g.tklProblem(start, f), s, c.Path)
	}
}

// tklWalk compares the iterates of s with path.
func (g *golden) tklWalk(p *mkl.Problem, s mkl.Solver, path []tklStep) {
	var theta, v []float64 // of the step before
	for it, err := range mkl.Steps(g.Context(), p, s, &mkl.Settings{InnerGap: 1e-12}) {
		g.must(err)
		want := path[it.K]
		id := fmt.Sprintf("step %d: ", it.K)
		g.tklNear(id+"OPT_A", []float64{it.F()}, []float64{want.OptA}, 1e-6)
		if want.OptP != nil {
			optP := it.LinearTerm - it.QuadraticTerm/2 + it.Oracle().Minimum
			g.tklNear(id+"OPT_P", []float64{optP}, []float64{*want.OptP}, 1e-6)
			if want.Gap != nil && math.Abs(it.F()-optP-*want.Gap) > 2e-6*math.Abs(want.OptA) {
				g.Errorf("%sgap %.9g, want %.9g", id, it.F()-optP, *want.Gap)
			}
		}
		if theta != nil && path[it.K-1].Step != nil {
			g.near(id+"length", []float64{tklLength(it.Theta, theta, v)}, []float64{*path[it.K-1].Step}, 1e-4)
		}
		if it.K == len(path)-1 {
			return
		}
		theta, v = slices.Clone(it.Theta), slices.Clone(it.Oracle().RankOneFactor)
	}
}

// tklLength is η of the step next = (1−η)θ + ηvvᵀ.
func tklLength(next, theta, v []float64) float64 {
	up, down := 0.0, 0.0
	for i, a := range v {
		for j, b := range v {
			k := i*len(v) + j
			d := a*b - theta[k]
			up += d * (next[k] - theta[k])
			down += d * d
		}
	}
	return up / down
}

func (g *golden) tklOptimum(c tklCase) {
	f := g.tklFamily(c)
	f.Uncentered = false
	p := g.tklProblem(c, f)
	for _, s := range []struct {
		solver mkl.Solver
		gap    float64
	}{{mkl.FrankWolfe{}, 1e-2}, {mkl.FrankWolfe{ExactLineSearch: true}, 1e-2},
		{mkl.SPG{AllowNonsmooth: true}, 2e-6}} {
		r := g.solve(p, s.solver, mkl.Settings{Gap: s.gap, Iterations: 3000})
		gap := r.RelativeGap()
		if r.Upper < c.Lower*(1-1e-9) || r.Upper > c.Objective+1.0001*gap*math.Abs(r.Upper) ||
			r.Lower > c.Objective*(1+1e-9) || r.Status != mkl.Certified {
			g.Errorf("%v, want an optimum from %.10g to %.10g: %g to %g", r, c.Lower, c.Objective, r.Lower, r.Upper)
		}
		if s.gap > 2e-6 {
			continue
		}
		g.near("f of new points", decisions(p.Grams, c.Test.rows(), r.PredictionTheta, r.W, r.Bias), c.FTest, 1e-3)
	}
}

func (g *golden) tklScaling(c tklCase) {
	const bound = 0.5
	k := tessellated.Family{BoxMargin: bound, Degree: 1}.Bind(c.X.rows()).(*tessellated.Grams)
	for i, row := range k.ScaledFeatures(c.X.rows()) {
		g.near(fmt.Sprintf("scaled point %d", i+1), row, c.Scaled[i], 1e-15)
	}
	a, b := k.Box() // in the units of X
	for j := range c.Lo {
		if r := c.Hi[j] - c.Lo[j]; r > 0 {
			g.num("lo", a[j], c.Lo[j]-bound*r, 1e-15)
			g.num("hi", b[j], c.Hi[j]+bound*r, 1e-15)
		}
	}
}

func (g *golden) tklD0(c tklCase) {
	p := g.tklProblem(c, g.tklFamily(c))
	r := g.solve(p, mkl.FrankWolfe{}, mkl.Settings{Gap: 1e-9, InnerGap: 1e-13})
	g.near("P", r.Theta, c.P.flat(), 1e-8)
	g.num("objective", r.F, c.Objective, 1e-8)
	g.near("alpha", unsigned(r.W, p.Y), c.Alpha, 1e-6)
	if n := r.Trace[len(r.Trace)-1].Iter; n != 1 {
		g.Errorf("%d steps, want 1", n)
	}
}

// tklPrinted evaluates the formula as printed, R^T_ij t_ij(y,x), whose k is not symmetric, and as it is.
func (g *golden) tklPrinted(c tklCase) {
	f := g.tklFamily(c)
	printed := tkl.NewIntegrand(f, c.P.flat(), len(c.Point)).AsPrinted()
	a, b := f.Lower[0], f.Upper[0] // of every feature
	g.num("printed, (x, y)", printed.Integral(a, b, c.Point, c.Targets), c.PrintedXY, 1e-12)
	g.num("printed, (y, x)", printed.Integral(a, b, c.Targets, c.Point), c.PrintedYX, 1e-12)
	g.num("k", tklValue(f, c), c.Correct, 1e-12)
}
