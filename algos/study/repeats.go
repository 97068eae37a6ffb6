package study

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Together is d with equal points in one group, and how many points repeat an earlier one: a test on a repeat of what
// was learned from is no test. Groups of d that share such a point become one. Rows of a few levels alone, as of
// votes, repeat by chance, as new ones will, and stay apart (measured). Doubts of d that repeats are not kept together
// are left out. O(np) for n rows of p entries.
func Together(d *data.Dataset) (*data.Dataset, int) {
	first := equals(d)
	repeats := 0
	for i, f := range first {
		if f != i {
			repeats++
		}
	}
	if repeats == 0 || !measured(d, first, len(first)-repeats) {
		return d, 0
	}
	root := func(i int) int {
		for first[i] != i {
			i = first[i]
		}
		return i
	}
	member := map[string]int{}
	for i, g := range d.Group {
		if f, ok := member[g]; ok {
			a, b := root(i), root(f)
			first[max(a, b)] = min(a, b)
		}
		member[g] = root(i)
	}
	q := *d
	q.Doubts = slices.DeleteFunc(slices.Clone(d.Doubts),
		func(doubt string) bool { return strings.Contains(doubt, " points repeat another one: ") })
	q.Group = make([]string, len(first))
	for i := range first {
		first[i] = root(i)
		q.Group[i] = fmt.Sprintf("as row %d", first[i]+1)
	}
	return &q, repeats
}

// equals is for each point the number of the first one equal to it, by the hash of what is not 0 of their entries: of n
// points two others are taken for equal with a probability of n²/2⁶⁵.
func equals(d *data.Dataset) []int {
	first, seen := upTo(d.Len()), map[uint64]int{}
	hash := hashes(d, maphash.MakeSeed())
	if hash == nil {
		return first
	}
	for i := range first {
		sum := hash(i)
		if f, ok := seen[sum]; ok {
			first[i] = f
		} else {
			seen[sum] = i
		}
	}
	return first
}

// hashes is the function that returns the hash of what is not 0 of a point's entries; nil of points not known here.
func hashes(d *data.Dataset, seed maphash.Seed) func(i int) uint64 {
	row := entries(d)
	if row == nil {
		return nil
	}
	return func(i int) (sum uint64) {
		at, v := row(i)
		for k, x := range v {
			if x != 0 {
				sum = maphash.Comparable(seed, [3]uint64{sum, uint64(at[k]), math.Float64bits(x)})
			}
		}
		return sum
	}
}

// Known says that a score of m on d is none on new points: where of those that m keeps of the points learned from, or
// of those of d, half or more are in the other one too. It is "" where that is not so or not known, and where points
// are rows of a few levels alone, which repeat by chance.
func Known(m *model.Model, d *data.Dataset) string {
	seed := maphash.MakeSeed()
	of, in := hashes(&data.Dataset{X: m.X}, seed), hashes(d, seed)
	if _, ok := m.X.(kernel.Places); ok || of == nil || in == nil || !measured(d, upTo(d.Len()), d.Len()) {
		return ""
	}
	there := map[uint64]bool{}
	for i := range d.Len() {
		there[in(i)] = true
	}
	kept, n := m.X.Len(), 0
	for i := range kept {
		if there[of(i)] {
			n++
		}
	}
	if n == 0 || 2*n < min(kept, len(there)) {
		return ""
	}
	return fmt.Sprintf("%s has %d of the %d points that the model keeps of those it was learned from: the score is "+
		"optimistic. What Learn returned says how good it is on points left out.", d.Name, n, kept)
}

// entries is the function that returns what a point is known by, as places and numbers, valid until it is called again:
// features, letters, its rows of the Gram matrices or similarities, or its place in a matrix not known here; nil of
// other points.
func entries(d *data.Dataset) func(i int) (at []int, v []float64) {
	var at []int
	var v []float64
	number := func() ([]int, []float64) { // v at 0, 1, …
		for len(at) < len(v) {
			at = append(at, len(at))
		}
		return at[:len(v)], v
	}
	switch x := d.X.(type) {
	case kernel.Sparse:
		return x.Row
	case kernel.Featured:
		p, _ := x.Features()
		v = make([]float64, p)
		return func(i int) ([]int, []float64) {
			x.Dense(v, i)
			return number()
		}
	case kernel.Sequences:
		return func(i int) ([]int, []float64) {
			v = v[:0]
			for _, letter := range x[i] {
				v = append(v, float64(letter))
			}
			return number()
		}
	case kernel.Places:
		return func(i int) ([]int, []float64) {
			v = v[:0]
			for _, k := range d.Kernels {
				if k, ok := k.(kernel.Precomputed); ok {
					v = append(v, k.Data[x[i]*k.N:(x[i]+1)*k.N]...)
				}
			}
			for _, s := range d.Similarities {
				v = append(v, s.S[x[i]*s.N:(x[i]+1)*s.N]...)
			}
			if len(v) == 0 {
				v = append(v, float64(x[i]+1))
			}
			return number()
		}
	}
	return nil
}

// measured reports whether equal points are likely repeats of one: where a column has numbers that are not whole, of
// more than 20 values or of half as many as there are different points, or whole ones of mostLabels values or more;
// entries of Gram matrices and similarities count together. Sequences are repeats where half of them have 20 letters
// or more. At most 2,000 of the different points are looked at.
func measured(d *data.Dataset, first []int, different int) bool {
	column := func(at int) int { return at }
	switch x := d.X.(type) {
	case kernel.Sequences:
		_, median, _ := x.Lengths()
		return median >= 20
	case kernel.Places:
		if d.Kernels == nil && d.Similarities == nil {
			return true
		}
		column = func(int) int { return 0 }
	}
	type values struct {
		seen   map[float64]bool // but 0
		broken bool             // not whole
	}
	columns, row := map[int]*values{}, entries(d)
	looked := 0
	for i, f := range first {
		if f != i {
			continue
		}
		if looked++; looked > 2000 {
			break
		}
		at, v := row(i)
		for k, x := range v {
			if x == 0 {
				continue
			}
			c := columns[column(at[k])]
			if c == nil {
				c = &values{seen: map[float64]bool{}}
				columns[column(at[k])] = c
			}
			if len(c.seen) < mostLabels {
				c.seen[x] = true
			}
			c.broken = c.broken || x != math.Trunc(x)
		}
	}
	for _, c := range columns {
		if n := len(c.seen); n >= mostLabels || c.broken && (n > 20 || n > 2 && 2*n >= different) {
			return true
		}
	}
	return false
}
