package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// roots are, for each base kernel, √(k̃(x_i,x_i) + δ_k), n of them, and the shift δ_k with K_k + δ_kI
// positive semidefinite. A matrix of a kernel that is positive semidefinite in exact arithmetic
// misses that by the rounding of its entries, u√(k_iik_jj), at most u times its trace; centring
// has the rounding of what was before, and Cosine magnifies it. For degrees above 1, where lower
// bounds rest on it, δ_k is sought by Cholesky factors where those cost less than some seconds.
func (g *fittedSum) roots() ([][]float64, []float64) {
	g.rounding.Do(func() {
		m, n := g.Dims()
		u := 64 * linalg.Epsilon
		if x, ok := g.base.x.(Featured); ok {
			d, _ := x.Features()
			u += 8 * float64(d) * linalg.Epsilon
		}
		g.root, g.shift = make([][]float64, m), make([]float64, m)
		repeated := repetitions(g.x)
		for k, a := range g.k {
			fit, trace, u := &g.fits[k], 0.0, u*operations(g.f.Kernels[k])
			for i := range n {
				switch {
				case fit.centring == nil:
					trace += a[tri(n, i)]
				case fit.inverse != nil:
					trace += 4 * fit.top * fit.inverse[i] * fit.inverse[i]
				default:
					trace += 4 * fit.top * fit.scale
				}
			}
			g.shift[k] = u * trace
			if p, ok := g.f.Kernels[k].(shifted); ok {
				times := fit.scale
				for _, v := range fit.inverse {
					times = math.Max(times, v*v)
				}
				g.shift[k] += g.base.shift(k, p) * times * repeated // PKPᵀ of a K of fewer points
			}
			if g.d > 1 && float64(m)*float64(n)*float64(n)*float64(n) < 1e11 {
				g.shift[k] = math.Min(g.shift[k], leastShift(unpack(a, n)))
			}
			g.root[k] = make([]float64, n)
			for i := range n {
				g.root[k][i] = math.Sqrt(math.Max(a[tri(n, i)], 0) + g.shift[k])
			}
		}
	})
	return g.root, g.shift
}

// repetitions is how often the most frequent of places occurs; of other points they are different ones.
func repetitions(x Points) float64 {
	p, ok := x.(Places)
	if !ok {
		return 1
	}
	count, most := map[int]int{}, 1
	for _, v := range p {
		count[v]++
		most = max(most, count[v])
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

// shifted is a base kernel whose matrix may miss being positive semidefinite by more than rounding:
// K_k + shift·I is.
type shifted interface{ shift() float64 }

// diagonal stores S_ii with the shifts of the base matrices in it, and returns the shift of S.
func (g *sumGram) diagonal(dst []float64) (shift float64) {
	roots, shifts := g.g.roots()
	clear(dst)
	for k, t := range g.theta {
		t = math.Abs(t)
		shift += t * shifts[k]
		for i, r := range roots[k] {
			dst[i] += t * r * r
		}
	}
	return shift
}

// Accuracy returns the rounding of m products and sums and of the power, and the shift of S carried
// through it: (S + δI)^{∘d} differs from S^{∘d} on the diagonal only.
func (g *sumGram) Accuracy() (entries, shift float64) {
	m, n := g.g.Dims()
	s := sized(&g.product, n)
	delta := g.diagonal(s)
	d := g.g.d
	for _, v := range s {
		shift = math.Max(shift, integerPower(v, d)-integerPower(math.Max(v-delta, 0), d))
	}
	return float64(d*(m+3)+4*g.mixed) * linalg.Epsilon, shift * (1 + 1e-6)
}

// terms is how many rounding errors a sum over a packed triangle may take, one term each, as project
// adds it up, and what a term of degree d has already.
func (g *sumGram) terms() float64 {
	m, n := g.g.Dims()
	l := tri(n, n)
	return float64(min(l, chunk)+l/chunk+g.g.d*(m+3)+8) * linalg.Epsilon
}

// GradientError stores the rounding of dΣ_ij w_iw_jS_ij^{d−1}K_ij, by |K_ij| ≤ √(K_iiK_jj) a part of
// d(Σ_i |w_i|√(S_ii^{d−1}K_ii))². O(mn).
func (g *sumGram) GradientError(dst, w []float64) {
	g.check(w, w, dst)
	_, n := g.g.Dims()
	s := sized(&g.product, n)
	g.diagonal(s)
	roots, _ := g.g.roots()
	c, d := g.terms(), g.g.d
	for k, root := range roots {
		sum := 0.0
		for i, r := range root {
			sum += math.Abs(w[i]) * math.Sqrt(integerPower(s[i], d-1)) * r
		}
		dst[k] = float64(d) * c * sum * sum
	}
}

// GradientShift stores dΣ_i w_i²((S_ii + δ)^{d−1}(K_ii + δ_k) − S_ii^{d−1}K_ii), for d > 1. O(mn).
func (g *sumGram) GradientShift(dst, w []float64) {
	g.check(w, w, dst)
	d := g.g.d
	if clear(dst); d == 1 {
		return
	}
	_, n := g.g.Dims()
	s := sized(&g.product, n)
	delta := g.diagonal(s)
	roots, shifts := g.g.roots()
	for k, root := range roots {
		added := 0.0
		for i, r := range root {
			added += w[i] * w[i] * (integerPower(s[i], d-1)*r*r - integerPower(math.Max(s[i]-delta, 0), d-1)*math.Max(r*r-shifts[k], 0))
		}
		dst[k] = float64(d) * added * (1 + 1e-6)
	}
}

// FormError bounds Q's rounding by c‖b‖², b_k = Σ_i |w_i|K_k,ii, and what the shifts add to it.
func (g *quadraticSum) FormError(w []float64) float64 {
	roots, shifts := g.g.roots()
	bb, dd := 0.0, 0.0
	for k, root := range roots {
		b := 0.0
		for i, r := range root {
			b += math.Abs(w[i]) * r * r
		}
		bb += b * b
		dd += shifts[k] * shifts[k]
	}
	added := 0.0
	for i, v := range w {
		diag := 0.0
		for _, root := range roots {
			diag += root[i] * root[i] * root[i] * root[i]
		}
		added += v * v * (2*math.Sqrt(diag*dd) + dd)
	}
	return g.terms()*bb + added
}

// Doubled stores K(θ)w and wᵀ(∂K/∂θ_k)w in O(mn²).
func (g *sumGram) Doubled(f, v, w []float64) bool {
	g.check(f, w, v)
	m, n := g.g.Dims()
	if float64(m)*float64(tri(n, n)) > affordable/2 {
		return false
	}
	a := doubledForms{make([]doubled, n), make([]doubled, m), w, g.g.d}
	t := 0
	for i := range n {
		for j := i; j < n; j, t = j+1, t+1 {
			var s doubled
			for k, theta := range g.theta {
				if theta != 0 {
					s = s.plusProduct(theta, g.g.k[k][t])
				}
			}
			if p := a.pair(i, j, s); p.hi != 0 {
				for k := range a.v {
					a.v[k] = a.v[k].plus(p.scaled(g.g.k[k][t]))
				}
			}
		}
	}
	round(f, a.f)
	round(v, a.v)
	return true
}
