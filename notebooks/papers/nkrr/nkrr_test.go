package nkrr

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"
)

// TestFigures: every figure of kept results validates.
func TestFigures(t *testing.T) {
	list := KeptTable1()
	figures := []viz.Figure{Held(list)}
	for _, name := range Sets {
		var blocks []Block
		for _, r := range Readings() {
			blocks = append(blocks, find(kept.OfSeed(list, 1), name, r.Name))
		}
		figures = append(figures, Spreads(name, list), Compared(blocks), Details(blocks[0]))
	}
	for _, name := range []string{"kitchen", "electronics"} {
		l := Of(name, KeptFigure2())
		figures = append(figures, Figure2Chart("a title", "a caption", l), ResultTable(l))
	}
	for _, name := range []string{"kin-8nm", "simulated-arm"} {
		l := Of(name, KeptFigure3())
		figures = append(figures, Figure3Chart("a title", "a caption", l), GainTable(l))
	}
	for _, f := range figures {
		if err := f.Validate(); err != nil {
			t.Errorf("%s: %v", f.Title, err)
		}
	}
}

// TestTable1 repeats three rows of Table 1, centred per example, and compares them with an independent implementation
// in numpy: means of 30 halves there, and standard deviations. The halves differ, so the means of n and 30 halves may
// differ by 3 sd √(1/n + 1/30). Without MKL_SIZE=full it takes 6 halves.
func TestTable1(t *testing.T) {
	size := Size{Halves: 6, Folds: 5}
	if testenv.Full() {
		size.Halves = 30
	}
	for name, numpy := range map[string]struct{ mean, sd [6]float64 }{
		"ionosphere": {[6]float64{.838, .812, .822, .630, .601, .613},
			[6]float64{.029, .027, .028, .033, .030, .033}},
		"sonar": {[6]float64{.870, .881, .872, .779, .779, .782},
			[6]float64{.031, .025, .032, .047, .052, .053}},
		"breast-wisconsin": {[6]float64{.689, .691, .690, .690, .693, .690},
			[6]float64{.016, .015, .014, .015, .015, .014}},
	} {
		d, err := data.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Table1(d, Readings()[0], size, 1)
		if err != nil {
			t.Fatal(err)
		}
		table, err := s.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range Readings()[1:] {
			if _, err := Table1(d, r, size, 1); err != nil {
				t.Error(err)
			}
		}
		b := Summarise(table, Readings()[0])
		if b.Data != name || b.Seed != 1 || b.Halves != size.Halves {
			t.Errorf("block is %s, seed %d, %d halves", b.Data, b.Seed, b.Halves)
		}
		for k, c := range b.Columns {
			tol := 3 * numpy.sd[k] * math.Sqrt(1/float64(size.Halves)+1./30)
			if math.Abs(c.Mean-numpy.mean[k]) > tol || math.Abs(c.SD-numpy.sd[k]) > numpy.sd[k] {
				t.Errorf("%s, %s: RMSE %.4f ± %.4f, want %.3f within %.4f, ± %.3f", name, Columns[k], c.Mean, c.SD,
					numpy.mean[k], tol, numpy.sd[k])
			}
			if learned := k%3 != 0 && k != 4; learned && !strings.HasPrefix(c.Proof, "global") {
				t.Errorf("%s, %s: %s, want a global certificate", name, Columns[k], c.Proof)
			}
		}
	}
}

// TestReadings: per example every row has mean 0, per feature every column, labels have mean 0, and the data
// themselves are left as they are.
func TestReadings(t *testing.T) {
	d, err := data.Load("breast-wisconsin")
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(d.X.(kernel.Rows).Data)
	for i, r := range Readings() {
		c, err := r.apply(d)
		if err != nil {
			t.Fatal(err)
		}
		if r.LeakFree() {
			if c != d {
				t.Error("leak-free prepares all the points")
			}
			continue
		}
		x := c.X.(kernel.Rows)
		if i == 0 {
			for p := range x.N {
				if m := floats.Sum(x.Data[p*x.D : (p+1)*x.D]); math.Abs(m) > 1e-9 {
					t.Fatalf("row %d has the sum %g", p, m)
				}
			}
		} else {
			for j := range x.D {
				m := 0.0
				for p := range x.N {
					m += x.Data[p*x.D+j]
				}
				if math.Abs(m) > 1e-9 {
					t.Fatalf("column %d has the sum %g", j, m)
				}
			}
		}
		if m := floats.Sum(c.Y); math.Abs(m) > 1e-9 {
			t.Errorf("labels have the sum %g", m)
		}
	}
	if !slices.Equal(before, d.X.(kernel.Rows).Data) {
		t.Error("the data were changed")
	}
}

// TestSurface: F at the corners, and the shares of the curvature.
func TestSurface(t *testing.T) {
	s, err := NewSurface(10, Grid(11), func(g float64) float64 { return g })
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(s.F[0][0]-20.8) > 1e-9 || math.Abs(s.Corner()-20.15) > 0.005 {
		t.Errorf("F is %g at 0 and %g at (1, 1), want 20.8 and 20.15", s.F[0][0], s.Corner())
	}
	if sum := s.Share(0) + s.Share(1) + s.Share(2); math.Abs(sum-1) > 1e-12 || s.Share(0) < 0.2 || s.Share(2) < 0.2 {
		t.Errorf("shares %g, %g, %g", s.Share(0), s.Share(1), s.Share(2))
	}
	if s.WorstChord() < 1e-6 {
		t.Error("no chord refutes convexity in μ")
	}
	u, err := NewSurface(10, Grid(11), math.Sqrt)
	if err != nil {
		t.Fatal(err)
	}
	if w := u.WorstChord(); w > 1e-10 {
		t.Errorf("in t = μ² a point lies %g above its chord", w)
	}
}

// TestExperiments runs Figures 2 and 3 at the size of a test.
func TestExperiments(t *testing.T) {
	d, err := standIn()
	if err != nil {
		t.Fatal(err)
	}
	two, err := Figure2(context.Background(), d, Quick2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(two) != 3*len(Quick2.Bigrams) || two[2].Steps == 0 || two[0].Diff != 0 {
		t.Errorf("Figure 2: %d results: %+v", len(two), two)
	}
	three, err := Figure3(context.Background(), data.SimulatedArm(400, 1),
		Size3{Factors: []int{2, 4}, Repeats: 2, Folds: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(three) != 2*8 || three[0].Points != 100 || three[8].Points != 50 {
		t.Fatalf("Figure 3: %d results: %+v", len(three), three)
	}
	for _, r := range three {
		if !(r.Mean > 0.1 && r.Mean < 1) { // y has standard deviation 0.26
			t.Errorf("%s at factor %d: RMSE %g", r.Method, r.X, r.Mean)
		}
	}
}
