package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MatrixFree returns a copy of p whose Grams never form K(θ). For each w, EvaluateAt and Certify need one pass over the
// entries of the base matrices (kernel.Sweep), whatever θ. It is for more points than an n×n matrix has room for. It
// needs about ten vectors of n numbers for each base matrix and column of w. EvaluateAt, CertifyAt and Subspace accept
// a matrix-free problem. Evaluate, with which most solvers begin, returns an error. If p is matrix-free already,
// MatrixFree returns p.
func (p *Problem) MatrixFree() (*Problem, error) {
	if _, made := p.Grams.(*matrixFree); made {
		return p, nil
	}
	s, err := p.sweep()
	if err != nil {
		return nil, err
	}
	q := *p
	q.Grams = newMatrixFree(p.Grams, s)
	return &q, nil
}

// sweep returns the Sweep of the base matrices.
func (p *Problem) sweep() (kernel.Sweep, error) {
	return p.Grams.Sweep()
}

// EvaluateAt returns the Point of the dual coefficients w at θ, for Certify, without solving anything. If w is not
// feasible, for example beyond C, the lower bound is the one for w = 0. Entries of w at missing targets are ignored.
// For a matrix-free problem EvaluateAt makes one pass, and returns the error of that pass, such as the end of ctx.
func (p *Problem) EvaluateAt(ctx context.Context, theta, w []float64) (*Point, error) {
	if err := errors.Join(checkContext(ctx), p.Validate()); err != nil {
		return nil, err
	}
	pt := p.NewPoint()
	if err := pt.checkMemory(); err != nil {
		return nil, err
	}
	if err := p.checkTheta(theta); err != nil {
		return nil, fmt.Errorf("mkl: %w", err)
	}
	if len(w) != len(p.Y) {
		return nil, fmt.Errorf("mkl: got %d dual coefficients for %d targets; pass one per target", len(w), len(p.Y))
	}
	if i := slices.IndexFunc(w, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); i >= 0 {
		return nil, fmt.Errorf("mkl: w[%d] = %g; pass finite dual coefficients", i, w[i])
	}
	w = slices.Clone(w)
	for i, y := range p.Y {
		if math.IsNaN(y) {
			w[i] = 0
		}
	}
	copy(pt.Theta, theta)
	pt.Gram.At(pt.Theta)
	if g, ok := pt.Gram.(*matrixFreeGram); ok { // one pass for all columns
		if _, err := g.look(ctx, w); err != nil {
			return nil, fmt.Errorf("mkl: a pass: %w", err)
		}
	}
	pt.judge(w)
	return pt, nil
}

// CertifyAt bounds how far the function f = K(θ)w is from the minimum of F, without solving anything. It is for the
// squared loss without a regularizer, and for any θ ∈ Θ and w:
//
//	Upper  ½wᵀK(θ)w + (1/2λ)‖y − K(θ)w‖²  ≥ F(θ)
//	Lower  by duality, from w and, if that is at most 0.99 Upper, also from α = (y − f)/λ
//
// CertifyAt makes one pass over the base matrices for f and one for α. The pass for f skips each block of a matrix if w
// is 0 at all its row and column points. CertifyAt returns an error if the family has no sweep or if ctx ends. If the
// second pass is stopped or fails, the certificate is the one that the first pass proved, of Kind Global. With any
// other error it is Certificate{}, which proves nothing.
func (p *Problem) CertifyAt(ctx context.Context, theta, w []float64) (Certificate, error) {
	if err := errors.Join(checkContext(ctx), p.Validate()); err != nil {
		return Certificate{}, err
	}
	lambda, hinge, ok := ridge(p.Loss)
	if !ok || hinge || p.Reg != nil || floats.HasNaN(p.Y) {
		return Certificate{}, errors.New("mkl: a certificate of a function needs the squared loss, every target in " +
			"every column, and no regularizer")
	}
	if !p.Set.Traits().Nonnegative {
		return Certificate{}, fmt.Errorf("mkl: a certificate of a function needs θ ≥ 0, %v has others, of which K(θ) "+
			"may be indefinite", p.Set)
	}
	if m, _ := p.Grams.Dims(); len(theta) == m && !p.Set.Contains(theta) {
		return Certificate{}, fmt.Errorf("mkl: a function of a θ outside Θ, of which nothing is claimed: %v", p.Set)
	}
	q, err := p.MatrixFree()
	if err != nil {
		return Certificate{}, err
	}
	pt, err := q.EvaluateAt(ctx, theta, w)
	if err != nil {
		return Certificate{}, err
	}
	c, err := q.Certify(pt, false)
	if err != nil || c.Lower > 0.99*c.Upper {
		return c, err
	}
	alpha := make([]float64, len(w))
	pt.Gram.(*matrixFreeGram).times(alpha, w)
	for i, y := range p.Y {
		alpha[i] = (y - alpha[i]) / lambda
	}
	if pt, err = q.EvaluateAt(ctx, theta, alpha); err != nil {
		return c, err
	}
	better, err := q.Certify(pt, false)
	if err == nil {
		err = pt.contradiction(better.Lower, c.Upper, better.By)
	}
	if err != nil {
		return Certificate{}, err
	}
	c.TightenLower(better)
	return c, nil
}

// matrixFree is a Grams of degree 1 that passes over its base matrices and does not store them.
type matrixFree struct {
	kernel.Grams
	sweep     kernel.Sweep
	diagonals [][]float64 // of the base matrices, m×n
	lift      []float64   // diagonal shifts of the base matrices, m
}

func newMatrixFree(of kernel.Grams, s kernel.Sweep) *matrixFree {
	m, n := of.Dims()
	g := &matrixFree{Grams: of, sweep: s, diagonals: matrix(m, n), lift: make([]float64, m)}
	s.Diagonals(g.diagonals, g.lift)
	return g
}

// matrix returns m rows of n zeros.
func matrix(m, n int) [][]float64 {
	a, data := make([][]float64, m), make([]float64, m*n)
	for k := range a {
		a[k] = data[k*n : (k+1)*n]
	}
	return a
}

// IsDense returns false.
func (g *matrixFree) IsDense() bool { return false }

// Sweep returns the stored Sweep.
func (g *matrixFree) Sweep() (kernel.Sweep, error) { return g.sweep, nil }

// Threads and Slice return matrix-free Grams too, if the base matrices still have a Sweep.
func (g *matrixFree) Threads(n int) kernel.Grams    { return again(g.Grams.Threads(n)) }
func (g *matrixFree) Slice(rows []int) kernel.Grams { return again(g.Grams.Slice(rows)) }

func again(of kernel.Grams) kernel.Grams {
	s, err := of.Sweep()
	if err != nil { // invalid points, for which Validate returns an error
		return of
	}
	return newMatrixFree(of, s)
}

// New returns a Gram that stores the images K_kw of one w.
func (g *matrixFree) New() kernel.Gram { return &matrixFreeGram{g: g} }

// matrixFreeGram represents K(θ) by the images K_kw of one w. It computes the images again for another w.
type matrixFreeGram struct {
	g     *matrixFree
	theta []float64

	lock   sync.Mutex  // several columns may call look at once
	w      []float64   // n·c, one column after the other
	images [][]float64 // m×n·c
}

var _ kernel.ErrorBounded = (*matrixFreeGram)(nil)

// At sets θ.
func (s *matrixFreeGram) At(theta []float64) { s.theta = append(s.theta[:0], theta...) }

// errMatrixFree is the error of Evaluate for a matrix-free problem.
var errMatrixFree = errors.New("a matrix-free problem does not form K(θ); use Subspace, or the original problem")

// K returns K(θ) without entries.
func (s *matrixFreeGram) K() *kernel.Matrix {
	_, n := s.g.Dims()
	return kernel.NewMatrix(n, kernel.Form{
		Dense:    func() *mat.SymDense { panic("mkl: " + errMatrixFree.Error()) },
		Times:    s.times,
		Diagonal: s.diagonal,
		Bounds:   s.Bounds,
	})
}

// Release does nothing.
func (s *matrixFreeGram) Release() {}

// look returns the images of w, read-only. It makes a pass for them unless w is 0, the last w, or a column of the last
// w.
func (s *matrixFreeGram) look(ctx context.Context, w []float64) ([][]float64, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	m, n := s.g.Dims()
	if floats.Norm(w, 1) == 0 {
		return matrix(m, len(w)), nil
	}
	for from := 0; from+len(w) <= len(s.w); from += n {
		if slices.Equal(s.w[from:from+len(w)], w) {
			part := make([][]float64, m)
			for k, p := range s.images {
				part[k] = p[from : from+len(w)]
			}
			return part, nil
		}
	}
	images := matrix(m, len(w))
	if err := s.g.sweep.Images(ctx, images, w); err != nil {
		return nil, err
	}
	s.w, s.images = slices.Clone(w), images
	return images, nil
}

// known returns the images of w without an error. It is for images that EvaluateAt or a step has computed with look,
// which handled the error; known panics on an error.
func (s *matrixFreeGram) known(w []float64) [][]float64 {
	images, err := s.look(context.Background(), w)
	if err != nil {
		panic(err)
	}
	return images
}

// EvaluateExtended returns false: it would need another pass.
func (s *matrixFreeGram) EvaluateExtended(f, v, w []float64) bool { return false }

// times stores Σ_k θ_kK_kw in dst.
func (s *matrixFreeGram) times(dst, w []float64) {
	clear(dst)
	for k, p := range s.known(w) {
		linalg.Axpy(s.theta[k], p, dst)
	}
}

// diagonal stores Σ_k θ_kK_k,ii in dst.
func (s *matrixFreeGram) diagonal(dst []float64) {
	clear(dst)
	for k, t := range s.theta {
		linalg.Axpy(t, s.g.diagonals[k], dst)
	}
}

// Gradient stores wᵀK_kw in dst[k]. For a unit vector it needs no pass.
func (s *matrixFreeGram) Gradient(dst, w []float64) {
	other := func(v float64) bool { return v != 0 }
	if i := slices.IndexFunc(w, other); i >= 0 && w[i] == 1 && !slices.ContainsFunc(w[i+1:], other) {
		for k, d := range s.g.diagonals {
			dst[k] = d[i]
		}
		return
	}
	for k, p := range s.known(w) {
		dst[k] = inParts(w, p)
	}
}

// part is the number of terms that inParts sums at a time.
const part = 512

// inParts returns Σ x_iy_i with an error of at most (part + n/part + 2)ε Σ|x_iy_i|.
func inParts(x, y []float64) (sum float64) {
	for len(x) > part {
		sum += linalg.Dot(x[:part], y)
		x, y = x[part:], y[part:]
	}
	return sum + linalg.Dot(x, y)
}

// Bounds returns bounds for products with K(θ), not for its entries. A caller adds n rounding errors for a product of
// n terms. The sum of both bounds the error of an image and of the sum over k. The diagonal shift of K(θ) is the sum of
// θ_k times the shifts of the base matrices.
func (s *matrixFreeGram) Bounds() (entries, shift, lift float64) {
	m := len(s.theta)
	for k, t := range s.theta {
		lift += t * s.g.lift[k]
	}
	return s.g.sweep.Error() + linalg.Gamma(m+4), 0, lift * (1 + linalg.Gamma(m+4))
}

// GradientError stores in dst[k] a bound of the error of wᵀK_kw: the errors of an image and of a sum.
func (s *matrixFreeGram) GradientError(dst, w []float64) {
	e := s.g.sweep.Error() + linalg.Gamma(part+len(w)/part+4)
	for k, t := range s.g.sizes(w) {
		dst[k] = e * t * t
	}
}

// sizes returns Σ_i √K_k,ii|w_i| for each k, enlarged by a bound of its rounding error.
func (g *matrixFree) sizes(w []float64) []float64 {
	t := make([]float64, len(g.diagonals))
	for k, d := range g.diagonals {
		for i, v := range w {
			t[k] += math.Sqrt(max(d[i], 0)) * max(v, -v)
		}
		t[k] *= 1 + linalg.Gamma(len(w)+4)
	}
	return t
}
