package study

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
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

// TestGroupsOfOne: where every point is a group of its own, splits are those of points, whatever the names and the
// order in which draws are given.
func TestGroupsOfOne(t *testing.T) {
	y := labels(41, 13)
	own := make([]string, len(y))
	for i := range y {
		own[i] = "p" + strconv.Itoa(100-i)
	}
	group, z := people(60, 12, 5, 3)
	for i, pair := range [][2][]Split{
		{must(Holdout(y, 0.3, 5, 2, ByGroup(own))), must(Holdout(y, 0.3, 5, 2))},
		{must(KFold(y, 7, 2, ByGroup(own))), must(KFold(y, 7, 2))},
		{must(Halves(y, 5, 2, ByGroup(own), AtRandom)), must(Halves(y, 5, 2, AtRandom))},
		{must(Halves(z, 5, 2, AtRandom, ByGroup(group))), must(Halves(z, 5, 2, ByGroup(group), AtRandom))},
		{must(Halves(z, 5, 2, ByGroup(nil))), must(Halves(z, 5, 2))},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("pair %d: %v, want %v", i, pair[0], pair[1])
		}
	}
}

// twins are points in groups of three, all but equal, whose label is that of the group, by lot: who
// has seen a group knows the rest of it, and nobody else can know anything.
func twins(groups int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := &data.Dataset{Name: "twins", Classes: []string{"left", "right"}}
	x := points.Rows{N: 3 * groups, D: 2}
	for g := range groups {
		a, b, y := rng.NormFloat64(), rng.NormFloat64(), float64(2*rng.IntN(2)-1)
		for range 3 {
			x.Data = append(x.Data, a+0.01*rng.NormFloat64(), b+0.01*rng.NormFloat64())
			d.Y, d.Group = append(d.Y, y), append(d.Group, strconv.Itoa(g))
		}
	}
	d.X = x
	return d
}

// TestNoLeakThroughGroups: where there is nothing to learn, a comparison by group finds nothing, and
// one by point seems to. The choice inside a training part keeps groups whole too, and so does Learn.
func TestNoLeakThroughGroups(t *testing.T) {
	d := twins(24, 1)
	s := &Study{Data: d, Selection: Selection{Folds: 4}, Methods: []Method{{Name: "m",
		Family: kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 30}, kernel.RBF{Gamma: 300}}},
		Grid:   Grid{Ridge(1e-3, 1, 1e3), Rules(mkl.Uniform{})}}}}
	scores := func(draw ...Draw) (float64, string) {
		s.Splits = must(Holdout(d.Y, 0.25, 6, 1, draw...))
		table := run1(t, s)
		return table.Summary("m", Accuracy).Mean, strings.Join(table.Notes, " ")
	}
	leaky, said := scores()
	if says(t, said, "same group are on both sides of 6 of 6 splits"); leaky < 0.85 {
		t.Errorf("by point the accuracy is %.2f, want one that leaks", leaky)
	}
	if fair, said := scores(ByGroup(d.Group)); fair > 0.7 || strings.Contains(said, "same group") {
		t.Errorf("by group the accuracy is %.2f, want near 0.5; notes: %s", fair, said)
	}
	for i, f := range chosen(t, s, 0).folds {
		if cutGroups(d.Group, []Split{f}) > 0 {
			t.Errorf("fold %d of the choice has a group on both sides", i+1)
		}
	}
	l := learn(t, d, WithSeed(3))
	if a := l.Table.Summary(LearnedName, Accuracy).Mean; a > 0.7 {
		t.Errorf("Learn sees an accuracy of %.2f where nothing is to be learned", a)
	}
	says(t, l.String(), "a quarter of the groups", "5-fold cross-validation, by group")
}
