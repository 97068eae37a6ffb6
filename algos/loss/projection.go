package loss

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// projectOntoFeasibleSet replaces NaN and ±Inf in w by 0, and w by the nearest vector with lo ≤ w ≤ hi and Σw = 0.
func (q *boxQP) projectOntoFeasibleSet(w []float64) {
	for i, x := range w {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			w[i] = 0
		}
	}
	projectOntoBoxWithSum(w, q.lo, q.hi, 0)
}

// projectOntoBoxWithSum replaces w by the nearest vector with lo ≤ w ≤ hi and Σw = sum. Its entries are clip(w_i − τ,
// lo_i, hi_i) with one number τ for all i. Bisection brackets τ. The unclipped entries then give τ by Σw = sum.
func projectOntoBoxWithSum(w, lo, hi []float64, sum float64) {
	excess := func(tau float64) float64 { // Σ clip(w_i − τ) − sum
		s := -sum
		for i, x := range w {
			s += clip(x-tau, lo[i], hi[i])
		}
		return s
	}
	a, b := math.Inf(1), math.Inf(-1) // ends of the interval that contains τ
	isOutside := false
	for i, x := range w {
		a, b = min(a, x), max(b, x)
		isOutside = isOutside || x < lo[i] || x > hi[i]
	}
	if s := excess(0); !isOutside && math.Abs(s) <= linalg.Epsilon*floats.Norm(w, 1) {
		return
	}
	maxMagnitude := max(math.Abs(a), math.Abs(b), math.SmallestNonzeroFloat64)
	for d := maxMagnitude; excess(a) < 0 && d < math.MaxFloat64/4; d *= 2 {
		a -= d
	}
	maxMagnitude = max(math.Abs(a), math.Abs(b), math.SmallestNonzeroFloat64)
	for d := maxMagnitude; excess(b) > 0 && d < math.MaxFloat64/4; d *= 2 {
		b += d
	}
	for range 200 {
		m := a + (b-a)/2
		if m == a || m == b {
			break
		}
		if excess(m) > 0 {
			a = m
		} else {
			b = m
		}
	}
	// near τ = b, excess(τ) is clippedSum − freeCount·τ, where freeCount entries of w − τ are not clipped
	clippedSum, freeCount := -sum, 0.0
	for i, x := range w {
		if x-b > lo[i] && x-b < hi[i] {
			clippedSum += x
			freeCount++
		} else {
			clippedSum += clip(x-b, lo[i], hi[i])
		}
	}
	tau := b // the shift of all w_i
	if freeCount > 0 {
		tau = min(max(clippedSum/freeCount, a), b)
	}
	for i, x := range w {
		w[i] = clip(x-tau, lo[i], hi[i])
	}
	lowerSumWithinBounds(w, lo, hi, floats.Sum(w)-sum)
}

// lowerSumWithinBounds lowers the sum of w by amount. It lowers one entry after another, as far as its bounds allow.
// It corrects the error in Σw that the rounding of τ in a projection leaves: the projection subtracts τ from all w_i.
func lowerSumWithinBounds(w, lo, hi []float64, amount float64) {
	for i, x := range w {
		if amount == 0 {
			return
		}
		w[i] = clip(x-amount, lo[i], hi[i])
		amount -= x - w[i]
	}
}

func clip(x, lo, hi float64) float64 { return min(max(x, lo), hi) }

// makeSumZero subtracts Σw, a rounding error, from the coordinate that is farthest from its bounds.
func (q *boxQP) makeSumZero() {
	sum, compensation := 0.0, 0.0 // Kahan summation
	for _, w := range q.w {
		t := w - compensation
		newSum := sum + t
		compensation = (newSum - sum) - t
		sum = newSum
	}
	if sum == 0 {
		return
	}
	farthestIndex, distanceToBound := -1, 0.0
	for i, w := range q.w {
		if d := min(q.hi[i]-w, w-q.lo[i]); d > distanceToBound {
			farthestIndex, distanceToBound = i, d
		}
	}
	if farthestIndex >= 0 && distanceToBound > math.Abs(sum) {
		q.w[farthestIndex] -= sum
		return
	}
	lowerSumWithinBounds(q.w, q.lo, q.hi, sum)
}
