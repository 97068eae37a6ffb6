package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
)

// tableNotes returns notes on how hyperparameters were chosen, on choices at an end of a grid, and on limits of the
// splits.
func (r *Session) tableNotes(rows []Row) (notes []string) {
	chosen, optimistic := false, []string(nil)
	for i := range r.Methods {
		if r.Methods[i].Among != nil || r.grids[i].cellCount() == 1 {
			continue
		}
		chosen = true
		if r.Selection.Folds == LeaveOneOut && slices.ContainsFunc(r.grids[i].candidates,
			func(c Candidate) bool { return !ignoresTargets(c.Rule) }) {
			optimistic = append(optimistic, r.Methods[i].Name)
		}
	}
	switch {
	case chosen && r.Selection.Once:
		notes = append(notes, fmt.Sprintf("Hyperparameters were chosen by %v, once, on all the data with the test "+
			"points: the scores are optimistic.", r.Selection))
	case chosen:
		notes = append(notes, fmt.Sprintf("Hyperparameters were chosen by %v inside each training part.", r.Selection))
	}
	if len(optimistic) > 0 {
		notes = append(notes, strings.Join(optimistic, ", ")+
			": leave-one-out errors are optimistic, because the weights were learned with the held-out label.")
	}
	if n := CountCutGroups(r.Data.Group, r.Splits); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d splits have points of one group in both parts: the scores are "+
			"optimistic. ByGroup keeps groups whole.", n, len(r.Splits)))
	}
	var train, test []int // points
	for _, s := range r.Splits {
		train, test = append(train, len(s.Train)), append(test, len(s.Test))
	}
	if slices.Min(train) < slices.Max(train) || slices.Min(test) < slices.Max(test) {
		notes = append(notes, fmt.Sprintf("The splits differ in size: %d to %d training points, %d to %d test points.",
			slices.Min(train), slices.Max(train), slices.Min(test), slices.Max(test)))
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
	if names := r.Data.Targets(); names != nil {
		notes = append(notes, fmt.Sprintf("%d targets share one kernel: %s. Each was divided by its standard "+
			"deviation in the training part. Scores of all targets are means of the scores of each, in its own unit.",
			len(names), strings.Join(names, ", ")))
	}
	if len(r.Data.Classes) > 2 {
		codes := map[string][]string{}
		var all []string
		for i, g := range r.grids {
			s := g.encoding.String()
			if codes[s] == nil {
				all = append(all, s)
			}
			codes[s] = append(codes[s], r.Methods[i].Name)
		}
		for _, s := range all {
			if len(all) > 1 {
				s += " (" + strings.Join(codes[s], ", ") + ")"
			}
			notes = append(notes, "The classes are learned "+s+", with one kernel for all.")
		}
	}
	return notes
}

// ignoresTargets reports whether the weights of a rule are known not to depend on the targets.
func ignoresTargets(r mkl.Rule) bool {
	switch r.(type) {
	case mkl.Uniform, SingleKernel, FixedWeights:
		return true
	}
	return false
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
