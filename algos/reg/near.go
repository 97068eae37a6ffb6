package reg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
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
type DistancePenalty struct {
	Rho      float64 // ρ > 0
	Distance Distance
	Targets  [][]float64 // S_i, m numbers each
}

var (
	_ Reg       = DistancePenalty{}
	_ Majorized = DistancePenalty{}
	_ Proximal  = DistancePenalty{}
)

// Validate refuses ρ that is not a finite number > 0, no targets, targets of another length than m, and numbers that
// are not finite, which it names by place, of an m that is a square by row and column.
func (r DistancePenalty) Validate(m int) error {
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
				return fmt.Errorf("reg: target %d: %s is %g, want a finite number of magnitude at most 1e140", i+1,
					at, v)
			}
		}
	}
	return nil
}

// Value returns r(θ) and, unless grad is nil, adds a subgradient to it.
func (r DistancePenalty) Value(grad, theta []float64) float64 {
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
		if d := math.Abs(v - y[k]); d > top || d != d { // distance takes 2.6 times as long with max
			top = d
		}
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

// Majorize returns for L3 r itself, about the mean S̄ of the targets: A = ρ·|targets|, K = ρ Σ‖S_i − S̄‖²; for L2 the
// sum of ρ(‖θ − S_i‖²/2t_i + t_i/2), t_i = ‖θ₀ − S_i‖ at θ₀ = theta; for L1 none.
func (r DistancePenalty) Majorize(theta []float64) (Quadratic, bool) {
	weights, rest := slices.Repeat([]float64{r.Rho}, len(r.Targets)), 0.0
	switch r.Distance {
	case L3:
		q := r.about(weights)
		q.Exact = true
		return q, true
	case L1:
		return Quadratic{}, false
	}
	for i, s := range r.Targets {
		if len(s) != len(theta) { // Validate says so
			return Quadratic{}, false
		}
		size := 0.0
		for _, v := range s {
			size = max(size, math.Abs(v))
		}
		t := max(distance(theta, s), 1e-12*size, math.SmallestNonzeroFloat64*1e16)
		weights[i] = r.Rho / (2 * t)
		rest += r.Rho * t / 2
	}
	q := r.about(weights)
	q.K += rest
	return q, true
}

// about returns Σ_i v_i‖θ − S_i‖² for weights v > 0, one for each target.
func (r DistancePenalty) about(weights []float64) (q Quadratic) {
	q.A = floats.Sum(weights)
	if len(weights) == 1 {
		q.C = r.Targets[0]
		return q
	}
	q.C = make([]float64, len(r.Targets[0]))
	for i, s := range r.Targets {
		floats.AddScaled(q.C, weights[i]/q.A, s)
	}
	for i, s := range r.Targets {
		d := distance(s, q.C)
		q.K += weights[i] * d * d
	}
	return q
}

// Prox moves x towards the targets: of L3 and L2 along the line to them, L2 of one target alone; of L1 each coordinate
// by at most ρt for each target, and not past where it stays.
func (r DistancePenalty) Prox(dst, grad, x []float64, t float64) (float64, bool) {
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
		q, _ := r.Majorize(x)
		for k, v := range x {
			dst[k] = (v + 2*q.A*t*q.C[k]) / (1 + 2*q.A*t)
			grad[k] = 2 * q.A * (dst[k] - q.C[k])
		}
		return r.Value(nil, dst), true
	}
	return 0, false
}

// shrink is the minimiser z of ρ Σ|z − s_i| + (z−x)²/2t and the subgradient there. It sorts s.
func (r DistancePenalty) shrink(x float64, s []float64, t float64) (z, slope float64) {
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

// Slice keeps the given rows and columns of every target, which is an n×n matrix.
func (r DistancePenalty) Slice(rows []int) Reg {
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

func (r DistancePenalty) String() string {
	return fmt.Sprintf("%v, ρ=%.4g", r.Distance, r.Rho)
}

// Lipschitz bounds the Frobenius norm of subgradients of r for matrices θ of trace τ, θ ⪰ 0: ρ Σ_i of n, 1, or
// 2(τ + ‖S_i‖) for L1, L2, L3. With ½nC² of the hinge loss it is L of Proposition 3.1 of Kundu et al.
func (r DistancePenalty) Lipschitz(trace float64) float64 {
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
