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

// cell is a notebook cell to time: its Jupyter kernel, the code that the kernel runs once before the timings, the code
// of the cell, and the number of charts that it shows.
type cell struct {
	label  string
	Kernel string `json:"kernel"`
	Before string `json:"before"`
	Cell   string `json:"cell"`
	Charts int    `json:"charts"`
}

const (
	helloCell    = "%%\nfmt.Println(\"hello\", NUMBER)"
	repeatedCell = "%%\nfmt.Println(\"again\")"
	fmtImport    = "import \"fmt\"\n"

	libraryImports = `import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	nb "github.com/mklnb/mkl/mklnb"
	"github.com/mklnb/mkl/viz"
)
`
	solveSonar = `%%
d := nb.Load("sonar")
r := nb.Solve(&mkl.Problem{Grams: kernel.Features{Degree: 2}.On(d.X), Set: set.Ball{Q: 2, Radius: 1},
	Loss: loss.Squared{Lambda: 1}, Y: d.Y}, mkl.SPG{}, nil)
`
	printCell = solveSonar + "fmt.Println(r.F, NUMBER)"
	chartCell = solveSonar + "nb.Show(viz.LogLines(\"Gap NUMBER\", \"certified gap against the step\", viz.Line{" +
		"Name: \"SPG\", XYs: r.Trace.Gaps()}))"
)

// cells are the cells to time. The times of all are compared with the time of the first, which runs GoNB without this
// project. "The same cell again" is a cell with unchanged code, whose program go build need not link again.
var cells = []cell{
	{"GoNB's own kernel: one line", plainKernel, fmtImport, helloCell, 0},
	{"GoNB's own kernel: the same cell again", plainKernel, fmtImport, repeatedCell, 0},
	{"GoNB's own kernel: sonar solved", plainKernel, libraryImports, printCell, 0},
	{"GoNB's own kernel: solved, with a chart", plainKernel, libraryImports, chartCell, 1},
	{"one line", setup.KernelName, fmtImport, helloCell, 0},
	{"the same cell again", setup.KernelName, fmtImport, repeatedCell, 0},
	{"sonar solved", setup.KernelName, libraryImports, printCell, 0},
	{"solved, with a chart", setup.KernelName, libraryImports, chartCell, 1},
}

// plainKernel is the name of a Jupyter kernel like the one that gonb -install -go_work sets up. It runs the same GoNB
// program as the kernel of this project, but builds cells in GoNB's own way (MKL_GO=plain), and without a network.
const plainKernel = "gonb"

// installPlainKernel writes the kernel spec of plainKernel to dir, a data folder of Jupyter.
func installPlainKernel(dir, gonb, root string) error {
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

// cellTasks returns the task that measures the time from sending a notebook cell to its end.
func cellTasks() []task {
	return []task{{name: "cell", isSerial: true, newWork: cellWork,
		about: "a notebook cell through a real kernel, from sending it to idle, each a new program (-cells says how " +
			"often); lost: displays that did not arrive"}}
}

// cellWork starts a Jupyter kernel for each cell, as JupyterLab does. One Python process controls all kernels.
func cellWork(b *bench) *work {
	env := must(setup.Ensure(b.ctx, b.log))
	if err := installPlainKernel(b.dir, filepath.Join(env.Tools, "gonb"), env.Root); err != nil {
		panic(failure{err})
	}
	// The temporary files of a kernel are removed with b.dir.
	vars := append(slices.Clone(env.Vars), "TMPDIR="+b.dir,
		"JUPYTER_PATH="+b.dir+string(os.PathListSeparator)+filepath.Join(env.Root, "notebooks", "jupyter"))
	byLabel := map[string]cell{}
	for _, c := range cells {
		byLabel[c.label] = c
	}
	child := must(startChild(b.ctx, env.Python, cellsScript, env.Root, vars,
		map[string]any{"cells": byLabel, "warm_ups": min(3, b.cells)}))
	w := &work{callsPerTiming: 1, rounds: b.cells, cleanUp: child.close, evaluate: func(r, _ []float64) Quality {
		if r[0]+r[1] == 0 {
			return nil
		}
		return Quality{"shown": r[0], "lost": r[1]}
	}}
	for _, c := range cells {
		shown, lost := 0, 0
		w.inGo = append(w.inGo, goImplementation(c.label, func(int, int) (float64, error) {
			a, err := child.request(map[string]string{"cell": c.label})
			if err != nil {
				return 0, fmt.Errorf("cell %s: %w", c.label, err)
			}
			shown, lost = shown+c.Charts-a.Lost, lost+a.Lost
			return a.Seconds, nil
		}, func() []float64 { return []float64{float64(shown), float64(lost)} }))
	}
	return w
}
