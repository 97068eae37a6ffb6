package model_test

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// TestScoreLabels: classes are matched by name, whatever a file calls its first.
func TestScoreLabels(t *testing.T) {
	x := points.NewRows([][]float64{{-2}, {-1}, {1}, {2}})
	m := &model.Model{Family: kernel.List{kernel.Linear{}}, X: x, Theta: []float64{1}, W: []float64{-1, 0, 0, 1},
		Classes: []string{"no", "yes"}}
	for _, c := range []struct {
		names []string
		right float64
		err   string
	}{
		{[]string{"no", "no", "yes", "yes"}, 1, ""},
		{[]string{"yes", "yes", "no", "no"}, 0, ""},
		{[]string{"no", "no", "no", "no"}, 0.5, ""},
		{[]string{"no", "no", "Yes", "no"}, 0, `point 3 is of class "Yes"; the classes of the model are "no", "yes"`},
	} {
		s, err := m.ScoreLabels(x, c.names)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v: %v, want an error with %s", c.names, err, c.err)
			}
		case err != nil || s.Accuracy != c.right:
			t.Errorf("%v: accuracy %g, %v, want %g", c.names, s.Accuracy, err, c.right)
		}
	}
	m.Classes = nil
	if _, err := m.ScoreLabels(x, []string{"a", "b", "c", "d"}); err == nil {
		t.Error("a model of numbers scores classes")
	}
}
