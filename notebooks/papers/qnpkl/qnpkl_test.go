package qnpkl

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

// TestAscend compares J, A and ∇J of the library with plain ascent, formula (6) and differences.
func TestAscend(t *testing.T) {
	testenv.SkipUnlessLong(t)
	x, y, c, gamma := SmallProblem()
	slow := func(g []float64) float64 { v, _ := Ascend(Gaussian(x, g), y, c); return v }
	j, a := Ascend(Gaussian(x, gamma), y, c)
	pt, err := shared.EvaluateAt(PlaneProblem(x, y, c), gamma, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(pt.F()-j) > 1e-8*j || !floats.EqualApprox(pt.W, a, 1e-5) {
		t.Errorf("J = %g, A = %g; plain ascent has %g, %g", pt.F(), pt.W, j, a)
	}
	for m, g := range pt.Grad() {
		u := make([]float64, len(gamma))
		u[m] = 1
		form := QuadraticForm(a, shared.Hadamard(Distance(x, m), Gaussian(x, gamma))) / 2
		difference := shared.Derivative(slow, gamma, u)
		if math.Abs(g-form) > 1e-5*math.Abs(g) || math.Abs(g-difference) > 1e-5*math.Abs(g) {
			t.Errorf("∂J/∂γ%d: library %g, (6) %g, difference %g", m+1, g, form, difference)
		}
	}
}

// TestProjected checks that the forms of PMP equal the forms of M on vectors of sum 0.
func TestProjected(t *testing.T) {
	m := Gaussian(RandomPoints(8, 2, 1), []float64{1, 2})
	for seed := range uint64(20) {
		a := slices.Concat(RandomPoints(1, 8, seed)...)
		floats.AddConst(-floats.Sum(a)/8, a)
		got, want := QuadraticForm(a, Projected(m)), QuadraticForm(a, m)
		if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
			t.Errorf("form of PMP %g, of M %g", got, want)
		}
	}
	if got, want := floats.Sum(Eigenvalues(m)), mat.Trace(m); math.Abs(got-want) > 1e-12*want {
		t.Errorf("eigenvalues add up to %g, the diagonal to %g", got, want)
	}
}

// TestOverall compares with a value computed by hand, for two splits: one set loses accuracy, the others do not change.
func TestOverall(t *testing.T) {
	var resultBlocks []Block
	for _, s := range Sets7 {
		lost := Block{DatasetName: s, Method: ToTheEnd, Seed: 1, Accuracy: []float64{80, 80}}
		if s == "pima" {
			lost.Accuracy = []float64{66, 80}
		}
		resultBlocks = append(resultBlocks, lost,
			Block{DatasetName: s, Method: UniformProduct, Seed: 1, Accuracy: []float64{80, 80}})
	}
	// means over the sets of −2 and 0: sd √2, times √(1/2 + 3/7) and the quantile 12.706 of one degree of freedom
	half := math.Sqrt2 * math.Sqrt(0.5+3.0/7) * 12.706
	d := Overall(resultBlocks, ToTheEnd, UniformProduct, Sets7)
	if math.Abs(d.Mean+1) > 1e-9 || math.Abs(d.Hi-(half-1)) > 1e-2 {
		t.Errorf("%v, expected −1 and %g to each side", d, half)
	}
}

// TestChordGap checks that J of a sum stays below its chords, and that J of the square of the sum, which is not convex,
// does not.
func TestChordGap(t *testing.T) {
	x, y := TwoClouds(30, 1)
	p := PlaneSum(x, y, 1)
	if gap := ChordGap(p, 100, 1); !(gap <= 1e-8) {
		t.Errorf("a sum: %g, expected at most 0", gap)
	}
	square := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1, Columns: []int{0}},
		kernel.RBF{Gamma: 1, Columns: []int{1}}}, Degree: 2}
	p.Grams = square.Bind(points.Rows{N: len(x), D: 2, Data: slices.Concat(x...)})
	if gap := ChordGap(p, 100, 1); !(gap >= 0.01) {
		t.Errorf("the square of a sum: %g, expected more than 0", gap)
	}
}
