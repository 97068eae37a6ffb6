package reg

import (
	"fmt"
	"math"
	"slices"
)

// Distance measures a difference x of matrices, or of spectra, as the vector of its entries. The numbers are
// those of Kundu et al.
type Distance int

const (
	// L3 is ‖x‖², the squared Frobenius norm, differentiable, ∇ = 2x.
	L3 Distance = iota
	// L2 is ‖x‖, the Frobenius norm; ∂ = x/‖x‖, and 0 at 0.
	L2
	// L1 is Σ|x_i|; ∂ = sign(x), 0 at 0. It forgives a few entries that are far off.
	L1
)

var distances = [...]string{L3: "L3", L2: "L2", L1: "L1"}

func (d Distance) String() string {
	if d < 0 || int(d) >= len(distances) {
		return fmt.Sprintf("Distance(%d)", int(d))
	}
	return distances[d]
}

// Near keeps θ near to given targets of its length,
//
//	r(θ) = ρ Σ_i L(θ − S_i).
//
// With θ = vec K, S_i = vec of similarity matrices and the hinge loss it is (4) of Kundu et al., and with one S and
// L3 the problem of Luss and d'Aspremont; with θ the spectrum of K and S_i that of a similarity matrix, (7) for one
// matrix. The target is to be symmetric where θ is. Of L1 and L2 r has kinks.
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, (4), (6) and (7).
type Near struct {
	Rho      float64 // ρ > 0
	Distance Distance
	Targets  [][]float64 // S_i, m numbers each
}

var (
	_ Reg       = Near{}
	_ Quadratic = Near{}
	_ Majorized = Near{}
	_ Proximal  = Near{}
	_ Sliced    = Near{}
)

// Validate refuses ρ that is not a finite number > 0, no targets, targets of another length than m, and numbers that
// are not finite, which it names by place, of an m that is a square by row and column.
func (r Near) Validate(m int) error {
	if !(r.Rho > 0) || math.IsInf(r.Rho, 1) {
		return fmt.Errorf("reg: nearness with ρ = %g, want a finite number > 0 (no regulariser at all is nil)", r.Rho)
	}
	if r.Distance < 0 || int(r.Distance) >= len(distances) {
		return fmt.Errorf("reg: nearness with %v, want L1, L2 or L3", r.Distance)
	}
	if len(r.Targets) == 0 {
		return fmt.Errorf("reg: nearness without targets, want at least one of %d numbers", m)
	}
	n := int(math.Round(math.Sqrt(float64(m))))
	for i, s := range r.Targets {
		if len(s) != m {
			return fmt.Errorf("reg: target %d has %d numbers, want %d, as many as parameters", i+1, len(s), m)
		}
		for k, v := range s {
			// its square times m must not overflow
			if !(math.Abs(v) <= 1e140) {
				at := fmt.Sprintf("number %d", k+1)
				if n*n == m && n > 1 {
					at = fmt.Sprintf("row %d, column %d", k/n+1, k%n+1)
				}
				return fmt.Errorf("reg: target %d: %s is %g, want a finite number of magnitude at most 1e140", i+1, at, v)
			}
		}
	}
	return nil
}

// Value returns r(θ) and, unless grad is nil, adds a subgradient to it.
func (r Near) Value(grad, theta []float64) float64 {
	if grad != nil && len(grad) != len(theta) {
		panic(badLength)
	}
	sum := 0.0
	for _, s := range r.Targets {
		if len(s) != len(theta) {
			panic(badLength)
		}
		v, slope := 0.0, 2*r.Rho
		switch r.Distance {
		case L1:
			for k, t := range s {
				v += math.Abs(theta[k] - t)
			}
			if grad != nil {
				for k, t := range s {
					if theta[k] > t {
						grad[k] += r.Rho
					} else if theta[k] < t {
						grad[k] -= r.Rho
					}
				}
			}
			sum += v
			continue
		case L2:
			if v = distance(theta, s); v > 0 {
				slope = r.Rho / v
			}
		default:
			v = distance(theta, s)
			v *= v
		}
		if grad != nil {
			for k, t := range s {
				grad[k] += slope * (theta[k] - t)
			}
		}
		sum += v
	}
	return r.Rho * sum
}

// distance is ‖x − y‖.
func distance(x, y []float64) float64 {
	top := 0.0
	for k, v := range x {
		top = max(top, math.Abs(v-y[k]))
	}
	if top == 0 {
		return 0
	}
	// a power of two near the largest: no square overflows, none that counts underflows
	_, e := math.Frexp(top)
	scale, ss := math.Ldexp(1, -e), 0.0
	for k, v := range x {
		d := (v - y[k]) * scale
		ss += d * d
	}
	return math.Ldexp(math.Sqrt(ss), e)
}

// Quadratic is that of L3 about the mean S̄ of the targets: a = ρ·|targets|, k = ρ Σ‖S_i − S̄‖².
func (r Near) Quadratic(m int) (a float64, c []float64, k float64, ok bool) {
	if r.Distance != L3 {
		return 0, nil, 0, false
	}
	weights := make([]float64, len(r.Targets))
	for i := range weights {
		weights[i] = r.Rho
	}
	a, c, k = r.about(m, weights)
	return a, c, k, true
}

// Majorize is of L2 the sum of ρ(‖θ − S_i‖²/2t_i + t_i/2), t_i = ‖θ₀ − S_i‖; of L3 it is r itself.
func (r Near) Majorize(theta []float64) (a float64, c []float64, k float64, ok bool) {
	switch r.Distance {
	case L3:
		return r.Quadratic(len(theta))
	case L2:
	default:
		return 0, nil, 0, false
	}
	weights, rest := make([]float64, len(r.Targets)), 0.0
	for i, s := range r.Targets {
		size := 0.0
		for _, v := range s {
			size = max(size, math.Abs(v))
		}
		t := max(distance(theta, s), 1e-12*size, math.SmallestNonzeroFloat64*1e16)
		weights[i] = r.Rho / (2 * t)
		rest += r.Rho * t / 2
	}
	a, c, k = r.about(len(theta), weights)
	return a, c, k + rest, true
}

// about is Σ_i v_i‖θ − S_i‖² = a‖θ − c‖² + k.
func (r Near) about(m int, weights []float64) (a float64, c []float64, k float64) {
	for _, v := range weights {
		a += v
	}
	if len(weights) == 1 {
		return a, r.Targets[0], 0
	}
	c = make([]float64, m)
	for i, s := range r.Targets {
		for j, v := range s {
			c[j] += weights[i] / a * v
		}
	}
	for i, s := range r.Targets {
		d := distance(s, c)
		k += weights[i] * d * d
	}
	return a, c, k
}

// Prox moves x towards the targets: of L3 and L2 along the line to them, L2 of one target alone; of L1 each coordinate
// by at most ρt for each target, and not past where it stays.
func (r Near) Prox(dst, grad, x []float64, t float64) (float64, bool) {
	if len(dst) != len(x) || len(grad) != len(x) {
		panic(badLength)
	}
	switch {
	case r.Distance == L1:
		at := make([]float64, len(r.Targets))
		for k, v := range x {
			for i, s := range r.Targets {
				at[i] = s[k]
			}
			dst[k], grad[k] = r.shrink(v, at, t)
		}
		return r.Value(nil, dst), true
	case r.Distance == L2 && len(r.Targets) == 1:
		s := r.Targets[0]
		d := distance(x, s)
		if d <= r.Rho*t {
			for k, v := range x {
				dst[k], grad[k] = s[k], (v-s[k])/t
			}
			return 0, true
		}
		for k, v := range x {
			grad[k] = r.Rho * ((v - s[k]) / d)
			dst[k] = v - t*grad[k]
		}
		return r.Value(nil, dst), true
	case r.Distance == L3:
		a, c, _, _ := r.Quadratic(len(x))
		for k, v := range x {
			dst[k] = (v + 2*a*t*c[k]) / (1 + 2*a*t)
			grad[k] = 2 * a * (dst[k] - c[k])
		}
		return r.Value(nil, dst), true
	}
	return 0, false
}

// shrink is the minimiser z of ρ Σ|z − s_i| + (z−x)²/2t and the subgradient there. It sorts s.
func (r Near) shrink(x float64, s []float64, t float64) (z, slope float64) {
	slices.Sort(s)
	n := len(s)
	for i := 0; i <= n; i++ { // z between s_{i−1} and s_i, where the slope is ρ(2i − n)
		slope = r.Rho * float64(2*i-n)
		z = x - t*slope
		if i < n && z >= s[i] {
			continue
		}
		if i > 0 && z <= s[i-1] { // at the kink below, between the slopes beside it, which rounding of x may leave
			return s[i-1], min(max((x-s[i-1])/t, r.Rho*float64(2*(i-1)-n)), slope)
		}
		return z, slope
	}
	return z, slope
}

// Slice is of θ = vec of an n×n matrix that of the given rows and columns.
func (r Near) Slice(rows []int) Reg {
	targets := make([][]float64, len(r.Targets))
	for i, s := range r.Targets {
		n := int(math.Round(math.Sqrt(float64(len(s)))))
		for _, a := range rows {
			for _, b := range rows {
				targets[i] = append(targets[i], s[a*n+b])
			}
		}
	}
	r.Targets = targets
	return r
}

func (r Near) String() string {
	return fmt.Sprintf("%v, ρ=%.4g", r.Distance, r.Rho)
}

// Lipschitz bounds the Frobenius norm of subgradients of r for matrices θ of trace τ, θ ⪰ 0: ρ Σ_i of n, 1, or
// 2(τ + ‖S_i‖) for L1, L2, L3. With ½nC² of the hinge loss it is L of Proposition 3.1 of Kundu et al.
func (r Near) Lipschitz(trace float64) float64 {
	sum := 0.0
	for _, s := range r.Targets {
		switch r.Distance {
		case L1:
			sum += math.Sqrt(float64(len(s)))
		case L2:
			sum++
		default:
			sum += 2 * (trace + distance(s, make([]float64, len(s))))
		}
	}
	return r.Rho * sum
}
