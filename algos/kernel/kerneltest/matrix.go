package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

func (s *suite) checkKernelMatrix() {
	for k := range s.m {
		s.expect(s.g.Label(k) != "", "parameter %d has no label", k)
	}
	theta := s.randomTheta()
	thetaBefore := slices.Clone(theta)
	g := s.g.New()
	g.SetTheta(theta)
	k := denseEntries(g)
	s.expect(slices.Equal(theta, thetaBefore), "SetTheta changed its argument θ")
	s.expect(len(k) == s.n*s.n, "K has %d entries, want %d²", len(k), s.n)
	if !s.expect(!math.IsNaN(floats.Sum(k)) && !math.IsInf(maxAbs(k), 0), "K has entries that are not finite: %v", k) {
		return
	}
	s.expectPSD("K(θ)", k, 0)
	s.expect(slices.Equal(denseMatrixAt(s.g, thetaBefore), k), "a second Gram returns another K(θ) than the first")
	g.SetTheta(s.randomTheta())
	g.K()
	g.SetTheta(theta)
	s.expect(slices.Equal(denseEntries(g), k), "K(θ) differs after SetTheta to another θ and back")
	if r, ok := s.x.(points.Rows); ok {
		near := s.f.Bind(nearCopies(r))
		s.expectPSD("K(θ) of points that are nearly equal", denseMatrixAt(near, theta), 0)
	}
}

// nearCopies returns the first points of x, and copies of them at the relative distances 1e-2, 1e-4, 1e-6 and 0. A K
// with entries that belong to no kernel, such as a diagonal that is slightly too small, is not positive semidefinite
// there.
func nearCopies(x points.Rows) points.Rows {
	near, random := points.Rows{D: x.D}, rand.New(rand.NewPCG(3, 8))
	for i := range min(x.N, 4) {
		for _, distance := range []float64{0, 1e-2, 1e-4, 1e-6, 0} {
			for _, v := range x.Row(i) {
				near.Data = append(near.Data, v*(1+distance*random.NormFloat64()))
			}
			near.N++
		}
	}
	return near
}

// expectPSD reports an error if k, an n×n matrix, has an eigenvalue below −tolerance times the largest of scale and the
// absolute values of its eigenvalues.
func (s *suite) expectPSD(label string, k []float64, scale float64) {
	s.Helper()
	n := int(math.Round(math.Sqrt(float64(len(k)))))
	eigenvalues, _ := linalg.ThreadLimit(0).Eigen(mat.NewSymDense(n, slices.Clone(k)), false)
	largestMagnitude := max(scale, math.Abs(eigenvalues[0]), math.Abs(eigenvalues[n-1]))
	s.expect(eigenvalues[0] >= -tolerance*largestMagnitude, "%s has the eigenvalue %g; it must be at least %g",
		label, eigenvalues[0], -tolerance*largestMagnitude)
}

func (s *suite) checkConcurrentUse() {
	theta, w := s.randomTheta(), s.randomVector(s.n)
	secondGrams := s.f.Bind(s.x)
	var wg sync.WaitGroup
	ks, gs := make([][]float64, 4), make([][]float64, 4)
	for i := range ks {
		wg.Go(func() {
			ks[i], gs[i] = denseMatrixAt(secondGrams, theta), formGradientAt(secondGrams, theta, w)
			newGramAt(secondGrams.Slice([]int{0, 1, 2}), theta).K()
		})
	}
	wg.Wait()
	for i := range ks {
		s.expect(slices.Equal(ks[i], ks[0]) && slices.Equal(gs[i], gs[0]), "two Grams of the same family give "+
			"different numbers at the same θ")
	}
	s.expect(slices.Equal(ks[0], denseMatrixAt(s.g, theta)), "K(θ) differs after a second Bind to the same points")
}

// checkMatrixMethods compares products, diagonal and the factor Φ of K = ΦΦᵀ with the entries of K.
func (s *suite) checkMatrixMethods() {
	thetas := [][]float64{s.randomTheta(), s.randomTheta()}
	if s.isOrthant {
		firstUnitTheta := make([]float64, s.m)
		firstUnitTheta[s.m/2] = 0.7
		thetas = append(thetas, firstUnitTheta, make([]float64, s.m))
	}
	for _, theta := range thetas {
		k := denseMatrixAt(s.g, theta)
		g := newGramAt(s.g, theta)
		for range 2 { // the second time, the entries are already formed
			s.compareProducts(g.K(), k)
			s.expect(slices.Equal(denseEntries(g), k), "K differs after MulVec, Diagonal and LowRankFactor were called")
		}
		s.checkLowRankFactor(g.K(), k)
	}
}

// submatrix returns the submatrix of k, n×n, with the given rows and the same columns.
func submatrix(k []float64, n int, rows []int) (selected []float64) {
	for _, i := range rows {
		for _, j := range rows {
			selected = append(selected, k[i*n+j])
		}
	}
	return selected
}

func (s *suite) compareProducts(m *kernel.Matrix, k []float64) {
	n := m.SymmetricDim()
	w, got, diag, want := s.randomVector(n), make([]float64, n), make([]float64, n), make([]float64, n)
	m.MulVec(got, w)
	s.expectNear("Matrix.MulVec = Kw", got, mulVec(k, w), 0)
	m.Diagonal(diag)
	for i := range want {
		want[i] = k[i*n+i]
	}
	s.expectNear("the diagonal", diag, want, 0)
}

func (s *suite) checkLowRankFactor(m *kernel.Matrix, k []float64) {
	phi := m.LowRankFactor()
	if phi == nil {
		return
	}
	n, cols := phi.Dims()
	if !s.expect(n == s.n && cols < n, "the factor Φ is %d×%d, want %d rows and fewer columns", n, cols, s.n) {
		return
	}
	var p mat.Dense
	p.Mul(phi, phi.T())
	s.expectNear("ΦΦᵀ and K", p.RawMatrix().Data, k, 0)
	if q := mat.NewSymDense(cols, nil); m.StoreFactorGram(q) {
		var want mat.Dense
		want.Mul(phi.T(), phi)
		s.expectNear("StoreFactorGram = ΦᵀΦ", mat.DenseCopyOf(q).RawMatrix().Data, want.RawMatrix().Data, 0)
	}
}

func (s *suite) checkThetaShape() {
	rows, cols := s.g.ThetaShape()
	s.expect(rows >= 1 && cols >= 1 && rows*cols == s.m, "θ has the shape %d×%d, but %d parameters", rows, cols, s.m)
}

func (s *suite) checkThreadLimits() {
	theta, w := s.randomTheta(), s.randomVector(s.n)
	want, grad := denseMatrixAt(s.g, theta), formGradientAt(s.g, theta, w)
	for _, threads := range []int{1, 2, 0} {
		h := s.g.WithThreads(threads)
		m, n := h.Dims()
		s.expect(m == s.m && n == s.n && h.Label(m-1) == s.g.Label(m-1), "with %d threads, Dims returns %d "+
			"and %d, want %d and %d; or the last label is not %q", threads, m, n, s.m, s.n, s.g.Label(s.m-1))
		s.expectNear(fmt.Sprintf("K with %d threads", threads), denseMatrixAt(h, theta), want, 0)
		s.expectNear(fmt.Sprintf("Gradient with %d threads", threads), formGradientAt(h, theta, w), grad, 0)
		s.expectNear(fmt.Sprintf("Cross with %d threads", threads), crossEntries(h.Cross(s.x), theta, s.n, s.n),
			want, 0)
	}
}

func (s *suite) checkReuseAfterRelease() {
	theta := s.randomTheta()
	g := newGramAt(s.g, theta)
	k := denseEntries(g)
	otherGram := newGramAt(s.g, s.randomTheta())
	denseEntries(otherGram)
	otherGram.Release()
	s.expect(slices.Equal(denseMatrixAt(s.g, theta), k), "K(θ) in a Gram that reuses the storage of a released one "+
		"is not K(θ) in a new Gram")
	s.expect(slices.Equal(denseEntries(g), k), "a Gram changes while another one is released and used again")
}
