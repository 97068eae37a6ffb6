package kept_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mklnb/mkl/notebooks/papers/kept"
)

// TestRead: files in the order of their names; no JSON is a panic that names the pattern, and so is no file where one
// is wanted.
func TestRead(t *testing.T) {
	files := fstest.MapFS{"r/b.json": {Data: []byte("[2]")}, "r/a.json": {Data: []byte("[1, 3]")},
		"r/c.txt": {Data: []byte("{")}}
	if got := slices.Concat(kept.Read[[]int](files, "r/*.json")...); !slices.Equal(got, []int{1, 3, 2}) {
		t.Errorf("read %v, want 1, 3, 2", got)
	}
	if got := kept.Read[int](files, "r/none.json"); got != nil {
		t.Errorf("read %v where there is nothing", got)
	}
	if got := kept.One[[]int](files, "r/a.json"); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("read %v, want 1, 3", got)
	}
	for _, pattern := range []string{"r/c.txt", "[", "r/none.json", "r/*.json"} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, pattern) {
					t.Errorf("%s: panic %q, want one that names it", pattern, said)
				}
			}()
			kept.One[[]int](files, pattern)
		}()
	}
}
