package tkl_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/linalg/linalgtest"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/tkl"

	"gonum.org/v1/gonum/mat"
)

func TestBackend(t *testing.T) { linalgtest.Backend(t) }

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
		if a, b := of.Printed(-0.5, 1.5, x, y), of.Printed(-0.5, 1.5, y, x); math.Abs(a-want)+math.Abs(b-want) < 1e-6*math.Abs(want) {
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
	if r := tkl.Rank(tkl.Gram(tessellated.Family{Degree: 1}, tkl.Corner(tkl.Eye(3)), -0.5, 1.5, tkl.Uniform(20, 2, 1))); r != 3 {
		t.Errorf("rank %d, want 3", r)
	}
	if p := tkl.OfTrace(tkl.Eye(4), 2); tkl.Inner(p, tkl.Eye(4)) != 2 {
		t.Errorf("trace %g, want 2", tkl.Inner(p, tkl.Eye(4)))
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

// TestComparison: the protocol runs, and finds that two rings are no coin.
func TestComparison(t *testing.T) {
	s, err := tkl.Accuracy(t.Context(), "rings", data.Rings(60, 1), tkl.Methods(2), 2, 1)
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
	if d, se := s.Less(0, 0); d != 0 || se != 0 {
		t.Errorf("a method is better than itself by %g (%g)", d, se)
	}
}
