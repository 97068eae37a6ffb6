package lvx

import (
	"errors"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: %.12g, expected %.12g", what, got, want)
	}
}

func load(t *testing.T, name string) *data.Dataset {
	t.Helper()
	d, err := datasets.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDenseProblem compares value, gradient and second derivative of DenseProblem with the library.
func TestDenseProblem(t *testing.T) {
	for degree := 1; degree <= 2; degree++ {
		for seed := range uint64(5) {
			d := RandomProblem(6, 3, degree, 0.7, seed)
			mu, u := []float64{0.5, 1.1, 0.3}, []float64{1, -0.5, 0.7}
			var matrices [][]float64
			for _, k := range d.K {
				matrices = append(matrices, similarity.Vec(k))
			}
			p := PrecomputedProblem(degree, 0.7, set.Orthant{}, d.Y.RawVector().Data, matrices...)
			pt, err := shared.EvaluateAt(p, mu, 1e-12)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "F", d.F(mu), 2*pt.F(), 1e-12)
			h, second := make([]float64, 3), 0.0
			pt.HessianVectorProduct(h, u)
			for k := range mu {
				near(t, "gradient", d.GradientByDifferences(mu)[k], 2*pt.Grad()[k], 1e-6)
				second += 2 * h[k] * u[k]
			}
			near(t, "second derivative", shared.SecondDerivative(d.F, mu, u), second, 1e-4)
		}
	}
}

// TestCounterexamples compares the curvatures along (1, −1) in both counterexamples.
func TestCounterexamples(t *testing.T) {
	for lambda, want := range map[float64]float64{0.1: 3.55, 1e-9: -4.59} {
		got, err := SecondDerivative(TwoMatrices(lambda, []float64{4, 21}, NotConvex))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "convexity", got, want, 0.01)
	}
	got, err := SecondDerivative(TwoMatrices(1e4, []float64{1, -1}, NotConcave))
	if err != nil || got <= 0 {
		t.Errorf("concavity for large λ: curvature %g, %v, expected it positive", got, err)
	}
}

// TestRelaxation checks that the optimum of the support vector machine is at most the optimum of the relaxation.
func TestRelaxation(t *testing.T) {
	f, largest, excess, err := SVMToRidgeRatios(t.Context(), load(t, "sonar"), 2, 0.1, 10)
	if err != nil || !(largest > 0.1 && largest <= 1+1e-6) || !(excess > -1e-4 && excess < 1) || len(f.Series) != 3 {
		t.Error(largest, excess, err)
	}
}

// TestProtocol runs a small protocol and compares its columns with the printed ones.
func TestProtocol(t *testing.T) {
	d := load(t, "sonar")
	var tables []*compare.Table
	folds, e1 := fit.KFold(d.Y, 2, 1)
	halves, e2 := fit.Halves(d.Y, 2, 1)
	if err := errors.Join(e1, e2); err != nil {
		t.Fatal(err)
	}
	for _, splits := range [][]fit.Split{folds, halves} {
		s := TableStudy(d, 2, splits, 1)
		for i := range s.Methods { // a smaller grid
			s.Methods[i].Search().Grid[0] = fit.Losses(loss.Squared{}, 1, 10)
		}
		table, err := s.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if e := table.Summary(Columns[0], model.RMSE).Mean; len(table.Rows) != len(Columns) || !table.Certified() ||
			!(e > 0.5 && e < 1.1) {
			t.Error(e, table)
		}
		tables = append(tables, table)
	}
	if err := Compare(tables[0], tables[1]).Validate(); err != nil {
		t.Error(err)
	}
	for name, rows := range Paper {
		if len(rows) != len(Columns) {
			t.Errorf("%s: %d printed columns, expected %d", name, len(rows), len(Columns))
		}
	}
}

// TestStarts checks that every start ends at the known solution.
func TestStarts(t *testing.T) {
	runs, err := SolveFromStarts(t.Context(), TwoPointProblem(), mkl.SPG{}, 3, 1e-10, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		near(t, "F", 2*r.F, 12, 1e-8)
	}
}

// TestComplexitiesOfSeeds checks the title of the figure of Theorem 2.3 for several seeds: the bounds hold, and the
// bound is 4 to 22 times the average.
func TestComplexitiesOfSeeds(t *testing.T) {
	d := load(t, "sonar")
	for degree := 1; degree <= 2; degree++ {
		for seed := uint64(1); seed <= 5; seed++ {
			_, list, err := Complexities(d, degree, []int{2, 8}, 50, seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range list {
				if times := r.Bound / r.Mean; !r.Holds() || times < 4 || times > 22 {
					t.Errorf("degree %d, seed %d: %v, %.3g times too large", degree, seed, r, times)
				}
			}
		}
	}
}

// TestComplexity: for one kernel K = I, σᵀIσ = n for all signs, so that the average is √n/n.
func TestComplexity(t *testing.T) {
	id := kernel.List{kernel.Precomputed{N: 2, Data: []float64{1, 0, 0, 1}}}
	r := EstimateRademacher(id.Bind(points.AllIndices(2)), 10, 1)
	if math.Abs(r.Mean-math.Sqrt2/2) > 1e-13 || r.StandardError > 1e-7 || !r.Holds() {
		t.Errorf("%v, expected √n/n", r)
	}
}
