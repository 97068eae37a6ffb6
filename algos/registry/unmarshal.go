package registry

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
)

// Unmarshal restores what Marshal wrote, as a T: an interface that the stored type has, or that type.
// It refuses unknown types and fields, values of another kind and truncated blocks, and allocates in
// proportion to data. It does not judge the values: that is their Validate's.
func Unmarshal[T any](data []byte) (T, error) {
	var v T
	if err := readTagged(bytes.TrimSpace(data), reflect.ValueOf(&v).Elem(), 0); err != nil {
		var none T
		return none, fmt.Errorf("registry: read a %v: %w", reflect.TypeFor[T](), err)
	}
	return v, nil
}

// UnmarshalValue restores what MarshalValue wrote into v, a pointer to a zero value.
func UnmarshalValue(data []byte, v any) error {
	if err := read(bytes.TrimSpace(data), reflect.ValueOf(v).Elem(), 0); err != nil {
		return fmt.Errorf("registry: read a %v: %w", reflect.TypeOf(v).Elem(), err)
	}
	return nil
}

func readTagged(data []byte, dst reflect.Value, depth int) error {
	const want = `want {"type": …, "value": …}`
	var tagged struct {
		Type  *string         `json:"type"`
		Value json.RawMessage `json:"value"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&tagged); err != nil {
		return fmt.Errorf(want+": %w", err)
	}
	if d.InputOffset() != int64(len(data)) {
		return errors.New("something follows the object")
	}
	if tagged.Type == nil || tagged.Value == nil {
		return errors.New(want)
	}
	t, err := lookup(*tagged.Type)
	if err != nil {
		return err
	}
	if !t.AssignableTo(dst.Type()) {
		return fmt.Errorf("type %q is a %v, want a %v", *tagged.Type, t, dst.Type())
	}
	v := reflect.New(t).Elem()
	if err := read(tagged.Value, v, depth); err != nil {
		return fmt.Errorf("%v: %w", t, err)
	}
	if t.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%v: null, want a value", t)
	}
	dst.Set(v)
	return nil
}

// read reads data into v, which is zero.
func read(data []byte, v reflect.Value, depth int) error {
	if depth++; depth > deepest {
		return errDeep
	}
	t, null := v.Type(), string(data) == "null"
	switch {
	case null && (t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface &&
		t.NumMethod() == 0):
		return nil
	case null:
		return fmt.Errorf("null, want a %v", t)
	case t.Kind() == reflect.Interface:
		return readTagged(data, v, depth)
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return read(data, v.Elem(), depth)
	case writesText(t):
		return text(data, v.Addr().Interface().(encoding.TextUnmarshaler))
	case writesBytes(t):
		return readBytes(data, v.Addr().Interface().(encoding.BinaryUnmarshaler))
	}
	switch t.Kind() {
	case reflect.Struct:
		return readFields(data, v, depth)
	case reflect.Slice, reflect.Array:
		return readElements(data, v, depth)
	case reflect.Bool:
		return as(data, v.SetBool)
	case reflect.String:
		return as(data, v.SetString)
	case reflect.Float32, reflect.Float64:
		return readFloat(data, v)
	}
	var big bool
	var err error
	switch {
	case v.CanInt():
		err = as(data, func(i int64) { big = v.OverflowInt(i); v.SetInt(i) })
	case v.CanUint() && t.Kind() != reflect.Uintptr:
		err = as(data, func(i uint64) { big = v.OverflowUint(i); v.SetUint(i) })
	default:
		err = fmt.Errorf("a %v cannot be read", t)
	}
	if big {
		err = fmt.Errorf("%s is too large for a %v", data, t)
	}
	return err
}

// as reads data as a T and hands it to set.
func as[T any](data []byte, set func(T)) error {
	var x T
	err := json.Unmarshal(data, &x)
	if err == nil {
		set(x)
	}
	return err
}

func readFloat(data []byte, v reflect.Value) error {
	switch string(data) {
	case `"NaN"`:
		v.SetFloat(math.NaN())
	case `"+Inf"`:
		v.SetFloat(math.Inf(1))
	case `"-Inf"`:
		v.SetFloat(math.Inf(-1))
	default:
		big := false
		err := as(data, func(f float64) { big = v.OverflowFloat(f); v.SetFloat(f) })
		if big {
			err = fmt.Errorf("%s is too large for a %v", data, v.Type())
		}
		return err
	}
	return nil
}

func readFields(data []byte, v reflect.Value, depth int) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() || len(f.Index) != 1 {
			return fmt.Errorf("unknown field %q", name)
		}
		if err := read(fields[name], v.FieldByIndex(f.Index), depth); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func readElements(data []byte, v reflect.Value, depth int) error {
	if v.Kind() == reflect.Slice {
		var err error
		switch v.Type().Elem() {
		case reflect.TypeFor[float64]():
			var x Floats
			err = text(data, &x)
			v.Set(reflect.ValueOf(x).Convert(v.Type()))
			return err
		case reflect.TypeFor[int]():
			var x Ints
			err = text(data, &x)
			v.Set(reflect.ValueOf(x).Convert(v.Type()))
			return err
		}
	}
	var all []json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(all), len(all)))
	}
	if len(all) != v.Len() {
		return fmt.Errorf("%d elements, want %d", len(all), v.Len())
	}
	for i, e := range all {
		if err := read(e, v.Index(i), depth); err != nil {
			return fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	return nil
}

// readBytes reads a string of base64 into x. A panic is an error: gonum's matrices panic at bytes that
// no matrix wrote.
func readBytes(data []byte, x encoding.BinaryUnmarshaler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged %T: %v", x, p)
		}
	}()
	if bad := as(data, func(b []byte) { err = x.UnmarshalBinary(b) }); bad != nil {
		return bad
	}
	return err
}

// text reads a string of JSON into x.
func text(data []byte, x encoding.TextUnmarshaler) (err error) {
	if bad := as(data, func(s string) { err = x.UnmarshalText([]byte(s)) }); bad != nil {
		return bad
	}
	return err
}
