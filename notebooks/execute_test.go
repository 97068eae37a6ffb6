package notebooks

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/mklnb/setup"
)

// perNotebook bounds the run of one notebook in the small size. It is a guard against a notebook
// that hangs, far above the half minute such a run is meant to take.
const perNotebook = 4 * time.Minute

// TestExecute runs every notebook from top to bottom in the small size, by the code of
// mklnb/lab -execute, and keeps the pages.
func TestExecute(t *testing.T) {
	env := environment(t)
	for _, n := range all(t) {
		t.Run(filepath.Base(n.Path), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), perNotebook)
			defer cancel()
			page := filepath.Join(artefacts(t), strings.TrimSuffix(filepath.Base(n.Path), ".ipynb")+".html")
			start := time.Now()
			err := env.Execute(ctx, setup.Execution{Notebook: n.Path, HTML: page, Vars: []string{"MKL_SIZE=small"}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cells, %d charts, %.1f s, page: %s", len(n.code()), n.charts(), time.Since(start).Seconds(), page)
		})
	}
}
