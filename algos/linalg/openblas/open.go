//go:build ((linux && !android) || darwin) && (amd64 || arm64) && !faketime

package openblas

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"

	"gonum.org/v1/gonum/blas"

	"github.com/mklnb/mkl/algos/linalg"
)

// choice is the environment variable that chooses the backend.
const choice = "MKL_BLAS"

// installed is the library that serves package linalg.
var installed = &library{choice: os.Getenv(choice)}

func init() { linalg.Install(installed) }

// names are where OpenBLAS usually is, the best first: built with threads of its own, not OpenMP's.
func names() []string {
	if runtime.GOOS == "darwin" {
		return []string{
			"libopenblas.dylib", "libopenblas.0.dylib",
			"/opt/homebrew/opt/openblas/lib/libopenblas.dylib", // Homebrew on Apple silicon
			"/usr/local/opt/openblas/lib/libopenblas.dylib",    // Homebrew on Intel
			"/opt/local/lib/libopenblas.dylib",                 // MacPorts
		}
	}
	return []string{
		"libopenblas.so.0",  // Debian, Ubuntu, Arch, conda
		"libopenblasp.so.0", // Fedora: libopenblas.so.0 there is the one without threads
		"libopenblas.so", "libopenblasp.so",
	}
}

// library is one OpenBLAS. Its functions may be called once open reports true.
type library struct {
	choice string
	once   sync.Once
	opened atomic.Bool
	info   linalg.Info
	functions
}

// functions are addresses in the library, in Fortran's calling convention: every argument by
// address, and behind them the lengths of the texts.
type functions struct {
	dgemm, dsyrk, dsymm, dtrsm, dgemv, dsymv, dspmv, dtrsv uintptr
	dpotrf, dsytrd, dormtr, dsterf, dstedc, dsyevr         uintptr
}

func (f *functions) symbols() map[string]*uintptr {
	return map[string]*uintptr{
		"dgemm_": &f.dgemm, "dsyrk_": &f.dsyrk, "dsymm_": &f.dsymm, "dtrsm_": &f.dtrsm,
		"dgemv_": &f.dgemv, "dsymv_": &f.dsymv, "dspmv_": &f.dspmv, "dtrsv_": &f.dtrsv,
		"dpotrf_": &f.dpotrf, "dsytrd_": &f.dsytrd, "dormtr_": &f.dormtr,
		"dsterf_": &f.dsterf, "dstedc_": &f.dstedc, "dsyevr_": &f.dsyevr,
	}
}

// Open opens the library at its first call.
func (l *library) Open() bool {
	if l.opened.Load() {
		return true
	}
	l.once.Do(l.open)
	return l.opened.Load()
}

// Info says which library is open, or why none is.
func (l *library) Info() linalg.Info {
	l.Open()
	return l.info
}

// open tries the names in turn. Where none can be used, the reason is that of the last that exists.
func (l *library) open() {
	var reason string
	wanted := []string{l.choice}
	switch l.choice {
	case "go":
		l.info = linalg.Info{Name: "go", Choice: l.choice, Reason: choice + "=go"}
		return
	case "", "openblas":
		wanted = names()
	default:
		if !strings.ContainsAny(l.choice, "./") { // not the name of a shared library
			l.info = linalg.Info{Name: "go", Choice: l.choice,
				Reason: fmt.Sprintf("%s=%q is unknown; use go, openblas or the file of an OpenBLAS library",
					choice, l.choice)}
			return
		}
	}
	for _, name := range wanted {
		f, info, err := load(name)
		if err == nil {
			info.Choice = l.choice
			l.functions, l.info = f, info
			l.opened.Store(true)
			return
		}
		if reason == "" || !isAbsent(err) {
			reason = err.Error()
		}
	}
	l.info = linalg.Info{Name: "go", Choice: l.choice, Reason: reason}
}

// absent is the error of a file that does not exist or is not a shared library.
type absent struct{ error }

func isAbsent(err error) bool { _, ok := err.(absent); return ok }

// line is s without line breaks.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// load opens one file and checks that it may be used. A library once opened stays in the process, also where it is
// refused: it may have started threads.
func load(name string) (f functions, info linalg.Info, err error) {
	restore := singleThreaded()
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	restore()
	if err != nil {
		return f, info, absent{fmt.Errorf("no OpenBLAS: %s", line(err.Error()))}
	}
	bad := func(format string, args ...any) (functions, linalg.Info, error) {
		return functions{}, linalg.Info{}, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
	config, err := purego.Dlsym(handle, "openblas_get_config")
	if err != nil {
		return bad("not an OpenBLAS: it has no function openblas_get_config")
	}
	r, _, _ := purego.SyscallN(config)
	text := goString(r)
	if core, err := purego.Dlsym(handle, "openblas_get_corename"); err == nil {
		r, _, _ = purego.SyscallN(core)
		info.Core = goString(r)
	}
	parallel, err := purego.Dlsym(handle, "openblas_get_parallel")
	if err != nil {
		return bad("it has no function openblas_get_parallel")
	}
	how, _, _ := purego.SyscallN(parallel)
	if reason := refuse(text, info.Core, int(int32(how))); reason != "" {
		return bad("%s", reason)
	}
	all := f.symbols()
	for _, s := range slices.Sorted(maps.Keys(all)) {
		if *all[s], err = purego.Dlsym(handle, s); err != nil {
			return bad("it has no function %s", s)
		}
	}
	set, err := purego.Dlsym(handle, "openblas_set_num_threads")
	if err != nil {
		return bad("it has no function openblas_set_num_threads")
	}
	purego.SyscallN(set, 1)
	if reason := try(&library{functions: f}); reason != "" {
		return bad("%s", reason)
	}
	info.Name, info.File = "openblas", name
	_, info.Version = version(text)
	return f, info, nil
}

// version finds the first three numbers joined by dots in a configuration such as
// "OpenBLAS 0.3.21.dev DYNAMIC_ARCH SkylakeX MAX_THREADS=64". (Package regexp would be a
// third of what this package adds to every cell.)
func version(config string) (v [3]int, text string) {
	for _, word := range strings.FieldsFunc(config, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		parts := strings.Split(word, ".")
		if len(parts) < 3 {
			continue
		}
		for i := range v {
			var err error
			if v[i], err = strconv.Atoi(parts[i]); err != nil {
				return v, ""
			}
		}
		return v, strings.Join(parts[:3], ".")
	}
	return v, ""
}

// refuse is the reason why a library is not used, given its configuration, the processor it chose its code for,
// and how it was built: 0 without threads, 1 with threads, 2 with OpenMP. It is "" for a good one.
func refuse(config, core string, parallel int) string {
	v, text := version(config)
	if text == "" {
		return fmt.Sprintf("it does not report its version (%q); 0.3.8 or later is needed", line(config))
	}
	before := func(w ...int) bool { return slices.Compare(v[:], w) < 0 }
	switch {
	case before(0, 3, 8):
		return "version " + text + " is not safe for concurrent calls; 0.3.8 or later is needed"
	case slices.Equal(v[:], []int{0, 3, 11}):
		return "version " + text + " was withdrawn by its authors"
	case before(0, 3, 19) && (core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids"):
		return "version " + text + " computes wrong factors on this processor (" + core + "); 0.3.19 or later is needed"
	case parallel == 0:
		return "built without threads: not safe for concurrent calls"
	}
	return ""
}

// singleThreaded sets the variables that keep a library from starting threads of its own, in the environment
// that C code reads and not in the one of os.Getenv, and returns a function that undoes it.
func singleThreaded() (restore func()) {
	set, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	unset, err2 := purego.Dlsym(purego.RTLD_DEFAULT, "unsetenv")
	if err != nil || err2 != nil {
		return func() {}
	}
	put := func(name, value string) {
		n, v := append([]byte(name), 0), append([]byte(value), 0)
		purego.SyscallN(set, uintptr(unsafe.Pointer(&n[0])), uintptr(unsafe.Pointer(&v[0])), 1)
	}
	type old struct {
		name, value string
		there       bool
	}
	var was []old
	for _, name := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"} {
		value, there := os.LookupEnv(name)
		was = append(was, old{name, value, there})
		put(name, "1")
	}
	return func() {
		for _, o := range was {
			if o.there {
				put(o.name, o.value)
				continue
			}
			n := append([]byte(o.name), 0)
			purego.SyscallN(unset, uintptr(unsafe.Pointer(&n[0])))
		}
	}
}

// goString copies a text of C.
func goString(c uintptr) string {
	if c == 0 {
		return ""
	}
	p := *(*unsafe.Pointer)(unsafe.Pointer(&c)) // memory of C, which the collector does not move
	var b []byte
	for i := 0; i < 1<<12; i++ {
		v := *(*byte)(unsafe.Add(p, i))
		if v == 0 {
			break
		}
		b = append(b, v)
	}
	return string(b)
}

// try compares small computations with their known results, so that a library with another calling
// convention is refused before it is used: A = LLᵀ with L = [2 0; 1 3], its eigenvalues, and AA.
func try(l *library) string {
	a := []float64{4, 2, 2, 10}
	c := make([]float64, 4)
	l.Dgemm(blas.NoTrans, blas.NoTrans, 2, 2, 2, 1, a, 2, a, 2, 0, c, 2)
	if !slices.Equal(c, []float64{20, 28, 28, 104}) {
		return fmt.Sprintf("a product of two matrices is %v instead of [20 28 28 104]", c)
	}
	copy(c, a)
	if !l.Dpotrf(blas.Upper, 2, c, 2) || c[0] != 2 || c[1] != 1 || c[3] != 3 {
		return fmt.Sprintf("a Cholesky factor is %v instead of [2 1 · 3]", c)
	}
	var (
		d, e, tau = make([]float64, 2), make([]float64, 2), make([]float64, 2)
		work      = make([]float64, 128)
		iwork     = make([]int64, 13)
	)
	copy(c, a)
	l.Tridiagonal(2, c, 2, d, e, tau, work)
	if !l.EigenTridiagonal(2, d, e, nil, 0, work, iwork) || abs(d[0]+d[1]-14) > 1e-12 || abs(d[0]*d[1]-36) > 1e-12 {
		return fmt.Sprintf("eigenvalues are %v instead of 7 ∓ √13", d)
	}
	return ""
}

func abs(x float64) float64 { return max(x, -x) }
