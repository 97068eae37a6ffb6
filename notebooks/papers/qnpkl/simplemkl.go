package qnpkl

import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

// Names of the methods of SimpleMKL's Table 1.
const (
	Reduced  = "SimpleMKL, reduced gradient"
	ByLevel  = "the same problem, Level"
	Averaged = "uniform weights"
)

// setsSimple are the datasets of SimpleMKL's Table 1 for which results are kept.
var setsSimple = []string{"liver-bupa", "pima", "ionosphere", "sonar"}

// SimpleMKL is the study of a row of Table 1 of SimpleMKL: 13(d+1) kernels of trace 1, C = 100, a gap of 1 %,
// splits of 70 and 30 %. size gives the splits alone.
func SimpleMKL(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	splits, err := Halves(d, size.Splits, seed)
	if err != nil {
		return nil, err
	}
	// kernels of mean diagonal 1 here, n times those of trace 1
	c := study.Losses(loss.Hinge{}, 100/float64(len(splits[0].Train)))
	f := kernel.Sum{Kernels: kernel.SimpleMKLKernels(d.Dim()), Prepare: scaled, Normalize: kernel.MeanDiagonal}
	return newStudy(d, []study.Method{
		{Name: Reduced, Family: f, Solver: mkl.ReducedGradient{}, Gap: 1e-2, Grid: study.Grid{c}},
		{Name: ByLevel, Family: f, Solver: mkl.Level{}, Gap: 1e-2, Grid: study.Grid{c}},
		{Name: Averaged, Family: f, Grid: study.Grid{c, study.Rules(mkl.Uniform{})}},
	}, size, seed)
}

// PrintedSimpleMKL is Table 1 of SimpleMKL as printed, its column "SimpleMKL": kernels kept, accuracy and its
// standard deviation, seconds.
var PrintedSimpleMKL = map[string][4]float64{
	"liver-bupa": {11.2, 65.9, 2.3, 18.9}, "pima": {14.7, 76.5, 2.6, 79.0}, "ionosphere": {23.6, 91.5, 2.5, 123},
	"sonar": {36.7, 80.6, 5.1, 163},
}

// SimpleMKLTable shows blocks beside what is printed.
func SimpleMKLTable(blocks []Block) viz.Figure {
	var rows [][]any
	splits := 0
	for _, b := range Pooled(blocks) {
		splits = len(b.Correct)
		mean, sd := b.Mean()
		k, ksd := stat.MeanStdDev(b.Kernels, nil)
		p, paper, kept, seconds := PrintedSimpleMKL[b.Data], viz.Cell{Text: "–"}, viz.Cell{Text: "–"},
			viz.Cell{Text: "–"}
		if b.Method == Reduced {
			paper, kept, seconds = viz.Spread(p[1], p[2], 1), viz.Number(p[0], 1), viz.Number(p[3], 1)
		}
		rows = append(rows, []any{b.Data, b.Method, viz.Spread(mean, sd, 1), paper, viz.Spread(k, ksd, 1), kept,
			viz.Number(b.CPU, 2), seconds})
	}
	return viz.Table("SimpleMKL's own Table 1",
		fmt.Sprintf("13(d+1) kernels of trace 1, C = 100, to a gap of 1 %%: accuracy in per cent and kernels whose "+
			"weight is above 1e-6 of the sum, mean ± sd of %d splits of 70 and 30 %% (seeds %v); seconds of "+
			"processor time of one fit, the kernels included; the paper's numbers, its seconds of a computer of "+
			"2008.", splits, kept.Seeds(blocks)),
		[]string{"data", "method", "accuracy", "paper", "kernels", "paper", "s", "paper"}, rows...)
}
