package main

import (
	"context"
	_ "embed"
	"fmt"
	"runtime"

	"github.com/mklnb/mkl/mklnb/setup"
)

// cellsScript runs cells by Jupyter's own client.
//
//go:embed cells.py
var cellsScript string

// cell is a notebook cell to time: code that its kernel runs before, once, how many charts it shows, and
// variables of the environment of its kernel.
type cell struct {
	name   string
	label  string
	Before string            `json:"before"`
	Cell   string            `json:"cell"`
	Charts int               `json:"charts"`
	Env    map[string]string `json:"env"`
}

const (
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

// cells: the first is GoNB's own floor, which the others are compared with. The last is what the third would
// take without the shortcut of mklnb/setup/tools/go, which leaves cells without the library alone.
var cells = []cell{
	{"hello", "hello, without the library", "import \"fmt\"\n", "%%\nfmt.Println(\"hello\", NUMBER)", 0, nil},
	{"facade", "facade: sonar, solved", facade, solve + "fmt.Println(r.F, NUMBER)", 0, nil},
	{"chart", "facade with chart", facade, chart, 1, nil},
	{"plain", "the same, MKL_GO=plain", facade, chart, 1, map[string]string{"MKL_GO": "plain"}},
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
	vars := append(append([]string{}, env.Vars...), "TMPDIR="+b.dir) // what a kernel leaves behind goes with it
	named := map[string]cell{}
	for _, c := range cells {
		named[c.name] = c
	}
	c, err := startChild(ctx, env.Python, cellsScript, env.Root, vars, map[string]any{"kernel": setup.KernelName, "cells": named, "warm_ups": min(3, b.cells)})
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
