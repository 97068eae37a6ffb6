// Package kept writes the variables of a notebook's cell to files when its program ends, and reads them when the
// program of a later cell starts. So variables last although each cell is a program of its own. The kernel Go (mkl)
// adds the calls to the program of a cell (package cells); cells and libraries do not call it.
//
//	Load, Var         the first call: reads the variables of earlier cells that the cell names
//	Set, Foreign      adds a variable that the cell has just made; notes variables of packages
//	Finish, Exit      writes the variables at the end of main; and instead of os.Exit
//	Check             ends the cell with an error that it did not read
//	Show              prints the value of the last expression
//	Listen, Poll, OnInterrupt, OnFailure, ReportDeadlocks   the stop button, failures, and deadlocks
//	Start, End        what the kernel tells the program, and the program the kernel, in JSON
//
// A panic and the stop button write the variables, too. It writes memory as it is, with fields that are not exported,
// and variables that share memory share it after reading. What is valid only in its program cannot be written
// (functions, channels, files, locks in use): the kernel then gets the reason. A variable that shares memory with a
// variable of a package that the cell names is a copy in later cells, and the kernel says so; memory that a package's
// function returns is a copy, too.
package kept

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// FolderEnv is the environment variable with the folder of the variables. The kernel sets it.
const FolderEnv = "MKL_KEPT"

// Variable is a variable of a cell.
type Variable struct {
	name    string
	pointer unsafe.Pointer
	typ     reflect.Type
}

// Var returns the variable of a name to which p points.
func Var(name string, p any) Variable {
	v := reflect.ValueOf(p)
	return Variable{name, v.UnsafePointer(), v.Type().Elem()}
}

// Start is what the kernel tells a program: the files that contain the variables that exist.
type Start struct {
	Files map[string]string // file of each variable that is read
	Cells map[string]int    // number of the cell that assigned it
	Limit int               // bytes of all files that the program writes
}

// End is what a program tells the kernel when it ends.
type End struct {
	Files   map[string]string   // file of each variable that was written
	Types   map[string][]string // for each file, the types that its reader must know
	Bytes   map[string]int      // size of each file
	Reasons map[string]string   // why a variable was not written
	Made    []string            // variables that the program made, with the type that it gives them
	Folder  string              // the working directory, if the program has changed it
	Copies  map[string]string   // the variable of a package with which a variable shares memory
	Env     map[string]*string  // environment variables that the program has changed; nil for one that it removed
}

var state struct {
	mu      sync.Mutex
	folder  string
	start   Start
	vars    []Variable
	hidden  []Variable // declared again: their memory may still be in use
	foreign []Variable // of packages
	made    []string
	ended   bool
	process process // at the start
}

// Load reads variables of earlier cells, and lets the variables last. It returns true.
func Load(vars ...Variable) bool {
	state.folder = os.Getenv(FolderEnv)
	if state.folder == "" {
		return true
	}
	content, err := os.ReadFile(filepath.Join(state.folder, "start.json"))
	if err == nil {
		err = json.Unmarshal(content, &state.start)
	}
	if err != nil {
		failLoad(fmt.Errorf("the variables of earlier cells cannot be read: %w", err))
	}
	state.vars = vars
	groups := map[string]map[string]Variable{}
	for _, v := range vars {
		if file := state.start.Files[v.name]; file != "" {
			if groups[file] == nil {
				groups[file] = map[string]Variable{}
			}
			groups[file][v.name] = v
		}
	}
	for file, group := range groups {
		content, err := os.ReadFile(filepath.Join(state.folder, file))
		if err == nil && hashOf(content) != file {
			err = errors.New("its file is damaged")
		}
		if err == nil {
			err = decode(content, group)
		}
		if err != nil {
			names, made := slices.Sorted(maps.Keys(group)), map[int]bool{}
			for _, name := range names {
				made[state.start.Cells[name]] = true
			}
			failLoad(fmt.Errorf("%s cannot be read: %w; run again the cells %v, or declare the variables anew with :=",
				strings.Join(names, ", "), err, slices.Sorted(maps.Keys(made))))
		}
	}
	for _, v := range vars {
		noteForms(v)
	}
	state.process = readProcess()
	Listen()
	return true
}

// Set lets a variable last that the cell has just made.
func Set(vars ...Variable) {
	state.mu.Lock()
	defer state.mu.Unlock()
	for _, v := range vars {
		noteForms(v)
		state.made = append(state.made, v.name)
		state.vars = slices.DeleteFunc(state.vars, func(old Variable) bool {
			if old.name == v.name && old.pointer != v.pointer {
				state.hidden = append(state.hidden, old)
			}
			return old.name == v.name
		})
		state.vars = append(state.vars, v)
	}
}

// Foreign notes the variables of packages that the cell names.
func Foreign(vars ...Variable) { state.foreign = vars }

func failLoad(err error) {
	fmt.Fprintln(os.Stderr, "error: "+err.Error())
	state.vars = nil
	Exit(1)
}

// Finish writes the variables at the end of the program.
func Finish() { finish(runtime.NumGoroutine() > idleGoroutines) }

// Exit writes the variables and ends the program with this status.
func Exit(code int) {
	Finish()
	os.Exit(code)
}

// Check ends the cell with an error that is not nil.
func Check(err error) {
	if err != nil {
		fail(err)
	}
}

// fail ends the cell with an error. Package mklnb replaces it.
var fail = func(err error) {
	fmt.Fprintln(os.Stderr, "error: "+err.Error())
	Exit(1)
}

// OnFailure makes Check call f.
func OnFailure(f func(error)) { fail = f }

// Fields returns the names in a text.
func Fields(names string) []string { return strings.Fields(names) }

// IsNil reports whether x is nil or a nil pointer.
func IsNil(x any) bool {
	v := reflect.ValueOf(x)
	return x == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// Expression is the last expression of a cell, while its value is shown. Lines of code that a reader can copy use it.
var Expression string

// Show prints values, each on a line, in the form of fmt's verb %+v. It prints the type of a function.
func Show(xs ...any) {
	for _, x := range xs {
		if v := reflect.ValueOf(x); v.Kind() == reflect.Func {
			x = v.Type()
		}
		if _, ok := x.(fmt.Formatter); ok { // a sign before numbers
			fmt.Printf("%v\n", x)
			continue
		}
		fmt.Printf("%+v\n", x)
	}
}

// process is the state of a program that it hands on besides its variables.
type process struct {
	folder string
	env    map[string]string
}

func readProcess() process {
	p := process{env: map[string]string{}}
	p.folder, _ = os.Getwd()
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		p.env[name] = value
	}
	return p
}

// setProcess stores what the program has changed of its folder and its environment.
func (e *End) setProcess() {
	now := readProcess()
	if now.folder != state.process.folder {
		e.Folder = now.folder
	}
	for name, value := range now.env {
		if old, ok := state.process.env[name]; !ok || old != value {
			e.Env[name] = &value
		}
	}
	for name := range state.process.env {
		if _, ok := now.env[name]; !ok {
			e.Env[name] = nil
		}
	}
}

// finish writes the variables once. If others is set, other goroutines may change them: a variable that changes while
// it is written is not kept.
func finish(others bool) {
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.folder == "" || state.ended {
		return
	}
	state.ended = true
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	end := End{Files: map[string]string{}, Types: map[string][]string{}, Bytes: map[string]int{},
		Reasons: map[string]string{}, Copies: map[string]string{}, Env: map[string]*string{}, Made: state.made}
	end.setProcess()
	if others {
		runtime.GOMAXPROCS(1)
	}
	left := state.start.Limit
	for _, g := range groupsOf(state.vars, end.Reasons, left) {
		if others {
			time.Sleep(5 * time.Millisecond)
			if again, _, err := encode(g.vars, left); err != nil || string(again) != string(g.file) {
				for _, v := range g.vars {
					end.Reasons[v.name] = "another goroutine changed it while it was written"
				}
				continue
			}
		}
		if left -= len(g.file); left < 0 {
			left += len(g.file)
			for _, v := range g.vars {
				end.Reasons[v.name] = tooLarge
			}
			continue
		}
		writeGroup(g, &end)
		for _, f := range state.foreign {
			if overlap(g.spans, reach(f)) {
				for _, v := range g.vars {
					end.Copies[v.name] = f.name
				}
			}
		}
	}
	content, err := json.Marshal(end)
	path := filepath.Join(state.folder, "end.json")
	if err == nil {
		err = os.WriteFile(path+".new", content, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kept: the variables of this cell are not kept: "+err.Error())
	}
}

func writeGroup(g group, end *End) {
	name := hashOf(g.file)
	path := filepath.Join(state.folder, name)
	if _, err := os.Stat(path); err != nil {
		if err := os.WriteFile(path, g.file, 0o600); err != nil {
			for _, v := range g.vars {
				end.Reasons[v.name] = "the file cannot be written: " + err.Error()
			}
			return
		}
	}
	end.Bytes[name] = len(g.file)
	for _, t := range g.types {
		if unnamed(t) != "" {
			continue // registered
		}
		end.Types[name] = append(end.Types[name], keyOf(t))
	}
	for _, v := range g.vars {
		end.Files[v.name] = name
	}
}

// group contains variables that share memory, and their file.
type group struct {
	vars  []Variable
	file  []byte
	types []reflect.Type
	spans []*region
}

// groupsOf returns the variables in groups that share no memory with each other, without those that cannot be written,
// for which it stores the reason.
func groupsOf(vars []Variable, reasons map[string]string, limit int) []group {
	var groups []group
	for _, v := range vars {
		e, err := walk([]Variable{v}, limit)
		if err != nil {
			reasons[v.name] = err.Error()
			continue
		}
		joined := group{vars: []Variable{v}, spans: e.ordered}
		var rest []group
		for _, g := range groups {
			if overlap(g.spans, e.ordered) {
				joined.vars = append(joined.vars, g.vars...)
				joined.spans = slices.Concat(joined.spans, g.spans)
			} else {
				rest = append(rest, g)
			}
		}
		if len(joined.vars) == 1 {
			joined.file, joined.types, err = e.write(joined.vars)
		}
		if groups = append(rest, joined); err != nil {
			groups, reasons[v.name] = rest, err.Error()
		}
	}
	var written []group
	for _, g := range groups {
		if g.complete(reasons, limit) {
			written = append(written, g)
		}
	}
	return written
}

// complete writes a group of several variables, and reports whether it could be written.
func (g *group) complete(reasons map[string]string, limit int) bool {
	if len(g.vars) == 1 {
		return true
	}
	slices.SortFunc(g.vars, func(a, b Variable) int { return strings.Compare(a.name, b.name) })
	var err error
	if g.file, g.types, err = encode(g.vars, limit); err != nil {
		for _, v := range g.vars {
			reasons[v.name] = err.Error()
		}
	}
	return err == nil
}

// hashOf returns the first 24 hexadecimal digits of the SHA-256 of b.
func hashOf(b []byte) string { return fmt.Sprintf("%.12x", sha256.Sum256(b)) }
