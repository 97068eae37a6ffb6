package notebooks

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// TestMistakes runs testdata/mistakes.ipynb in a kernel. For a wrong name of a dataset, λ = 0, NaN in the data, unequal
// lengths and similar mistakes, the cell shows one line that states the mistake, the kernel survives, and the
// declarations of earlier cells remain.
func TestMistakes(t *testing.T) {
	testenv.Long(t)
	env := environment(t)
	executed := filepath.Join(t.TempDir(), "executed.ipynb")
	try(env.Execute(t.Context(), setup.Execution{
		Notebook: filepath.Join("testdata", "mistakes.ipynb"), Executed: executed, Timeout: time.Minute,
	}, nil))
	n := must(read(executed))
	want := map[int]string{
		2: `"sonnar"`,
		3: "λ = 0; use a finite λ > 0",
		4: "row 2, column 2 (V2) is NaN",
		5: "100 targets for 208 points",
		6: "q = 0.5",
		7: "nowhere.csv",
		8: "certified",
	}
	for _, c := range n.code() {
		if want[c.Number] == "" {
			continue
		}
		var lines []string // the visible lines, without the exit status
		for _, o := range c.Outputs {
			var plain text
			if raw, ok := o.Data["text/plain"]; ok {
				try(plain.UnmarshalJSON(raw))
			}
			for line := range strings.Lines(string(plain + o.Text)) {
				if line = strings.TrimSpace(line); line != "" && line != "exit status 1" {
					lines = append(lines, line)
				}
			}
		}
		if len(lines) != 1 || !strings.Contains(lines[0], want[c.Number]) || c.Number < 8 != strings.HasPrefix(lines[0],
			"error: ") {
			t.Errorf("cell %d shows %q, expected one line with %q", c.Number, lines, want[c.Number])
		}
		delete(want, c.Number)
	}
	if len(want) != 0 {
		t.Errorf("these cells do not exist: %v", want)
	}
}
