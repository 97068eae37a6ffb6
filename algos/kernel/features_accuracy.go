package kernel

import "math"

// Accuracy returns the rounding of S_ij = Σ_k θ_kx_ikx_jk and of the power. K(θ) is positive
// semidefinite by construction.
func (g *featureGram) Accuracy() (entries, shift float64) {
	return float64(g.g.d*(g.g.m+4)) * ulp, 0
}

// terms is how many rounding errors each of the four kinds of derivatives may make, in units of the
// sum of the sizes of its terms.
func (g *featureGram) terms() float64 {
	return float64(2*g.g.n+g.g.d*(2*g.g.m+8)+16) * ulp
}

// GradientError stores a part of d(Σ_i |w_i|S_ii^{(d−1)/2}|x_ik|)². O(nm).
func (g *featureGram) GradientError(dst, w []float64) {
	g.check(w, w, dst)
	d, c := g.g.d, g.terms()
	row := make([]float64, g.g.m)
	sum := sized(&g.x, g.g.m)
	clear(sum)
	for i, wi := range w {
		x := g.g.design.row(row, i)
		u := math.Abs(wi)
		if d > 1 {
			s := 0.0
			for k, t := range g.theta {
				s += math.Abs(t) * x[k] * x[k]
			}
			u *= math.Sqrt(integerPower(s, d-1))
		}
		if u == 0 {
			continue
		}
		for k, v := range x {
			sum[k] += u * math.Abs(v)
		}
	}
	for k, v := range sum {
		dst[k] = c * float64(d) * v * v
	}
}

// FormError bounds Q's rounding by c‖b‖², b_k = Σ_i |w_i|x_ik². O(nm).
func (g *quadraticFeatures) FormError(w []float64) float64 {
	row, b := make([]float64, g.g.m), make([]float64, g.g.m)
	for i, wi := range w {
		for k, v := range g.g.design.row(row, i) {
			b[k] += math.Abs(wi) * v * v
		}
	}
	s := 0.0
	for _, v := range b {
		s += v * v
	}
	return g.terms() * s
}

// Doubled stores K(θ)w and wᵀ(∂K/∂θ_k)w in O(nm) for d = 1, else in O(n²m).
func (g *featureGram) Doubled(f, v, w []float64) bool {
	g.check(f, w, v)
	n, m, d := g.g.n, g.g.m, g.g.d
	work := float64(n) * float64(m)
	if d > 1 {
		work *= float64(n) / 2
	}
	if work > affordable/2 {
		return false
	}
	fs, vs := make([]doubled, n), make([]doubled, m)
	bufs := make([][]float64, n)
	for i := range bufs {
		bufs[i] = g.g.design.row(make([]float64, m), i)
	}
	if d == 1 {
		for i, x := range bufs {
			for k, e := range x {
				vs[k] = vs[k].plusProduct(e, w[i])
			}
		}
		for i, x := range bufs {
			for k, e := range x {
				fs[i] = fs[i].plus(vs[k].scaled(e).scaled(g.theta[k]))
			}
		}
		for k := range vs {
			vs[k] = vs[k].times(vs[k])
		}
	} else {
		for i, x := range bufs {
			for j := i; j < n; j++ {
				z := bufs[j]
				var s doubled
				for k, t := range g.theta {
					if t != 0 {
						s = s.plus(doubled{x[k], 0}.scaled(z[k]).scaled(t))
					}
				}
				slope := s.power(d - 1)
				e := s.times(slope)
				fs[i] = fs[i].plus(e.scaled(w[j]))
				p := doubled{w[i], 0}.scaled(w[j]).times(slope).scaled(float64(d))
				if j > i {
					fs[j] = fs[j].plus(e.scaled(w[i]))
					p = p.scaled(2)
				}
				if p.hi != 0 {
					for k := range vs {
						vs[k] = vs[k].plus(p.scaled(x[k]).scaled(z[k]))
					}
				}
			}
		}
	}
	round(f, fs)
	round(v, vs)
	return true
}
