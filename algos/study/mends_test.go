package study

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/data"
)

// TestLandmarksAreStoredBySeed: landmarks are drawn from the seed, so what is kept of one seed is not
// taken for another.
func TestLandmarksAreStoredBySeed(t *testing.T) {
	d := wave(120, 1)
	splits, folder := must(Holdout(d.Y, 0.25, 2, 1)), t.TempDir()
	rows := func(seed uint64, store string) (all [][]float64) {
		table := run1(t, &Study{Data: d, Splits: splits, Landmarks: 20, Seed: seed, Store: store, CentreTargets: true,
			Methods: []Method{{Name: "m", Family: gaussians, Grid: Grid{Ridge(0.1)}}}})
		for _, r := range table.Rows[0].Runs {
			all = append(all, append([]float64{r.Score.RMSE}, r.Theta...))
		}
		return all
	}
	fresh := [][][]float64{rows(1, ""), rows(2, "")}
	if reflect.DeepEqual(fresh[0], fresh[1]) {
		t.Fatal("two seeds draw the same landmarks")
	}
	for range 2 {
		for i, want := range fresh {
			if got := rows(uint64(i+1), folder); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d: %v with a store, %v without", i+1, got, want)
			}
		}
	}
}

// uncrossed is a family without kernel matrices of new points.
type (
	uncrossed      struct{ kernel.Family }
	uncrossedGrams struct {
		kernel.Grams
		s kernel.Sliced
	}
)

func (f uncrossed) On(x kernel.Points) kernel.Grams {
	g := f.Family.On(x)
	return uncrossedGrams{g, g.(kernel.Sliced)}
}

func (g uncrossedGrams) Slice(rows []int) kernel.Grams {
	s := g.s.Slice(rows)
	return uncrossedGrams{s, s.(kernel.Sliced)}
}

func (g uncrossedGrams) Block(rows, cols []int) kernel.Cross { return g.s.Block(rows, cols) }

// TestOwnFamily: a family of one's own is not stored and says so; without new points it has no landmarks.
func TestOwnFamily(t *testing.T) {
	d := wave(40, 1)
	own := uncrossed{gaussians}
	l := learn(t, d, WithFamily(own), WithSplits(nil), WithStore(t.TempDir()))
	said := false
	for _, v := range l.Defaults {
		said = said || v.What == "store" && strings.Contains(v.Value, "cannot be stored")
	}
	if !said {
		t.Errorf("no line says that nothing is kept: %+v", l.Defaults)
	}
	if _, err := Learn(context.Background(), d, WithFamily(own), WithLandmarks(20)); err == nil || !strings.Contains(err.Error(), "kernel.Crossed") {
		t.Errorf("landmarks of a family without new points: %v", err)
	}
}

// TestHingeLandmarksAndChoice: landmarks are for the squared loss; that errors decide is said of a loss that
// was given.
func TestHingeLandmarksAndChoice(t *testing.T) {
	d, hinge := clouds(40, 2, 1), WithLoss(Losses(loss.Hinge{}, 0.1, 1))
	if _, err := Learn(context.Background(), d, hinge, WithLandmarks(20)); err == nil || !strings.Contains(err.Error(), "WithLandmarks(20)") {
		t.Errorf("landmarks with the hinge loss: %v", err)
	}
	l := learn(t, d, hinge, WithFamily(gaussians), WithSplits(nil))
	if s := l.String(); !strings.Contains(s, "constants chosen by: the rate of errors") {
		t.Errorf("the rule of choice is not said:\n%s", s)
	}
}

// TestScaleOfViews: kernels are said to have mean diagonal 1 where they have it.
func TestScaleOfViews(t *testing.T) {
	d := wave(40, 1)
	d.Views = []data.View{{Name: "a", Features: []int{0}}, {Name: "b", Features: []int{1}}}
	for want, n := range map[string]bool{"mean diagonal 1": true, "own scales": false} {
		f := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1, Columns: []int{0}}, kernel.Linear{Columns: []int{1}}}}
		if n {
			f.Normalize = kernel.MeanDiagonal
		}
		if s := learn(t, d, WithFamily(f), WithSplits(nil)).Mattered(); !strings.Contains(s, want) {
			t.Errorf("%v: %q, want %q", n, s, want)
		}
	}
}
