package algos_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

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
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b := must(os.ReadFile(f))
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
			fmt.Printf("%s: %d checks\n", filepath.Base(f), g.done)
			if g.done == 0 {
				t.Fatal("no checks in it")
			}
		})
	}
}

// golden is a file, or one check of it.
type golden struct {
	*testing.T
	done int
	rtol float64
}

// check runs a check by its name; what is fatal ends it alone.
func (g *golden) check(id string, check func(g *golden)) {
	g.done++
	g.Run(id, func(t *testing.T) { check(&golden{T: t, rtol: g.rtol}) })
}

func (g *golden) unknown(kind, what string) { g.Helper(); g.Fatalf("unknown check %q %q", kind, what) }

// must ends the check where it cannot go on.
func (g *golden) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// read reads a case.
func (g *golden) read(input, expected []byte, in, want any) {
	g.Helper()
	g.must(errors.Join(json.Unmarshal(input, in), json.Unmarshal(expected, want)))
}

// near asks for |got−want| ≤ tol·max(1, max|want|).
func (g *golden) near(what string, got, want []float64, tol float64) {
	g.Helper()
	if len(got) != len(want) {
		g.Errorf("%s: length %d, want %d", what, len(got), len(want))
		return
	}
	scale := math.Max(1, floats.Norm(want, math.Inf(1)))
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tol*scale) {
			g.Errorf("%s[%d] = %.12g, want %.12g (off by %.2g, allowed %.2g)", what, i, got[i], want[i], d, tol*scale)
			return
		}
	}
}

func (g *golden) num(what string, got, want, tol float64) {
	g.Helper()
	g.near(what, []float64{got}, []float64{want}, tol)
}

// at is p at θ, solved as exactly as numbers allow.
func (g *golden) at(p *mkl.Problem, theta []float64) *mkl.Point {
	g.Helper()
	g.must(p.Validate())
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	g.must(pt.Evaluate(nil, 1e-12))
	return pt
}

// solve is a run of s on p.
func (g *golden) solve(p *mkl.Problem, s mkl.Solver, settings mkl.Settings) *mkl.Result {
	g.Helper()
	r, err := mkl.Solve(g.Context(), p, s, &settings)
	if err != nil {
		g.Fatalf("%v: %v", s, err)
	}
	return r
}

// decisions are f at new points.
func decisions(g kernel.Grams, z points.Points, theta, w []float64, bias float64) []float64 {
	k, f := mat.NewDense(z.Len(), len(w), nil), make([]float64, z.Len())
	g.Cross(z).StoreMatrix(k, theta)
	for i := range f {
		f[i] = floats.Dot(k.RawRowView(i), w) + bias
	}
	return f
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
	g.must(json.Unmarshal(b, &file))
	for _, c := range file.Cases {
		g.check(c.ID, func(g *golden) { g.svmCase(c.Kind, c.Input, c.Expected, c.Tol) })
	}
}

func (g *golden) svmCase(kind string, input, expected []byte, tol map[string]float64) {
	switch kind {
	case "projections":
		g.projections(input, expected, tol["all"])
	case "eigen_transforms":
		g.eigenTransforms(input, expected, tol["all"])
	case "svm_dual":
		g.svmDual(input, expected, tol)
	case "simplemkl":
		g.simpleMKL(input, expected, tol)
	case "pkl_value_gradient":
		g.pklValueGradient(input, expected, tol)
	case "qnpkl_first_step":
		g.qnpklFirstStep(input, expected, tol["all"])
	case "pkl_local_minimum", "gmkl_product_l1":
		g.pklMinimum(input, expected, tol["objective_rel_not_above"])
	case "indsvm", "eskl_single_L3":
		g.indSVM(input, expected, tol)
	case "eskl_subgradient_step":
		g.subgradientStep(input, expected, tol)
	case "eskl_optimum":
		g.esklOptimum(input, expected, tol)
	case "indsvm_dual_function":
		g.dualFunction(input, expected, tol)
	case "omega_mkl":
		g.omega(input, expected, tol)
	case "rekl_gradient":
		g.reklGradient(input, expected, tol)
	case "emkl_optimum":
		g.several(input, expected, tol, (*severalInput).emkl)
	case "rekl_optimum":
		g.several(input, expected, tol, func(in *severalInput) *mkl.Problem { return in.rekl(g) })
	default:
		g.unknown(kind, "")
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
	g.read(input, expected, &in, &want)
	for _, c := range []struct {
		what    string
		set     set.Set
		x, want []float64
	}{
		{"simplex", set.Simplex{Sum: in.Tau}, in.V, want.Simplex},
		{"psd", set.PSD{}, slices.Concat(in.Sym...), slices.Concat(want.PSD...)},
		{"spectahedron", set.Spectraplex{Trace: in.Tau}, slices.Concat(in.Sym...), slices.Concat(want.Spectahedron...)},
	} {
		g.must(c.set.Validate(len(c.x)))
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
	g.read(input, expected, &in, &want)
	family := kernel.Gaussians{}.Bind(points.NewRows(in.X))
	gram := family.New()
	gram.SetTheta(in.Gamma)
	var s loss.Solution
	if err := (loss.Hinge{C: in.C}).Solve(g.Context(), &s, gram, in.Y, 1e-13); err != nil {
		var not *loss.Inexact // where C is so large that rounding ends it earlier, the numbers decide
		if !errors.As(err, &not) || not.Gap > 1e-10 {
			g.Errorf("%v", err)
		}
	}
	g.num("objective", s.Dual(), want.Objective, tol["objective"])
	g.num("objective from above", s.Primal, want.Objective, tol["objective"])
	g.near("alpha", unsigned(s.W, in.Y), want.Alpha, tol["alpha"])
	g.num("bias", s.Bias, want.Bias, tol["bias"])
	f := decisions(family, points.NewRows(in.XTest), in.Gamma, s.W, s.Bias)
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
	g.read(input, expected, &in, &want)
	var kernels kernel.List
	for m := range in.X[0] {
		for _, w := range in.Widths {
			kernels = append(kernels, kernel.RBF{Gamma: w, Columns: []int{m}})
		}
	}
	p := &mkl.Problem{Grams: kernels.Bind(points.NewRows(in.X)), Set: set.Simplex{}, Loss: loss.Hinge{C: in.C}, Y: in.Y}
	var r *mkl.Result
	for _, s := range []mkl.Solver{mkl.ReducedGradient{}, mkl.SPG{AllowNonsmooth: true}} {
		r = g.solve(p, s, mkl.Settings{Gap: 1e-9, InnerGap: 1e-13, Iterations: 1000})
		g.num("objective", r.F, want.Objective, tol["objective"])
		g.near("d", r.Theta, want.D, tol["d"])
		// a search ends where F, known to 1e-13, no longer tells two points apart: at a gap of about √1e-13
		if r.Lower > want.Objective*(1+1e-10) || r.RelativeGap() > 1e-6 {
			g.Errorf("%v, want a gap of 1e-6 about %.12g", r, want.Objective)
		}
	}
	pt := g.at(p, r.Theta)
	q := make([]float64, len(want.D)) // −2 ∂J/∂d_m = wᵀK_m w
	floats.AddScaled(q, -2, pt.GradJ())
	g.near("q", q, want.Q, 1e-4)
}
