package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/mklnb/mkl/mklnb/setup"
)

// cellsScript runs cells by Jupyter's own client.
//
//go:embed cells.py
var cellsScript string

// cell is a notebook cell to time: its kernel, code that the kernel runs before, once, and how many charts
// it shows.
type cell struct {
	name   string
	label  string
	Kernel string `json:"kernel"`
	Before string `json:"before"`
	Cell   string `json:"cell"`
	Charts int    `json:"charts"`
}

const (
	hello = "%%\nfmt.Println(\"hello\", NUMBER)"

	facade = `import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	nb "github.com/mklnb/mkl/mklnb"
	"github.com/mklnb/mkl/viz"
)
`
	solve = `%%
d := nb.Load("sonar")
r := nb.Solve(&mkl.Problem{Grams: kernel.Features{Degree: 2}.On(d.X), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 1}, Y: d.Y}, mkl.SPG{}, nil)
`
	chart = solve + "nb.Show(viz.LogLines(\"Gap NUMBER\", \"certified gap against the step\", viz.Line{Name: \"SPG\", XYs: r.Trace.Gaps()}))"
)

// cells: the others are compared with the first, which is what GoNB takes without this project.
var cells = []cell{
	{"plain", "hello, GoNB's own kernel", plainKernel, "import \"fmt\"\n", hello, 0},
	{"hello", "hello, without the library", setup.KernelName, "import \"fmt\"\n", hello, 0},
	{"facade", "facade: sonar, solved", setup.KernelName, facade, solve + "fmt.Println(r.F, NUMBER)", 0},
	{"chart", "facade with chart", setup.KernelName, facade, chart, 1},
}

// plainKernel is the kernel as gonb -install sets it up.
const plainKernel = "gonb"

// installPlain writes the spec of plainKernel into dir, a data folder of Jupyter.
func installPlain(dir, gonb string) error {
	spec, err := json.Marshal(map[string]any{
		"argv":         []string{gonb, "--kernel", "{connection_file}", "-logtostderr=true"},
		"display_name": "Go (gonb)", "language": "go", "interrupt_mode": "message", "env": map[string]string{},
	})
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, "kernels", plainKernel)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "kernel.json"), spec, 0o644)
}

// cellTasks time what a reader of a notebook waits for.
func cellTasks() []task {
	return []task{{name: "cell", serial: true, about: "a notebook cell through a real kernel, from sending it to idle, each a new program (-cells says how often); lost: displays that did not arrive",
		make: cellLatency}}
}

// cellLatency starts a kernel for each cell, as JupyterLab would.
func cellLatency(ctx context.Context, b *bench) (*work, error) {
	env, err := setup.Ensure(ctx, b.say)
	if err != nil {
		return nil, err
	}
	if err := installPlain(b.dir, filepath.Join(env.Tools, "gonb")); err != nil {
		return nil, err
	}
	// What a kernel leaves behind goes with b.dir.
	vars := append(slices.Clone(env.Vars), "TMPDIR="+b.dir,
		"JUPYTER_PATH="+b.dir+string(os.PathListSeparator)+filepath.Join(env.Root, "notebooks", "jupyter"))
	named := map[string]cell{}
	for _, c := range cells {
		named[c.name] = c
	}
	c, err := startChild(ctx, env.Python, cellsScript, env.Root, vars, map[string]any{"cells": named, "warm_ups": min(3, b.cells)})
	if err != nil {
		return nil, err
	}
	w := &work{calls: 1, rounds: b.cells, done: c.close, judge: func(r, _ []float64) Quality {
		if r[0]+r[1] == 0 {
			return nil
		}
		return Quality{"shown": r[0], "lost": r[1]}
	}}
	for _, k := range cells {
		w.sides = append(w.sides, entry{k.label, "Go", func(context.Context, int) (side, error) {
			return &cellSide{child: c, name: k.name, charts: k.Charts}, nil
		}})
	}
	return w, nil
}

// cellSide is one of the cells; all of them share the child.
type cellSide struct {
	child             *child
	name              string
	charts            int
	expected, missing int
}

func (s *cellSide) time(context.Context, int) (float64, error) {
	a, err := s.child.ask(map[string]string{"cell": s.name})
	if err != nil {
		return 0, fmt.Errorf("cell %s: %w", s.name, err)
	}
	s.expected += s.charts
	s.missing += a.Lost
	return a.Seconds, nil
}

func (s *cellSide) result(context.Context) ([]float64, error) {
	return []float64{float64(s.expected - s.missing), float64(s.missing)}, nil
}

func (s *cellSide) told() Origin {
	return Origin{Versions: map[string]string{"go": runtime.Version()}}
}
func (s *cellSide) close() {}
