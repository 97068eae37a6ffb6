package compare

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/points"
)

// Split is one division of the points into a training and a test part. The parts contain indices from 0, ascending.
type Split struct{ Train, Test []int }

// Draw states which unit a split does not divide: a point (the zero Draw) or a group of points (ByGroup).
//
// Splits are stratified: in each part, every class has the same share as in all points, rounded up or down at random.
// As far as the sizes permit, each part gets at least one point of every class with two or more points. The only point
// of a class is in the test part with the probability (size of the test part)/n. Targets are classes if all are ±1, or
// if all are whole numbers from 0 to 99. Other targets are divided at random.
type Draw struct {
	group []string // the group of each point
}

// ByGroup keeps the points of a group together, such as the recordings of one person: no group has points in both parts
// of a split. group[i] is the name of the group of point i (data.Dataset.Group). Groups are divided like points: shares
// and sizes count groups, and the class of a group is the label that all its points have. If any group has several
// labels, all groups are divided at random.
func ByGroup(group []string) Draw { return Draw{group: group} }

// Halves returns count random divisions of the points into halves. If the number of points is odd, the training half is
// the smaller one. Split i depends only on the seed and on i: ten splits are the first ten of thirty.
func Halves(y []float64, count int, seed uint64, draw ...Draw) ([]Split, error) {
	return Holdout(y, 0.5, count, seed, draw...)
}

// Holdout returns count random divisions. Each has the given fraction of the points, rounded, as test points.
func Holdout(y []float64, fraction float64, count int, seed uint64, draw ...Draw) ([]Split, error) {
	u, err := newSplitUnits(y, draw)
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
	groups, err := groupByClass(u.y)
	if err != nil {
		return nil, err
	}
	splits := make([]Split, count)
	for i := range splits {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		share := testShares(groups, test, n, rng.IntN(n))
		inTest := make([]bool, n)
		for c, g := range groups {
			p := slices.Clone(g)
			rng.Shuffle(len(p), func(a, b int) { p[a], p[b] = p[b], p[a] })
			for _, row := range p[:share[c]] {
				inTest[row] = true
			}
		}
		splits[i] = u.splitBy(inTest)
	}
	return splits, nil
}

// KFold divides the points into k parts whose sizes differ by at most one. Each part is the test part of one split.
// The points of each class are distributed over the parts in turn, in random order.
func KFold(y []float64, k int, seed uint64, draw ...Draw) ([]Split, error) {
	u, err := newSplitUnits(y, draw)
	if err != nil {
		return nil, err
	}
	n := len(u.y)
	if k < 2 || k > n {
		return nil, fmt.Errorf("compare: %d folds for %d %s; use at least 2 folds and at most one for each",
			k, n, u.name)
	}
	groups, err := groupByClass(u.y)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 1<<32)) // Holdout uses the streams 0, 1, …
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
		inTest := make([]bool, n)
		for i, g := range fold {
			inTest[i] = g == f
		}
		splits[f] = u.splitBy(inTest)
	}
	return splits, nil
}

// drawByClass draws count of the indices of the targets y at random, stratified by class, and returns them ascending.
func drawByClass(y []float64, count int, seed uint64) ([]int, error) {
	s, err := Holdout(y, float64(count)/float64(len(y)), 1, seed)
	if err != nil {
		return nil, err
	}
	return s[0].Test, nil
}

// kFoldAtMost is like KFold with ByGroup. If there are fewer than k points or groups, it makes one fold for each.
func kFoldAtMost(y []float64, group []string, k int, seed uint64) ([]Split, error) {
	u, err := newSplitUnits(y, []Draw{ByGroup(group)})
	if err != nil {
		return nil, err
	}
	return KFold(y, min(k, len(u.y)), seed, ByGroup(group))
}

// MeanRatio returns the mean over splits of (number of test points)/(number of training points).
func MeanRatio(splits []Split) (ratio float64) {
	for _, s := range splits {
		ratio += float64(len(s.Test)) / float64(len(s.Train)) / float64(len(splits))
	}
	return ratio
}

// splitUnits describes the units that a split does not divide: points, or groups of points.
type splitUnits struct {
	y           []float64 // labels of the units; 0.5 for a group with several labels
	unitOfPoint []int     // the unit of each point
	name        string
}

// newSplitUnits returns one unit for each point or, if draws contains a ByGroup, one for each group, in the order of
// the first points of the groups.
func newSplitUnits(y []float64, draws []Draw) (splitUnits, error) {
	var group []string
	for _, d := range draws {
		if d.group != nil {
			group = d.group
		}
	}
	u := splitUnits{y: y, name: "points"}
	switch {
	case group == nil:
		u.unitOfPoint = points.AllIndices(len(y))
		return u, nil
	case len(group) != len(y):
		return u, fmt.Errorf("compare: groups of %d points for %d targets; give one group for each target",
			len(group), len(y))
	}
	if _, err := groupByClass(y); err != nil { // validates y, which the units hide if a group has several labels
		return u, err
	}
	u = splitUnits{unitOfPoint: make([]int, len(y)), name: "groups"}
	number := make(map[string]int)
	for i, g := range group {
		k, ok := number[g]
		if !ok {
			k = len(u.y)
			number[g], u.y = k, append(u.y, y[i])
		}
		if u.unitOfPoint[i] = k; u.y[k] != y[i] {
			u.y[k] = 0.5 // several labels
		}
	}
	return u, nil
}

// splitBy returns the split whose test part consists of the points of the units k with inTest[k].
func (u splitUnits) splitBy(inTest []bool) Split {
	var s Split
	for i, k := range u.unitOfPoint {
		if inTest[k] {
			s.Test = append(s.Test, i)
		} else {
			s.Train = append(s.Train, i)
		}
	}
	return s
}

// maxLabels bounds the whole numbers that count as class labels: 0 … maxLabels−1.
const maxLabels = 100

// groupByClass returns the indices of the points of each class. It returns one list of all points if the targets are
// not classes.
func groupByClass(y []float64) ([][]int, error) {
	if len(y) == 0 {
		return nil, errors.New("compare: there are no targets to split; pass one number per point")
	}
	signs, numbers := true, true
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("compare: target %d is %g; it must be finite", i+1, v)
		}
		signs = signs && (v == -1 || v == 1)
		numbers = numbers && v >= 0 && v < maxLabels && v == math.Trunc(v)
	}
	if !signs && !numbers {
		return [][]int{points.AllIndices(len(y))}, nil
	}
	groups := make([][]int, maxLabels)
	for i, v := range y {
		groups[max(int(v), 0)] = append(groups[max(int(v), 0)], i)
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return len(g) == 0 }), nil
}

// testShares returns the number of test points of each class. groups contains the points of each class. testCount of
// all total points are test points. The exact number for a class of c points is c·testCount/total. testShares rounds
// it down and adds one with a probability that is the remainder, by systematic sampling from random, a number in
// 0 … total−1. So every point is a test point with probability testCount/total. Then, if a class of two or more points
// has none in one part, it gets one there in exchange for a point of a class that has two or more in that part.
func testShares(groups [][]int, testCount, total, random int) []int {
	share := make([]int, len(groups))
	for c, g := range groups {
		share[c] = len(g) * testCount / total
		if random += len(g) * testCount % total; random >= total {
			share[c]++
			random -= total
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

// Validate returns an error if a part of s is empty, if s contains an index outside 0 … n−1, or if a point is in both
// parts. The message names s as split i+1.
func (s Split) Validate(i, n int) error {
	isTraining := make([]bool, n)
	for k, part := range [][]int{s.Train, s.Test} {
		if len(part) == 0 {
			return fmt.Errorf("compare: split %d has %d training and %d test points; each part needs at least 1",
				i+1, len(s.Train), len(s.Test))
		}
		for _, r := range part {
			if r < 0 || r >= n {
				return fmt.Errorf("compare: split %d contains point %d, but there are %d points, numbered "+
					"from 0", i+1, r, n)
			}
			if k == 1 && isTraining[r] {
				return fmt.Errorf("compare: split %d has point %d in both parts; leave it out of one", i+1, r)
			}
			isTraining[r] = k == 0
		}
	}
	return nil
}
