package algos_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

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
	var not *kernel.Indefinite
	switch {
	case errors.As(err, &not):
		if not.Least > 0 { // −0 of subnormal numbers; NaN where they overflow
			t.Fatalf("a matrix is indefinite with the least eigenvalue %g", not.Least)
		}
	case !strings.Contains(err.Error(), ": ") || strings.Contains(err.Error(), "%!"):
		t.Fatalf("an error that says nothing: %v", err)
	}
}

// FuzzLearned: whatever matrix is given, no function that takes one panics, and what is proved holds.
func FuzzLearned(f *testing.F) {
	for kind := range uint8(128) {
		f.Add(4, 4, kind, uint64(kind), 1.0)
	}
	f.Add(3, 5, uint8(8), uint64(1), 1e-3)
	f.Add(2, 1, uint8(0), uint64(2), 1e300)
	f.Add(1, 1, uint8(40), uint64(3), math.NaN())
	f.Fuzz(func(t *testing.T, r, c int, kind uint8, seed uint64, rho float64) {
		r, c = 1+(r%6+6)%6, 1+(c%6+6)%6
		if seed%4 != 0 {
			c = r
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		raw := hostile(rng, r, c, kind)
		data := raw.RawMatrix().Data
		S, err := similarity.Symmetric(raw)
		if err != nil {
			explained(t, err)
		}
		for _, k := range []kernel.Precomputed{{N: r, Data: data}, {N: c, Data: data}} {
			if err := k.Validate(); err != nil {
				explained(t, err)
			}
			if _, _, err := k.Mend(0x1p-24); err != nil {
				explained(t, err)
			}
		}
		y := make([]float64, r)
		for i := range y {
			y[i] = float64(1 - 2*(i%2))
		}
		distance := reg.Distance(seed % 3)
		near := reg.Near{Rho: rho, Distance: distance, Targets: [][]float64{data}}
		if err := near.Validate(r * r); err != nil {
			explained(t, err)
			near.Targets = [][]float64{make([]float64, r*r)}
		}
		if err := near.Validate(r * r); err != nil {
			near.Rho = 1
		}
		// as the similarities of a family, and as those of new points
		fam := similarity.Learned{N: r, S: data, Inductive: kind&4 != 0}
		bound := fam.On(kernel.AllPlaces(r))
		if err := bound.(kernel.Validated).Validate(); err != nil {
			explained(t, err)
			fam.S, fam.Inductive = nil, false
			bound = fam.On(kernel.AllPlaces(r))
		}
		z := kernel.Related{N: c, Names: []string{""}, Data: [][]float64{data}}
		theta := make([]float64, r*r)
		if err := bound.(kernel.Meeting).Meets(z); err != nil {
			explained(t, err)
		} else if z.Validate() == nil {
			bound.(kernel.Crossed).Cross(z).Gram(mat.NewDense(z.Len(), r, nil), theta)
		}
		// as θ: the oracles of its sets answer
		if len(data) == r*r {
			for _, s := range []set.Set{set.PSD{}, set.Spectraplex{Trace: 2}} {
				g := append([]float64(nil), data...)
				s.Project(theta, g)
				s.Minimize(theta, g)
				set.Contains(s, g)
				set.SupportAbs(s, g)
				if m, ok := s.(set.Mirror); ok {
					m.Rate(g)
					m.Mirror(theta, g)
				}
			}
			near.Value(theta, data)
			near.Prox(theta, make([]float64, r*r), data, 1)
			near.Majorize(data)
			near.Slice([]int{0, r - 1})
		}
		if r < 2 {
			return
		}
		// as a target and as a start
		p := &mkl.Problem{Grams: bound, Set: set.Spectraplex{Trace: float64(r)}, Reg: near, Loss: loss.Hinge{C: 1}, Y: y}
		settings := &mkl.Settings{Iterations: 3, Gap: 1e-3}
		if len(data) == r*r && seed%2 == 0 {
			settings.Theta = data
		}
		for _, s := range []mkl.Solver{mkl.DualAscent{}, mkl.ADMM{}, mkl.MirrorDescent{}, mkl.MirrorDescent{AsPrinted: true}} {
			got, err := mkl.Solve(context.Background(), p, s, settings)
			if err != nil {
				explained(t, err)
				continue
			}
			if got.Lower > got.Upper && !got.Outside {
				t.Fatalf("%v: [%g, %g]", s, got.Lower, got.Upper)
			}
		}
		if err != nil || S == nil {
			return
		}
		if sp, err := similarity.Decompose(S); err != nil {
			explained(t, err)
		} else if k, err := sp.Map(S, 0); err != nil {
			explained(t, err)
		} else if _, err := k.Cross(raw); err != nil {
			explained(t, err)
		}
	})
}
