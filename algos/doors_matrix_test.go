package algos_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/registry"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// bilinear is the family of degree 1
//
//	k_P(x,z) = φ(x)ᵀPφ(z),  φ(x) = (1, x),  θ = vec P, q×q with q = d+1.
//
// K(θ) = ΦPΦᵀ ⪰ 0 for P ⪰ 0; a single ∂K/∂P_ij = φ_iφ_jᵀ is not. Of a P that is not symmetric the
// symmetric part counts.
type bilinear struct{}

// itself is the family K(θ) = θ on places of an N×N matrix: every entry of K is a parameter.
type itself struct{ N int }

func init() { registry.Register(bilinear{}); registry.Register(itself{}) }

// labels counts what was asked for names of parameters.
var labels atomic.Int64

// matrixGrams is K = ΦPΦᵀ with the features of points; of itself φ(place i) is the i-th axis, which is
// not formed.
type matrixGrams struct {
	family kernel.Family
	x      kernel.Points
	q      int
	phi    *mat.Dense // n×q
	places kernel.Places
	bad    error
	bound  int // of threads; 0 for all
}

func (f bilinear) On(x kernel.Points) kernel.Grams {
	g := &matrixGrams{family: f, x: x}
	rows, ok := x.(kernel.Rows)
	switch {
	case !ok:
		g.bad = fmt.Errorf("bilinear: points are %T, want kernel.Rows", x)
	default:
		if g.bad = rows.Validate(); g.bad == nil && rows.N == 0 {
			g.bad = errors.New("bilinear: no points")
		}
	}
	if g.bad == nil {
		g.q = rows.D + 1
		g.phi = mat.NewDense(rows.N, g.q, nil)
		for i := range rows.N {
			g.phi.Set(i, 0, 1)
			copy(g.phi.RawRowView(i)[1:], rows.Row(i))
		}
	}
	return g
}

func (f itself) On(x kernel.Points) kernel.Grams {
	g := &matrixGrams{family: f, x: x, q: f.N}
	p, ok := x.(kernel.Places)
	if !ok || len(p) == 0 {
		g.bad = fmt.Errorf("itself: points are %T, want kernel.Places, at least one", x)
	}
	for i, v := range p {
		if v < 0 || v >= f.N {
			g.bad = fmt.Errorf("itself: point %d has place %d, want 0 to %d", i+1, v, f.N-1)
		}
	}
	g.places = p
	return g
}

func (g *matrixGrams) Dims() (m, n int) {
	if g.x != nil {
		n = g.x.Len()
	}
	return g.q * g.q, n
}

func (g *matrixGrams) Label(k int) string {
	labels.Add(1)
	return fmt.Sprintf("P[%d,%d]", k/g.q, k%g.q)
}

func (g *matrixGrams) Degree() int             { return 1 }
func (g *matrixGrams) Shape() (rows, cols int) { return g.q, g.q }
func (g *matrixGrams) Validate() error         { return g.bad }

// Threads returns a copy that shares Φ. Nothing here is large: only the bound is told apart.
func (g *matrixGrams) Threads(n int) kernel.Grams {
	b := *g
	b.bound = n
	return &b
}

func (g *matrixGrams) Slice(rows []int) kernel.Grams {
	return g.family.On(g.x.Slice(rows)).Threads(g.bound)
}

func (g *matrixGrams) Block(rows, cols []int) kernel.Cross {
	return g.Slice(cols).(*matrixGrams).Cross(g.x.Slice(rows))
}

func (g *matrixGrams) Cross(z kernel.Points) kernel.Cross {
	return &matrixCross{g.family.On(z).(*matrixGrams), g}
}

// between stores φ(z_i)ᵀPφ(x_j), P = (θ+θᵀ)/2.
func between(dst *mat.Dense, z, x *matrixGrams, theta []float64) {
	q := x.q
	if x.phi == nil {
		for i, a := range z.places {
			for j, b := range x.places {
				dst.Set(i, j, (theta[a*q+b]+theta[b*q+a])/2)
			}
		}
		return
	}
	var t mat.Dense
	t.Mul(z.phi, symmetric(theta))
	dst.Mul(&t, x.phi.T())
}

type matrixCross struct{ z, x *matrixGrams }

func (c *matrixCross) Gram(dst *mat.Dense, theta []float64) { between(dst, c.z, c.x, theta) }

func (g *matrixGrams) New() kernel.Gram {
	_, n := g.Dims()
	return &matrixGram{g: g, full: mat.NewDense(n, n, nil), k: mat.NewSymDense(n, nil)}
}

type matrixGram struct {
	g    *matrixGrams
	full *mat.Dense
	k    *mat.SymDense
}

func (g *matrixGram) At(theta []float64) {
	between(g.full, g.g, g.g, theta)
	n := g.k.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			g.k.SetSym(i, j, (g.full.At(i, j)+g.full.At(j, i))/2)
		}
	}
}

func (g *matrixGram) Release() {}

func (g *matrixGram) K() *mat.SymDense { return g.k }

// Gradient is vec(Φᵀw wᵀΦ).
func (g *matrixGram) Gradient(dst, w []float64) {
	q := g.g.q
	v := make([]float64, q)
	if g.g.phi == nil {
		for i, p := range g.g.places {
			v[p] += w[i]
		}
	} else {
		for i, c := range w {
			floats.AddScaled(v, c, g.g.phi.RawRowView(i))
		}
	}
	for i := range q {
		for j := range q {
			dst[i*q+j] = v[i] * v[j]
		}
	}
}

// features is ΦΦᵀ of the family: K(I).
func (g *matrixGrams) features() *mat.SymDense {
	at := g.New()
	eye := make([]float64, g.q*g.q)
	for i := range g.q {
		eye[i*g.q+i] = 1
	}
	at.At(eye)
	return at.K()
}

func TestBilinear(t *testing.T) {
	x, _ := mkltest.Points(9, 3, 1)
	kerneltest.TestFamily(t, bilinear{}, x, kerneltest.Draw(psd))
	g := bilinear{}.On(x)
	// a single derivative is indefinite: wᵀ(φ_iφ_jᵀ)w has both signs
	r, lo, hi := rand.New(rand.NewPCG(1, 1)), 0.0, 0.0
	dst, w := make([]float64, 16), make([]float64, 9)
	at := g.New()
	at.At(make([]float64, 16))
	for range 20 {
		for i := range w {
			w[i] = r.NormFloat64()
		}
		at.Gradient(dst, w)
		lo, hi = min(lo, dst[1]), max(hi, dst[1])
	}
	if !(lo < 0 && hi > 0) {
		t.Errorf("wᵀ(∂K/∂P_12)w is between %g and %g, want both signs", lo, hi)
	}
}

func TestItself(t *testing.T) {
	kerneltest.TestFamily(t, itself{7}, kernel.AllPlaces(7), kerneltest.Draw(psd))
	kerneltest.TestFamily(t, itself{7}, kernel.Places{2, 2, 0, 6, 5, 1, 1, 3}, kerneltest.Draw(psd))
}
