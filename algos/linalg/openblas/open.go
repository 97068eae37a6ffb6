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

	"github.com/mklnb/mkl/algos/linalg"
)

// envVariable is the name of the environment variable that selects the backend.
const envVariable = "MKL_BLAS"

// installed is the library that package linalg calls.
var installed = &library{envValue: os.Getenv(envVariable)}

func init() { linalg.Install(installed) }

// usualFileNames returns the usual file names of OpenBLAS. Libraries with their own threads come before those with
// OpenMP's.
func usualFileNames() []string {
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

// library is one OpenBLAS library. Its functions may be called after Open has returned true.
type library struct {
	envValue string // the value of MKL_BLAS
	openOnce sync.Once
	isOpen   atomic.Bool
	info     linalg.Info
	functions
}

// functions holds the addresses of functions in the library. They have Fortran's calling convention: every argument is
// an address, followed at the end by the lengths of the arguments that are texts.
type functions struct {
	dgemm, dsyrk, dtrsm, dgemv, dsymv, dtrsv       uintptr
	dpotrf, dsytrd, dormtr, dsterf, dstedc, dsyevr uintptr
}

// addressesByName returns a pointer to each field of f, by the name of the function in the library.
func (f *functions) addressesByName() map[string]*uintptr {
	return map[string]*uintptr{
		"dgemm_": &f.dgemm, "dsyrk_": &f.dsyrk, "dtrsm_": &f.dtrsm,
		"dgemv_": &f.dgemv, "dsymv_": &f.dsymv, "dtrsv_": &f.dtrsv,
		"dpotrf_": &f.dpotrf, "dsytrd_": &f.dsytrd, "dormtr_": &f.dormtr,
		"dsterf_": &f.dsterf, "dstedc_": &f.dstedc, "dsyevr_": &f.dsyevr,
	}
}

// Open opens the library at its first call and reports whether it may be called.
func (l *library) Open() bool {
	if l.isOpen.Load() {
		return true
	}
	l.openOnce.Do(l.openFirstUsable)
	return l.isOpen.Load()
}

// Info opens the library and describes it, or gives the reason why no library is open.
func (l *library) Info() linalg.Info {
	l.Open()
	return l.info
}

// openFirstUsable opens the first usable library that MKL_BLAS allows. If no library can be used, it stores the reason
// for the last file that exists.
func (l *library) openFirstUsable() {
	var reason string
	fileNames := []string{l.envValue}
	switch l.envValue {
	case "go":
		l.info = linalg.Info{Name: "go", EnvValue: l.envValue, PureGoReason: envVariable + "=go"}
		return
	case "", "openblas":
		fileNames = usualFileNames()
	default:
		if !strings.ContainsAny(l.envValue, "./") { // not the name of a shared library
			l.info = linalg.Info{Name: "go", EnvValue: l.envValue,
				PureGoReason: fmt.Sprintf("%s=%q is unknown; use go, openblas or the file of an OpenBLAS library",
					envVariable, l.envValue)}
			return
		}
	}
	for _, name := range fileNames {
		f, info, err := loadLibrary(name)
		if err == nil {
			info.EnvValue = l.envValue
			l.functions, l.info = f, info
			l.isOpen.Store(true)
			return
		}
		if reason == "" || !isNotFound(err) {
			reason = err.Error()
		}
	}
	l.info = linalg.Info{Name: "go", EnvValue: l.envValue, PureGoReason: reason}
}

// notFoundError is the error of a file that does not exist or is not a shared library.
type notFoundError struct{ error }

// isNotFound reports whether err is a notFoundError.
func isNotFound(err error) bool { _, ok := err.(notFoundError); return ok }

// singleLine returns s with single spaces instead of line breaks and other white space.
func singleLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// loadLibrary opens one file and checks that it may be used. It never closes a library, even one that it rejects,
// because the library may have started threads.
func loadLibrary(name string) (f functions, info linalg.Info, err error) {
	setSingleThreadedEnv()
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return f, info, notFoundError{fmt.Errorf("cannot open OpenBLAS: %s", singleLine(err.Error()))}
	}
	reject := func(format string, args ...any) (functions, linalg.Info, error) {
		return functions{}, linalg.Info{}, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
	getConfig, err := purego.Dlsym(handle, "openblas_get_config")
	if err != nil {
		return reject("the file is not OpenBLAS: function openblas_get_config is missing")
	}
	r, _, _ := purego.SyscallN(getConfig)
	config := copyCString(r)
	if getCoreName, err := purego.Dlsym(handle, "openblas_get_corename"); err == nil {
		r, _, _ = purego.SyscallN(getCoreName)
		info.CPUType = copyCString(r)
	}
	getParallel, err := purego.Dlsym(handle, "openblas_get_parallel")
	if err != nil {
		return reject("function openblas_get_parallel is missing")
	}
	threadMode, _, _ := purego.SyscallN(getParallel)
	if reason := rejectReason(config, info.CPUType, int(int32(threadMode))); reason != "" {
		return reject("%s", reason)
	}
	addresses := f.addressesByName()
	for _, s := range slices.Sorted(maps.Keys(addresses)) {
		if *addresses[s], err = purego.Dlsym(handle, s); err != nil {
			return reject("function %s is missing", s)
		}
	}
	setNumThreads, err := purego.Dlsym(handle, "openblas_set_num_threads")
	if err != nil {
		return reject("function openblas_set_num_threads is missing")
	}
	purego.SyscallN(setNumThreads, 1)
	info.Name, info.File = "openblas", name
	_, info.Version = parseVersion(config)
	return f, info, nil
}

// parseVersion returns the version in a configuration such as "OpenBLAS 0.3.21.dev DYNAMIC_ARCH SkylakeX
// MAX_THREADS=64", here 0, 3, 21 and "0.3.21". versionText is empty if there is no version. (It does not use
// package regexp, which would be a third of the size that this package adds to every notebook cell.)
func parseVersion(config string) (version [3]int, versionText string) {
	for _, word := range strings.FieldsFunc(config, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		fields := strings.Split(word, ".")
		if len(fields) < 3 {
			continue
		}
		for i := range version {
			var err error
			if version[i], err = strconv.Atoi(fields[i]); err != nil {
				return version, ""
			}
		}
		return version, strings.Join(fields[:3], ".")
	}
	return version, ""
}

// rejectReason returns the reason why a library cannot be used, or "" if it can. config is the configuration that the
// library reports, core the processor type whose code it uses, and threadMode how it was built: 0 without threads, 1
// with threads, 2 with OpenMP.
func rejectReason(config, core string, threadMode int) string {
	version, versionText := parseVersion(config)
	if versionText == "" {
		return fmt.Sprintf("the configuration %q contains no version; 0.3.8 or later is needed", singleLine(config))
	}
	isOlderThan := func(w ...int) bool { return slices.Compare(version[:], w) < 0 }
	switch {
	case isOlderThan(0, 3, 8):
		return "version " + versionText + " is not safe for concurrent calls; 0.3.8 or later is needed"
	case slices.Equal(version[:], []int{0, 3, 11}):
		return "version " + versionText + " was withdrawn by its authors"
	case isOlderThan(0, 3, 19) && (core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids"):
		return "version " + versionText + " computes wrong factors on this processor (" + core +
			"); 0.3.19 or later is needed"
	case threadMode == 0:
		return "the library was built without threads and is not safe for concurrent calls"
	}
	return ""
}

// setSingleThreadedEnv sets the environment variables that keep a library from starting its own threads. It sets them
// in the environment that C code reads. Neither os.Getenv nor other processes read it.
func setSingleThreadedEnv() {
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	if err != nil {
		return
	}
	for _, name := range []string{"OPENBLAS_NUM_THREADS\x00", "OMP_NUM_THREADS\x00"} {
		n, v := []byte(name), []byte("1\x00")
		purego.SyscallN(setenv, addressOf(&n[0]), addressOf(&v[0]), 1)
	}
}

// copyCString returns a copy of the text at address, which ends with a zero byte. It copies at most 4096 bytes.
func copyCString(address uintptr) string {
	if address == 0 {
		return ""
	}
	p := *(*unsafe.Pointer)(unsafe.Pointer(&address)) // memory of C, which the garbage collector does not move
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
