package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// EncodeLabels returns the labels of points, given the names of their classes, in the form that Score takes: −1 and +1
// for two classes, the index of the class for more. Names are matched with the names in the model, so another file may
// number its classes differently and need not contain all of them. A name that the model does not know is an error that
// lists the known names.
func (m *Model) EncodeLabels(names []string) ([]float64, error) {
	if len(m.Classes) < 2 {
		return nil, fmt.Errorf("model: it predicts numbers, not classes; use Score")
	}
	y := make([]float64, len(names))
	for i, name := range names {
		k := slices.Index(m.Classes, name)
		switch {
		case k < 0:
			return nil, fmt.Errorf("model: point %d is of class %q; the classes of the model are %s", i+1, name,
				quoteList(m.Classes))
		case len(m.Classes) == 2:
			y[i] = float64(2*k - 1)
		default:
			y[i] = float64(k)
		}
	}
	return y, nil
}

// quoteList returns names in quotation marks, separated by commas.
func quoteList(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// ScoreLabels is like Score for labels that are the names of classes. See EncodeLabels.
func (m *Model) ScoreLabels(z points.Points, names []string) (Score, error) {
	y, err := m.EncodeLabels(names)
	if err != nil {
		return Score{}, err
	}
	return m.Score(z, y)
}
