package kept

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// formed is a value that is written as another one, of an exported type that is restorable. A family that is bound to
// points is written as the family and the points.
type formed interface{ KeptForm() any }

// restorable returns the value that a form was made of.
type restorable interface{ FromKept() any }

// The methods of encoding/gob, which this package does not link.
type (
	gobEncoder interface{ GobEncode() ([]byte, error) }
	gobDecoder interface{ GobDecode([]byte) error }
)

// types contains the types that values of an interface in a file may have, by key.
var types = map[string]reflect.Type{}

// Types adds the types to which these nil pointers point. The program of a cell calls it for the types that the files
// of its variables contain.
func Types(pointers ...any) bool {
	for _, p := range pointers {
		t := reflect.TypeOf(p).Elem()
		types[keyOf(t)] = t
	}
	return true
}

// keyOf returns a Go expression of t in which the path of its package, in quotes, precedes the name of a type.
func keyOf(t reflect.Type) string {
	if name := t.Name(); name != "" {
		if t.PkgPath() == "" {
			return name
		}
		return fmt.Sprintf("%q.%s", t.PkgPath(), qualifyArguments(name))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + keyOf(t.Elem())
	case reflect.Slice:
		return "[]" + keyOf(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), keyOf(t.Elem()))
	case reflect.Map:
		return "map[" + keyOf(t.Key()) + "]" + keyOf(t.Elem())
	case reflect.Struct:
		var b strings.Builder
		for f := range t.Fields() {
			name := f.Name + " "
			if f.Anonymous {
				name = ""
			}
			fmt.Fprintf(&b, "; %s%s", name, keyOf(f.Type))
			if f.Tag != "" {
				fmt.Fprintf(&b, " %q", string(f.Tag))
			}
		}
		return "struct{" + strings.TrimPrefix(b.String(), "; ") + "}"
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return "any"
		}
	}
	return t.String()
}

// qualifyArguments puts the package paths of type arguments in quotes: T[a/b.C] becomes T["a/b".C].
func qualifyArguments(name string) string {
	head, arguments, ok := strings.Cut(name, "[")
	if !ok {
		return name
	}
	var b strings.Builder
	b.WriteString(head + "[")
	word := ""
	flush := func() {
		if i := strings.LastIndexByte(word, '.'); i > 0 {
			word = fmt.Sprintf("%q%s", word[:i], word[i:])
		}
		b.WriteString(word)
		word = ""
	}
	for _, r := range arguments {
		if strings.ContainsRune("[]{}(),;* ", r) {
			flush()
			b.WriteRune(r)
			continue
		}
		word += string(r)
	}
	flush()
	return b.String()
}

// layoutOf returns a text that differs if the memory of a value of type t is used in another way.
func layoutOf(t reflect.Type, seen map[reflect.Type]bool) string {
	key := keyOf(t)
	if seen[t] {
		return key
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Array:
		return fmt.Sprint(key, "=", t.Len(), layoutOf(t.Elem(), seen))
	case reflect.Pointer, reflect.Slice:
		return key + "=" + layoutOf(t.Elem(), seen)
	case reflect.Map:
		return key + "=" + layoutOf(t.Key(), seen) + ":" + layoutOf(t.Elem(), seen)
	case reflect.Struct:
		var b strings.Builder
		b.WriteString(key + "={")
		for f := range t.Fields() {
			fmt.Fprintf(&b, "%s@%d %s;", f.Name, f.Offset, layoutOf(f.Type, seen))
		}
		return b.String() + "}"
	}
	return key + "=" + t.Kind().String()
}

// layoutHashOf returns the hash of the layout of t.
func layoutHashOf(t reflect.Type) string { return hashOf([]byte(layoutOf(t, map[reflect.Type]bool{}))) }

// manner is the way in which values of a type are written.
type manner int

const (
	byParts  manner = iota // numbers, texts, and the parts of others
	byMemory               // the bytes in memory
	byBinary               // encoding.BinaryMarshaler
	byGob                  // gob.GobEncoder
	byText                 // encoding.TextMarshaler
	byTime                 // by parts, without the reading of a clock
	asZero                 // a lock or a cache of a type of this library, which is empty after reading
	ifZero                 // a lock, which must be free
	notAtAll               // a type of a package whose values may depend on the process
)

// library is the prefix of the paths of packages of this module.
const library = "github.com/mklnb/mkl/"

// plainPackages are packages of the standard library whose values do not depend on their process.
var plainPackages = []string{"bytes", "strings", "container/", "math/", "go/ast", "go/token", "sort", "image",
	"internal/chacha8rand", "text/tabwriter", "unicode/"}

// mannerOf returns the manner of the struct type t. inLibrary states that a type of this library contains the value.
func mannerOf(t reflect.Type, inLibrary bool) manner {
	path := t.PkgPath()
	switch {
	case path == "sync" && inLibrary:
		return asZero
	case path == "sync" || path == "internal/sync":
		return ifZero
	case path == "" || path == "main" || strings.HasPrefix(path, library) || strings.HasPrefix(path, "gonum.org/") ||
		path == "sync/atomic" || !hasUnexported(t):
		return byParts
	case t == reflect.TypeFor[time.Time]():
		return byTime
	case path == "time" && (t.Name() == "Location" || t.Name() == "zone" || t.Name() == "zoneTrans"):
		return byParts
	case slices.ContainsFunc(plainPackages, func(p string) bool {
		return path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p)
	}):
		return byParts
	case both[encoding.BinaryMarshaler, encoding.BinaryUnmarshaler](t):
		return byBinary
	case both[gobEncoder, gobDecoder](t):
		return byGob
	case both[encoding.TextMarshaler, encoding.TextUnmarshaler](t):
		return byText
	}
	return notAtAll
}

func hasUnexported(t reflect.Type) bool {
	for f := range t.Fields() {
		if !f.IsExported() {
			return true
		}
	}
	return false
}

// both reports whether *t has both methods, and not only because an embedded field has them.
func both[W, R any](t reflect.Type) bool {
	p := reflect.PointerTo(t)
	if !p.Implements(reflect.TypeFor[W]()) || !p.Implements(reflect.TypeFor[R]()) {
		return false
	}
	for f := range t.Fields() {
		if f.Anonymous && (f.Type.Implements(reflect.TypeFor[W]()) ||
			reflect.PointerTo(f.Type).Implements(reflect.TypeFor[W]())) {
			return false
		}
	}
	return true
}

// isBytes reports whether values of type t are written by their bytes in memory: numbers, and arrays and structs of
// numbers without gaps.
func isBytes(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64,
		reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return isBytes(t.Elem())
	}
	return false
}
