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

// solveRat solves A x = b exactly; nil if singular.
func solveRat(a [][]*big.Rat, b []*big.Rat) []*big.Rat {
	n := len(b)
	for c := range n {
		p := -1
		for r := c; r < n; r++ {
			if a[r][c].Sign() != 0 {
				p = r
				break
			}
		}
		if p < 0 {
			return nil
		}
		a[c], a[p], b[c], b[p] = a[p], a[c], b[p], b[c]
		for r := range n {
			if r == c || a[r][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Quo(a[r][c], a[c][c])
			for k := c; k < n; k++ {
				a[r][k] = new(big.Rat).Sub(a[r][k], new(big.Rat).Mul(f, a[c][k]))
			}
			b[r] = new(big.Rat).Sub(b[r], new(big.Rat).Mul(f, b[c]))
		}
	}
	x := make([]*big.Rat, n)
	for i := range n {
		x[i] = new(big.Rat).Quo(b[i], a[i][i])
	}
	return x
}

// hingeExact is J of the stored K, by the free set of w; ok if the KKT conditions hold exactly (K assumed PD on the
// face).
func hingeExact(K func(i, j int) float64, y, w []float64, c float64) (j *big.Rat, ok bool) {
	n := len(y)
	var free []int
	for i := range w {
		if a := math.Abs(w[i]); a > 1e-7*c && a < c*(1-1e-7) {
			free = append(free, i)
		}
	}
	m := len(free)
	at := make([]*big.Rat, n)
	for i := range w {
		at[i] = new(big.Rat)
		if math.Abs(w[i]) >= c*(1-1e-7) {
			at[i] = rat(c * y[i])
		}
	}
	a, b := make([][]*big.Rat, m+1), make([]*big.Rat, m+1)
	for r := range m + 1 {
		a[r] = make([]*big.Rat, m+1)
		for k := range m + 1 {
			switch {
			case r < m && k < m:
				a[r][k] = rat(K(free[r], free[k]))
			case r == m && k == m:
				a[r][k] = new(big.Rat)
			default:
				a[r][k] = rat(1)
			}
		}
		b[r] = new(big.Rat)
		if r < m {
			b[r] = rat(y[free[r]])
		}
		for i := range n {
			if at[i].Sign() != 0 {
				v := rat(1)
				if r < m {
					v = rat(K(free[r], i))
				}
				b[r].Sub(b[r], v.Mul(v, at[i]))
			}
		}
	}
	x := solveRat(a, b)
	if x == nil {
		return nil, false
	}
	for k, i := range free {
		at[i] = x[k]
	}
	ok = true
	bias := x[m]
	lin, q := new(big.Rat), new(big.Rat)
	for i := range n {
		v := new(big.Rat).Mul(at[i], rat(y[i]))
		lin.Add(lin, v)
		if v.Sign() < 0 || v.Cmp(rat(c)) > 0 {
			ok = false
		}
		f := new(big.Rat)
		for l := range n {
			t := rat(K(i, l))
			f.Add(f, t.Mul(t, at[l]))
		}
		q.Add(q, new(big.Rat).Mul(at[i], f))
		f.Add(f, bias)
		f.Mul(f, rat(y[i]))
		switch s := f.Cmp(rat(1)); {
		case v.Sign() == 0 && s < 0, v.Cmp(rat(c)) == 0 && s > 0:
			ok = false
		}
	}
	q.Mul(q, big.NewRat(1, 2))
	return lin.Sub(lin, q), ok
}

// TestHingeBias: points far from the origin, so that the bias is large: the bounds of the hinge loss hold
// against its exact solution, in rational numbers.
func TestHingeBias(t *testing.T) {
	n := 0
	for seed := range 400 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		B := math.Pow(10, 1+4*rng.Float64())
		c := []float64{1, 16, 0.25, 1024}[rng.IntN(4)]
		N := 12
		d := 2
		var x, y []float64
		for i := range N {
			s := float64(1 - 2*(i%2))
			y = append(y, s)
			for range d {
				x = append(x, math.Round((B+rng.NormFloat64()+0.5*s)*256)/256)
			}
		}
		p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}}.On(points.Rows{N: N, D: d, Data: x}), Set: set.Simplex{},
			Loss: loss.Hinge{C: c}, Y: y}
		pt := p.NewPoint()
		pt.Theta[0] = 1
		if err := pt.Evaluate(nil, 1e-15); err != nil {
			continue
		}
		cert, _ := p.Certify(pt, true)
		K := pt.Gram.K()
		J, ok := hingeExact(func(i, j int) float64 { return K.At(i, j) }, y, pt.W, c)
		if !ok {
			continue
		}
		n++
		jf, _ := J.Float64()
		lo, _ := new(big.Rat).Sub(rat(cert.Lower), J).Float64()
		up, _ := new(big.Rat).Sub(rat(cert.Upper), J).Float64()
		sw := new(big.Rat)
		for _, w := range pt.W {
			sw.Add(sw, rat(w))
		}
		s, _ := sw.Float64()
		if lo > 0 || up < 0 {
			t.Errorf("seed %d, %g from the origin, C=%g: J = %.17g, Lower − J = %g, Upper − J = %g; Σw = %g, "+
				"b = %g; %v", seed, B, c, jf, lo, up, s, pt.Bias, cert)
		}
	}
	if n < 100 {
		t.Errorf("%d problems judged, want 100 or more", n)
	}
}
