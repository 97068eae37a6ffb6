package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// promise is a random call of Learn: a function that draws n points, the number of points to learn from, and options.
type promise struct {
	name string
	draw func(n int, rng *rand.Rand) *data.Dataset
	n    int
	opts []Option
}

// drawPromise draws what the target is a function of, the kind of target, the size (p ≫ n too), family and loss.
func drawPromise(rng *rand.Rand) promise {
	n, p := 40+rng.IntN(80), 2+rng.IntN(8)
	if rng.IntN(4) == 0 {
		n, p = 40+rng.IntN(30), 150+rng.IntN(350)
	}
	shape, noise, isClasses := rng.IntN(4), 0.1+rng.Float64(), rng.IntN(2) == 0
	weights := []float64{rng.NormFloat64(), rng.NormFloat64()}
	d := promise{n: n, draw: func(n int, rng *rand.Rand) *data.Dataset {
		x, d := comparetest.NormalPoints(n, p, rng), &data.Dataset{Name: "drawn"}
		for i := range n {
			r, f := x.Row(i), noise*rng.NormFloat64()
			switch shape {
			case 0:
				f += weights[0]*r[0] + weights[1]*r[1]
			case 1:
				f += weights[0]*math.Sin(2*r[0]) + weights[1]*math.Sin(2*r[1])
			case 2:
				f += 2 * r[0] * r[1]
			}
			if isClasses {
				f = math.Copysign(1, f)
			}
			d.Y = append(d.Y, f)
		}
		if d.X = x; isClasses {
			d.Classes = []string{"minus", "plus"}
		}
		return d
	}}
	standard, family, l := points.Preprocessing{points.Standardize}, rng.IntN(4), rng.IntN(4)
	switch family {
	case 0:
		d.opts = append(d.opts, WithFamily(kernel.Gaussians{Prepare: standard}))
	case 1:
		d.opts = append(d.opts, WithFamily(kernel.Features{Degree: 1 + rng.IntN(2), Constant: true, Prepare: standard}))
	}
	if l == 0 && isClasses {
		d.opts = append(d.opts, WithLoss(fit.Losses(loss.Hinge{}, 0.1, 1, 10)))
	} else if l == 0 {
		d.opts = append(d.opts, WithLoss(fit.Losses(loss.EpsilonInsensitive{Epsilon: 0.1}, 0.1, 1, 10)))
	}
	d.name = fmt.Sprintf("shape %d (noise %.2f), classes %v, n = %d, p = %d, family %d, loss %d", shape, noise,
		isClasses, n, p, family, l)
	return d
}

// The error of the model on 5,000 fresh points is in the interval that is printed, or a line warns, in 93 % of calls or
// more. MKL_SIZE=full draws 200, about 3 minutes of processor time.
func TestPromise(t *testing.T) {
	testenv.SkipUnlessLong(t)
	calls, least := 12, 0.75
	if testenv.RunsAllTests() {
		calls, least = 200, 0.93
	}
	kept, control := 0, 0
	for k := range calls {
		rng := rand.New(rand.NewPCG(26, uint64(k)))
		c := drawPromise(rng)
		d := c.draw(c.n, rng)
		l := must(Learn(context.Background(), d, append(c.opts, WithSeed(uint64(k)))...))
		m := model.RMSE
		if d.Classes != nil {
			m = model.Accuracy
		}
		s, fresh := l.Table.Summary(SelectedName, m), c.draw(5000, rng)
		isInside := func(d *data.Dataset) bool {
			v := m.ValueIn(must(l.Model.Score(d)))
			return s.Lo <= v && v <= s.Hi
		}
		if isInside(d) {
			control++
		}
		if isInside(fresh) || len(l.Warnings) > 0 {
			kept++
		} else {
			t.Logf("call %d, %s: %+v", k, c.name, s)
		}
	}
	t.Logf("of %d calls the error on fresh points is inside the interval, or a line warns, in %d; the error on points "+
		"learned from is inside in %d", calls, kept, control)
	if control >= kept {
		t.Errorf("control: the error on points learned from is inside the interval in %d calls", control)
	}
	if float64(kept) < least*float64(calls) {
		t.Errorf("%d of %d calls keep what they promise, want %.0f %%", kept, calls, 100*least)
	}
}
