package cells

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limit is the number of bytes of all variables of a kernel.
const Limit = 500 << 20

// Session contains the variables of a notebook.
type Session struct {
	packages *packages
	folder   string // of the files of the variables
	lock     *os.File
	vars     map[string]*variable
}

// variable is a variable of an earlier cell.
type variable struct {
	Type   string // a Go expression in which the path of its package, in quotes, precedes the name of a type
	File   string // "" if it ended with its cell
	Types  []string
	Bytes  int
	Cell   int    // that assigned it
	Reason string // why it ended
}

// Names of the folder of the variables and of its lock.
const (
	folderName = "kept"
	lockName   = "lock"
)

// NewSession makes a session whose variables are in a new folder in that of the program. Aliases are paths of
// packages by the name under which cells use them. NewSession removes the folders of kernels that were killed: those
// beside folder whose lock is free.
func NewSession(folder string, aliases map[string]string) (*Session, error) {
	s := &Session{packages: &packages{folder: folder, aliases: aliases}, folder: filepath.Join(folder, folderName),
		vars: map[string]*variable{}}
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(folder), "gonb_*", folderName, lockName))
	for _, lock := range others {
		if f, err := os.OpenFile(lock, os.O_RDWR, 0); err == nil {
			if lockFile(f) == nil {
				os.RemoveAll(filepath.Dir(filepath.Dir(lock)))
			}
			f.Close()
		}
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, fmt.Errorf("cells: make the folder of the variables: %w", err)
	}
	path := filepath.Join(s.folder, lockName)
	lock, err := os.OpenFile(path+".new", os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = lockFile(lock)
	}
	if err == nil { // others see the lock when it is held
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return nil, fmt.Errorf("cells: make the folder of the variables: %w", err)
	}
	s.lock = lock
	return s, nil
}

// Folder returns the folder of the files, which programs get in an environment variable.
func (s *Session) Folder() string { return s.folder }

// Start finds in advance what later calls need.
func (s *Session) Start() {
	s.packages.load([]string{"github.com/mklnb/mkl/mklnb", keptPath})
	s.packages.readStd()
	s.packages.readIndex()
}

// Reset forgets all variables.
func (s *Session) Reset() {
	clear(s.vars)
	s.removeFiles()
}

// start writes what a program must know about its variables.
func (s *Session) start(p *Program) error {
	files, made := map[string]string{}, map[string]int{}
	used, own := map[string]int{}, map[string]bool{}
	for _, name := range p.read {
		files[name], made[name] = s.vars[name].File, s.vars[name].Cell
		own[s.vars[name].File] = true
	}
	left := Limit
	for _, v := range s.vars {
		if v.File != "" && !own[v.File] {
			used[v.File] = v.Bytes
		}
	}
	for _, n := range used {
		left -= n
	}
	content, err := json.Marshal(map[string]any{"Files": files, "Cells": made, "Limit": left})
	if err == nil {
		os.Remove(filepath.Join(s.folder, "end.json"))
		err = os.WriteFile(filepath.Join(s.folder, "start.json"), content, 0o600)
	}
	if err != nil {
		return fmt.Errorf("cells: write the variables: %w", err)
	}
	return nil
}

// Write writes main.go, and the second file of the program unless it is empty.
func (s *Session) Write(mainPath, main, glue string) error {
	second := filepath.Join(filepath.Dir(mainPath), "kept.go")
	err := os.Remove(second)
	if glue != "" {
		err = os.WriteFile(second, []byte(glue), 0o600)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.WriteFile(mainPath, []byte(main), 0o600)
	}
	return err
}

// end is what a program wrote when it ended: see kept.End.
type end struct {
	Files   map[string]string
	Types   map[string][]string
	Bytes   map[string]int
	Reasons map[string]string
	Copies  map[string]string
	Made    []string
	Folder  string
	Env     map[string]*string
}

// Finish learns which variables last after a program has ended. It returns the names of declared variables, whose
// declarations must not run again, and notes for the reader of the cell. The kernel takes over the working directory
// and the environment of the program.
func (s *Session) Finish(p *Program) (adopted, notes []string) {
	if p == nil {
		return nil, nil
	}
	if !p.hasVariables {
		return nil, p.notes
	}
	made := slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.assigned, p.declared))))
	var e end
	content, err := os.ReadFile(filepath.Join(s.folder, "end.json"))
	if err == nil {
		err = json.Unmarshal(content, &e)
	}
	if err != nil {
		return made, s.lose(p, made)
	}
	s.setProcess(e)
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		v := &variable{Type: p.types[name], File: e.Files[name], Cell: p.cell, Bytes: e.Bytes[e.Files[name]],
			Types: e.Types[e.Files[name]]}
		if reason := s.unknownType(p, v); reason != "" {
			e.Reasons[name] = reason
			continue
		}
		if old := s.vars[name]; old != nil && !slices.Contains(e.Made, name) {
			v.Type = old.Type // the cell ended before it made another one
			if !slices.Contains(made, name) {
				v.Cell = old.Cell
			}
		}
		s.vars[name] = v
	}
	for _, name := range p.declared {
		if e.Files[name] == "" && e.Reasons[name] == "" {
			e.Reasons[name] = cmp.Or(p.unkept[name], notWritten)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Reasons)) {
		old, reason := s.vars[name], e.Reasons[name]
		s.vars[name] = &variable{Type: p.types[name], Cell: p.cell, Reason: reason}
		if strings.Contains(reason, "the limit") || strings.Contains(reason, "goroutine") ||
			slices.Contains(p.declared, name) || old != nil && old.File != "" && !slices.Contains(p.assigned, name) {
			notes = append(notes, fmt.Sprintf("note: %s ends with this cell: %s%s", name, reason, remedy(reason)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Copies)) {
		notes = append(notes, fmt.Sprintf("note: %s shares memory with %s; in later cells it is a copy", name,
			e.Copies[name]))
	}
	for name, reason := range p.unkept {
		s.vars[name] = &variable{Cell: p.cell, Reason: reason}
	}
	s.removeFiles()
	return append(e.Made, p.declared...), append(notes, p.notes...)
}

// setProcess gives the kernel, and so later programs, the folder and the environment of a program.
func (s *Session) setProcess(e end) {
	if e.Folder != "" && os.Chdir(e.Folder) == nil {
		os.Setenv("GONB_DIR", e.Folder)
	}
	for name, value := range e.Env {
		if value == nil {
			os.Unsetenv(name)
		} else {
			os.Setenv(name, *value)
		}
	}
}

// Remove forgets a variable, and reports whether there was one.
func (s *Session) Remove(name string) bool {
	_, found := s.vars[name]
	delete(s.vars, name)
	s.removeFiles()
	return found
}

// unknownType returns the reason if a file contains a value of a type that only a function of the cell declares.
func (s *Session) unknownType(p *Program, v *variable) string {
	for _, name := range mainTypes(v.Types...) {
		if !p.declaredTypes[name] {
			return "it contains a value of type " + name + ", which is declared in a function; declare the type outside"
		}
	}
	return ""
}

// notWritten is the reason of variables whose program did not get so far.
const notWritten = "the program of the cell ended before it was written " +
	"(killed, a panic in a goroutine, or an exit in a package)"

// lose ends the variables that a program made or assigned if the program ended without writing them.
func (s *Session) lose(p *Program, lost []string) (notes []string) {
	for _, name := range lost {
		if s.vars[name] != nil || slices.Contains(p.read, name) {
			notes = append(notes, fmt.Sprintf("note: %s is lost: %s", name, notWritten))
		}
		s.vars[name] = &variable{Cell: p.cell, Reason: notWritten, Type: p.types[name]}
	}
	var unchanged []string
	for _, name := range p.read {
		if !slices.Contains(lost, name) && s.vars[name] != nil && !s.vars[name].isConstant() {
			unchanged = append(unchanged, name)
		}
	}
	if len(unchanged) > 0 {
		notes = append(notes,
			"note: the program ended before it wrote its variables; as before the cell are "+
				strings.Join(unchanged, ", "))
	}
	return notes
}

// isConstant reports whether the value of a variable cannot change unless it is assigned.
func (v *variable) isConstant() bool { return !strings.ContainsAny(v.Type, "*[.\"") && v.Type != "any" }

// removeFiles removes the files that no variable needs.
func (s *Session) removeFiles() {
	needed := map[string]bool{lockName: true, "start.json": true}
	for _, v := range s.vars {
		needed[v.File] = true
	}
	entries, _ := os.ReadDir(s.folder)
	for _, e := range entries {
		if !needed[e.Name()] {
			os.Remove(filepath.Join(s.folder, e.Name()))
		}
	}
}

// remedy returns what to do about a variable that ended for a reason, "" if the reason says it.
func remedy(reason string) string {
	switch {
	case strings.Contains(reason, ";"):
		return ""
	case strings.HasSuffix(reason, "a function"):
		return "; declare it by func, or use it in the cell that makes it"
	case strings.Contains(reason, "an error of type"):
		return "; keep its text, as in text := err.Error()"
	case strings.Contains(reason, "the limit"):
		return fmt.Sprintf(" (%d MB in all); store it in a file, or make it in a function", Limit>>20)
	case reason == notWritten:
		return "; run the cell again"
	case strings.Contains(reason, "goroutine"):
		return "; wait for the goroutine in the cell that starts it"
	case strings.Contains(reason, "rand.rngSource"):
		return "; use math/rand/v2, as in rng := rand.New(rand.NewPCG(1, 2))"
	}
	return "; put it into a function, and call that in each cell which needs it"
}

// Names returns the variables that later cells can use, in ascending order.
func (s *Session) Names() (names []string) {
	for name, v := range s.vars {
		if v.File != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// List returns a line for each variable that later cells can use, with its type and its cell.
func (s *Session) List() (lines []string) {
	for _, name := range s.Names() {
		lines = append(lines, s.describe(name))
	}
	return lines
}
