package reg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Distance is a measure L(x) of the difference x of two vectors: of the entries of matrices, or of eigenvalues. String
// returns the names L1, L2 and L3 of Kundu et al., where L3 is the square of L2.
type Distance int

const (
	// SquaredNorm is ‖x‖², of a matrix the squared Frobenius norm. It is differentiable, ∇ = 2x.
	SquaredNorm Distance = iota
	// TwoNorm is ‖x‖, of a matrix the Frobenius norm. Its subgradient is x/‖x‖, or 0 at x = 0.
	TwoNorm
	// OneNorm is Σ|x_i|. Its subgradient is sign(x), with sign(0) = 0. It tolerates a few large differences.
	OneNorm
)

var distanceNames = [...]string{SquaredNorm: "L3", TwoNorm: "L2", OneNorm: "L1"}

func (d Distance) String() string {
	if d < 0 || int(d) >= len(distanceNames) {
		return fmt.Sprintf("Distance(%d)", int(d))
	}
	return distanceNames[d]
}

// DistancePenalty penalizes the distance of θ from given targets S_i of the same length,
//
//	r(θ) = ρ Σ_i L(θ − S_i),  with L(x) = ‖x‖², ‖x‖ or Σ|x_k|.
//
// With θ = vec K, similarity matrices S_i and the hinge loss, one minimizes (4) of Kundu et al. Luss and d'Aspremont
// have one S and ‖x‖². If θ holds the eigenvalues of K, and S_i those of a similarity matrix, one minimizes (7) of
// Kundu et al. for one matrix. For a symmetric θ, targets must be symmetric. r is smooth only for ‖x‖².
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, (4), (6) and (7).
type DistancePenalty struct {
	Rho      float64     // the factor ρ > 0 of the penalty
	Distance Distance    // the function L, which measures a distance
	Targets  [][]float64 // the vectors S_i near which θ should lie, of m numbers each, like θ
}

var (
	_ Reg       = DistancePenalty{}
	_ Majorized = DistancePenalty{}
	_ Proximal  = DistancePenalty{}
)

// Validate requires a finite ρ > 0, at least one target, targets of length m, and numbers of magnitude at most 1e140.
// The error names the position of an invalid number, by row and column if m is a square.
func (r DistancePenalty) Validate(m int) error {
	if !(r.Rho > 0) || math.IsInf(r.Rho, 1) {
		return fmt.Errorf("reg: distance penalty has ρ = %g; use a finite number > 0, or a nil Reg for no regularizer",
			r.Rho)
	}
	if r.Distance < 0 || int(r.Distance) >= len(distanceNames) {
		return fmt.Errorf("reg: distance penalty has the distance %v; use OneNorm, TwoNorm or SquaredNorm", r.Distance)
	}
	if len(r.Targets) == 0 {
		return fmt.Errorf("reg: distance penalty has no targets; add at least one with %d numbers", m)
	}
	n := int(math.Round(math.Sqrt(float64(m))))
	for i, s := range r.Targets {
		if len(s) != m {
			return fmt.Errorf("reg: target %d has %d numbers, but there are %d parameters; use equal lengths", i+1,
				len(s), m)
		}
		for k, v := range s {
			// the sum of the squares of m such numbers must not overflow
			if !(math.Abs(v) <= 1e140) {
				position := fmt.Sprintf("number %d", k+1)
				if n*n == m && n > 1 {
					position = fmt.Sprintf("row %d, column %d", k/n+1, k%n+1)
				}
				return fmt.Errorf("reg: target %d: %s is %g; use numbers of magnitude at most 1e140", i+1, position, v)
			}
		}
	}
	return nil
}

// Value returns r(θ) and, unless grad is nil, adds a subgradient to grad.
func (r DistancePenalty) Value(grad, theta []float64) float64 {
	if grad != nil && len(grad) != len(theta) {
		panic(badLength)
	}
	distanceSum := 0.0
	for _, s := range r.Targets {
		if len(s) != len(theta) {
			panic(badLength)
		}
		d := floats.Distance(theta, s, 2)
		distanceValue, gradFactor := d*d, 2*r.Rho
		switch {
		case r.Distance == OneNorm:
			distanceValue = floats.Distance(theta, s, 1)
			for k := range grad {
				grad[k] += r.Rho * float64(cmp.Compare(theta[k], s[k]))
			}
			gradFactor = 0
		case r.Distance == TwoNorm && d > 0:
			distanceValue, gradFactor = d, r.Rho/d
		}
		if grad != nil && gradFactor > 0 {
			for k, t := range s {
				grad[k] += gradFactor * (theta[k] - t)
			}
		}
		distanceSum += distanceValue
	}
	return r.Rho * distanceSum
}

// Majorize returns an upper bound A‖θ−C‖² + K of r. For SquaredNorm it is r itself: C is the mean of the M
// targets S_i, A = ρM, and K = ρ Σ‖S_i − C‖². For TwoNorm it is Σ_i ρ(‖θ − S_i‖²/2t_i + t_i/2), where t_i is
// ‖theta − S_i‖, or a tiny number > 0 if that norm is smaller. For OneNorm, ok is false.
func (r DistancePenalty) Majorize(theta []float64) (q Quadratic, ok bool) {
	weights, constant := slices.Repeat([]float64{r.Rho}, len(r.Targets)), 0.0
	switch r.Distance {
	case SquaredNorm:
		q = r.weightedDistanceSum(weights)
		q.IsExact = true
		return q, true
	case OneNorm:
		return Quadratic{}, false
	}
	for i, s := range r.Targets {
		if len(s) != len(theta) { // Validate rejects this length
			return Quadratic{}, false
		}
		maxAbs := 0.0
		for _, v := range s {
			maxAbs = max(maxAbs, math.Abs(v))
		}
		t := max(floats.Distance(theta, s, 2), 1e-12*maxAbs, math.SmallestNonzeroFloat64*1e16)
		weights[i] = r.Rho / (2 * t)
		constant += r.Rho * t / 2
	}
	q = r.weightedDistanceSum(weights)
	q.K += constant
	return q, true
}

// weightedDistanceSum returns the quadratic Σ_i v_i‖θ − S_i‖² for given weights v_i > 0, one for each target.
func (r DistancePenalty) weightedDistanceSum(weights []float64) (q Quadratic) {
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
		d := floats.Distance(s, q.C, 2)
		q.K += weights[i] * d * d
	}
	return q
}

// Prox stores the minimizer z of r(z) + ‖z−x‖²/2t, t = stepLength, as Proximal requires. For SquaredNorm, z is on the
// line from x to the mean of the targets; for TwoNorm with a single target, on the line from x to the target. For
// OneNorm, the coordinates are minimized separately, and z_k differs from x_k by at most ρt times the number of
// targets. For TwoNorm with several targets, ok is false.
func (r DistancePenalty) Prox(dst, grad, x []float64, stepLength float64) (value float64, ok bool) {
	if len(dst) != len(x) || len(grad) != len(x) {
		panic(badLength)
	}
	switch {
	case r.Distance == OneNorm:
		targets := make([]float64, len(r.Targets))
		for k, v := range x {
			for i, s := range r.Targets {
				targets[i] = s[k]
			}
			dst[k], grad[k] = r.minimizeL1(v, targets, stepLength)
		}
		return r.Value(nil, dst), true
	case r.Distance == TwoNorm && len(r.Targets) == 1:
		s := r.Targets[0]
		d := floats.Distance(x, s, 2)
		if d <= r.Rho*stepLength {
			for k, v := range x {
				dst[k], grad[k] = s[k], (v-s[k])/stepLength
			}
			return 0, true
		}
		for k, v := range x {
			grad[k] = r.Rho * ((v - s[k]) / d)
			dst[k] = v - stepLength*grad[k]
		}
		return r.Value(nil, dst), true
	case r.Distance == SquaredNorm:
		q, _ := r.Majorize(x)
		for k, v := range x {
			dst[k] = (v + 2*q.A*stepLength*q.C[k]) / (1 + 2*q.A*stepLength)
			grad[k] = 2 * q.A * (dst[k] - q.C[k])
		}
		return r.Value(nil, dst), true
	}
	return 0, false
}

// minimizeL1 returns the minimizer z of ρ Σ|z − s_i| + (z−x)²/2t for t = stepLength and targets s, and the subgradient
// (x−z)/t of ρ Σ|z − s_i|. It sorts targets.
func (r DistancePenalty) minimizeL1(x float64, targets []float64, stepLength float64) (z, subgradient float64) {
	slices.Sort(targets)
	n := len(targets)
	for i := 0; i <= n; i++ { // try z between s_{i−1} and s_i, where the slope of ρ Σ|z − s_i| is ρ(2i − n)
		subgradient = r.Rho * float64(2*i-n)
		z = x - stepLength*subgradient
		if i < n && z >= targets[i] {
			continue
		}
		if i > 0 && z <= targets[i-1] { // z is targets[i-1]; its subgradients lie between the slopes on both sides
			return targets[i-1], min(max((x-targets[i-1])/stepLength, r.Rho*float64(2*(i-1)-n)), subgradient)
		}
		return z, subgradient
	}
	return z, subgradient
}

func (r DistancePenalty) String() string {
	return fmt.Sprintf("%v, ρ=%.4g", r.Distance, r.Rho)
}
