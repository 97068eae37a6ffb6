package mkl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// TestOverflowIsNamed: numbers that overflow in evaluating finite input are an error that says so, never that a
// gradient, a degree or a loss is not what it is said to be, nor that K is not positive semidefinite.
func TestOverflowIsNamed(t *testing.T) {
	n, seen := 4, 0
	for _, size := range []float64{1e100, 1e150, 1e200, 1e290, 1e300, 1e307} {
		k := kernel.Precomputed{N: n, Data: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				k.Data[i*n+j] = size / float64(1+max(i-j, j-i)*9)
			}
		}
		for _, l := range []loss.Loss{loss.Squared{Lambda: 1}, loss.Squared{Lambda: 1e290},
			loss.SquaredHinge{Lambda: 1}, loss.Hinge{C: 1}, loss.Hinge{C: 1e160}} {
			for _, f := range []kernel.Sum{{Degree: 1}, {Degree: 2}, {Degree: 3}} {
				for _, theta := range []set.Set{set.Ball{Q: 4, Radius: 1}, set.Ball{Q: 4, Radius: 1e5}} {
					f.Kernels = kernel.List{k, kernel.Product{Kernels: kernel.List{k}, Exponents: []int{1}}}
					p := &mkl.Problem{Grams: f.On(kernel.AllPlaces(n)), Set: theta, Loss: l, Y: []float64{1, -1, 1, -1}}
					name := fmt.Sprintf("%g, %v, degree %d, %v", size, l, f.Degree, theta)
					if p.Validate() != nil {
						continue
					}
					_, err := mkl.Solve(context.Background(), p, mkl.PGD{}, nil)
					if _, kinked := l.(loss.Hinge); kinked {
						_, err = mkl.Solve(context.Background(), p, mkl.Level{}, nil)
						if f.Degree > 1 {
							err = nil
						}
					}
					_, other := mkl.Weigh(context.Background(), p, mkl.Uniform{}, 0)
					for _, err := range []error{err, other} {
						if err == nil {
							continue
						}
						if seen++; !errors.Is(err, mkl.ErrRange) ||
							!strings.Contains(err.Error(), "normalise the kernels") {
							t.Errorf("%s: %v", name, err)
						}
					}
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d errors: the test has no cases", seen)
	}
}

// ownSet is a user's set: whether θ is in it, its projection says, generously.
type ownSet struct{ set.Set }

func (s ownSet) Contains(theta []float64) bool {
	p := make([]float64, len(theta))
	s.Project(p, theta)
	return floats.Distance(p, theta, 2) <= 1e-11*floats.Norm(theta, 2)
}

// TestGapOfRoundedTheta: at a θ that is in Θ to rounding only, F may be below min F; no gap is negative for that.
func TestGapOfRoundedTheta(t *testing.T) {
	n, inside, crossed := 6, 0, 0
	x := kernel.Rows{N: n, D: 2, Data: []float64{1, 0, 2, 1, -1, 3, 0, 2, 1, 1, -2, 1}}
	y := []float64{1, -2, 0.5, 1, 3, -1}
	for _, theta := range []set.Set{set.Simplex{}, ownSet{set.Simplex{}}, set.Ball{Q: 2, Radius: 1},
		ownSet{set.Ball{Q: 2, Radius: 1}}} {
		p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: theta, Loss: loss.Squared{Lambda: 1}, Y: y}
		best, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-13})
		if err != nil {
			t.Fatal(err)
		}
		for e := -16.0; e < -9; e += 0.1 {
			start := []float64{best.Theta[0] * (1 + math.Pow(10, e)), best.Theta[1] * (1 + math.Pow(10, e))}
			if !theta.Contains(start) {
				continue
			}
			inside++
			r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: start, Gap: 1e-3, Iterations: 3})
			if err != nil {
				t.Fatal(err)
			}
			pt := p.NewPoint()
			copy(pt.Theta, start)
			if err := pt.Evaluate(nil, 1e-10); err != nil {
				t.Fatal(err)
			}
			own, err := p.Certify(pt, true)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []mkl.Certificate{r.Certificate, own} {
				if c.Gap() == 0 {
					crossed++
				}
				if c.Gap() < 0 || c.Rounding < 0 || strings.Contains(c.String(), "≤ -") {
					t.Errorf("%v, θ too large by 1e%.1f: %v, %+v", theta, e, c, c)
				}
			}
		}
	}
	if inside < 20 || crossed == 0 {
		t.Errorf("%d cases, %d with bounds that cross: the test has none", inside, crossed)
	}
}

// TestFarEscape: at θ = 0 a form in θ that overflows is an ErrRange, not a panic.
func TestFarEscape(t *testing.T) {
	k := kernel.Precomputed{N: 2, Data: []float64{2e160, 1e160, 1e160, 2e160}}
	p := &mkl.Problem{Grams: kernel.Sum{Kernels: kernel.List{k}, Degree: 2}.On(kernel.AllPlaces(2)), Set: set.Orthant{},
		Reg:  reg.Ridge{Beta: 1},
		Loss: loss.SquaredHinge{Lambda: 1}, Y: []float64{1, -1}}
	if _, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: []float64{0}}); !errors.Is(err, mkl.ErrRange) {
		t.Errorf("Solve: %v", err)
	}
	if _, _, err := mkl.BetaZero(p); !errors.Is(err, mkl.ErrRange) {
		t.Errorf("BetaZero: %v", err)
	}
}

// TestFarForm: the trust-region dual of dual coefficients near 1e-88, whose forms have squares that vanish, is below F.
func TestFarForm(t *testing.T) {
	x := kernel.NewRows([][]float64{{1, 2, 3}, {2, 1, -1}, {3, -1, 1}, {1, 1, 2}})
	lower := func(s float64) float64 {
		p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(x), Set: set.Ball{Q: 2, Radius: 1,
			Center: []float64{0.14, 0.05, 0.76}},
			Loss: loss.Squared{Lambda: 0.125}, Y: []float64{s, -s, s, -2 * s}}
		r, err := mkl.Weigh(ctx, p, mkl.Uniform{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return r.Lower / s / s
	}
	if one, small := lower(1), lower(0x1p-294); !(math.Abs(small-one) <= 1e-9*one) {
		t.Errorf("Lower = %g, with targets times 2^-294 %g of their squares", one, small)
	}
}
