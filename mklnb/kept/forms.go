package kept

import (
	"reflect"
	"unsafe"
)

// form returns the form of a value, the same one for both walks. What the form contains must be the same as when it was
// seen first, because the value may still have the old one.
func (e *encoder) form(f formed, x reflect.Value) reflect.Value {
	if x.Kind() != reflect.Pointer {
		return reflect.ValueOf(f.KeptForm())
	}
	p := x.UnsafePointer()
	if e.forms[p].IsValid() {
		return e.forms[p]
	}
	form := reflect.ValueOf(f.KeptForm())
	if err, ok := form.Interface().(error); ok {
		e.refuse("%v", err)
	}
	e.forms[p] = form
	c := addressable(form)
	content, _, err := encode([]Variable{{"", c.Addr().UnsafePointer(), c.Type()}}, noLimit)
	if err != nil {
		panic(err)
	}
	if first := seen[p]; first == "" {
		seen[p] = hashOf(content)
	} else if first != hashOf(content) {
		e.refuse("computed for points or kernels that have changed since; make it again after the change")
	}
	return form
}

// noLimit is a limit that no file reaches.
const noLimit = 1 << 60

// seen contains the hashes of forms when they were seen first, by the address of their value.
var seen = map[unsafe.Pointer]string{}

// noteForms notes the forms of a variable.
func noteForms(v Variable) {
	if mayHoldForms(v.typ, map[reflect.Type]bool{}) {
		_, _ = walk([]Variable{v}, noLimit) // finish states the reason if it cannot be written
	}
}

// mayHoldForms reports whether a value of type t can contain a formed value.
func mayHoldForms(t reflect.Type, looked map[reflect.Type]bool) bool {
	if looked[t] {
		return false
	}
	looked[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return mayHoldForms(t.Elem(), looked)
	case reflect.Struct:
		for f := range t.Fields() {
			if mayHoldForms(f.Type, looked) {
				return true
			}
		}
	}
	return false
}
