package algos_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	dataset "github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// hostile is a matrix of r rows and c columns that nobody should be given: indefinite, of low rank, huge, tiny, not
// symmetric by rounding or at all, with numbers that are none.
func hostile(rng *rand.Rand, r, c int, kind uint8) *mat.Dense {
	scale := []float64{1, 1e-320, 1e-160, 1e-8, 1e8, 1e100, 1e150, 1e308}[kind%8]
	v := make([]float64, max(r, c))
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	m := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			x := v[i] * v[j] // of rank one
			if kind&8 != 0 {
				x = rng.NormFloat64()
			}
			m.Set(i, j, scale*x)
		}
	}
	if kind&16 == 0 { // symmetric, to rounding
		for i := range min(r, c) {
			for j := range i {
				m.Set(i, j, m.At(j, i)*(1+float64(rng.IntN(3)-1)*0x1p-52))
			}
		}
	}
	if kind&32 != 0 && kind&64 != 0 {
		m.Set(rng.IntN(r), rng.IntN(c), []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)])
	}
	return m
}

// explained is an error that says what and where, in the words of the package that noticed.
func explained(t *testing.T, err error) {
	t.Helper()
	_, after, isIndefinite := strings.Cut(err.Error(), "its least eigenvalue is ")
	switch {
	case isIndefinite:
		text, _, _ := strings.Cut(after, ",")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || v > 1e-100 { // tiny, 0 or NaN for extreme numbers
			t.Fatalf("a matrix is indefinite with the least eigenvalue %q", text)
		}
	case !strings.Contains(err.Error(), ": ") || strings.Contains(err.Error(), "%!"):
		t.Fatalf("an error that says nothing: %v", err)
	}
}

// sized brings numbers of a fuzzer to the shape of a matrix, square in three cases of four, and the matrix.
func sized(r, c int, kind uint8, seed uint64) (int, int, *rand.Rand, *mat.Dense) {
	r, c = 1+(r%6+6)%6, 1+(c%6+6)%6
	if seed%4 != 0 {
		c = r
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	return r, c, rng, hostile(rng, r, c, kind)
}

// seeds are those of a fuzzer of sized.
func seeds(f *testing.F) {
	for kind := range uint8(128) {
		f.Add(4, 4, kind, uint64(kind), 1.0)
	}
	f.Add(3, 5, uint8(8), uint64(1), 1e-3)
	f.Add(2, 1, uint8(0), uint64(2), 1e300)
	f.Add(1, 1, uint8(40), uint64(3), math.NaN())
}

// nearOf is a regularizer with the matrix as its target, or another where it refuses.
func nearOf(t *testing.T, r int, data []float64, seed uint64, rho float64) reg.DistancePenalty {
	near := reg.DistancePenalty{Rho: rho, Distance: reg.Distance(seed % 3), Targets: [][]float64{data}}
	if err := near.Validate(r * r); err != nil {
		explained(t, err)
		near.Targets = [][]float64{make([]float64, r*r)}
	}
	if err := near.Validate(r * r); err != nil {
		near.Rho = 1
	}
	return near
}

// FuzzMatrix tests that no function that takes a matrix panics; FuzzLearned has the solvers.
func FuzzMatrix(f *testing.F) {
	seeds(f)
	f.Fuzz(takeMatrix)
}

func FuzzLearned(f *testing.F) {
	seeds(f)
	f.Fuzz(takeLearned)
}

// takeMatrix gives a matrix to all that take one but solvers.
func takeMatrix(t *testing.T, r, c int, kind uint8, seed uint64, rho float64) {
	r, c, _, raw := sized(r, c, kind, seed)
	data := raw.RawMatrix().Data
	var S *mat.SymDense
	if r == c && r > 0 {
		S = symmetric(mat.DenseCopyOf(raw))
	}
	for _, k := range []kernel.Precomputed{{N: r, Data: data}, {N: c, Data: data}} {
		if err := k.Validate(); err != nil {
			explained(t, err)
		}
		if _, _, err := k.RepairRounding(0x1p-24); err != nil {
			explained(t, err)
		}
	}
	// as a regularizer's target
	near := nearOf(t, r, data, seed, rho)
	theta := make([]float64, r*r)
	// as θ: the oracles of its sets answer
	if len(data) == r*r {
		for _, s := range []set.Set{set.PSD{}, set.Spectraplex{Trace: 2}} {
			g := append([]float64(nil), data...)
			s.Project(theta, g)
			s.Minimize(theta, g)
			s.Contains(g)
			set.SupportAbs(s, g)
			if m, ok := s.(set.Mirror); ok {
				m.StepScale(g)
				m.Mirror(theta, g)
			}
		}
		near.Value(theta, data)
		near.Prox(theta, make([]float64, r*r), data, 1)
		near.Majorize(data)
	}
	if S == nil {
		return
	}
	sp, err := similarity.Decompose(S)
	if err != nil {
		explained(t, err)
		return
	}
	if k, err := sp.Repair(similarity.Linear); err != nil {
		explained(t, err)
	} else if _, err := k.Cross(raw); err != nil {
		explained(t, err)
	}
	// as base kernels, and as a dataset
	of := similarity.Given{Name: "s", N: r, S: similarity.Vec(S), Repairs: similarity.DistinctRepairs(S)}
	g := similarity.Repaired{Of: []similarity.Given{of}, Normalize: kernel.MeanDiagonal}.Bind(points.AllIndices(r))
	z := points.KernelRows{N: c, Names: []string{of.Name}, Data: [][]float64{data}}
	if err := g.Validate(); err != nil {
		explained(t, err)
	} else if m, _ := g.Dims(); m > 0 {
		g.New().SetTheta(make([]float64, m))
		if _, err := g.CheckNewPoints(z); err != nil {
			explained(t, err)
		} else if z.Validate() == nil {
			g.Cross(z).StoreMatrix(mat.NewDense(z.Len(), r, nil), make([]float64, m))
		}
	}
	d := &dataset.Dataset{Name: "d", X: points.AllIndices(c),
		Similarities: []dataset.Similarity{{Name: "s", N: S.SymmetricDim(), S: similarity.Vec(S)}}}
	if err := d.Validate(); err != nil {
		explained(t, err)
	}
}

// takeLearned gives a matrix to a solver, as target, family and start: what it proves holds.
func takeLearned(t *testing.T, r, c int, kind uint8, seed uint64, rho float64) {
	solvers := []mkl.Solver{mkl.DualAscent{}, mkl.ADMM{}, mkl.MirrorDescent{}, mkl.MirrorDescent{AsPrinted: true}}
	r, _, _, raw := sized(max(r, 1), c, kind, seed)
	if r < 2 {
		return
	}
	data := raw.RawMatrix().Data
	y := make([]float64, r)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
	}
	p := &mkl.Problem{Grams: similarity.Learned{N: r}.Bind(points.AllIndices(r)),
		Set: set.Spectraplex{Trace: float64(r)},
		Reg: nearOf(t, r, data, seed, rho), Loss: loss.Hinge{C: 1}, Y: y}
	settings := &mkl.Settings{Iterations: 2, Gap: 1e-3}
	if len(data) == r*r && seed%2 == 0 {
		settings.Theta = data
	}
	s := solvers[seed/2%4]
	got, err := mkl.Solve(context.Background(), p, s, settings)
	if err != nil {
		explained(t, err)
		return
	}
	if got.Lower > got.Upper && !got.Infeasible {
		t.Fatalf("%v: [%g, %g]", s, got.Lower, got.Upper)
	}
}
