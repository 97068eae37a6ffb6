package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// BalancedWeights are weights n/(K·n_k) of K classes with n_k of n points, as scikit-learn's
// class_weight='balanced'. A class without points has none.
func BalancedWeights(d *data.Dataset) map[string]float64 {
	w := map[string]float64{}
	for k, n := range d.Counts() {
		if n > 0 {
			w[d.Classes[k]] = float64(len(d.Y)) / float64(len(d.Classes)*n)
		}
	}
	return w
}

// weigh is a loss with the weights of classes, one for each point, and says what does not fit.
func (o *options) weigh(d *data.Dataset, of loss.Loss) (loss.Loss, error) {
	if o.probabilities && d.Classes == nil {
		return nil, fmt.Errorf("study: WithProbabilities: the targets of %s are numbers, want classes", d.Name)
	}
	if !o.given["WithClassWeights"] {
		return of, nil
	}
	if d.Classes == nil {
		return nil, fmt.Errorf("study: WithClassWeights: the targets of %s are numbers, want classes", d.Name)
	}
	l, ok := of.(loss.Weighted)
	if !ok {
		return nil, fmt.Errorf("study: WithClassWeights: the loss %s has no weights of points; use one that has, such as "+
			"WithLoss(study.Losses(loss.Hinge{}, 0.1, 1, 10)), which forms the kernel matrices of all points", called(of))
	}
	each := slices.Repeat([]float64{1}, len(d.Classes))
	for name, v := range o.classWeights {
		k := slices.Index(d.Classes, name)
		if k < 0 {
			return nil, fmt.Errorf("study: WithClassWeights: there is no class %q, %s has %q", name, d.Name, d.Classes)
		}
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("study: WithClassWeights: the weight of class %q is %g, want a finite "+
				"number above 0", name, v)
		}
		each[k] = v
	}
	w := make([]float64, len(d.Y))
	for i := range w {
		w[i] = each[d.Class(i)]
	}
	return l.WithWeights(w), nil
}

// calibrate fits a sigmoid to the decision values of each column at points left out, of the only candidate
// of b at a value of its path, in so many folds.
func (r *run) calibrate(ctx context.Context, m *Method, b *grid, value float64, folds int,
	seed uint64) ([]model.Sigmoid, error) {
	splits, err := (Selection{Folds: folds}).splits(r.Data.Y, r.Data.Group, seed)
	if err != nil {
		return nil, fmt.Errorf("study: probabilities: %w", err)
	}
	c := b.code.Columns()
	f, y, target := make([][]float64, c), make([][]float64, c), make([]float64, c)
	for _, s := range splits {
		w, err := r.fold(b, s, seed)
		if err != nil {
			return nil, err
		}
		out, err := w.decisions(ctx, m, b, value, &Run{})
		if err != nil {
			return nil, fmt.Errorf("study: probabilities: %w", err)
		}
		for i, row := range s.Test {
			b.code.Encode(target, r.Data.Y[row])
			for j, t := range target {
				if !math.IsNaN(t) {
					f[j], y[j] = append(f[j], out[j*len(s.Test)+i]), append(y[j], t)
				}
			}
		}
	}
	sigmoids := make([]model.Sigmoid, c)
	for j := range sigmoids {
		if len(f[j]) == 0 { // of two classes without points: one half
			continue
		}
		if sigmoids[j], err = model.FitSigmoid(f[j], y[j]); err != nil {
			return nil, fmt.Errorf("study: probabilities: column %d: %w", j+1, err)
		}
	}
	return sigmoids, nil
}

// errOneClass is returned for points of one class: there is nothing to learn but the offsets.
var errOneClass = errors.New("the points trained on are all of one class, want two or more")

// constant is what is decided at the points tested on where all points trained on are of one class.
func (f *fold) constant(b *grid, value float64, offsets []float64, res *Run) []float64 {
	m, _ := f.grams.Dims()
	res.Constant, res.Value, res.Label = b.path.constant(), value, b.others[0].Label
	res.Theta, res.Status, res.Kind = make([]float64, m), mkl.Certified, mkl.Global
	out := make([]float64, 0, len(offsets)*len(f.split.Test))
	for _, v := range offsets {
		out = append(out, slices.Repeat([]float64{v}, len(f.split.Test))...)
	}
	return out
}
