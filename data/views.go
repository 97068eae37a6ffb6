package data

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// Views names groups of features. A group is listed by the names of its columns or features, or by patterns of these
// names in the syntax of path.Match, in which * and ? match / too:
//
//	data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}}
//
// A name that is also a pattern of other names, such as a[1] beside a1, is an error; a\[1] is the name alone.
type Views map[string][]string

// View is a group of features of a dataset.
type View struct {
	Name     string
	Features []int // indices from 0, ascending
}

// View returns the dataset with these views, in the order of their names. A feature that no view names remains a
// feature without a view. A name that matches no feature is an error, and so is a feature in two views.
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
	s.Views = nil
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
// views of the earlier dataset. A view without any of these features is dropped.
func selectViews(views []View, cols []int) []View {
	var selected []View
	for _, v := range views {
		w := View{Name: v.Name}
		for k, j := range cols {
			if _, isInView := slices.BinarySearch(v.Features, j); isInView {
				w.Features = append(w.Features, k)
			}
		}
		if w.Features != nil {
			selected = append(selected, w)
		}
	}
	return selected
}

// Part is the Encoding of one of several files that Join joined.
type Part struct {
	Name     string
	Encoding Encoding
}

// Join puts several datasets of the same points side by side. Each dataset becomes a view with its name, and its
// features are named view.feature. The points of a dataset must be points.Rows.
//
// If every dataset has a key (Options.Key, or names of rows), rows are matched by it and follow the order of the first
// dataset. All datasets must then have the same keys. It is an error if only some datasets have a key; names
// of rows 1, 2, 3, … do not count as a key here. Without keys, the datasets must have the same points in the same
// order, and a dataset that dropped points of its file (Drop) is an error.
//
// Labels and notes on the source are taken from the first dataset that has labels. Groups are taken from the first
// dataset that has groups. If several datasets have labels, or groups, these must be equal. SHA256 lists the sums of
// all files, separated by spaces.
//
//	d := nb.Must(data.Join(nb.Open("spectrum.csv"), nb.Must(data.Options{Unlabeled: true}.Open("clinic.csv"))))
func Join(views ...*Dataset) (*Dataset, error) {
	d, err := join(views)
	if err != nil {
		err = fmt.Errorf("join: %w", err)
	} else {
		err = d.checkContent()
	}
	return prefixError(d, err)
}

// join is Join without the prefix of its errors and without checkContent at the end.
func join(views []*Dataset) (*Dataset, error) {
	if len(views) < 2 {
		return nil, fmt.Errorf("got %s to join; pass two or more", sheet.Count(len(views), "dataset"))
	}
	var names []string
	for k, v := range views {
		switch {
		case v == nil:
			return nil, fmt.Errorf("dataset %d is nil", k+1)
		case slices.Contains(names, v.Name):
			return nil, fmt.Errorf("two datasets are named %s: set Dataset.Name of one of them", v.Name)
		case !points.Is[points.Rows](v.X):
			return nil, fmt.Errorf("the points of %s are not dense rows of numbers; join only such datasets; to "+
				"learn from other sources too, save a Gram matrix of each source (WriteMatrix) and open them with "+
				"OpenGrams", v.Name)
		}
		names = append(names, v.Name)
	}
	haveKeys := !slices.ContainsFunc(views, func(v *Dataset) bool { return v.Keys == nil })
	views = slices.Clone(views)
	for k, v := range views {
		var err error
		switch {
		case haveKeys:
			views[k], err = v.reorderByKeysOf(views[0])
		case v.Keys != nil && !(areSerialNumbers(v.Keys) && (v.Encoding == nil || v.Encoding.Options.Key == "")):
			err = fmt.Errorf("%s has a key or names of rows, but another dataset has none; name a column of keys in "+
				"each file (Options.Key), or leave out the column in each file (Options.DropColumns)", v.Name)
		case v.DroppedPoints > 0:
			err = fmt.Errorf("%s left %s of its file out, so its rows no longer correspond to the rows of the other "+
				"files: open it without Drop, or name a column of keys in each file (Options.Key)", v.Name,
				sheet.Count(v.DroppedPoints, "point"))
		case v.Len() != views[0].Len():
			err = fmt.Errorf("%s has %d points, but %s has %d: pass the same points in the same order, or name a "+
				"column of keys in each file (Options.Key)", views[0].Name, views[0].Len(), v.Name, v.Len())
		}
		if err != nil {
			return nil, err
		}
	}
	labeled, grouped, err := findViewsWithLabelsAndGroups(views)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Name: strings.Join(names, " + "), Y: labeled.Y, ExtraTargets: labeled.ExtraTargets,
		LogTargets: labeled.LogTargets, Classes: labeled.Classes, ClassesExchanged: labeled.ClassesExchanged,
		Target: labeled.Target, Source: labeled.Source, License: labeled.License, Note: labeled.Note,
		Group:    grouped.Group,
		Encoding: &Encoding{Classes: labeled.Classes}}
	x := points.Rows{}
	var prepared, sums []string
	for _, v := range views {
		view := View{Name: v.Name}
		for j := range v.Dim() {
			view.Features = append(view.Features, x.D+j)
		}
		d.Views = append(d.Views, view)
		x = appendFeatures(x, points.ToRows(v.X), v.Name)
		prepared = append(prepared, v.Name+": "+v.Preparation)
		for _, doubt := range v.Doubts {
			d.Doubts = append(d.Doubts, v.Name+": "+doubt)
		}
		d.UnseenValues = appendOfView(d.UnseenValues, v.UnseenValues, v.Name)
		d.FilledColumns = appendOfView(d.FilledColumns, v.FilledColumns, v.Name)
		if v.SHA256 != "" {
			sums = append(sums, v.SHA256)
		}
		if v.Encoding == nil {
			d.Encoding = nil
		} else if d.Encoding != nil {
			d.Encoding.Parts = append(d.Encoding.Parts, Part{v.Name, *v.Encoding})
		}
	}
	if haveKeys {
		d.Keys, prepared = views[0].Keys, append(prepared, "rows matched by their keys")
	}
	d.X, d.Preparation, d.SHA256 = x, strings.Join(prepared, "; "), strings.Join(sums, " ")
	return d, nil
}

// reorderByKeysOf returns d with its points in the order of the keys of first. Both must have the same keys, each once.
func (d *Dataset) reorderByKeysOf(first *Dataset) (*Dataset, error) {
	if d == first {
		return d, nil
	}
	rowOfKey := make(map[string]int, len(d.Keys))
	for i, key := range d.Keys {
		if earlierRow, isDuplicate := rowOfKey[key]; isDuplicate {
			return nil, fmt.Errorf("%s has the key %s in rows %d and %d; keys identify one row each", d.Name,
				sheet.Quote(key), earlierRow+1, i+1)
		}
		rowOfKey[key] = i
	}
	rows := make([]int, 0, len(d.Keys))
	for i, key := range first.Keys {
		r, ok := rowOfKey[key]
		if !ok {
			return nil, fmt.Errorf("%s has no row with the key %s, which is row %d of %s: pass the same points in "+
				"each file", d.Name, sheet.Quote(key), i+1, first.Name)
		}
		rows = append(rows, r)
	}
	if len(rows) < len(d.Keys) {
		return nil, fmt.Errorf("%s has %d keys, but %s has %d: pass the same points in each file", d.Name, len(d.Keys),
			first.Name, len(rows))
	}
	sortedDataset, err := d.Slice(rows)
	if err != nil {
		return nil, err
	}
	sortedDataset.Preparation = d.Preparation
	return sortedDataset, nil
}

// findViewsWithLabelsAndGroups returns the first view with labels and the first view with groups. If no view has
// labels, or groups, it returns the first view. It is an error if labels or groups differ between views.
func findViewsWithLabelsAndGroups(views []*Dataset) (labeled, grouped *Dataset, err error) {
	for _, v := range views {
		switch {
		case v.Y == nil:
		case labeled == nil:
			labeled = v
		case !slices.Equal(v.AllY(), labeled.AllY()) || !slices.Equal(v.Classes, labeled.Classes):
			return nil, nil, fmt.Errorf("%s and %s have different labels: pass the same points in the same order, or "+
				"set Options.Unlabeled for all views but one", labeled.Name, v.Name)
		}
		switch {
		case v.Group == nil:
		case grouped == nil:
			grouped = v
		case !slices.Equal(v.Group, grouped.Group):
			row := 0
			for v.Group[row] == grouped.Group[row] {
				row++
			}
			return nil, nil, fmt.Errorf("row %d has the group %s in %s, but %s in %s: pass the same points in the "+
				"same order, or name a column of keys in each file (Options.Key)", row+1,
				sheet.Quote(grouped.Group[row]),
				grouped.Name, sheet.Quote(v.Group[row]), v.Name)
		}
	}
	return cmp.Or(labeled, views[0]), cmp.Or(grouped, views[0]), nil
}

// appendOfView appends the texts of a view, one for each point, to those of all views, each after the name of the view.
func appendOfView(all, texts []string, view string) []string {
	if all == nil && texts != nil {
		all = make([]string, len(texts))
	}
	for i, s := range texts {
		if s != "" {
			all[i] = strings.TrimPrefix(all[i]+", "+view+": "+s, ", ")
		}
	}
	return all
}

// appendFeatures returns the points of a with the features of b appended, named view.feature. a has no points before
// the first view.
func appendFeatures(a, b points.Rows, view string) points.Rows {
	x := points.Rows{N: b.N, D: a.D + b.D, Data: make([]float64, 0, b.N*(a.D+b.D)), Names: slices.Clone(a.Names)}
	for j := range b.D {
		x.Names = append(x.Names, view+"."+points.FeatureName(b, j))
	}
	for i := range b.N {
		if a.D > 0 {
			x.Data = append(x.Data, a.Row(i)...)
		}
		x.Data = append(x.Data, b.Row(i)...)
	}
	return x
}

// openAndJoin opens one file for each part of e, and joins them. If unlabeled is set, every row becomes a point, and
// labels are skipped.
func (e *Encoding) openAndJoin(paths []string, unlabeled bool) (*Dataset, error) {
	var names []string
	for _, p := range e.Parts {
		names = append(names, p.Name)
	}
	if len(paths) != len(e.Parts) {
		return nil, fmt.Errorf("got %s; pass %d, one for each of %s", sheet.Count(len(paths), "file"), len(e.Parts),
			strings.Join(names, ", "))
	}
	parts := make([]*Dataset, len(paths))
	for k, path := range paths {
		part := e.Parts[k].Encoding
		if part.Parts != nil || part.Grams != nil {
			return nil, errors.New("a part is itself joined, or has Gram matrices; join datasets of one file")
		}
		d, err := part.openFile(path, unlabeled, true)
		if err != nil {
			return nil, err
		}
		if part.Options.Key != "" && d.Keys == nil {
			return nil, fileError(path, fmt.Errorf("no column %q, which is the key of the training file",
				part.Options.Key))
		}
		d.Name = e.Parts[k].Name
		parts[k] = d
	}
	d, err := join(parts)
	if err != nil {
		return nil, fmt.Errorf("join: %w", err)
	}
	return d, e.dropUnselectedFeatures(d)
}
