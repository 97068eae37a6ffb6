package mklnb

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// Fit makes a model of a result r of the problem p, whose Grams are f.On(d.X): what Save keeps and PredictFile predicts
// new files with, by the names of d's columns, its levels and the values for its missing cells, under the names of its
// classes or targets. It keeps its support vectors alone (model.Model.Prune).
//
//	p := &mkl.Problem{Grams: bases.On(d.X), Set: set.Simplex{}, Loss: loss.Hinge{C: 1}, Y: d.Y}
//	nb.Save("mine", nb.Fit(d, bases, p, nb.Solve(p, mkl.Level{}, nil)))
//
// Targets are those of d (d.LearnedY), or those less a constant, which the model adds; more than two classes are columns
// ±1, as model.Code{Classes: 3}.Spread(d.Y) makes them for loss.In(loss.Squared{Lambda: 0.1}, 3). A problem on other
// points, in another family or for other targets ends the cell.
func Fit(d *data.Dataset, f kernel.Family, p *mkl.Problem, r *mkl.Result) *model.Model {
	return Must(fit(d, f, p, r))
}

func fit(d *data.Dataset, f kernel.Family, p *mkl.Problem, r *mkl.Result) (*model.Model, error) {
	if d == nil || f == nil || p == nil || r == nil {
		return nil, errors.New("mklnb: fit: want a dataset, a family of kernels, a problem and its result")
	}
	if err := cmp.Or(d.Validate(), p.Validate()); err != nil {
		return nil, fmt.Errorf("mklnb: fit: %w", err)
	}
	k, n := p.Grams.Dims()
	if n != d.Len() {
		return nil, fmt.Errorf("mklnb: fit: the problem is on %d points, %s has %d: want Grams: f.On(d.X); of a part of a dataset, "+
			"d is d.Slice of its rows", n, d.Name, d.Len())
	}
	c := len(p.Y) / n
	if len(r.Kernel) != k || len(r.W) != len(p.Y) || c > 1 && len(r.Biases) != c {
		return nil, fmt.Errorf("mklnb: fit: %d weights and %d dual coefficients are not a result of this problem, of %d weights and %d targets",
			len(r.Kernel), len(r.W), k, len(p.Y))
	}
	code, offsets, err := codeOf(d, p.Y)
	if err != nil {
		return nil, err
	}
	m := &model.Model{Name: d.Name, Note: fmt.Sprintf("%s: %v; %v; %v", r.Solver, p.Loss, r.Status, r.Proof()),
		Family: f, X: d.X, Theta: r.Kernel, Labels: r.Labels, W: r.W, Classes: d.Classes, Pairs: code.Pairs, Targets: d.Targets(), Log: d.Log}
	if d.Encoding != nil {
		m.Input = *d.Encoding
	}
	if c > 1 {
		m.Biases, m.Offsets = r.Biases, offsets
	} else {
		m.Bias, m.Offset = r.Bias, offsets[0]
	}
	if err := sameKernel(m, p.Grams); err != nil {
		return nil, err
	}
	return m.Prune()
}

// codeOf is how the targets y are those of d, column after column, and the constants that the columns lack.
func codeOf(d *data.Dataset, y []float64) (code model.Code, offsets []float64, err error) {
	n, classes := d.Len(), len(d.Classes)
	if d.Y == nil {
		return code, make([]float64, len(y)/n), nil
	}
	other := -1 // a target that is not d's
	for _, code = range []model.Code{{Classes: classes}, {Classes: classes, Pairs: classes > 2}} {
		want := code.Spread(d.LearnedY())
		if len(want) != len(y) {
			continue
		}
		offsets, other = nil, -1
		for j := 0; j < len(y) && other < 0; j += n {
			c, at := lack(want[j:j+n], y[j:j+n])
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
		err = fmt.Errorf("mklnb: fit: the targets are the numbers 0 … %d of %d classes, to which a number was fitted: "+
			"want columns ±1, Y: model.Code{Classes: %[2]d}.Spread(d.Y) and Loss: loss.In(…, %[2]d), or nb.Learn(d)", classes-1, classes)
	case other < 0:
		err = fmt.Errorf("mklnb: fit: %d targets of the problem are not those of %s, %d points of %s", len(y), d.Name, n, model.Code{Classes: classes})
	default:
		err = fmt.Errorf("mklnb: fit: the target of point %d is %g, which is not that of %s, nor less a constant: "+
			"what was learned is to be in d.Y (d.Classes nil for numbers)", other%n+1, y[other], d.Name)
	}
	return code, nil, err
}

// lack is the constant that the targets y lack of those of d, want; at is a point that lacks another one, −1 of none.
// NaN, of a point that is not in this column, is to be NaN in both.
func lack(want, y []float64) (c float64, at int) {
	size := 0.0
	for i := len(want) - 1; i >= 0; i-- { // the first decides
		if v := want[i]; !math.IsNaN(v) {
			c, size = v-y[i], max(size, math.Abs(v))
		}
	}
	for i, v := range want {
		// a mean that was taken away rounds
		if !(math.IsNaN(v) && math.IsNaN(y[i])) && !(math.Abs(v-y[i]-c) <= 1e-9*(size+math.Abs(c))) {
			return c, i
		}
	}
	return c, -1
}

// sameKernel compares k_θ of m with that of g, between a few of the points and all.
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
		return fmt.Errorf("mklnb: fit: %w", err)
	}
	was := mat.NewDense(len(rows), n, nil)
	g.Block(rows, all).Gram(was, m.Theta)
	for i, r := range rows {
		// entries round differently, most where a centred kernel cancels
		size := 1e-6 * math.Max(math.Abs(was.At(i, r)), mat.Norm(was.RowView(i), math.Inf(1)))
		for j := range n {
			if !(math.Abs(k.At(i, j)-was.At(i, j)) <= size) {
				return fmt.Errorf("mklnb: fit: k(x_%d, x_%d) is %.6g of the problem's Grams and %.6g of f on the points of d: "+
					"they are of other points, or of another family: want Grams: f.On(d.X)", r+1, j+1, was.At(i, j), k.At(i, j))
			}
		}
	}
	return nil
}
