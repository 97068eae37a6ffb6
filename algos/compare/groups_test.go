package compare

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// people are n points of g persons, in random order, whose label is the person's own; so many
// persons are +1.
func people(n, g, plus int, seed uint64) (group []string, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	name := rng.Perm(g)
	for i := range n {
		p := name[i%g]
		if i >= g {
			p = rng.IntN(g)
		}
		group = append(group, "person "+strconv.Itoa(p))
		y = append(y, -1)
		if p < plus {
			y[i] = 1
		}
	}
	return group, y
}

// members are the groups of some points.
func members(group []string, rows []int) map[string]bool {
	in := make(map[string]bool)
	for _, r := range rows {
		in[group[r]] = true
	}
	return in
}

// TestFoldsKeepGroups: the folds on which hyperparameters are chosen keep groups whole.
func TestFoldsKeepGroups(t *testing.T) {
	s := everything()
	s.Data.Group, _ = people(36, 9, 4, 1)
	for _, f := range chosen(t, s, 0).selectionFolds {
		if CountSplitsWithCutGroups(s.Data.Group, []Split{f}) > 0 {
			t.Errorf("a fold has a group in both parts: %v", f)
		}
	}
	s.Selection.Folds = 10
	_, err := s.Run(t.Context(), nil)
	says(t, failure(0, err), "Selection.Folds", "10 folds of ")
}

// TestSharedPointsOfMatrices tests that the matrices of the training points, passed as new points, are recognized, and
// that matrices of other points are not.
func TestSharedPointsOfMatrices(t *testing.T) {
	m := &model.Model{X: points.Indices{0, 2}} // two support vectors
	for _, c := range []struct {
		matrix []float64
		shared int
	}{{[]float64{2, 1, 0, 1, 2, 1, 0, 1, 2}, 2}, {[]float64{2, 1, 0, 1, 2, 1, 0.5, 1, 2}, 0},
		{[]float64{2, 1, 0, 1, 2, 1}, 0}} {
		z := points.KernelRows{N: 3, Names: []string{"k"}, Data: [][]float64{c.matrix}}
		if shared, _ := CountSharedPoints(m, &data.Dataset{X: z}); shared != c.shared {
			t.Errorf("%v: %d shared points, want %d", c.matrix, shared, c.shared)
		}
	}
}
