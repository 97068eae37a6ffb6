package notebooks

import (
	"context"
	"os"
	"path/filepath"
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
	eachNotebook(t, func(t *testing.T, n *notebook) {
		r := execute(t, n)
		if r.err != nil {
			t.Fatal(r.err)
		}
		t.Logf("%d cells, %.1f s, page: %s", len(n.code()), r.took.Seconds(), r.page)
	})
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
func execute(t *testing.T, n *notebook) run {
	t.Helper()
	env := environment(t)
	runs.Lock()
	defer runs.Unlock()
	if r, ok := runs.of[n.Path]; ok {
		return r
	}
	ctx, cancel := context.WithTimeout(t.Context(), notebookTimeout)
	defer cancel()
	dir := filepath.Join(artifacts(t), "executed")
	try(os.MkdirAll(dir, 0o755))
	r := run{page: filepath.Join(artifacts(t), n.name()+".html"), executed: filepath.Join(dir, n.name()+".ipynb")}
	start := time.Now()
	r.err = env.Execute(ctx, setup.Execution{Notebook: n.Path, ExecutedNotebookPath: r.executed, HTMLPath: r.page,
		Vars: []string{"MKL_SIZE=small"}}, func(string) {})
	r.took = time.Since(start)
	if runs.of == nil {
		runs.of = map[string]run{}
	}
	runs.of[n.Path] = r
	return r
}
