package tkl

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
)

// TestShuffled tests a method that learns P from shuffled labels: its P is a solution for them, to the gap that it
// returns, and its F is that of the true labels.
func TestShuffled(t *testing.T) {
	p := Problem(FirstPoints("corner", 60, 1), tessellated.Family{Degree: 1}, 1, 1)
	m := Method{Set: set.Spectraplex{}, Solver: mkl.FrankWolfe{ExactLineSearch: true}, Shuffled: true,
		Fallback: mkl.FrankWolfe{}}
	r, gap, err := m.solveOrEvaluate(t.Context(), p, 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.solve(t.Context(), ShuffledStep{}.shuffle(p), mkl.Settings{Gap: 2e-2, Iterations: 300, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := floats.Distance(again.Theta, r.Theta, 2); d > 1e-12 || gap > 2e-2 || gap != again.RelativeGap() {
		t.Errorf("P differs by %g from the solution for shuffled labels; gaps %g and %g", d, gap, again.RelativeGap())
	}
	pt, err := shared.EvaluateAt(p, r.Theta, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.F-pt.F()) > 2e-3*pt.F() {
		t.Errorf("F is %g, that of the true labels %g", r.F, pt.F())
	}
	if math.Abs(r.F-again.F) < 1e-2*again.F {
		t.Errorf("F is %g, as that of the shuffled labels", r.F)
	}
}
