package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/testenv"
)

// TestAuditCount counts how many well-conditioned draws, ε‖K‖/λ < 1e-9, are certified at the gap 1e-6
// by SPG, among those with a bound of min F at all.
func TestAuditCount(t *testing.T) {
	total := 150
	switch {
	case testenv.Full():
		total = 2000
	case testing.Short():
		total = 40
	}
	well, global, certified := 0, 0, 0
	for seed := range total {
		d := newDraw(seed)
		if d.class() > 0 || d.p.Validate() != nil {
			continue
		}
		well++
		r, err := mkl.Solve(ctx, d.p, mkl.SPG{}, nil)
		if err != nil {
			t.Logf("draw %d: error %v", seed, err)
			continue
		}
		if r.Kind == mkl.Global {
			global++
		}
		if r.Status == mkl.Certified {
			certified++
		}
		if testing.Verbose() && r.Kind == mkl.Global {
			t.Logf("draw %d: %v, relative gap %.3g, %d steps, %v", seed, r.Status, r.RelativeGap(), len(r.Trace)-1, d)
		}
	}
	t.Logf("%d draws, %d well-conditioned, %d with a global certificate, %d certified at 1e-6", total, well, global,
		certified)
	// before bounds carried their rounding, at commit ed0fb93, so many were
	if before := map[int]int{40: 13, 150: 52, 2000: 731}[total]; certified < before {
		t.Errorf("%d certified, want %d or more", certified, before)
	}
}
