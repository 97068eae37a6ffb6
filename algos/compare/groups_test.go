package compare

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
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

// TestGroupsOfOne: where every point is a group of its own, splits are those of points, whatever the names.
func TestGroupsOfOne(t *testing.T) {
	y := labels(41, 13)
	own := make([]string, len(y))
	for i := range y {
		own[i] = "p" + strconv.Itoa(100-i)
	}
	for i, pair := range [][2][]Split{
		{must(Holdout(y, 0.3, 5, 2, ByGroup(own))), must(Holdout(y, 0.3, 5, 2))},
		{must(KFold(y, 7, 2, ByGroup(own))), must(KFold(y, 7, 2))},
		{must(Halves(y, 5, 2, ByGroup(nil))), must(Halves(y, 5, 2))},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("pair %d: %v, want %v", i, pair[0], pair[1])
		}
	}
}

// TestFoldsKeepGroups: the folds on which hyperparameters are chosen keep groups whole.
func TestFoldsKeepGroups(t *testing.T) {
	s := everything()
	s.Data.Group, _ = people(36, 9, 4, 1)
	for _, f := range chosen(t, s, 0).folds {
		if CountCutGroups(s.Data.Group, []Split{f}) > 0 {
			t.Errorf("a fold has a group in both parts: %v", f)
		}
	}
}
