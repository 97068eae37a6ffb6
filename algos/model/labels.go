package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// Numbers are the labels of points by their classes' names, as Score takes them: −1 and +1 of two
// classes, the number of the class of more. The names are matched with those that the model was
// learned with, in whatever order another file has them and however many of them occur there; one
// that the model does not know is an error that lists those it does.
func (m *Model) Numbers(names []string) ([]float64, error) {
	if len(m.Classes) < 2 {
		return nil, fmt.Errorf("model: it predicts numbers, not classes")
	}
	y := make([]float64, len(names))
	for i, name := range names {
		k := slices.Index(m.Classes, name)
		switch {
		case k < 0:
			return nil, fmt.Errorf("model: point %d is of class %q, the model knows %s", i+1, name, quoted(m.Classes))
		case len(m.Classes) == 2:
			y[i] = float64(2*k - 1)
		default:
			y[i] = float64(k)
		}
	}
	return y, nil
}

// quoted are names in quotation marks, between commas.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// ScoreLabels is Score with classes by their names, which another file may number differently.
func (m *Model) ScoreLabels(z points.Points, names []string) (Score, error) {
	y, err := m.Numbers(names)
	if err != nil {
		return Score{}, err
	}
	return m.Score(z, y)
}
