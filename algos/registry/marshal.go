package registry

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
)

// Marshal returns v, of a registered type, as JSON:
//
//	{"type": "github.com/mklnb/mkl/algos/kernel.RBF", "value": {"Gamma": 0.5}}
//
// If v contains an interface value, it is written as such an object too. Fields that are zero are omitted. Slices are
// lists, a nil slice is null. Numbers that are not finite are the strings "NaN", "+Inf" and "-Inf". Equal values give
// equal bytes in every program. A value must not contain itself.
func Marshal(v any) ([]byte, error) {
	t, err := (encoder{}).encodeWithTypeName(reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("registry: cannot write %T: %w", v, err)
	}
	return json.Marshal(t)
}

// MarshalValue returns v as JSON without the name of its type, which need not be registered. UnmarshalValue reads it
// into a value of that type. Unexported fields of v are omitted, as in encoding/gob. Interface values within v are
// written as Marshal writes them; their types must be registered and must not have unexported fields.
func MarshalValue(v any) ([]byte, error) {
	if v == nil {
		return nil, errors.New("registry: cannot write nil; pass a value")
	}
	x, err := (encoder{skipUnexported: true}).encodeValue(reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("registry: cannot write %T: %w", v, err)
	}
	return json.Marshal(x)
}

// tagged is a value with the name of its type, in the form that encoding/json writes.
type tagged struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

// encoder converts values to other values, which encoding/json then writes in the form that Marshal describes.
type encoder struct {
	skipUnexported bool // false: an unexported field is an error
}

func (w encoder) encodeWithTypeName(v reflect.Value) (any, error) {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("nil cannot be written")
	}
	name := registered.names[v.Type()]
	if name == "" {
		return nil, fmt.Errorf("type %v is not registered; call registry.Register", v.Type())
	}
	x, err := (encoder{}).encodeValue(v)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", v.Type(), err)
	}
	return tagged{name, x}, nil
}

// encodeValue returns v in a form that encoding/json writes, without the name of its type.
func (w encoder) encodeValue(v reflect.Value) (any, error) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Interface:
		if v.IsNil() && t.NumMethod() == 0 {
			return nil, nil
		}
		return w.encodeWithTypeName(v)
	case t.Kind() == reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return w.encodeValue(v.Elem())
	case hasTextForm(t):
		return v.Interface(), nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return w.encodeFields(v)
	case reflect.Slice, reflect.Array:
		return w.encodeElements(v)
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return nil, fmt.Errorf("the text %q is not UTF-8; convert it", v.String())
		}
		return v.String(), nil
	case reflect.Float32, reflect.Float64:
		f := v.Float()
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return fmt.Sprint(f), nil
		}
		return f, nil
	}
	switch {
	case v.CanInt():
		return v.Int(), nil
	case v.CanUint() && t.Kind() != reflect.Uintptr:
		return v.Uint(), nil
	}
	return nil, fmt.Errorf("a %v cannot be written; use numbers, texts, slices or structs", t)
}

// encodeFields returns the fields of the struct v that are not zero, by name.
func (w encoder) encodeFields(v reflect.Value) (any, error) {
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
		x, err := w.encodeValue(v.Field(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		fields[f.Name] = x
	}
	return fields, nil
}

func (w encoder) encodeElements(v reflect.Value) (any, error) {
	if v.Kind() == reflect.Slice {
		switch {
		case v.IsNil():
			return nil, nil
		case v.Type().Elem() == reflect.TypeFor[float64]():
			x := v.Convert(reflect.TypeFor[[]float64]()).Interface().([]float64)
			if !slices.ContainsFunc(x, func(f float64) bool { return math.IsInf(f, 0) || math.IsNaN(f) }) {
				return x, nil
			}
		case v.Type().Elem() == reflect.TypeFor[int]():
			return v.Convert(reflect.TypeFor[[]int]()).Interface(), nil
		}
	}
	elements := make([]any, v.Len())
	for i := range elements {
		x, err := w.encodeValue(v.Index(i))
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		elements[i] = x
	}
	return elements, nil
}

// hasTextForm reports whether encoding/json writes and reads a t by its methods MarshalText and UnmarshalText. It
// returns false for a struct: the methods may be those of an embedded field, which would write only this field.
func hasTextForm(t reflect.Type) bool {
	return t.Kind() != reflect.Struct && t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) &&
		reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
