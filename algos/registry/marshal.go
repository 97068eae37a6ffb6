package registry

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"
)

// Marshal returns v, of a registered type, as JSON:
//
//	{"type": "github.com/mklnb/mkl/algos/kernel.RBF", "value": {"Gamma": 0.5}}
//
// A value behind an interface within v is such an object again. Fields that are zero are left out. []float64 and []int
// are blocks (Floats, Ints), other slices are lists, a nil slice is null. Numbers that are not finite are the strings
// "NaN", "+Inf" and "-Inf". Equal values give equal bytes in every program. A value must not contain itself.
func Marshal(v any) ([]byte, error) {
	t, err := (writer{}).tagged(reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("registry: write %T: %w", v, err)
	}
	return json.Marshal(t)
}

// MarshalValue returns v as JSON without the name of its type, which need not be registered. UnmarshalValue reads it
// into a value of that type. Unexported fields of v are left out, as in encoding/gob. Values behind interfaces within v
// are written as Marshal writes them, and an unexported field of one is an error.
func MarshalValue(v any) ([]byte, error) {
	if v == nil {
		return nil, errors.New("registry: cannot write nil")
	}
	x, err := (writer{skipUnexported: true}).untagged(reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("registry: write %T: %w", v, err)
	}
	return json.Marshal(x)
}

// tagged is a value and the name of its type.
type tagged struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

// writer converts values into values that encoding/json writes in the form that Marshal describes.
type writer struct {
	skipUnexported bool // false: an unexported field is an error
}

func (w writer) tagged(v reflect.Value) (any, error) {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("nil cannot be written")
	}
	known.RLock()
	name := known.names[v.Type()]
	known.RUnlock()
	if name == "" {
		return nil, fmt.Errorf("type %v is not registered; call registry.Register", v.Type())
	}
	x, err := (writer{}).untagged(v)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", v.Type(), err)
	}
	return tagged{name, x}, nil
}

func (w writer) untagged(v reflect.Value) (any, error) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Interface:
		if v.IsNil() && t.NumMethod() == 0 {
			return nil, nil
		}
		return w.tagged(v)
	case t.Kind() == reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return w.untagged(v.Elem())
	case isText(t):
		s, err := pointerToCopy(v).(encoding.TextMarshaler).MarshalText()
		if err == nil && !utf8.Valid(s) {
			err = fmt.Errorf("the text %q is not UTF-8", s)
		}
		return string(s), err
	case isBinary(t):
		return pointerToCopy(v).(encoding.BinaryMarshaler).MarshalBinary() // base64 in JSON
	}
	switch t.Kind() {
	case reflect.Struct:
		return w.fields(v)
	case reflect.Slice, reflect.Array:
		return w.elements(v)
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return nil, fmt.Errorf("the text %q is not UTF-8", v.String())
		}
		return v.String(), nil
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsInf(f, 0) || math.IsNaN(f) {
			return fmt.Sprint(f), nil
		}
		return v.Float(), nil
	}
	switch {
	case v.CanInt():
		return v.Int(), nil
	case v.CanUint() && t.Kind() != reflect.Uintptr:
		return v.Uint(), nil
	}
	return nil, fmt.Errorf("a %v cannot be written", t)
}

func (w writer) fields(v reflect.Value) (any, error) {
	fields := map[string]any{} // encoding/json sorts the names
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() && w.skipUnexported {
			continue
		}
		if !f.IsExported() {
			return nil, fmt.Errorf("field %s is not exported, so it would be lost", f.Name)
		}
		if v.Field(i).IsZero() {
			continue
		}
		x, err := w.untagged(v.Field(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		fields[f.Name] = x
	}
	return fields, nil
}

func (w writer) elements(v reflect.Value) (any, error) {
	if v.Kind() == reflect.Slice {
		switch {
		case v.IsNil():
			return nil, nil
		case v.Type().Elem() == reflect.TypeFor[float64]():
			return v.Convert(reflect.TypeFor[Floats]()).Interface(), nil
		case v.Type().Elem() == reflect.TypeFor[int]():
			return v.Convert(reflect.TypeFor[Ints]()).Interface(), nil
		}
	}
	list := make([]any, v.Len())
	for i := range list {
		x, err := w.untagged(v.Index(i))
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		list[i] = x
	}
	return list, nil
}

// isText reports whether a value of type t writes itself as text and reads it back.
func isText(t reflect.Type) bool {
	return implements(t, reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isBinary reports whether a value of type t writes itself as bytes and reads them back.
func isBinary(t reflect.Type) bool {
	return implements(t, reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryUnmarshaler]())
}

// implements reports whether *t has both interfaces, and not through an embedded field, whose method would write that
// field alone.
func implements(t, write, read reflect.Type) bool {
	p := reflect.PointerTo(t)
	if !p.Implements(write) || !p.Implements(read) {
		return false
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous && (f.Type.Implements(write) || reflect.PointerTo(f.Type).Implements(write)) {
				return false
			}
		}
	}
	return true
}

// pointerToCopy returns a pointer to a copy of v.
func pointerToCopy(v reflect.Value) any {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}
