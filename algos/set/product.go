package set

import "fmt"

// Product is Of × … × Of, Count times, on θ = (θ_1, …, θ_Count) of equal lengths: the set of several matrices or
// several spectra at once.
type Product struct {
	Of    Set // bounded
	Count int // ≥ 1
}

var (
	_ Set    = Product{}
	_ Member = Product{}
	_ Spread = Product{}
)

// Validate refuses a Count below 1, an m that it does not divide, an Of that is not bounded, and what Of refuses.
func (s Product) Validate(m int) error {
	switch {
	case s.Of == nil || s.Count < 1:
		return fmt.Errorf("set: product of %d sets %T, want a set, at least once", s.Count, s.Of)
	case m < 1 || m%s.Count != 0:
		return fmt.Errorf("set: product of %d sets on %d parameters, want a multiple of %[1]d", s.Count, m)
	}
	if _, open := s.Of.(Residual); open {
		return fmt.Errorf("set: product of %T, want a bounded set", s.Of)
	}
	return s.Of.Validate(m / s.Count)
}

// each calls f for each part of vectors of the length of x, with its place.
func (s Product) each(x []float64, f func(lo, hi int)) {
	m := len(x) / s.Count
	for i := range s.Count {
		f(i*m, (i+1)*m)
	}
}

// Start is that of Of in every part.
func (s Product) Start(dst []float64) {
	s.each(dst, func(lo, hi int) { s.Of.Start(dst[lo:hi]) })
}

// Project projects every part.
func (s Product) Project(dst, x []float64) {
	sameLength(dst, x)
	s.each(x, func(lo, hi int) { s.Of.Project(dst[lo:hi], x[lo:hi]) })
}

// Minimize is the sum of the minima of the parts.
func (s Product) Minimize(dst, g []float64) float64 {
	sum := 0.0
	if dst != nil {
		sameLength(dst, g)
	}
	s.each(g, func(lo, hi int) {
		if dst == nil {
			sum += s.Of.Minimize(nil, g[lo:hi])
		} else {
			sum += s.Of.Minimize(dst[lo:hi], g[lo:hi])
		}
	})
	return sum
}

// Contains asks every part.
func (s Product) Contains(theta []float64) bool {
	all := true
	s.each(theta, func(lo, hi int) { all = all && Contains(s.Of, theta[lo:hi]) })
	return all
}

// Spread is the sum of those of the parts.
func (s Product) Spread(e []float64) float64 {
	sum := 0.0
	s.each(e, func(lo, hi int) { sum += SupportAbs(s.Of, e[lo:hi]) })
	return sum
}
