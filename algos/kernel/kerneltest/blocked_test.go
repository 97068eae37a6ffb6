package kerneltest_test

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
)

// faultyBlocks is two blocks of Features with one thing wrong.
type faultyBlocks struct{ Fault string }

func init() { registry.Register(faultyBlocks{}) }

type blockGrams struct {
	kernel.Grams
	fault string
}

type blockGram struct {
	kernel.Gram
	kernel.Blocked
	fault string
	c     []float64
}

func (f faultyBlocks) Bind(x points.Points) kernel.Grams {
	return blockGrams{blocks.Family{Of: []kernel.Family{kernel.Features{}, kernel.Features{}}}.Bind(x), f.Fault}
}

func (g blockGrams) Shape() (rows, cols int) {
	if g.fault == "shape" {
		return 4, 4
	}
	return 2, 3
}

func (g blockGrams) Threads(n int) kernel.Grams {
	if g.fault == "threads" {
		_, n := g.Dims()
		rows := make([]int, n)
		for i := range rows {
			rows[i] = n - 1 - i
		}
		return blockGrams{g.Slice(rows), g.fault}
	}
	return blockGrams{g.Grams.Threads(n), g.fault}
}

func (g blockGrams) New() kernel.Gram {
	k := g.Grams.New()
	return &blockGram{Gram: k, Blocked: k.(kernel.Blocked), fault: g.fault}
}

func (g *blockGram) At(theta []float64) {
	g.Gram.At(theta)
	g.c = []float64{1, 1}
}

func (g *blockGram) Weigh(c []float64) {
	g.c = slices.Clone(c)
	if g.fault == "weigh" {
		g.c[1] = 1
	}
	g.Blocked.Weigh(g.c)
}

func (g *blockGram) Gradient(dst, w []float64) {
	if g.fault == "gradient without c" {
		g.Blocked.Weigh([]float64{1, 1})
		defer g.Blocked.Weigh(g.c)
	}
	g.Gram.Gradient(dst, w)
}

func (g *blockGram) Forms(dst, w []float64) {
	if g.Blocked.Forms(dst, w); g.fault == "weighted forms" {
		floats.Mul(dst, g.c)
	}
}

func (g *blockGram) Scaled(dst, theta []float64) {
	if g.Blocked.Scaled(dst, theta); g.fault == "not scaled" {
		copy(dst, theta)
	}
}
