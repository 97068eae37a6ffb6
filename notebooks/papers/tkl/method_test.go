package tkl

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
)

// TestShuffled tests a method that takes P from shuffled labels: its P is the minimum for the labels that its seed
// shuffles, and its F is that of the true labels.
func TestShuffled(t *testing.T) {
	p := Problem(FirstPoints("corner", 60, 1), tessellated.Family{Degree: 1}, 1, 1)
	m := Method{Set: set.Spectraplex{}, Minimum: true, Shuffled: true, Seed: 5}
	r, gap, err := m.solveOrEvaluate(t.Context(), p, 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	theta, wantGap, err := minimumWithoutCorners(ShuffledStep{Seed: 5}.shuffle(p))
	if err != nil {
		t.Fatal(err)
	}
	if d := floats.Distance(theta, r.Theta, 2); d > 1e-12 || gap != wantGap {
		t.Errorf("P differs by %g from the minimum for shuffled labels; gaps %g and %g", d, gap, wantGap)
	}
	if other, _, err := minimumWithoutCorners(ShuffledStep{Seed: 6}.shuffle(p)); err != nil ||
		floats.Distance(other, theta, 2) < 1e-3*floats.Norm(theta, 2) {
		t.Errorf("another seed gives the same P (%v)", err)
	}
	pt, err := shared.EvaluateAt(p, r.Theta, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.F-pt.F()) > 2e-3*pt.F() {
		t.Errorf("F is %g, that of the true labels %g", r.F, pt.F())
	}
}
