package similarity

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRepairsSeeAllPoints measures what the comment of Kernels says: the accuracy of kernel ridge on 15 of 60 points whose
// similarities were repaired with those of the 45 learned on, minus that where the 45 alone were, and the 15 met as new
// points. Similarities are exp(−d²/4) + N(0, 0.3²) of points whose class moves one of three features by ±0.8; λ is 3,
// about the best of half decades for both, of kernels of mean diagonal 1, and a hundredth of it.
func TestRepairsSeeAllPoints(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	const n, m, draws = 60, 45, 150
	for _, r := range Repairs {
		var sum, squares, all [2]float64
		for seed := range uint64(draws) {
			rng := rand.New(rand.NewPCG(seed, 1))
			x, y := make([][3]float64, n), make([]float64, n)
			for i := range x {
				y[i] = float64(1 - 2*rng.IntN(2))
				x[i] = [3]float64{rng.NormFloat64() + 0.8*y[i], rng.NormFloat64(), rng.NormFloat64()}
			}
			s := mat.NewSymDense(n, nil)
			for i := range n {
				for j := range i + 1 {
					var d float64
					for k := range 3 {
						d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k])
					}
					s.SetSym(i, j, math.Exp(-d/4)+0.3*rng.NormFloat64())
				}
			}
			seen := repaired(t, s, r).K
			old := repaired(t, s.SliceSym(0, m).(*mat.SymDense), r)
			fresh, err := old.Cross(mat.DenseCopyOf(mat.DenseCopyOf(s).Slice(m, n, 0, m)))
			if err != nil {
				t.Fatal(err)
			}
			for k, lambda := range []float64{3, 0.03} {
				a := hits(seen.SliceSym(0, m), mat.DenseCopyOf(seen).Slice(m, n, 0, m), y, lambda, mat.Trace(seen)/n)
				b := hits(old.K, fresh, y, lambda, mat.Trace(old.K)/m)
				all[k], sum[k], squares[k] = all[k]+a, sum[k]+a-b, squares[k]+(a-b)*(a-b)
			}
		}
		for k, lambda := range []float64{3, 0.03} {
			mean := sum[k] / draws
			e := math.Sqrt((squares[k]/draws - mean*mean) / draws)
			low, high := -0.04, 0.04
			if lambda < 1 {
				low, high = -0.04, 0.15
				if r == Flip {
					low = 0.04
				}
			}
			if !(mean >= low && mean <= high) {
				t.Errorf("%v, λ = %g: accuracy is more by %.3f ± %.3f, want %g to %g", r, lambda, mean, e, low, high)
			}
			t.Logf("%v, λ = %g: accuracy %.3f, more than on new points by %.3f ± %.3f", r, lambda, all[k]/draws, mean, e)
		}
	}
}

func repaired(t *testing.T, s *mat.SymDense, r Repair) *Kernel {
	t.Helper()
	spectrum, err := Decompose(s)
	if err != nil {
		t.Fatal(err)
	}
	k, err := spectrum.Repair(r)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// hits is the share of the points after those of k whose class kernel ridge finds, of kernels divided by scale.
func hits(k mat.Symmetric, cross mat.Matrix, y []float64, lambda, scale float64) float64 {
	n := k.SymmetricDim()
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, k.At(i, j)/scale)
		}
		a.SetSym(i, i, a.At(i, i)+lambda)
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		return math.NaN()
	}
	var mean float64
	for _, v := range y[:n] {
		mean += v / float64(n)
	}
	rhs := mat.NewVecDense(n, nil)
	for i := range n {
		rhs.SetVec(i, y[i]-mean)
	}
	var w, f mat.VecDense
	if err := c.SolveVecTo(&w, rhs); err != nil {
		return math.NaN()
	}
	f.MulVec(cross, &w)
	right := 0.0
	for i := range f.Len() {
		if (f.AtVec(i)/scale+mean)*y[n+i] > 0 {
			right++
		}
	}
	return right / float64(f.Len())
}
