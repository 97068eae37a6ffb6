package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

func TestADMM(t *testing.T) {
	var cases []mkltest.Case
	for _, d := range []reg.Distance{reg.L1, reg.L2, reg.L3} {
		for _, c := range matrixCases(d) {
			if r := c.Reg.(reg.DistancePenalty); r.Rho == 0.3 || r.Rho == 5 && d == reg.L1 {
				cases = append(cases, c)
			}
		}
	}
	mkltest.TestSolver(t, mkl.ADMM{}, mkltest.Options{Cases: cases, Gap: 1e-4, Iterations: 200, Warm: -1,
		Draw: symmetric})
}

// TestInductiveSlice: set and regularizer follow the points, and the problem of a slice is that of its points.
func TestInductiveSlice(t *testing.T) {
	s, y := noisy(12, 0.3, 22)
	p := learned(y, 1, 0.2, 24, reg.L3, s)
	p.Grams = inductive(s)
	rows := []int{7, 0, 1, 4, 9}
	q, err := p.Slice(rows)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Validate(); err != nil {
		t.Fatal(err)
	}
	if q.Set != (set.Spectraplex{Trace: 10}) {
		t.Errorf("the set of 5 of 12 points of trace 24 is %+v, want trace 10", q.Set)
	}
	for i, a := range rows {
		for j, b := range rows {
			if got := q.Reg.(reg.DistancePenalty).Targets[0][i*5+j]; got != s.At(a, b) {
				t.Fatalf("the target of the slice has %g at %d, %d, want %g", got, i, j, s.At(a, b))
			}
		}
	}
	// transductive, the slice withholds labels alone
	p = learned(y, 1, 0.2, 24, reg.L3, s)
	if q, err = p.Slice(rows); err != nil || q.Set != p.Set || len(q.Reg.(reg.DistancePenalty).Targets[0]) != 144 ||
		len(q.Y) != 5 {
		t.Errorf("a transductive slice has the set %+v and %d labels, %v", q.Set, len(q.Y), err)
	}
	if err := q.Validate(); err != nil {
		t.Error(err)
	}
}

// TestADMMFromTarget: the similarity is where the run begins, so that r has no slope there.
func TestADMMFromTarget(t *testing.T) {
	_, y := noisy(10, 0.3, 3)
	s := mat.NewSymDense(10, nil)
	for i := range 10 {
		s.SetSym(i, i, 1)
	}
	for _, d := range []reg.Distance{reg.L1, reg.L2, reg.L3} {
		for name, p := range map[string]*mkl.Problem{"one": learned(y, 1, 0.1, 10, d, s),
			"two": several(y, 1, 0.1, 10, d, s, s)} {
			r, err := mkl.Solve(t.Context(), p, mkl.ADMM{}, &mkl.Settings{Gap: 1e-4, Iterations: 200})
			if err != nil || r.Status != mkl.Certified {
				t.Errorf("%v, %s: %v, %v", d, name, err, r)
			}
		}
	}
}
