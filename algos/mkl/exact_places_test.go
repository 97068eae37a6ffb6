package mkl_test

import (
	"math/big"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
)

// dualHinge is Σ|w| − ½wᵀ(K + δI)w exactly, K by places of a 2×2.
func dualHinge(k []float64, shift *big.Rat, places []int, w []float64) (*big.Rat, *big.Rat) {
	r := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	a := []*big.Rat{new(big.Rat), new(big.Rat)}
	lin, sum := new(big.Rat), new(big.Rat)
	for i, p := range places {
		a[p].Add(a[p], r(w[i]))
		sum.Add(sum, r(w[i]))
		x := r(w[i])
		lin.Add(lin, x.Abs(x))
	}
	q := new(big.Rat)
	for _, v := range w {
		q.Add(q, new(big.Rat).Mul(shift, new(big.Rat).Mul(r(v), r(v))))
	}
	for i := range 2 {
		for j := range 2 {
			t := new(big.Rat).Mul(a[i], a[j])
			q.Add(q, t.Mul(t, r(k[i*2+j])))
		}
	}
	q.Mul(q, big.NewRat(1, 2))
	return lin.Sub(lin, q), sum
}

// TestRepeatedPlaces: a matrix of two points that misses being positive semidefinite by 9e-11 does so by a hundred
// times that where each point occurs a hundred times; what is stored is shifted by as much, and the bounds are of that.
func TestRepeatedPlaces(t *testing.T) {
	s := 1 + 0.9e-10
	data := []float64{1, s, s, 1}
	const r = 64
	for _, C := range []float64{1, 1 << 10, 1 << 20} {
		for _, warm := range []bool{false, true} {
			var places kernel.Places
			var y, w0, w1 []float64
			// interleaved: at each place r positives and r/2 negatives
			for i := range r {
				places = append(places, 0, 1)
				y = append(y, 1, 1)
				w0 = append(w0, C/2, C/2)
				w1 = append(w1, C, 0)
				if i%2 == 0 {
					places = append(places, 0, 1)
					y = append(y, -1, -1)
					w0 = append(w0, -C, -C)
					w1 = append(w1, -C, -C)
				}
			}
			p := &mkl.Problem{Grams: kernel.List{kernel.Precomputed{N: 2, Data: data}}.On(places), Set: set.Simplex{}, Loss: loss.Hinge{C: C}, Y: y}
			cfg := &mkl.Settings{Gap: 1e-8}
			if warm {
				cfg.Start = &mkl.Result{Theta: []float64{1}, W: w0}
			}
			res, err := mkl.Solve(t.Context(), p, mkl.SPG{Force: true}, cfg)
			if err != nil {
				t.Errorf("C=%g, warm %t: %v", C, warm, err)
				continue
			}
			g := p.Grams.New()
			g.At([]float64{1})
			shift := new(big.Rat).SetFloat64(g.K().At(0, 0))
			if f, _ := shift.Sub(shift, big.NewRat(1, 1)).Float64(); f < r*0.9e-10 || f > 1e-8 {
				t.Errorf("the diagonal is shifted by %g, want what misses, %d·9e-11, or little more", f, r)
			}
			d, sum := dualHinge(data, shift, places, w1)
			dv, _ := d.Float64()
			sv, _ := sum.Float64()
			ex, _ := new(big.Rat).Sub(d, new(big.Rat).SetFloat64(res.Upper)).Float64()
			if sv != 0 {
				t.Fatalf("Σw = %g", sv)
			}
			if ex > 0 {
				t.Errorf("C=%g, warm %t: upper bound %.17g, F at least %.17g: %v", C, warm, res.Upper, dv, res)
			}
		}
	}
}
