package algos_test

import (
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

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
