package study

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
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

// TestByGroup: splits divide the points, no group is on both sides, and shares and classes count
// groups.
func TestByGroup(t *testing.T) {
	checks := 0
	for seed := range uint64(20) {
		g := 4 + int(seed)
		group, y := people(90, g, 2+int(seed)/4, seed)
		for name, splits := range map[string][]Split{
			"halves":  must(Halves(y, 4, seed, ByGroup(group))),
			"holdout": must(Holdout(y, 0.3, 4, seed, ByGroup(group))),
			"random":  must(Halves(y, 4, seed, ByGroup(group), AtRandom)),
			"folds":   must(KFold(y, 3, seed, ByGroup(group))),
			"one out": must(KFold(y, g, seed, ByGroup(group))),
		} {
			for i, s := range splits {
				all := slices.Concat(s.Train, s.Test)
				slices.Sort(all)
				if !slices.Equal(all, upTo(len(y))) || !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) {
					t.Fatalf("%s: split %d is not a division: %v", name, i, s)
				}
				train, test := members(group, s.Train), members(group, s.Test)
				for p := range test {
					if train[p] {
						t.Errorf("%s: %s is on both sides of split %d", name, p, i)
					}
				}
				if name == "halves" || name == "holdout" {
					share := map[string]float64{"halves": 0.5, "holdout": 0.3}[name]
					if want := int(math.Round(share * float64(g))); len(test) != want {
						t.Errorf("%s: %d of %d groups to test on, want %d", name, len(test), g, want)
					}
					for _, part := range [][]int{s.Train, s.Test} {
						if plus := count(y, part, 1); (plus == 0 || plus == len(part)) && g >= 8 {
							t.Errorf("%s: a part of split %d has one class", name, i)
						}
					}
				}
				if name == "one out" && len(test) != 1 {
					t.Errorf("%d groups are left out, want 1", len(test))
				}
				checks++
			}
		}
	}
	if checks < 300 {
		t.Errorf("%d splits were checked", checks)
	}
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
	if !reflect.DeepEqual(must(Halves(y, 5, 2, AtRandom, ByGroup(group))), must(Halves(y, 5, 2, ByGroup(group), AtRandom))) {
		t.Error("the order of draws matters")
	}
	if !reflect.DeepEqual(must(Halves(y, 5, 2, ByGroup(nil))), must(Halves(y, 5, 2))) {
		t.Error("no groups are divided otherwise than points")
	}
}

// Every group is tested with the same probability: of 2,000 splits within 5 standard deviations of a
// binomial.
func TestEveryGroupIsTestedAsOften(t *testing.T) {
	const splits = 2000
	group, y := people(60, 11, 4, 1)
	tested := make(map[string]float64)
	for _, s := range must(Holdout(y, 0.3, splits, 1, ByGroup(group))) {
		for p := range members(group, s.Test) {
			tested[p]++
		}
	}
	p := 3.0 / 11
	for name, k := range tested {
		if math.Abs(k-splits*p) > 5*math.Sqrt(splits*p*(1-p)) {
			t.Errorf("%s is tested in %g of %d splits, want about %.0f", name, k, splits, splits*p)
		}
	}
	if len(tested) != 11 {
		t.Errorf("%d of 11 groups are ever tested", len(tested))
	}
}

// TestForward: every training point is earlier than every test point, and every time but those of the
// first span is tested once.
func TestForward(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 40 {
		time := make([]float64, 30)
		for i := range time {
			time[i] = float64(rng.IntN(6 + trial)) // ties
		}
		distinct := len(slices.Compact(slices.Sorted(slices.Values(time))))
		for k := 1; k < distinct; k++ {
			splits := must(Forward(time, k))
			tested := make([]int, len(time))
			for i, s := range splits {
				if err := s.check(i, len(time)); err != nil || len(splits) != k {
					t.Fatal(len(splits), err)
				}
				last := math.Inf(-1)
				for _, r := range s.Train {
					last = max(last, time[r])
				}
				for _, r := range s.Test {
					tested[r]++
					if time[r] <= last {
						t.Errorf("%d splits: point %d of time %g is tested, and %g was trained on", k, r, time[r], last)
					}
				}
				if i > 0 && !reflect.DeepEqual(whole(splits[i-1]), whole(Split{Train: s.Train})) {
					t.Errorf("split %d of %d does not train on all of the split before it", i, k)
				}
			}
			for r, n := range tested {
				first := slices.Contains(splits[0].Train, r)
				if n != map[bool]int{true: 0, false: 1}[first] {
					t.Errorf("%d splits: point %d is tested %d times", k, r, n)
				}
			}
		}
	}
	// By hand: the times 1 | 2, 3 | 4, 5 of which the first is never tested.
	time := []float64{3, 1, 2, 2, 5, 4}
	want := []Split{{Train: []int{1}, Test: []int{0, 2, 3}}, {Train: []int{0, 1, 2, 3}, Test: []int{4, 5}}}
	if got := must(Forward(time, 2)); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// whole are the points of a split, both parts.
func whole(s Split) []int {
	all := slices.Concat(s.Train, s.Test)
	slices.Sort(all)
	return all
}

func TestGroupErrors(t *testing.T) {
	group, y := people(20, 4, 2, 1)
	for want, f := range map[string]func() ([]Split, error){
		"groups of 19 points, want one for each of 20": func() ([]Split, error) { return Halves(y, 1, 0, ByGroup(group[:19])) },
		"5 folds of 4 groups":                          func() ([]Split, error) { return KFold(y, 5, 0, ByGroup(group)) },
		"0 of 4 groups to test on":                     func() ([]Split, error) { return Holdout(y, 0.1, 1, 0, ByGroup(group)) },
		"no targets":                                   func() ([]Split, error) { return Halves(nil, 1, 0, ByGroup([]string{})) },
		"target 1 is NaN":                              func() ([]Split, error) { return Halves([]float64{math.NaN(), 1}, 1, 0, ByGroup([]string{"a", "a"})) },
		"time 2 is NaN":                                func() ([]Split, error) { return Forward([]float64{1, math.NaN()}, 1) },
		"2 splits by 2 different times of 3":           func() ([]Split, error) { return Forward([]float64{1, 2, 1}, 2) },
		"0 splits by":                                  func() ([]Split, error) { return Forward([]float64{1, 2, 1}, 0) },
		"by 0 different times":                         func() ([]Split, error) { return Forward(nil, 1) },
	} {
		if s, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want an error with %q", s, err, want)
		}
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
		table := run1(t, &Study{Data: d, Splits: splits, Selection: s, Methods: []Method{{Name: "m", Family: bases, Grid: Grid{Ridge(1e-3, 1, 1e3), Rules(mkl.Uniform{})}}}})
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
				t.Errorf("twins %d, split %d: folds of points take λ = %g, want the smallest, 0.001", seed, i+1, fooled[i].Value)
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
	if s := l.String(); !strings.Contains(s, "a quarter of the groups") || !strings.Contains(s, "5-fold cross-validation, by group") {
		t.Errorf("Learn does not say that it goes by group: %s", s)
	}
}

// Splits of different sizes are told.
func TestSplitsOfDifferentSizes(t *testing.T) {
	d := clouds(24, 2, 1)
	time := make([]float64, 24)
	for i := range time {
		time[i] = float64(i)
	}
	s := &Study{Data: d, Splits: must(Forward(time, 2)), Methods: []Method{{Name: "one", Family: gaussians, Grid: Grid{Ridge(1)}}}}
	if notes := strings.Join(run1(t, s).Notes, " "); !strings.Contains(notes, "8 to 16 points to train on, 8 to 8 to test on") {
		t.Errorf("the notes do not say how splits differ: %s", notes)
	}
}
