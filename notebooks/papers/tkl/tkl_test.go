package tkl_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept/kepttest"
	"github.com/mklnb/mkl/notebooks/papers/tkl"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestDefinition: the integral of the definition by hand, and the closed form for other points; as printed
// it is another number unless R is symmetric.
func TestDefinition(t *testing.T) {
	zero := tkl.Of(tessellated.Family{}, tkl.Eye(2), 1)
	if k := zero.Over(0, 1, []float64{0.3}, []float64{0.8}); math.Abs(k-0.5) > 1e-14 {
		t.Errorf("k = %g, want 1 − |x−y| = 0.5", k)
	}
	f := tessellated.Family{Degree: 1}
	for seed := range uint64(5) {
		p, x, y := tkl.RandomP(f, 2, 3, seed), tkl.RandomPoint(2, seed+10), tkl.RandomPoint(2, seed+20)
		of := tkl.Of(f, p, 2)
		want := of.Over(-0.5, 1.5, x, y)
		if k := tkl.Value(f, p, -0.5, 1.5, x, y); math.Abs(k-want) > 1e-11*math.Abs(want) {
			t.Errorf("k = %g, the integral is %g", k, want)
		}
		// as printed it is another number in one order of x and y at least
		if a, b := of.Printed(-0.5, 1.5, x, y),
			of.Printed(-0.5, 1.5, y, x); math.Abs(a-want)+math.Abs(b-want) < 1e-6*math.Abs(want) {
			t.Errorf("as printed k is the integral, %g", want)
		}
		eye := tkl.Of(f, tkl.Eye(6), 2)
		if k, want := eye.Printed(-0.5, 1.5, x, y), eye.Over(-0.5, 1.5, x, y); math.Abs(k-want) > 1e-11*math.Abs(want) {
			t.Errorf("R = 0: printed %g, the integral is %g", k, want)
		}
	}
}

func TestCorner(t *testing.T) {
	x := []float64{0.1, 0.5, 0.8}
	target := mat.NewSymDense(3, []float64{2, 1, 0, 0, 3, 1, 0, 0, 2})
	p := tkl.Corner(tkl.Matched(x, target, 2))
	for i, a := range x {
		for j, b := range x {
			k := tkl.Value(tessellated.Family{Degree: 2}, p, -0.5, 1.5, []float64{a}, []float64{b})
			if math.Abs(k-target.At(i, j)) > 1e-10 {
				t.Errorf("entry (%d, %d) is %g, want %g", i, j, k, target.At(i, j))
			}
		}
	}
	if r := tkl.Rank(tkl.Gram(tessellated.Family{Degree: 1}, tkl.Corner(tkl.Eye(3)), -0.5, 1.5,
		tkl.Uniform(20, 2, 1))); r != 3 {
		t.Errorf("rank %d, want 3", r)
	}
	if p := tkl.OfTrace(tkl.Eye(4), 2); floats.Dot(p, tkl.Eye(4)) != 2 {
		t.Errorf("trace %g, want 2", floats.Dot(p, tkl.Eye(4)))
	}
}

// TestFigures: every figure is valid.
func TestFigures(t *testing.T) {
	d := tkl.Circle(40, 1)
	p := tkl.Problem(d, tessellated.Family{Degree: 1, Unit: true}, 1, 1)
	_, r, err := tkl.Learn(p, mkl.FrankWolfe{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := tkl.Sandwich("c", []string{"a"}, r).Validate(); err != nil {
		t.Error(err)
	}
	if err := tkl.Closing("t", "c", []string{"a"}, r).Validate(); err != nil {
		t.Error(err)
	}
	f, err := tkl.Boundaries(d, 9, []string{"a", "b"}, p, tkl.Machine(d, 1, 1))
	if err != nil || f.Validate() != nil {
		t.Error(err, f.Validate())
	}
	if f, err = tkl.Turned(d, 9, 0.1, 1); err != nil || f.Validate() != nil {
		t.Error(err, f.Validate())
	}
	j := tkl.Jump(30, 1)
	if f, err = tkl.Curves(j, []string{"a"}, tkl.Machine(j, 1, 1)); err != nil || f.Validate() != nil {
		t.Error(err, f.Validate())
	}
	f, large := tkl.PMatrix(r, tkl.Names(p.Grams), "t", "c")
	if f.Validate() != nil || len(large) == 0 {
		t.Error(f.Validate(), large)
	}
	if err := tkl.Surfaces(7, []float64{0.4, 0.6}, []string{"a"}, tkl.Eye(6)).Validate(); err != nil {
		t.Error(err)
	}
}

// report are means and standard deviations of RBF, TKL d=0 and TKL d=1 balanced over some splits by an independent
// program, on its own splits.
var report = map[string]struct {
	splits   int
	mean, sd [3]float64
}{
	"breast-wisconsin": {20, [3]float64{96.9, 96.8, 96.8}, [3]float64{1.0, 1.0, 1.0}},
	"pima":             {20, [3]float64{76.9, 77.1, 76.1}, [3]float64{3.6, 3.2, 3.0}},
	"ionosphere":       {30, [3]float64{94.4, 92.3, 92.6}, [3]float64{2.7, 2.6, 2.6}},
	"sonar":            {30, [3]float64{85.2, 86.7, 87.1}, [3]float64{5.0, 4.1, 5.0}},
}

// TestKept makes the kept results again.
func TestKept(t *testing.T) {
	kepttest.Full(t)
	for name, want := range report {
		t.Run(name, func(t *testing.T) {
			d, err := data.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := tkl.Accuracy(t.Context(), d, tkl.Methods(d.Dim()), want.splits, 1)
			if err != nil {
				t.Fatal(err)
			}
			reported(t, name, s)
			kepttest.Write(t, name, s)
		})
	}
}

// TestReport: what is kept is what the independent program reports.
func TestReport(t *testing.T) {
	for name := range report {
		if s := tkl.Kept()[name]; s == nil {
			t.Errorf("%s: no results are kept", name)
		} else {
			reported(t, name, s)
		}
	}
}

// reported asks for means within 3·sd·√(2/splits) of those of the report.
func reported(t *testing.T, name string, s *tkl.Scores) {
	want := report[name]
	for i, m := range []int{0, 2, 3} {
		mean, _ := s.Mean(m)
		allowed := 3 * want.sd[i] * math.Sqrt(2/float64(want.splits))
		if len(s.Splits) < want.splits || math.Abs(mean-want.mean[i]) > allowed {
			t.Errorf("%s, %s: %.1f of %d splits, want %.1f ± %.1f of %d", name, s.Methods[m], mean, len(s.Splits),
				want.mean[i], allowed, want.splits)
		}
	}
}

// TestComparison: the protocol runs, and finds that two rings are no coin.
func TestComparison(t *testing.T) {
	s, err := tkl.Accuracy(t.Context(), data.Rings(60, 1), tkl.Methods(2), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for m, name := range s.Methods {
		if mean, _ := s.Mean(m); mean < 75 {
			t.Errorf("%s: %.0f %%", name, mean)
		}
	}
	if f := tkl.ScoreTable("t", "c", s); f.Validate() != nil {
		t.Error(f.Validate())
	}
	if d := s.Less(0, 0); d.Mean != 0 || d.SE != 0 {
		t.Errorf("a method is better than itself by %+v", d)
	}
}
