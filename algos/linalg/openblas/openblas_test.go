//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	goblas "gonum.org/v1/gonum/blas/gonum"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/testenv"
)

// opened is the library that serves; without one the test is skipped.
func opened(t *testing.T) *library {
	t.Helper()
	switch info := linalg.Backend(); {
	case info.Name != "go":
	case info.Choice == "go":
		t.Skip("MKL_BLAS=go")
	default:
		testenv.Lacks(t, "no library: "+info.Reason)
	}
	return installed
}

// TestGonumIsUntouched: importing the package changes nothing for a program's own gonum calls. (That
// lapack64 is not used either, the import table of algos says.)
func TestGonumIsUntouched(t *testing.T) {
	linalg.Backend() // opens the library
	if b, ok := blas64.Implementation().(goblas.Implementation); !ok {
		t.Errorf("blas64 is %T, want gonum's own", b)
	}
}

var (
	triangles  = []blas.Uplo{blas.Upper, blas.Lower}
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	sides      = []blas.Side{blas.Left, blas.Right}
	diags      = []blas.Diag{blas.NonUnit, blas.Unit}
	lengths    = []int{1, 7, 31, 32, 33, 47, 48, 64, 101, 130}
)

func numbers(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// dominant is n×n at stride ld with a large diagonal, so that both of its triangles are well
// conditioned and it is positive definite.
func dominant(r *rand.Rand, n, ld int) []float64 {
	a := numbers(r, n*ld)
	for i := range n {
		a[i*ld+i] = float64(3*n) + a[i*ld+i]
	}
	return a
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tol*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: number %d is %g, gonum has %g", what, i, got[i], want[i])
		}
	}
}

// calls are the functions of BLAS that a linalg.Library has.
type calls interface {
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64,
		c []float64, ldc int)
	Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
		ldc int)
	Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int,
		b []float64, ldb int)
	Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
		y []float64, incY int)
	Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64,
		incY int)
	Dspmv(ul blas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64, incY int)
	Dtrsv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int)
}

// TestCalls: every BLAS function of the library against gonum's, with every flag, with margins beside
// the rows and gaps in the vectors.
func TestCalls(t *testing.T) {
	f := opened(t)
	var g goblas.Implementation
	checks := 0
	for _, n := range lengths {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		m, k := n+3, max(1, n-2)
		ld := n + 7
		both := func(what string, c []float64, tol float64, call func(b calls, c []float64)) {
			t.Helper()
			checks++
			got, want := slices.Clone(c), slices.Clone(c)
			call(f, got)
			call(g, want)
			near(t, fmt.Sprintf("%s, n=%d", what, n), got, want, tol)
		}
		a, b, c := numbers(r, (m+3)*(ld+3)), numbers(r, (m+3)*(ld+3)), numbers(r, (m+3)*(ld+3))
		x := numbers(r, 2*(m+3))
		tri := dominant(r, m+3, ld+3)
		for _, tA := range transposes {
			for _, tB := range transposes {
				both("Dgemm", c, 1e-11, func(f calls, c []float64) {
					f.Dgemm(tA, tB, m, n, k, 0.5, a, ld+3, b, ld+3, -2, c, ld+3)
				})
			}
			for _, inc := range []int{1, 2} {
				both("Dgemv", c, 1e-11,
					func(f calls, c []float64) { f.Dgemv(tA, m, n, 0.5, a, ld, x, inc, 0.25, c, 3-inc) })
			}
			for _, ul := range triangles {
				both("Dsyrk", c, 1e-11, func(f calls, c []float64) { f.Dsyrk(ul, tA, n, k, 2, a, ld, 0.5, c, ld) })
				for _, d := range diags {
					v := tri
					if d == blas.Unit { // small beside the diagonal of ones
						v = slices.Clone(tri)
						for i := range v {
							v[i] /= float64(9 * (m + n))
						}
					}
					both("Dtrsv", x, 1e-11, func(f calls, c []float64) { f.Dtrsv(ul, tA, d, n, v, ld+3, c, 2) })
					for _, s := range sides {
						both("Dtrsm", c, 1e-11,
							func(f calls, c []float64) { f.Dtrsm(s, ul, tA, d, m, n, 3, v, ld+3, c, ld+3) })
					}
				}
			}
		}
		for _, ul := range triangles {
			both("Dsymv", c, 1e-11, func(f calls, c []float64) { f.Dsymv(ul, n, 2, a, ld, x, 2, 0.5, c, 1) })
			both("Dspmv", c, 1e-11, func(f calls, c []float64) { f.Dspmv(ul, n, 2, a, x, 2, 0.5, c, 1) })
		}
	}
	if want := len(lengths) * 60; checks < want {
		t.Errorf("%d checks, want at least %d", checks, want)
	}
}

// TestFactors: A = UᵀU, or LLᵀ, of the triangle asked for; and what has no factor.
func TestFactors(t *testing.T) {
	f := opened(t)
	for _, n := range lengths {
		ld := n + 2
		a := dominant(rand.New(rand.NewPCG(uint64(n), 2)), n, ld)
		for _, ul := range triangles {
			entry := func(x []float64, i, j int) float64 { // of U, or of Lᵀ
				if ul == blas.Upper {
					return x[i*ld+j]
				}
				return x[j*ld+i]
			}
			got := slices.Clone(a)
			if !f.Dpotrf(ul, n, got, ld) {
				t.Fatalf("n=%d: no factor of a positive definite matrix", n)
			}
			for i := range n {
				for j := i; j < n; j++ {
					sum := 0.0
					for k := range i + 1 {
						sum += entry(got, k, i) * entry(got, k, j)
					}
					if want := entry(a, i, j); !(math.Abs(sum-want) <= 1e-14*float64(n*n)) {
						t.Fatalf("n=%d, %c: entry (%d, %d) of the product of the factors is %g, want %g", n, ul, i, j,
							sum, want)
					}
				}
			}
			for _, v := range []float64{-1, math.NaN()} {
				bad := slices.Clone(a)
				bad[n/2*ld+n/2] = v
				if f.Dpotrf(ul, n, bad, ld) {
					t.Errorf("n=%d: a factor of a matrix with %g on the diagonal", n, v)
				}
			}
		}
	}
}

// TestRefuse: one line of reason for each kind of library that is not used.
func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		config, core string
		parallel     int
		want         string // in the reason; "" for none
	}{
		{"OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Cooperlake MAX_THREADS=64", "Cooperlake", 1, ""},
		{"OpenBLAS 0.3.29 USE_OPENMP", "Zen", 2, ""},
		{"OpenBLAS 1.0.0", "Zen", 1, ""},
		{"OpenBLAS 0.3.8 DYNAMIC_ARCH", "Haswell", 1, ""},
		{"OpenBLAS 0.3.7 DYNAMIC_ARCH", "Haswell", 1, "0.3.7 is not safe"},
		{"OpenBLAS 0.2.20", "Haswell", 1, "0.2.20 is not safe"},
		{"OpenBLAS 0.3.11", "Haswell", 1, "withdrawn"},
		{"OpenBLAS 0.3.13", "SkylakeX", 1, "wrong factors"},
		{"OpenBLAS 0.3.13", "Haswell", 1, ""},
		{"OpenBLAS 0.3.21 SINGLE_THREADED", "Haswell", 0, "built without threads"},
		{"NO_LAPACKE DYNAMIC_ARCH", "Haswell", 1, "does not report its version"},
		{"OpenBLAS 0.3. dynamic 1..2", "Haswell", 1, "does not report its version"},
	} {
		got := rejectReason(c.config, c.core, c.parallel)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s on %s, parallel %d: %q, want %q in one line", c.config, c.core, c.parallel, got, c.want)
		}
	}
}

// child runs one test of this binary with MKL_BLAS set and returns what it logs.
func child(t *testing.T, test, value string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), choice+"="+value, "OPENBLAS_CHILD=1", "OPENBLAS_NUM_THREADS=7")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s=%s: %v\n%s", choice, value, err, out)
	}
	return string(out)
}

func isChild() bool { return os.Getenv("OPENBLAS_CHILD") == "1" }

// TestChild is what the tests below run in a process of its own: products on both sides of the size
// from which on the library serves.
func TestChild(t *testing.T) {
	if !isChild() {
		t.Skip("run by TestChoice")
	}
	product := func(n int) float64 {
		a, c := make([]float64, n*n), make([]float64, n*n)
		for i := range a {
			a[i] = float64(i % 7)
		}
		linalg.Bound(0).Gemm(false, true, n, n, n, 1, a, n, a, n, 0, c, n)
		s := 0.0
		for _, v := range c {
			s += v
		}
		return s
	}
	open := installed.opened.Load
	t.Logf("open at first: %v", open())
	t.Logf("sum of 8×8: %g", product(8))
	t.Logf("open after 8×8: %v", open())
	t.Logf("sum of 60×60: %g", product(60))
	t.Logf("open after 60×60: %v", open())
	t.Logf("backend: %s", linalg.Backend())
	t.Logf("environment of Go: %s", os.Getenv("OPENBLAS_NUM_THREADS"))
}

// TestChoice: what MKL_BLAS says is what serves, what cannot be used leaves pure Go with a reason of
// one line, and nothing is opened before the first large product.
func TestChoice(t *testing.T) {
	if isChild() {
		t.Skip("in a child")
	}
	text := filepath.Join(t.TempDir(), "libopenblas.so")
	if err := os.WriteFile(text, []byte("not a library\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	libc := "libc.so.6"
	if runtime.GOOS == "darwin" {
		libc = "/usr/lib/libSystem.B.dylib"
	}
	absent := filepath.Join(t.TempDir(), "libopenblas.so")
	for value, want := range map[string]string{
		"go":   "backend: go (MKL_BLAS=go)",
		"Go":   `backend: go (MKL_BLAS="Go" is unknown; use go, openblas or the file of an OpenBLAS library)`,
		"foo":  `backend: go (MKL_BLAS="foo" is unknown; use go, openblas or the file of an OpenBLAS library)`,
		text:   "backend: go (no OpenBLAS: " + text,
		absent: "backend: go (no OpenBLAS: " + absent,
		libc:   "backend: go (" + libc + ": not an OpenBLAS: it has no function openblas_get_config)",
	} {
		out := child(t, "TestChild", value)
		for _, w := range []string{want, "open at first: false", "open after 8×8: false", "open after 60×60: false",
			"environment of Go: 7", "sum of 60×60: 1.9"} {
			if !strings.Contains(out, w) {
				t.Errorf("%s=%s: %q not in\n%s", choice, value, w, out)
			}
		}
	}
	info := linalg.Backend()
	for _, value := range []string{"", "openblas"} {
		out := child(t, "TestChild", value)
		found := strings.Contains(out, "open after 60×60: true") && strings.Contains(out, "backend: openblas ")
		absent := strings.Contains(out, "open after 60×60: false") && strings.Contains(out, "backend: go (")
		if !found && !absent || !strings.Contains(out, "open after 8×8: false") ||
			!strings.Contains(out, "environment of Go: 7") {
			t.Errorf("%s=%s: neither opened at the first large product nor absent with a reason:\n%s", choice, value,
				out)
		}
		if info.Name == "openblas" && info.File == usualNames()[0] && !found {
			t.Errorf("%s=%s: %s is there, but not used:\n%s", choice, value, info.File, out)
		}
	}
	if info.Name == "openblas" { // by its file
		if out := child(t, "TestChild", info.File); !strings.Contains(out, "backend: "+info.String()) {
			t.Errorf("%s=%s: want backend %s:\n%s", choice, info.File, info, out)
		}
	}
}

// TestMissing: a library without one of the functions is refused, naming it.
func TestMissing(t *testing.T) {
	l := opened(t)
	all := l.symbols()
	if len(all) != 13 {
		t.Errorf("%d functions looked up, want 13", len(all))
	}
	for name, f := range all {
		if *f == 0 {
			t.Errorf("no function %s in an open library", name)
		}
	}
	_, _, err := loadLibrary(l.info.File + ".absent")
	if !isNotFound(err) {
		t.Errorf("a library that is not there: %v, want that it is absent", err)
	}
}

// TestTry: a library that computes something else is found out.
func TestTry(t *testing.T) {
	l := opened(t)
	if reason := selfTest(&library{functions: l.functions}); reason != "" {
		t.Errorf("a good library is refused: %s", reason)
	}
	handle, err := purego.Dlopen(l.info.File, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		t.Fatal(err)
	}
	other := l.functions
	if other.dpotrf, err = purego.Dlsym(handle, "dpotri_"); err != nil { // the same arguments, but an inverse
		t.Skip(err)
	}
	if reason := selfTest(&library{functions: other}); !strings.Contains(reason, "factor") {
		t.Errorf("another function for a factor: %q, want a reason that names it", reason)
	}
}
