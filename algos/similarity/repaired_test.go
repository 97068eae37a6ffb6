package similarity_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

func TestRepaired(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := similarity.Given{Name: "a", N: 12, S: similarity.Vec(draw(rng, 12, 12, 1)), Repairs: repairs}
	b := similarity.Given{Name: "b", N: 12, S: similarity.Vec(draw(rng, 12, 12, 1)),
		Repairs: []similarity.Repair{similarity.Linear, similarity.Flip}}
	kerneltest.TestFamily(t, similarity.Repaired{Of: []similarity.Given{a}}, points.Indices{4, 0, 7, 2, 2, 8, 5, 11})
	kerneltest.TestFamily(t, similarity.Repaired{Of: []similarity.Given{a, b}, Normalize: kernel.MeanDiagonal},
		points.Indices{3, 4, 0, 7, 2, 2, 8, 5, 11})
}

// TestRepairedFolds tests that the kernels of a slice are the repairs of the similarities between its points alone,
// whatever the other points are, and points left out are met by the linear rule of that repair, as places, as rows of
// similarities, and by the frozen family.
func TestRepairedFolds(t *testing.T) {
	const n = 14
	rng := rand.New(rand.NewPCG(2, 2))
	S := draw(rng, n, n, 1)
	f := similarity.Repaired{Of: []similarity.Given{{Name: "s", N: n, S: similarity.Vec(S), Repairs: repairs}},
		Normalize: kernel.MeanDiagonal}
	all := f.Bind(points.AllIndices(n))
	rows, out := []int{9, 1, 4, 12, 3, 6, 0, 8}, []int{2, 13, 5, 7}
	l := len(rows)
	part, rest := mat.NewSymDense(l, nil), mat.NewDense(len(out), l, nil)
	related := points.KernelRows{N: n, Names: []string{"s"}, Data: [][]float64{nil}}
	for j, c := range rows {
		for i := range j + 1 {
			part.SetSym(i, j, S.At(rows[i], c))
		}
		for i, r := range out {
			rest.Set(i, j, S.At(r, c))
		}
	}
	for _, r := range out {
		for c := range n {
			related.Data[0] = append(related.Data[0], S.At(r, c))
		}
	}
	for _, r := range repairs { // the frozen family takes the names of repairs
		related.Names, related.Data = append(related.Names, r.KernelName("s")), append(related.Data, related.Data[0])
	}
	spectrum := must(similarity.Decompose(part))
	sliced := all
	fold := sliced.Slice(rows)
	frozen := must(fold.FreezeFit())
	for k, r := range repairs {
		kern := must(spectrum.Repair(r))
		cross := must(kern.Cross(rest))
		scale := float64(l) / mat.Trace(kern.K)
		theta := make([]float64, len(repairs))
		theta[k] = 1
		g := fold.New()
		g.SetTheta(theta)
		var want mat.Dense
		want.Scale(scale, kern.K)
		label := fold.(interface{ Label(int) string }).Label(k)
		if d := distance(g.K(), &want); d > 1e-12 || label != r.KernelName("s") {
			t.Errorf("%v: kernel of the fold is off by %g from the repair of its similarities", r, d)
		}
		var met mat.Dense
		met.Scale(scale, cross)
		for name, c := range map[string]kernel.Cross{
			"block":   sliced.Block(out, rows),
			"places":  fold.Cross(points.Indices(out)),
			"related": fold.Cross(related),
			"frozen":  frozen.Bind(points.Indices(rows)).Cross(related),
		} {
			got := mat.NewDense(len(out), l, nil)
			c.StoreMatrix(got, theta)
			if d := distance(got, &met); d > 1e-12 {
				t.Errorf("%v, %s: points left out are met off by %g from the rule of the fold's repair", r, name, d)
			}
		}
	}
	if _, err := fold.CheckNewPoints(related); err != nil {
		t.Error(err)
	}
	for want, z := range map[string]points.Points{
		"has 3 kernel values, but s has 14": points.KernelRows{N: 3, Names: []string{"s"},
			Data: [][]float64{{1, 2, 3}}},
		"has index 14": points.Indices{14},
	} {
		if _, err := fold.CheckNewPoints(z); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDiffering tests that Denoise, Flip and Shift of a valid kernel count as one.
func TestDiffering(t *testing.T) {
	if got := similarity.DistinctRepairs(mat.NewSymDense(2, []float64{1, 2, 2, 1})); !slices.Equal(got, repairs) {
		t.Errorf("%v", got)
	}
	want := []similarity.Repair{similarity.Denoise, similarity.Linear}
	if got := similarity.DistinctRepairs(mat.NewSymDense(2, []float64{1, 1, 1, 1})); !slices.Equal(got, want) {
		t.Errorf("%v of a kernel, want %v", got, want)
	}
}

func TestRepairedMistakes(t *testing.T) {
	ok := similarity.Given{Name: "s", N: 2, S: []float64{1, 2, 2, 1}, Repairs: repairs}
	with := func(change func(*similarity.Given)) similarity.Repaired {
		g := ok
		change(&g)
		return similarity.Repaired{Of: []similarity.Given{g}}
	}
	for want, f := range map[string]similarity.Repaired{
		"at least one matrix":        {},
		`normalization "cosine"`:     {Of: []similarity.Given{ok}, Normalize: kernel.Cosine},
		`"s" has no matrix`:          with(func(g *similarity.Given) { g.S = nil }),
		"S has 1 numbers":            with(func(g *similarity.Given) { g.S = g.S[:1] }),
		"not symmetric":              with(func(g *similarity.Given) { g.S = []float64{1, 2, 3, 1} }),
		"is NaN":                     with(func(g *similarity.Given) { g.S = []float64{1, 2, 2, math.NaN()} }),
		"scale the matrix down":      with(func(g *similarity.Given) { g.S = []float64{1, 2, 2, 1e200} }),
		`"s" has no repairs`:         with(func(g *similarity.Given) { g.Repairs = nil }),
		"Repair(7)":                  with(func(g *similarity.Given) { g.Repairs = []similarity.Repair{7} }),
		`two matrices are named "s"`: {Of: []similarity.Given{ok, ok}},
		`"r" has 1 points and "s" has 2`: {Of: []similarity.Given{ok,
			{Name: "r", N: 1, S: []float64{1}, Repairs: repairs}}},
	} {
		if err := f.Bind(points.AllIndices(2)).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
