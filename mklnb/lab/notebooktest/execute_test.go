package notebooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// notebookTimeout is the time limit of one notebook in the small size, far above its usual time of a minute.
const notebookTimeout = 10 * time.Minute

// TestExecute runs each notebook from top to bottom in the small size, as mklnb/lab -execute does, and stores its page.
func TestExecute(t *testing.T) {
	testenv.SkipUnlessLong(t)
	environment(t)
	for _, n := range all(t) {
		t.Run(filepath.Base(n.Path), func(t *testing.T) {
			r := execute(t, n.Path)
			if r.err != nil {
				t.Fatal(r.err)
			}
			t.Logf("%d cells, %d charts, %.1f s, page: %s", len(n.code()), n.charts(), r.took.Seconds(), r.page)
		})
	}
}

// run is the result of a notebook in the small size: its page, and the notebook with its outputs.
type run struct {
	page, executed string
	took           time.Duration
	err            error
}

// runs contains the results by notebook, so that all tests use the same run.
var runs struct {
	sync.Mutex
	of map[string]run
}

// execute runs a notebook, once for all tests.
func execute(t *testing.T, path string) run {
	t.Helper()
	env := environment(t)
	runs.Lock()
	defer runs.Unlock()
	if r, ok := runs.of[path]; ok {
		return r
	}
	ctx, cancel := context.WithTimeout(t.Context(), notebookTimeout)
	defer cancel()
	dir := filepath.Join(artifacts(t), "executed")
	try(os.MkdirAll(dir, 0o755))
	name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
	r := run{page: filepath.Join(artifacts(t), name+".html"), executed: filepath.Join(dir, name+".ipynb")}
	start := time.Now()
	r.err = env.Execute(ctx, setup.Execution{Notebook: path, ExecutedNotebookPath: r.executed, HTMLPath: r.page,
		Vars: []string{"MKL_SIZE=small"}}, func(string) {})
	r.took = time.Since(start)
	if runs.of == nil {
		runs.of = map[string]run{}
	}
	runs.of[path] = r
	return r
}
