package kernel

import (
	"hash/fnv"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// lift returns δ_k, what has to be added to the diagonal of base matrix k for it to be positive semidefinite as stored.
// diag is its diagonal, x are the prepared points. A kernel that is so in exact arithmetic misses it by the rounding of
// the entries, u√(k_iik_jj), at most u times the trace. A power of an exponential has the rounding of its factors,
// centring that of what was before, and Cosine magnifies it. fit is nil where the matrix is neither centred nor
// normalised. Where it is centred, a is the packed matrix, and a smaller δ is sought by Cholesky factors if those take
// less than some seconds.
func (b *baseMatrices) lift(k int, a, diag []float64, x points.Points, fit *baseFit) float64 {
	n, trace, u := x.Len(), 0.0, b.rounded(k)
	if fit != nil && fit.centring != nil {
		u += float64(n) * linalg.Epsilon // of sums of n entries
	}
	times := 1.0
	if fit != nil {
		times = fit.scale
		for _, v := range fit.inverse {
			times = math.Max(times, v*v)
		}
	}
	for i := range n {
		switch {
		case fit == nil || fit.centring == nil:
			trace += diag[i]
		case fit.inverse != nil:
			trace += 4 * fit.top * fit.inverse[i] * fit.inverse[i]
		default:
			trace += 4 * fit.top * fit.scale
		}
	}
	shift, most := u*trace, 0.0
	for j, own := range b.diagonalShift(&b.kernels[k], x) {
		if fit != nil && fit.centring == nil && fit.inverse != nil {
			most = max(most, own*fit.inverse[j]*fit.inverse[j])
		} else {
			most = max(most, own*times)
		}
	}
	if most > 0 {
		shift += most * repetitions(x) // PKPᵀ of a K of fewer points
	}
	if cost := float64(n) * float64(n) * float64(n); fit != nil && fit.centring != nil &&
		cost*float64(len(b.kernels)) < 1e11 {
		shift = math.Min(shift, leastShift(unpack(a, n)))
	}
	return shift
}

// rounded is u with entries of base matrix k off by at most u√(k_iik_jj).
func (b *baseMatrices) rounded(k int) float64 {
	u := 64.0
	if x, ok := b.x.(points.Featured); ok {
		d, _ := x.Features()
		u += 8 * float64(d)
	}
	return (u*operations(b.kernels[k]) + b.powered(k)) * linalg.Epsilon
}

// raise adds shift to the diagonal of a packed matrix.
func raise(a []float64, n int, shift float64) {
	for i := range n {
		a[tri(n, i)] += shift
	}
}

// repetitions is how often the most frequent of points x occurs.
func repetitions(x points.Points) float64 {
	count, most := map[any]int{}, 1
	for i := range x.Len() {
		var key any
		if p, ok := x.(points.Indices); ok {
			key = p[i]
		} else {
			h := fnv.New128a()
			x.Slice([]int{i}).Digest(h)
			key = string(h.Sum(nil))
		}
		count[key]++
		most = max(most, count[key])
	}
	return float64(most)
}

// leastShift returns a δ ≥ 0 with A + δI positive semidefinite: the first of some that leaves a
// Cholesky factor, from rounding to 1e-10 of the largest diagonal entry; +Inf if none does. The
// factor is that of a matrix within n(n+1)ε of that entry.
func leastShift(a *mat.SymDense) float64 {
	n, top := float64(a.SymmetricDim()), 0.0
	for i := range a.SymmetricDim() {
		top = math.Max(top, a.At(i, i))
	}
	for part := 4 * n * linalg.Epsilon; ; part *= 10 {
		part = math.Min(part, 1e-10)
		if linalg.IsPSD(a, part) {
			return (part + n*(n+1)*linalg.Epsilon) * top
		}
		if part == 1e-10 {
			return math.Inf(1)
		}
	}
}

// diagonal stores S_ii.
func (g *sumGram) diagonal(dst []float64) {
	clear(dst)
	for k, t := range g.theta {
		for i, r := range g.g.norms()[k] {
			dst[i] += math.Abs(t) * r * r
		}
	}
}

// norms are √k̃(x_i,x_i) of each base kernel, n of them.
func (g *fittedSum) norms() [][]float64 {
	g.rounding.Do(func() {
		_, n := g.Dims()
		g.norm = make([][]float64, len(g.k))
		for k, fit := range g.fits {
			g.norm[k] = make([]float64, n)
			for i, v := range fit.diag {
				g.norm[k][i] = math.Sqrt(math.Max(v, 0))
			}
		}
	})
	return g.norm
}

// Accuracy returns the rounding of m products and sums and of the power, no shift, because the base
// matrices are positive semidefinite, and so are their sum and its elementwise power (Schur), and for the lift
// max_i d·S_ii^{d−1}δ ≥ S_ii^d − (S_ii − δ)^d, δ = Σ_kθ_kδ_k and the rounding of the diagonals that were lifted.
// After Mix no bound of the rounding is known.
func (g *sumGram) Accuracy() (entries, shift, lift float64) {
	added := 0.0
	for k, t := range g.theta {
		added += math.Abs(t) * (g.g.base.shifts[k]*max(g.g.copies, 1) + g.g.fits[k].shift)
	}
	if added > 0 {
		size := sized(&g.product, g.n)
		g.diagonal(size)
		s := floats.Max(size)
		lift = float64(g.g.d) * integerPower(s, g.g.d-1) * (added + 2*linalg.Epsilon*s) *
			(1 + float64(len(g.theta)+16)*linalg.Epsilon)
	}
	if g.mixed {
		return math.Inf(1), 0, lift
	}
	m, _ := g.g.Dims()
	return float64(g.g.d*(m+3)) * linalg.Epsilon, 0, lift
}

// lifted is δ_k, by which base matrix k was lifted, there or after it was fitted.
func (g *fittedSum) lifted(k int) float64 { return g.base.shifts[k] + g.fits[k].shift }

// terms is how many rounding errors a sum over a packed triangle may take, one term each, as project
// adds it up and, of degree 1, forms, and what a term of degree d has already.
func (g *sumGram) terms() float64 {
	m, n := g.g.Dims()
	l := tri(n, n)
	return float64(max(min(l, chunk)+l/chunk, 2*n)+g.g.d*(m+3)+8) * linalg.Epsilon
}

// GradientError stores the rounding of dΣ_ij w_iw_jS_ij^{d−1}K_ij, by |K_ij| ≤ √(K_iiK_jj) a part of
// d(Σ_i |w_i|√(S_ii^{d−1}K_ii))². O(mn).
func (g *sumGram) GradientError(dst, w []float64) {
	g.check(w, w, dst)
	_, n := g.g.Dims()
	c, d, f := g.terms(), g.g.d, g.g.factored(g.on)
	size := sized(&g.product, n)
	if d > 1 {
		g.diagonal(size)
	}
	for i, s := range size {
		if size[i] = math.Abs(w[i]); d > 1 {
			size[i] *= math.Sqrt(integerPower(s, d-1))
		}
	}
	for k, norm := range g.g.norms() {
		sum, e := linalg.Dot(size, norm), c
		if f != nil {
			e += f.of[k].off
		}
		dst[k] = float64(d) * e * sum * sum
	}
}

// FormError bounds Q's rounding by c‖b‖², b_k = Σ_i |w_i|K_k,ii.
func (g *quadraticSum) FormError(w []float64) float64 {
	bb := 0.0
	for _, norm := range g.g.norms() {
		b := 0.0
		for i, r := range norm {
			b += math.Abs(w[i]) * r * r
		}
		bb += b * b
	}
	return g.terms() * bb
}

// Doubled stores K(θ)w and wᵀ(∂K/∂θ_k)w in O(mn²).
func (g *sumGram) Doubled(f, v, w []float64) bool {
	g.check(f, w, v)
	m, n := g.g.Dims()
	if float64(m)*float64(tri(n, n)) > affordable/2 {
		return false
	}
	a := doubledForms{make([]doubled, n), make([]doubled, m), w, g.g.d}
	g.g.inBands(g.on, func(lo, hi int, base [][]float64) {
		t := 0
		for i := lo; i < hi; i++ {
			for j := i; j < n; j, t = j+1, t+1 {
				var s doubled
				for k, theta := range g.theta {
					if theta != 0 {
						s = s.plusProduct(theta, base[k][t])
					}
				}
				if p := a.pair(i, j, s); p.hi != 0 {
					for k := range a.v {
						a.v[k] = a.v[k].plus(p.scaled(base[k][t]))
					}
				}
			}
		}
	})
	round(f, a.f)
	round(v, a.v)
	return true
}
