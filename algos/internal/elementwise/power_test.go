package elementwise

import (
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
)

func TestRaised(t *testing.T) {
	src := []float64{0, 1, -1, 0.9, -1.3, 1e-200, math.Inf(1), math.NaN()}
	for p := 1; p <= 128; p++ {
		if _, ok := MultiplicationCount(p); !ok {
			continue
		}
		dst := make([]float64, len(src))
		RaiseToPower(dst, src, p)
		same := slices.Clone(src)
		RaiseToPower(same, same, p)
		for i, v := range src {
			want := math.Pow(v, float64(p))
			if math.Abs(dst[i]-want) > float64(p)*linalg.Epsilon*math.Abs(want) ||
				math.IsNaN(dst[i]) != math.IsNaN(want) || math.Float64bits(dst[i]) != math.Float64bits(same[i]) {
				t.Errorf("%g^%d = %g, in place %g, want %g", v, p, dst[i], same[i], want)
			}
		}
	}
}
