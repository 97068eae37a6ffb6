package notebooks

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	results "github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/notebooks/papers/start"
)

// inDraws is for how many draws a sentence says that it holds.
var inDraws = regexp.MustCompile(`in (\d+) of (\d+) draws`)

// judged asks of a notebook whether it has every sentence of conclusion word for word, and of each whether it holds for
// every draw of the results that are kept of its experiment, of which there are so many at least, and for no results
// not. A sentence that says "in 9 of 10 draws" holds for as many.
func judged[R results.Drawn](t *testing.T, path string, sentences []results.Conclusion[R], least int,
	kept func(experiment string) []R) {
	t.Helper()
	n := must(read(filepath.Join(shipped, path)))
	for _, c := range sentences {
		t.Log(c.Text)
		all := kept(c.Experiment)
		seeds := results.Seeds(all)
		if len(seeds) < least {
			t.Errorf("%s: results of the seeds %v are kept, expected %d or more", c.Experiment, seeds, least)
		}
		if !n.says(c.Text) {
			t.Errorf("%s does not say: %s", path, c.Text)
		}
		holds, want := 0, len(seeds)
		if m := inDraws.FindStringSubmatch(c.Text); m != nil {
			want, _ = strconv.Atoi(m[1])
			if m[2] != strconv.Itoa(len(seeds)) {
				t.Errorf("%s: %d draws are kept: %s", c.Experiment, len(seeds), c.Text)
			}
		}
		for _, seed := range seeds {
			ok, number := c.Holds(results.OfSeed(all, seed))
			t.Logf("    seed %d: %v, %s", seed, ok, number)
			if ok {
				holds++
			}
		}
		if holds != want {
			t.Errorf("holds for %d of %d draws, expected %d: %s", holds, len(seeds), want, c.Text)
		}
		if ok, _ := c.Holds(nil); ok {
			t.Errorf("holds of no results: %s", c.Text)
		}
	}
}

// says reports whether a markdown cell has a sentence, wherever its lines end.
func (n *notebook) says(text string) bool {
	return slices.ContainsFunc(n.Cells, func(c cell) bool {
		return c.Type == "markdown" && strings.Contains(strings.Join(strings.Fields(string(c.Source)), " "), text)
	})
}

// TestSeedsStart judges the kept draws of 00_start_here: every sentence of start.Conclusions holds in as many of the
// ten as it says, and the notebook has it word for word.
func TestSeedsStart(t *testing.T) {
	judged(t, "00_start_here.ipynb", start.Conclusions(), 10, start.Kept)
}
