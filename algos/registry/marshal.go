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
// What lies behind an interface within v is such an object again. Fields that are zero are left out.
// []float64 and []int are blocks (Floats, Ints), other slices lists, nil ones null. Of numbers that
// are not finite the strings "NaN", "+Inf" and "-Inf" are written. Equal values give equal bytes, in
// every program.
func Marshal(v any) ([]byte, error) {
	t, err := (&writer{}).tagged(reflect.ValueOf(v), 0)
	if err != nil {
		return nil, fmt.Errorf("registry: write %T: %w", v, err)
	}
	return json.Marshal(t)
}

// MarshalValue is Marshal without the name of the type of v, which then need not be registered: UnmarshalValue
// reads it into a value of that type. As with encoding/gob, fields that are not exported are left out, but not of what
// lies behind an interface.
func MarshalValue(v any) ([]byte, error) {
	if v == nil {
		return nil, errors.New("registry: write nothing (nil)")
	}
	w := writer{exported: true}
	x, err := w.plain(reflect.ValueOf(v), 0)
	if err != nil {
		return nil, fmt.Errorf("registry: write %T: %w", v, err)
	}
	return json.Marshal(x)
}

// deepest is how deep values may lie inside one another, structs, slices and interfaces counted.
const deepest = 100

var errDeep = fmt.Errorf("values nested more than %d deep", deepest)

// tagged is a value with the name of its type.
type tagged struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

// writer makes of values what encoding/json writes as Marshal says.
type writer struct {
	exported bool // the other fields are left out, else an error
}

func (w *writer) tagged(v reflect.Value, depth int) (any, error) {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("nothing (nil) cannot be stored")
	}
	known.RLock()
	name := known.names[v.Type()]
	known.RUnlock()
	if name == "" {
		return nil, fmt.Errorf("type %v is not registered (registry.Register)", v.Type())
	}
	x, err := (&writer{}).plain(v, depth)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", v.Type(), err)
	}
	return tagged{name, x}, nil
}

func (w *writer) plain(v reflect.Value, depth int) (any, error) {
	if depth++; depth > deepest {
		return nil, errDeep
	}
	t := v.Type()
	switch {
	case t.Kind() == reflect.Interface:
		if v.IsNil() && t.NumMethod() == 0 {
			return nil, nil
		}
		return w.tagged(v, depth)
	case t.Kind() == reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return w.plain(v.Elem(), depth)
	case writesText(t):
		s, err := pointer(v).(encoding.TextMarshaler).MarshalText()
		if err == nil && !utf8.Valid(s) {
			err = fmt.Errorf("the text %q is not UTF-8", s)
		}
		return string(s), err
	case writesBytes(t):
		return pointer(v).(encoding.BinaryMarshaler).MarshalBinary() // base64 in JSON
	}
	switch t.Kind() {
	case reflect.Struct:
		return w.fields(v, depth)
	case reflect.Slice, reflect.Array:
		return w.elements(v, depth)
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
	return nil, fmt.Errorf("a %v cannot be stored", t)
}

func (w *writer) fields(v reflect.Value, depth int) (any, error) {
	all := map[string]any{} // written in the order of the names
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() && w.exported {
			continue
		}
		if !f.IsExported() {
			return nil, fmt.Errorf("field %s is not exported: it would be lost", f.Name)
		}
		if v.Field(i).IsZero() {
			continue
		}
		x, err := w.plain(v.Field(i), depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		all[f.Name] = x
	}
	return all, nil
}

func (w *writer) elements(v reflect.Value, depth int) (any, error) {
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
	all := make([]any, v.Len())
	for i := range all {
		x, err := w.plain(v.Index(i), depth)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		all[i] = x
	}
	return all, nil
}

// writesText and writesBytes report that values of type t write and read themselves.
func writesText(t reflect.Type) bool {
	return itself(t, reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]())
}

func writesBytes(t reflect.Type) bool {
	return itself(t, reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryUnmarshaler]())
}

// itself reports that *t has both interfaces, and not by way of an embedded field, which would write
// that field alone.
func itself(t, write, read reflect.Type) bool {
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

// pointer returns a pointer to a copy of v.
func pointer(v reflect.Value) any {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}
