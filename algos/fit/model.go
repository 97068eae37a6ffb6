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

// BuildModel returns the model that r, the result of the problem p, defines. The Grams of p must be f.Bind(d.X). The
// targets of p must equal d.TransformedY, possibly minus a constant, which the model adds to its predictions. For more
// than two classes, the targets must be columns of ±1, as model.TargetEncoding.EncodeAll makes them. The model contains
// only its support vectors (model.Model.Prune). If p has other points, another family or other targets, the result is
// an error.
func BuildModel(d *data.Dataset, f kernel.Family, p *mkl.Problem, r *mkl.Result) (*model.Model, error) {
	if d == nil || f == nil || p == nil || r == nil {
		return nil, errors.New("fit: model: an argument is nil; pass a dataset, a family, a problem and its result")
	}
	if err := cmp.Or(d.Validate(), p.Validate()); err != nil {
		return nil, fmt.Errorf("fit: model: %w", err)
	}
	k, n := p.Grams.Dims()
	if n != d.Len() {
		return nil, fmt.Errorf("fit: model: the problem has %d points, but %s has %d; set Problem.Grams to "+
			"f.Bind(d.X); for a part of a dataset, pass d.Slice(rows) in place of d", n, d.Name, d.Len())
	}
	c := len(p.Y) / n
	if len(r.PredictionTheta) != k || len(r.W) != len(p.Y) || c > 1 && len(r.Biases) != c {
		return nil, fmt.Errorf("fit: model: the result has %d weights and %d dual coefficients, but the problem "+
			"has %d weights and %d targets; pass the result of this problem",
			len(r.PredictionTheta), len(r.W), k, len(p.Y))
	}
	encoding, targetOffsets, err := detectTargetEncoding(d, p.Y)
	if err != nil {
		return nil, err
	}
	m := newModel(d, f, p.Loss, r, encoding)
	m.Note = fmt.Sprintf("%s: %v; %v; %v", r.Solver, p.Loss, r.Status, r.CertificateText())
	setBiasesAndOffsets(m, biasesOf(r), targetOffsets)
	if err := checkSameKernel(m, p.Grams); err != nil {
		return nil, err
	}
	return m.Prune()
}

// newModel returns a model with the points, classes, names of targets and encoding of d, and with the weights and dual
// coefficients of r, the result of a fit with the loss l. Its biases and offsets are 0.
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

// setBiasesAndOffsets sets, for each target column of m, the learned bias and the offset that was subtracted from the
// targets. Predictions add both.
func setBiasesAndOffsets(m *model.Model, bias, offsets []float64) {
	if len(offsets) > 1 {
		m.Biases, m.Offsets = bias, offsets
	} else {
		m.Bias, m.Offset = bias[0], offsets[0]
	}
}

// detectTargetEncoding returns how y, the target columns of a problem, encodes the targets of d, and the offset that
// was subtracted from each column. It returns an error if y was not made from d.
func detectTargetEncoding(d *data.Dataset, y []float64) (encoding model.TargetEncoding, offsets []float64, err error) {
	n, classCount := d.Len(), len(d.Classes)
	if d.Y == nil {
		return encoding, make([]float64, len(y)/n), nil
	}
	encoding = model.TargetEncoding{Classes: classCount}
	encoded := encoding.EncodeAll(d.TransformedY())
	switch {
	case classCount > 2 && slices.Equal(y, d.Y):
		return encoding, nil, fmt.Errorf("fit: model: the targets are the numbers 0 … %d of %d classes, and were "+
			"fitted as numbers, not classes; set Y to model.TargetEncoding{Classes: %[2]d}.EncodeAll(d.Y) and Loss to "+
			"loss.Repeat(LOSS, %[2]d), or use learn.Learn", classCount-1, classCount)
	case len(encoded) != len(y):
		return encoding, nil, fmt.Errorf("fit: model: the problem has %d targets, but %s has %d points of %d "+
			"classes; set Problem.Y to the result of model.TargetEncoding.EncodeAll", len(y), d.Name, n, classCount)
	}
	for j := 0; j < len(y); j += n {
		column := encoded[j : j+n]
		offset, largestMagnitude := column[0]-y[j], floats.Norm(column, math.Inf(1))
		for i, v := range column { // compares with a tolerance for the rounding error of subtracting a mean
			if !(math.Abs(v-y[j+i]-offset) <= 1e-9*(largestMagnitude+math.Abs(offset))) {
				return encoding, nil, fmt.Errorf("fit: model: the target of point %d is %g; it must be the "+
					"target in %s minus a constant that all points share; set d.Y to the targets the model was "+
					"trained on, and d.Classes to nil for regression", i+1, y[j+i], d.Name)
			}
		}
		offsets = append(offsets, offset)
	}
	return encoding, offsets, nil
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
		// The tolerance of kernel values allows for rounding errors, largest if centering subtracts nearly equal
		// numbers.
		tolerance := 1e-6 * math.Max(math.Abs(kernelRowsOfProblem.At(i, r)),
			mat.Norm(kernelRowsOfProblem.RowView(i), math.Inf(1)))
		for j := range n {
			if !(math.Abs(k.At(i, j)-kernelRowsOfProblem.At(i, j)) <= tolerance) {
				return fmt.Errorf("fit: model: k(x_%d, x_%d) is %.6g in the problem's Grams, but %.6g for f on "+
					"the points of d, so the points or the family differ; set Problem.Grams to f.Bind(d.X)",
					r+1, j+1, kernelRowsOfProblem.At(i, j), k.At(i, j))
			}
		}
	}
	return nil
}
