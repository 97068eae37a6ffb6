package nkrr

import "testing"

// TestConclusions: what the notebook says of Table 1 holds of the results that are kept, for every seed.
func TestConclusions(t *testing.T) {
	list := KeptTable1()
	seeds := Seeds(list)
	if len(seeds) < 4 || len(list) != len(seeds)*len(Sets)*len(Readings()) {
		t.Fatalf("%d blocks of seeds %v, want all of at least 4 seeds", len(list), seeds)
	}
	for _, c := range Conclusions() {
		for _, s := range seeds {
			ok, number := c.Holds(BlocksOf(list, s))
			t.Logf("seed %d: %s: %s", s, number, c.Text)
			if !ok {
				t.Errorf("seed %d: %s: %s", s, number, c.Text)
			}
		}
		if ok, number := c.Holds(BlocksOf(nil, 1)); ok {
			t.Errorf("holds of nothing (%s): %s", number, c.Text)
		}
	}
}
