package fit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// BuildModel returns the model of r, the result of a problem p that was solved by hand on the data d with the family f:
// p.Grams is f.Bind(d.X), and p.Y is model.TargetEncoding.EncodeAll(d.TransformedY()), minus an offset for each target
// column. The model adds the offsets to its predictions; without offsets they are 0. It contains only its support
// vectors (model.Model.Prune). If p has other points, another family or other targets, the result is an error.
func BuildModel(d *data.Dataset, f kernel.Family, p *mkl.Problem, r *mkl.Result, offsets ...float64) (*model.Model,
	error) {
	if d == nil || f == nil || p == nil || r == nil {
		return nil, errors.New("fit: model: an argument is nil; pass a dataset, a family, a problem and its result")
	}
	if err := cmp.Or(d.Validate(), p.Validate()); err != nil {
		return nil, fmt.Errorf("fit: model: %w", err)
	}
	k, n := p.Grams.Dims()
	encoding := model.TargetEncoding{Classes: len(d.Classes), Targets: len(d.Targets())}
	c := encoding.Columns()
	if offsets == nil {
		offsets = make([]float64, c)
	}
	switch {
	case n != d.Len():
		return nil, fmt.Errorf("fit: model: the problem has %d points, but %s has %d; set Problem.Grams to "+
			"f.Bind(d.X); for a part of a dataset, pass d.Slice(rows) in place of d", n, d.Name, d.Len())
	case len(p.Y) != c*n || len(offsets) != c:
		return nil, fmt.Errorf("fit: model: %s has %d target columns, but the problem has %d targets of %d points, "+
			"and there are %d offsets; set Problem.Y to model.TargetEncoding.EncodeAll(d.TransformedY()), minus one "+
			"offset for each column", d.Name, c, len(p.Y), n, len(offsets))
	case len(r.PredictionTheta) != k || len(r.W) != len(p.Y) || c > 1 && len(r.Biases) != c:
		return nil, fmt.Errorf("fit: model: the result has %d weights and %d dual coefficients, but the problem "+
			"has %d weights and %d targets; pass the result of this problem",
			len(r.PredictionTheta), len(r.W), k, len(p.Y))
	}
	for i, v := range encoding.EncodeAll(d.TransformedY()) {
		if o := offsets[i/n]; p.Y[i] != v-o {
			return nil, fmt.Errorf("fit: model: the target of point %d is %g; it must be %g, the target in %s minus "+
				"the offset %g; subtract the offset from the targets of d, and pass it to this function", i%n+1,
				p.Y[i], v-o, d.Name, o)
		}
	}
	m := newModel(d, f, p.Loss, r, encoding)
	m.Note = fmt.Sprintf("%s: %v; %v; %v", r.Solver, p.Loss, r.Status, r.CertificateText())
	m.Biases, m.Offsets = biasesOf(r), offsets
	if err := checkSameKernel(m, p.Grams); err != nil {
		return nil, err
	}
	return m.Prune()
}

// newModel returns a model with the points, classes, names of targets and encoding of d, and with the weights and dual
// coefficients of r, the result of a fit with the loss l. It has no biases and no offsets.
func newModel(d *data.Dataset, f kernel.Family, l loss.Loss, r *mkl.Result,
	encoding model.TargetEncoding) *model.Model {
	m := &model.Model{Name: d.Name, Family: f, X: d.X, Theta: r.PredictionTheta, Labels: r.ThetaLabels,
		W: slices.Clone(r.W), Classes: d.Classes, Targets: d.Targets(), LogTargets: d.LogTargets}
	if d.Encoding != nil {
		e := *d.Encoding
		m.Input = &e
	}
	m.Lowest, m.Highest = featureRanges(d.X)
	if c, ok := l.(loss.Columns); ok {
		l = c.Loss
	}
	if p, ok := l.(loss.Pinball); ok && d.Classes == nil {
		if m.Quantiles = p.Taus; p.Taus == nil {
			m.Quantiles = slices.Repeat([]float64{p.Tau}, max(len(r.Biases), 1))
		}
	}
	return m
}

// featureRanges returns the smallest and the largest value of each dense feature of x, or nil.
func featureRanges(x points.Points) (lowest, highest []float64) {
	rows, err := points.RowsOf(x)
	if err != nil {
		return nil, nil
	}
	lowest, highest = slices.Clone(rows.Row(0)), slices.Clone(rows.Row(0))
	for i := range rows.N {
		for j, v := range rows.Row(i) {
			lowest[j], highest[j] = min(lowest[j], v), max(highest[j], v)
		}
	}
	return lowest, highest
}

// checkSameKernel returns an error if the K(θ) of m differs from that of g, the Grams of the problem. It compares at
// most eight rows, spread over all points.
func checkSameKernel(m *model.Model, g kernel.Grams) error {
	n := m.X.Len()
	var rows []int
	for i := range min(n, 8) {
		rows = append(rows, i*n/min(n, 8))
	}
	k, err := m.Gram(m.X.Slice(rows))
	if err != nil {
		return fmt.Errorf("fit: model: %w", err)
	}
	kernelRowsOfProblem := mat.NewDense(len(rows), n, nil)
	g.Block(rows, points.AllIndices(n)).StoreMatrix(kernelRowsOfProblem, m.Theta)
	for i, r := range rows {
		want := kernelRowsOfProblem.RawRowView(i)
		tolerance := 1e-6 * floats.Norm(want, math.Inf(1)) // for rounding errors, largest if centering subtracts
		for j, v := range want {
			if !(math.Abs(k.At(i, j)-v) <= tolerance) {
				return fmt.Errorf("fit: model: k(x_%d, x_%d) is %.6g in the problem's Grams, but %.6g for f on "+
					"the points of d, so the points or the family differ; set Problem.Grams to f.Bind(d.X)",
					r+1, j+1, v, k.At(i, j))
			}
		}
	}
	return nil
}

// biasesOf returns the bias of each target column of r.
func biasesOf(r *mkl.Result) []float64 {
	if r.Biases != nil {
		return r.Biases
	}
	return []float64{r.Bias}
}
