package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

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
	again = "%%\nfmt.Println(\"again\")"

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

// cells: the others are compared with the first, which is what GoNB takes without this project. "The same" is a cell
// run once more, which go build need not link.
var cells = []cell{
	{"plain", "GoNB's own kernel: one line", plainKernel, "import \"fmt\"\n", hello, 0},
	{"plain again", "GoNB's own kernel: the same cell again", plainKernel, "import \"fmt\"\n", again, 0},
	{"plain facade", "GoNB's own kernel: sonar solved", plainKernel, facade, solve + "fmt.Println(r.F, NUMBER)", 0},
	{"plain chart", "GoNB's own kernel: solved, with a chart", plainKernel, facade, chart, 1},
	{"hello", "one line", setup.KernelName, "import \"fmt\"\n", hello, 0},
	{"again", "the same cell again", setup.KernelName, "import \"fmt\"\n", again, 0},
	{"facade", "sonar solved", setup.KernelName, facade, solve + "fmt.Println(r.F, NUMBER)", 0},
	{"chart", "solved, with a chart", setup.KernelName, facade, chart, 1},
}

// plainKernel is the kernel as gonb -install -go_work sets it up, of the same program with its edits off, without a network.
const plainKernel = "gonb"

// installPlain writes the spec of plainKernel into dir, a data folder of Jupyter.
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
	if err := installPlain(b.dir, filepath.Join(env.Tools, "gonb"), env.Root); err != nil {
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
	l, err := newLinkSide(ctx, env, b.dir)
	if err != nil {
		return nil, err
	}
	w.sides = append(w.sides, entry{fmt.Sprintf("the link alone of the last, %d packages", l.packages), "Go", func(context.Context, int) (side, error) {
		return l, nil
	}})
	return w, nil
}

// linkSide links the program of the cell with the chart as go build does for the kernel.
type linkSide struct {
	packages int // that the program holds
	line     string
	vars     []string
}

func newLinkSide(ctx context.Context, env *setup.Env, dir string) (*linkSide, error) {
	vars, err := env.CellVars()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "linked")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	program := "package main\n\n" + facade + "func main() {\n" + strings.TrimPrefix(chart, "%%\n") + "\n_ = fmt.Print\n}\n"
	for name, content := range map[string]string{
		"main.go": program, "go.mod": "module cell\n", "go.work": fmt.Sprintf("go %s\n\nuse .\nuse %q\n", strings.TrimPrefix(runtime.Version(), "go"), env.Root),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return nil, err
		}
	}
	command := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, env.Go, args...)
		cmd.Dir, cmd.Env = dir, append(vars, "TMPDIR="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("go %s: %w: %s", args[0], err, out)
		}
		return string(out), nil
	}
	list, err := command("list", "-deps", ".")
	if err != nil {
		return nil, err
	}
	said, err := command("build", "-work", "-x", "-o", "cell", ".")
	if err != nil {
		return nil, err
	}
	l := &linkSide{packages: strings.Count(list, "\n"), vars: append(vars, "GOGC=400")}
	for line := range strings.Lines(said) {
		if work, ok := strings.CutPrefix(line, "WORK="); ok {
			l.vars = append(l.vars, "WORK="+strings.TrimSpace(work))
		}
		if strings.Contains(line, "/link -o ") {
			l.line = line
		}
	}
	if l.line == "" {
		return nil, errors.New("go build -x shows no link of the cell")
	}
	return l, nil
}

func (l *linkSide) time(ctx context.Context, _ int) (float64, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", l.line)
	cmd.Env = l.vars
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("link: %w: %s", err, out)
	}
	return time.Since(start).Seconds(), nil
}

func (l *linkSide) result(context.Context) ([]float64, error) { return []float64{0, 0}, nil }

func (l *linkSide) told() Origin { return Origin{Versions: map[string]string{"go": runtime.Version()}} }
func (l *linkSide) close()       {}

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
