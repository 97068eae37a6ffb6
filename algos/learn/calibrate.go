package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/data"
)

// BalancedWeights returns the class weights n/(K·n_k) for K classes with n_k of n points, like scikit-learn's
// class_weight='balanced'. A class without points gets no weight.
func BalancedWeights(d *data.Dataset) map[string]float64 {
	w := map[string]float64{}
	for k, n := range d.Counts() {
		if n > 0 {
			w[d.Classes[k]] = float64(len(d.Y)) / float64(len(d.Classes)*n)
		}
	}
	return w
}

// withClassWeights returns the loss with the weight of its class for each point of d. A class that w does not name has
// the weight 1.
func withClassWeights(of loss.Loss, d *data.Dataset, w map[string]float64) (loss.Loss, error) {
	if d.Classes == nil {
		return nil, fmt.Errorf("learn: WithClassWeights: the targets of %s are numbers, not classes; remove the option",
			d.Name)
	}
	l, ok := of.(loss.Weighted)
	if !ok {
		return nil, fmt.Errorf("learn: WithClassWeights: the loss %s has no weights of points; use one that has, "+
			"such as WithLoss(compare.Losses(loss.Hinge{}, 0.1, 1, 10)), which forms the kernel matrices of all points",
			compare.Describe(of))
	}
	each := slices.Repeat([]float64{1}, len(d.Classes))
	for name, v := range w {
		k := slices.Index(d.Classes, name)
		if k < 0 {
			return nil, fmt.Errorf("learn: WithClassWeights: there is no class %q, %s has %q", name, d.Name, d.Classes)
		}
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("learn: WithClassWeights: the weight of class %q is %g; use a finite "+
				"number above 0", name, v)
		}
		each[k] = v
	}
	all := make([]float64, len(d.Y))
	for i := range all {
		all[i] = each[d.Class(i)]
	}
	return l.WithWeights(all), nil
}
