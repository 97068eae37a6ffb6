package check

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/mkl"
)

// Convexity is what chords of F show.
type Convexity struct {
	Pairs int // how many chords were drawn
	// Worst is the largest violation of convexity, 0 if there is none:
	//
	//	max over pairs a, b of  (F(m) − (F(a)+F(b))/2) / |F(m)|,  m the midpoint.
	Worst float64
	A, B  []float64 // the pair that has it, nil if Worst is 0
}

// Refuted reports whether the midpoint of a chord lies below F by more than rounding, 1e-9 of |F|.
// Where it is false nothing is proved.
func (c Convexity) Refuted() bool { return c.Worst > 1e-9 }

func (c Convexity) String() string {
	if c.Refuted() {
		return fmt.Sprintf("not convex: at the worst of %d midpoints F is above the chord by %.2g of its value",
			c.Pairs, c.Worst)
	}
	return fmt.Sprintf("none of %d chords refutes convexity, which does not prove it", c.Pairs)
}

// Chords draws pairs of random points of Θ and compares F at their midpoint with the mean of F at
// the two. Each pair costs three inner solves.
func Chords(p *mkl.Problem, pairs int, seed uint64) (Convexity, error) {
	return chords(p, pairs, seed,
		func([]float64) {},
		func(m, a, b []float64) {
			for k := range m {
				m[k] = (a[k] + b[k]) / 2
			}
		})
}

// HiddenChords is Chords of F(μ₀ + t^{1/q}) as a function of t ≥ 0 on a q-norm ball about μ₀,
// 1 ≤ q < ∞: of points θ ≥ μ₀, with the midpoint taken in t = (θ−μ₀)^q. For a family of degree
// d ≤ q the function is convex.
func HiddenChords(p *mkl.Problem, pairs int, seed uint64) (Convexity, error) {
	if err := p.Validate(); err != nil {
		return Convexity{}, err
	}
	ball := p.Set.Traits().Ball
	if ball == nil || math.IsInf(ball.Q, 1) {
		return Convexity{}, fmt.Errorf("check: hidden convexity is that of a q-norm ball with q < ∞, not of %T %+v",
			p.Set, p.Set)
	}
	center := ball.Center
	if center == nil {
		m, _ := p.Grams.Dims()
		center = make([]float64, m)
	}
	return chords(p, pairs, seed,
		func(x []float64) {
			for k := range x {
				x[k] = max(x[k], center[k])
			}
		},
		func(m, a, b []float64) {
			for k, c := range center {
				t := (math.Pow(a[k]-c, ball.Q) + math.Pow(b[k]-c, ball.Q)) / 2
				m[k] = c + math.Pow(t, 1/ball.Q)
			}
		})
}

// chords draws the pairs, moves each point by restrict, and compares.
func chords(p *mkl.Problem, pairs int, seed uint64, restrict func([]float64),
	midpoint func(m, a, b []float64)) (Convexity, error) {
	c := Convexity{Pairs: pairs}
	if err := p.Validate(); err != nil {
		return c, err
	}
	if pairs < 1 {
		return c, fmt.Errorf("check: %d pairs, want 1 or more", pairs)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	a, b, m := p.NewPoint(), p.NewPoint(), p.NewPoint()
	for range pairs {
		inside(a.Theta, p, r)
		inside(b.Theta, p, r)
		restrict(a.Theta)
		restrict(b.Theta)
		midpoint(m.Theta, a.Theta, b.Theta)
		for _, pt := range []*mkl.Point{a, b, m} {
			if err := pt.Evaluate(nil, 1e-12); err != nil {
				return c, err
			}
		}
		v := (m.F() - (a.F()+b.F())/2) / max(math.Abs(m.F()), 1e-300)
		if v > c.Worst {
			c.Worst, c.A, c.B = v, append(c.A[:0], a.Theta...), append(c.B[:0], b.Theta...)
		}
	}
	return c, nil
}
