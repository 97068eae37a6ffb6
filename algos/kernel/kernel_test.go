package kernel_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
)

// TestNothingIsAllocated tests that all scratch is kept in the Gram.
func TestNothingIsAllocated(t *testing.T) {
	if testenv.Race {
		t.Skip("the race detector empties pools at random")
	}
	list := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 1}}
	wide, tall := dense(70, 90, 1), dense(300, 4, 1)
	for d := 1; d <= 4; d++ {
		for name, g := range map[string]kernel.Grams{
			"sum":              kernel.Sum{Kernels: list, Degree: d}.Bind(tall),
			"features, few":    kernel.Features{Degree: d}.Bind(tall),
			"features, many":   kernel.Features{Degree: d}.Bind(wide),
			"features, square": kernel.Features{Degree: d}.Bind(dense(80, 40, 1)),
		} {
			m, n := g.Dims()
			theta, w, v := make([]float64, m), make([]float64, n), make([]float64, n)
			grad, hess, along := make([]float64, m), make([]float64, m), make([]float64, n)
			for k := range theta {
				theta[k] = 1 / float64(k+1)
			}
			q := mat.NewSymDense(m, nil)
			k := g.New()
			step := 0.0
			run := func() {
				step++
				for i := range w {
					w[i], v[i] = math.Sin(step+float64(i)), math.Cos(step*float64(i))
				}
				theta[0] = step / 10
				k.SetTheta(theta)
				if k.K().LowRankFactor() == nil {
					k.K().Dense()
				}
				k.Gradient(grad, w)
				c := k.(kernel.SecondOrder)
				c.MulDirectionalDerivative(along, theta, w)
				c.BilinearGradient(hess, v, w)
				c.HessianVectorProduct(hess, theta, w)
				c.QuadraticFormInTheta(q, w)
			}
			run()
			if a := testing.AllocsPerRun(3, run); a > 20 { // closures of parallel tiles
				t.Errorf("%s, degree %d: %g allocations at each θ", name, d, a)
			}
		}
	}
}

// TestRoot tests for which θ the Gram offers a factor Φ, and for which K is smaller.
func TestRoot(t *testing.T) {
	ones := func(m, zero int) []float64 {
		theta := make([]float64, m)
		for k := range m - zero {
			theta[k] = 1
		}
		return theta
	}
	for _, c := range []struct {
		n, m, d, zero, want int // columns; 0 for none
	}{
		{20, 10, 1, 0, 10}, {20, 11, 1, 0, 0}, {20, 11, 1, 1, 10}, {20, 30, 1, 29, 1}, {20, 5, 1, 5, 1},
		{20, 3, 2, 0, 6}, {20, 4, 2, 0, 10}, {20, 5, 2, 0, 0}, {20, 5, 2, 2, 6}, {21, 3, 3, 0, 10}, {19, 3, 3, 0, 0},
		{20, 2, 4, 0, 5},
	} {
		g := kernel.Features{Degree: c.d}.Bind(dense(c.n, c.m, 2)).New()
		theta := ones(c.m, c.zero)
		g.SetTheta(theta)
		phi := g.K().LowRankFactor()
		got := 0
		if phi != nil {
			_, got = phi.Dims()
		}
		if got != c.want {
			t.Errorf("n=%d m=%d d=%d, %d zeros: Φ has %d columns, want %d", c.n, c.m, c.d, c.zero, got, c.want)
		}
		theta[0] = -1e-3
		g.SetTheta(theta)
		if g.K().LowRankFactor() != nil {
			t.Errorf("n=%d m=%d d=%d: Φ of a negative θ", c.n, c.m, c.d)
		}
	}
}

// TestConstantKernel tests that a kernel that centering wipes out is 0, not rounding blown up to 1.
func TestConstantKernel(t *testing.T) {
	x := dense(8, 3, 1)
	constant := kernel.Polynomial{Degree: 1, Gamma: 1e-300, Offset: 0.7}
	for _, normal := range []kernel.Normalization{kernel.Cosine, kernel.MeanDiagonal} {
		g := kernel.Sum{Kernels: kernel.List{constant, kernel.RBF{Gamma: 1}}, Center: true, Normalize: normal}.Bind(x)
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		k := g.New()
		k.SetTheta([]float64{1, 0})
		if top := mat.Norm(k.K(), math.Inf(1)); top > 1e-12 {
			t.Errorf("%s: the centered constant kernel has norm %g, want 0", normal, top)
		}
		c := mat.NewDense(2, 8, nil)
		g.Cross(dense(2, 3, 9)).StoreMatrix(c, []float64{1, 0})
		if top := mat.Norm(c, math.Inf(1)); top > 1e-12 {
			t.Errorf("%s: between new points it has norm %g, want 0", normal, top)
		}
		k.SetTheta([]float64{0, 1})
		trace := mat.Trace(k.K())
		if math.Abs(trace-8) > 1e-12 {
			t.Errorf("%s: the normalized kernel has trace %g, want n = 8", normal, trace)
		}
	}
}

// TestZeroPoint tests that a point at 0 has no direction; cosine leaves it at 0.
func TestZeroPoint(t *testing.T) {
	x := points.NewRows([][]float64{{1, 2}, {0, 0}, {3, -1}})
	k := kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Normalize: kernel.Cosine}.Bind(x).New()
	k.SetTheta([]float64{1})
	want := mat.NewSymDense(3, []float64{1, 0, 1 / math.Sqrt(50), 0, 0, 0, 1 / math.Sqrt(50), 0, 1})
	if !mat.EqualApprox(k.K(), want, 1e-13) || k.K().At(0, 1) != 0 { // 1e-13: the shift of the diagonal
		t.Errorf("K = %v", mat.Formatted(k.K()))
	}
}

func TestLabels(t *testing.T) {
	x := dense(6, 3, 1)
	x.Names = []string{"age", "V3", "dose"}
	for _, c := range []struct {
		f    kernel.Family
		want []string
	}{
		{kernel.Features{Constant: true}, []string{"age", "V3", "dose", "constant"}},
		{kernel.List{
			kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 0.5, Columns: []int{1}}, kernel.Linear{Columns: []int{2, 0}},
			kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Laplacian{Gamma: 2}, kernel.Linear{},
		}, []string{"RBF(γ=0.5)", "RBF(γ=0.5) of V3", "linear of age, dose", "polynomial((⟨x,z⟩+1)^2)",
			"Laplacian(γ=2)", "linear"}},
	} {
		for _, p := range []points.Points{x,
			points.Sparse{D: 3, Ptr: thin(x).Ptr, Col: thin(x).Col, Val: thin(x).Val, Names: x.Names}} {
			g := c.f.Bind(p)
			for k, want := range c.want {
				if got := g.Label(k); got != want {
					t.Errorf("label %d is %q, want %q", k, got, want)
				}
			}
		}
	}
}

// hasPrefix reports whether a message names package kernel or points.
func hasPrefix(message any) bool {
	s := fmt.Sprint(message)
	return strings.HasPrefix(s, "kernel: ") || strings.HasPrefix(s, "points: ")
}

func TestValidate(t *testing.T) {
	x := dense(6, 3, 1)
	far := points.NewRows([][]float64{{1, 2}, {1e200, 3}, {0, 1}})
	rbf := kernel.List{kernel.RBF{Gamma: 1}}
	square := func(name string, v ...float64) kernel.List {
		return kernel.List{kernel.Precomputed{Name: name, N: int(math.Sqrt(float64(len(v)))), Data: v}}
	}
	for _, c := range []struct {
		f    kernel.Family
		x    points.Points
		want string
	}{
		{kernel.List{}, x, "no kernels"},
		{kernel.List{nil}, x, "kernel 1 of the sum is nil"},
		{kernel.Sum{Kernels: rbf, Degree: 5}, x, "the degree is 5; use 1 to 4"},
		{kernel.Sum{Kernels: rbf, Normalize: "cosin"}, x, `normalization "cosin"`},
		{kernel.Sum{Kernels: rbf, Prepare: points.Preprocessing{"minmax"}}, x, `unknown step "minmax"`},
		{kernel.List{kernel.RBF{}}, x, "γ is 0; use a positive number"},
		{kernel.List{kernel.Polynomial{}}, x, "the degree is 0; use 1 or more"},
		{kernel.List{kernel.Linear{Columns: []int{3}}}, x, "no column 3 in points with 3 features"},
		{rbf, points.AllIndices(3), "points.Indices has no features; use points.Rows or points.Sparse"},
		{kernel.Features{}, far, "column 1 (x1) is 1e+200"},
		{square("A", 1, 0, 0, 1), x, "A: points: got points.Rows; pass points.Indices"},
		{square("A", 1, 0, 0, 1), points.Indices{0, 2}, "point 2 has index 2, but A has 2 points"},
		{square("A", 1, 2, 2.1, 9), points.AllIndices(2),
			"A is not symmetric: 2.1 in row 2, column 1, but 2 in row 1, column 2"},
		{square("A", 1, math.NaN(), 0, 1), points.AllIndices(2), "A: row 1, column 2 is NaN"},
		{square("A", 1, 2, 2, 1), points.AllIndices(2), "A has an eigenvalue below"},
		{kernel.List{kernel.Precomputed{N: 2, Data: []float64{1}}}, points.AllIndices(1),
			"has 1 numbers and N = 2; pass N ≥ 1 rows of N numbers"},
		{kernel.List{kernel.Precomputed{N: 2, Data: []float64{1, 0, 0, 1}}, kernel.Precomputed{}}, points.AllIndices(1),
			"pass N ≥ 1 rows"},
		{rbf, points.Sparse{D: 2, Ptr: []int{0, 9, 1}, Col: []int{0}, Val: []float64{1}},
			"sparse row 1 has entries 1 to 9, but Col has 1"},
	} {
		g := c.f.Bind(c.x)
		g.Dims()
		err := g.Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) || !hasPrefix(err) {
			t.Errorf("%+v: error %v, want %q", c.f, err, c.want)
		}
		if strings.Contains(c.want, "eigenvalue") != errors.Is(err, kernel.ErrNotPSD) {
			t.Errorf("%+v: ErrNotPSD: %v", c.f, err)
		}
	}
}

// counting counts how often it is judged.
type counting struct {
	kernel.Linear
	judged *int
}

func (c counting) Validate() error { *c.judged++; return nil }

// TestValidatedOnce tests that a matrix is judged once for a Grams and all its slices.
func TestValidatedOnce(t *testing.T) {
	judged := 0
	g := kernel.List{counting{judged: &judged}}.Bind(dense(6, 2, 1))
	for range 2 {
		g.Validate()
		s := g.Slice([]int{0, 1, 2})
		s.Validate()
		s.Slice([]int{0, 1}).Validate()
	}
	if judged != 1 {
		t.Errorf("judged %d times, want once", judged)
	}
}

// TestManyNewPoints tests that values computed in parts equal those that are stored, to rounding: few points and
// many may be served by different backends.
func TestManyNewPoints(t *testing.T) {
	var list kernel.List
	for range 5 {
		list = append(list, kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1})
	}
	n, l := 300, 6000 // 18 million numbers
	f := kernel.Sum{Kernels: list, Center: true, Normalize: kernel.Cosine}
	theta := []float64{0, 0.3, 1, 0, 0, 0, 2, 0, 0, 0}
	x, z := dense(n, 2, 1), dense(l, 2, 2)
	whole := mat.NewDense(l, n, nil)
	g := f.Bind(x)
	g.Cross(z).StoreMatrix(whole, theta)
	for _, lo := range []int{0, 2990, l - 10} {
		rows := make([]int, 10)
		for i := range rows {
			rows[i] = lo + i
		}
		few := mat.NewDense(10, n, nil)
		g.Cross(z.Slice(rows)).StoreMatrix(few, theta)
		if !mat.EqualApprox(few, whole.Slice(lo, lo+10, 0, n), 1e-13) {
			t.Errorf("points %d to %d differ from the same alone", lo, lo+9)
		}
	}
}

// similarities are points of another package with features: rows of similarities to some others.
type similarities struct{ rows [][]float64 }

func (s similarities) Len() int                           { return len(s.rows) }
func (s similarities) Validate() error                    { return nil }
func (s similarities) Features() (int, []string)          { return len(s.rows[0]), nil }
func (s similarities) Columns(cols []int) points.Points   { return points.NewRows(s.rows).Columns(cols) }
func (s similarities) StoreFeatures(dst []float64, i int) { copy(dst, s.rows[i]) }
func (s similarities) HashInto(h io.Writer)               { points.NewRows(s.rows).HashInto(h) }
func (s similarities) Slice(rows []int) points.Points {
	var p similarities
	for _, r := range rows {
		p.rows = append(p.rows, s.rows[r])
	}
	return p
}

// TestFeaturesOfAnotherPackage tests that points of any kind that have features are computed with as Rows.
func TestFeaturesOfAnotherPackage(t *testing.T) {
	x, z := dense(8, 3, 1), dense(2, 3, 2)
	theirs := func(x points.Rows) similarities { return similarities{toRows(x)} }
	prepare := points.Preprocessing{points.Standardize}
	for _, f := range []kernel.Family{
		kernel.Features{Degree: 2, Constant: true, Prepare: prepare},
		kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{Columns: []int{2, 1}}}, Prepare: prepare,
			Center: true},
	} {
		g, h := f.Bind(x), f.Bind(theirs(x))
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		m, _ := g.Dims()
		theta := slices.Repeat([]float64{0.7}, m)
		a, b := mat.NewDense(2, 8, nil), mat.NewDense(2, 8, nil)
		g.Cross(z).StoreMatrix(a, theta)
		h.Cross(theirs(z)).StoreMatrix(b, theta)
		if !mat.Equal(a, b) {
			t.Errorf("%+v: of the same numbers %v and %v", f, mat.Formatted(a), mat.Formatted(b))
		}
		if g.Cross(thin(z)).StoreMatrix(b, theta); !mat.EqualApprox(a, b, 1e-12) {
			t.Errorf("%+v: new points, once dense and once sparse, differ", f)
		}
	}
}

func TestPanics(t *testing.T) {
	x := dense(6, 3, 1)
	for _, f := range []kernel.Family{kernel.Features{Degree: 2},
		kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Degree: 2,
			Prepare: points.Preprocessing{points.MinMax}}} {
		g := f.Bind(x)
		m, n := g.Dims()
		theta, w := make([]float64, m), make([]float64, n)
		for what, call := range map[string]func(){
			"K before SetTheta":   func() { g.New().K() },
			"θ of another length": func() { g.New().SetTheta(make([]float64, m+1)) },
			"w of another length": func() { k := g.New(); k.SetTheta(theta); k.Gradient(theta, w[1:]) },
			"cross destination":   func() { g.Cross(x).StoreMatrix(mat.NewDense(2, 2, nil), theta) },
			"other features":      func() { g.Cross(dense(2, 4, 1)).StoreMatrix(mat.NewDense(2, n, nil), theta) },
			"no rows":             func() { g.Slice(nil) },
			"invalid":             func() { f.Bind(points.Rows{}).New().SetTheta(theta) },
		} {
			if r := testenv.Panic(call); r == nil || !hasPrefix(r) {
				t.Errorf("%T, %s: panic %v, want one of kernel or points", f, what, r)
			}
		}
	}
}

// TestBaseMatricesArePSD tests that base matrices are positive semidefinite as stored, for any rank, kernel and
// normalization, and in slices. The least eigenvalue as computed is off by a few ε of the largest; 64ε of the trace
// were added.
func TestBaseMatricesArePSD(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	x := points.Rows{N: 40, D: 3, Data: make([]float64, 120)}
	for i := range x.Data {
		x.Data[i] = 1e3 * rng.NormFloat64()
		if i >= 60 {
			x.Data[i] = x.Data[i-60] // every point twice
		}
	}
	own := mat.NewSymDense(40, nil)
	own.SymOuterK(1, mat.NewDense(40, 3, x.Data))
	checks := 0
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 1e-9}, kernel.RBF{Gamma: 1},
		kernel.Polynomial{Degree: 3, Gamma: 1, Offset: 1}, kernel.Precomputed{N: 40, Data: own.RawSymmetric().Data}} {
		for _, center := range []bool{false, true} {
			for _, n := range []kernel.Normalization{kernel.None, kernel.MeanDiagonal, kernel.Cosine} {
				var p points.Points = x
				if _, ok := k.(kernel.Precomputed); ok {
					p = points.AllIndices(40)
				}
				g := kernel.Sum{Kernels: kernel.List{k}, Center: center, Normalize: n}.Bind(p)
				for _, part := range []kernel.Grams{g, g.Slice([]int{0, 1, 2, 3, 4, 20, 21, 22, 23, 24})} {
					gram := part.New()
					gram.SetTheta([]float64{1})
					if l, _ := linalg.ThreadLimit(0).Eigen(gram.K().Dense(), false); !(l[0] > 0) {
						t.Errorf("%v, centered %t, %v: least eigenvalue %g of %g", k, center, n, l[0], l[len(l)-1])
					}
					if _, shift, _ := gram.(kernel.ErrorBounded).ErrorBounds(); shift != 0 {
						t.Errorf("%v: a shift of %g is wanted", k, shift)
					}
					checks++
				}
			}
		}
	}
	if checks != 60 {
		t.Errorf("%d checks", checks)
	}
}
