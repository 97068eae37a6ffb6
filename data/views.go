package data

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
)

// Views names groups of features, each by the names of its columns, of its features, or by patterns of
// them as path.Match takes them:
//
//	data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}}
type Views map[string][]string

// View is a group of features of a dataset.
type View struct {
	Name     string
	Features []int // their numbers, from 0, ascending
}

// View returns the dataset with these views, in the order of their names. A feature that no view names
// stays a feature, and is in none. A name that fits no feature is an error, and so is a feature in two
// views.
func (d *Dataset) View(views Views) (*Dataset, error) {
	fail := func(format string, args ...any) (*Dataset, error) {
		return nil, fmt.Errorf("data: %s: "+format, append([]any{d.Name}, args...)...)
	}
	if len(views) == 0 {
		return fail("no views, want at least one")
	}
	features := d.Features()
	in := make([]string, len(features)) // the view of each
	s := *d
	s.Views = nil
	for _, name := range slices.Sorted(maps.Keys(views)) {
		v := View{Name: name}
		for _, pattern := range views[name] {
			found := false
			for j, f := range features {
				column, _, _ := strings.Cut(f, "=") // of a nominal attribute
				ok := pattern == f || pattern == column
				if !ok {
					a, err := path.Match(pattern, f)
					b, _ := path.Match(pattern, column)
					if err != nil {
						return fail("view %q: the pattern %q: %w", name, pattern, err)
					}
					ok = a || b
				}
				switch {
				case !ok:
				case in[j] == name:
					found = true
				case in[j] != "":
					return fail("feature %s is in the views %q and %q, want one", brief(f), in[j], name)
				default:
					found, in[j] = true, name
					v.Features = append(v.Features, j)
				}
			}
			if !found {
				return fail("view %q: no feature %q%s", name, pattern, suggest(pattern, features))
			}
		}
		if len(v.Features) == 0 {
			return fail("view %q has no features", name)
		}
		slices.Sort(v.Features)
		s.Views = append(s.Views, v)
	}
	return &s, nil
}

// take returns the views of the features of the given numbers alone, of those there were.
func take(views []View, cols []int) []View {
	var kept []View
	for _, v := range views {
		w := View{Name: v.Name}
		for k, j := range cols {
			if slices.Contains(v.Features, j) {
				w.Features = append(w.Features, k)
			}
		}
		if w.Features != nil {
			kept = append(kept, w)
		}
	}
	return kept
}

// Part is one of several files whose points are the same: a view.
type Part struct {
	Name     string
	Encoding Encoding
}

// Join puts datasets of the same points, in the same order, beside one another: each becomes a view, by
// its name, and its features are called view.feature. A dataset that left points of its file out (Drop) is
// an error: rows are matched by their place. SHA256 are those of all, with spaces between. Labels, groups and what is
// known of the source are those of the first that has labels; where others have labels too, they must be the same
// ones.
//
//	d := nb.Must(data.Join(nb.Open("spectrum.csv"), nb.Must(data.Options{Unlabelled: true}.Open("clinic.csv"))))
func Join(views ...*Dataset) (*Dataset, error) {
	if len(views) < 2 {
		return nil, fmt.Errorf("data: join %s, want two or more", count(len(views), "dataset"))
	}
	var first *Dataset
	x := kernel.Rows{}
	e := &Encoding{}
	d := &Dataset{}
	var names, prepared, sums []string
	for k, v := range views {
		if v == nil {
			return nil, fmt.Errorf("data: join: dataset %d is nil", k+1)
		}
		rows, ok := v.X.(kernel.Rows)
		switch {
		case !ok:
			return nil, fmt.Errorf("data: join: the points of %s are %T, want kernel.Rows", v.Name, v.X)
		case slices.Contains(names, v.Name):
			return nil, fmt.Errorf("data: join: two datasets are named %s: give one another Dataset.Name", v.Name)
		case v.Dropped > 0:
			return nil, fmt.Errorf("data: join: %s left %s of its file out, so its points are no longer those of "+
				"the other files row by row: open it with Options.Missing: Fill, or without "+
				"Drop", v.Name, count(v.Dropped, "point"))
		case x.N > 0 && rows.N != x.N:
			return nil, fmt.Errorf("data: join: %s has %d points, %s has %d: want the same points in the same order",
				views[0].Name, x.N, v.Name, rows.N)
		case v.Y != nil && first != nil && !(slices.Equal(v.AllY(), first.AllY()) &&
			slices.Equal(v.Classes, first.Classes)):
			return nil, fmt.Errorf("data: join: %s and %s have different labels: want the same points in the same "+
				"order, or Options.Unlabelled for all but one", first.Name, v.Name)
		case v.Y != nil && first == nil:
			first = v
		}
		view := View{Name: v.Name}
		for j := range rows.D {
			view.Features = append(view.Features, x.D+j)
		}
		d.Views = append(d.Views, view)
		x = beside(x, rows, v.Name)
		names, prepared = append(names, v.Name), append(prepared, v.Name+": "+v.Prepared)
		for _, doubt := range v.Doubts {
			d.Doubts = append(d.Doubts, v.Name+": "+doubt)
		}
		d.addUnseen(v)
		if v.SHA256 != "" {
			sums = append(sums, v.SHA256)
		}
		if v.Encoding == nil {
			e = nil
		} else if e != nil {
			e.Parts = append(e.Parts, Part{v.Name, *v.Encoding})
			if first == v {
				e.Classes = v.Classes
			}
		}
	}
	if first == nil {
		first = views[0]
	}
	d.Name, d.X, d.Prepared, d.Encoding = strings.Join(names, " + "), x, strings.Join(prepared, "; "), e
	d.Y, d.More, d.Log, d.Classes, d.Target, d.Group = first.Y, first.More, first.Log, first.Classes, first.Target,
		first.Group
	d.SHA256 = strings.Join(sums, " ")
	d.Source, d.Licence, d.Note = first.Source, first.Licence, first.Note
	return d, d.check()
}

// addUnseen adds what of the points of a view is unseen.
func (d *Dataset) addUnseen(v *Dataset) {
	if v.Unseen == nil {
		return
	}
	if d.Unseen == nil {
		d.Unseen = make([]string, len(v.Unseen))
	}
	for i, s := range v.Unseen {
		if s != "" && d.Unseen[i] != "" {
			d.Unseen[i] += ", "
		}
		if s != "" {
			d.Unseen[i] += v.Name + ": " + s
		}
	}
}

// beside is a with the features of b added, called view.feature.
func beside(a, b kernel.Rows, view string) kernel.Rows {
	x := kernel.Rows{N: b.N, D: a.D + b.D, Data: make([]float64, 0, b.N*(a.D+b.D)), Names: slices.Clone(a.Names)}
	for j := range b.D {
		x.Names = append(x.Names, view+"."+kernel.FeatureName(b, j))
	}
	for i := range b.N {
		if a.D > 0 {
			x.Data = append(x.Data, a.Row(i)...)
		}
		x.Data = append(x.Data, b.Row(i)...)
	}
	return x
}

// join opens the files of several parts.
func (e *Encoding) join(paths []string, all bool) (*Dataset, error) {
	var names []string
	for _, p := range e.Parts {
		names = append(names, p.Name)
	}
	if len(paths) != len(e.Parts) {
		return nil, fmt.Errorf("data: %s, want %d, one for each of %s", count(len(paths), "file"), len(e.Parts),
			strings.Join(names, ", "))
	}
	if err := checkNames(names, paths); err != nil {
		return nil, err
	}
	parts := make([]*Dataset, len(paths))
	for k, path := range paths {
		if e.Parts[k].Encoding.Parts != nil {
			return nil, errors.New("data: a joined file inside another one")
		}
		d, err := e.Parts[k].Encoding.open([]string{path}, all)
		if err != nil {
			return nil, err
		}
		d.Name = e.Parts[k].Name
		parts[k] = d
	}
	d, err := Join(parts...)
	if err != nil {
		return nil, err
	}
	if err := e.keep(d); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return d, nil
}
