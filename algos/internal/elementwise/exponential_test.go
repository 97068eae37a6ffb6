package elementwise

import (
	"math"
	"math/big"
	"testing"
)

// TestExponentials compares with 200 bits by the series of exp(x/2¹⁰), squared ten times, and with math.Exp
// where the result is not a normal number.
func TestExponentials(t *testing.T) {
	exact := func(x float64) *big.Float {
		r := new(big.Float).SetPrec(200).SetFloat64(x / 1024)
		sum, term := new(big.Float).SetPrec(200).SetInt64(1), new(big.Float).SetPrec(200).SetInt64(1)
		for i := int64(1); i < 30; i++ {
			term.Quo(term.Mul(term, r), new(big.Float).SetInt64(i))
			sum.Add(sum, term)
		}
		for range 10 {
			sum.Mul(sum, sum)
		}
		return sum
	}
	var src []float64
	for x := 1e-18; x < 699; x *= 1.02 {
		src = append(src, x, -x)
	}
	for k := range 300 { // between two entries of the table, and at one
		src = append(src, -(float64(k)+0.5)*math.Ln2/intervals, -float64(k)*math.Ln2/intervals)
	}
	dst := make([]float64, len(src))
	Exp(dst, src, 1)
	for i, x := range src {
		want := exact(x)
		e, _ := new(big.Float).Quo(new(big.Float).Sub(new(big.Float).SetPrec(200).SetFloat64(dst[i]), want),
			want).Float64()
		if !(math.Abs(e) <= 1.5*0x1p-52) {
			t.Errorf("exp(%g) = %g, off by %.2g of it", x, dst[i], e)
		}
	}
	edge := []float64{0, math.Copysign(0, -1), -700, -720, -745, -746, 709, 710, math.Inf(1), math.Inf(-1), math.NaN()}
	got := append([]float64{}, edge...)
	Exp(got, got, 1)
	for i, x := range edge {
		if want := math.Exp(x); got[i] != want && !(math.IsNaN(want) && math.IsNaN(got[i])) {
			t.Errorf("exp(%g) = %g, want %g", x, got[i], want)
		}
	}
}
