package mkl

import (
	"context"
	"errors"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Swept returns p with Grams that never form K(θ): what a Point judges and Certify proves takes one pass over the
// entries of the base matrices (kernel.Sweep) for each w, whatever θ, and O(mn) memory. It is for more points than an
// n×n matrix has room for. Point.Judge works; Evaluate does not, whose loss factorises K(θ).
func (p *Problem) Swept() (*Problem, error) { return p.SweptBy(1, nil) }

// SweptBy is Swept with passes that run stores in dst, m×n: the sum of so many parts of kernel.Sweep.Images, made on
// several machines perhaps. What is proved is as true as that sum. If run is nil, passes are made here.
func (p *Problem) SweptBy(parts int, run func(ctx context.Context, dst [][]float64, w []float64) error) (*Problem,
	error) {
	if _, ok := p.Grams.(*swept); ok {
		return p, nil
	}
	a, ok := p.Grams.(kernel.Additive)
	if !ok {
		return nil, errors.New("mkl: a family whose base matrices cannot be swept")
	}
	s, err := a.Sweep()
	if err != nil {
		return nil, err
	}
	q := *p
	m, _ := p.Grams.Dims()
	g := &swept{Grams: p.Grams, sweep: s, run: run, added: float64(parts-1) * linalg.Epsilon, lift: make([]float64, m)}
	if run == nil {
		g.run = func(ctx context.Context, dst [][]float64, w []float64) error { return s.Images(ctx, dst, w, 0, 1) }
	}
	g.diagonals = g.matrix()
	s.Diagonals(g.diagonals, g.lift)
	q.Grams = g
	return &q, nil
}

// swept are Grams of degree 1 whose base matrices are swept.
type swept struct {
	kernel.Grams
	sweep     kernel.Sweep
	run       func(ctx context.Context, dst [][]float64, w []float64) error // a pass
	added     float64                                                       // error of the sum of its parts
	diagonals [][]float64                                                   // of the base matrices, m×n
	lift      []float64                                                     // m
}

// error is that of an image: kernel.Sweep, and the sum of its parts.
func (g *swept) error() float64 { return g.sweep.Error() + g.added }

// matrix is m×n numbers.
func (g *swept) matrix() [][]float64 {
	m, n := g.Dims()
	a, data := make([][]float64, m), make([]float64, m*n)
	for k := range a {
		a[k] = data[k*n : (k+1)*n]
	}
	return a
}

// New returns a Gram with room for the images of one w.
func (g *swept) New() kernel.Gram { return &sweptGram{g: g} }

// sweptGram is K(θ) by the images K_kw of one w, made when another w is asked for.
type sweptGram struct {
	g      *swept
	theta  []float64
	w      []float64
	images [][]float64
}

var (
	_ kernel.Compact  = (*sweptGram)(nil)
	_ kernel.Accurate = (*sweptGram)(nil)
)

// At moves to θ.
func (s *sweptGram) At(theta []float64) { s.theta = append(s.theta[:0], theta...) }

// K panics.
func (s *sweptGram) K() *mat.SymDense { panic("mkl: K(θ) of a problem that is swept is not formed") }

// Release keeps nothing.
func (s *sweptGram) Release() {}

// look makes the images of w, unless they are there.
func (s *sweptGram) look(ctx context.Context, w []float64) error {
	if s.images != nil && slices.Equal(s.w, w) {
		return nil
	}
	if s.images == nil {
		s.images = s.g.matrix()
	}
	s.w = s.w[:0]
	if floats.Norm(w, 1) == 0 {
		for _, p := range s.images {
			clear(p)
		}
	} else if err := s.g.run(ctx, s.images, w); err != nil {
		return err
	}
	s.w = append(s.w, w...)
	return nil
}

// known is look without an end.
func (s *sweptGram) known(w []float64) {
	if err := s.look(context.Background(), w); err != nil {
		panic(err)
	}
}

// Times stores Σ_k θ_kK_kw.
func (s *sweptGram) Times(dst, w []float64) bool {
	s.known(w)
	clear(dst)
	for k, t := range s.theta {
		linalg.Axpy(t, s.images[k], dst)
	}
	return true
}

// Diagonal stores Σ_k θ_kK_k,ii.
func (s *sweptGram) Diagonal(dst []float64) bool {
	clear(dst)
	for k, t := range s.theta {
		linalg.Axpy(t, s.g.diagonals[k], dst)
	}
	return true
}

// Root, Inner and Triangle say that there is none.
func (s *sweptGram) Root() *mat.Dense         { return nil }
func (s *sweptGram) Inner(*mat.SymDense) bool { return false }
func (s *sweptGram) Triangle() []float64      { return nil }

// Gradient stores wᵀK_kw.
func (s *sweptGram) Gradient(dst, w []float64) {
	s.known(w)
	for k, p := range s.images {
		dst[k] = inParts(w, p)
	}
}

// part is how many terms inParts adds up at a time.
const part = 512

// inParts is Σ x_iy_i, off by at most (part + n/part + 2)ε Σ|x_iy_i|.
func inParts(x, y []float64) (sum float64) {
	for len(x) > part {
		sum += linalg.Dot(x[:part], y)
		x, y = x[part:], y[part:]
	}
	return sum + linalg.Dot(x, y)
}

// Accuracy is of products, not of entries: with the n terms that a product may be off by for them, it is the error of
// an image and of the sum over k. The base matrices are lifted; K(θ) has their lifts.
func (s *sweptGram) Accuracy() (entries, shift, lift float64) {
	m := len(s.theta)
	for k, t := range s.theta {
		lift += t * s.g.lift[k]
	}
	return s.g.error() + float64(m+4)*linalg.Epsilon, 0, lift * (1 + float64(m+4)*linalg.Epsilon)
}

// GradientError is that of an image and of a sum.
func (s *sweptGram) GradientError(dst, w []float64) {
	e := s.g.error() + float64(part+len(w)/part+4)*linalg.Epsilon
	for k, t := range s.g.sizes(w) {
		dst[k] = e * t * t
	}
}

// sizes are Σ_i √K_k,ii|w_i|, with room for their rounding.
func (g *swept) sizes(w []float64) []float64 {
	t := make([]float64, len(g.diagonals))
	for k, d := range g.diagonals {
		for i, v := range w {
			t[k] += root(d[i]) * max(v, -v)
		}
		t[k] *= 1 + float64(len(w)+4)*linalg.Epsilon
	}
	return t
}
