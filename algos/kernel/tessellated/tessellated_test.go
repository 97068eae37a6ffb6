package tessellated_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/notebooks/papers/tkl"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// psd draws P = AAᵀ of any rank.
func psd(r *rand.Rand, m int) []float64 {
	q := int(math.Round(math.Sqrt(float64(m))))
	rank := 1 + r.IntN(q)
	a := mat.NewDense(q, rank, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	var p mat.Dense
	p.Mul(a, a.T())
	return p.RawMatrix().Data
}

// uniform are n points of [−0.1, 1.2]^d.
func uniform(r *rand.Rand, n, d int) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = 1.3*r.Float64() - 0.1
	}
	return x
}

// families are all kinds with the number of features that is quick for them.
func families() map[string]struct {
	f tessellated.Family
	d int
} {
	type fd = struct {
		f tessellated.Family
		d int
	}
	all := map[string]fd{}
	for degree := range 3 {
		for _, b := range []tessellated.Basis{tessellated.X, tessellated.ZX} {
			for _, plain := range []bool{true, false} {
				f := tessellated.Family{Degree: degree, Basis: b, BoxMargin: 0.3, Uncentered: plain}
				d := 3
				if degree == 2 && b == tessellated.ZX {
					d = 2
				}
				all[fmt.Sprintf("d=%d %s uncentered=%v", degree, b, plain)] = fd{f, d}
				f.UnitMeanDiagonal, f.TraceMetric = true, tessellated.Balanced
				all[fmt.Sprintf("d=%d %s uncentered=%v, unit, balanced", degree, b, plain)] = fd{f, d}
			}
		}
	}
	return all
}

func TestFamily(t *testing.T) {
	for name, c := range families() {
		r := rand.New(rand.NewPCG(1, 1))
		t.Run(name, func(t *testing.T) {
			kerneltest.TestFamily(t, c.f, uniform(r, 9, c.d), kerneltest.WithThetaDraw(psd))
		})
	}
	t.Run("a given box", func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 1))
		f := tessellated.Family{Degree: 1, Lower: []float64{-0.2, 0}, Upper: []float64{1, 1.5}}
		kerneltest.TestFamily(t, f, uniform(r, 80, 2), kerneltest.WithThetaDraw(psd))
	})
}

// TestQuadrature compares the closed form with the integral that defines the kernel, for points in and outside the box.
func TestQuadrature(t *testing.T) {
	for name, c := range families() {
		r := rand.New(rand.NewPCG(3, 1))
		f := c.f
		if !f.Uncentered {
			continue
		}
		f.BoxMargin = 0
		low, high := 0.1*r.Float64(), 0.9+0.3*r.Float64()
		f.Lower, f.Upper = slices.Repeat([]float64{low}, c.d), slices.Repeat([]float64{high}, c.d)
		x, z := uniform(r, 4, c.d), uniform(r, 3, c.d)
		for j := range c.d { // one inside at least
			x.Data[j] = 0.4
		}
		g := f.Bind(x).(*tessellated.Grams)
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		m, _ := g.Dims()
		theta := psd(r, m)
		k := mat.NewDense(3, 4, nil)
		g.Cross(z).StoreMatrix(k, theta)
		of := tkl.NewIntegrand(f, mat.DenseCopyOf(g.Matrix(theta)).RawMatrix().Data, c.d)
		top := mat.Norm(k, math.Inf(1))
		for i := range 3 {
			for j := range 4 {
				want := of.Integral(low, high, z.Row(i), x.Row(j))
				if d := math.Abs(k.At(i, j) - want); !(d <= 1e-11*top) {
					t.Errorf("%s: k = %.15g, the integral is %.15g", name, k.At(i, j), want)
				}
			}
		}
	}
}

// TestTowards compares a step of rank one with the whole of the new P, and its accuracy with the difference.
func TestTowards(t *testing.T) {
	for name, c := range families() {
		r := rand.New(rand.NewPCG(4, 1))
		g := c.f.Bind(uniform(r, 70, c.d)).(*tessellated.Grams)
		m, n := g.Dims()
		q, _ := g.ThetaShape()
		theta, from, to, whole := psd(r, m), g.New(), g.New(), g.New()
		from.SetTheta(theta)
		for range 3 {
			v, eta := make([]float64, q), r.Float64()
			for i := range v {
				v[i] = r.NormFloat64()
			}
			for i := range q {
				for j := range q {
					theta[i*q+j] = (1-eta)*theta[i*q+j] + eta*v[i]*v[j]
				}
			}
			if !to.(kernel.RankOneMixed).MixRankOne(from, v, eta) {
				t.Fatal("no step of rank one")
			}
			from, to = to, from
		}
		whole.SetTheta(theta)
		u, shift, _ := from.(kernel.ErrorBounded).ErrorBounds()
		off := 0.0
		for i := range n {
			for j := i; j < n; j++ {
				a, b := from.K().At(i, j), whole.K().At(i, j)
				allowed := u * math.Sqrt((whole.K().At(i, i)+shift)*(whole.K().At(j, j)+shift))
				if d := math.Abs(a - b); !(d <= 2*allowed) {
					t.Fatalf("%s: K[%d,%d] = %.15g after steps, %.15g at once, allowed %.2g", name, i, j, a, b, allowed)
				}
				off = max(off, math.Abs(a-b))
			}
		}
		if top := mat.Max(whole.K()); u > 1e-9 || off > 1e-12*top {
			t.Errorf("%s: accuracy %.2g, off by %.2g of %.2g", name, u, off, top)
		}
		// wᵀKw = ⟨P, D⟩ of sparse w with Σw = 0
		w, d := make([]float64, n), make([]float64, m)
		w[3], w[40], w[60] = 1, -2.5, 1.5
		whole.Gradient(d, w)
		want := mat.Inner(mat.NewVecDense(n, w), whole.K(), mat.NewVecDense(n, w))
		if got := floats.Dot(d, theta); math.Abs(got-want) > 1e-11*math.Abs(want) {
			t.Errorf("%s: ⟨P, D⟩ = %.15g, wᵀKw = %.15g", name, got, want)
		}
	}
}

func TestUnit(t *testing.T) {
	for name, c := range families() {
		r := rand.New(rand.NewPCG(5, 1))
		g := c.f.Bind(uniform(r, 30, c.d)).(*tessellated.Grams)
		m, n := g.Dims()
		q, _ := g.ThetaShape()
		theta := make([]float64, m)
		for i := range q {
			theta[i*q+i] = 1 / float64(q)
		}
		k := g.New()
		k.SetTheta(theta)
		mean := mat.Trace(k.K()) / float64(n)
		if c.f.UnitMeanDiagonal && math.Abs(mean-1) > 1e-12 {
			t.Errorf("%s: the mean diagonal is %.15g, want 1", name, mean)
		}
		if !c.f.Uncentered {
			s := 0.0
			for i := range n {
				for j := range n {
					s += k.K().At(i, j)
				}
			}
			if math.Abs(s) > 1e-11*mean*float64(n*n) {
				t.Errorf("%s: the entries of a centered K sum up to %g", name, s)
			}
		}
	}
}

func TestOutside(t *testing.T) {
	x := points.NewRows([][]float64{{0, 5}, {2, 5}, {1, 5}})
	g := tessellated.Family{Degree: 1, BoxMargin: 0.25}.Bind(x).(*tessellated.Grams)
	out, err := g.CheckNewPoints(points.NewRows([][]float64{{1, 5}, {2.6, 5}, {2.4, 7}, {-0.6, 5}}))
	if err != nil || !slices.Equal(out.PointIndices, []int{1, 3}) || out.HandlingText == "" {
		t.Errorf("outside are %v (%s), want 1 and 3: %v", out.PointIndices, out.HandlingText, err)
	}
	if _, err := g.CheckNewPoints(points.NewRows([][]float64{{1}})); err == nil {
		t.Error("meets points of another number of features")
	}
	if lo, hi := g.Box(); lo[0] != -0.5 || hi[0] != 2.5 {
		t.Errorf("the box is %v to %v", lo, hi)
	}
}

func TestBad(t *testing.T) {
	x := points.NewRows([][]float64{{0, 1}, {2, 3}, {1, 5}})
	wide := points.Rows{N: 2, D: 400, Data: make([]float64, 800)}
	same := points.NewRows([][]float64{{1, 1}, {1, 1}})
	for _, c := range []struct {
		f tessellated.Family
		x points.Points
	}{
		{tessellated.Family{Degree: -1}, x},
		{tessellated.Family{Basis: "z"}, x},
		{tessellated.Family{BoxMargin: math.NaN()}, x},
		{tessellated.Family{Lower: []float64{0, 0}, Upper: []float64{1, 0}}, x},
		{tessellated.Family{Lower: []float64{0, 0}, Upper: []float64{1, 1}, BoxMargin: 1}, x},
		{tessellated.Family{BoxMargin: 10}, wide},
		{tessellated.Family{Degree: 1000000}, x},
		{tessellated.Family{UnitMeanDiagonal: true}, same},
		{tessellated.Family{}, nil},
		{tessellated.Family{}, points.Indices{1, 2}},
	} {
		if err := c.f.Bind(c.x).Validate(); err == nil {
			t.Errorf("%+v on %T is accepted", c.f, c.x)
		} else {
			t.Log(err)
		}
	}
}
