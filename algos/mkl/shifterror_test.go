package mkl_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestLift tests that F of the matrices as they were given is at least Lower and at θ at most Upper + ShiftError,
// though what is certified is F of K + δI: exactly for the squared loss, by every feasible w that is tried for the
// others. Where Lift shows, CertificateText says it.
func TestLift(t *testing.T) {
	said, silent, apart := 0, 0, 0
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		d := &draw{seed: seed, rng: r, degree: 1 + seed%3}
		n, m := 4+r.IntN(8), 1+r.IntN(3)
		list, given := make(kernel.List, m), make([][]float64, m)
		for k := range list {
			p := d.matrix(n, logUniform(r, -2, 2))
			list[k], given[k] = p, p.Data
		}
		y := make([]float64, n)
		for i := range y {
			y[i] = []float64{1, -1}[i%2]
		}
		grams := kernel.Sum{Kernels: list, Degree: d.degree}.Bind(points.AllIndices(n))
		if grams.Validate() != nil {
			continue
		}
		theta := make([]float64, m)
		set.Simplex{}.Start(theta)
		g := grams.New()
		g.SetTheta(theta)
		_, _, lift := g.(kernel.ErrorBounded).ErrorBounds()
		s := mat.NewSymDense(n, nil) // (Σθ_kK_k)^d of the matrices given
		for i := range n {
			for j := i; j < n; j++ {
				v := 0.0
				for k, t := range theta {
					v += t * given[k][i*n+j]
				}
				s.SetSym(i, j, math.Pow(v, float64(d.degree)))
				if off := g.K().At(i, j) - s.At(i, j); i == j && !(off <= lift*(1+1e-3)+1e-13*s.At(i, i)) {
					t.Errorf("seed %d: K_ii is %g larger than given, the lift is %g", seed, off, lift)
				}
			}
		}
		of := pick(r, 1e-9, 0.01, 0.3, 0.8, 3) // δ/λ, δC
		for _, l := range []loss.Loss{loss.Squared{Lambda: lift / of}, loss.SquaredHinge{Lambda: lift / of},
			loss.Hinge{C: of / lift}, loss.EpsilonInsensitive{C: of / lift, Epsilon: 0.1},
			loss.Columns{Loss: loss.Squared{Lambda: lift / of}, Count: 2}} {
			p := &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: l, Y: y}
			one, columns := l, 1.0
			if c, ok := l.(loss.Columns); ok {
				one, columns = c.Loss, 2
				p.Y = append(append([]float64(nil), y...), y...)
			}
			res, err := mkl.EvaluateRule(ctx, p, mkl.Uniform{}, 1e-6)
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, l, err)
			}
			name := fmt.Sprintf("seed %d, %v, δ = %g, degree %d", seed, l, lift, d.degree)
			f := columns * atLeast(one, s, y, res.W[:n], r)
			if f > (res.Upper+res.ShiftError)*(1+1e-9) {
				t.Errorf("%s: F = %.10g of the matrices given, Upper = %.10g, ShiftError = %g", name, f, res.Upper,
					res.ShiftError)
			}
			if f > res.Upper+1e-3*math.Abs(res.Upper) {
				apart++
			}
			size := floats.Dot(res.W, res.W)
			if of < 0.5 && strings.HasPrefix(fmt.Sprint(one), "squared") && res.Upper < 1e300 &&
				!(res.ShiftError <= 2*lift/2*size*(1+1e-6)+1e-5*res.F) {
				t.Errorf("%s: Lift = %g, about ½δ‖w‖² = %g is enough", name, res.ShiftError, lift/2*size)
			}
			res.Status = mkl.Certified // as a run says it
			gap := res.Gap()
			if res.Kind == mkl.FirstOrder {
				gap = res.Residual
			}
			if proof := res.CertificateText(); strings.Contains(proof, "for the given matrices") {
				if said++; !(res.ShiftError > gap) {
					t.Errorf("%s: %s, Lift = %g", name, proof, res.ShiftError)
				}
			} else if silent++; res.ShiftError > max(gap, 1e-6*math.Abs(res.Upper)) && !math.IsInf(res.Upper, 1) {
				t.Errorf("%s: %s, Lift = %g is not said", name, proof, res.ShiftError)
			}
		}
	}
	if said < 20 || silent < 10 || apart < 20 {
		t.Errorf("said %d times, %d times not, F apart in %d: the test has no cases", said, silent, apart)
	}
}

// atLeast is a lower bound of J of a matrix that need not be positive semidefinite: the dual value of w and of w's
// about it; of a squared loss J itself, +Inf where that is.
func atLeast(l loss.Loss, k *mat.SymDense, y, w []float64, r *rand.Rand) float64 {
	n := len(y)
	if l, ok := l.(loss.Squared); ok {
		var c linalg.Cholesky
		if !c.Factorize(k, l.Lambda) {
			return math.Inf(1)
		}
		a := make([]float64, n)
		c.SolveVec(a, y)
		return floats.Dot(a, y) / 2
	}
	best := math.Inf(-1)
	for range 200 {
		v := append([]float64(nil), w...)
		if best > math.Inf(-1) {
			for i := range v {
				v[i] *= 1 + r.NormFloat64()*pick(r, 1e-3, 0.1, 1)
			}
		}
		// feasible: within its bounds, Σw = 0 by taking from both signs
		value := 0.0
		plus, minus := 0.0, 0.0
		c, eps, lambda := math.Inf(1), 0.0, 0.0
		switch l := l.(type) {
		case loss.Hinge:
			c = l.C
		case loss.EpsilonInsensitive:
			c, eps = l.C, l.Epsilon
		case loss.SquaredHinge:
			lambda = l.Lambda
		}
		for i := range v {
			if _, regression := l.(loss.EpsilonInsensitive); !regression && v[i]*y[i] < 0 {
				v[i] = 0
			}
			v[i] = max(-c, min(v[i], c))
			plus, minus = plus+max(v[i], 0), minus+max(-v[i], 0)
		}
		for i := range v {
			if less := min(plus, minus); v[i] > 0 {
				v[i] *= less / plus
			} else if v[i] < 0 {
				v[i] *= less / minus
			}
			value += v[i]*y[i] - eps*math.Abs(v[i]) - lambda*v[i]*v[i]/2
		}
		x := mat.NewVecDense(n, v)
		best = max(best, value-mat.Inner(x, k, x)/2)
	}
	return best
}
