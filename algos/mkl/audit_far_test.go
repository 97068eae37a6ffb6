package mkl_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/mat"
)

// TestAuditFar is TestAudit of nested products, sums of products, frozen and sliced families, with numbers from
// 1e-300 to 1e300: 5,000 of them with MKL_SIZE=full. What is refused is refused for its range, or by Validate;
// nothing panics.
func TestAuditFar(t *testing.T) {
	total := 250
	switch {
	case testenv.Full():
		total = 5000
	case testing.Short():
		total = 60
	}
	var out tally
	first, last := *auditFirst, *auditFirst+total
	if *auditSeed >= 0 {
		first, last = *auditSeed, *auditSeed+1
	}
	for seed := first; seed < last; seed++ {
		auditFar(t, seed, &out)
	}
	t.Logf("%d problems\n%v", last-first, &out)
	judged := 0
	for name, c := range out.count {
		if name == "upper: true" {
			judged = c[0] + c[1] + c[2]
		}
	}
	if *auditSeed < 0 && judged < total {
		t.Errorf("%d upper bounds were judged of %d problems: the test has too few cases", judged, total)
	}
}

func auditFar(t *testing.T, seed int, out *tally) {
	var d *draw
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v\n  draw %d: %v\n  go test ./algos/mkl -run TestAuditFar -audit %d", r, seed, d, seed)
		}
	}()
	d = newFarDraw(seed)
	if d.kappa > 1e60 { // 512 bits hold numbers of as many as 154 digits
		precision = 2048
		defer func() { precision = 512 }()
	}
	audit(t, d, out)
}

// far is a size anywhere from 1e-300 to 1e300, more often nearer to 1.
func far(r *rand.Rand) float64 {
	return logUniform(r, -1, 1) * math.Pow(10, pick(r, 0., 0, 3, 30, 100, 140, 200, 299)*(2*r.Float64()-1))
}

// newFarDraw is the problem of a seed, always the same.
func newFarDraw(seed int) *draw {
	r := rand.New(rand.NewPCG(uint64(seed), 26))
	d := &draw{seed: seed, rng: r, degree: 1, far: true}
	n, m := 3+r.IntN(10), 1+r.IntN(5)
	size := far(r) // of kernel values
	var (
		f kernel.Family
		x kernel.Points
	)
	if r.IntN(4) == 0 {
		s := kernel.Features{Degree: 1 + r.IntN(3), Constant: r.IntN(3) == 0}
		if r.IntN(3) == 0 {
			s.Prepare = kernel.Prepare{pick(r, kernel.Standardize, kernel.MinMax, kernel.UnitRows, kernel.CentreColumns,
				kernel.MaxAbs)}
		}
		d.degree = s.Degree
		f, x = s, scaled(d.rows(n, m, r.IntN(2) == 0), math.Pow(size, 0.5/float64(s.Degree)))
	} else {
		s := kernel.Sum{Degree: pick(r, 1, 1, 2, 3), Centre: r.IntN(5) == 0,
			Normalize: pick(r, kernel.None, kernel.None, kernel.None, kernel.Cosine, kernel.MeanDiagonal)}
		s.Kernels, x = d.factors(n, m, math.Pow(size, 1/float64(s.Degree)))
		if rows, ok := x.(kernel.Rows); ok && r.IntN(4) == 0 {
			s.Prepare = kernel.Prepare{pick(r, kernel.Standardize, kernel.MinMax, kernel.MaxAbs)}
			x = rows
		}
		d.degree = s.Degree
		f = s
	}
	d.what = fmt.Sprintf("%+v", f)
	if len(d.what) > 400 {
		d.what = d.what[:400] + "…"
	}
	f1, rows := ofDegree1(f), []int(nil)
	bind := func(f kernel.Family) kernel.Grams { return f.On(x) }
	switch r.IntN(3) {
	case 0:
		d.what += ", sliced"
		for i := range n {
			if r.IntN(3) > 0 {
				rows = append(rows, i)
			}
		}
		rows = append(rows, r.IntN(n))
		bind = func(f kernel.Family) kernel.Grams { return f.On(x).Slice(rows) }
	case 1:
		if _, places := x.(kernel.Places); places { // matrices are not kept
			break
		}
		d.what += ", frozen"
		if frozen, err := f.On(x).(kernel.Freezable).Freeze(); err == nil {
			f, f1 = frozen, ofDegree1(frozen)
		}
	}
	grams := bind(f)
	if grams.Validate() != nil {
		d.p = &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}}
		return d
	}
	m, n = grams.Dims()
	if s, ok := f1.(kernel.Features); ok {
		p, err := s.Prepare.Fit(x)
		if err != nil {
			panic(err)
		}
		z := p.Apply(x)
		if s.Fitted == nil && rows != nil {
			p, _ = s.Prepare.Fit(x.Slice(rows))
			z = p.Apply(x.Slice(rows))
		} else if rows != nil {
			z = z.Slice(rows)
		}
		d.x = stored(kernel.Features{Constant: s.Constant}, z.(kernel.Rows))
	} else {
		d.base = basesOf(bind(f1))
	}
	start := make([]float64, m)
	theta, radius := pick(r, 1., 1, 1, far(r)), 1.0
	if theta != 1 {
		radius = theta
	}
	d.p = &mkl.Problem{Grams: grams}
	switch r.IntN(7) {
	case 0, 1:
		d.p.Set = set.Simplex{}
	case 2:
		d.p.Set = set.Orthant{At: radius}
	default:
		d.p.Set = set.Ball{Q: pick(r, 1, 2, 2, 3, 4, math.Inf(1)), Radius: radius}
	}
	d.p.Set.Start(start)
	g := grams.New()
	g.At(start)
	top := mat.Norm(g.K(), 2)
	d.lambda = logUniform(r, -12, 6)
	if r.IntN(4) > 0 && top > 0 && top < 1e290 {
		d.lambda *= top
	}
	if r.IntN(8) == 0 {
		d.lambda = far(r)
	}
	d.p.Loss = loss.Squared{Lambda: d.lambda}
	d.p.Y = make([]float64, n)
	for i := range d.p.Y {
		d.p.Y[i] = r.NormFloat64()
	}
	scale := pick(r, 1, 1, math.Sqrt(d.lambda), far(r))
	for i := range d.p.Y {
		d.p.Y[i] *= scale
	}
	if _, cone := d.p.Set.(set.Orthant); cone { // r is of the size of F(0)
		d.p.Reg = reg.Ridge{Beta: min(max(logUniform(r, -6, 6)*float64(n)*scale*scale/d.lambda/radius/radius, 1e-300),
			1e300)}
		d.what += fmt.Sprintf(", %+v", d.p.Reg)
	}
	d.what += fmt.Sprintf(", n=%d, m=%d, λ=%g, K of %.2g, y of %.2g, %T%+v", n, m, d.lambda, top, scale, d.p.Set,
		d.p.Set)
	if d.kappa = min(2.2e-16*top/d.lambda, 1e300); !(top <= math.MaxFloat64) {
		d.kappa = math.Inf(1)
	}
	d.solver = pick[mkl.Solver](r, mkl.SPG{}, mkl.SPG{}, mkl.PGD{}, mkl.IIA{})
	if _, err := d.solver.Uses(d.p); err != nil {
		d.solver = mkl.SPG{}
	}
	d.gap = pick(r, 1e-3, 1e-6, 1e-9)
	return d
}

// ofDegree1 is f of degree 1.
func ofDegree1(f kernel.Family) kernel.Family {
	switch f := f.(type) {
	case kernel.Sum:
		f.Degree = 1
		return f
	case kernel.Features:
		f.Degree = 1
		return f
	}
	return f
}

func scaled(x kernel.Rows, s float64) kernel.Rows {
	for i := range x.Data {
		x.Data[i] *= s
	}
	return x
}

// factors are m kernels, most of them products of products, whose values are of about the given size.
func (d *draw) factors(n, m int, size float64) (kernel.List, kernel.Points) {
	r := d.rng
	var (
		leaf func() kernel.Kernel
		x    kernel.Points
	)
	if r.IntN(2) == 0 {
		rows := scaled(d.rows(n, 1+r.IntN(5), false), math.Sqrt(size))
		x = rows
		leaf = func() kernel.Kernel {
			switch r.IntN(4) {
			case 0:
				return kernel.Linear{}
			case 1:
				return kernel.Polynomial{Degree: 2, Gamma: 1 / size, Offset: 1}
			case 2:
				return kernel.Laplacian{Gamma: logUniform(r, -2, 1) / math.Sqrt(size)}
			}
			return kernel.RBF{Gamma: logUniform(r, -3, 1) / size}
		}
	} else {
		x = kernel.AllPlaces(n)
		leaf = func() kernel.Kernel { return d.matrix(n, pick(r, 1, size)) }
	}
	var nest func(depth int) kernel.Kernel
	nest = func(depth int) kernel.Kernel {
		if depth == 0 || r.IntN(3) == 0 {
			return leaf()
		}
		p := kernel.Product{}
		for range 1 + r.IntN(3) {
			p.Kernels = append(p.Kernels, nest(depth-1))
			p.Exponents = append(p.Exponents, pick(r, 0, 1, 1, 2))
		}
		return p
	}
	l := make(kernel.List, m)
	for k := range l {
		l[k] = nest(r.IntN(4))
		if k > 0 && r.IntN(6) == 0 {
			l[k] = l[r.IntN(k)]
		}
	}
	return l, x
}

// matrix is a positive semidefinite matrix of any rank, or one that misses that by less than Validate refuses.
func (d *draw) matrix(n int, size float64) kernel.Precomputed {
	r := d.rng
	rank := pick(r, 1, 1+r.IntN(n), n)
	z := mat.NewDense(n, rank, nil)
	for i := range n {
		for j := range rank {
			z.Set(i, j, r.NormFloat64())
		}
	}
	var a mat.Dense
	a.Mul(z, z.T())
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

// excused reports whether an error may be one: of numbers beyond the range, or of an ill-conditioned problem.
func (d *draw) excused(err error) bool {
	return errors.Is(err, mkl.ErrRange) || d.kappa > 1e-9 && !math.IsInf(d.kappa, 1)
}
