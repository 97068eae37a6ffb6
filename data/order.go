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
// A name is its runs of letters and of digits. A file belongs to those learned on that it has all words of, but for the
// words that all learned on share, and but for those with fewer words than another such one (rbf beside linear_rbf).
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
		for j := range own {
			if within(own[j], words) {
				of = append(of, j)
			}
		}
		of = slices.DeleteFunc(of, func(j int) bool {
			return slices.ContainsFunc(of, func(k int) bool { return k != j && within(own[j], own[k]) && !within(own[k], own[j]) })
		})
		if len(of) > 0 && !slices.Contains(of, i) {
			return false, fmt.Errorf("data: %s is file %d, where %s was learned on, and is called as %s: another order than that learned on, want %s (a file that is right in its place wants another name)",
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

// Spread is the mean and the standard deviation of the entries off the diagonal of a matrix.
type Spread struct{ Mean, Deviation float64 }

// spread is that of n rows of n numbers, or of new points with n, which have no diagonal.
func spread(k []float64, n int) Spread {
	square := len(k) == n*n
	var count, mean, squares float64 // Σ(k − mean)², of those so far
	for p, v := range k {
		if square && p%n == p/n {
			continue
		}
		count++
		δ := v - mean
		mean += δ / count
		squares += δ * (v - mean)
	}
	return Spread{mean, math.Sqrt(squares / max(count, 1))}
}

// far is how unlike two spreads are: the difference of the means over the larger deviation, and the logarithm of the
// quotient of the deviations, in absolute value.
func (a Spread) far(b Spread) float64 {
	if a == b {
		return 0
	}
	lo, hi := min(a.Deviation, b.Deviation), max(a.Deviation, b.Deviation)
	if lo == 0 {
		return math.Inf(1)
	}
	return math.Abs(a.Mean-b.Mean)/hi + math.Log(hi/lo)
}

// checkSpreads refuses files of new points where two or more change places by the size of their entries: each is far
// from the matrix learned on in its place, at 1 or more, and four times as near to that of another of them.
func checkSpreads(learned []string, entries, files []Spread, paths []string) error {
	to := map[int]int{} // files that are nearer to another place, and that place
	for i, f := range files {
		near := i
		for j := range entries {
			if f.far(entries[j]) < f.far(entries[near]) {
				near = j
			}
		}
		if d := f.far(entries[i]); near != i && d >= 1 && f.far(entries[near]) <= d/4 {
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
			return fmt.Errorf("data: %s is file %d, where %s was learned on, and its entries, %.3g ± %.3g, are like those of %s, %.3g ± %.3g, not %.3g ± %.3g: another order than that learned on, want %s; if the order is right, call the files so, as %s_new",
				filepath.Base(path), i+1, learned[i], files[i].Mean, files[i].Deviation, learned[j], entries[j].Mean, entries[j].Deviation, entries[i].Mean, entries[i].Deviation,
				strings.Join(learned, ", "), learned[i])
		}
	}
	return nil
}
