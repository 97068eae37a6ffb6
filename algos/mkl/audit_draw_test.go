package mkl_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// draw is a random problem of the audit with the numbers that it stores: the base matrices of a
// sum, the prepared features else.
type draw struct {
	seed   int
	p      *mkl.Problem
	what   string
	solver mkl.Solver
	gap    float64
	degree int
	lambda float64
	kappa  float64     // ε‖K‖/λ at the start of Θ, on the orthant at the largest θ worth looking at
	base   [][]float64 // m matrices, n×n; nil for features
	x      [][]float64 // n rows of m features; nil for a sum
	rng    *rand.Rand
}

func (d *draw) String() string {
	return fmt.Sprintf("draw %d: %s; %v, gap %g, κ = %.1e", d.seed, d.what, d.solver, d.gap, d.kappa)
}

// class is 0, 1 or 2: well-conditioned, so-so, ill-conditioned.
func (d *draw) class() int {
	switch {
	case d.kappa < 1e-9:
		return 0
	case d.kappa < 1e-3:
		return 1
	}
	return 2
}

// slant is r(θ) = ⟨c,θ⟩, convex and not quadratic: what the cut bounds.
type slant struct{ c []float64 }

func (slant) Validate(int) error { return nil }
func (r slant) Value(grad, theta []float64) float64 {
	s := 0.0
	for k, v := range theta {
		s += r.c[k] * v
		if grad != nil {
			grad[k] += r.c[k]
		}
	}
	return s
}

// around is r(θ) = a‖θ−c‖² + k.
type around struct {
	a float64
	c []float64
	k float64
}

func (around) Validate(int) error { return nil }
func (r around) Value(grad, theta []float64) float64 {
	s := 0.0
	for k, v := range theta {
		d := v - r.c[k]
		s += d * d
		if grad != nil {
			grad[k] += 2 * r.a * d
		}
	}
	return r.a*s + r.k
}
func (r around) Majorize([]float64) (reg.Quadratic, bool) {
	return reg.Quadratic{A: r.a, C: r.c, K: r.k, IsExact: true}, true
}

func logUniform(r *rand.Rand, lo, hi float64) float64 { return math.Pow(10, lo+(hi-lo)*r.Float64()) }

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// newDraw is the problem of a seed, always the same.
func newDraw(seed int) *draw {
	r := rand.New(rand.NewPCG(uint64(seed), 10))
	d := &draw{seed: seed, rng: r, lambda: logUniform(r, -10, 8), degree: 1}
	n, m := 2+r.IntN(23), 1+r.IntN(12)
	kind := r.IntN(10)
	switch r.IntN(80) { // sizes that a library serves
	case 0:
		n, m = 64+r.IntN(9), 1+r.IntN(4)
	case 1:
		m = 48 + r.IntN(9)
		kind = 9
	}
	var grams kernel.Grams
	switch kind {
	case 0, 1:
		l, x := d.kernels(n, m)
		grams = l.Bind(x)
		d.what = "list"
		d.base = bases1(kernel.Sum{Kernels: l}, x)
	case 2, 3, 4, 5:
		l, x := d.kernels(n, m)
		f := kernel.Sum{Kernels: l, Degree: 1 + r.IntN(4), Center: r.IntN(3) == 0,
			Normalize: pick(r, kernel.None, kernel.None, kernel.Cosine, kernel.MeanDiagonal)}
		grams = f.Bind(x)
		d.degree = f.Degree
		d.what = fmt.Sprintf("sum of degree %d, center %v, normalize %q", f.Degree, f.Center, f.Normalize)
		f.Degree = 1
		d.base = bases1(f, x)
	default:
		f := kernel.Features{Degree: 1 + r.IntN(4), Constant: r.IntN(3) == 0}
		if r.IntN(3) == 0 {
			f.Prepare = points.Preprocessing{pick(r, points.Standardize, points.MinMax, points.UnitRows,
				points.CenterColumns)}
		}
		x := d.rows(n, m, true)
		grams = f.Bind(x)
		d.degree = f.Degree
		d.what = fmt.Sprintf("features of degree %d, constant %v, %v", f.Degree, f.Constant, f.Prepare)
		d.x = stored(f, x)
	}
	m, _ = grams.Dims()
	d.what += fmt.Sprintf(", n=%d, m=%d, λ=%g", n, m, d.lambda)
	l := loss.Squared{Lambda: d.lambda}
	if seed%3 == 0 { // λ/v_i is at least d.lambda
		weights := rand.New(rand.NewPCG(uint64(seed), 11))
		lo, hi := 0., 2.
		if seed%2 == 0 {
			lo, hi = -3, 3
		}
		l.Lambda *= math.Pow(10, hi)
		for range n {
			l.Weights = append(l.Weights, logUniform(weights, lo, hi))
		}
		d.what += ", weights of points"
	}
	d.p = &mkl.Problem{Grams: grams, Loss: l}
	d.p.Set, d.p.Reg = d.set(m)
	d.what += fmt.Sprintf(", %T%+v", d.p.Set, d.p.Set)
	if d.p.Reg != nil {
		d.what += fmt.Sprintf(", %T%+v", d.p.Reg, d.p.Reg)
	}
	start := make([]float64, m)
	d.p.Set.Start(start)
	g := grams.New()
	g.SetTheta(start)
	d.p.Y = d.targets(g.K(), n)
	if _, cone := d.p.Set.(set.Orthant); cone { // as far out as F(θ) ≤ F(0) lets θ be
		b := d.p.Reg.(reg.Ridge).Beta
		top := floats.Norm(d.p.Y, 2) / math.Sqrt(2*d.lambda*b*float64(m))
		for k := range start {
			start[k] = math.Max(start[k], top)
		}
		g.SetTheta(start)
	}
	d.kappa = linalg.Epsilon * mat.Norm(g.K(), 2) / d.lambda
	solvers := []mkl.Solver{mkl.SPG{}, mkl.SPG{}, mkl.SPG{}, mkl.PGD{}, mkl.PGD{Rule: mkl.ShrinkOnIncrease},
		mkl.PGD{Rule: mkl.ShrinkOnIncrease, ScaleToSphere: true}, mkl.IIA{}, mkl.IIA{Eta: 0.8}, mkl.IIA{Eta: 0.9}}
	d.solver = pick(r, solvers...)
	if _, err := d.solver.Requirements(d.p); err != nil {
		d.solver = mkl.SPG{}
	}
	d.gap = pick(r, 1e-3, 1e-6, 1e-8, 1e-10)
	return d
}

// rows are n points of m features, each column of its own size where asked for.
func (d *draw) rows(n, m int, sizes bool) points.Rows {
	r := d.rng
	x := points.Rows{N: n, D: m, Data: make([]float64, n*m)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	if r.IntN(4) == 0 { // equal columns, one of them 0
		a, b := r.IntN(m), r.IntN(m)
		for i := range n {
			x.Data[i*m+a] = x.Data[i*m+b]
		}
		if zero := r.IntN(m); r.IntN(2) == 0 {
			for i := range n {
				x.Data[i*m+zero] = 0
			}
		}
	}
	if r.IntN(4) == 0 { // equal points
		copy(x.Row(r.IntN(n)), x.Row(r.IntN(n)))
	}
	if r.IntN(5) == 0 { // far from 0
		for i := range x.Data {
			x.Data[i] += 1e3
		}
	}
	if r.IntN(5) == 0 { // whole numbers
		for i, v := range x.Data {
			x.Data[i] = math.Round(3 * v)
		}
	}
	if sizes {
		all, each := logUniform(r, -3, 3), r.IntN(2) == 0
		for k := range m {
			s := all
			if each {
				s = logUniform(r, -3, 3)
			}
			for i := range n {
				x.Data[i*m+k] *= s
			}
		}
	}
	return x
}

// outerProduct returns ZZᵀ for a matrix Z of n×rank normal numbers.
func (d *draw) outerProduct(n, rank int) (a mat.Dense) {
	z := mat.NewDense(n, rank, nil)
	z.Apply(func(int, int, float64) float64 { return d.rng.NormFloat64() }, z)
	a.Mul(z, z.T())
	return a
}

// matrix is a positive semidefinite matrix of any rank, or one that misses that by less than Validate refuses.
func (d *draw) matrix(n int, size float64) kernel.Precomputed {
	r := d.rng
	rank := pick(r, 1, 1+r.IntN(n), n)
	a := d.outerProduct(n, rank)
	p := kernel.Precomputed{Name: fmt.Sprintf("matrix of rank %d", rank), N: n, Data: make([]float64, n*n)}
	off := pick(r, 0, 0, 1e-13, 3e-11)
	for i := range n {
		for j := range n {
			lo, hi := min(i, j), max(i, j)
			p.Data[i*n+j] = size * a.At(lo, hi)
			if lo == 0 && hi == n-1 {
				p.Data[i*n+j] *= 1 + off
			}
		}
	}
	return p
}

// kernels are m base kernels: functions of rows, or matrices scaled by 1e-6 to 1e6.
func (d *draw) kernels(n, m int) (kernel.List, points.Points) {
	r := d.rng
	l := make(kernel.List, m)
	if r.IntN(3) == 0 {
		x := d.rows(n, 1+r.IntN(8), false)
		s := logUniform(r, -1, 1)
		for i := range x.Data {
			x.Data[i] *= s
		}
		for k := range l {
			var c []int
			if r.IntN(2) == 0 {
				c = []int{r.IntN(x.D)}
			}
			switch r.IntN(5) {
			case 0:
				l[k] = kernel.Linear{Columns: c}
			case 1:
				l[k] = kernel.Polynomial{Degree: 2 + r.IntN(2), Offset: 1, Columns: c}
			case 2:
				l[k] = kernel.Laplacian{Gamma: logUniform(r, -3, 3), Columns: c}
			default:
				l[k] = kernel.RBF{Gamma: logUniform(r, -3, 3), Columns: c}
			}
			if k > 0 && r.IntN(6) == 0 {
				l[k] = l[r.IntN(k)]
			}
		}
		return l, x
	}
	all, each := logUniform(r, -6, 6), r.IntN(2) == 0
	for k := range l {
		rank := pick(r, 1, 1+r.IntN(n), n, 2*n)
		a := d.outerProduct(n, rank)
		s := all
		if each {
			s = logUniform(r, -6, 6)
		}
		if r.IntN(12) == 0 {
			s = 0
		}
		p := kernel.Precomputed{Name: fmt.Sprint(k), N: n, Data: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				p.Data[i*n+j] = s * a.At(min(i, j), max(i, j))
			}
		}
		l[k] = p
		if k > 0 && r.IntN(6) == 0 {
			l[k] = l[r.IntN(k)]
		}
	}
	return l, points.AllIndices(n)
}

// bases1 are the base matrices of a sum of degree 1, bit for bit.
func bases1(f kernel.Sum, x points.Points) [][]float64 { return basesOf(f.Bind(x)) }

// basesOf are those of Grams of degree 1.
func basesOf(grams kernel.Grams) [][]float64 {
	g := grams.New()
	m, n := grams.Dims()
	e, base := make([]float64, m), make([][]float64, m)
	for k := range e {
		e[k] = 1
		g.SetTheta(e)
		e[k] = 0
		a := g.K()
		base[k] = make([]float64, n*n)
		for i := range n {
			for j := range n {
				base[k][i*n+j] = a.At(i, j)
			}
		}
	}
	return base
}

// stored are the prepared features, the constant one included.
func stored(f kernel.Features, x points.Rows) [][]float64 {
	p, err := f.Prepare.Fit(x)
	if err != nil {
		panic(err)
	}
	z := p.Apply(x).(points.Rows)
	out := make([][]float64, z.N)
	for i := range out {
		out[i] = append(out[i], z.Row(i)...)
		if f.Constant {
			out[i] = append(out[i], 1)
		}
	}
	return out
}

func (d *draw) set(m int) (set.Set, reg.Reg) {
	r := d.rng
	var s set.Set
	var g reg.Reg
	vector := func(lo, hi float64) []float64 {
		c := make([]float64, m)
		for k := range c {
			c[k] = lo + (hi-lo)*r.Float64()
		}
		return c
	}
	switch r.IntN(8) {
	case 0:
		s = set.Simplex{}
	case 1:
		return set.Orthant{At: pick(r, 0, 0.1)}, reg.Ridge{Beta: logUniform(r, -6, 4)}
	default:
		b := set.Ball{Q: pick(r, 1, 1.5, 2, 2, 3, 4, 6, 6), Radius: logUniform(r, -2, 1)}
		if r.IntN(2) == 0 {
			b.Center = make([]float64, m)
			for k := range b.Center {
				b.Center[k] = 1
			}
			if r.IntN(3) == 0 {
				b.Center = vector(0, 2)
			}
		}
		s = b
	}
	switch r.IntN(15) {
	case 0:
		g = reg.Ridge{Beta: logUniform(r, -4, 4)}
	case 1:
		g = slant{vector(-1, 1)}
	case 2:
		g = around{logUniform(r, -3, 3), vector(0, 2), 0.5}
	}
	return s, g
}

func (d *draw) targets(k mat.Symmetric, n int) []float64 {
	r := d.rng
	y := make([]float64, n)
	scale := pick(r, 1, 1, logUniform(r, -4, 4))
	kind := pick(r, "normal", "normal", "normal", "labels", "labels", "constant", "zero", "smooth", "smooth")
	d.what += ", y " + kind
	for i := range y {
		switch kind {
		case "normal":
			y[i] = scale * r.NormFloat64()
		case "labels":
			y[i] = pick(r, -1., 1)
		case "constant":
			y[i] = scale
		case "smooth": // a function of the kernels: F is far below ‖y‖²/2λ
			c := r.NormFloat64()
			for j := range n {
				y[j] += c * k.At(i, j)
			}
		}
	}
	if top := mat.Norm(mat.NewVecDense(n, y), math.Inf(1)); kind == "smooth" && top > 0 {
		for i := range y {
			y[i] *= scale / top
		}
	}
	return y
}
