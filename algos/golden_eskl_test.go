package algos_test

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
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

// Several matrices under a block norm, schema svm_family/1: the inner problem Ω, EMKL and REKL.

// omega solves the inner problem on Gaussians with a width for each axis, and the sparse problem that (5) is.
func (g *golden) omega(input, expected []byte, tol map[string]float64) {
	var in struct {
		X        [][]float64
		Y        []float64
		C, Scale float64
		Gammas   [][]float64 `json:"kernel_gammas"`
	}
	var want struct {
		Omega, Bias     float64
		Gamma, Alpha, Q []float64
		Slopes          []float64 `json:"grad_coeff"`
		Sparse          float64   `json:"omega5_l1_mkl"`
	}
	g.read(input, expected, &in, &want)
	n := len(in.Y)
	var blocks blocks.Family
	var list kernel.List
	for _, gammas := range in.Gammas {
		gaussian := kernel.Gaussians{}.Bind(points.NewRows(in.X)).New()
		gaussian.SetTheta(gammas)
		k := kernel.Precomputed{N: n, Data: scaled(in.Scale, mat.DenseCopyOf(gaussian.K()).RawMatrix().Data)}
		list = append(list, k)
		blocks.Families = append(blocks.Families, kernel.List{k})
	}
	hinge := loss.Hinge{C: in.C}
	gram := blocks.Bind(points.AllIndices(n)).New().(kernel.Blocked)
	theta := slices.Repeat([]float64{1}, len(list))
	at := gram.(kernel.Gram)
	at.SetTheta(theta)
	var s loss.Solution
	g.must((loss.BlockNorm{Loss: hinge}).Solve(g.Context(), &s, at, in.Y, 1e-12))
	gamma, slopes, q := make([]float64, len(list)), make([]float64, len(list)), make([]float64, len(list))
	for i, c := range s.BlockWeights {
		gamma[i], slopes[i] = 1/c, -c/2
	}
	gram.BlockQuadraticForms(q, s.W)
	g.num("omega", s.Dual(), want.Omega, tol["omega"])
	g.num("bias", s.Bias, want.Bias, tol["bias"])
	g.near("gamma", gamma, want.Gamma, tol["gamma"])
	g.near("alpha", unsigned(s.W, in.Y), want.Alpha, tol["alpha"])
	g.near("q", q, want.Q, tol["q"])
	g.near("slopes", slopes, want.Slopes, tol["q"])
	r := g.solve(&mkl.Problem{Grams: list.Bind(points.AllIndices(n)), Set: set.Simplex{}, Loss: hinge, Y: in.Y},
		mkl.Level{}, mkl.Settings{Gap: 1e-8})
	g.num("(5)", r.F, want.Sparse, tol["omega5_l1_mkl"])
}

// severalInput is the input of EMKL and REKL.
type severalInput struct {
	S           [][][]float64
	Y           []float64
	C, Rho, Tau float64
	Loss        string
	Mu          [][]float64
}

// near is ρL of a block.
func (in *severalInput) near(target []float64) reg.Reg {
	d := map[string]reg.Distance{"L1": reg.OneNorm, "L2": reg.TwoNorm, "L3": reg.SquaredNorm}[in.Loss]
	return reg.DistancePenalty{Rho: in.Rho, Distance: d, Targets: [][]float64{target}}
}

// emkl is (6): a matrix for each similarity.
func (in *severalInput) emkl() *mkl.Problem {
	n := len(in.Y)
	var f blocks.Family
	var r reg.Separable
	for _, s := range in.S {
		f.Families = append(f.Families, similarity.Learned{N: n})
		r.Parts = append(r.Parts, in.near(slices.Concat(s...)))
	}
	return &mkl.Problem{Grams: f.Bind(points.AllIndices(n)),
		Set: set.Product{Factor: set.Spectraplex{Trace: in.Tau}, Count: len(in.S)}, Reg: r,
		Loss: loss.BlockNorm{Loss: loss.Hinge{C: in.C}}, Y: in.Y}
}

// rekl is (14): a spectrum for each, on the eigenvectors of the similarities.
func (in *severalInput) rekl(g *golden) *mkl.Problem {
	n := len(in.Y)
	f := blocks.Spectra{N: n}
	var r reg.Separable
	for _, s := range in.S {
		e, err := similarity.Decompose(mat.NewSymDense(n, slices.Concat(s...)))
		g.must(err)
		f.Vectors = append(f.Vectors, mat.DenseCopyOf(e.Vectors).RawMatrix().Data)
		r.Parts = append(r.Parts, in.near(e.Values))
	}
	return &mkl.Problem{Grams: f.Bind(points.AllIndices(n)),
		Set: set.Product{Factor: set.Simplex{Sum: in.Tau}, Count: len(in.S)}, Reg: r,
		Loss: loss.BlockNorm{Loss: loss.Hinge{C: in.C}}, Y: in.Y}
}

func (g *golden) reklGradient(input, expected []byte, tol map[string]float64) {
	var in severalInput
	var want struct {
		Objective, Omega float64
		Gamma            []float64
		Gradient         [][]float64
	}
	g.read(input, expected, &in, &want)
	pt := g.at(in.rekl(g), slices.Concat(in.Mu...))
	gamma := make([]float64, len(pt.BlockWeights))
	for i, c := range pt.BlockWeights {
		gamma[i] = 1 / c
	}
	g.num("objective", pt.F(), want.Objective, tol["objective"])
	g.num("omega", pt.Dual(), want.Omega, tol["omega"])
	g.near("gamma", gamma, want.Gamma, tol["gamma"])
	g.near("gradient", pt.Grad(), slices.Concat(want.Gradient...), tol["gradient"])
}

// several asks every solver that takes the problem for the optimum, and for bounds on both sides of it.
func (g *golden) several(input, expected []byte, tol map[string]float64, problem func(*severalInput) *mkl.Problem) {
	var in severalInput
	var want struct{ Objective float64 }
	g.read(input, expected, &in, &want)
	solvers := []mkl.Solver{mkl.MirrorDescent{}, mkl.ADMM{}}
	if in.Loss == "L3" {
		solvers = append(solvers, mkl.DualAscent{})
	}
	if in.Loss != "L1" && len(in.S) > 1 { // where F has no kinks on the way
		solvers = append(solvers, mkl.SPG{AllowNonsmooth: true})
	}
	for _, s := range solvers {
		gap := 1e-6
		if _, splits := s.(mkl.ADMM); splits {
			gap = 1e-4
		}
		r := g.solve(problem(&in), s, mkl.Settings{Gap: gap, Iterations: 1000})
		if _, slow := s.(mkl.MirrorDescent); !slow && r.Status != mkl.Certified {
			g.Errorf("%v, want certified", r)
		}
		if r.F < want.Objective*(1-tol["objective_rel_lower"]) || r.F > want.Objective*(1+tol["objective_rel_upper"]) ||
			r.Lower > want.Objective*(1+tol["objective_rel_lower"]) || r.RelativeGap() > tol["certified_gap_rel"] {
			g.Errorf("%v: value %.10g, lower bound %.10g, want %.10g", r, r.F, r.Lower, want.Objective)
		}
	}
}
