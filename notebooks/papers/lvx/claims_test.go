package lvx

import "testing"

// TestClaims tests for how many of the ten seeds each claim of the notebook holds, and that none holds for missing
// datasets.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		experiment string
		claims     []Claim
		holds      []int
	}{
		{"figures", VerdictClaims(), []int{10, 10, 10, 7, 7, 10, 10, 10, 10}},
		{"tables", TableClaims(), []int{10, 10, 10, 10, 10}},
		{"figures", FigureClaims(), []int{10, 10, 10, 9, 10, 10}},
		{"figures", SVMClaims(), []int{10, 8, 10, 10, 10, 8}},
	} {
		draws := Stored(c.experiment)
		for i, claim := range c.claims {
			got, lo, hi := claim.Count(draws)
			t.Logf("%s: %.4g to %.4g, limit %g: %d", claim.Text, lo, hi, claim.Limit, got)
			if got != c.holds[i] {
				t.Errorf("%s: holds for %d of 10 seeds, expected %d", claim.Text, got, c.holds[i])
			}
			if got, _, _ := claim.Count([]*Draw{{Seed: 1}}); got > 0 {
				t.Errorf("%s: holds without the datasets", claim.Text)
			}
		}
	}
}
