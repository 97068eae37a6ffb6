package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
)

// Unmarshal reads the output of Marshal and returns it as a T: the type that was written, or an interface that this
// type implements. Unknown types, unknown fields and JSON values of another kind are errors. Unmarshal does not
// validate the values; call their Validate.
func Unmarshal[T any](data []byte) (T, error) {
	var v T
	if err := decodeWithTypeName(bytes.TrimSpace(data), reflect.ValueOf(&v).Elem()); err != nil {
		var none T
		return none, fmt.Errorf("registry: cannot read %v: %w", reflect.TypeFor[T](), err)
	}
	return v, nil
}

// UnmarshalValue reads the output of MarshalValue into v, a pointer to a zero value.
func UnmarshalValue(data []byte, v any) error {
	if err := decodeValue(bytes.TrimSpace(data), reflect.ValueOf(v).Elem()); err != nil {
		return fmt.Errorf("registry: cannot read %v: %w", reflect.TypeOf(v).Elem(), err)
	}
	return nil
}

// decodeWithTypeName reads {"type": …, "value": …} into dst, whose type must accept the named type.
func decodeWithTypeName(data []byte, dst reflect.Value) error {
	const form = `not of the form {"type": …, "value": …}`
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf(form+": %w", err)
	}
	var name string
	if len(object) != 2 || object["value"] == nil || json.Unmarshal(object["type"], &name) != nil {
		return errors.New(form)
	}
	t, err := typeByName(name)
	if err != nil {
		return err
	}
	if !t.AssignableTo(dst.Type()) {
		return fmt.Errorf("type %q is a %v, not a %v", name, t, dst.Type())
	}
	v := reflect.New(t).Elem()
	if err := decodeValue(object["value"], v); err != nil {
		return fmt.Errorf("%v: %w", t, err)
	}
	if t.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("null is not a value of type %v", t)
	}
	dst.Set(v)
	return nil
}

// decodeValue reads data, JSON without a type name, into v. v must be zero.
func decodeValue(data []byte, v reflect.Value) error {
	t, kind := v.Type(), v.Kind()
	switch isNull := string(data) == "null"; {
	case isNull && (kind == reflect.Slice || kind == reflect.Pointer ||
		kind == reflect.Interface && t.NumMethod() == 0):
		return nil
	case isNull:
		return fmt.Errorf("null is not a %v; write a value", t)
	case kind == reflect.Interface:
		return decodeWithTypeName(data, v)
	case kind == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return decodeValue(data, v.Elem())
	case hasTextForm(t):
	case kind == reflect.Struct:
		return decodeFields(data, v)
	case kind == reflect.Slice || kind == reflect.Array:
		return decodeElements(data, v)
	case kind == reflect.Float32 || kind == reflect.Float64:
		if f, ok := nonfinite[string(data)]; ok {
			v.SetFloat(f)
			return nil
		}
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

// nonfinite maps the JSON strings of numbers that are not finite to these numbers.
var nonfinite = map[string]float64{`"NaN"`: math.NaN(), `"+Inf"`: math.Inf(1), `"-Inf"`: math.Inf(-1)}

// decodeFields reads a JSON object into the struct v.
func decodeFields(data []byte, v reflect.Value) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() || len(f.Index) != 1 {
			return fmt.Errorf("unknown field %q of %v; use an exported field of the type itself", name, v.Type())
		}
		if err := decodeValue(fields[name], v.FieldByIndex(f.Index)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func decodeElements(data []byte, v reflect.Value) error {
	e := v.Type().Elem()
	areNumbers := e == reflect.TypeFor[float64]() || e == reflect.TypeFor[int]()
	if areNumbers && v.Kind() == reflect.Slice && !bytes.ContainsAny(data, `"n`) { // data has no string and no null
		return json.Unmarshal(data, v.Addr().Interface())
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	if len(list) != v.Len() {
		return fmt.Errorf("got %d elements for an array of %d; give one for each place", len(list), v.Len())
	}
	for i, e := range list {
		if err := decodeValue(e, v.Index(i)); err != nil {
			return fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	return nil
}
