package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/mat"
)

// few says that K(θ) = ΦΦᵀ with Φ of at most so many columns, so that no n×n matrix is made.
func few(g kernel.Grams, most int) bool {
	if _, n := g.Dims(); n > 2*most {
		g = g.Slice(upTo(2 * most))
	}
	gram := g.New()
	r, ok := gram.(kernel.Rooted)
	if !ok {
		return false
	}
	m, _ := g.Dims()
	theta := make([]float64, m)
	for k := range theta {
		theta[k] = 1
	}
	gram.At(theta)
	return r.Root() != nil
}

// fitAll returns the dual coefficients w of the p landmarks that fit all n points of the training part:
// of each column of targets y, less its mean, the minimiser of
//
//	½ wᵀWw + (1/2λ) ‖y − Cw‖²,  (CᵀC + λW)w = Cᵀy,
//
// W = K(θ) of the landmarks, p×p, and C that between all points and them, n×p. It is kernel ridge
// regression on the functions Σ_j w_j k_θ(·, z_j): the subset of regressors, where the dual
// coefficients of all other points are 0. C is made some rows at a time: O(np² + p³) time and O(p²)
// memory.
//
// λ is the one of f.lambdas times that of the weights whose error on the points f.hold is least, fitted
// without these; then all are fitted.
//
// References:
//   - C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, eq. (8.14).
func (f *fold) fitAll(ctx context.Context, g kernel.Grams, theta []float64, lambda float64) (w, offsets []float64, value float64, err error) {
	y, offsets, err := columns(f.labels(f.split.Train), f.code, loss.Squared{}, f.centre)
	if err != nil {
		return nil, nil, 0, err
	}
	gram := g.New()
	gram.At(theta)
	n, p := len(f.split.Train), len(f.landmarks)
	s := &normal{p: p, c: len(offsets), w: gram.K(), a: make([]float64, p*p), b: make([]float64, p*len(offsets)), on: linalg.Bound(1)} // tasks run beside each other
	held := map[int]bool{}
	for _, i := range f.hold {
		held[i] = true
	}
	const block = 512
	c := mat.NewDense(block, p, nil)
	// matrix is C of some points, in dst, and their targets, row after row.
	matrix := func(dst *mat.Dense, places []int) (*mat.Dense, []float64) {
		part, targets := dst.Slice(0, len(places), 0, p).(*mat.Dense), make([]float64, 0, len(places)*s.c)
		g.Cross(f.x.Slice(at(f.split.Train, places))).Gram(part, theta)
		for _, t := range places {
			for j := range s.c {
				targets = append(targets, y[j*n+t])
			}
		}
		return part, targets
	}
	var fitted, out []int // places in the training part
	for t, i := range f.split.Train {
		if held[i] {
			out = append(out, t)
		} else {
			fitted = append(fitted, t)
		}
	}
	for part := range slices.Chunk(fitted, block) {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		s.add(matrix(c, part))
	}
	value = lambda
	if out != nil {
		kept, left := matrix(mat.NewDense(len(out), p, nil), out)
		if value, err = s.choose(ctx, lambda, f.lambdas, kept, left, offsets, f.code, f.by); err != nil {
			return nil, nil, 0, err
		}
		s.add(kept, left)
	}
	w, err = s.solve(value)
	return w, offsets, value, err
}

// normal is the normal equations of fitAll.
type normal struct {
	p, c int
	w    *mat.SymDense // W
	a, b []float64     // CᵀC, upper triangle; CᵀY, p×c
	on   linalg.Bound
}

// add adds some rows of C with their targets, row after row.
func (s *normal) add(c *mat.Dense, y []float64) {
	r := c.RawMatrix()
	s.on.Syrk(true, s.p, r.Rows, 1, r.Data, r.Stride, 1, s.a, s.p)
	s.on.Gemm(true, false, s.p, s.c, r.Rows, 1, r.Data, r.Stride, y, s.c, 1, s.b, s.c)
}

// solve returns w for λ, column after column. What the factor rounds, at most a few ulp of the trace of
// CᵀC, is added to the diagonal, so that there is one: W has eigenvalues of the order of rounding.
func (s *normal) solve(lambda float64) ([]float64, error) {
	m := mat.NewSymDense(s.p, nil)
	d, trace := m.RawSymmetric().Data, 0.0
	for i := range s.p {
		for j := i; j < s.p; j++ {
			d[i*s.p+j] = s.a[i*s.p+j] + lambda*s.w.At(i, j)
		}
		trace += d[i*s.p+i]
	}
	if trace == 0 { // K = 0, as without skill: any w predicts the same
		return make([]float64, s.p*s.c), nil
	}
	f := linalg.Cholesky{Threads: int(s.on)}
	for shift := 4 * linalg.Epsilon * trace; ; shift *= 100 {
		if f.Factorize(m, shift) {
			break
		}
		if !(shift < 1e-6*trace) {
			return nil, fmt.Errorf("%w: CᵀC + %.4g·W has no Cholesky factor", loss.ErrNotPSD, lambda)
		}
	}
	w := make([]float64, s.p*s.c)
	for j := range s.c {
		column := w[j*s.p : (j+1)*s.p]
		for i := range column {
			column[i] = s.b[i*s.c+j]
		}
		f.SolveVec(column, column)
	}
	return w, nil
}

// choose returns the λ with the least error on the points whose rows of C and targets are left.
func (s *normal) choose(ctx context.Context, lambda float64, times []float64, c *mat.Dense, y, offsets []float64, code model.Code, by Metric) (float64, error) {
	cells := make([]Cell, len(times))
	at, target := make([]float64, s.c), make([]float64, s.c)
	f := make([]float64, len(y)/s.c*s.c)
	for k, t := range times {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		cells[k].Value = lambda * t
		w, err := s.solve(lambda * t)
		if errors.Is(err, loss.ErrNotPSD) {
			cells[k].Failed++
			continue
		}
		if err != nil {
			return 0, err
		}
		rows := len(y) / s.c
		for j := range s.c {
			linalg.MulVec(f[j*rows:(j+1)*rows], false, c, w[j*s.p:(j+1)*s.p])
		}
		for i := range rows {
			square := 0.0
			for j := range s.c {
				at[j], target[j] = f[j*rows+i], y[i*s.c+j]
				square += (at[j] - target[j]) * (at[j] - target[j]) / float64(s.c)
				at[j], target[j] = at[j]+offsets[j], target[j]+offsets[j]
			}
			cells[k].add(1, square, code.Classes > 0 && code.Decide(at) != code.Decide(target))
		}
	}
	b := best(cells, by)
	if b < 0 || math.IsNaN(cells[b].Square) {
		return lambda, nil
	}
	return cells[b].Value, nil
}
