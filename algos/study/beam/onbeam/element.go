package onbeam

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"

	// Where pipelines run, and where files are.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
)

// turn has room for the one element that this process runs: each uses all cores.
var turn = make(chan struct{}, 1)

// pipelines has room for the one pipeline that this process runs: elements end with it, and flags of Beam are globals.
var pipelines = make(chan struct{}, 1)

// here is the context of the pipeline that this process runs, if it has submitted one. Prism, which runs the elements
// in this process, does not hand its end on to them.
var here struct {
	sync.Mutex
	ctx context.Context
}

// element does what an element of a pipeline is for, when it is its turn. It ends with ctx, and with the pipeline.
func element(ctx context.Context, name string, do func(context.Context) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	here.Lock()
	if here.ctx != nil {
		defer context.AfterFunc(here.ctx, cancel)()
	}
	here.Unlock()
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if err != nil {
			err = fmt.Errorf("onbeam: %s: %w", name, err)
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	return do(ctx)
}

// run runs a pipeline on the runner that the flag -runner names, prism where it names none, when it is its turn. When
// it returns no element runs in this process. The end of ctx is not an error.
func run(ctx context.Context, p *beam.Pipeline) error {
	select {
	case pipelines <- struct{}{}:
		defer func() { <-pipelines }()
	case <-ctx.Done():
		return nil
	}
	// A deadline would make prism panic, which knows canceled contexts only.
	c, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	here.Lock()
	here.ctx = c
	here.Unlock()
	runner := *runners.Runner
	if runner == "" {
		runner = "prism"
	}
	if *jobopts.WorkerBinary == "" && runtime.GOOS == "linux" { // else Beam compiles another program for workers
		exe, err := os.Executable()
		if err != nil {
			return err
		}
		*jobopts.WorkerBinary = exe
	}
	_, err := beam.Run(c, runner, p)
	cancel()
	turn <- struct{}{}
	<-turn
	if ctx.Err() != nil {
		return nil
	}
	return err
}
