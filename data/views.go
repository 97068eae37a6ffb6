package data

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// Views names groups of features. A group is listed by the names of its columns or features, or by patterns of these
// names in the syntax of path.Match, in which * and ? match / too:
//
//	data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}}
//
// A name that is also a pattern of other names, such as a[1] beside a1, is an error; a\[1] is the name alone.
type Views map[string][]string

// View is a group of features of a dataset, or a part of its points that has no features (points.Parts).
type View struct {
	Name     string // of a part: its name in points.Parts
	Features []int  // indices from 0, ascending; nil for a part
}

// View returns the dataset with these views, in the order of their names, and with the views of parts without features.
// A feature that no view names remains a feature without a view. A name that matches no feature is an error, and so is
// a feature in two views.
func (d *Dataset) View(views Views) (*Dataset, error) {
	viewError := func(format string, args ...any) (*Dataset, error) {
		return nil, fmt.Errorf("data: %s: "+format, append([]any{d.Name}, args...)...)
	}
	if len(views) == 0 {
		return viewError("no views; name at least one")
	}
	features := d.Features()
	viewNames := make([]string, len(features)) // for each feature: name of its view (group of features), or ""
	s := *d
	s.Views = slices.DeleteFunc(slices.Clone(d.Views), func(v View) bool { return v.Features != nil })
	for _, name := range slices.Sorted(maps.Keys(views)) {
		v := View{Name: name}
		for _, pattern := range views[name] {
			matches, err := d.matchFeatures(pattern)
			if err != nil {
				return viewError("view %q: %w", name, err)
			}
			for _, j := range matches {
				if viewNames[j] != "" && viewNames[j] != name {
					return viewError("feature %s is in the views %q and %q; a feature has at most one view",
						sheet.Shorten(features[j]), viewNames[j], name)
				}
				if viewNames[j] == "" {
					viewNames[j] = name
					v.Features = append(v.Features, j)
				}
			}
		}
		if len(v.Features) == 0 {
			return viewError("view %q has no features; name at least one", name)
		}
		slices.Sort(v.Features)
		s.Views = append(s.Views, v)
	}
	return &s, nil
}

// matchFeatures returns the indices of the features that pattern selects: a name of a column or a feature, or a pattern
// of names. A pattern that is itself a name and also matches other names is an error.
func (d *Dataset) matchFeatures(pattern string) ([]int, error) {
	features := d.Features()
	var named, matched []int
	var patternError error
	for _, c := range d.FileColumns() {
		for _, j := range c.Features {
			matchesFeature, err := matchPattern(pattern, features[j])
			matchesColumn, _ := matchPattern(pattern, c.Name)
			switch {
			case pattern == features[j] || pattern == c.Name:
				named = append(named, j)
			case err != nil:
				patternError = fmt.Errorf("the pattern %q: %w", pattern, err)
			case matchesFeature || matchesColumn:
				matched = append(matched, j)
			}
		}
	}
	switch {
	case named != nil && matched != nil:
		return nil, fmt.Errorf("%q is a name, but as a pattern it matches %s too; write the name with \\ before each "+
			"of * ? [ \\, or select the features by other patterns", pattern, sheet.Quote(features[matched[0]]))
	case named != nil:
		return named, nil
	case matched == nil && patternError == nil:
		return nil, fmt.Errorf("no feature %q%s", pattern, sheet.Suggest(pattern, features))
	}
	return matched, patternError
}

// matchPattern is path.Match, but * and ? match / too, because / is an ordinary character of a name, as in mg/l.
func matchPattern(pattern, name string) (bool, error) {
	return path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
}

// selectViews returns the views of a dataset that consists of the features cols of an earlier dataset. views are the
// views of the earlier dataset. A view of features without any of these features is dropped.
func selectViews(views []View, cols []int) []View {
	var selected []View
	for _, v := range views {
		w := View{Name: v.Name}
		for k, j := range cols {
			if _, isInView := slices.BinarySearch(v.Features, j); isInView {
				w.Features = append(w.Features, k)
			}
		}
		if w.Features != nil || v.Features == nil {
			selected = append(selected, w)
		}
	}
	return selected
}
