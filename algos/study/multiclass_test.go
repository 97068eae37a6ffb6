package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/mat"
)

// clusters are classes around centres at distance about apart, the features in 4 dimensions or more.
func clusters(classes, each, d int, apart float64, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float64, classes*d)
	for i := range centres {
		centres[i] = apart * rng.NormFloat64()
	}
	x := points.Rows{N: classes * each, D: d, Data: make([]float64, classes*each*d)}
	s := &data.Dataset{Name: "clusters", X: x}
	for i := range x.N {
		c := i % classes
		for j := range d {
			x.Data[i*d+j] = centres[c*d+j] + rng.NormFloat64()
		}
		s.Y = append(s.Y, float64(c))
	}
	for c := range classes {
		s.Classes = append(s.Classes, fmt.Sprint("class ", c))
	}
	return s
}

// every way to learn classes.
func multiclassMethods(f kernel.Family) []Method {
	hinge := Losses(loss.Hinge{}, 0.1, 1, 10)
	return []Method{
		{Name: "ridge", Family: f, Grid: Grid{Ridge(0.01, 0.1, 1)}},
		{Name: "ridge pairs", Family: f, Grid: Grid{Ridge(0.01, 0.1, 1)}, Multiclass: OneVsOne},
		{Name: "svm", Family: f, Grid: Grid{hinge}, Solver: mkl.SPG{Force: true}},
		{Name: "svm rest", Family: f, Grid: Grid{hinge, Rules(mkl.Uniform{})}, Multiclass: OneVsRest},
		{Name: "uniform", Family: f, Grid: Grid{Ridge(0.01, 0.1, 1), Rules(mkl.Uniform{})}},
	}
}

// Three classes are told apart in every way, and the same classes under other numbers as well.
func TestThreeClasses(t *testing.T) {
	d := clusters(3, 20, 4, 2, 3)
	s := &Study{Data: d, Splits: must(Halves(d.Y, 3, 1)), CentreTargets: true,
		Selection: Selection{Folds: 4, By: ErrorRate}, Methods: multiclassMethods(gaussians)}
	for _, split := range s.Splits {
		for _, part := range [][]int{split.Train, split.Test} {
			if n := must(d.Slice(part)).Counts(); slices.Min(n) != 10 {
				t.Errorf("a part of a half has %v points of the classes, want 10 each", n)
			}
		}
	}
	table := run1(t, s)
	for _, r := range table.Rows {
		a := table.Summary(r.Method, Accuracy).Mean
		for _, m := range []Metric{Accuracy, Balanced, F1, AUC} {
			if v := table.Summary(r.Method, m).Mean; a < 0.9 || !(v >= a-0.1 && v <= 1) {
				t.Errorf("%s: %s %v beside an accuracy of %v, want 0.9 at least", r.Method, m, v, a)
			}
		}
	}
	notes := strings.Join(table.Notes, "\n")
	says(t, notes, "Ridge, svm rest, uniform: one against the rest",
		"Ridge pairs, svm: one against one, 3 pairs")
	// class c becomes to[c]; folds are of other classes' order, so each path has one value
	to := []int{2, 0, 1}
	q, other := *s, *d
	other.Y, other.Classes, q.Data = make([]float64, d.Len()), make([]string, 3), &other
	for i := range d.Y {
		other.Y[i] = float64(to[int(d.Y[i])])
	}
	for c, k := range to {
		other.Classes[k] = d.Classes[c]
	}
	for i := range s.Methods {
		s.Methods[i] = oneValue(s.Methods[i])
	}
	a, b := run1(t, s), run1(t, &q)
	for i, r := range a.Rows {
		for j, run := range r.Runs {
			want, got := run.Score.Confusion, b.Rows[i].Runs[j].Score.Confusion
			for x := range want {
				for y := range want {
					if want[x][y] != got[to[x]][to[y]] {
						t.Errorf("%s, split %d: %v decisions, with other numbers %v", r.Method, j+1, want, got)
					}
				}
			}
			if theta := b.Rows[i].Runs[j].Theta; !floats.EqualApprox(run.Theta, theta, 0.05) {
				t.Errorf("%s, split %d: θ = %v, with other numbers %v", r.Method, j+1, run.Theta, theta)
			}
		}
	}
}

// oneValue is m with the second value of its path alone, solved to a small gap.
func oneValue(m Method) Method {
	p := m.Grid[0].(Path)
	p.Values = p.Values[1:2]
	m.Grid, m.Gap = append(Grid{p}, m.Grid[1:]...), 1e-8
	return m
}

// Two classes and a third that no point has are learned like two classes.
func TestTwoClassesByTheRoadOfThree(t *testing.T) {
	two := clouds(40, 3, 2)
	three := *two
	three.Classes = append(slices.Clone(two.Classes), "never")
	three.Y = make([]float64, len(two.Y))
	for i := range three.Y {
		three.Y[i] = (two.Y[i] + 1) / 2
	}
	for _, m := range multiclassMethods(gaussians) {
		s := &Study{Data: two, Splits: must(Halves(two.Y, 3, 1)), CentreTargets: true, Methods: []Method{oneValue(m)}}
		q := *s
		q.Data = &three
		b := run1(t, &q).Rows[0].Runs
		for j, run := range run1(t, s).Rows[0].Runs {
			want, got := run.Score, b[j].Score
			if want.Accuracy != got.Accuracy || math.Abs(want.AUC-got.AUC) > 1e-12 || got.Confusion[0][2] != 0 ||
				!floats.EqualApprox(run.Theta, b[j].Theta, 1e-3) {
				t.Errorf("%s: %v, θ = %v by two classes, %v, %v by three", m.Name, want, run.Theta, got, b[j].Theta)
			}
		}
	}
}

// A class that is not among the points trained on is never decided on; one class alone always is.
func TestAbsentClass(t *testing.T) {
	d := clusters(3, 12, 4, 2, 5)
	var s Split
	for i, y := range d.Y {
		if y == 1 || i > 24 {
			s.Test = append(s.Test, i)
		} else {
			s.Train = append(s.Train, i)
		}
	}
	for _, m := range multiclassMethods(gaussians) {
		q := &Study{Data: d, Splits: []Split{s}, CentreTargets: true, Methods: []Method{oneValue(m)}}
		c := run1(t, q).Rows[0].Runs[0].Score.Confusion
		if c[0][1]+c[1][1]+c[2][1] != 0 || c[0][0] < 3 || c[2][2] < 3 {
			t.Errorf("%s: decisions %v, want none for the class that was absent, and the others right", m.Name, c)
		}
		q.Splits = []Split{{Train: []int{0, 3, 6, 9}, Test: []int{1, 2, 4}}}
		if m.Grid[0].(Path).Loss.Traits().Linear && m.Multiclass == OneVsOne {
			continue // ridge of pairs that are not there
		}
		if c := run1(t, q).Rows[0].Runs[0].Score.Confusion; c[1][0] != 2 || c[2][0] != 1 {
			t.Errorf("%s: one class alone: decisions %v, want that class", m.Name, c)
		}
	}
}

// Learn takes classes as they come, and its model gives their names back, also from its file.
func TestLearnManyClasses(t *testing.T) {
	d := clusters(10, 8, 16, 1.5, 6)
	for k := range d.Classes {
		d.Classes[k] = fmt.Sprint(9 - k) // labels are names, be they numbers
	}
	l := learn(t, d, WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.03}}), WithLambda(0.1, 1),
		WithSplits(must(Halves(d.Y, 2, 1))))
	said := strings.Contains(l.String(), "one against the rest, 10 classes, one kernel for all (WithMulticlass)")
	if a := l.Table.Summary(LearnedName, Accuracy).Mean; a < 0.9 || !said {
		t.Errorf("accuracy %v, want at least 0.9, and a word about how classes are learned:\n%v", a, l)
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
	score := must(m.Score(d.X, d.Y))
	if score.Accuracy != float64(right)/80 || right < 75 {
		t.Errorf("%d of 80 names are right, the score is %v", right, score)
	}
	roc := must(ROC(m, d.X, d.Y))
	confusion := l.Table.Confusion(LearnedName)
	drawn(t, roc, confusion)
	if len(roc.Series) != 11 || !strings.Contains(roc.Title, fmt.Sprintf("%.3f", score.AUC)) ||
		len(confusion.Cells.Z) != 10 {
		t.Errorf("%d curves: %s; a confusion of %+v", len(roc.Series), roc.Title, confusion.Cells)
	}
	// the area under each curve, by trapezia, has the mean that the score says
	area := 0.0
	for _, c := range roc.Series[:10] {
		area += integrate.Trapezoidal(c.X, c.Y) / 10
	}
	if math.Abs(area-score.AUC) > 1e-12 {
		t.Errorf("the curves have areas of %v on average, the score says %v", area, score.AUC)
	}
	says(t, failure(ROC(m, must(d.Slice([]int{0, 10})).X, []float64{0, 0})), "all of one class")
}

// A support vector machine by Learn: of two classes and of three, its support vectors alone in the model. Landmarks
// are for the squared loss.
func TestLearnHinge(t *testing.T) {
	svm := WithLoss(Losses(loss.Hinge{}, 0.1, 1, 10))
	for _, d := range []*data.Dataset{clouds(60, 3, 2), clusters(3, 20, 4, 2, 3)} {
		l := learn(t, d, svm, WithSplits(must(Halves(d.Y, 2, 1))), WithGap(1e-4),
			WithFamily(kernel.List{kernel.RBF{Gamma: 0.05}, kernel.RBF{Gamma: 0.3}}))
		if a := l.Table.Summary(LearnedName, Accuracy).Mean; a < 0.8 {
			t.Errorf("accuracy %v, want at least 0.8:\n%v", a, l)
		}
		n := l.Model.X.Len()
		if n >= d.Len() || n != l.Model.Support() || !strings.Contains(l.Model.Note, "hinge loss, C=") {
			t.Errorf("%d of %d points in the model: %v, %s", n, d.Len(), l.Model, l.Model.Note)
		}
		whole := *l.Model
		whole.X, whole.W = d.X, l.Result.W
		if !mat.EqualApprox(must(whole.Values(d.X)), must(l.Model.Values(d.X)), 1e-10) {
			t.Error("the support vectors alone predict something else")
		}
		s := l.String()
		for _, want := range []string{"choice of C", "constants chosen by: the rate of errors"} {
			if !strings.Contains(s, want) || strings.Contains(s, "squared") {
				t.Errorf("no %q, or a word of the squared loss, in\n%s", want, s)
			}
		}
		if !slices.Contains([]float64{0.1, 1, 10}, l.Lambda) {
			t.Errorf("C = %v", l.Lambda)
		}
		for want, o := range map[string]Option{"WithLambda is for": WithLambda(1),
			"WithLandmarks(20)": WithLandmarks(20)} {
			says(t, failure(Learn(context.Background(), d, svm, o)), want)
		}
	}
}
