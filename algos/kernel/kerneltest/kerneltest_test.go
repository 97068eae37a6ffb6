package kerneltest_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/testenv"
)

// faulty is Features of degree 2 with one thing wrong.
type faulty struct {
	Features kernel.Features
	Fault    string
}

func init() { registry.Register(faulty{}) }

type wholeGram interface {
	kernel.Gram
	kernel.SecondOrder
}

type grams struct {
	kernel.Grams
	f     faulty
	x     points.Points
	calls *atomic.Int64
}

type gram struct {
	wholeGram
	g grams
}

func (f faulty) Bind(x points.Points) kernel.Grams {
	if r, ok := x.(points.Rows); ok && f.Fault == "modifies the points" && r.N > 0 {
		r.Data[0] = 0
	}
	return grams{f.Features.Bind(x), f, x, new(atomic.Int64)}
}

// other is the same family, its preprocessing forgotten.
func (g grams) other() faulty {
	f := g.f
	f.Features.Prepare = nil
	return f
}

func (g grams) New() kernel.Gram { return &gram{g.Grams.New().(wholeGram), g} }

func (g grams) Degree() int {
	if g.f.Fault == "degree" {
		return 1
	}
	return 2
}

func (g grams) Validate() error {
	if g.f.Fault == "accepts anything" {
		return nil
	}
	return g.Grams.Validate()
}

func (g grams) Slice(rows []int) kernel.Grams {
	if g.f.Fault == "slice not fitted" {
		return g.other().Bind(g.x.Slice(rows))
	}
	return grams{g.Grams.Slice(rows), g.f, g.x.Slice(rows), g.calls}
}

func (g grams) WithThreads(n int) kernel.Grams {
	return grams{g.Grams.WithThreads(n), g.f, g.x, g.calls}
}

func (g grams) Cross(z points.Points) kernel.Cross {
	if g.f.Fault == "cross fitted to the new points" && z.Len() > 1 {
		f, err := g.f.Features.Prepare.Fit(z)
		if err != nil {
			panic(err)
		}
		mine, err := g.f.Features.Prepare.Fit(g.x)
		if err != nil {
			panic(err)
		}
		return g.other().Bind(mine.Apply(g.x)).(grams).Grams.Cross(f.Apply(z))
	}
	return g.Grams.Cross(z)
}

func (g *gram) SetTheta(theta []float64) {
	if g.g.f.Fault == "modifies θ" {
		theta[0]++
	}
	g.wholeGram.SetTheta(theta)
}

func (g *gram) K() *kernel.Matrix {
	k := g.wholeGram.K()
	n := k.SymmetricDim()
	s := mat.NewSymDense(n, nil)
	s.CopySym(k)
	switch g.g.f.Fault {
	case "remembers":
		s.SetSym(0, 0, s.At(0, 0)+1e-6*float64(g.g.calls.Add(1)))
	case "sees the order":
		s.SetSym(0, 0, 2*s.At(0, 0))
	}
	return kernel.NewMatrix(n, kernel.Form{
		Dense: func() *mat.SymDense { return s },
		LowRankFactor: func() *mat.Dense {
			phi := k.LowRankFactor()
			if phi != nil && g.g.f.Fault == "root" {
				phi = mat.DenseCopyOf(phi)
				phi.Scale(1.001, phi)
			}
			return phi
		},
	})
}

func (g *gram) wrong(fault string, dst []float64) {
	if g.g.f.Fault == fault {
		dst[len(dst)-1] += 1e-3 * (1 + dst[len(dst)-1])
	}
}

func (g *gram) Gradient(dst, w []float64) {
	g.wholeGram.Gradient(dst, w)
	g.wrong("gradient", dst)
}

func (g *gram) HessianVectorProduct(dst, u, w []float64) {
	g.wholeGram.HessianVectorProduct(dst, u, w)
	g.wrong("second", dst)
}

func (g *gram) QuadraticFormInTheta(dst *mat.SymDense, w []float64) (errorBound float64, ok bool) {
	errorBound, ok = g.wholeGram.QuadraticFormInTheta(dst, w)
	if g.g.f.Fault == "form" {
		dst.SetSym(0, 0, 1.001*dst.At(0, 0))
	}
	return errorBound, ok
}

func randomRows(n, d int) points.Rows {
	r := rand.New(rand.NewPCG(2, 2))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = 1 + r.NormFloat64()
	}
	return x
}

// TestFamilyFindsFaults tests that the suite passes what is right and finds each of the faults, in the part
// where it belongs.
func TestFamilyFindsFaults(t *testing.T) {
	of := func(fault string) kernel.Family {
		return faulty{kernel.Features{Degree: 2, Prepare: points.Preprocessing{points.Standardize}}, fault}
	}
	for _, c := range []struct{ fault, part string }{
		{"", ""},
		{"modifies the points", "the family modified the points"},
		{"modifies θ", "matrix: "},
		{"remembers", "matrix: "},
		{"gradient", "gradient: "},
		{"degree", "graded: "},
		{"accepts anything", "validated: "},
		{"sees the order", "order: "},
		{"cross fitted to the new points", "crossed: "},
		{"slice not fitted", "sliced: "},
		{"second", "curved: "},
		{"form", "quadratic: "},
		{"root", "forms: "},
	} {
		if testenv.Race && c.fault == "modifies θ" {
			continue // two goroutines modify the same θ
		}
		said := testenv.CollectFailures(t, func(r testing.TB) {
			kerneltest.TestFamily(r, of(c.fault), randomRows(15, 3))
		})
		found := slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, c.part) })
		if c.fault == "" && len(said) > 0 || c.fault != "" && !found {
			t.Errorf("fault %q: want an error that begins with %q, the suite says %q", c.fault, c.part, said)
		}
	}
}

// faultyKernel is exp(−γ‖x−z‖²) with a fault.
type faultyKernel struct {
	Gamma float64
	Fault string
}

func init() { registry.Register(faultyKernel{}) }

func (k faultyKernel) String() string { return "faulty " + k.Fault }

func (k faultyKernel) Check(x points.Points) error {
	if points.FeatureCount(x) == 0 && k.Fault != "accepts points without features" {
		return errors.New("no features")
	}
	return nil
}

func (k faultyKernel) Cross(dst *mat.Dense, z, x points.Points) {
	d := points.FeatureCount(x)
	u, v := make([]float64, d), make([]float64, d)
	for i := range z.Len() {
		z.StoreFeatures(u, i)
		for j := range x.Len() {
			x.StoreFeatures(v, j)
			squaredDistance := 0.0
			for c := range u {
				squaredDistance += (u[c] - v[c]) * (u[c] - v[c])
			}
			dst.Set(i, j, math.Exp(-k.Gamma*squaredDistance))
			if squaredDistance == 0 && k.Fault == "small diagonal" {
				dst.Set(i, j, 1-1e-6)
			}
		}
	}
}

// TestFamilyFindsFaultsOfKernels tests that the suite finds faults of one base kernel that its x does not show.
func TestFamilyFindsFaultsOfKernels(t *testing.T) {
	for fault, want := range map[string]string{"": "", "small diagonal": "matrix: K(θ) of points that are nearly equal",
		"accepts points without features": "validated: accepts points.Indices"} {
		f := kernel.Sum{Kernels: kernel.List{faultyKernel{0.5, fault}}}
		said := testenv.CollectFailures(t, func(r testing.TB) { kerneltest.TestFamily(r, f, randomRows(15, 3)) })
		found := slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, want) })
		if fault == "" && len(said) > 0 || fault != "" && !found {
			t.Errorf("fault %q: want an error that begins with %q, the suite says %q", fault, want, said)
		}
	}
}

// TestBlocks tests that the suite passes a sum of blocks.
func TestBlocks(t *testing.T) {
	two := blocks.Family{Families: []kernel.Family{kernel.Features{}, kernel.Features{}}}
	kerneltest.TestFamily(t, two, randomRows(8, 3))
}

// TestRefusedPoints tests that the error for a family that refuses the points of the suite is that of the family; of
// such a Grams nothing else may be asked, which may panic.
func TestRefusedPoints(t *testing.T) {
	refused := kernel.Sum{Kernels: kernel.List{kernel.Polynomial{Degree: -1}}}
	said := testenv.CollectFailures(t, func(r testing.TB) { kerneltest.TestFamily(r, refused, randomRows(8, 3)) })
	if len(said) != 1 || !strings.HasPrefix(said[0], "validated: ") {
		t.Errorf("the suite says %q, want one error that begins with \"validated: \"", said)
	}
}
