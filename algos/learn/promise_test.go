package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// promise is a drawn call of Learn: data that more can be drawn of, and options.
type promise struct {
	name string
	more func(n int, rng *rand.Rand) *data.Dataset
	n    int
	opts []Option
}

// drawPromise draws what the target is a function of, points and features (p ≫ n too), repeats of rows, family and
// loss.
func drawPromise(rng *rand.Rand) promise {
	n, p := 40+rng.IntN(80), 2+rng.IntN(8)
	if rng.IntN(4) == 0 {
		n, p = 40+rng.IntN(30), 150+rng.IntN(350)
	}
	used, noise := 1+rng.IntN(min(p, 4)), 0.1+rng.Float64()
	weights := make([]float64, used)
	for j := range weights {
		weights[j] = rng.NormFloat64()
	}
	shape := []string{"linear", "wave", "product", "noise"}[rng.IntN(4)]
	kind := []string{"numbers", "two classes", "two classes, one rare", "three classes"}[rng.IntN(4)]
	at := func(x []float64, rng *rand.Rand) float64 {
		f := 0.0
		switch shape {
		case "linear":
			for j, w := range weights {
				f += w * x[j]
			}
		case "wave":
			for j, w := range weights {
				f += w * math.Sin(2*x[j])
			}
		case "product":
			f = 1
			for j := range weights {
				f *= 1.5 * x[j]
			}
		}
		return f + noise*rng.NormFloat64()
	}
	cuts := []float64{} // of classes
	many := make([]float64, 2000)
	for i := range many {
		x := make([]float64, used)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		many[i] = at(x, rng)
	}
	slices.Sort(many)
	var names []string
	switch kind {
	case "two classes":
		cuts, names = []float64{many[1000]}, []string{"minus", "plus"}
	case "two classes, one rare":
		cuts, names = []float64{many[1500]}, []string{"minus", "plus"}
	case "three classes":
		cuts, names = []float64{many[700], many[1400]}, []string{"low", "middle", "high"}
	}
	more := func(n int, rng *rand.Rand) *data.Dataset {
		x, y := comparetest.Normal(n, p, rng), make([]float64, n)
		for i := range y {
			y[i] = at(x.Row(i), rng)
			if names != nil {
				c, _ := slices.BinarySearch(cuts, y[i])
				if y[i] = float64(c); len(names) == 2 {
					y[i] = float64(2*c - 1)
				}
			}
		}
		return &data.Dataset{Name: "drawn", X: x, Y: y, Classes: names}
	}
	d := promise{n: n, more: more}
	if rng.IntN(8) == 0 { // every third row is one of those before it
		d.more = func(n int, rng *rand.Rand) *data.Dataset {
			all := more(n, rng)
			rows := make([]int, n)
			for i := range rows {
				if rows[i] = i; i%3 == 2 {
					rows[i] = rows[rng.IntN(i)]
				}
			}
			return must(all.Slice(rows))
		}
		d.name = "repeats, "
	}
	standard := points.Preprocessing{points.Standardize}
	few := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5 / float64(p)}, kernel.RBF{Gamma: 2 / float64(p)}}
	family := []string{"default", "default", "widths", "features", "products of features", "powers",
		"products"}[rng.IntN(7)]
	switch family {
	case "widths":
		d.opts = append(d.opts, WithFamily(kernel.Gaussians{Prepare: standard}))
	case "features":
		d.opts = append(d.opts, WithFamily(kernel.Features{Constant: true, Prepare: standard}))
	case "products of features":
		d.opts = append(d.opts, WithFamily(kernel.Features{Degree: 2, Constant: true, Prepare: standard}))
	case "powers":
		d.opts = append(d.opts, WithFamily(kernel.Sum{Kernels: few, Degree: 2, Prepare: standard,
			Normalize: kernel.MeanDiagonal}))
	case "products":
		d.opts = append(d.opts, WithFamily(kernel.Monomials{Kernels: few, Tied: kernel.Exponents(3, 2),
			Prepare: standard}))
	}
	l := "squared"
	switch u := rng.IntN(6); {
	case u == 0 && names != nil:
		l, d.opts = "hinge", append(d.opts, WithLoss(compare.Losses(loss.Hinge{}, 0.1, 1, 10)))
	case u == 1 && names != nil:
		l, d.opts = "squared hinge", append(d.opts, WithLoss(compare.Losses(loss.SquaredHinge{}, 0.1, 1, 10)))
	case u == 0:
		l, d.opts = "insensitive", append(d.opts, WithLoss(compare.Losses(loss.EpsilonInsensitive{Epsilon: 0.1}, 0.1, 1,
			10)))
	}
	d.name += fmt.Sprintf("%s of %d features (noise %.2f), %s, n = %d, p = %d, %s, %s", shape, used, noise, kind, n, p,
		family, l)
	return d
}

// The error of the model on 5,000 fresh points is in the interval that is printed, or a line warns, in 93 % of calls or
// more. MKL_SIZE=full draws 200, about 3 minutes of processor time.
func TestPromise(t *testing.T) {
	testenv.Long(t)
	calls, least := 12, 0.75
	if testenv.Full() {
		calls, least = 200, 0.93
	}
	inside, reproduce, constant, better, kept, control := 0, 0, 0, 0, 0, 0
	for k := range calls {
		rng := rand.New(rand.NewPCG(26, uint64(k)))
		c := drawPromise(rng)
		d := c.more(c.n, rng)
		l, err := Learn(context.Background(), d, append(c.opts, WithSeed(uint64(k)))...)
		if err != nil {
			t.Errorf("call %d, %s: %v", k, c.name, err)
			continue
		}
		fresh := c.more(5000, rng)
		score := must(l.Model.Score(fresh.X, fresh.Y))
		m := compare.RMSE
		if d.Classes != nil {
			m = compare.Accuracy
		}
		s := l.Table.Summary(LearnName, m)
		in := s.Lo <= m.Of(score) && m.Of(score) <= s.Hi
		if in {
			inside++
		}
		learned := must(l.Model.Score(d.X, d.Y))
		if s.Lo <= m.Of(learned) && m.Of(learned) <= s.Hi {
			control++
		}
		if !l.HeldOut.IsReproduced() {
			reproduce++
			t.Logf("call %d, %s: %.3f on fresh points; %v; %+v", k, c.name, m.Of(score), s, l.HeldOut)
		}
		if l.HeldOut.IsNearlyConstant() {
			constant++
		}
		if d := l.Table.Compare(LearnName, compare.ConstantBaseline, m); !(d.Lo > 0 && m.HigherIsBetter() || d.Hi < 0 &&
			!m.HigherIsBetter()) {
			better++
		}
		if in || len(l.Warnings) > 0 || !l.HeldOut.IsReproduced() || l.HeldOut.IsNearlyConstant() {
			kept++
			continue
		}
		t.Logf("call %d, %s: %.3f on fresh points; %v", k, c.name, m.Of(score), s)
	}
	t.Logf("of %d calls the error on fresh points is inside the interval in %d; %d models are said not to reproduce "+
		"their error, %d to predict a constant; inside or warned of %d; not clearly better than no skill %d; the "+
		"error on points learned from is inside in %d",
		calls, inside, reproduce, constant, kept, better, control)
	if control >= kept {
		t.Errorf("control: the error on points learned from is inside the interval in %d calls", control)
	}
	if float64(kept) < least*float64(calls) {
		t.Errorf("%d of %d calls keep what they promise, want %.0f %%", kept, calls, 100*least)
	}
}
