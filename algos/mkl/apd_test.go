package mkl_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
)

// The name of a solver says what differs from the default.
func TestAPDString(t *testing.T) {
	for want, a := range map[string]mkl.APD{"APD": {}, "APD(scale=2)": {Scale: 2}, "APD(mu=0.1)": {Mu: 0.1}, "APD(scale=2, mu=0.1)": {Scale: 2, Mu: 0.1}} {
		if a.String() != want {
			t.Errorf("%v, want %s", a, want)
		}
	}
}

// TestAPD: both bounds hold at every step and move together, on classes and on numbers.
func TestAPD(t *testing.T) {
	n := 0
	for name, p := range matrices(30) {
		if _, ok := p.Loss.(loss.Proximal); !ok {
			if _, err := mkl.Solve(context.Background(), p, mkl.APD{}, nil); err == nil || !strings.Contains(err.Error(), "proximal") {
				t.Errorf("%s: %v, want an error that asks for a proximal step", name, err)
			}
			continue
		}
		best, err := mkl.Solve(context.Background(), p, mkl.SPG{Force: true}, &mkl.Settings{Gap: 1e-5, Iterations: 3000})
		if err != nil {
			t.Fatal(err)
		}
		r, err := mkl.Solve(context.Background(), p, mkl.APD{}, &mkl.Settings{Gap: 2e-2, Iterations: 150})
		if err != nil {
			t.Fatal(err)
		}
		if first := r.Trace[0]; r.Gap() > (first.Upper-first.Lower)/4 {
			t.Errorf("%s: a gap of %g after %d steps, %g at the start", name, r.Gap(), len(r.Trace)-1, first.Upper-first.Lower)
		}
		for _, x := range r.Trace {
			if n++; x.Upper < best.Lower*(1-1e-12) || x.Lower > best.Upper*(1+1e-12) || math.IsNaN(x.F) {
				t.Errorf("%s, step %d: from %.9g to %.9g does not hold a minimum from %.9g to %.9g", name, x.Iter, x.Lower, x.Upper, best.Lower, best.Upper)
			}
		}
	}
	if n == 0 {
		t.Error("no steps were seen")
	}
}
