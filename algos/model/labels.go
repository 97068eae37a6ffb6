package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// ScoreLabels is like Score for labels that are the names of classes. Names are matched with the names in the model, so
// another file may number its classes differently and need not contain all of them. A name that the model does not know
// is an error that lists the known names.
func (m *Model) ScoreLabels(z points.Points, names []string) (Score, error) {
	if len(m.Classes) < 2 {
		return Score{}, fmt.Errorf("model: it predicts numbers, not classes; use Score")
	}
	y := make([]float64, len(names))
	for i, name := range names {
		k := slices.Index(m.Classes, name)
		switch {
		case k < 0:
			return Score{}, fmt.Errorf("model: point %d is of class %q; the classes of the model are %s", i+1, name,
				quoteList(m.Classes))
		case len(m.Classes) == 2:
			y[i] = float64(2*k - 1)
		default:
			y[i] = float64(k)
		}
	}
	return m.Score(z, y)
}

// quoteList returns names in quotation marks, separated by commas.
func quoteList(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}
