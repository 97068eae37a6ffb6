package compare

import (
	"fmt"
	"slices"
)

// tableNotes returns notes on how hyperparameters were chosen, on choices at an end of a grid, and on limits of the
// splits and of the store.
func (r *Session) tableNotes(rows []Row) (notes []string) {
	chosen := false
	for i := range r.Methods {
		chosen = chosen || r.Methods[i].Among == nil && r.grids[i].cellCount() > 1
	}
	switch {
	case chosen && r.Selection.Once:
		notes = append(notes, fmt.Sprintf("Hyperparameters were chosen by %v, once, on all the data with the test "+
			"points: the scores are optimistic.", r.Selection))
	case chosen:
		notes = append(notes, fmt.Sprintf("Hyperparameters were chosen by %v inside each training part.", r.Selection))
	}
	if n := CountCutGroups(r.Data.Group, r.Splits); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d splits have points of one group in both parts: the scores are "+
			"optimistic. ByGroup keeps groups whole.", n, len(r.Splits)))
	}
	for i, row := range rows {
		atEnd := 0
		for _, run := range row.Runs {
			if run.Edge {
				atEnd++
			}
		}
		if atEnd > 0 && r.Methods[i].Among == nil {
			notes = append(notes, fmt.Sprintf("%s: the chosen %s is at an end of its grid in %d of %d splits.",
				row.Method,
				r.grids[i].path.Hyperparameter(), atEnd, len(row.Runs)))
		}
	}
	notes = append(notes, r.store.failureNotes()...)
	for k, n := range r.Data.Counts() {
		if n == 1 {
			notes = append(notes, fmt.Sprintf("The class %s has one point, which cannot be in both parts of a split.",
				r.Data.Classes[k]))
		}
	}
	return notes
}

// CountCutGroups returns the number of splits that have points of some group in both parts.
func CountCutGroups(group []string, splits []Split) (n int) {
	if group == nil {
		return 0
	}
	for _, s := range splits {
		trained := make(map[string]bool)
		for _, i := range s.Train {
			trained[group[i]] = true
		}
		if slices.ContainsFunc(s.Test, func(i int) bool { return trained[group[i]] }) {
			n++
		}
	}
	return n
}
