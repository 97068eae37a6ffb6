//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	goblas "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/testenv"
)

// opened is the library that serves; without one the test is skipped.
func opened(t *testing.T) *library {
	t.Helper()
	switch info := linalg.Backend(); {
	case info.Name != "go":
	case info.EnvValue == "go":
		t.Skip("MKL_BLAS=go")
	default:
		testenv.SkipWithout(t, "no library: "+info.PureGoReason)
	}
	return installed
}

// TestGonumIsUntouched tests that importing the package changes nothing for a program's own gonum calls. (That
// lapack64 is not used either, the import table of algos says.)
func TestGonumIsUntouched(t *testing.T) {
	linalg.Backend() // opens the library
	if b, ok := blas64.Implementation().(goblas.Implementation); !ok {
		t.Errorf("blas64 is %T, want gonum's own", b)
	}
}

// TestOperations compares the operations of linalg, with the library, with those of gonum.
func TestOperations(t *testing.T) {
	opened(t)
	for _, n := range []int{7, 33, 48, 101, 270} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		normal := func(int, int, float64) float64 { return r.NormFloat64() }
		m, a, b := n+3, mat.NewDense(n, n+3, nil), mat.NewDense(n+3, n, nil)
		a.Apply(normal, a)
		b.Apply(normal, b)
		x := a.RawRowView(0)[:n]
		near := func(what string, got []float64, want mat.Matrix) {
			t.Helper()
			rows, columns := want.Dims()
			if d := mat.NewDense(rows, columns, got); !mat.EqualApprox(d, want, 1e-11*float64(n*n)) {
				t.Errorf("%s, n=%d: another result than gonum's", what, n)
			}
		}
		var ab, aat, v mat.Dense
		ab.Mul(a, b)
		c := make([]float64, n*n)
		linalg.ThreadLimit(0).Gemm(false, false, n, n, m, 1, a.RawMatrix().Data, m, b.RawMatrix().Data, n, 0, c, n)
		near("AB", c, &ab)
		linalg.ThreadLimit(0).Gemm(true, true, n, n, m, 1, b.RawMatrix().Data, n, a.RawMatrix().Data, m, 0, c, n)
		near("BᵀAᵀ", c, ab.T())
		aat.Mul(a, a.T())
		s := mat.NewSymDense(n, nil)
		linalg.ThreadLimit(0).Syrk(false, n, m, 1, a.RawMatrix().Data, m, 0, s.RawSymmetric().Data, n)
		near("AAᵀ", mat.DenseCopyOf(s).RawMatrix().Data, &aat)
		v.Mul(a.T(), mat.NewVecDense(n, x))
		y := make([]float64, m)
		linalg.MulVec(y, true, a, x)
		near("Aᵀx", y, &v)
		v.Reset()
		v.Mul(s, mat.NewVecDense(n, x))
		linalg.SymMulVec(y[:n], s, x)
		near("Sx", y[:n], &v)
		var factor linalg.Cholesky
		if !factor.Factorize(s, float64(n)) {
			t.Fatalf("n=%d: no factor of a positive definite matrix", n)
		}
		for i := range n {
			v.Set(i, 0, v.At(i, 0)+float64(n)*x[i]) // (S + nI)x
		}
		factor.SolveVec(y[:n], v.RawMatrix().Data)
		near("a solution", y[:n], mat.NewVecDense(n, x))
		if s.SetSym(n/2, n/2, -1); factor.Factorize(s, 0) {
			t.Errorf("n=%d: a factor of a matrix with −1 on the diagonal", n)
		}
		var e, smallest linalg.Spectral
		if !e.Factorize(s, true) || !smallest.FactorizeSmallest(s) ||
			math.Abs(e.Values()[0]-smallest.Values()[0]) > 1e-12*float64(n*n) {
			t.Fatalf("n=%d: smallest eigenvalue %v, alone %v", n, e.Values(), smallest.Values())
		}
		again := mat.NewSymDense(n, nil)
		e.Apply(again, func(l float64) float64 { return l })
		near("QΛQᵀ", mat.DenseCopyOf(again).RawMatrix().Data, s)
	}
}

// TestRefuse tests that each kind of unsuitable library is rejected for a reason of one line.
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
		{"NO_LAPACKE DYNAMIC_ARCH", "Haswell", 1, "contains no version"},
		{"OpenBLAS 0.3. dynamic 1..2", "Haswell", 1, "contains no version"},
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
	cmd.Env = append(os.Environ(), envVariable+"="+value, "OPENBLAS_CHILD=1", "OPENBLAS_NUM_THREADS=7")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s=%s: %v\n%s", envVariable, value, err, out)
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
		linalg.ThreadLimit(0).Gemm(false, true, n, n, n, 1, a, n, a, n, 0, c, n)
		s := 0.0
		for _, v := range c {
			s += v
		}
		return s
	}
	open := installed.isOpen.Load
	t.Logf("open at first: %v", open())
	t.Logf("sum of 8×8: %g", product(8))
	t.Logf("open after 8×8: %v", open())
	t.Logf("sum of 60×60: %g", product(60))
	t.Logf("open after 60×60: %v", open())
	t.Logf("backend: %s", linalg.Backend())
	t.Logf("environment of Go: %s", os.Getenv("OPENBLAS_NUM_THREADS"))
}

// TestChoice tests that MKL_BLAS selects the library, that pure Go replaces an unusable one with a reason of
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
		text:   "backend: go (cannot open OpenBLAS: " + text,
		absent: "backend: go (cannot open OpenBLAS: " + absent,
		libc:   "backend: go (" + libc + ": the file is not OpenBLAS: function openblas_get_config is missing)",
	} {
		out := child(t, "TestChild", value)
		for _, w := range []string{want, "open at first: false", "open after 8×8: false", "open after 60×60: false",
			"environment of Go: 7", "sum of 60×60: 1.9"} {
			if !strings.Contains(out, w) {
				t.Errorf("%s=%s: %q not in\n%s", envVariable, value, w, out)
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
			t.Errorf("%s=%s: neither opened at the first large product nor absent with a reason:\n%s", envVariable,
				value, out)
		}
		if info.Name == "openblas" && info.File == usualFileNames()[0] && !found {
			t.Errorf("%s=%s: %s is there, but not used:\n%s", envVariable, value, info.File, out)
		}
	}
	if info.Name == "openblas" { // by its file
		if out := child(t, "TestChild", info.File); !strings.Contains(out, "backend: "+info.String()) {
			t.Errorf("%s=%s: want backend %s:\n%s", envVariable, info.File, info, out)
		}
	}
}

// TestMissing tests that a library without one of the functions is rejected by the name of the function.
func TestMissing(t *testing.T) {
	l := opened(t)
	all := l.addressesByName()
	if len(all) != 12 {
		t.Errorf("%d functions looked up, want 12", len(all))
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
