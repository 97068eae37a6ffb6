package qnpkl

import (
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

// Sets8 are the embedded sets of the table of baselines.
var Sets8 = []string{"sonar", "ionosphere", "heart-statlog", "liver-bupa", "breast-ljubljana", "votes84",
	"breast-wisconsin", "pima"}

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
	learned := func(name string, s mkl.Solver, more ...study.Axis) study.Method {
		return study.Method{Name: name, Family: bank(), Solver: s, Gap: 1e-2, Grid: append(study.Grid{c}, more...)}
	}
	all := []study.Method{
		rule(mkl.Uniform{}), rule(mkl.BestSingle{}), rule(mkl.Alignment{}), rule(mkl.Alignment{Joint: true}),
		rule(mkl.EasyMKL{}),
		learned("SimpleMKL (ℓ1, Level)", mkl.Level{}),
		learned("ℓ2-norm MKL (closed form)", mkl.ClosedForm{}, study.Sets(set.Ball{Q: 2, Radius: 1})),
		learned("elastic net (closed form)", mkl.ClosedForm{}, study.Sets(set.Orthant{}),
			study.Regs(reg.Elastic{L1: 1, L2: 1})),
	}
	return append(all, only(Methods(d, size), Plain, Early)...)
}

// Baselines is the study of one set.
func Baselines(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	return newStudy(d, BaselineMethods(d, size), size, seed)
}

// Gains are the differences of a method to uniform weights on each of some sets, and on how many its 95 % interval
// lies above 0, and below.
func Gains(blocks []Block, method string, sets ...string) (gains []float64, up, down int) {
	for _, name := range sets {
		d := Difference(Of(blocks, name, method), Of(blocks, name, mkl.Uniform{}.String()))
		gains = append(gains, d.Mean)
		switch {
		case d.Lo > 0:
			up++
		case d.Hi < 0:
			down++
		}
	}
	return gains, up, down
}

// BaselineTable shows mean accuracies, a row a method and a column a set, the mean of the paired
// differences to uniform weights over the sets, on how many that is clear, and the time.
func BaselineTable(blocks []Block) viz.Figure {
	var rows [][]any
	all, splits := Pooled(blocks), 0
	for _, m := range methodsOf(all) {
		row, seconds := []any{m}, 0.0
		for _, name := range Sets8 {
			b := Of(all, name, m)
			mean, _ := b.Mean()
			row, seconds, splits = append(row, viz.Number(mean, 1)), seconds+b.CPU, len(b.Correct)
		}
		gains, up, down := Gains(all, m, Sets8...)
		rows = append(rows, append(row, fmt.Sprintf("%+.2f", stat.Mean(gains, nil)), fmt.Sprintf("%d, %d", up, down),
			viz.Number(seconds, 1)))
	}
	return viz.Table(fmt.Sprintf("Baselines on %d sets", len(Sets8)),
		fmt.Sprintf("Accuracy in per cent, mean of the same %d splits of 70 and 30 %% (seeds %v); 13 kernels of all "+
			"features (ten Gaussians, three polynomials), products of Gaussians below. Gain: mean difference to "+
			"uniform weights over the sets. Clear: on how many sets the paired 95 %% interval lies above 0, and "+
			"below. Time: seconds of processor time of one split of each set, the choice of C included.", splits,
			kept.Seeds(blocks)),
		append(append([]string{"method"}, Sets8...), "gain", "clear", "time"), rows...)
}

// methodsOf are the methods of the blocks, in their order.
func methodsOf(blocks []Block) (methods []string) {
	for _, b := range blocks {
		if !slices.Contains(methods, b.Method) {
			methods = append(methods, b.Method)
		}
	}
	return methods
}
