// Package registry gives values a file form: JSON that names the type of each value behind an interface. A program
// reads a model or a study without a list of all kernels, sets, losses and solvers.
//
//	{"type": "github.com/mklnb/mkl/algos/kernel.RBF", "value": {"Gamma": 0.5}}
//
// A package registers its types when it is initialized. Packages of other modules do the same:
//
//	func init() { registry.Register(Hinge{}) }
//
// The name of a type is the path of its package and its name there. A program reads the types of the packages that it
// links. For any other type the error names the missing import.
//
// Plain data can be written: structs of exported fields, slices, arrays, pointers (the value that they point to),
// numbers, strings, and types other than structs that write themselves as text (encoding.TextMarshaler). A field that
// is not exported, a function, a map and a channel are errors, because they would be lost.
//
//	Marshal, Unmarshal            a value of a registered type, with its name
//	MarshalValue, UnmarshalValue  a value whose type the reader knows
package registry

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// registered contains the registered types. It does not change after the initialization of the program.
var registered = struct {
	types          map[string]reflect.Type // by name
	names          map[reflect.Type]string
	fileByTypeName map[string]string // for the name of a type, the source file that registers it
}{types: map[string]reflect.Type{}, names: map[reflect.Type]string{}, fileByTypeName: map[string]string{}}

// init registers the types of Go itself that Marshal can write.
func init() {
	for _, v := range []any{"", false, 0, 0.0, []string(nil), []int(nil), []float64(nil), [][]float64(nil),
		[]any(nil)} {
		t := reflect.TypeOf(v)
		addType(t, t.String(), "")
	}
}

// Register registers the type of v under the path of its package and its name. The calling package must declare this
// type or, if v is a pointer, the type that v points to. The value of v is ignored. Call Register only in an init
// function. It panics if the type has no name or is registered already. Declare such types outside
// package main: a file names a type by its package, and every program has a package main.
func Register(v any) {
	t := reflect.TypeOf(v)
	name := nameOf(t)
	if name == "" {
		panic(fmt.Sprintf("registry: cannot register %v, because no package declares this type", t))
	}
	_, file, _, _ := runtime.Caller(1)
	addType(t, name, file)
}

// addType registers t under a name; file is the source file of the call of Register.
func addType(t reflect.Type, name, file string) {
	if registered.types[name] != nil {
		panic(fmt.Sprintf("registry: cannot register %v: the name %q is registered already", t, name))
	}
	registered.types[name], registered.names[t], registered.fileByTypeName[name] = t, name, file
}

// RegisteringFile returns the path of the source file that registered the type of a name, as the compiler recorded it:
// a file of the package that declares the type. It returns "" for the types of Go itself.
func RegisteringFile(name string) string {
	return registered.fileByTypeName[name]
}

// TypeOf returns the registered type of a name, also if its package does not export it.
func TypeOf(name string) (t reflect.Type, ok bool) {
	t, ok = registered.types[name]
	return t, ok
}

// nameOf returns "path.Name" for a declared type, "*path.Name" for a pointer to one, and "" for any other type.
func nameOf(t reflect.Type) string {
	switch {
	case t == nil:
		return ""
	case t.Kind() == reflect.Pointer && t.Name() == "" && t.Elem().Kind() != reflect.Pointer:
		if name := nameOf(t.Elem()); name != "" {
			return "*" + name
		}
		return ""
	case t.PkgPath() == "":
		return ""
	}
	return t.PkgPath() + "." + t.Name()
}

// typeByName returns the registered type of a name. The error for an unknown name explains how to register the type.
func typeByName(name string) (reflect.Type, error) {
	if t := registered.types[name]; t != nil {
		return t, nil
	}
	nameWithoutArguments, _, _ := strings.Cut(strings.TrimPrefix(name, "*"), "[") // type arguments contain paths too
	switch i := strings.LastIndexByte(nameWithoutArguments, '.'); {
	case i < 0:
		return nil, fmt.Errorf("unknown type %q; write a name as path/of/package.Type", name)
	case nameWithoutArguments[:i] == "main":
		return nil, fmt.Errorf("type %q belongs to the program that wrote it; declare it in this program "+
			"and pass a value of it to registry.Register", name)
	default:
		return nil, fmt.Errorf("type %q is not linked into this program; add the line\n\timport _ %q",
			nameWithoutArguments[i+1:], nameWithoutArguments[:i])
	}
}

// Names returns the sorted names of all registered types that the program links, from this module and others.
func Names() []string {
	return slices.Sorted(maps.Values(registered.names))
}
