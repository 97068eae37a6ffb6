package qnpkl

import (
	"fmt"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

// Noise is the study of a row of Table 2, with 25 features of noise, seed for seed.
func Noise(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	n, err := Noisy(d, 25, seed)
	if err != nil {
		return nil, err
	}
	n.Name = d.Name
	methods := only(Methods(n, size), Linear, Printed, Early, Late, Bounded)
	for i, m := range methods {
		if m.Name == Late || m.Name == Bounded {
			methods[i].Gap, methods[i].Iterations = 1e-4, 500
		}
	}
	return newStudy(n, methods, size, seed)
}

// PrintedTable2 is Table 2 as printed: accuracy and R of MKL and of QN-PKL.
var PrintedTable2 = map[string][4]float64{
	"sonar": {72.2, 84.9, 80.8, 97.7}, "ionosphere": {91.2, 67.2, 93.3, 99.9}, "pima": {71.5, 61.1, 74.8, 89.9},
}

// NoiseTable shows Table 2.
func NoiseTable(blocks []Block) viz.Figure {
	var rows [][]any
	splits := 0
	for _, b := range Pooled(blocks) {
		splits = len(b.Correct)
		mean, sd := b.Mean()
		r, rsd := stat.MeanStdDev(b.Ratio, nil)
		p := PrintedTable2[b.Data]
		paper := fmt.Sprintf("%.1f, R = %.1f", p[2], p[3])
		if b.Method == Linear {
			paper = fmt.Sprintf("%.1f, R = %.1f", p[0], p[1])
		}
		residual := "–"
		if b.Method == Late || b.Method == Bounded {
			residual = fmt.Sprintf("%.1e", worst(b))
		}
		rows = append(rows, []any{b.Data, b.Method, viz.Spread(mean, sd, 1), viz.Spread(r, rsd, 1), residual, paper})
	}
	return viz.Table("Table 2: 25 features of noise",
		fmt.Sprintf("Accuracy and R, the share of the weights that is on the real features, in per cent, mean ± sd "+
			"over %d splits (seeds %v); largest residual, relative, where a run to the end ended; the paper's "+
			"numbers.", splits,
			kept.Seeds(blocks)),
		[]string{"data", "method", "accuracy", "R", "residual", "paper"}, rows...)
}
