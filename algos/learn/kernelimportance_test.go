package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// TestImportanceOfKernels: of two Gram matrices, or two similarities, the one that tells the classes apart is important
// and comes first; noise is not. One kernel is an error.
func TestImportanceOfKernels(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(3, 3))
	signal, noise, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		signal[i], noise[i] = 2*y[i]+0.5*rng.NormFloat64(), rng.NormFloat64()
	}
	gram := func(x []float64) (k []float64) {
		for i := range x {
			for j := range x {
				k = append(k, math.Exp(-(x[i]-x[j])*(x[i]-x[j])/2))
			}
		}
		return k
	}
	base := data.Dataset{Name: "matrices", X: points.AllIndices(n), Y: y, Classes: []string{"a", "b"}}
	grams, similarities, one := base, base, base
	grams.Kernels = kernel.List{kernel.Precomputed{Name: "noise", N: n, Data: gram(noise)},
		kernel.Precomputed{Name: "signal", N: n, Data: gram(signal)}}
	similarities.Similarities = []data.Similarity{{Name: "noise", N: n, S: gram(noise)},
		{Name: "signal", N: n, S: gram(signal)}}
	one.Kernels = grams.Kernels[1:]
	splits := WithSplits(must(fit.Holdout(y, 0.25, 4, 1)))
	for name, d := range map[string]*data.Dataset{"Gram matrices": &grams, "similarities": &similarities} {
		l := must(Learn(t.Context(), d, splits, WithLambda(0.1, 1)))
		w := must(Importance(t.Context(), l, nil))
		if len(w.Groups) != 2 || w.Groups[0].Name != "signal" || !(w.Groups[0].Drop.Mean > 0.2) ||
			!(w.Groups[1].Drop.Mean < 0.1) || w.Stopped || len(w.Groups[0].Drops) != 4 {
			t.Errorf("%s: %+v", name, w)
		}
	}
	l := must(Learn(t.Context(), &one, splits, WithLambda(1)))
	says(t, testenv.ErrorText(Importance(t.Context(), l, nil)), "two kernels")
}
