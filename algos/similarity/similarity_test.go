package similarity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
)

var repairs = []similarity.Repair{similarity.Denoise, similarity.Flip, similarity.Shift, similarity.Linear}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// draw returns a random symmetric matrix of rank at most r, times scale: indefinite for n ≥ 2.
func draw(rng *rand.Rand, n, r int, scale float64) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := range r {
		v := mat.NewVecDense(n, nil)
		for j := range n {
			v.SetVec(j, rng.NormFloat64())
		}
		s.SymRankOne(s, scale*float64(1-2*(i%2)), v)
	}
	return s
}

// distance is the largest difference of two matrices.
func distance(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return math.Max(mat.Max(&d), -mat.Min(&d))
}

// spectrum is that of gonum, an independent road, which fails on very large and small numbers.
func spectrum(t *testing.T, s *mat.SymDense) []float64 {
	t.Helper()
	top := math.Max(mat.Max(s), -mat.Min(s))
	if top == 0 {
		return make([]float64, s.SymmetricDim())
	}
	unit := mat.NewSymDense(s.SymmetricDim(), nil)
	for i := range s.SymmetricDim() {
		for j := range i + 1 {
			unit.SetSym(i, j, s.At(i, j)/top)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(unit, false) {
		t.Fatal("gonum finds no eigenvalues")
	}
	l := e.Values(nil)
	for i := range l {
		l[i] *= top
	}
	return l
}

// TestRepairs tests the definition of each repair, on matrices of full and of low rank, large and tiny.
func TestRepairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []float64{1, 1e-130, 1e130} {
		for _, shape := range [][2]int{{1, 1}, {2, 2}, {12, 12}, {12, 4}, {30, 30}} {
			n := shape[0]
			S := draw(rng, n, shape[1], scale)
			s := must(similarity.Decompose(S))
			l := spectrum(t, S)
			top := math.Max(-l[0], l[n-1])
			tol := 1e-13 * float64(n) * top
			for _, r := range repairs {
				if r == similarity.Linear {
					tol = 1e-13 * float64(n) * top * top
				}
				t.Run(fmt.Sprintf("%v/%g/%d/%d", r, scale, n, shape[1]), func(t *testing.T) {
					k := must(s.Repair(r))
					want := make([]float64, n)
					sum := 0.0
					for i, v := range l {
						want[i] = map[similarity.Repair]float64{
							similarity.Denoise: math.Max(0, v), similarity.Flip: math.Abs(v),
							similarity.Shift: v - math.Min(0, l[0]), similarity.Linear: v * v / float64(n)}[r]
						sum += want[i]
					}
					if got := mat.Trace(k.K); math.Abs(got-sum) > float64(n)*tol {
						t.Errorf("trace %g, want %g", got, sum)
					}
					if least := spectrum(t, k.K)[0]; least < -tol {
						t.Errorf("least eigenvalue %g of a kernel", least)
					}
					// The training points as new ones meet their own row of K, but for Shift's diagonal.
					cross := must(k.Cross(mat.DenseCopyOf(S)))
					train := mat.DenseCopyOf(k.K)
					if r == similarity.Shift {
						for i := range n {
							train.Set(i, i, S.At(i, i))
						}
					}
					if d := distance(cross, train); d > tol {
						t.Errorf("training points met as new ones differ by %g", d)
					}
				})
			}
		}
	}
}

// TestKernelStays tests that Denoise, Flip and Shift do not change a matrix that is a valid kernel.
func TestKernelStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	S := mat.NewSymDense(9, nil)
	S.SymOuterK(1, mat.DenseCopyOf(draw(rng, 9, 9, 1)))
	s := must(similarity.Decompose(S))
	if m := s.NegativeMass(); m > 1e-14 {
		t.Errorf("negative mass %g of a kernel", m)
	}
	for _, r := range repairs[:3] {
		if d := distance(must(s.Repair(r)).K, S); d > 1e-12*mat.Max(S) {
			t.Errorf("%v changes a kernel by %g", r, d)
		}
	}
	s = must(similarity.Decompose(mat.NewSymDense(3, []float64{2, 0, 0, 0, -1, 0, 0, 0, 1})))
	if got := s.NegativeMass(); math.Abs(got-0.25) > 1e-15 {
		t.Errorf("negative mass %g, want 1/4", got)
	}
}

func TestMistakes(t *testing.T) {
	two := mat.NewSymDense(2, []float64{1, 2, 2, 1})
	s := must(similarity.Decompose(two))
	k := must(s.Repair(similarity.Flip))
	for _, c := range []struct {
		want string
		err  func() error
	}{
		{"the matrix is empty", func() error { _, err := similarity.Decompose(&mat.SymDense{}); return err }},
		{"row 2, column 2 is +Inf; it must be finite and below 1e+140", func() error {
			_, err := similarity.Decompose(mat.NewSymDense(2, []float64{0, 0, 0, math.Inf(1)}))
			return err
		}},
		{"unknown repair Repair(9)", func() error { _, err := s.Repair(9); return err }},
		{"have 3 similarities each, but there are 2 training points",
			func() error { _, err := k.Cross(mat.NewDense(1, 3, nil)); return err }},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

// FuzzRepair tests that no matrix makes a repair panic; a kernel that comes out is finite and positive semidefinite to
// rounding.
func FuzzRepair(f *testing.F) {
	f.Add(3, 1.0, uint64(1))
	f.Add(1, 1e300, uint64(2))
	f.Add(5, 1e-320, uint64(3))
	f.Fuzz(func(t *testing.T, n int, scale float64, seed uint64) {
		n = 1 + (n%6+6)%6
		rng := rand.New(rand.NewPCG(seed, 0))
		S := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				S.SetSym(i, j, scale*rng.NormFloat64()*float64(rng.IntN(3)))
			}
		}
		s, err := similarity.Decompose(S)
		if err != nil {
			return
		}
		if m := s.NegativeMass(); !(m >= 0 && m <= 1) {
			t.Fatalf("negative mass %g", m)
		}
		for _, r := range repairs {
			k, err := s.Repair(r)
			if err != nil {
				continue
			}
			if top := mat.Max(k.K); top < 1e300 && top > 1e-300 {
				if least := spectrum(t, k.K)[0]; least < -1e-12*top*float64(n) {
					t.Fatalf("%v: least eigenvalue %g beside %g", r, least, top)
				}
			}
		}
	})
}

// TestGlobins compares scores of real proteins with those of an implementation whose scores equal those of Biopython
// 1.88.
func TestGlobins(t *testing.T) {
	d := must(datasets.Load("globins"))
	x := d.X.(points.Sequences)
	for global, want := range map[bool][]float64{false: {795, 730, 685, 57, 59}, true: {795, 727, 682, 31, 27}} {
		s := must(similarity.Alignment{Global: global}.Pairs(t.Context(), x, nil))
		last := len(x) - 1
		got := []float64{s.At(0, 0), s.At(0, 1), s.At(2, 0), s.At(0, last), s.At(last, 1)}
		if !slices.Equal(got, want) {
			t.Errorf("global %t: %v, want %v", global, got, want)
		}
	}
}
