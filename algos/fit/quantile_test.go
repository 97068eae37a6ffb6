package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// TestQuantileOf tests that a new number is at most the shift with probability τ: of uniform numbers the shift has mean
// τ.
func TestQuantileOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const draws = 20000
	for _, tau := range []float64{0.1, 0.5, 0.9} {
		mean := 0.0
		for range draws {
			all := make([]float64, 14)
			for i := range all {
				all[i] = rng.Float64()
			}
			mean += shiftOfQuantile(all, nil, tau) / draws
		}
		if math.Abs(mean-tau) > 4*0.13/math.Sqrt(draws) { // the standard deviation is at most 0.13
			t.Errorf("τ = %g: the mean is %g", tau, mean)
		}
	}
	for tau, want := range map[float64]float64{0.1: 1, 0.5: 2.5, 0.6: 3, 0.95: 4} {
		if v := shiftOfQuantile([]float64{3, 1, 4, 2}, nil, tau); math.Abs(v-want) > 1e-12 {
			t.Errorf("quantile %g of 1, 2, 3 and 4 is %g, want %g", tau, v, want)
		}
	}
	if v := shiftOfQuantile([]float64{7}, nil, 0.9); v != 7 {
		t.Errorf("one residual 7 gives %g", v)
	}
}

// TestQuantileOfGroups tests that a number of a new group is at most the shift with probability τ, although the numbers
// of a group are equal and groups have different sizes. With points in place of groups this fails.
func TestQuantileOfGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	d, groups := &data.Dataset{}, 19
	for g := range groups {
		for range 1 + g*g/8 {
			d.Group, d.Y = append(d.Group, fmt.Sprint(g)), append(d.Y, float64(g))
		}
	}
	weights := ResidualWeights(d, false, points.AllIndices(len(d.Y)), nil)
	if sum := floats.Sum(weights); math.Abs(sum-float64(groups)) > 1e-9 {
		t.Errorf("%d groups have the weight %g", groups, sum)
	}
	const draws = 4000
	for _, tau := range []float64{0.05, 0.3, 0.5, 0.95} {
		mean := 0.0
		for range draws {
			effects, residuals := rng.Perm(groups), make([]float64, len(d.Y)) // uniform in 0 … 1, in order of size
			for g := range effects {
				effects[g] = int(1e9 * rng.Float64())
			}
			for i, g := range d.Y {
				residuals[i] = float64(effects[int(g)]) / 1e9
			}
			mean += shiftOfQuantile(residuals, weights, tau) / draws
		}
		if math.Abs(mean-tau) > 0.01 {
			t.Errorf("τ = %g: the mean is %g", tau, mean)
		}
	}
}

// TestResidualWeights tests that points of equal weights count as points without weights, and that points of weights
// near 0 do not count.
func TestResidualWeights(t *testing.T) {
	d := &data.Dataset{Y: make([]float64, 30), Group: make([]string, 30)}
	rows, equal, few := points.AllIndices(30), slices.Repeat([]float64{7}, 30), slices.Repeat([]float64{1e-9}, 30)
	for i := range 10 {
		few[3*i] = 2
	}
	for i := range rows {
		d.Group[i] = fmt.Sprint(i / 3)
	}
	for name, c := range map[string]struct {
		got  []float64
		want float64
	}{"equal points": {ResidualWeights(d, true, rows, equal), 30},
		"few points":   {ResidualWeights(d, true, rows, few), 10},
		"equal groups": {ResidualWeights(d, false, rows, equal), 10},
		"groups":       {ResidualWeights(d, false, rows, few), 10}} {
		if sum := floats.Sum(c.got); math.Abs(sum-c.want) > 1e-6 {
			t.Errorf("%s: the sum is %g, want %g", name, sum, c.want)
		}
	}
	residuals := []float64{3, 1, 4, 2, 5, 9, 7, 8, 6, 0}
	some := append(slices.Repeat([]float64{9}, 5), slices.Repeat([]float64{1e-9}, 5)...)
	ten := &data.Dataset{Y: residuals}
	for _, tau := range []float64{0.2, 0.5, 0.8} {
		w := ResidualWeights(ten, true, points.AllIndices(10), some)
		got, want := shiftOfQuantile(residuals, w, tau), shiftOfQuantile(residuals[:5], nil, tau)
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("τ = %g: points of weight 0 give %g, want %g without them", tau, got, want)
		}
	}
}

// TestOwnScoreChooses tests that the chosen C has the smallest mean score of the loss, and that predictions of
// quantiles are shifted.
func TestOwnScoreChooses(t *testing.T) {
	c := chosen(t, comparetest.NoisySine(12, 1), Settings{Selection: Selection{Folds: 3}}, Method{Name: "pinball",
		Fitter: Search{Family: uncentered, Grid: Grid{Losses(loss.Pinball{Tau: 0.9}, 0.01, 1, 100),
			Rules(mkl.Uniform{})}}})
	cell := c.chosenCell()
	for _, other := range c.cells {
		if other.Error(model.MeanLoss) < cell.Error(model.MeanLoss) {
			t.Errorf("C = %g has the mean loss %g, the chosen one %g", other.HyperparameterValue,
				other.Error(model.MeanLoss), cell.Error(model.MeanLoss))
		}
	}
	if shifts := c.quantileShifts(); len(shifts) != 1 || shifts[0] == 0 || len(cell.Residuals[0]) != 12 {
		t.Errorf("the shift is %v", shifts)
	}
}
