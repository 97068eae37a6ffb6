package findings

import "testing"

// TestFigure counts the intervals of Figure that exclude 0, which its title in the notebook states.
func TestFigure(t *testing.T) {
	f := Figure("title")
	if err := f.Validate(); err != nil {
		t.Fatal(err)
	}
	lower, higher := 0, 0
	s := f.Series[0]
	for i := range s.Y {
		if s.Hi[i] < 0 {
			lower++
		}
		if s.Lo[i] > 0 {
			higher++
		}
	}
	if n := len(s.Y); n != 32 || lower != 5 || higher != 2 {
		t.Errorf("%d comparisons, %d lower, %d higher, expected 32, 5 and 2", n, lower, higher)
	}
}
