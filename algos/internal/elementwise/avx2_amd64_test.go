//go:build !noasm

package elementwise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAVX2 asks for the bits of the Go code, of every length, where arguments leave the range of the fast path, and in
// place.
func TestAVX2(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 on this processor")
	}
	defer func() { avx2 = true }()
	r := rand.New(rand.NewPCG(1, 7))
	odd := []float64{0, math.Copysign(0, -1), 700, -700, 699.9999999999999, -746, 1e-320, math.Inf(1), math.Inf(-1),
		math.NaN()}
	for range 3000 {
		src, c := make([]float64, r.IntN(40)), 4*r.NormFloat64()
		for i := range src {
			src[i] = r.NormFloat64() * math.Exp2(float64(r.IntN(20)-10))
			if r.IntN(30) == 0 {
				src[i] = odd[r.IntN(len(odd))]
			}
		}
		before := make([]float64, len(src)+3)
		for i := range before {
			before[i] = r.NormFloat64()
		}
		for what, f := range map[string]func(dst, src []float64){
			"exponentials": func(dst, src []float64) { Exp(dst, src, c) },
			"absolute":     func(dst, src []float64) { AddAbsoluteDifferences(dst, src, c) },
			"power 2":      func(dst, src []float64) { Power(dst, src, 2) },
			"power 3":      func(dst, src []float64) { Power(dst, src, 3) },
			"power 4":      func(dst, src []float64) { Power(dst, src, 4) },
			"power 5":      func(dst, src []float64) { Power(dst, src, 5) },
		} {
			var got [2][3][]float64
			for i, with := range []bool{true, false} {
				avx2 = with
				beside, within := slices.Clone(before), slices.Clone(src)
				f(beside[:len(src)], src)
				if f(within, within); what == "absolute" {
					within = nil // dst is no src there
				}
				got[i] = [3][]float64{beside[:len(src)], within, beside[len(src):]}
			}
			for p := range got[0] {
				for i, v := range got[0][p] {
					if w := got[1][p][i]; math.Float64bits(v) != math.Float64bits(w) && !(v != v && w != w) {
						t.Fatalf("%s of %g, c = %g: %g, want %g, as without AVX2", what, src, c, v, w)
					}
				}
			}
			if !slices.Equal(got[0][2], before[len(src):]) {
				t.Fatalf("%s of %d entries writes behind them", what, len(src))
			}
		}
	}
}
