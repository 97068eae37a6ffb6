package mkl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

// noisy are n labeled points whose similarities are a Gaussian kernel with symmetric noise of the given size.
func noisy(n int, noise float64, seed uint64) (s *mat.SymDense, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 17))
	x := make([][3]float64, n)
	y = make([]float64, n)
	for i := range x {
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		y[i] = 1
		if x[i][0]+x[i][1]*x[i][2]+0.3*rng.NormFloat64() < 0 {
			y[i] = -1
		}
	}
	y[0], y[1] = 1, -1
	s = mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			d := 0.0
			for k := range x[i] {
				d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k])
			}
			s.SetSym(i, j, math.Exp(-d/3)+noise*rng.NormFloat64())
		}
	}
	return s, y
}

// learned is (4) of Kundu et al. for given similarities, with a trace, or without one where that is 0.
func learned(y []float64, c, rho, trace float64, d reg.Distance, similarities ...*mat.SymDense) *mkl.Problem {
	n := len(y)
	r := reg.DistancePenalty{Rho: rho, Distance: d}
	for _, s := range similarities {
		r.Targets = append(r.Targets, similarity.Vec(s))
	}
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.Bind(points.AllIndices(n)), Set: set.Spectraplex{Trace: trace},
		Reg: r, Loss: loss.Hinge{C: c}, Y: y}
	if trace == 0 {
		p.Set = set.PSD{}
	}
	return p
}

// matrixCases are problems whose θ is a matrix, of a distance.
func matrixCases(d reg.Distance) (cs []mkltest.Case) {
	add := func(name string, p *mkl.Problem) {
		cs = append(cs, mkltest.Case{Name: fmt.Sprintf("%v, %s", d, name), Problem: p, HasGlobalCertificate: true})
	}
	for _, rho := range []float64{0.02, 0.3, 5} {
		s, y := noisy(14, 0.3, 3)
		t, _ := noisy(14, 0.3, 4)
		add(fmt.Sprintf("trace, ρ=%g", rho), learned(y, 1, rho, 14, d, s))
		add(fmt.Sprintf("two, ρ=%g", rho), learned(y, 2, rho, 7, d, s, t))
		if d == reg.SquaredNorm {
			add(fmt.Sprintf("no trace, ρ=%g", rho), learned(y, 1, rho, 0, d, s))
		}
		p := learned(y, 1, rho, 14, d, s) // transductive: 9 points have labels
		p.Grams, p.Y = similarity.Learned{N: 14}.Bind(points.AllIndices(9)), y[:9]
		add(fmt.Sprintf("transductive, ρ=%g", rho), p)
		q := *p
		q.Loss = loss.SquaredHinge{Lambda: 0.5}
		add(fmt.Sprintf("squared hinge, ρ=%g", rho), &q)
	}
	return cs
}

// symmetric draws a matrix near θ.
func symmetric(dst, theta []float64, r *rand.Rand) {
	n := int(math.Sqrt(float64(len(theta))))
	for i := range n {
		for j := range i + 1 {
			v := theta[i*n+j] + 0.3*r.NormFloat64()
			dst[i*n+j], dst[j*n+i] = v, v
		}
	}
}

func TestDualAscent(t *testing.T) {
	mkltest.TestSolver(t, mkl.DualAscent{}, mkltest.Options{Cases: matrixCases(reg.SquaredNorm), Gap: 1e-6,
		Iterations:        100,
		MaxWarmStartSteps: 3, Perturb: symmetric})
	mkltest.TestSolver(t, mkl.DualAscent{}, mkltest.Options{Cases: matrixCases(reg.TwoNorm), Gap: 1e-5, Iterations: 200,
		MaxWarmStartSteps: 10, Perturb: symmetric})
	mkltest.TestSolver(t, mkl.DualAscent{}, mkltest.Options{Cases: vectorCases(), Gap: 1e-6, Iterations: 500,
		MaxWarmStartSteps: 5})
}

// vectorCases weigh kernels, with a quadratic regularizer.
func vectorCases() (cs []mkltest.Case) {
	x, _ := mkltest.RandomPoints(24, 3, 5)
	_, y := noisy(24, 0, 6)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 2}},
		Normalize: kernel.MeanDiagonal}.Bind(x)
	for _, beta := range []float64{0.1, 2, 40} {
		for _, s := range []set.Set{set.Simplex{}, set.Orthant{}, set.Ball{Q: 2, Radius: 1}} {
			cs = append(cs, mkltest.Case{Name: fmt.Sprintf("%T, β=%g", s, beta), HasGlobalCertificate: true,
				Problem: &mkl.Problem{Grams: g, Set: s, Reg: reg.Ridge{Beta: beta}, Loss: loss.Hinge{C: 2}, Y: y}})
		}
	}
	return cs
}

func TestADMM(t *testing.T) {
	var cases []mkltest.Case
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		for _, c := range matrixCases(d) {
			if r := c.Reg.(reg.DistancePenalty); r.Rho == 0.3 || r.Rho == 5 && d == reg.OneNorm {
				cases = append(cases, c)
			}
		}
	}
	mkltest.TestSolver(t, mkl.ADMM{}, mkltest.Options{Cases: cases, Gap: 1e-4, Iterations: 200, MaxWarmStartSteps: -1,
		Perturb: symmetric})
}

// TestADMMFromTarget tests a run that begins at the similarity, so that r has no slope there.
func TestADMMFromTarget(t *testing.T) {
	_, y := noisy(10, 0.3, 3)
	s := mat.NewSymDense(10, nil)
	for i := range 10 {
		s.SetSym(i, i, 1)
	}
	for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
		for name, p := range map[string]*mkl.Problem{"one": learned(y, 1, 0.1, 10, d, s),
			"two": several(y, 1, 0.1, 10, d, s, s)} {
			r, err := mkl.Solve(t.Context(), p, mkl.ADMM{}, &mkl.Settings{Gap: 1e-4, Iterations: 200})
			if err != nil || r.Status != mkl.Certified {
				t.Errorf("%v, %s: %v, %v", d, name, err, r)
			}
		}
	}
}

// several is (6) of Kundu et al., EMKL: a matrix of trace τ for each similarity, on n points of which len(y) have
// labels.
func several(y []float64, c, rho, trace float64, d reg.Distance, similarities ...*mat.SymDense) *mkl.Problem {
	n := similarities[0].SymmetricDim()
	var f blocks.Family
	var r reg.Separable
	for _, s := range similarities {
		f.Families = append(f.Families, similarity.Learned{N: n})
		r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: d, Targets: [][]float64{similarity.Vec(s)}})
	}
	return &mkl.Problem{Grams: f.Bind(points.AllIndices(len(y))),
		Set: set.Product{Factor: set.Spectraplex{Trace: trace},
			Count: len(similarities)}, Reg: r,
		Loss: loss.BlockNorm{Loss: loss.Hinge{C: c}}, Y: y}
}

// restricted is (7), REKL: a spectrum for each, on the eigenvectors of the similarities.
func restricted(t *testing.T, y []float64, c, rho, trace float64, d reg.Distance,
	similarities ...*mat.SymDense) *mkl.Problem {
	n := similarities[0].SymmetricDim()
	f := blocks.Spectra{N: n}
	var r reg.Separable
	for _, s := range similarities {
		e := must(similarity.Decompose(s))
		f.Vectors = append(f.Vectors, mat.DenseCopyOf(e.Vectors).RawMatrix().Data)
		r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: d, Targets: [][]float64{e.Values}})
	}
	return &mkl.Problem{Grams: f.Bind(points.AllIndices(len(y))), Set: set.Product{Factor: set.Simplex{Sum: trace},
		Count: len(similarities)}, Reg: r,
		Loss: loss.BlockNorm{Loss: loss.Hinge{C: c}}, Y: y}
}

// blockCases are EMKL and REKL with a distance: random similarities, some that are kernels of the trace already,
// where L2 and L1 have a kink at the optimum, and points without labels.
func blockCases(t *testing.T, d reg.Distance) (emkl, rekl []mkltest.Case) {
	s, y := noisy(12, 0.3, 3)
	u, _ := noisy(12, 0.6, 4)
	kernels := make([]*mat.SymDense, 2)
	for i, seed := range []uint64{5, 6} {
		k, _ := noisy(12, 0, seed)
		k.ScaleSym(12/mat.Trace(k), k)
		kernels[i] = k
	}
	for _, c := range []struct {
		rho    float64
		labels int
		of     []*mat.SymDense
	}{{0.05, 12, []*mat.SymDense{s, u}}, {0.5, 8, append(kernels[:2:2], u)}} {
		name := fmt.Sprintf("%v, %d similarities, ρ=%g, %d labels", d, len(c.of), c.rho, c.labels)
		emkl = append(emkl, mkltest.Case{Name: "EMKL " + name, Problem: several(y[:c.labels], 1, c.rho, 12, d, c.of...),
			HasGlobalCertificate: true})
		rekl = append(rekl, mkltest.Case{Name: "REKL " + name, Problem: restricted(t, y[:c.labels], 1, c.rho, 12, d,
			c.of...), HasGlobalCertificate: true})
	}
	return emkl, rekl
}

// symmetricBlocks draws matrices near θ, of 12 points.
func symmetricBlocks(dst, theta []float64, r *rand.Rand) {
	for i := 0; i < len(theta); i += 144 {
		symmetric(dst[i:i+144], theta[i:i+144], r)
	}
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		solver   mkl.Solver
		distance reg.Distance
		gap      float64
		cases    int // DualAscent with L2: only the case in which no matrix is its similarity at the minimum
	}{{mkl.DualAscent{}, reg.SquaredNorm, 1e-6, 2}, {mkl.DualAscent{}, reg.TwoNorm, 1e-5, 1},
		{mkl.ADMM{}, reg.OneNorm, 1e-3, 2},
		{mkl.ADMM{}, reg.TwoNorm, 1e-3, 2}, {mkl.ADMM{}, reg.SquaredNorm, 1e-3, 2}} {
		e, r := blockCases(t, c.distance)
		mkltest.TestSolver(t, c.solver, mkltest.Options{Cases: e[:c.cases], Gap: c.gap, Iterations: 300,
			MaxWarmStartSteps: -1,
			Perturb:           symmetricBlocks})
		mkltest.TestSolver(t, c.solver, mkltest.Options{Cases: r[:c.cases], Gap: c.gap, Iterations: 300,
			MaxWarmStartSteps: -1})
	}
}

// TestBlocksFromACorner tests starts at which wᵀK_iw is 0 for some i, and the weight of K_i, 1/γ_i, is without bound.
func TestBlocksFromACorner(t *testing.T) {
	_, cases := blockCases(t, reg.SquaredNorm)
	for _, c := range cases {
		m, _ := c.Problem.Grams.Dims()
		corner := make([]float64, m)
		for k := range corner {
			corner[k] = float64(1 + k%12*100)
		}
		for _, s := range []mkl.Solver{mkl.ADMM{}, mkl.DualAscent{}} {
			r, err := mkl.Solve(t.Context(), c.Problem, s, &mkl.Settings{Gap: 1e-6, Iterations: 30, Theta: corner})
			if err != nil || r.Status != mkl.Certified {
				t.Errorf("%s: %v, %v", c.Name, r, err)
			}
		}
	}
}

// TestPrintedStepsEnd tests that the printed steps leave eigenvalues that are 0 beside the least slopes, where all
// others times their factors may be too small for a number.
func TestPrintedStepsEnd(t *testing.T) {
	s, y := noisy(9, 0.3, 2)
	u, _ := noisy(9, 0.5, 3)
	for _, c := range []float64{1e-4, 1e-2} {
		for _, rho := range []float64{1e-6, 1e-3} {
			for _, d := range []reg.Distance{reg.OneNorm, reg.TwoNorm, reg.SquaredNorm} {
				for _, p := range []*mkl.Problem{several(y, c, rho, 9, d, s, u), restricted(t, y, c, rho, 9, d, s, u),
					learned(y, c, rho, 9, d, s)} {
					r, err := mkl.Solve(context.Background(), p, mkl.MirrorDescent{AsPrinted: true},
						&mkl.Settings{Gap: 1e-9, Iterations: 60})
					if err != nil {
						t.Errorf("C = %g, ρ = %g, %v: %v", c, rho, d, err)
					} else if math.IsNaN(r.F) || r.Infeasible {
						t.Errorf("C = %g, ρ = %g, %v: %v", c, rho, d, r)
					}
				}
			}
		}
	}
}

func certified(t *testing.T, p *mkl.Problem, s mkl.Solver, gap float64) *mkl.Result {
	t.Helper()
	r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: gap, Iterations: 2000})
	if err != nil || r.Status != mkl.Certified {
		t.Fatalf("%v, %v", r, err)
	}
	return r
}
