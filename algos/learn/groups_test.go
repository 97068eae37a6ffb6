package learn

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// twins are points in groups of three, all but equal, whose label is that of the group, by lot: who
// has seen a group knows the rest of it, and nobody else can know anything.
func twins(groups int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := &data.Dataset{Name: "twins", Classes: []string{"left", "right"}}
	x := points.Rows{N: 3 * groups, D: 2}
	for g := range groups {
		a, b, y := rng.NormFloat64(), rng.NormFloat64(), float64(2*rng.IntN(2)-1)
		for range 3 {
			x.Data = append(x.Data, a+0.01*rng.NormFloat64(), b+0.01*rng.NormFloat64())
			d.Y, d.Group = append(d.Y, y), append(d.Group, strconv.Itoa(g))
		}
	}
	d.X = x
	return d
}

// TestNoLeakThroughGroups: where there is nothing to learn, a comparison by group finds nothing, and
// one by point seems to. The choice inside a training part keeps groups whole too, and so does Learn.
func TestNoLeakThroughGroups(t *testing.T) {
	d := twins(24, 1)
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4}}, Methods: []fit.Method{{Name: "m",
			Fitter: fit.Search{Family: kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 30}, kernel.RBF{Gamma: 300}}},
				Grid: fit.Grid{fit.Ridge(1e-3, 1, 1e3), fit.Rules(mkl.Uniform{})}}}}}
	scores := func(draw ...fit.Draw) (float64, string) {
		s.Splits = must(fit.Holdout(d.Y, 0.25, 6, 1, draw...))
		table := must(s.Run(t.Context(), nil))
		return table.Summary("m", model.Accuracy).Mean, strings.Join(table.Notes, " ")
	}
	leaky, said := scores()
	if says(t, said, "6 of 6 splits have points of one group in both parts"); leaky < 0.85 {
		t.Errorf("by point the accuracy is %.2f, want one that leaks", leaky)
	}
	if fair, said := scores(fit.ByGroup(d.Group)); fair > 0.7 || strings.Contains(said, "same group") {
		t.Errorf("by group the accuracy is %.2f, want near 0.5; notes: %s", fair, said)
	}
	l := learn(t, d, WithSeed(3))
	if a := l.Table.Summary(LearnedName, model.Accuracy).Mean; a > 0.7 {
		t.Errorf("Learn sees an accuracy of %.2f where nothing is to be learned", a)
	}
}
