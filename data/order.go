package data

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// checkNames returns an error if the names of files of new points show another order than learned, the names of the
// files learned from: image_new.npy in the position of text. If the names show no order, the given order is accepted.
//
// Names are compared by their words and numbers. Words that all learned names share do not count. A file matches each
// learned name whose other words it contains: linear_rbf_new matches linear_rbf, and rbf too.
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
			return fmt.Errorf("data: file %d is %s, but the model learned from %s at this position, and the name "+
				"matches %s, so the files are in another order: pass %s, or rename the file", i+1, filepath.Base(path),
				learned[i],
				learned[first], strings.Join(learned, ", "))
		}
	}
	return nil
}
