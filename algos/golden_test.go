package algos_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// notBuilt are the checks of the golden files that the library cannot do yet, as (schema, kind or
// section, algorithm or family): counted, not failed. A line goes when its method arrives.
var notBuilt = map[[3]string]bool{
	{"krr-family-golden/1", "solve", "trust_region"}: true,
	{"krr-family-golden/1", "solve", "polynomial"}:   true,
	{"krr-family-golden/1", "riemann", ""}:           true,
	{"krr-family-golden/1", "polynomial", ""}:        true,
	{"krr-family-golden/1", "mixed", ""}:             true,
	{"krr-family-golden/1", "ard", ""}:               true,
	{"krr-family-golden/1", "prop4", ""}:             true,
	{"krr-family-golden/1", "constants", ""}:         true,
	{"krr-family-golden/1", "bound", ""}:             true,

	{"svm_family/1", "omega_mkl", ""}:             true,
	{"svm_family/1", "indsvm", ""}:                true,
	{"svm_family/1", "eskl_single_L3", ""}:        true,
	{"svm_family/1", "indsvm_dual_function", ""}:  true,
	{"svm_family/1", "eskl_subgradient_step", ""}: true,
	{"svm_family/1", "eskl_optimum", ""}:          true,
	{"svm_family/1", "emkl_optimum", ""}:          true,
	{"svm_family/1", "rekl_optimum", ""}:          true,
	{"svm_family/1", "rekl_gradient", ""}:         true,

	{"tkl/1", "kernel", ""}:          true,
	{"tkl/1", "gradient", ""}:        true,
	{"tkl/1", "opt_p", ""}:           true,
	{"tkl/1", "opt_a", ""}:           true,
	{"tkl/1", "fw_path", ""}:         true,
	{"tkl/1", "optimum", ""}:         true,
	{"tkl/1", "projection", ""}:      true,
	{"tkl/1", "scaling", ""}:         true,
	{"tkl/1", "d0", ""}:              true,
	{"tkl/1", "printed_formula", ""}: true,
	{"tkl/1", "indicator", ""}:       true,
}

// TestGolden compares the library with reference values: every JSON file in testdata/golden, or in
// the folder named by MKL_GOLDEN. A schema, kind or algorithm that it does not know fails.
func TestGolden(t *testing.T) {
	folder := os.Getenv("MKL_GOLDEN")
	if folder == "" {
		folder = filepath.Join("testdata", "golden")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files in %s (%v)", folder, err)
	}
	sort.Strings(files)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var head struct {
				Format, Schema string
				Version        int
			}
			if err := json.Unmarshal(b, &head); err != nil {
				t.Fatal(err)
			}
			g := &golden{T: t}
			switch {
			case head.Format == "krr-family-golden/1":
				g.krr(b)
			case head.Schema == "svm_family/1":
				g.svm(b)
			case head.Schema == "" && head.Format == "" && head.Version == 1:
				g.tkl(b)
			default:
				t.Fatalf("unknown schema %q%q, version %d", head.Format, head.Schema, head.Version)
			}
			fmt.Printf("%s: %d checks, %d not built\n", filepath.Base(f), g.done, g.missing)
			if g.done+g.missing == 0 {
				t.Fatal("no checks in it")
			}
		})
	}
}

// golden counts the checks of one file.
type golden struct {
	*testing.T
	done, missing int
	id            string
	rtol          float64
}

// skip counts a check that is not built; it reports whether the check is to be skipped.
func (g *golden) skip(schema, kind, what string) bool {
	if notBuilt[[3]string{schema, kind, what}] {
		g.missing++
		return true
	}
	return false
}

func (g *golden) unknown(kind, what string) {
	g.Errorf("%s: unknown check %q %q: neither built nor listed as not built", g.id, kind, what)
}

// near asks for |got−want| ≤ tol·max(1, max|want|).
func (g *golden) near(what string, got, want []float64, tol float64) {
	g.Helper()
	if len(got) != len(want) {
		g.Errorf("%s: %s: length %d, want %d", g.id, what, len(got), len(want))
		return
	}
	scale := math.Max(1, floats.Norm(want, math.Inf(1)))
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tol*scale) {
			g.Errorf("%s: %s[%d] = %.12g, want %.12g (off by %.2g, allowed %.2g)", g.id, what, i, got[i], want[i], d, tol*scale)
			return
		}
	}
}

func (g *golden) num(what string, got, want, tol float64) {
	g.Helper()
	g.near(what, []float64{got}, []float64{want}, tol)
}

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
	if err := json.Unmarshal(b, &file); err != nil {
		g.Fatal(err)
	}
	g.rtol = file.Rtol
	for _, p := range file.Problems {
		var grams kernel.Grams
		switch p.Kernels.Type {
		case "dense":
			var l kernel.List
			for k, m := range p.Kernels.K {
				l = append(l, kernel.Precomputed{Name: fmt.Sprintf("K%d", k+1), N: len(m), Data: slices.Concat(m...)})
			}
			grams = kernel.Sum{Kernels: l, Degree: p.Degree}.On(kernel.AllPlaces(len(p.Y)))
		case "rank1":
			grams = kernel.Features{Degree: p.Degree}.On(kernel.NewRows(p.Kernels.X))
		case "features", "none":
		default:
			g.Errorf("%s: unknown kernels %q", p.ID, p.Kernels.Type)
		}
		for i, raw := range p.Checks {
			g.id = fmt.Sprintf("%s #%d", p.ID, i+1)
			var c krrCheck
			if err := json.Unmarshal(raw, &c); err != nil {
				g.Errorf("%s: %v", g.id, err)
				continue
			}
			g.krrCheck(c, &mkl.Problem{Grams: grams, Set: set.Orthant{}, Loss: loss.Squared{Lambda: p.Lambda}, Y: p.Y}, p.Lambda)
		}
	}
}

func (g *golden) krrCheck(c krrCheck, p *mkl.Problem, lambda float64) {
	what := c.Algorithm
	if c.Kind == "solve" && c.Family != "" {
		what = c.Family
	}
	if c.Kind == "iterates" {
		what = ""
	}
	if g.skip("krr-family-golden/1", c.Kind, what) {
		return
	}
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
			g.solve(c, p, lambda, mkl.SPG{}, mkl.PGD{})
		case "iia":
			p.Set = ball
			g.solve(c, p, lambda, mkl.IIA{}, mkl.SPG{})
		case "riia":
			g.solve(c, p, lambda, mkl.IIA{}, mkl.SPG{}, mkl.PGD{})
		case "rpgd":
			p.Set = set.Orthant{At: 0.3}
			g.solve(c, p, lambda, mkl.SPG{}, mkl.PGD{})
		case "svm_mkl":
			p.Set, p.Loss = ball, loss.SquaredHinge{Lambda: lambda}
			g.solve(c, p, lambda, mkl.SPG{})
		default:
			g.unknown(c.Kind, c.Algorithm)
			return
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
		g.near("normalised", x, c.Mu, g.rtol)
	default:
		g.unknown(c.Kind, c.Algorithm)
		return
	}
	g.done++
}

func (g *golden) at(p *mkl.Problem, mu []float64) *mkl.Point {
	if err := p.Validate(); err != nil {
		g.Fatalf("%s: %v", g.id, err)
	}
	pt := p.NewPoint()
	copy(pt.Theta, mu)
	if err := pt.Evaluate(nil, 1e-12); err != nil {
		g.Fatalf("%s: %v", g.id, err)
	}
	return pt
}

func (g *golden) eval(c krrCheck, p *mkl.Problem) {
	pt := g.at(p, c.Mu)
	g.num("F", 2*pt.F(), c.F, g.rtol)
	g.num("F from above", 2*pt.Upper(), c.F, g.rtol)
	g.near("alpha", pt.W, c.Alpha, g.rtol)
	g.near("gradient", scaled(2, pt.Grad()), c.Grad, g.rtol)
	product := func(u []float64) []float64 {
		h := make([]float64, len(u))
		if !pt.HessVec(h, u) {
			g.Fatalf("%s: no Hessian", g.id)
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
	p.Loss.Judge(&half, pt.Gram, p.Y)
	g.num("dual at α/2", 2*half.Dual(), c.Half, g.rtol)
}

func (g *golden) solve(c krrCheck, p *mkl.Problem, lambda float64, solvers ...mkl.Solver) {
	for _, s := range solvers {
		// as far as rounding allows: the optimal μ is that ill-conditioned
		set := &mkl.Settings{Gap: 1e-14, Iterations: 5000}
		if c.B != nil {
			set.Inner = 1e-13 // an iterative solver's noise in F ends line searches
		}
		r, err := mkl.Solve(context.Background(), p, s, set)
		if err != nil {
			g.Errorf("%s: %v", g.id, err)
			continue
		}
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
			g.Errorf("%s: %s lower bound %.12g of a minimum %.12g", g.id, s, 2*r.Lower, c.F)
		}
		d := p.Degree()
		global := d == 1 || p.Reg != nil || c.Q >= float64(d)
		if (r.Kind == mkl.Global) != global {
			g.Errorf("%s: %s: %v, want global = %v", g.id, s, r.Certificate, global)
		}
		// d > 2 has only the O(m) bound, which is as far off as some (θ−μ₀)_k is small
		if tol := 1e-8; global && d <= 2 && r.RelativeGap() > tol {
			g.Errorf("%s: %s: relative gap %.2g, want ≤ %g (%v)", g.id, s, r.RelativeGap(), tol, r)
		} else if global && r.RelativeGap() > 1e-5 {
			g.Errorf("%s: %s: relative gap %.2g (%v)", g.id, s, r.RelativeGap(), r)
		}
	}
	if c.BetaZero != nil {
		m, _ := p.Grams.Dims()
		gram := p.Grams.New()
		gram.At(make([]float64, m))
		q := mat.NewSymDense(m, nil)
		gram.(kernel.Quadratic).Form(q, p.Y)
		l, _ := linalg.Eigen(q, false)
		g.num("beta_zero", l[m-1]/(lambda*lambda), *c.BetaZero, g.rtol)
	}
}

func (g *golden) iterates(c krrCheck, p *mkl.Problem, ball set.Ball) {
	var s mkl.Solver
	switch c.Algorithm {
	case "pgd":
		p.Set = ball
		s = mkl.PGD{Rule: mkl.Constant, Eta: 2 * c.Eta, Normalize: true} // their step is on 2F
	case "rpgd":
		s = mkl.PGD{Rule: mkl.Constant, Eta: 2 * c.Eta}
	case "iia":
		p.Set = ball
		s = mkl.IIA{Eta: c.Eta}
	case "riia":
		s = mkl.IIA{Eta: c.Eta}
	default:
		g.unknown(c.Kind, c.Algorithm)
		return
	}
	var alpha []float64 // IIA's blend, from the iterates it shows
	for it, err := range mkl.Steps(context.Background(), p, s, &mkl.Settings{Theta: c.MuInit}) {
		if err != nil {
			g.Errorf("%s: %v", g.id, err)
			return
		}
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
	cert := p.Certify(pt, true)
	g.num("F", 2*pt.F(), c.F, g.rtol)
	g.num("first-order gap", 2*cert.Residual, c.GapFW, g.rtol)
	gap := 2 * (pt.F() - cert.Lower)
	d := p.Degree()
	switch {
	case d > 1 && c.Q < float64(d):
		if cert.Kind != mkl.FirstOrder {
			g.Errorf("%s: %v, want a first-order one", g.id, cert)
		}
		return
	case gap < c.F-c.FOpt-1e-9:
		g.Errorf("%s: gap %.12g below F − min F = %.12g", g.id, gap, c.F-c.FOpt)
	case gap > c.GapGlobal*(1+1e-8):
		g.Errorf("%s: gap %.12g above the reference's %.12g", g.id, gap, c.GapGlobal)
	}
	// where the best scaling of α and the better of two arguments do not improve on the
	// reference, it is the reference's number
	if d == 1 {
		g.num("global gap", gap, c.GapGlobal, g.rtol)
	}
}

// unsigned is α of w = y∘α.
func unsigned(w, y []float64) []float64 {
	a := slices.Clone(w)
	floats.Mul(a, y)
	return a
}

func scaled(c float64, v []float64) []float64 {
	r := make([]float64, len(v))
	floats.AddScaled(r, c, v)
	return r
}

// Schema svm_family/1.

func (g *golden) svm(b []byte) {
	var file struct {
		Cases []struct {
			ID, Kind        string
			Input, Expected json.RawMessage
			Tol             map[string]float64
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		g.Fatal(err)
	}
	for _, c := range file.Cases {
		g.id = c.ID
		if g.skip("svm_family/1", c.Kind, "") {
			continue
		}
		switch c.Kind {
		case "projections":
			g.projections(c.Input, c.Expected, c.Tol["all"])
		case "eigen_transforms":
			g.eigenTransforms(c.Input, c.Expected, c.Tol["all"])
		case "svm_dual":
			g.svmDual(c.Input, c.Expected, c.Tol)
		case "simplemkl":
			g.simpleMKL(c.Input, c.Expected, c.Tol)
		case "pkl_value_gradient":
			g.pklValueGradient(c.Input, c.Expected, c.Tol)
		case "qnpkl_first_step":
			g.qnpklFirstStep(c.Input, c.Expected, c.Tol["all"])
		case "pkl_local_minimum", "gmkl_product_l1":
			g.pklMinimum(c.Input, c.Expected, c.Tol["objective_rel_not_above"])
		default:
			g.unknown(c.Kind, "")
			continue
		}
		g.done++
	}
}

// projections checks those onto sets of θ; box_plane is onto the set of an SVM's α, which no set is.
func (g *golden) projections(input, expected []byte, tol float64) {
	var in struct {
		V   []float64
		Sym [][]float64
		Tau float64
	}
	var want struct {
		Simplex           []float64
		PSD, Spectahedron [][]float64
	}
	if err := errors.Join(json.Unmarshal(input, &in), json.Unmarshal(expected, &want)); err != nil {
		g.Fatal(err)
	}
	for _, c := range []struct {
		what    string
		set     set.Set
		x, want []float64
	}{
		{"simplex", set.Simplex{Sum: in.Tau}, in.V, want.Simplex},
		{"psd", set.PSD{}, slices.Concat(in.Sym...), slices.Concat(want.PSD...)},
		{"spectahedron", set.Spectraplex{Trace: in.Tau}, slices.Concat(in.Sym...), slices.Concat(want.Spectahedron...)},
	} {
		if err := c.set.Validate(len(c.x)); err != nil {
			g.Fatalf("%s: %s: %v", g.id, c.what, err)
		}
		p := make([]float64, len(c.x))
		c.set.Project(p, c.x)
		g.near(c.what, p, c.want, tol)
	}
}

func (g *golden) svmDual(input, expected json.RawMessage, tol map[string]float64) {
	var in struct {
		X, XTest [][]float64
		Y, Gamma []float64
		C        float64
	}
	var want struct {
		Objective, Bias float64
		Alpha           []float64
		Decision        []float64 `json:"decision_test"`
	}
	if err := errors.Join(json.Unmarshal(input, &in), json.Unmarshal(expected, &want)); err != nil {
		g.Errorf("%s: %v", g.id, err)
		return
	}
	k := func(x, z []float64) float64 {
		d := 0.0
		for m, v := range in.Gamma {
			d += v * (x[m] - z[m]) * (x[m] - z[m])
		}
		return math.Exp(-d)
	}
	gram := mat.NewSymDense(len(in.Y), nil)
	for i, x := range in.X {
		for j := range i + 1 {
			gram.SetSym(j, i, k(x, in.X[j]))
		}
	}
	var s loss.Solution
	if err := (loss.Hinge{C: in.C}).Solve(context.Background(), &s, losstest.Gram{Sym: gram}, in.Y, 1e-13); err != nil {
		g.Errorf("%s: %v", g.id, err)
	}
	g.num("objective", s.Dual(), want.Objective, tol["objective"])
	g.num("objective from above", s.Primal, want.Objective, tol["objective"])
	g.near("alpha", unsigned(s.W, in.Y), want.Alpha, tol["alpha"])
	g.num("bias", s.Bias, want.Bias, tol["bias"])
	f := make([]float64, len(in.XTest))
	for i, x := range in.XTest {
		f[i] = s.Bias
		for j, w := range s.W {
			f[i] += w * k(x, in.X[j])
		}
	}
	g.near("decision values", f, want.Decision, tol["decision_test"])
}

// simpleMKL learns convex weights of Gaussians of single features for a support vector machine.
func (g *golden) simpleMKL(input, expected json.RawMessage, tol map[string]float64) {
	var in struct {
		X         [][]float64
		Y, Widths []float64
		C         float64
	}
	var want struct {
		Objective float64
		D, Q      []float64
	}
	if err := errors.Join(json.Unmarshal(input, &in), json.Unmarshal(expected, &want)); err != nil {
		g.Errorf("%s: %v", g.id, err)
		return
	}
	var kernels kernel.List
	for m := range in.X[0] {
		for _, w := range in.Widths {
			kernels = append(kernels, kernel.RBF{Gamma: w, Columns: []int{m}})
		}
	}
	p := &mkl.Problem{Grams: kernels.On(kernel.NewRows(in.X)), Set: set.Simplex{}, Loss: loss.Hinge{C: in.C}, Y: in.Y}
	var r *mkl.Result
	for _, s := range []mkl.Solver{mkl.ReducedGradient{}, mkl.SPG{Force: true}} {
		var err error
		if r, err = mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: 1e-9, Inner: 1e-13, Iterations: 1000}); err != nil {
			g.Errorf("%s: %v", g.id, err)
			return
		}
		g.num("objective", r.F, want.Objective, tol["objective"])
		g.near("d", r.Theta, want.D, tol["d"])
		if r.Lower > want.Objective*(1+1e-10) || r.RelativeGap() > 1e-7 {
			g.Errorf("%s: %v, want a gap of 1e-7 about %.12g", g.id, r, want.Objective)
		}
	}
	pt := g.at(p, r.Theta)
	q := make([]float64, len(want.D)) // −2 ∂J/∂d_m = wᵀK_m w
	floats.AddScaled(q, -2, pt.GradJ())
	g.near("q", q, want.Q, 1e-4)
}

// Schema of tkl.json, version 1.

func (g *golden) tkl(b []byte) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(b, &file); err != nil {
		g.Fatal(err)
	}
	for section, raw := range file {
		if section == "version" {
			continue
		}
		g.id = section
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			list = []json.RawMessage{raw} // one object is one check
		}
		for range list {
			if !g.skip("tkl/1", section, "") {
				g.unknown(section, "")
			}
		}
	}
}
