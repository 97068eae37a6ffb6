package mkl_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// TestHingeBias: of points far from the origin, where the bias is large, Lower is at most the primal value of w and the
// bias, and Upper at least the dual value of w with Σw = 0, both in rational numbers.
func TestHingeBias(t *testing.T) {
	const n, d = 12, 2
	count := 0
	for seed := range 400 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		far := math.Pow(10, 1+4*rng.Float64())
		c := []float64{1, 16, 0.25, 1024}[rng.IntN(4)]
		var x, y []float64
		for i := range n {
			y = append(y, float64(1-2*(i%2)))
			for range d {
				x = append(x, math.Round((far+rng.NormFloat64()+0.5*y[i])*256)/256)
			}
		}
		p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}}.Bind(points.Rows{N: n, D: d, Data: x}),
			Set:  set.Simplex{},
			Loss: loss.Hinge{C: c}, Y: y}
		pt := p.NewPoint()
		pt.Theta[0] = 1
		if err := pt.Evaluate(nil, 1e-15); err != nil {
			continue
		}
		w, sum, free := make([]*big.Rat, n), new(big.Rat), -1
		for i, v := range pt.W {
			w[i] = rat(v)
			if sum.Add(sum, w[i]); math.Abs(v) > 1e-6*c && math.Abs(v) < (1-1e-6)*c {
				free = i
			}
		}
		if free < 0 {
			continue
		}
		w[free].Sub(w[free], sum)
		linear, quadratic, violation := new(big.Rat), new(big.Rat), new(big.Rat)
		for i := range n {
			f := new(big.Rat)
			for j := range n {
				k := rat(pt.Gram.K().At(i, j))
				f.Add(f, k.Mul(k, w[j]))
			}
			quadratic.Add(quadratic, new(big.Rat).Mul(w[i], f))
			linear.Add(linear, new(big.Rat).Mul(rat(y[i]), w[i]))
			f.Add(f, rat(pt.Bias)).Mul(f, rat(y[i]))
			if f.Sub(rat(1), f); f.Sign() > 0 {
				violation.Add(violation, f.Mul(f, rat(c)))
			}
		}
		quadratic.Mul(quadratic, big.NewRat(1, 2))
		primal, _ := new(big.Rat).Add(quadratic, violation).Float64()
		dual, _ := linear.Sub(linear, quadratic).Float64()
		if primal-dual > 1e-9*primal {
			continue
		}
		count++
		if cert, err := p.Certify(pt, true); err != nil || cert.Lower > primal || cert.Upper < dual {
			t.Errorf("seed %d, %g from the origin, C=%g: F from %.17g to %.17g; %+v, %v", seed, far, c, dual, primal,
				cert, err)
		}
	}
	if count < 100 {
		t.Errorf("%d problems judged, want 100 or more", count)
	}
}
