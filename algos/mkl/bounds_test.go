package mkl

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// TestAggregateOfManySteps tests that the bound of a sum of many cuts allows for the rounding of that sum, which has
// the same sign in step after step where the steps are alike.
func TestAggregateOfManySteps(t *testing.T) {
	steps := 200_000
	if testing.Short() {
		steps = 20_000
	}
	for _, eta := range []float64{0.1, 0.3, 1. / 3, 0.7, 1.9} {
		for _, c := range []float64{0.1, 0.3, 0.37} {
			x := points.Rows{N: 2, D: 1, Data: []float64{0.3, 1}}
			one := kernel.Kernel(kernel.RBF{Gamma: 0.7})
			s := set.Simplex{}
			p := &Problem{Grams: kernel.Sum{Kernels: kernel.List{one, one}}.Bind(x), Set: s, Loss: loss.Hinge{C: c},
				Y: []float64{1, -1}}
			pt := p.NewPoint()
			s.Start(pt.Theta)
			if err := pt.Evaluate(nil, 1e-14); err != nil {
				t.Fatal(err)
			}
			// α = C in both points: min F = 2C − C²(1−k)
			k := new(big.Float).SetPrec(300).SetFloat64(pt.Gram.K().At(0, 1))
			b := new(big.Float).SetPrec(300).SetFloat64(c)
			least := new(big.Float).SetPrec(300).SetInt64(1)
			least.Mul(least.Sub(least, k), b)
			least.Sub(new(big.Float).SetPrec(300).SetInt64(2), least)
			least.Mul(least, b)
			a, tangent := affineBound{grad: make([]float64, 2), gradErr: make([]float64, 2)}, pt.tangent()
			for range steps {
				a.add(eta, &tangent)
			}
			lower, _ := a.lowerBound(s, s.Minimize(nil, a.grad))
			f, _ := least.Float64()
			t.Logf("C=%g η=%g: %.3g ε", c, eta, (lower-f)/f/0x1p-52)
			if new(big.Float).SetFloat64(lower).Cmp(least) > 0 {
				t.Errorf("C = %g, η = %g: bound %.17g, min F = %.17g", c, eta, lower, least)
			}
			if !(lower > f*(1-1e-9)) || math.IsNaN(lower) {
				t.Errorf("C = %g, η = %g: bound %.17g is far from min F = %.17g", c, eta, lower, least)
			}
		}
	}
}

// TestMirrorDescentOfEqualKernels tests that where all entries of the gradient are one number but for rounding, steps
// stay finite.
func TestMirrorDescentOfEqualKernels(t *testing.T) {
	x := points.Rows{N: 8, D: 2, Data: []float64{.5, 1, -2, 3, .25, -1, 1, 1, 2, .125, -1, -3, 1.5, 0, 0, .75}}
	k := kernel.List{kernel.Linear{}, kernel.Linear{}, kernel.Linear{}}
	zero := points.Rows{N: 8, D: 2, Data: make([]float64, 16)}
	for name, x := range map[string]points.Rows{"equal": x, "zero": zero} {
		for _, c := range []float64{1, 1e8} {
			p := &Problem{Grams: kernel.Sum{Kernels: k}.Bind(x), Set: set.Simplex{}, Loss: loss.Hinge{C: c},
				Y: []float64{1, -1, 1, -1, 1, -1, 1, -1}}
			r, err := Solve(t.Context(), p, MirrorDescent{}, &Settings{Gap: 1e-11, Iterations: 50})
			if err != nil || !(r.Lower <= r.Upper) || r.Lower < r.Upper/2 {
				t.Errorf("%s, C = %g: %v, %v", name, c, r, err)
			}
		}
	}
}

// statedGrams are Grams of several matrices whose gradient is off by up to e more than they say.
type statedGrams struct {
	kernel.Grams
	e float64
}

func (g statedGrams) Degree() int { return 1 }
func (g statedGrams) New() kernel.Gram {
	of := g.Grams.New()
	return statedGram{of, of.(kernel.Blocked), of.(kernel.ErrorBounded), g.e}
}

type statedGram struct {
	kernel.Gram
	kernel.Blocked
	accurate kernel.ErrorBounded
	e        float64
}

func (g statedGram) ErrorBounds() (u, shift, lift float64)             { return g.accurate.ErrorBounds() }
func (g statedGram) EvaluateInDoubledPrecision(f, v, w []float64) bool { return false }
func (g statedGram) GradientErrorBound(dst, w []float64) {
	g.accurate.GradientErrorBound(dst, w)
	floats.AddConst(g.e, dst)
}

// TestStatedErrors tests that every bound allows for what the family says of its gradient's error: by e in every
// coordinate, on a product of two simplices of sum 3 it is e/2·6.
func TestStatedErrors(t *testing.T) {
	const n, e, more = 20, 1e-4, 1e-4 / 2 * 6
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := normal(rng, n, 2), make([]float64, n)
	for i := range y {
		y[i] = math.Copysign(1, x.Data[2*i])
	}
	y[0], y[1] = 1, -1
	list := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}, kernel.Linear{}}
	grams := blocks.Family{Families: []kernel.Family{kernel.Sum{Kernels: list}, kernel.Sum{Kernels: list}}}.Bind(x)
	product := set.Product{Factor: set.Simplex{Sum: 3}, Count: 2}
	for _, d := range []reg.Distance{reg.SquaredNorm, reg.TwoNorm} {
		var r reg.Separable
		for _, target := range [][]float64{{2, 0, 0.5}, {0, 1, -1}} {
			r.Parts = append(r.Parts, reg.DistancePenalty{Rho: 0.3, Distance: d, Targets: [][]float64{target}})
		}
		var w []float64
		bounds := func(e float64) map[string]float64 {
			p := &Problem{Grams: statedGrams{grams, e}, Set: product, Reg: r, Loss: loss.SquaredHinge{Lambda: 0.1},
				Y: y}
			pt := p.NewPoint()
			product.Start(pt.Theta)
			if w == nil {
				if err := pt.Evaluate(nil, 1e-10); err != nil {
					t.Fatal(err)
				}
				w = append(w, pt.W...)
			}
			pt.Gram.SetTheta(pt.Theta)
			pt.evaluateDual(w)
			dual := pt.dualAffineBound()
			all := map[string]float64{"duality": -dual.minimumErr(product)}
			if d == reg.SquaredNorm {
				all["ridge"], _ = ridgeDuality.lowerBound(pt)
			} else {
				all["cut"], _ = cut.lowerBound(pt)
			}
			sum := affineBound{grad: make([]float64, len(pt.Theta)), gradErr: make([]float64, len(pt.Theta))}
			tangent := pt.tangent()
			sum.add(0.7, &tangent)
			sum.add(0.1, &tangent)
			all["mean of cuts"], _ = sum.lowerBound(product, product.Minimize(nil, sum.grad))
			if d == reg.SquaredNorm { // 3w proves what w does
				three := append([]float64(nil), w...)
				floats.Scale(3, three)
				pt.evaluateDual(three)
				lower, _ := ridgeDuality.lowerBound(pt)
				if !(lower > all["ridge"]-9*e*more-1e-3*math.Abs(all["ridge"])) {
					t.Errorf("3w proves %g, w %g", lower, all["ridge"])
				}
			}
			return all
		}
		exact, off := bounds(0), bounds(e)
		for name, v := range exact {
			want, lost := more, v-off[name]
			if name == "ridge" { // of s²∇J, 0 < s ≤ 1
				want = min(max(lost, more/10), more)
			}
			if math.Abs(lost-want) > 0.01*more {
				t.Errorf("%v, %s: an error of %g costs %.4g, want %.4g", d, name, e, lost, want)
			}
		}
	}
}
