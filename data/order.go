package data

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// checkNames refuses files of new points whose names say that they belong to others of the files learned on, which are
// called learned, than those of their places: image_new.npy in the place of text. Where names say nothing the order is
// taken as given; believed says that every name speaks for its place.
//
// A name is its runs of letters and of digits. A file may belong to those learned on that it has all words of, but for
// the words that all learned on share: linear_rbf_new to linear_rbf, and to rbf too.
func checkNames(learned, paths []string) (believed bool, err error) {
	all := make([][]string, len(learned))
	for j, name := range learned {
		all[j] = nameWords(name)
	}
	own := make([][]string, len(learned))
	for j, words := range all {
		own[j] = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
			return !slices.ContainsFunc(all, func(other []string) bool { return !slices.Contains(other, w) })
		})
		if len(own[j]) == 0 {
			own[j] = words
		}
	}
	believed = true
	for i, path := range paths {
		words := nameWords(base(path))
		var of []int
		for j, o := range own {
			if within(o, words) {
				of = append(of, j)
			}
		}
		if len(of) > 0 && !slices.Contains(of, i) {
			return false, fmt.Errorf("data: %s is file %d, where %s was learned on, and is called as %s: another order than that learned on, "+
				"want %s (a file that is right in its place wants another name)",
				filepath.Base(path), i+1, learned[i], learned[of[0]], strings.Join(learned, ", "))
		}
		believed = believed && len(of) == 1
	}
	return believed, nil
}

// nameWords are the runs of letters and of digits of a name, in lower case.
func nameWords(name string) []string {
	var words []string
	last := ' '
	for _, r := range strings.ToLower(name) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		case len(words) > 0 && (unicode.IsLetter(last) && unicode.IsLetter(r) || unicode.IsDigit(last) && unicode.IsDigit(r)):
			words[len(words)-1] += string(r)
		default:
			words = append(words, string(r))
		}
		last = r
	}
	return words
}

// within says whether every one of some words is among others.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(others, w) })
}

// Entries are what is kept of the entries of a matrix, those of its diagonal apart: the means of up to 32 columns,
// evenly spaced, and the standard deviation of all.
type Entries struct {
	Means     []float64
	Deviation float64
}

// entriesOf are those of the matrix of n points, or of that of new points with n, which has no diagonal.
func entriesOf(k []float64, n int) Entries {
	var e Entries
	columns, square := min(n, 32), len(k) == n*n
	var count, mean, squares float64 // Σ(k − mean)², of those so far
	sums := make([]float64, n)
	for p, v := range k {
		if square && p%n == p/n {
			continue
		}
		count++
		δ := v - mean
		mean += δ / count
		squares += δ * (v - mean)
		sums[p%n] += v
	}
	e.Deviation = math.Sqrt(squares / max(count, 1))
	for c := range columns {
		e.Means = append(e.Means, sums[c*n/columns]*float64(n)/max(count, 1))
	}
	return e
}

// far is how unlike two of them are: the root mean square difference of the means over the larger deviation, and the
// logarithm of the quotient of the deviations, in absolute value. Of l new points like those learned on it is about
// 1/√l. Equal ones are 0 apart.
func (e Entries) far(o Entries) float64 {
	lo, hi := min(e.Deviation, o.Deviation), max(e.Deviation, o.Deviation)
	square := 0.0
	for c, v := range e.Means {
		square += (v - o.Means[c]) * (v - o.Means[c]) / float64(len(e.Means))
	}
	if hi == 0 {
		lo, hi = 1, 1
	}
	return math.Sqrt(square)/hi + math.Log(hi/lo)
}

// checkEntries refuses files of l new points where two or more change places by their entries: each is far from the
// matrix learned on in its place, at 3/√l or more, and at most half as far from that of another one of them. Of two to
// twelve kernels of four sets (Gaussians on parts of the features, of several widths; linear ones) that refused none of
// 10,080 right orders, half of them with new points of one class alone; of wrong orders it refused most with 50 new
// points, none with one, and none of linear kernels.
func checkEntries(learned []string, entries, files []Entries, l int, paths []string) error {
	to := map[int]int{} // files that are nearer to another place, and that place
	for i, f := range files {
		near := i
		for j := range entries {
			if len(f.Means) != len(entries[j].Means) { // of another program
				return nil
			}
			if f.far(entries[j]) < f.far(entries[near]) {
				near = j
			}
		}
		if d := f.far(entries[i]); near != i && d >= 3/math.Sqrt(float64(l)) && f.far(entries[near]) <= d/2 {
			to[i] = near
		}
	}
	taken := map[int]bool{}
	for _, j := range to {
		if _, moves := to[j]; !moves || taken[j] {
			return nil
		}
		taken[j] = true
	}
	for i, path := range paths {
		if j, ok := to[i]; ok {
			return fmt.Errorf("data: %s is file %d, where %s was learned on, and its entries are like those of %s: another order than that learned on, "+
				"want %s; if the order is right, call the files so, as %[3]s_new",
				filepath.Base(path), i+1, learned[i], learned[j], strings.Join(learned, ", "))
		}
	}
	return nil
}
