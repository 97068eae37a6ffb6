package algos_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

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

// tklFields are the members of a JSON object by their exact names: x and X, y and Y, d and D differ.
type tklFields map[string]json.RawMessage

func (f tklFields) read(g *golden, name string, v any) bool {
	raw, ok := f[name]
	if ok {
		if err := json.Unmarshal(raw, v); err != nil {
			g.Fatalf("%s: %s: %v", g.id, name, err)
		}
	}
	return ok
}

func (g *golden) tkl(b []byte) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(b, &file); err != nil {
		g.Fatal(err)
	}
	var starts []tklFields
	if raw, ok := file["opt_a"]; ok {
		if err := json.Unmarshal(raw, &starts); err != nil {
			g.Fatal(err)
		}
	}
	for section, raw := range file {
		if section == "version" {
			continue
		}
		var list []tklFields
		if json.Unmarshal(raw, &list) != nil { // one object is one check
			list = make([]tklFields, 1)
			if err := json.Unmarshal(raw, &list[0]); err != nil {
				g.Fatal(err)
			}
		}
		for i, c := range list {
			var name string
			c.read(g, "name", &name)
			g.id = fmt.Sprintf("%s %d %s", section, i+1, name)
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
				var of string
				c.read(g, "opt_a_case", &of)
				at := slices.IndexFunc(starts, func(s tklFields) bool { return string(s["name"]) == fmt.Sprintf("%q", of) })
				if at < 0 {
					g.Fatalf("%s: no case %q", g.id, of)
				}
				g.tklPath(c, starts[at])
			case "optimum":
				g.tklOptimum(c)
			case "projection":
				g.tklProjection(c)
			case "scaling":
				g.tklScaling(c)
			case "d0":
				g.tklD0(c)
			case "printed_formula":
				g.tklPrinted(c)
			case "indicator":
				g.tklIndicator(c)
			default:
				g.unknown(section, "")
				continue
			}
			g.done++
		}
	}
}

func tklRows(x [][]float64) kernel.Rows { return kernel.NewRows(x) }

// tklFamily is what a case is about, of kernels as they are printed, not centred.
func (g *golden) tklFamily(c tklFields) tessellated.Family {
	f := tessellated.Family{Uncentred: true}
	var basis, variant string
	c.read(g, "d", &f.Degree)
	c.read(g, "a", &f.Lower)
	c.read(g, "b", &f.Upper)
	c.read(g, "basis", &basis)
	c.read(g, "variant", &variant)
	switch basis {
	case "full":
		f.Basis = tessellated.ZX
	case "x", "":
	default:
		g.unknown("basis", basis)
	}
	switch variant {
	case "orthant":
		f.Variant = tessellated.Orthant
	case "complement", "":
	default:
		g.unknown("variant", variant)
	}
	return f
}

// tklGrams binds f to x and compares the monomials.
func (g *golden) tklGrams(f tessellated.Family, c tklFields, x [][]float64) *tessellated.Grams {
	k := f.On(tklRows(x)).(*tessellated.Grams)
	if err := k.Validate(); err != nil {
		g.Fatalf("%s: %v", g.id, err)
	}
	var delta, gamma [][]int
	if c.read(g, "delta", &delta) && c.read(g, "gamma", &gamma) {
		if d, z := k.Exponents(); !reflect.DeepEqual(d, delta) || !reflect.DeepEqual(z, gamma) {
			g.Errorf("%s: the monomials are x^%v z^%v, want x^%v z^%v", g.id, d, z, delta, gamma)
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

func (g *golden) tklKernel(c tklFields) {
	var p, x, z, want [][]float64
	c.read(g, "P", &p)
	c.read(g, "X", &x)
	c.read(g, "Y", &z)
	c.read(g, "K", &want)
	theta := slices.Concat(p...)
	for _, fixed := range []bool{false, true} { // k is symmetric: either may be the fixed points
		if fixed {
			x, z = z, x
		}
		k := mat.NewDense(len(z), len(x), nil)
		g.tklGrams(g.tklFamily(c), c, x).Cross(tklRows(z)).Gram(k, theta)
		got := k.RawMatrix().Data
		if !fixed {
			got = mat.DenseCopyOf(k.T()).RawMatrix().Data
		}
		g.tklNear("K", got, slices.Concat(want...), 1e-10)
	}
}

func (g *golden) tklGradient(c tklFields) {
	var x, want [][]float64
	var w []float64
	c.read(g, "X", &x)
	c.read(g, "w", &w)
	c.read(g, "D", &want)
	for _, plain := range []bool{true, false} { // Σw = 0
		f := g.tklFamily(c)
		f.Uncentred = plain
		k := g.tklGrams(f, c, x)
		m, _ := k.Dims()
		d := make([]float64, m)
		k.New().Gradient(d, w)
		g.tklNear("D", d, slices.Concat(want...), 1e-9)
	}
}

func (g *golden) tklOptP(c tklFields) {
	var d, want [][]float64
	var trace, value, top float64
	c.read(g, "D", &d)
	c.read(g, "S", &want)
	c.read(g, "trace", &trace)
	c.read(g, "value", &value)
	c.read(g, "lambda_max", &top)
	grad := scaled(-0.5, slices.Concat(d...))
	s, v := make([]float64, len(grad)), make([]float64, len(d))
	theta := set.Spectraplex{Trace: trace}
	g.tklNear("value", []float64{theta.Minimize(s, grad)}, []float64{value}, 1e-9)
	g.tklNear("S", s, slices.Concat(want...), 1e-9)
	g.tklNear("value by a vector", []float64{theta.Vertex(v, grad)}, []float64{-trace * top / 2}, 1e-9)
	for i, a := range v {
		for j, b := range v {
			s[i*len(v)+j] = a * b
		}
	}
	g.tklNear("vvᵀ", s, slices.Concat(want...), 1e-9)
}

// tklProblem is what the case trains.
func (g *golden) tklProblem(c tklFields, f tessellated.Family) (p *mkl.Problem, y []float64) {
	var x [][]float64
	var task string
	var constant, eps, trace float64
	c.read(g, "X", &x)
	c.read(g, "y", &y)
	c.read(g, "task", &task)
	c.read(g, "C", &constant)
	c.read(g, "eps", &eps)
	c.read(g, "trace", &trace)
	var l loss.Loss = loss.Hinge{C: constant}
	if task == "regression" {
		l = loss.Insensitive{C: constant, Epsilon: eps}
	}
	return &mkl.Problem{Grams: g.tklGrams(f, c, x), Set: set.Spectraplex{Trace: trace}, Loss: l, Y: y}, y
}

// tklMultipliers are α of the file: w∘y for classes, w for numbers.
func tklMultipliers(p *mkl.Problem, w []float64) []float64 {
	if _, ok := p.Loss.(loss.Hinge); ok {
		return unsigned(w, p.Y)
	}
	return w
}

func (g *golden) tklOptA(c tklFields) {
	var want struct {
		bias, objective float64
		alpha           []float64
		k, p            [][]float64
	}
	c.read(g, "bias", &want.bias)
	c.read(g, "objective", &want.objective)
	c.read(g, "alpha", &want.alpha)
	c.read(g, "K", &want.k)
	c.read(g, "P", &want.p)
	f := g.tklFamily(c)
	p, _ := g.tklProblem(c, f)
	pt := g.at(p, slices.Concat(want.p...))
	n := len(want.k)
	k := make([]float64, 0, n*n)
	for i := range n {
		for j := range n {
			k = append(k, pt.Gram.K().At(i, j))
		}
	}
	g.tklNear("K", k, slices.Concat(want.k...), 1e-10)
	g.num("objective", pt.F(), want.objective, 1e-8)
	g.num("objective from above", pt.Primal, want.objective, 1e-8)
	g.near("alpha", tklMultipliers(p, pt.W), want.alpha, 1e-6)
	g.num("bias", pt.Bias, want.bias, 1e-6)
	f.Uncentred = false
	p, _ = g.tklProblem(c, f)
	pt = g.at(p, slices.Concat(want.p...))
	g.num("objective, centred", pt.F(), want.objective, 1e-8)
	g.near("alpha, centred", tklMultipliers(p, pt.W), want.alpha, 1e-6)
}

func (g *golden) tklPath(c, start tklFields) {
	var rule string
	var path []tklStep
	c.read(g, "rule", &rule)
	c.read(g, "path", &path)
	s := mkl.FrankWolfe{Force: true}
	if rule == "exact" {
		s.Exact, s.Slope = true, 1e-9
	} else if rule != "open" {
		g.unknown("fw_path", rule)
	}
	for _, plain := range []bool{true, false} {
		f := g.tklFamily(start)
		f.Uncentred = plain
		p, _ := g.tklProblem(start, f)
		g.tklWalk(p, s, path)
	}
}

// tklWalk compares the iterates of s with path.
func (g *golden) tklWalk(p *mkl.Problem, s mkl.Solver, path []tklStep) {
	var last []float64 // θ
	for it, err := range mkl.Steps(context.Background(), p, s, &mkl.Settings{Inner: 1e-12}) {
		if err != nil {
			g.Errorf("%s: step %d: %v", g.id, it.K, err)
			return
		}
		want := path[it.K]
		id := fmt.Sprintf("step %d: ", it.K)
		g.tklNear(id+"OPT_A", []float64{it.F()}, []float64{want.OptA}, 1e-6)
		if want.OptP != nil {
			optP := it.Lin - it.Quad/2 + it.Oracle().Min
			g.tklNear(id+"OPT_P", []float64{optP}, []float64{*want.OptP}, 1e-6)
			if want.Gap != nil && math.Abs(it.F()-optP-*want.Gap) > 2e-6*math.Abs(want.OptA) {
				g.Errorf("%s: %sgap %.9g, want %.9g", g.id, id, it.F()-optP, *want.Gap)
			}
		}
		if last != nil && path[it.K-1].Step != nil {
			// η of θ' = (1−η)θ + ηvvᵀ, by the largest difference
			if eta := *path[it.K-1].Step; math.Abs(g.tklLength(it, last)-eta) > 1e-4 {
				g.Errorf("%s: %sa step of %.6g, want %.6g", g.id, id, g.tklLength(it, last), eta)
			}
		}
		if it.K == len(path)-1 {
			return
		}
		last = slices.Concat(it.Theta, it.Oracle().V)
	}
}

// tklLength is η of a step from θ with v, joined in last.
func (g *golden) tklLength(it *mkl.Iterate, last []float64) float64 {
	m := len(it.Theta)
	theta, v := last[:m], last[m:]
	up, down := 0.0, 0.0
	for i, a := range v {
		for j, b := range v {
			k := i*len(v) + j
			d := a*b - theta[k]
			up += d * (it.Theta[k] - theta[k])
			down += d * d
		}
	}
	return up / down
}

func (g *golden) tklOptimum(c tklFields) {
	var objective, lower, bias float64
	var fTest, fTrain []float64
	var x, z [][]float64
	c.read(g, "objective", &objective)
	c.read(g, "lower_bound", &lower)
	c.read(g, "bias", &bias)
	c.read(g, "f_test", &fTest)
	c.read(g, "f_train", &fTrain)
	c.read(g, "X", &x)
	c.read(g, "X_test", &z)
	f := g.tklFamily(c)
	f.Uncentred = false
	p, _ := g.tklProblem(c, f)
	for _, s := range []struct {
		solver mkl.Solver
		gap    float64
	}{{mkl.FrankWolfe{Force: true}, 1e-2}, {mkl.FrankWolfe{Force: true, Exact: true}, 1e-2}, {mkl.SPG{Force: true}, 2e-6}} {
		r, err := mkl.Solve(context.Background(), p, s.solver, &mkl.Settings{Gap: s.gap, Iterations: 3000})
		if err != nil {
			g.Errorf("%s: %v", g.id, err)
			continue
		}
		gap := r.RelativeGap()
		if r.Upper < lower*(1-1e-9) || r.Upper > objective+1.0001*gap*math.Abs(r.Upper) || r.Lower > objective*(1+1e-9) || r.Status != mkl.Certified {
			g.Errorf("%s: %v, want an optimum from %.10g to %.10g: %g to %g", g.id, r, lower, objective, r.Lower, r.Upper)
		}
		if s.gap > 2e-6 {
			continue
		}
		k := mat.NewDense(len(z), len(x), nil)
		p.Grams.Cross(tklRows(z)).Gram(k, r.Kernel)
		values := make([]float64, len(z))
		for i := range values {
			values[i] = floats.Dot(k.RawRowView(i), r.W) + r.Bias
		}
		g.near("f of new points", values, fTest, 1e-3)
	}
}

func (g *golden) tklProjection(c tklFields) {
	var m, want [][]float64
	var trace float64
	c.read(g, "M", &m)
	c.read(g, "P", &want)
	c.read(g, "trace", &trace)
	p := make([]float64, len(m)*len(m))
	set.Spectraplex{Trace: trace}.Project(p, slices.Concat(m...))
	g.near("P", p, slices.Concat(want...), 1e-10)
}

func (g *golden) tklScaling(c tklFields) {
	var x, want [][]float64
	var lo, hi []float64
	c.read(g, "X", &x)
	c.read(g, "lo", &lo)
	c.read(g, "hi", &hi)
	c.read(g, "scaled", &want)
	const bound = 0.5
	k := tessellated.Family{Bound: bound, Degree: 1}.On(tklRows(x)).(*tessellated.Grams)
	for i, row := range k.Scaled(tklRows(x)) {
		g.near(fmt.Sprintf("scaled point %d", i+1), row, want[i], 1e-15)
	}
	a, b := k.Box() // in the units of X
	for j := range lo {
		if r := hi[j] - lo[j]; r > 0 {
			g.num("lo", a[j], lo[j]-bound*r, 1e-15)
			g.num("hi", b[j], hi[j]+bound*r, 1e-15)
		}
	}
}

func (g *golden) tklD0(c tklFields) {
	var objective, trace float64
	var alpha []float64
	var want [][]float64
	c.read(g, "objective", &objective)
	c.read(g, "alpha", &alpha)
	c.read(g, "trace", &trace)
	c.read(g, "P", &want)
	p, _ := g.tklProblem(c, g.tklFamily(c))
	r, err := mkl.Solve(context.Background(), p, mkl.FrankWolfe{Force: true}, &mkl.Settings{Gap: 1e-9, Inner: 1e-13})
	if err != nil {
		g.Errorf("%s: %v", g.id, err)
		return
	}
	g.near("P", r.Theta, slices.Concat(want...), 1e-8)
	g.num("objective", r.F, objective, 1e-8)
	g.near("alpha", unsigned(r.W, p.Y), alpha, 1e-6)
	if n := r.Trace[len(r.Trace)-1].Iter; n != 1 {
		g.Errorf("%s: %d steps, want 1", g.id, n)
	}
}

// tklPrinted evaluates the formula as printed, R^T_ij t_ij(y,x), whose k is not symmetric, and as it is.
func (g *golden) tklPrinted(c tklFields) {
	var p [][]float64
	var x, y []float64
	var want [3]float64
	c.read(g, "P", &p)
	c.read(g, "x", &x)
	c.read(g, "y", &y)
	c.read(g, "printed_xy", &want[0])
	c.read(g, "printed_yx", &want[1])
	c.read(g, "correct", &want[2])
	f := g.tklFamily(c)
	k := g.tklGrams(f, c, [][]float64{x})
	delta, gamma := k.Exponents()
	g.num("printed, (x, y)", tklFormula(f, delta, gamma, p, x, y), want[0], 1e-12)
	g.num("printed, (y, x)", tklFormula(f, delta, gamma, p, y, x), want[1], 1e-12)
	dst := mat.NewDense(1, 1, nil)
	k.Cross(tklRows([][]float64{y})).Gram(dst, slices.Concat(p...))
	g.num("k", dst.At(0, 0), want[2], 1e-12)
}

// tklFormula is the kernel of the paper's Corollary 13, t_ij(y,x) included, for points in the box.
func tklFormula(f tessellated.Family, delta, gamma [][]int, p [][]float64, x, y []float64) float64 {
	q := len(delta)
	t := func(from, to []float64, i, j int) float64 {
		v := 1.0
		for k := range from {
			e := float64(gamma[i][k] + gamma[j][k] + 1)
			v *= (math.Pow(to[k], e) - math.Pow(from[k], e)) / e
		}
		return v
	}
	power := func(x []float64, e []int) float64 {
		v := 1.0
		for k, n := range e {
			v *= math.Pow(x[k], float64(n))
		}
		return v
	}
	top := make([]float64, len(x))
	for k := range x {
		top[k] = max(x[k], y[k])
	}
	part := func(x, y []float64, i, j int) (g, tt float64) {
		m := power(x, delta[i]) * power(y, delta[j])
		g = m * t(top, f.Upper, i, j)
		return g, m*t(x, f.Upper, i, j) - g
	}
	k := 0.0
	for i := range q {
		for j := range q {
			g, t1 := part(x, y, i, j)
			_, t2 := part(y, x, i, j)
			h := power(x, delta[i])*power(y, delta[j])*t(f.Lower, f.Upper, i, j) - g - t1 - t2
			k += p[i][j]*g + p[i][q+j]*t1 + p[j][q+i]*t2 + p[q+i][q+j]*h
		}
	}
	return k
}

func (g *golden) tklIndicator(c tklFields) {
	var p [][]float64
	var x, y []float64
	c.read(g, "P", &p)
	c.read(g, "x", &x)
	c.read(g, "y", &y)
	for name, v := range map[string]tessellated.Variant{"complement": tessellated.Complement, "orthant": tessellated.Orthant} {
		var want float64
		if !c.read(g, name, &want) {
			g.Errorf("%s: no value of the variant %q", g.id, name)
		}
		f := g.tklFamily(c)
		f.Variant = v
		dst := mat.NewDense(1, 1, nil)
		f.On(tklRows([][]float64{x})).(*tessellated.Grams).Cross(tklRows([][]float64{y})).Gram(dst, slices.Concat(p...))
		g.num(name, dst.At(0, 0), want, 1e-12)
	}
}
