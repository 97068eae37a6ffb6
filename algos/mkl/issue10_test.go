package mkl_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// TestIssue10Rounding: on unnormalised kernels of breast-wisconsin rounding is of the order of F for
// small λ. No bound may be false or cross the other, and nothing contradicts.
func TestIssue10Rounding(t *testing.T) {
	d, err := data.Load("breast-wisconsin")
	if err != nil {
		t.Fatal(err)
	}
	f := kernel.List{kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Polynomial{Degree: 3, Offset: 1}}
	grams := f.On(d.X)
	for _, c := range []struct {
		lambda, best float64 // F(0,0,1) by exact arithmetic, 0 where that is not known
	}{{1e-3, 13380.98589}, {0.03, 0}, {3e-3, 0}, {1e-4, 0}, {1e-5, 0}, {1, 0}} {
		if testing.Short() && c.best == 0 && c.lambda != 1 {
			continue
		}
		p := &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: loss.Squared{Lambda: c.lambda}, Y: d.Y}
		r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Iterations: 200})
		if err != nil {
			t.Errorf("λ = %g: %v", c.lambda, err)
			continue
		}
		t.Logf("λ = %g: %v, lower %.10g", c.lambda, r, r.Lower)
		switch {
		case !(r.Gap() > 0):
			t.Errorf("λ = %g: a gap of %g", c.lambda, r.Gap())
		case r.Status == mkl.Certified && !(r.RelativeGap() <= 1e-6):
			t.Errorf("λ = %g: %v", c.lambda, r)
		case c.best > 0 && r.Lower > c.best*(1+1e-9):
			t.Errorf("λ = %g: lower bound %.10g, F(0,0,1) = %.10g", c.lambda, r.Lower, c.best)
		}
	}
}

// nearly is [1, 1+e; 1+e, 1], with the eigenvalue −e.
func nearly(e float64) kernel.Precomputed {
	return kernel.Precomputed{Name: "nearly", N: 2, Data: []float64{1, 1 + e, 1 + e, 1}}
}

// TestIssue10Indefinite: a matrix with the eigenvalue −9e-11 is positive semidefinite to what a
// reader of files wants, not to what λ = 1e-8 needs: F(0) = 1e8 is below F(1).
func TestIssue10Indefinite(t *testing.T) {
	for _, y := range [][]float64{{1, -1}, {1, 1}, {1, 0.5}} {
		at0 := floats.Dot(y, y) / 2e-8
		p := &mkl.Problem{Grams: kernel.Sum{Kernels: kernel.List{nearly(9e-11)}, Degree: 2}.On(kernel.AllPlaces(2)),
			Set: set.Ball{Q: math.Inf(1), Radius: 1}, Loss: loss.Squared{Lambda: 1e-8}, Y: y}
		r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
		if err != nil {
			t.Errorf("y = %v: %v", y, err)
			continue
		}
		t.Log(r)
		if r.Lower > at0 {
			t.Errorf("y = %v: %v, lower bound %.10g above F(0) = %.10g", y, r, r.Lower, at0)
		}
		two := kernel.List{nearly(9e-11), nearly(5e-11)}
		for _, s := range []mkl.Solver{mkl.SPG{}, mkl.PGD{}} {
			p := &mkl.Problem{Grams: kernel.Sum{Kernels: two, Degree: 2}.On(kernel.AllPlaces(2)), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 1e-8}, Y: y}
			r, err := mkl.Solve(ctx, p, s, nil)
			if errors.Is(err, mkl.ErrContradiction) {
				t.Errorf("y = %v, %v: %v", y, s, err)
			} else if err == nil && r.Lower > at0 {
				t.Errorf("y = %v: %v, lower bound %.10g above F(0) = %.10g", y, r, r.Lower, at0)
			}
		}
	}
}

// TestIssue10Outside: radial scaling leaves the orthant; what is found there claims nothing.
func TestIssue10Outside(t *testing.T) {
	x := kernel.NewRows([][]float64{{1, 0}, {0, 1}, {1, 1}})
	ball := set.Ball{Q: 2, Radius: 3, Center: []float64{1, 1}}
	p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: ball, Reg: reg.Ridge{Beta: 1}, Loss: loss.Squared{Lambda: 1}, Y: []float64{1, 2, 3}}
	for _, rule := range []mkl.StepRule{mkl.Armijo, mkl.Constant, mkl.ShrinkOnLonger, mkl.ShrinkOnIncrease} {
		t.Run(rule.String(), func(t *testing.T) {
			r, err := mkl.Solve(ctx, p, mkl.PGD{Rule: rule, Normalize: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !ball.Contains(r.Theta) && (!r.Outside || !math.IsInf(r.Gap(), 1) || !r.Status.Early()) {
				t.Errorf("θ = %v is outside: %v", r.Theta, r)
			}
		})
	}
	tiny := set.Ball{Q: 2, Radius: 1e-9, Center: []float64{1, 1}}
	p = &mkl.Problem{Grams: p.Grams, Set: tiny, Loss: p.Loss, Y: p.Y}
	for _, theta := range [][]float64{{1 + 1.5e-9, 1}, {1 + 1e-9, 1 + 1e-9}} {
		r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: theta})
		if err != nil {
			t.Fatal(err)
		}
		if d := tiny.Norm(r.Theta); d > 1e-9*(1+1e-6) {
			t.Errorf("from %v to %v, %g from the centre of a ball of radius 1e-9: %v", theta, r.Theta, d, r)
		}
	}
	r, err := mkl.Weigh(t.Context(), p, outsideRule{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Outside || !math.IsInf(r.Gap(), 1) {
		t.Errorf("a rule's θ outside Θ: %v", r)
	}
}

// outsideRule chooses a θ that no ball about 1 holds.
type outsideRule struct{}

func (outsideRule) String() string { return "outside" }
func (outsideRule) Weigh(_ context.Context, _ *mkl.Problem) ([]float64, error) {
	return []float64{50, 50}, nil
}

// TestIssue10Finite: targets whose squares overflow or vanish are one clear error, or are solved.
func TestIssue10Finite(t *testing.T) {
	x := kernel.NewRows([][]float64{{1, 0}, {0, 1}})
	for _, y := range [][]float64{{1e154, 1e153}, {1e200, 1}, {1e-162, 2e-162}, {1e-320, 0}, {1e130, 1e129}, {1e-130, 1e-131}, {0, 0}} {
		for _, lambda := range []float64{1e-8, 1, 1e8} {
			p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
			r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
			if err != nil {
				if y[0] == 0 || y[0] == 1e130 || y[0] == 1e-130 {
					t.Errorf("y = %v, λ = %g: %v", y, lambda, err)
				}
				continue
			}
			if math.IsNaN(r.F) || math.IsInf(r.F, 0) || math.IsNaN(r.Lower) || !(r.F > 0) && y[0] != 0 || !(r.Gap() > 0) && y[0] != 0 {
				t.Errorf("y = %v, λ = %g: %v", y, lambda, r)
			}
		}
	}
}

// TestIssue10Radius: Λ^q underflows where Λ does not; the lower bound is not above F all the same.
func TestIssue10Radius(t *testing.T) {
	for _, radius := range []float64{1e-90, 1e-80, 1e-60, 1e60} {
		for _, d := range []int{1, 2, 4} {
			x, y := random(12, 3, uint64(d))
			p := &mkl.Problem{Grams: kernel.Features{Degree: d}.On(x), Set: set.Ball{Q: 4, Radius: radius}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
			r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
			if errors.Is(err, loss.ErrNotPSD) || r == nil { // K beyond the range of numbers, and said
				t.Logf("Λ = %g, degree %d: %v", radius, d, err)
				continue
			}
			none := floats.Dot(y, y) // F(0)
			if radius < 1 && (r.Lower > none || math.Abs(r.F-none) > 1e-6*none) {
				t.Errorf("Λ = %g, degree %d: F(0) = %g, %v with lower bound %g", radius, d, none, r, r.Lower)
			}
			if r.Lower > r.F {
				t.Errorf("Λ = %g, degree %d: %v with lower bound %g", radius, d, r, r.Lower)
			}
		}
	}
}
