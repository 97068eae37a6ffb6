package data

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// Part is the Encoding of one of several files that Join joined.
type Part struct {
	Name     string
	Encoding Encoding
}

// Join puts several datasets of the same points side by side: tables, sequences, Gram matrices (OpenGrams) and
// similarities (OpenSimilarities) in any mix. Each dataset becomes a view with its name. The features of tables are
// named view.feature. The other datasets become parts of the points (points.Parts).
//
// If every dataset has a key (Options.Key, names of rows, of sequences or of the rows of a matrix), rows are matched by
// it and follow the order of the first dataset. All datasets must then have the same keys. It is an error if only some
// datasets have a key; names of rows 1, 2, 3, … do not count as a key here. Without keys, the datasets must have the
// same points in the same order, and a dataset that dropped points of its file (Drop) is an error.
//
// Labels and notes on the source are taken from the first dataset that has labels. Groups are taken from the first
// dataset that has groups. If several datasets have labels, or groups, these must be equal. SHA256 lists the sums of
// all files, separated by spaces.
//
//	d := data.Join(nb.Open("spectrum.csv"), nb.Open("clinic.csv", data.Options{Unlabeled: true}))
//
// A file for each table and each sequence set describes new points, and for each Gram matrix or similarity a file
// with a row for each new point and a column for each training point, in the order of the datasets unless the names
// of the files tell another (Encoding.Open). One more file may hold the labels if those of the training points came
// from a file of labels.
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
		case points.Is[points.Sparse](v.X):
			return nil, fmt.Errorf("the points of %s are sparse, which Join does not support; save them as CSV or "+
				"NPY, or save a Gram matrix of them (WriteMatrix) and open it with OpenGrams", v.Name)
		case points.Is[points.Parts](v.X):
			return nil, fmt.Errorf("%s is joined already and has points without features; pass all datasets to one "+
				"Join", v.Name)
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
				"each file (Options.Key; of a matrix, names in its first line and column, or the key of "+
				"Options.LabelFile), or leave out the column in each file (Options.DropColumns)", v.Name)
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
	x := points.Parts{}
	var prepared, sums []string
	for _, v := range views {
		view := View{Name: v.Name}
		for j := range v.Dim() {
			view.Features = append(view.Features, x.Rows.D+j)
		}
		d.Views = append(d.Views, view)
		if view.Features != nil {
			x.Rows = appendFeatures(x.Rows, points.ToRows(v.X), v.Name)
		} else {
			x.Others = append(x.Others, points.Part{Name: v.Name, Points: v.X})
		}
		for _, k := range v.Kernels {
			d.Kernels = append(d.Kernels, kernel.OnPart{Part: v.Name, Kernel: k})
		}
		for _, s := range v.Similarities {
			s.Part = v.Name
			d.Similarities = append(d.Similarities, s)
		}
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
	if d.X = x; x.Others == nil {
		d.X = x.Rows
	}
	d.Preparation, d.SHA256 = strings.Join(prepared, "; "), strings.Join(sums, " ")
	return d, nil
}

// Part returns the dataset of one part of joined points without features: its points, with the Gram matrices or the
// similarities of which they are rows. It has no labels.
func (d *Dataset) Part(name string) *Dataset {
	p := &Dataset{Name: name, X: d.pointsOf(name)}
	for _, k := range d.Kernels {
		if k, ok := k.(kernel.OnPart); ok && k.Part == name {
			p.Kernels = append(p.Kernels, k.Kernel)
		}
	}
	for _, s := range d.Similarities {
		if s.Part == name {
			s.Part = ""
			p.Similarities = append(p.Similarities, s)
		}
	}
	return p
}

// pointsOf returns the points of a part, nil if there is none, or all points if the name is empty.
func (d *Dataset) pointsOf(part string) points.Points {
	if part == "" {
		return d.X
	}
	x, _ := points.Of(d.X, part)
	return x
}

// reorderByKeysOf returns d with its points in the order of the keys of first. Both must have the same keys, each once.
func (d *Dataset) reorderByKeysOf(first *Dataset) (*Dataset, error) {
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
	if d == first {
		return d, nil
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
	var names []string // of the sources for which a file is needed
	labeledPart := -1  // the part whose labels are in a file of labels
	for k, p := range e.Parts {
		if p.Encoding.Parts != nil {
			return nil, errors.New("a part is itself joined; pass all datasets to one Join")
		}
		if names = append(names, p.Name); p.Encoding.Grams != nil {
			names = append(names[:len(names)-1], p.Encoding.Grams...)
			if p.Encoding.Label != "" {
				labeledPart = k
			}
		}
	}
	hasLabelFile := labeledPart >= 0 && !unlabeled && len(paths) == len(names)+1
	if len(paths) != len(names) && !hasLabelFile {
		return nil, fmt.Errorf("got %s; pass %d, one for each of %s", sheet.Count(len(paths), "file"), len(names),
			strings.Join(names, ", "))
	}
	ordered, _ := MatchFiles(paths[:len(names)], names)
	paths = append(slices.Clone(ordered), paths[len(names):]...)
	var parts []*Dataset
	for k, p := range e.Parts {
		part, count := p.Encoding, max(1, len(p.Encoding.Grams))
		files := slices.Clone(paths[:count])
		paths = paths[count:]
		var d *Dataset
		var err error
		if part.Grams == nil {
			d, err = part.openFile(files[0], unlabeled, true)
		} else {
			if hasLabelFile && k == labeledPart {
				files, paths = append(files, paths[len(paths)-1]), paths[:len(paths)-1]
			}
			d, err = part.openMatricesOfNewPoints(files, unlabeled)
		}
		if err != nil {
			return nil, err
		}
		if part.Options.Key != "" && d.Keys == nil && part.Grams == nil {
			return nil, fileError(files[0], fmt.Errorf("no column %q, which is the key of the training file",
				part.Options.Key))
		}
		d.Name = p.Name
		parts = append(parts, d)
	}
	d, err := join(parts)
	if err != nil {
		return nil, fmt.Errorf("join: %w", err)
	}
	return d, e.dropUnselectedFeatures(d)
}
