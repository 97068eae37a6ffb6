package algos_test

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Learned kernel matrices, schema svm_family/1.

// esklInput is a problem: of indsvm S is one matrix, and several else.
type esklInput struct {
	Y, Alpha []float64
	C, Rho   float64
	Tau      *float64
	Loss     string
}

func (g *golden) learned(in *esklInput, similarities ...[][]float64) *mkl.Problem {
	r := reg.DistancePenalty{Rho: in.Rho, Distance: map[string]reg.Distance{
		"L1": reg.OneNorm, "L2": reg.TwoNorm, "L3": reg.SquaredNorm,
		"": reg.SquaredNorm}[in.Loss]}
	for _, s := range similarities {
		S := symmetric(rows(s))
		r.Targets = append(r.Targets, similarity.Vec(S))
	}
	n := len(in.Y)
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.Bind(points.AllIndices(n)), Set: set.PSD{}, Reg: r,
		Loss: loss.Hinge{C: in.C}, Y: in.Y}
	if in.Tau != nil {
		p.Set = set.Spectraplex{Trace: *in.Tau}
	}
	return p
}

// spectrum is the eigenvalues of θ, ascending.
func spectrum(theta []float64) []float64 {
	n := int(math.Sqrt(float64(len(theta))))
	l, _ := linalg.ThreadLimit(0).Eigen(mat.NewSymDense(n, slices.Clone(theta)), false)
	return l
}

// indSVM is one similarity matrix and L3, with a trace or without.
func (g *golden) indSVM(input, expected []byte, tol map[string]float64) {
	var in struct {
		esklInput
		S [][]float64
	}
	var want struct {
		Objective float64
		Row       []float64 `json:"K_row0"`
		Values    []float64 `json:"K_eigenvalues"`
	}
	g.read(input, expected, &in, &want)
	p := g.learned(&in.esklInput, in.S)
	r := g.solve(p, mkl.DualAscent{}, mkl.Settings{Gap: 1e-8})
	if r.Status != mkl.Certified {
		g.Fatalf("%v, want certified", r)
	}
	slack := tol["objective"] * want.Objective
	if r.Lower > want.Objective+slack || r.Upper < want.Objective-slack {
		g.Errorf("[%.12g, %.12g] does not hold %.12g", r.Lower, r.Upper, want.Objective)
	}
	g.num("objective", r.F, want.Objective, tol["objective"])
	g.near("first row of K", r.Theta[:len(in.Y)], want.Row, tol["K_row0"])
	g.near("eigenvalues of K", spectrum(r.Theta), want.Values, tol["K_eigenvalues"])
}

// dualFunction is φ(α), its minimizer and its slope.
func (g *golden) dualFunction(input, expected []byte, tol map[string]float64) {
	var in struct {
		esklInput
		S [][]float64
	}
	var want struct {
		Value    float64
		Gradient []float64
		Values   []float64 `json:"Kstar_eigenvalues"`
	}
	g.read(input, expected, &in, &want)
	p := g.learned(&in.esklInput, in.S)
	pt, w := p.NewPoint(), unsigned(in.Alpha, in.Y)
	q, _ := p.Reg.(reg.Majorized).Majorize(pt.Theta)
	a, c := q.A, q.C
	pt.Gram.Gradient(pt.Theta, w)
	floats.AddScaledTo(pt.Theta, c, 1/(4*a), pt.Theta)
	p.Set.Project(pt.Theta, pt.Theta)
	pt, err := p.EvaluateAt(g.Context(), pt.Theta, w)
	if err != nil {
		g.Fatal(err)
	}
	g.num("value", pt.F(), want.Value, tol["value"])
	r := g.solve(p, mkl.DualAscent{}, mkl.Settings{Gap: 1e-8})
	// some sα, 0 ≤ s ≤ 1, may prove more than α
	if c, err := p.Certify(pt, false); err != nil || c.Lower > r.Upper || c.Lower < want.Value-1e-8 {
		g.Errorf("a bound of %.12g by α, want %.12g at least, the optimum %.12g at most", c.Lower, want.Value, r.Upper)
	}
	g.near("eigenvalues of K*", spectrum(pt.Theta), want.Values, tol["Kstar_eigenvalues"])
	kw, slope := make([]float64, len(w)), make([]float64, len(w))
	linalg.SymMulVec(kw, pt.Gram.K().Dense(), w)
	for i, v := range kw {
		slope[i] = 1 - in.Y[i]*v
	}
	g.near("gradient", slope, want.Gradient, tol["gradient"])
}

// subgradientStep is F, its cut and a mirror step at one K, and the step as printed.
func (g *golden) subgradientStep(input, expected []byte, tol map[string]float64) {
	var in struct {
		esklInput
		S   [][][]float64
		K   [][]float64
		Eta float64
	}
	var want struct {
		Objective, Omega float64
		Alpha            []float64
		Subgradient      [][]float64
		True             [][]float64 `json:"true_step_K"`
		TrueValues       []float64   `json:"true_step_eigenvalues"`
		Values           []float64   `json:"printed_step_eigenvalues_ascending_pairing"`
		Row              []float64   `json:"printed_step_K_row0"`
		Lower            float64     `json:"lower_bound_single_cut"`
	}
	g.read(input, expected, &in, &want)
	p := g.learned(&in.esklInput, in.S...)
	theta := slices.Concat(in.K...)
	pt := g.at(p, theta)
	g.num("objective", pt.F(), want.Objective, tol["objective"])
	g.num("omega", pt.Dual(), want.Omega, tol["objective"])
	g.near("alpha", unsigned(pt.W, in.Y), want.Alpha, tol["alpha"])
	g.near("subgradient", pt.Grad(), slices.Concat(want.Subgradient...), tol["subgradient"])
	g.num("bound of one cut", pt.F()-floats.Dot(pt.Grad(), theta)+pt.Oracle().Minimum, want.Lower, tol["subgradient"])

	n := len(in.Y)
	var s linalg.Spectral
	s.Factorize(mat.NewSymDense(n, slices.Clone(theta)), true)
	log := mat.NewSymDense(n, nil)
	s.Apply(log, math.Log)
	step := scaled(-1, similarity.Vec(log))
	floats.AddScaled(step, in.Eta, pt.Grad())
	set.Spectraplex{Trace: *in.Tau}.Mirror(step, step)
	g.near("mirror step", step, slices.Concat(want.True...), tol["true_step_K"])
	g.near("its eigenvalues", spectrum(step), want.TrueValues, tol["true_step_K"])

	printed := mkl.MirrorDescent{AsPrinted: true, SubgradientBound: math.Sqrt(2*math.Log(float64(n))) / in.Eta}
	for it, err := range mkl.Steps(g.Context(), p, printed, &mkl.Settings{Theta: theta, InnerGap: 1e-12}) {
		g.must(err)
		if it.K == 1 {
			g.near("eigenvalues of the step as printed", spectrum(it.Theta), want.Values, tol["true_step_K"])
			g.near("first row of the step as printed", it.Theta[:n], want.Row, tol["true_step_K"])
			return
		}
	}
}

// esklOptimum brackets the optimum of a semidefinite program, by every solver that suits.
func (g *golden) esklOptimum(input, expected []byte, tol map[string]float64) {
	var in struct {
		esklInput
		S [][][]float64
	}
	var want struct{ Objective float64 }
	g.read(input, expected, &in, &want)
	p := g.learned(&in.esklInput, in.S...)
	enough := int(tol["iterations_enough"])
	for _, s := range []struct {
		mkl.Solver
		gap float64
	}{{mkl.DualAscent{}, 1e-6}, {mkl.ADMM{}, 1e-4}, {mkl.MirrorDescent{}, tol["certified_gap_rel"]}} {
		if _, err := s.Requirements(p); err != nil {
			continue
		}
		r := g.solve(p, s, mkl.Settings{Gap: s.gap / 2, Iterations: enough})
		low, high := want.Objective*(1-tol["objective_rel_lower"]), want.Objective*(1+tol["objective_rel_lower"])
		if r.Upper < low || r.Lower > high {
			g.Errorf("%v: [%.12g, %.12g] does not hold %.12g", s, r.Lower, r.Upper, want.Objective)
		}
		if r.RelativeGap() > s.gap {
			g.Errorf("%v, want a relative gap of %g", r, s.gap)
		}
		if best := math.Max(s.gap, tol["objective_rel_upper"]); r.F > want.Objective*(1+best) {
			g.Errorf("%v: F = %.12g, want %.12g to %g", s, r.F, want.Objective, best)
		}
	}
}
