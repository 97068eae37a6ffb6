package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mklnb/mkl/mklnb/setup"
)

// cellsScript runs cells with the client library of Jupyter.
//
//go:embed cells.py
var cellsScript string

// cell is a notebook cell to time: its kernel, the code that the kernel runs once before it, and the number of charts
// that it shows.
type cell struct {
	label  string
	Kernel string `json:"kernel"`
	Before string `json:"before"`
	Cell   string `json:"cell"`
	Charts int    `json:"charts"`
}

const (
	hello = "%%\nfmt.Println(\"hello\", NUMBER)"
	again = "%%\nfmt.Println(\"again\")"
	plain = "import \"fmt\"\n"

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
r := nb.Solve(&mkl.Problem{Grams: kernel.Features{Degree: 2}.On(d.X), Set: set.Ball{Q: 2, Radius: 1},
	Loss: loss.Squared{Lambda: 1}, Y: d.Y}, mkl.SPG{}, nil)
`
	prints = solve + "fmt.Println(r.F, NUMBER)"
	chart  = solve + "nb.Show(viz.LogLines(\"Gap NUMBER\", \"certified gap against the step\", viz.Line{Name: " +
		"\"SPG\", XYs: r.Trace.Gaps()}))"
)

// cells are the cells to time. All are compared with the first, which measures GoNB without this project. "The same
// cell again" is a repeated cell, which go build does not need to link.
var cells = []cell{
	{"GoNB's own kernel: one line", plainKernel, plain, hello, 0},
	{"GoNB's own kernel: the same cell again", plainKernel, plain, again, 0},
	{"GoNB's own kernel: sonar solved", plainKernel, facade, prints, 0},
	{"GoNB's own kernel: solved, with a chart", plainKernel, facade, chart, 1},
	{"one line", setup.KernelName, plain, hello, 0},
	{"the same cell again", setup.KernelName, plain, again, 0},
	{"sonar solved", setup.KernelName, facade, prints, 0},
	{"solved, with a chart", setup.KernelName, facade, chart, 1},
}

// plainKernel is the name of the kernel that gonb -install -go_work sets up. It runs the same program with our edits
// off and without a network.
const plainKernel = "gonb"

// installPlain writes the kernel spec of plainKernel to dir, a data folder of Jupyter.
func installPlain(dir, gonb, root string) error {
	spec, err := json.Marshal(map[string]any{
		"argv":         []string{gonb, "--kernel", "{connection_file}", "-go_work=" + root, "-logtostderr=true"},
		"display_name": "Go (gonb)", "language": "go", "interrupt_mode": "message",
		"env": map[string]string{"MKL_GO": "plain", "GOPROXY": "off", "GOWORK": ""},
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

// cellTasks returns the task that measures how long a reader of a notebook waits for a cell.
func cellTasks() []task {
	return []task{{name: "cell", serial: true, make: cellLatency,
		about: "a notebook cell through a real kernel, from sending it to idle, each a new program (-cells says how " +
			"often); lost: displays that did not arrive"}}
}

// cellLatency starts a kernel for each cell, as JupyterLab does. One child process serves all kernels.
func cellLatency(b *bench) *work {
	env := must(setup.Ensure(b.ctx, b.say))
	if err := installPlain(b.dir, filepath.Join(env.Tools, "gonb"), env.Root); err != nil {
		panic(failure{err})
	}
	// The temporary files of a kernel are removed with b.dir.
	vars := append(slices.Clone(env.Vars), "TMPDIR="+b.dir,
		"JUPYTER_PATH="+b.dir+string(os.PathListSeparator)+filepath.Join(env.Root, "notebooks", "jupyter"))
	named := map[string]cell{}
	for _, c := range cells {
		named[c.label] = c
	}
	child := must(startChild(b.ctx, env.Python, cellsScript, env.Root, vars,
		map[string]any{"cells": named, "warm_ups": min(3, b.cells)}))
	w := &work{calls: 1, rounds: b.cells, done: child.close, judge: func(r, _ []float64) Quality {
		if r[0]+r[1] == 0 {
			return nil
		}
		return Quality{"shown": r[0], "lost": r[1]}
	}}
	for _, c := range cells {
		shown, lost := 0, 0
		w.ours = append(w.ours, inGo(c.label, func(int, int) (float64, error) {
			a, err := child.ask(map[string]string{"cell": c.label})
			if err != nil {
				return 0, fmt.Errorf("cell %s: %w", c.label, err)
			}
			shown, lost = shown+c.Charts-a.Lost, lost+a.Lost
			return a.Seconds, nil
		}, func() []float64 { return []float64{float64(shown), float64(lost)} }))
	}
	return w
}
