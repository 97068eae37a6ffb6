package store

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/sha256"
)

// Key is the sha256 of its parts and of the code, in hexadecimal: the name of a result in a Store.
// Parts are values of registered types, strings, numbers, slices of these ([]string, []int,
// []float64, [][]float64, []any), and nil; equal parts give equal keys in every program. A part of another type,
// or with a function in it, is an error: such a part cannot be told from another.
//
// The code is this module, whatever its folder, and what the types of the parts come from: another module, or the
// declarations of a program or a notebook cell that a type reaches (its methods, what these call and name). The
// comment of code says what is hashed, and what of a program whose sources are gone.
func Key(parts ...any) (string, error) { return key(nil, parts) }

// FuncKey is Key, and the code that of a function too: where a cell or a program declares it, the declarations that
// it reaches, of a function literal also the declaration that it stands in, up to the end of the literal. What
// the variables hold that a literal takes from there is not looked at. Of a method value (x.Method) the code is the
// program itself.
func FuncKey(f any, parts ...any) (string, error) {
	o, err := originOf(f)
	if err != nil {
		return "", err
	}
	return key([]origin{o}, parts)
}

func key(origins []origin, parts []any) (string, error) {
	b, types, err := registry.MarshalOrigins(parts)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	for _, t := range types {
		origins = append(origins, origin{Origin: t})
	}
	c, err := code(origins)
	if err != nil {
		return "", err
	}
	return digest(c, string(b)), nil
}

// originOf is where a function was declared.
func originOf(f any) (origin, error) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return origin{}, fmt.Errorf("store: the key of a %T, want a function", f)
	}
	// The last frame is the function's own; the first ones may be of functions that its first instruction was inlined
	// from.
	var frame runtime.Frame
	for frames, more := runtime.CallersFrames([]uintptr{v.Pointer() + 1}), true; more; {
		frame, more = frames.Next()
	}
	slash := strings.LastIndexByte(frame.Function, '/') + 1
	last, _, _ := strings.Cut(frame.Function[slash:], ".")
	pkg := frame.Function[:slash] + strings.ReplaceAll(last, "%2e", ".")
	return origin{registry.Origin{Package: pkg, File: frame.File}, frame.Line}, nil
}

// digest is the sha256 of texts, each after its length, so that "ab", "c" and "a", "bc" differ.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
