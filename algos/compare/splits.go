package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/points"
)

// Split is one division of the points. The parts contain indices from 0, ascending.
type Split struct{ Train, Test []int }

// Draw is the way in which points are divided. The zero Draw is ByClass.
type Draw struct {
	random bool
	group  []string // the group of each point
}

var (
	// ByClass gives each part of a split the classes' shares of the whole, rounded up or down at random. As far as
	// there is room, each part gets at least one point of every class with two or more points. A class with one point
	// is on one side or the other, with probabilities by their sizes. Targets are classes if all are ±1, or if all are
	// whole numbers from 0 to 99. Other targets are divided as with AtRandom.
	ByClass = Draw{}
	// AtRandom ignores labels.
	AtRandom = Draw{random: true}
)

// ByGroup keeps the points of a group together, such as the recordings of one person: no group is on both sides of a
// split. group[i] is the name of the group of point i (data.Dataset.Group). Groups are divided like points: shares and
// sizes count groups, and the class of a group is the label that all its points have. If any group has several labels,
// all groups are divided at random.
func ByGroup(group []string) Draw { return Draw{group: group} }

// Halves returns count random divisions of the points into halves. If the number of points is odd, the training half is
// the smaller one. Split i depends only on the seed and on i: ten splits are the first ten of thirty.
func Halves(y []float64, count int, seed uint64, draw ...Draw) ([]Split, error) {
	return Holdout(y, 0.5, count, seed, draw...)
}

// Holdout returns count random divisions. Each has the given fraction of the points, rounded, as test points.
func Holdout(y []float64, fraction float64, count int, seed uint64, draw ...Draw) ([]Split, error) {
	u, err := units(y, draw)
	if err != nil {
		return nil, err
	}
	n := len(u.y)
	test := int(math.Round(float64(n) * fraction))
	switch {
	case !(fraction > 0 && fraction < 1):
		return nil, fmt.Errorf("compare: the test share %g must be between 0 and 1", fraction)
	case count < 1:
		return nil, fmt.Errorf("compare: %d splits; use at least 1", count)
	case test < 1 || test >= n:
		return nil, fmt.Errorf("compare: %d of %d %s for testing; at least 1 must be for testing and 1 for training",
			test, n, u.name)
	}
	groups, err := classes(u.y, draw)
	if err != nil {
		return nil, err
	}
	splits := make([]Split, count)
	for i := range splits {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		share := shares(groups, test, n, rng.IntN(n))
		in := make([]bool, n)
		for c, g := range groups {
			p := slices.Clone(g)
			rng.Shuffle(len(p), func(a, b int) { p[a], p[b] = p[b], p[a] })
			for _, row := range p[:share[c]] {
				in[row] = true
			}
		}
		splits[i] = u.divide(in)
	}
	return splits, nil
}

// KFold divides the points into k parts whose sizes differ by at most one. Each part is the test part of one split. By
// class, the points of each class are dealt to the parts in turn.
func KFold(y []float64, k int, seed uint64, draw ...Draw) ([]Split, error) {
	u, err := units(y, draw)
	if err != nil {
		return nil, err
	}
	n := len(u.y)
	if k < 2 || k > n {
		return nil, fmt.Errorf("compare: %d folds for %d %s; use at least 2 folds and at most one for each",
			k, n, u.name)
	}
	groups, err := classes(u.y, draw)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 1<<32)) // a stream that no split of Holdout uses
	fold, next := make([]int, n), 0
	for _, g := range groups {
		p := slices.Clone(g)
		rng.Shuffle(len(p), func(a, b int) { p[a], p[b] = p[b], p[a] })
		for _, row := range p {
			fold[row] = next % k
			next++
		}
	}
	splits := make([]Split, k)
	for f := range splits {
		in := make([]bool, n)
		for i, g := range fold {
			in[i] = g == f
		}
		splits[f] = u.divide(in)
	}
	return splits, nil
}

// TimeSeriesSplits returns k splits that train on the past and test on what follows. The different times are divided
// into k+1 spans. The first span is never tested. Split i trains on the spans before span i+1 and tests on span i+1.
// Every training point is earlier than every test point, and points of the same time stay together. time[i] is the time
// of point i, in any unit.
func TimeSeriesSplits(time []float64, k int) ([]Split, error) {
	for i, t := range time {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, fmt.Errorf("compare: time %d is %g; it must be finite", i+1, t)
		}
	}
	at := slices.Compact(slices.Sorted(slices.Values(time)))
	if k < 1 || k >= len(at) {
		return nil, fmt.Errorf("compare: %d splits by %d different times of %d points; use at least 1 split and fewer "+
			"splits than times", k, len(at), len(time))
	}
	splits := make([]Split, k)
	for f := range splits {
		from := at[(f+1)*len(at)/(k+1)]
		to := math.Inf(1)
		if f+1 < k {
			to = at[(f+2)*len(at)/(k+1)]
		}
		for i, t := range time {
			switch {
			case t < from:
				splits[f].Train = append(splits[f].Train, i)
			case t < to:
				splits[f].Test = append(splits[f].Test, i)
			}
		}
	}
	return splits, nil
}

// unit describes the units that a split keeps whole: points, or groups of points.
type unit struct {
	y    []float64 // labels of the units; 0.5 for a group with several labels
	of   []int     // the unit of each point
	name string
}

// units returns the points as units, or their groups in the order of their first points.
func units(y []float64, draw []Draw) (unit, error) {
	var group []string
	for _, d := range draw {
		if d.group != nil {
			group = d.group
		}
	}
	u := unit{y: y, name: "points"}
	switch {
	case group == nil:
		u.of = points.AllIndices(len(y))
		return u, nil
	case len(group) != len(y):
		return u, fmt.Errorf("compare: groups of %d points for %d targets; give one group for each target",
			len(group), len(y))
	}
	if _, err := classes(y, nil); err != nil { // before a group replaces the target of a point
		return u, err
	}
	u = unit{of: make([]int, len(y)), name: "groups"}
	number := make(map[string]int)
	for i, g := range group {
		k, ok := number[g]
		if !ok {
			k = len(u.y)
			number[g], u.y = k, append(u.y, y[i])
		}
		if u.of[i] = k; u.y[k] != y[i] {
			u.y[k] = 0.5 // several labels
		}
	}
	return u, nil
}

// divide returns the split whose test part consists of the units with in true.
func (u unit) divide(in []bool) Split {
	var s Split
	for i, k := range u.of {
		if in[k] {
			s.Test = append(s.Test, i)
		} else {
			s.Train = append(s.Train, i)
		}
	}
	return s
}

// mostLabels is the number of labels 0, 1, … that count as classes.
const mostLabels = 100

// classes returns the points of each class, or one list of all points if they are not divided by class.
func classes(y []float64, draw []Draw) ([][]int, error) {
	if len(y) == 0 {
		return nil, fmt.Errorf("compare: no targets to split")
	}
	signs, numbers := true, true
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("compare: target %d is %g; it must be finite", i+1, v)
		}
		signs = signs && (v == -1 || v == 1)
		numbers = numbers && v >= 0 && v < mostLabels && v == math.Trunc(v)
	}
	if !signs && !numbers || slices.ContainsFunc(draw, func(d Draw) bool { return d.random }) {
		return [][]int{points.AllIndices(len(y))}, nil
	}
	groups := make([][]int, mostLabels)
	for i, v := range y {
		groups[max(int(v), 0)] = append(groups[max(int(v), 0)], i)
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return len(g) == 0 }), nil
}

// shares divides test points among classes. Each class gets its exact share rounded down, and one more with the
// probability of the remainder, by systematic sampling from the draw u in 0 … n−1. So every point is tested with
// probability test/n. Then, if a class of two or more points has none on one side, it gets one there in exchange for a
// point of a class that has two or more on that side.
func shares(groups [][]int, test, n, u int) []int {
	share := make([]int, len(groups))
	for c, g := range groups {
		share[c] = len(g) * test / n
		if u += len(g) * test % n; u >= n {
			share[c]++
			u -= n
		}
	}
	for c, g := range groups {
		for o, h := range groups {
			if o == c || len(g) < 2 {
				continue
			}
			if share[c] == 0 && share[o] >= 2 {
				share[c], share[o] = 1, share[o]-1
			}
			if share[c] == len(g) && len(h)-share[o] >= 2 {
				share[c], share[o] = share[c]-1, share[o]+1
			}
		}
	}
	return share
}

// Validate returns an error if s is not a division of n points.
func (s Split) Validate(i, n int) error {
	trains := make([]bool, n)
	for k, part := range [][]int{s.Train, s.Test} {
		if len(part) == 0 {
			return fmt.Errorf("compare: split %d has %d training and %d test points; both must be at least 1",
				i+1, len(s.Train), len(s.Test))
		}
		for _, r := range part {
			if r < 0 || r >= n {
				return fmt.Errorf("compare: split %d names point %d of %d, counted from 0", i+1, r, n)
			}
			if k == 1 && trains[r] {
				return fmt.Errorf("compare: split %d trains and tests on point %d", i+1, r)
			}
			trains[r] = k == 0
		}
	}
	return nil
}
