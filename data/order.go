package data

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// checkNames refuses files of new points whose names say that they belong to others of the files learned on, which are
// called learned, than those of their places: image_new.npy in the place of text. Where names say nothing the order is
// taken as given.
//
// A name is its words and numbers. A file may belong to those learned on that it has all words of, but for the words
// that all learned on share: linear_rbf_new to linear_rbf, and to rbf too.
func checkNames(learned, paths []string) error {
	all := make([][]string, len(learned))
	for j, name := range learned {
		all[j] = wordsIn(name, true)
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
	for i, path := range paths {
		words := wordsIn(base(path), true)
		first := slices.IndexFunc(own, func(o []string) bool { return within(o, words) })
		if first >= 0 && !within(own[i], words) {
			return fmt.Errorf("data: %s is file %d, where %s was learned on, and is called as %s: another order "+
				"than that learned on, want %s (a file that is right in its place wants another name)",
				filepath.Base(path), i+1, learned[i], learned[first], strings.Join(learned, ", "))
		}
	}
	return nil
}
