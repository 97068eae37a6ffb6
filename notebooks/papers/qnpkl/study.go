package qnpkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

var background = context.Background()

// Size is how much of an experiment is run.
type Size struct {
	Splits, Folds int
	C             []float64
}

// The sizes. Full is that of the kept results: C by three folds inside each training part.
var (
	Quick    = Size{1, 2, []float64{10}}
	Standard = Size{3, 2, []float64{1, 10}}
	Full     = Size{20, 3, []float64{0.1, 1, 10, 100}}
)

// Names of the methods of Table 1.
const (
	Plain   = "SVM, uniform product"
	Linear  = "MKL"
	Printed = "QN-PKL as printed"
	Early   = "QN-PKL, 8 steps"
	Late    = "QN-PKL to the end"
	Bounded = "L-BFGS"
	GMKL1   = "GMKL, ℓ1"
	GMKL2   = "GMKL, ℓ2"
)

// Methods are those of Table 1 on d.
func Methods(d *data.Dataset, size Size) []study.Method {
	c := study.Losses(loss.Hinge{}, size.C...)
	product := func(name string, s mkl.Solver, gap float64, steps int, more ...study.Axis) study.Method {
		return study.Method{Name: name, Family: Products(), Solver: s, Gap: gap, Iterations: steps, Grid: append(study.Grid{c, study.Sets(Start(d))}, more...)}
	}
	gmkl := mkl.PGD{Force: true}
	return []study.Method{
		product(Plain, nil, 0, 0, study.Rules(mkl.Uniform{})),
		{Name: Linear, Family: Sums(d), Solver: mkl.Level{}, Gap: 1e-2, Grid: study.Grid{c}},
		product(Printed, mkl.QuasiNewton{AsPrinted: true}, 1e-3, 50),
		product(Early, mkl.QuasiNewton{}, 1e-3, 8),
		product(Late, mkl.QuasiNewton{}, 1e-3, 200),
		product(Bounded, mkl.LBFGS{}, 1e-3, 200),
		product(GMKL1, gmkl, 1e-2, 100, study.Regs(reg.Elastic{L1: 1})),
		product(GMKL2, gmkl, 1e-2, 100, study.Regs(reg.Ridge{Beta: 0.5})),
	}
}

// Table1 is the study of a row of Table 1.
func Table1(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	return newStudy(d, Methods(d, size), size, seed)
}

func newStudy(d *data.Dataset, methods []study.Method, size Size, seed uint64) (*study.Study, error) {
	splits, err := Halves(d, size.Splits, seed)
	if err != nil {
		return nil, err
	}
	return &study.Study{Data: d, Methods: methods, Splits: splits, Seed: seed, Selection: study.Selection{Folds: size.Folds, By: study.ErrorRate}}, nil
}

// Block is a method on a dataset, over the splits.
type Block struct {
	Data, Method string
	Seed         uint64
	Correct      []float64 // accuracy on each split, per cent
	Seconds      []float64 // of each fit
	Ratio        []float64 // R of each split, where there are features of noise
	Kernels      []float64 // weights above 1e-6 of their sum
}

// Summarise makes blocks of a table; relevant, if not 0, is how many features are not noise.
func Summarise(t *study.Table, relevant int) (blocks []Block) {
	for _, row := range t.Rows {
		b := Block{Data: t.Data, Method: row.Method, Seed: t.Seed}
		for _, v := range t.Values(row.Method, study.Accuracy) {
			b.Correct = append(b.Correct, 100*v)
		}
		for _, r := range row.Runs {
			b.Seconds = append(b.Seconds, r.Seconds)
			if relevant > 0 {
				b.Ratio = append(b.Ratio, 100*Ratio(r.Theta, relevant))
			}
			total, used := 0.0, 0.0
			for _, v := range r.Theta {
				total += v
			}
			for _, v := range r.Theta {
				if v > 1e-6*total {
					used++
				}
			}
			b.Kernels = append(b.Kernels, used)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// Of picks the block of a method on a dataset.
func Of(blocks []Block, name, method string) (Block, bool) {
	i := slices.IndexFunc(blocks, func(b Block) bool { return b.Data == name && b.Method == method })
	if i < 0 {
		return Block{}, false
	}
	return blocks[i], true
}

// Mean is that of the accuracy, and its standard deviation over splits.
func (b Block) Mean() (mean, sd float64) { return stat.MeanStdDev(b.Correct, nil) }

// Median of some numbers.
func Median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	if len(s) == 0 {
		return math.NaN()
	}
	return s[len(s)/2]
}

// Difference is the mean of the paired differences of accuracy, a − b, and half the width of its 95 %
// interval by the corrected variance of Nadeau and Bengio for 70/30 splits.
func Difference(a, b Block) (mean, half float64) {
	d := make([]float64, min(len(a.Correct), len(b.Correct)))
	for i := range d {
		d[i] = a.Correct[i] - b.Correct[i]
	}
	mean, sd := stat.MeanStdDev(d, nil)
	n := float64(len(d))
	return mean, 2.09 * sd * math.Sqrt(1/n+0.3/0.7) // t of 19 degrees of freedom
}

// PrintedTable1 is Table 1 as printed: accuracy and time of MKL and of QN-PKL, accuracy of GMKL and SVM.
var PrintedTable1 = map[string][6]float64{
	"sonar":      {77.9, 6.2, 86.6, 1.0, 82.3, 81.3},
	"ionosphere": {91.3, 7.1, 94.1, 0.6, 93.0, 90.1},
	"pima":       {71.4, 4.4, 76.4, 2.8, 77.2, 75.4},
}

// printedOf is what the paper has for a method, NaN for nothing.
func printedOf(name, method string) float64 {
	at, ok := map[string]int{Linear: 0, Printed: 2, Early: 2, Late: 2, GMKL1: 4, GMKL2: 4, Plain: 5}[method]
	if !ok || name == "pima" && method == GMKL1 || name != "pima" && method == GMKL2 { // ℓ2 on Pima only
		return math.NaN()
	}
	p, ok := PrintedTable1[name]
	if !ok {
		return math.NaN()
	}
	return p[at]
}

// Compared shows a row of Table 1: accuracy here, what is printed, and the paired difference to the
// uniform product.
func Compared(name string, blocks []Block) viz.Figure {
	var rows [][]any
	base, _ := Of(blocks, name, Plain)
	for _, b := range blocks {
		if b.Data != name {
			continue
		}
		mean, sd := b.Mean()
		paper, diff := "–", "–"
		if v := printedOf(name, b.Method); !math.IsNaN(v) {
			paper = fmt.Sprintf("%.1f", v)
		}
		if b.Method != Plain && len(b.Correct) > 1 {
			d, h := Difference(b, base)
			diff = fmt.Sprintf("%+.1f ± %.1f", d, h)
		}
		rows = append(rows, []any{b.Method, viz.Spread(mean, sd, 1), paper, diff, fmt.Sprintf("%.0f", Median(b.Kernels))})
	}
	return viz.Table("Table 1 on "+name, fmt.Sprintf("Accuracy in per cent, mean ± sd of %d splits of 70 and 30 %%, C chosen inside the training part; the paper's number; "+
		"difference to the uniform product, paired, with its 95 %% interval; median number of weights above 1e-6 of the sum.", len(base.Correct)),
		[]string{"method", "accuracy", "paper", "− uniform", "weights"}, rows...)
}

// NoiseMethods are those of Table 2.
func NoiseMethods(d *data.Dataset, size Size) []study.Method {
	all := Methods(d, size)
	var some []study.Method
	for _, m := range all {
		if m.Name == Linear || m.Name == Printed || m.Name == Early || m.Name == Late || m.Name == Bounded {
			if m.Name == Late || m.Name == Bounded {
				m.Gap, m.Iterations = 1e-4, 500
			}
			some = append(some, m)
		}
	}
	return some
}

// Noise is the study of a row of Table 2, with 25 features of noise, seed for seed.
func Noise(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	n, err := Noisy(d, 25, seed)
	if err != nil {
		return nil, err
	}
	n.Name = d.Name
	return newStudy(n, NoiseMethods(n, size), size, seed)
}

// PrintedTable2 is Table 2 as printed: accuracy and R of MKL and of QN-PKL.
var PrintedTable2 = map[string][4]float64{
	"sonar": {72.2, 84.9, 80.8, 97.7}, "ionosphere": {91.2, 67.2, 93.3, 99.9}, "pima": {71.5, 61.1, 74.8, 89.9},
}

// NoiseTable shows Table 2.
func NoiseTable(blocks []Block) viz.Figure {
	var rows [][]any
	for _, b := range blocks {
		mean, sd := b.Mean()
		r, rsd := stat.MeanStdDev(b.Ratio, nil)
		p := PrintedTable2[b.Data]
		paper := fmt.Sprintf("%.1f, R = %.1f", p[2], p[3])
		if b.Method == Linear {
			paper = fmt.Sprintf("%.1f, R = %.1f", p[0], p[1])
		}
		rows = append(rows, []any{b.Data, b.Method, viz.Spread(mean, sd, 1), viz.Spread(r, rsd, 1), paper})
	}
	return viz.Table("Table 2: 25 features of noise", "Accuracy and R, the share of the weights that is on the real features, in per cent, mean ± sd over splits; the paper's numbers.",
		[]string{"data", "method", "accuracy", "R", "paper"}, rows...)
}

// Sets8 are the embedded sets of the table of baselines.
var Sets8 = []string{"sonar", "ionosphere", "heart-statlog", "liver-bupa", "breast-ljubljana", "votes84", "breast-wisconsin", "pima"}

// bank is ten Gaussians and three polynomials of all features, standardized, mean diagonal 1.
func bank() kernel.Family {
	return kernel.Sum{Kernels: kernel.SimpleMKLKernels(0), Prepare: scaled, Normalize: kernel.MeanDiagonal}
}

// BaselineMethods are every baseline of the library on the same 13 kernels, and the products.
func BaselineMethods(d *data.Dataset, size Size) []study.Method {
	c := study.Losses(loss.Hinge{}, size.C...)
	rule := func(r mkl.Rule) study.Method {
		return study.Method{Name: r.String(), Family: bank(), Grid: study.Grid{c, study.Rules(r)}}
	}
	all := []study.Method{
		rule(mkl.Uniform{}), rule(mkl.BestSingle{}), rule(mkl.Alignment{}), rule(mkl.Alignment{Joint: true}), rule(mkl.EasyMKL{}),
		{Name: "SimpleMKL (ℓ1, Level)", Family: bank(), Solver: mkl.Level{}, Gap: 1e-2, Grid: study.Grid{c}},
		{Name: "ℓ2-norm MKL (closed form)", Family: bank(), Solver: mkl.ClosedForm{}, Gap: 1e-2, Grid: study.Grid{c, study.Sets(set.Ball{Q: 2, Radius: 1})}},
	}
	for _, m := range Methods(d, size) {
		if m.Name == Plain || m.Name == Early || m.Name == Bounded {
			all = append(all, m)
		}
	}
	return all
}

// Baselines is the study of one set.
func Baselines(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	return newStudy(d, BaselineMethods(d, size), size, seed)
}

// BaselineTable shows mean accuracies, a row a method and a column a set, the mean of the paired
// differences to uniform weights over the sets, and on how many that is clear. Sets of Sets8 without
// results are left out.
func BaselineTable(blocks []Block) viz.Figure {
	var methods, sets []string
	for _, b := range blocks {
		if !slices.Contains(methods, b.Method) {
			methods = append(methods, b.Method)
		}
		if !slices.Contains(sets, b.Data) {
			sets = append(sets, b.Data)
		}
	}
	var rows [][]any
	splits := 0
	for _, m := range methods {
		row := []any{m}
		var gains []float64
		up, down := 0, 0
		for _, s := range sets {
			b, ok := Of(blocks, s, m)
			base, _ := Of(blocks, s, methods[0])
			if !ok {
				row = append(row, "–")
				continue
			}
			splits = len(b.Correct)
			mean, _ := b.Mean()
			row = append(row, viz.Number(mean, 1))
			d, h := Difference(b, base)
			gains = append(gains, d)
			switch {
			case d-h > 0:
				up++
			case d+h < 0:
				down++
			}
		}
		rows = append(rows, append(row, fmt.Sprintf("%+.2f", stat.Mean(gains, nil)), fmt.Sprintf("%d up, %d down", up, down)))
	}
	return viz.Table(fmt.Sprintf("Baselines on %d sets", len(sets)),
		fmt.Sprintf("Accuracy in per cent, mean of the same %d splits of 70 and 30 %%, one seed; 13 kernels of all features (ten Gaussians, three polynomials), products of Gaussians below. "+
			"Then: mean difference to uniform weights over the sets; on how many the paired 95 %% interval leaves 0 out.", splits),
		append(append([]string{"method"}, sets...), "mean gain", "clear"), rows...)
}
