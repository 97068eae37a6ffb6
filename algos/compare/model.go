package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// Model returns a model of the result r of the problem p, whose Grams are f.On(d.X). The targets of p must equal
// d.TransformedY, possibly minus a constant, which the model adds again. More than two classes are columns of ±1, as
// model.TargetEncoding.EncodeAll makes them. The model contains only its support vectors (model.Model.Prune). Model
// returns an error if the problem is on other points, in another family or for other targets.
func Model(d *data.Dataset, f kernel.Family, p *mkl.Problem, r *mkl.Result) (*model.Model, error) {
	if d == nil || f == nil || p == nil || r == nil {
		return nil, errors.New("compare: model: want a dataset, a family of kernels, a problem and its result")
	}
	if err := cmp.Or(d.Validate(), p.Validate()); err != nil {
		return nil, fmt.Errorf("compare: model: %w", err)
	}
	k, n := p.Grams.Dims()
	if n != d.Len() {
		return nil, fmt.Errorf("compare: model: the problem is on %d points, %s has %d: want Grams: f.On(d.X); of a "+
			"part of a dataset, d is d.Slice of its rows", n, d.Name, d.Len())
	}
	c := len(p.Y) / n
	if len(r.Kernel) != k || len(r.W) != len(p.Y) || c > 1 && len(r.Biases) != c {
		return nil, fmt.Errorf("compare: model: %d weights and %d dual coefficients are not a result of this problem, "+
			"of %d weights and %d targets", len(r.Kernel), len(r.W), k, len(p.Y))
	}
	code, offsets, err := codeOf(d, p.Y)
	if err != nil {
		return nil, err
	}
	m := newModel(d, f, r, code)
	m.Note = fmt.Sprintf("%s: %v; %v; %v", r.Solver, p.Loss, r.Status, r.Proof())
	shift(m, biases(r), offsets)
	if err := sameKernel(m, p.Grams); err != nil {
		return nil, err
	}
	return m.Prune()
}

// newModel returns a model of the points of d, with the labels and columns of d and the weights and dual coefficients
// of r.
func newModel(d *data.Dataset, f kernel.Family, r *mkl.Result, code model.TargetEncoding) *model.Model {
	m := &model.Model{Name: d.Name, Family: f, X: d.X, Theta: r.Kernel, Labels: r.Labels, W: slices.Clone(r.W),
		Classes: d.Classes, Pairs: code.Pairs, Targets: d.Targets(), Log: d.Log}
	if d.Encoding != nil {
		m.Input = *d.Encoding
	}
	m.Lowest, m.Highest = rangeOf(d.X)
	return m
}

// rangeOf returns the smallest and the largest value of each feature of dense points, nil for other points.
func rangeOf(x points.Points) (lowest, highest []float64) {
	rows, err := points.As[points.Rows](x)
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

// shift sets the constants that the columns of m add to the sum over kernels: the learned biases, and the offsets that
// were subtracted from the targets.
func shift(m *model.Model, bias, offsets []float64) {
	if len(offsets) > 1 {
		m.Biases, m.Offsets = bias, offsets
	} else {
		m.Bias, m.Offset = bias[0], offsets[0]
	}
}

// codeOf determines how the targets y, column after column, were made from the targets of d: one column for each target
// or class, or for each pair of classes, each minus a constant offset.
func codeOf(d *data.Dataset, y []float64) (code model.TargetEncoding, offsets []float64, err error) {
	n, classes := d.Len(), len(d.Classes)
	if d.Y == nil {
		return code, make([]float64, len(y)/n), nil
	}
	other := -1 // a point with another target than in d
	for _, code = range []model.TargetEncoding{{Classes: classes}, {Classes: classes, Pairs: classes > 2}} {
		want := code.EncodeAll(d.TransformedY())
		if len(want) != len(y) {
			continue
		}
		offsets, other = nil, -1
		for j := 0; j < len(y) && other < 0; j += n {
			c, at := offset(want[j:j+n], y[j:j+n])
			if offsets = append(offsets, c); at >= 0 {
				other = j + at
			}
		}
		if other < 0 {
			return code, offsets, nil
		}
	}
	switch {
	case classes > 2 && slices.Equal(y, d.Y):
		err = fmt.Errorf("compare: model: the targets are the numbers 0 … %d of %d classes, to which a number was "+
			"fitted: want columns ±1, Y: model.TargetEncoding{Classes: %[2]d}.EncodeAll(d.Y) and Loss: "+
			"loss.Repeat(…, %[2]d), or nb.Learn(d)", classes-1, classes)
	case other < 0:
		err = fmt.Errorf("compare: model: %d targets of the problem are not those of %s, %d points of %s", len(y),
			d.Name, n, model.TargetEncoding{Classes: classes})
	default:
		err = fmt.Errorf("compare: model: the target of point %d is %g, which is not that of %s, nor less a constant: "+
			"what was learned is to be in d.Y (d.Classes nil for numbers)", other%n+1, y[other], d.Name)
	}
	return code, nil, err
}

// offset returns the constant c with want = y + c, and the index of a point for which this does not hold; −1 if there
// is none. A point that is not in this column is NaN in both.
func offset(want, y []float64) (c float64, at int) {
	size := 0.0
	for i := len(want) - 1; i >= 0; i-- { // the first point determines c
		if v := want[i]; !math.IsNaN(v) {
			c, size = v-y[i], max(size, math.Abs(v))
		}
	}
	for i, v := range want {
		// subtracting a mean causes rounding errors
		if !(math.IsNaN(v) && math.IsNaN(y[i])) && !(math.Abs(v-y[i]-c) <= 1e-9*(size+math.Abs(c))) {
			return c, i
		}
	}
	return c, -1
}

// sameKernel returns an error if K(θ) of g, the Grams of the problem, differs from the model's. It compares eight rows.
func sameKernel(m *model.Model, g kernel.Grams) error {
	n := m.X.Len()
	var rows, all []int
	for i := range n {
		all = append(all, i)
	}
	for i := range min(n, 8) {
		rows = append(rows, i*n/min(n, 8))
	}
	k, err := m.Gram(m.X.Slice(rows), nil)
	if err != nil {
		return fmt.Errorf("compare: model: %w", err)
	}
	was := mat.NewDense(len(rows), n, nil)
	g.Block(rows, all).Gram(was, m.Theta)
	for i, r := range rows {
		// the two are rounded differently, most of all if a centered kernel cancels
		size := 1e-6 * math.Max(math.Abs(was.At(i, r)), mat.Norm(was.RowView(i), math.Inf(1)))
		for j := range n {
			if !(math.Abs(k.At(i, j)-was.At(i, j)) <= size) {
				return fmt.Errorf("compare: model: k(x_%d, x_%d) is %.6g of the problem's Grams and %.6g of f on the "+
					"points of d: they are of other points, or of another family: want Grams: f.On(d.X)",
					r+1, j+1, was.At(i, j), k.At(i, j))
			}
		}
	}
	return nil
}
