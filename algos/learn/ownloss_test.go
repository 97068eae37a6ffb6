package learn

import (
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/stat"
)

// ownSquared is the squared loss as a user would write it: without a Factor.
type ownSquared struct{ loss.Squared }

func init() { registry.Register(ownSquared{}) }

func (l ownSquared) Traits() loss.Traits {
	return loss.Traits{StrictlyConcave: true, NeedsCentering: true}
}
func (l ownSquared) Slice([]int) loss.Loss { return l }
func (l ownSquared) WithParameter(v float64) loss.Loss {
	return ownSquared{loss.Squared{Lambda: v}}
}

// The constant baseline predicts the mean of the training targets, and a constant added to all targets changes neither
// the errors nor the chosen method, for each loss for numbers.
func TestConstantAddedToTargets(t *testing.T) {
	d := datasets.Friedman(60, 1)
	far := *d
	far.Y = make([]float64, len(d.Y))
	for i, v := range d.Y {
		far.Y[i] = v + 1000
	}
	splits := must(fit.Holdout(d.Y, 0.25, 2, 1))
	family := WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}})
	for _, l := range []loss.Loss{loss.Squared{}, ownSquared{}, loss.EpsilonInsensitive{Epsilon: 0.1},
		loss.Pinball{Tau: 0.9}} {
		o := WithLoss(fit.Losses(l, 0.1, 1))
		near, moved := learn(t, d, family, o, WithSplits(splits)), learn(t, &far, family, o, WithSplits(splits))
		a, b := near.Model.Offsets[0]+near.Model.Biases[0], moved.Model.Offsets[0]+moved.Model.Biases[0]
		if near.Method != moved.Method || math.Abs(a+1000-b) > 0.01 {
			t.Errorf("%v: method %s, constant %g; with 1000 added %s, %g", l, near.Method, a, moved.Method, b)
		}
		for _, m := range []string{SelectedName, compare.ConstantBaseline} {
			a, b := near.Table.Values(m, model.RMSE), moved.Table.Values(m, model.RMSE)
			for i := range a {
				if math.Abs(a[i]-b[i]) > 0.01*a[i] {
					t.Errorf("%v, %s, split %d: RMSE %g, with 1000 added to the targets %g", l, m, i+1, a[i], b[i])
				}
			}
		}
		for i, s := range splits {
			if p, ok := l.(loss.Pinball); ok {
				sorted, want := points.Pick(d.Y, s.Train), 0.0
				slices.Sort(sorted)
				for _, v := range points.Pick(d.Y, s.Test) {
					want += p.Score(stat.Quantile(p.Tau, stat.Empirical, sorted, nil), v) / float64(len(s.Test))
				}
				got := near.Table.Values(compare.ConstantBaseline, model.MeanLoss)[i]
				if math.Abs(got-want) > 1e-3*want {
					t.Errorf("the constant baseline has the mean loss %g, the quantile of the targets %g", got, want)
				}
				continue
			}
			mean, sum := stat.Mean(points.Pick(d.Y, s.Train), nil), 0.0
			for _, v := range points.Pick(d.Y, s.Test) {
				sum += (v - mean) * (v - mean)
			}
			got := near.Table.Values(compare.ConstantBaseline, model.RMSE)[i]
			if want := math.Sqrt(sum / float64(len(s.Test))); math.Abs(got-want) > 1e-9 {
				t.Errorf("%v: the constant baseline has RMSE %g, the mean of the targets %g", l, got, want)
			}
		}
	}
}
