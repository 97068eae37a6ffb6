package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// TestImportanceOfKernels: of two Gram matrices, or two similarities, the one that tells the classes apart is important
// and comes first; noise is not. Sequences have an importance of each kernel. One kernel is an error.
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
	splits := WithSplits(must(compare.Holdout(y, 0.25, 4, 1)))
	for name, d := range map[string]*data.Dataset{"Gram matrices": &grams, "similarities": &similarities} {
		l := must(Learn(t.Context(), d, splits, WithLambda(0.1, 1)))
		w := must(Importance(t.Context(), l, Permutation, nil))
		if len(w.Groups) != 2 || w.How != DropGroup || w.Groups[0].Name != "signal" || !(w.Groups[0].Drop.Mean > 0.2) ||
			!(w.Groups[1].Drop.Mean < 0.1) || w.Stopped || len(w.Groups[0].Drops) != 4 {
			t.Errorf("%s: %+v", name, w)
		}
	}
	l := must(Learn(t.Context(), &one, splits, WithLambda(1)))
	says(t, failure(Importance(t.Context(), l, DropGroup, nil)), "one group", "at least two")

	globins := must(data.Load("globins"))
	rows := points.AllIndices(globins.Len())
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	slices.Sort(rows[:40])
	short := must(globins.Slice(rows[:40]))
	l = must(Learn(t.Context(), short, WithSplits(must(compare.Holdout(short.Y, 0.25, 2, 1))), WithLambda(1)))
	if w := must(Importance(t.Context(), l, Permutation, nil)); len(w.Groups) != 5 || w.Base == nil {
		t.Errorf("sequences: %+v", w)
	}
}

// TestLearnRefusesConstantTargets: a constant target is an error, of several targets with its name.
func TestLearnRefusesConstantTargets(t *testing.T) {
	x := comparetest.Normal(20, 2, rand.New(rand.NewPCG(1, 1)))
	varying, constant := x.Data[:20], slices.Repeat([]float64{2.5}, 20)
	d := &data.Dataset{Name: "yields", X: x, Y: constant}
	says(t, failure(Learn(t.Context(), d)), "the target of yields is 2.5 at all 20 points")
	d = &data.Dataset{Name: "yields", X: x, Y: varying, Target: "weight",
		ExtraTargets: []data.Target{{Name: "height", Y: constant}}}
	says(t, failure(Learn(t.Context(), d)), `the target "height" of yields is 2.5 at all 20 points`)
}

// TestLearnWarnsOfClassInOneGroup: a class that occurs in one group only is a warning; the control has it in two.
func TestLearnWarnsOfClassInOneGroup(t *testing.T) {
	for _, groups := range []int{1, 2} {
		d := comparetest.Clouds(40, 2, 1)
		d.Group = make([]string, 40)
		for i := range d.Group {
			d.Group[i] = string(rune('a' + i%10))
			if d.Class(i) == 1 {
				d.Group[i] = string(rune('p' + i/2%groups))
			}
		}
		warnings := strings.Join(groupWarnings(d), "\n")
		if want := "the class " + d.Classes[1] + " occurs in the group p only"; strings.Contains(warnings, want) !=
			(groups == 1) {
			t.Errorf("%d groups: %q", groups, warnings)
		}
	}
}
