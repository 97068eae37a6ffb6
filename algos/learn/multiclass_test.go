package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
)

// Learn takes classes as they come, and its model gives their names back, also from its file.
func TestLearnManyClasses(t *testing.T) {
	d := comparetest.ClassClusters(10, 8, 16, 1.5, 6)
	for k := range d.Classes {
		d.Classes[k] = fmt.Sprint(9 - k) // labels are names, be they numbers
	}
	l := learn(t, d, WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.03}}), WithLambda(0.1, 1),
		WithSplits(must(fit.Halves(d.Y, 2, 1))))
	if a := l.Table.Summary(LearnedName, model.Accuracy).Mean; a < 0.9 {
		t.Errorf("accuracy %v, want at least 0.9", a)
	}
	m := reloaded(t, l.Model)
	if !reflect.DeepEqual(m, l.Model) {
		t.Fatalf("the model comes back as %+v", m)
	}
	right, v := 0, must(m.Values(d.X))
	for i, name := range must(m.Classify(d.X)) {
		if name == d.Classes[d.Class(i)] {
			right++
		}
		if m.Classes[floats.MaxIdx(v.RawRowView(i))] != name {
			t.Errorf("point %d is of class %s, its values are %v", i+1, name, v.RawRowView(i))
		}
	}
	if right < 75 {
		t.Errorf("%d of 80 names are right", right)
	}
}

// A support vector machine by Learn: of two classes and of three, its support vectors alone in the model. Landmarks
// are for the squared loss.
func TestLearnHinge(t *testing.T) {
	svm := WithLoss(fit.Losses(loss.Hinge{}, 0.1, 1, 10))
	for _, d := range []*data.Dataset{comparetest.OverlappingClasses(60, 3, 2),
		comparetest.ClassClusters(3, 20, 4, 2, 3)} {
		l := learn(t, d, svm, WithSplits(must(fit.Halves(d.Y, 2, 1))), WithGap(1e-4),
			WithFamily(kernel.List{kernel.RBF{Gamma: 0.05}, kernel.RBF{Gamma: 0.3}}))
		if a := l.Table.Summary(LearnedName, model.Accuracy).Mean; a < 0.8 {
			t.Errorf("accuracy %v, want at least 0.8:\n%v", a, l)
		}
		n := l.Model.X.Len()
		if n >= d.Len() || n != l.Model.SupportVectorCount() || !strings.Contains(l.Model.Note, "hinge loss, C=") {
			t.Errorf("%d of %d points in the model: %v, %s", n, d.Len(), l.Model, l.Model.Note)
		}
		if by := l.Tried[0].By; by != model.ErrorRate {
			t.Errorf("chosen by %s", by)
		}
		if !slices.Contains([]float64{0.1, 1, 10}, l.Lambda) {
			t.Errorf("C = %v", l.Lambda)
		}
	}
}
