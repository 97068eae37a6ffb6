package study

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
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

// TestGroupsOfOne: where every point is a group of its own, splits are those of points; names do not
// matter, nor does the order in which draws are given.
func TestGroupsOfOne(t *testing.T) {
	y := labels(41, 13)
	own, other := make([]string, len(y)), make([]string, len(y))
	for i := range y {
		own[i], other[i] = strconv.Itoa(i), "p"+strconv.Itoa(100-i)
	}
	for _, g := range [][]string{own, other} {
		if !reflect.DeepEqual(must(Holdout(y, 0.3, 5, 2, ByGroup(g))), must(Holdout(y, 0.3, 5, 2))) ||
			!reflect.DeepEqual(must(KFold(y, 7, 2, ByGroup(g))), must(KFold(y, 7, 2))) ||
			!reflect.DeepEqual(must(Halves(y, 5, 2, ByGroup(g), AtRandom)), must(Halves(y, 5, 2, AtRandom))) {
			t.Error("groups of one point each are divided otherwise than points")
		}
	}
	group, y := people(60, 12, 5, 3)
	if !reflect.DeepEqual(must(Halves(y, 5, 2, AtRandom, ByGroup(group))),
		must(Halves(y, 5, 2, ByGroup(group), AtRandom))) {
		t.Error("the order of draws matters")
	}
	if !reflect.DeepEqual(must(Halves(y, 5, 2, ByGroup(nil))), must(Halves(y, 5, 2))) {
		t.Error("no groups are divided otherwise than points")
	}
}

// twins are points in groups of three, all but equal, whose label is that of the group, by lot: who
// has seen a group knows the rest of it, and nobody else can know anything.
func twins(groups int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := &data.Dataset{Name: "twins", Classes: []string{"left", "right"}}
	x := kernel.Rows{N: 3 * groups, D: 2}
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
// one by point seems to.
func TestNoLeakThroughGroups(t *testing.T) {
	d := twins(24, 1)
	bases := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 30}, kernel.RBF{Gamma: 300}}}
	scores := func(d *data.Dataset, splits []Split, s Selection) (float64, []Run, string) {
		table := run1(t, &Study{Data: d, Splits: splits, Selection: s,
			Methods: []Method{{Name: "m", Family: bases, Grid: Grid{Ridge(1e-3, 1, 1e3), Rules(mkl.Uniform{})}}}})
		return table.Summary("m", Accuracy).Mean, table.Rows[0].Runs, strings.Join(table.Notes, " ")
	}
	points := must(Holdout(d.Y, 0.25, 6, 1))
	groups := must(Holdout(d.Y, 0.25, 6, 1, ByGroup(d.Group)))
	leaky, _, said := scores(d, points, Selection{Folds: 4})
	if leaky < 0.85 || !strings.Contains(said, "same group are on both sides of 6 of 6 splits") {
		t.Errorf("by point the accuracy is %.2f, want one that leaks; notes: %s", leaky, said)
	}
	fair, _, said := scores(d, groups, Selection{Folds: 4})
	if fair > 0.7 || strings.Contains(said, "same group") {
		t.Errorf("by group the accuracy is %.2f, want near 0.5; notes: %s", fair, said)
	}
	// The choice inside a training part keeps groups whole too: it takes a larger λ wherever the labels of
	// 18 groups do not happen to look learnable, where folds of points take the smallest every time.
	larger, of := 0, 0
	for seed := range uint64(4) {
		d := twins(24, 1+seed)
		groups := must(Holdout(d.Y, 0.25, 6, 1, ByGroup(d.Group)))
		_, runs, _ := scores(d, groups, Selection{Folds: 4})
		without := *d
		without.Group = nil
		_, fooled, _ := scores(&without, groups, Selection{Folds: 4})
		for i := range runs {
			of++
			if runs[i].Value > fooled[i].Value {
				larger++
			}
			if fooled[i].Value != 1e-3 {
				t.Errorf("twins %d, split %d: folds of points take λ = %g, want the smallest, 0.001", seed, i+1,
					fooled[i].Value)
			}
		}
	}
	if 3*larger < of {
		t.Errorf("λ is larger than that of folds of points in %d of %d splits, want a third or more", larger, of)
	}

	l := must(Learn(context.Background(), d, WithSeed(3)))
	if a := l.Table.Summary(LearnedName, Accuracy).Mean; a > 0.7 {
		t.Errorf("Learn sees an accuracy of %.2f where nothing is to be learned", a)
	}
	says(t, l.String(), "a quarter of the groups", "5-fold cross-validation, by group")
}
