package nkrr

import (
	"fmt"
	"strings"

	"github.com/mklnb/mkl/viz"
)

// ResultTable is what was chosen, proved and gained in Figure 2.
func ResultTable(list []Result) viz.Figure {
	var rows [][]any
	for _, r := range list {
		rows = append(rows, []any{fmt.Sprint(r.X), r.Method, viz.Spread(r.Mean, spread(r.SD), 3), gain(r),
			constants(r), steps2(r), r.Proof})
	}
	return viz.Table("What was chosen and proved: "+list[0].Data,
		"Differences are paired by half. Steps are those of SPG to a relative gap of 1e-3.",
		[]string{"pairs", "method", "RMSE", "learned − baseline, ± sd", "λ, Λ", "steps", "proved"}, rows...)
}

// GainTable is the difference learned − fixed of Figure 3, a row for each factor and a column for each degree.
func GainTable(list []Result) viz.Figure {
	var rows [][]any
	at := map[int]int{}
	for _, r := range list {
		i, ok := at[r.X]
		if !ok {
			i = len(rows)
			at[r.X] = i
			rows = append(rows, []any{fmt.Sprintf("%d (%d points)", r.X, r.Points)})
		}
		if learned(r) {
			rows[i] = append(rows[i], gain(r))
		}
	}
	return viz.Table("What learning changes, by degree: "+list[0].Data,
		"RMSE learned − RMSE of fixed weights, mean ± sd over subsamples, paired. Certificates: global for degrees 1 "+
			"and 2, first order only for 3 and 4 (d > q).",
		[]string{"factor", "degree 1", "degree 2", "degree 3", "degree 4"}, rows...)
}

// learned reports whether r is of learned weights.
func learned(r Result) bool { return r.Chosen.Radius > 0 }

// gain is the paired difference to fixed weights.
func gain(r Result) string {
	switch {
	case !learned(r):
		return "–"
	case r.DiffSD == 0:
		return minus(fmt.Sprintf("%+.4f", r.Diff))
	}
	return minus(fmt.Sprintf("%+.4f ± %.4f", r.Diff, r.DiffSD))
}

// minus writes the signs of numbers as minus signs.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// constants are λ and Λ.
func constants(r Result) string {
	s := fmt.Sprintf("%.3g", r.Chosen.Lambda)
	if r.Chosen.Edge {
		s += " (end of its grid)"
	}
	if learned(r) {
		s += fmt.Sprintf(", %g", r.Chosen.Radius)
	}
	return s
}

// steps2 is the number of steps.
func steps2(r Result) string {
	if !learned(r) {
		return "–"
	}
	return fmt.Sprint(r.Steps)
}
