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

// Unmarshal reads the output of Marshal and returns it as a T: the type that was written, or an interface that this
// type implements. Unknown types, unknown fields, JSON values of another kind and truncated blocks of numbers are
// errors. Unmarshal does not validate the values; call their Validate.
func Unmarshal[T any](data []byte) (T, error) {
	var v T
	if err := decodeTagged(bytes.TrimSpace(data), reflect.ValueOf(&v).Elem()); err != nil {
		var none T
		return none, fmt.Errorf("registry: read a %v: %w", reflect.TypeFor[T](), err)
	}
	return v, nil
}

// UnmarshalValue reads the output of MarshalValue into v, a pointer to a zero value.
func UnmarshalValue(data []byte, v any) error {
	if err := decodeValue(bytes.TrimSpace(data), reflect.ValueOf(v).Elem()); err != nil {
		return fmt.Errorf("registry: read a %v: %w", reflect.TypeOf(v).Elem(), err)
	}
	return nil
}

// decodeTagged reads {"type": …, "value": …} into dst, whose type must accept the named type.
func decodeTagged(data []byte, dst reflect.Value) error {
	const form = `not of the form {"type": …, "value": …}`
	var tagged struct {
		Type  *string         `json:"type"`
		Value json.RawMessage `json:"value"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&tagged); err != nil {
		return fmt.Errorf(form+": %w", err)
	}
	if d.InputOffset() != int64(len(data)) {
		return errors.New("something follows the object; delete it")
	}
	if tagged.Type == nil || tagged.Value == nil {
		return errors.New(form)
	}
	t, err := lookup(*tagged.Type)
	if err != nil {
		return err
	}
	if !t.AssignableTo(dst.Type()) {
		return fmt.Errorf("type %q is a %v, not a %v", *tagged.Type, t, dst.Type())
	}
	v := reflect.New(t).Elem()
	if err := decodeValue(tagged.Value, v); err != nil {
		return fmt.Errorf("%v: %w", t, err)
	}
	if t.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%v: null is not a value of this type", t)
	}
	dst.Set(v)
	return nil
}

// decodeValue reads data, JSON without a type name, into v. v must be zero.
func decodeValue(data []byte, v reflect.Value) error {
	t, null := v.Type(), string(data) == "null"
	switch {
	case null && (t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface &&
		t.NumMethod() == 0):
		return nil
	case null:
		return fmt.Errorf("null is not a %v", t)
	case t.Kind() == reflect.Interface:
		return decodeTagged(data, v)
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return decodeValue(data, v.Elem())
	case hasTextForm(t):
		return decodeText(data, v.Addr().Interface().(encoding.TextUnmarshaler))
	}
	switch t.Kind() {
	case reflect.Struct:
		return decodeFields(data, v)
	case reflect.Slice, reflect.Array:
		return decodeElements(data, v)
	case reflect.Bool:
		return decodeAs(data, v.SetBool)
	case reflect.String:
		return decodeAs(data, v.SetString)
	case reflect.Float32, reflect.Float64:
		return decodeFloat(data, v)
	}
	var overflows bool
	var err error
	switch {
	case v.CanInt():
		err = decodeAs(data, func(i int64) { overflows = v.OverflowInt(i); v.SetInt(i) })
	case v.CanUint() && t.Kind() != reflect.Uintptr:
		err = decodeAs(data, func(i uint64) { overflows = v.OverflowUint(i); v.SetUint(i) })
	default:
		err = fmt.Errorf("a %v cannot be read", t)
	}
	if overflows {
		err = fmt.Errorf("%s is too large for a %v", data, t)
	}
	return err
}

// decodeAs reads data as a T by encoding/json and calls set with it.
func decodeAs[T any](data []byte, set func(T)) error {
	var x T
	err := json.Unmarshal(data, &x)
	if err == nil {
		set(x)
	}
	return err
}

// decodeFloat reads a number, or one of the strings "NaN", "+Inf" and "-Inf", into v.
func decodeFloat(data []byte, v reflect.Value) error {
	switch string(data) {
	case `"NaN"`:
		v.SetFloat(math.NaN())
	case `"+Inf"`:
		v.SetFloat(math.Inf(1))
	case `"-Inf"`:
		v.SetFloat(math.Inf(-1))
	default:
		overflows := false
		err := decodeAs(data, func(f float64) { overflows = v.OverflowFloat(f); v.SetFloat(f) })
		if overflows {
			err = fmt.Errorf("%s is too large for a %v", data, v.Type())
		}
		return err
	}
	return nil
}

// decodeFields reads a JSON object into the struct v.
func decodeFields(data []byte, v reflect.Value) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() || len(f.Index) != 1 {
			return fmt.Errorf("unknown field %q", name)
		}
		if err := decodeValue(fields[name], v.FieldByIndex(f.Index)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// decodeElements reads a list, or a block of numbers, into v, a slice or an array.
func decodeElements(data []byte, v reflect.Value) error {
	if v.Kind() == reflect.Slice {
		var err error
		switch v.Type().Elem() {
		case reflect.TypeFor[float64]():
			var x Floats
			err = decodeText(data, &x)
			v.Set(reflect.ValueOf(x).Convert(v.Type()))
			return err
		case reflect.TypeFor[int]():
			var x Ints
			err = decodeText(data, &x)
			v.Set(reflect.ValueOf(x).Convert(v.Type()))
			return err
		}
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	if len(list) != v.Len() {
		return fmt.Errorf("%d elements; the array has %d", len(list), v.Len())
	}
	for i, e := range list {
		if err := decodeValue(e, v.Index(i)); err != nil {
			return fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	return nil
}

// decodeText reads a JSON string into x.
func decodeText(data []byte, x encoding.TextUnmarshaler) (err error) {
	if invalid := decodeAs(data, func(s string) { err = x.UnmarshalText([]byte(s)) }); invalid != nil {
		return invalid
	}
	return err
}
