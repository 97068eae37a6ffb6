package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Split is one division of the points by number, from 0, both parts ascending.
type Split struct{ Train, Test []int }

// Draw says how points are divided.
type Draw int

const (
	// ByClass gives each part of a split the classes' shares of the whole, rounded up or down at
	// random, and at least one point of every class of two or more where there is room. A class of
	// one point is on one side or the other, by their sizes. Targets that are not ±1
	// have no classes: they are divided as AtRandom.
	ByClass Draw = iota
	// AtRandom looks at no label.
	AtRandom
)

// Halves returns count random divisions of the points into halves, the training half the smaller
// of an odd number. Split i depends on the seed and on i alone: the first ten of thirty are the
// ten.
func Halves(y []float64, count int, seed uint64, draw ...Draw) ([]Split, error) {
	return Holdout(y, 0.5, count, seed, draw...)
}

// Holdout returns count random divisions, each with the share fraction of the points, rounded, to
// test on.
func Holdout(y []float64, fraction float64, count int, seed uint64, draw ...Draw) ([]Split, error) {
	n := len(y)
	test := int(math.Round(float64(n) * fraction))
	switch {
	case !(fraction > 0 && fraction < 1):
		return nil, fmt.Errorf("study: a share of %g of the points to test on, want one between 0 and 1", fraction)
	case count < 1:
		return nil, fmt.Errorf("study: %d splits, want 1 or more", count)
	case test < 1 || test >= n:
		return nil, fmt.Errorf("study: %d of %d points to test on, want at least 1, and 1 to train on", test, n)
	}
	groups, err := classes(y, draw)
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
		splits[i] = divide(in)
	}
	return splits, nil
}

// KFold divides the points into k parts that differ by at most one in size, each the test part of
// one split. By class, the points of each class are dealt to the parts in turn.
func KFold(y []float64, k int, seed uint64, draw ...Draw) ([]Split, error) {
	if k < 2 || k > len(y) {
		return nil, fmt.Errorf("study: %d folds of %d points, want at least 2 and at most one for each point", k, len(y))
	}
	groups, err := classes(y, draw)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 1<<32)) // a stream that no split of Holdout has
	fold, next := make([]int, len(y)), 0
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
		in := make([]bool, len(y))
		for i, g := range fold {
			in[i] = g == f
		}
		splits[f] = divide(in)
	}
	return splits, nil
}

// divide is the split that tests on the points where in is true.
func divide(in []bool) Split {
	var s Split
	for i, t := range in {
		if t {
			s.Test = append(s.Test, i)
		} else {
			s.Train = append(s.Train, i)
		}
	}
	return s
}

// classes returns the points of each class, or all as one where they are not told apart.
func classes(y []float64, draw []Draw) ([][]int, error) {
	if len(y) == 0 {
		return nil, fmt.Errorf("study: no targets to split")
	}
	all, groups, labels := make([]int, len(y)), make([][]int, 2), true
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("study: target %d is %g, want a finite number", i+1, v)
		}
		all[i] = i
		switch v {
		case -1:
			groups[0] = append(groups[0], i)
		case 1:
			groups[1] = append(groups[1], i)
		default:
			labels = false
		}
	}
	if !labels || slices.Contains(draw, AtRandom) {
		return [][]int{all}, nil
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return len(g) == 0 }), nil
}

// lone is the number of a class, −1 or +1, that has a single point: 0 or 1, or −1 if neither has.
func lone(y []float64) int {
	n := [2]int{}
	for _, v := range y {
		if v < 0 {
			n[0]++
		} else {
			n[1]++
		}
	}
	return slices.Index(n[:], 1)
}

// shares divides test points among classes: their exact shares rounded down, and one more for a class
// with the probability of its remainder, by systematic sampling from the draw u in 0 … n−1. Every
// point is so tested with probability test/n. Then a class of two or more is given a point on the
// side where it has none, for one of a class that has two or more there.
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

// check says why s is not a division of n points.
func (s Split) check(i, n int) error {
	seen := make([]byte, n)
	for _, part := range [][]int{s.Train, s.Test} {
		if len(part) == 0 {
			return fmt.Errorf("study: split %d has %d points to train on and %d to test on, want 1 or more of each", i+1, len(s.Train), len(s.Test))
		}
		for _, r := range part {
			if r < 0 || r >= n {
				return fmt.Errorf("study: split %d names point %d of %d, counted from 0", i+1, r, n)
			}
		}
	}
	for _, r := range s.Train {
		seen[r] = 1
	}
	for _, r := range s.Test {
		if seen[r] == 1 {
			return fmt.Errorf("study: split %d trains and tests on point %d", i+1, r)
		}
	}
	return nil
}
