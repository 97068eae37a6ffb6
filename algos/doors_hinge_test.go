package algos_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/registry"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// hinge is the support vector machine with a bias,
//
//	D(α) = Σα_i,  0 ≤ α ≤ C,  yᵀα = 0,  w = y∘α,   y = ±1,
//
// of which the primal is min_{f,b} ½‖f‖²_K + C Σ max(0, 1 − y_i(f(x_i)+b)). In w the feasible set is a
// box, w_i between 0 and y_iC, and Σw = 0.
//
// Solved by sequential minimal optimisation, O(n) a step.
//
// References:
//   - R.-E. Fan, P.-H. Chen and C.-J. Lin, Working set selection using second order information
//     for training support vector machines, JMLR 6 (2005), WSS 2.
type hinge struct {
	C float64
	// Most is how many steps of two coefficients a solve may take. If Most is 0, it is 20,000 a
	// point.
	Most int
}

var _ loss.Tuned = hinge{}

func init() { registry.Register(hinge{}) }

func (h hinge) String() string { return fmt.Sprintf("hinge loss, C=%.4g", h.C) }

// Constant and WithConstant make it a path over C.
func (h hinge) Constant() (name string, value float64) { return "C", h.C }

func (h hinge) WithConstant(c float64) loss.Loss {
	h.C = c
	return h
}

// Validate asks for C > 0 and labels ±1, some of each.
func (h hinge) Validate(y []float64) error {
	if !(h.C > 0) || math.IsInf(h.C, 1) {
		return fmt.Errorf("hinge loss: C = %g, want a finite number > 0", h.C)
	}
	positive := 0
	for i, v := range y {
		if v != 1 && v != -1 {
			return fmt.Errorf("hinge loss: target %d is %g, want a label ±1", i+1, v)
		}
		if v > 0 {
			positive++
		}
	}
	if positive == 0 || positive == len(y) {
		return fmt.Errorf("hinge loss: %d of %d labels are +1, want some of each", positive, len(y))
	}
	return nil
}

// feasible projects w onto A: w_i − t cut into its box, with the t at which Σw = 0.
func (h hinge) feasible(w, y []float64) {
	cut := func(i int, t float64) float64 {
		return math.Min(math.Max(w[i]-t, math.Min(0, h.C*y[i])), math.Max(0, h.C*y[i]))
	}
	sum := func(t float64) (s float64) {
		for i := range w {
			s += cut(i, t)
		}
		return s
	}
	lo, hi := floats.Min(w)-h.C, floats.Max(w)+h.C // there Σ > 0 and < 0
	for range 60 {
		if mid := (lo + hi) / 2; sum(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	t := (lo + hi) / 2
	for i := range w {
		w[i] = cut(i, t)
	}
}

// Solve starts at the feasible w nearest to s.W.
func (h hinge) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	n := len(y)
	if len(s.W) == n && floats.Norm(s.W, 1) > 0 {
		h.feasible(s.W, y)
	} else {
		s.W = make([]float64, n)
	}
	most := h.Most
	if most == 0 {
		most = 20000 * n
	}
	var k mat.Dense
	k.CloneFrom(g.K())
	u := make([]float64, n) // y − Kw, the gradient of the dual
	inexact := func(steps int, cause error) error {
		h.Judge(s, g, y, nil)
		s.Iters = steps
		if s.Gap() <= tol {
			return nil
		}
		return &loss.Inexact{Gap: s.Gap(), Want: tol, Cause: cause}
	}
	for step := 0; ; step++ {
		if step%n == 0 { // afresh, against drift
			copy(u, y)
			for i, w := range s.W {
				floats.AddScaled(u, -w, k.RawRowView(i))
			}
			if h.Judge(s, g, y, nil); s.Gap() <= tol {
				s.Iters = step
				return nil
			}
		}
		if err := ctx.Err(); err != nil || step >= most {
			return inexact(step, err)
		}
		i, up := -1, math.Inf(-1)
		for t, v := range u {
			if v > up && s.W[t] < math.Max(0, h.C*y[t]) {
				i, up = t, v
			}
		}
		j, most, room, curve := -1, 0.0, 0.0, 0.0
		for t, v := range u {
			r := s.W[t] - math.Min(0, h.C*y[t])
			if r <= 0 || i < 0 || up-v <= 0 {
				continue
			}
			c := math.Max(k.At(i, i)+k.At(t, t)-2*k.At(i, t), 1e-12)
			if gain := (up - v) * (up - v) / c; gain > most {
				j, most, room, curve = t, gain, r, c
			}
		}
		if j < 0 {
			return inexact(step, nil)
		}
		wi, wj := s.W[i], s.W[j]
		left := math.Max(0, h.C*y[i]) - wi
		d := math.Min((up-u[j])/curve, math.Min(left, room))
		s.W[i], s.W[j] = wi+d, wj-d
		if s.W[i] == wi && s.W[j] == wj { // below the rounding of w
			return inexact(step, nil)
		}
		if d == left {
			s.W[i] = math.Max(0, h.C*y[i])
		}
		if d == room {
			s.W[j] = math.Min(0, h.C*y[j])
		}
		floats.AddScaled(u, -d, k.RawRowView(i))
		floats.AddScaled(u, d, k.RawRowView(j))
	}
}

func (hinge) Traits() loss.Traits     { return loss.Traits{} }
func (h hinge) Slice([]int) loss.Loss { return h }

// Judge finds the best bias for w: the slope of the risk in b rises by C at each y_i − f_i, from −Cn₊.
func (h hinge) Judge(s *loss.Solution, g loss.Gram, y, _ []float64) {
	f := mat.NewVecDense(len(y), nil)
	f.MulVec(g.K(), mat.NewVecDense(len(y), s.W))
	at, positive := make([]float64, len(y)), 0
	for i, v := range y {
		at[i] = v - f.AtVec(i)
		if v > 0 {
			positive++
		}
	}
	sorted := slices.Sorted(slices.Values(at))
	s.Bias = (sorted[positive-1] + sorted[positive]) / 2
	s.Lin, s.Quad, s.WKW = floats.Dot(y, s.W), 0, floats.Dot(s.W, f.RawVector().Data)
	s.Block, s.Factor, s.Iters = nil, nil, 0
	s.Primal = s.WKW / 2
	for i, v := range y {
		s.Primal += h.C * math.Max(0, v*(at[i]-s.Bias))
	}
}

func TestHinge(t *testing.T) {
	in := losstest.Inputs(1, true)[1:] // the first has one class
	for _, h := range []hinge{{C: 1}, {C: 0.01}, {C: 20}} {
		losstest.TestLoss(t, h, losstest.Options{Inputs: in, Feasible: h.feasible, Bad: [][]float64{{1, 2}, {1, 1}, {-1}}})
	}
}

// slowly minimises ½wᵀKw − D by projected gradient, w ↦ P_A(w + (y − Kw)/L): another algorithm than SMO.
func (h hinge) slowly(k *mat.SymDense, y []float64, steps int) (dual float64) {
	n := len(y)
	w, u := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	l := mat.Trace(k)
	for range steps {
		u.MulVec(k, w)
		for i, v := range y {
			w.SetVec(i, w.AtVec(i)+(v-u.AtVec(i))/l)
		}
		h.feasible(w.RawVector().Data, y)
	}
	u.MulVec(k, w)
	return floats.Dot(y, w.RawVector().Data) - mat.Dot(w, u)/2
}

// TestHingeAnotherRoad: SMO finds what a projected gradient does, and what one can do by hand: of
// two points, α_1 = α_2 = min(C, 2/‖φ_1−φ_2‖²).
func TestHingeAnotherRoad(t *testing.T) {
	for i, in := range losstest.Inputs(2, true)[1:4] {
		k := losstest.Dense(in.Phi).K()
		var s loss.Solution
		h := hinge{C: 1}
		if err := h.Solve(ctx, &s, losstest.Gram{Sym: k}, in.Y, 1e-8); err != nil {
			t.Fatal(err)
		}
		// the projected gradient is below the maximum by O(1/steps), as measured by 1e-4
		if want := h.slowly(k, in.Y, 3000); want > s.Primal*(1+1e-12) || want < s.Dual()*(1-1e-3) {
			t.Errorf("input %d: SMO %g, projected gradient %g", i, s.Dual(), want)
		}
	}
	for _, c := range []float64{0.1, 10} {
		k := mat.NewSymDense(2, []float64{2, 0.5, 0.5, 3}) // ‖φ_1−φ_2‖² = 4
		var s loss.Solution
		if err := (hinge{C: c}).Solve(ctx, &s, losstest.Gram{Sym: k}, []float64{1, -1}, 1e-10); err != nil {
			t.Fatal(err)
		}
		if a := math.Min(c, 0.5); math.Abs(s.W[0]-a) > 1e-9 || math.Abs(s.Dual()-(2*a-2*a*a)) > 1e-9 {
			t.Errorf("C = %g: w = %v, dual %g, want α = %g", c, s.W, s.Dual(), a)
		}
	}
}

// labelled are n points with labels of both kinds, not linearly separable.
func labelled(n, d int, seed uint64) (x kernel.Rows, y []float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	x = kernel.Rows{N: n, D: d}
	for i := range n {
		v := float64(1 - 2*(i%2))
		for j := range d {
			x.Data = append(x.Data, r.NormFloat64()+v*0.7*float64((j+1)%2))
		}
		y = append(y, v)
	}
	return x, y
}
