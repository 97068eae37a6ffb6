package mkl

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

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

// TestStatedErrors: every bound allows for what the family says of its gradient's error: by e in every coordinate, on a
// product of two simplices of sum 3 it is e/2·6.
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
