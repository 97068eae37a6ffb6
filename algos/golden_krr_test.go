package algos_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/notebooks/papers/lvx"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Schema krr-family-golden/1.

type krrCheck struct {
	Kind, Algorithm, Family    string
	Mu, Mu0, Alpha, Grad, U, Z []float64
	HessVec                    []float64   `json:"hess_vec"`
	Hess                       [][]float64 `json:"hess"`
	Beta, F, Q, Lambda, Eta    float64
	Half                       float64     `json:"dual_at_half_alpha"`
	BetaZero                   *float64    `json:"beta_zero"`
	GapFW                      float64     `json:"gap_fw"`
	GapT                       *float64    `json:"gap_t"`
	GapGlobal                  float64     `json:"gap_global"`
	FOpt                       float64     `json:"F_opt"`
	MuInit                     []float64   `json:"mu_init"`
	MuIterates                 [][]float64 `json:"mu_iterates"`
	AlphaLast                  []float64   `json:"alpha_last"`
	B                          *float64    `json:"b"`

	// of polynomial and mixed
	MaxDegree             int `json:"max_degree"`
	Exponents, Tied, Free [][]int
	Gram                  [][]float64
	Theta                 []float64
	// of riemann
	Ambient, Tangent, RGrad, Retraction []float64
	RHess                               []float64 `json:"rhess_tangent"`
	// of prop4
	Value float64
	raw   json.RawMessage
}

func flat(a [][]int) (out []float64) {
	for _, row := range a {
		for _, v := range row {
			out = append(out, float64(v))
		}
	}
	return out
}

func (g *golden) krr(b []byte) {
	var file struct {
		Rtol     float64
		Problems []struct {
			ID      string
			Kernels struct {
				Type string
				K    [][][]float64
				X    [][]float64
			}
			Y      []float64
			Lambda float64
			Degree int
			Checks []json.RawMessage
		}
	}
	g.must(json.Unmarshal(b, &file))
	g.rtol = file.Rtol
	for _, p := range file.Problems {
		var grams kernel.Grams
		var bases kernel.List
		switch p.Kernels.Type {
		case "dense":
			for k, m := range p.Kernels.K {
				bases = append(bases, kernel.Precomputed{Name: fmt.Sprintf("K%d", k+1), N: len(m),
					Data: slices.Concat(m...)})
			}
			grams = kernel.Sum{Kernels: bases, Degree: p.Degree}.Bind(points.AllIndices(len(p.Y)))
		case "rank1":
			grams = kernel.Features{Degree: p.Degree}.Bind(points.NewRows(p.Kernels.X))
		case "features":
			grams = kernel.Gaussians{}.Bind(points.NewRows(p.Kernels.X))
		case "none":
		default:
			g.Errorf("%s: unknown kernels %q", p.ID, p.Kernels.Type)
		}
		for i, raw := range p.Checks {
			g.check(fmt.Sprintf("%s #%d", p.ID, i+1), func(g *golden) {
				c := krrCheck{raw: raw}
				g.must(json.Unmarshal(raw, &c))
				on, f := grams, kernel.Monomials{Kernels: bases, Tied: c.Tied, Free: c.Free} // of mixed
				switch {
				case c.Kind == "polynomial" || c.Family == "polynomial":
					f.Free = kernel.Exponents(len(bases), c.MaxDegree)
					if c.Kind == "polynomial" {
						g.near("exponents", flat(f.Free), flat(c.Exponents), 0)
					}
					fallthrough
				case c.Kind == "mixed":
					on = f.Bind(points.AllIndices(len(p.Y)))
				}
				g.krrCheck(c, &mkl.Problem{Grams: on, Set: set.Orthant{}, Loss: loss.Squared{Lambda: p.Lambda},
					Y: p.Y}, p.Lambda)
			})
		}
	}
}

func (g *golden) krrCheck(c krrCheck, p *mkl.Problem, lambda float64) {
	ball := set.Ball{Q: c.Q, Radius: c.Lambda, Center: c.Mu0}
	if c.Beta != 0 {
		p.Reg = reg.Ridge{Beta: c.Beta / 2}
	}
	switch c.Kind {
	case "eval":
		g.eval(c, p)
	case "solve":
		switch c.Algorithm {
		case "pgd":
			p.Set = ball
			g.krrSolve(c, p, lambda, mkl.SPG{}, mkl.PGD{})
		case "iia":
			p.Set = ball
			g.krrSolve(c, p, lambda, mkl.IIA{}, mkl.SPG{})
		case "trust_region":
			p.Set = ball
			g.krrSolve(c, p, lambda, mkl.TrustRegion{}, mkl.SPG{})
		case "riia":
			g.krrSolve(c, p, lambda, mkl.IIA{}, mkl.SPG{}, mkl.PGD{})
		case "rpgd":
			p.Set = set.Orthant{At: 0.3}
			g.krrSolve(c, p, lambda, mkl.SPG{}, mkl.PGD{})
		case "svm_mkl":
			p.Set, p.Loss = ball, loss.SquaredHinge{Lambda: lambda}
			g.krrSolve(c, p, lambda, mkl.SPG{})
		default:
			g.unknown(c.Kind, c.Algorithm)
		}
	case "svm":
		p.Loss = loss.SquaredHinge{Lambda: lambda}
		pt := g.at(p, c.Mu)
		g.num("F", 2*pt.F(), c.F, g.rtol)
		// α is known to the square root of the inner gap that rounding allows
		g.near("alpha", unsigned(pt.W, p.Y), c.Alpha, 1e-6)
		g.num("b", pt.Bias, *c.B, 1e-6)
		g.near("gradient", scaled(2, pt.Grad()), c.Grad, 1e-6)
	case "iterates":
		g.iterates(c, p, ball)
	case "certificate":
		p.Set = ball
		g.certificate(c, p)
	case "project":
		x := make([]float64, len(c.Z))
		ball.Project(x, c.Z)
		g.near("projection", x, c.Mu, g.rtol)
	case "normalize":
		x := make([]float64, len(c.Z))
		ball.Normalize(x, c.Z)
		g.near("normalized", x, c.Mu, g.rtol)
	case "riemann":
		g.riemann(c, p)
	case "polynomial", "ard":
		g.family(c, p, c.Mu)
	case "mixed":
		g.family(c, p, c.Theta)
	case "prop4":
		h, err := check.HessianMatrix(p, c.Mu)
		g.must(err)
		u := mat.NewVecDense(len(c.U), c.U)
		g.num("uᵀHu/2", mat.Inner(u, h, u), c.Value, g.rtol) // of J, which is F/2
	case "constants": // of Proposition 2.3, which the library does not compute
	case "bound":
		g.bound(c)
	default:
		g.unknown(c.Kind, c.Algorithm)
	}
}

// riemann checks the pieces of Algorithm 8 on the sphere about μ₀.
func (g *golden) riemann(c krrCheck, p *mkl.Problem) {
	s := mkl.Sphere{Radius: c.Lambda, Center: c.Mu0}
	pt, v := g.at(p, c.Mu), make([]float64, len(c.Mu))
	s.ProjectToTangent(v, c.Mu, c.Ambient)
	g.near("tangent", v, c.Tangent, g.rtol)
	s.ProjectToTangent(v, c.Mu, pt.Grad())
	g.near("Riemannian gradient", scaled(2, v), c.RGrad, g.rtol)
	if !pt.HessianVectorProduct(v, c.Tangent) {
		g.Errorf("no Hessian")
	}
	s.Hessian(v, c.Mu, pt.Grad(), v, c.Tangent)
	g.near("Riemannian Hessian", scaled(2, v), c.RHess, g.rtol)
	s.Retract(v, c.Mu, c.Tangent)
	g.near("retraction", v, c.Retraction, g.rtol)
}

// family checks the values and derivatives of a family at θ that are given.
func (g *golden) family(c krrCheck, p *mkl.Problem, theta []float64) {
	pt := g.at(p, theta)
	for i, row := range c.Gram {
		got := make([]float64, len(row))
		for j := range got {
			got[j] = pt.Gram.K().At(i, j)
		}
		g.near(fmt.Sprintf("row %d of K", i), got, row, g.rtol)
	}
	g.num("F", 2*pt.F(), c.F, g.rtol)
	if c.Alpha != nil {
		g.near("alpha", pt.W, c.Alpha, g.rtol)
	}
	g.near("gradient", scaled(2, pt.Grad()), c.Grad, g.rtol)
	if c.Kind == "ard" {
		for k, row := range c.Hess {
			d := difference(theta, k, func(theta []float64) []float64 { return scaled(2, g.at(p, theta).Grad()) })
			g.near(fmt.Sprintf("Hessian row %d", k), d, row, 1e-6)
		}
		return
	}
	h, err := check.HessianMatrix(p, theta)
	g.must(err)
	for k, row := range c.Hess {
		g.near(fmt.Sprintf("Hessian row %d", k), scaled(2, mat.Row(nil, k, h)), row, g.rtol)
	}
}

func (g *golden) bound(c krrCheck) {
	var in struct {
		P, M, Degree   int
		R2, Rademacher float64
	}
	g.must(json.Unmarshal(c.raw, &in))
	g.num("Rademacher bound", lvx.RademacherBound(in.P, in.M, in.Degree, in.R2), in.Rademacher, g.rtol)
}

func (g *golden) eval(c krrCheck, p *mkl.Problem) {
	pt := g.at(p, c.Mu)
	g.num("F", 2*pt.F(), c.F, g.rtol)
	g.num("F from above", 2*pt.Upper(), c.F, g.rtol)
	g.near("alpha", pt.W, c.Alpha, g.rtol)
	g.near("gradient", scaled(2, pt.Grad()), c.Grad, g.rtol)
	product := func(u []float64) []float64 {
		h := make([]float64, len(u))
		if !pt.HessianVectorProduct(h, u) {
			g.Fatalf("no Hessian")
		}
		floats.AddScaled(h, c.Beta, u) // ∇²β/2‖θ‖²
		return scaled(2, h)
	}
	g.near("Hessian times u", product(c.U), c.HessVec, g.rtol)
	for k, row := range c.Hess {
		e := make([]float64, len(c.Mu))
		e[k] = 1
		g.near(fmt.Sprintf("Hessian row %d", k), product(e), row, g.rtol)
	}
	half := loss.Solution{W: scaled(0.5, pt.W)}
	p.Loss.Evaluate(&half, pt.Gram, p.Y, nil)
	g.num("dual at α/2", 2*half.Dual(), c.Half, g.rtol)
}

func (g *golden) krrSolve(c krrCheck, p *mkl.Problem, lambda float64, solvers ...mkl.Solver) {
	for _, s := range solvers {
		// as far as rounding allows: the optimal μ is that ill-conditioned
		set := mkl.Settings{Gap: 1e-14, Iterations: 5000}
		if c.B != nil {
			set.InnerGap = 1e-13 // an iterative solver's noise in F ends line searches
		}
		r := g.solve(p, s, set)
		name := s.String() + ": "
		g.num(name+"F", 2*r.F, c.F, 1e-8)
		g.near(name+"μ", r.Theta, c.Mu, 1e-5)
		alpha := r.W
		if c.B != nil { // a support vector machine
			alpha = unsigned(r.W, p.Y)
			g.num(name+"b", r.Bias, *c.B, 1e-5)
		}
		g.near(name+"α", alpha, c.Alpha, 1e-5)
		if 2*r.Lower > c.F*(1+1e-9) {
			g.Errorf("%s lower bound %.12g of a minimum %.12g", s, 2*r.Lower, c.F)
		}
		d := p.Degree()
		global := d == 1 || p.Reg != nil || c.Q >= float64(d)
		if (r.Kind == mkl.Global) != global {
			g.Errorf("%s: %v, want global = %v", s, r.Certificate, global)
		}
		// d > 2 has only the O(m) bound, which is as far off as some (θ−μ₀)_k is small
		if tol := 1e-8; global && d <= 2 && r.RelativeGap() > tol {
			g.Errorf("%s: relative gap %.2g, want ≤ %g (%v)", s, r.RelativeGap(), tol, r)
		} else if global && r.RelativeGap() > 1e-5 {
			g.Errorf("%s: relative gap %.2g (%v)", s, r.RelativeGap(), r)
		}
	}
	if c.BetaZero != nil {
		beta, _, err := mkl.SmallestBetaForZeroTheta(p)
		g.must(err)
		g.num("beta_zero", 2*beta, *c.BetaZero, g.rtol)
	}
}

func (g *golden) iterates(c krrCheck, p *mkl.Problem, ball set.Ball) {
	var s mkl.Solver
	switch c.Algorithm {
	case "pgd":
		p.Set = ball
		s = mkl.PGD{Rule: mkl.Constant, Eta: 2 * c.Eta, ScaleToSphere: true} // their step is on 2F
	case "rpgd":
		s = mkl.PGD{Rule: mkl.Constant, Eta: 2 * c.Eta}
	case "iia":
		p.Set = ball
		s = mkl.IIA{Eta: c.Eta}
	case "riia":
		s = mkl.IIA{Eta: c.Eta}
	default:
		g.unknown(c.Kind, c.Algorithm)
	}
	var alpha []float64 // IIA's blend, from the iterates it shows
	for it, err := range mkl.Steps(g.Context(), p, s, &mkl.Settings{Theta: c.MuInit}) {
		g.must(err)
		if it.K == 0 {
			alpha = slices.Clone(it.W)
			continue
		}
		g.near(fmt.Sprintf("iterate %d", it.K), it.Theta, c.MuIterates[it.K-1], g.rtol)
		for i, w := range it.W {
			alpha[i] = c.Eta*alpha[i] + (1-c.Eta)*w
		}
		if it.K == len(c.MuIterates) {
			break
		}
	}
	if c.AlphaLast != nil {
		g.near("last α", alpha, c.AlphaLast, g.rtol)
	}
}

func (g *golden) certificate(c krrCheck, p *mkl.Problem) {
	pt := g.at(p, c.Mu)
	cert, err := p.Certify(pt, true)
	g.must(err)
	g.num("F", 2*pt.F(), c.F, g.rtol)
	g.num("first-order gap", 2*cert.Residual, c.GapFW, g.rtol)
	gap := 2 * (pt.F() - cert.Lower)
	d := p.Degree()
	switch {
	case d > 1 && c.Q < float64(d):
		if cert.Kind != mkl.FirstOrder {
			g.Errorf("%v, want a first-order one", cert)
		}
		return
	case gap < c.F-c.FOpt-1e-9:
		g.Errorf("gap %.12g below F − min F = %.12g", gap, c.F-c.FOpt)
	case gap > c.GapGlobal*(1+1e-8):
		g.Errorf("gap %.12g above the reference's %.12g", gap, c.GapGlobal)
	}
	// where the best scaling of α and the better of two arguments do not improve on the
	// reference, it is the reference's number
	if d == 1 {
		g.num("global gap", gap, c.GapGlobal, g.rtol)
	}
}
