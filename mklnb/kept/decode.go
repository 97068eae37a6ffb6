package kept

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/mklnb/mkl/algos/registry"
)

// decoder reads a file of variables into memory.
type decoder struct {
	in       []byte
	types    []reflect.Type
	regions  []readRegion
	restored []func() // make values of their forms, after everything else was read
}

type readRegion struct {
	typ    reflect.Type
	count  int
	isMap  bool
	memory reflect.Value // a pointer to the first element, or the map
}

// broken is an error of the file itself.
type broken struct{ error }

func (d *decoder) fail(format string, args ...any) { panic(broken{fmt.Errorf(format, args...)}) }

// decode reads a file that encode has written into the variables of the same names. It ignores others in the file.
func decode(file []byte, vars map[string]Variable) (err error) {
	d := &decoder{in: file}
	defer func() {
		if r := recover(); r != nil {
			b, ok := r.(broken)
			if !ok {
				b = broken{fmt.Errorf("the file is damaged: %v", r)}
			}
			err = b.error
		}
	}()
	d.readTypes(vars)
	type root struct {
		v          Variable
		id, offset int
	}
	var roots []root
	for range d.number() {
		name, t, id, offset := d.text(), d.types[d.number()], d.number(), d.number()
		v, ok := vars[name]
		if ok && v.typ != t {
			d.fail("variable %s has type %v in this program", name, v.typ)
		}
		if ok { // others have another value by now
			roots = append(roots, root{v, id, offset})
		}
	}
	d.regions = make([]readRegion, d.number())
	for i := range d.regions {
		d.regions[i] = readRegion{typ: d.types[d.number()], count: d.number(), isMap: d.code() == isValue}
	}
	for _, r := range roots { // the region of a variable is the variable itself
		if x := &d.regions[r.id]; r.offset == 0 && x.typ == r.v.typ && x.count == 1 && !x.isMap {
			x.memory = reflect.NewAt(r.v.typ, r.v.pointer)
		}
	}
	for i := range d.regions {
		d.regions[i].allocate()
	}
	restored := make([][]func(), len(d.regions))
	for i, r := range d.regions {
		d.restored = nil
		if r.isMap {
			d.mapEntries(r)
		} else {
			d.elements(r.memory.UnsafePointer(), r.typ, r.count)
		}
		restored[i] = d.restored
	}
	for _, list := range slices.Backward(restored) { // forms are in regions before those that they point to
		for _, restore := range list {
			restore()
		}
	}
	if len(d.in) > 0 {
		d.fail("the file is damaged: %d bytes remain", len(d.in))
	}
	for _, r := range roots {
		if from := unsafe.Add(d.regions[r.id].memory.UnsafePointer(), r.offset); from != r.v.pointer {
			reflect.NewAt(r.v.typ, r.v.pointer).Elem().Set(reflect.NewAt(r.v.typ, from).Elem())
		}
	}
	return nil
}

func (r *readRegion) allocate() {
	switch {
	case r.isMap:
		r.memory = reflect.MakeMapWithSize(r.typ, r.count)
	case r.memory.IsValid():
	case r.count == 1:
		r.memory = reflect.New(r.typ)
	default:
		r.memory = reflect.MakeSlice(reflect.SliceOf(r.typ), r.count, r.count).Index(0).Addr()
	}
}

// basic contains the types that every program knows, by key.
var basic = map[string]reflect.Type{}

func init() {
	for _, x := range []any{false, 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0),
		uint64(0), float32(0), 0.0, complex64(0), complex128(0), ""} {
		t := reflect.TypeOf(x)
		basic[keyOf(t)], basic[keyOf(reflect.SliceOf(t))] = t, reflect.SliceOf(t)
	}
}

func (d *decoder) readTypes(vars map[string]Variable) {
	known := map[string]reflect.Type{}
	for _, v := range vars {
		addParts(v.typ, known)
	}
	for _, t := range types {
		addParts(t, known)
	}
	for range d.number() {
		key, hash := d.text(), d.text()
		t := known[key]
		if t == nil {
			t = basic[key]
		}
		if t == nil {
			t, _ = registry.TypeOf(strings.ReplaceAll(key, "\"", ""))
		}
		if t == nil {
			d.fail("type %s is missing in this program", key)
		}
		if layoutHashOf(t) != hash {
			d.fail("type %v has changed since", t)
		}
		d.types = append(d.types, t)
	}
}

// addParts adds t and the types of its parts by key.
func addParts(t reflect.Type, known map[string]reflect.Type) {
	if key := keyOf(t); known[key] == nil {
		known[key] = t
	} else {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		addParts(t.Elem(), known)
	case reflect.Map:
		addParts(t.Key(), known)
		addParts(t.Elem(), known)
	case reflect.Struct:
		for f := range t.Fields() {
			addParts(f.Type, known)
		}
	}
}

func (d *decoder) elements(p unsafe.Pointer, t reflect.Type, count int) {
	if isBytes(t) {
		copy(unsafe.Slice((*byte)(p), count*int(t.Size())), d.raw(count*int(t.Size())))
		return
	}
	for i := range count {
		d.value(unsafe.Add(p, i*int(t.Size())), t)
	}
}

func (d *decoder) value(p unsafe.Pointer, t reflect.Type) {
	switch t.Kind() {
	case reflect.String:
		*(*string)(p) = d.text()
	case reflect.Pointer:
		switch d.code() {
		case isEmpty:
			reflect.NewAt(t, p).Elem().Set(reflect.New(t.Elem()))
		case isValue:
			*(*unsafe.Pointer)(p) = d.place()
		case isLocal:
			*(*unsafe.Pointer)(p) = unsafe.Pointer(local)
		case isUTC:
			*(*unsafe.Pointer)(p) = unsafe.Pointer(utc)
		}
	case reflect.Slice:
		d.slice(p, t)
	case reflect.Map:
		if d.code() == isValue {
			reflect.NewAt(t, p).Elem().Set(d.regions[d.number()].memory)
		}
	case reflect.Interface:
		d.iface(reflect.NewAt(t, p).Elem())
	case reflect.Struct:
		d.structure(p, t)
	case reflect.Array:
		d.elements(p, t.Elem(), t.Len())
	case reflect.Uintptr:
		if t.PkgPath() != "" {
			*(*uintptr)(p) = uintptr(d.number())
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		copy(unsafe.Slice((*byte)(p), t.Size()), d.raw(int(t.Size())))
	}
}

func (d *decoder) place() unsafe.Pointer {
	r, offset := d.regions[d.number()], d.number()
	return unsafe.Add(r.memory.UnsafePointer(), offset)
}

func (d *decoder) slice(p unsafe.Pointer, t reflect.Type) {
	v := reflect.NewAt(t, p).Elem()
	switch d.code() {
	case isEmpty:
		n := d.number()
		v.Set(reflect.MakeSlice(t, n, n))
	case isValue:
		first, length, capacity := d.place(), d.number(), d.number()
		v.Set(reflect.SliceAt(t.Elem(), first, capacity).Slice(0, length).Convert(t))
	}
}

func (d *decoder) mapEntries(r readRegion) {
	for range r.count {
		k, x := reflect.New(r.typ.Key()), reflect.New(r.typ.Elem())
		d.value(k.UnsafePointer(), r.typ.Key())
		waiting := len(d.restored)
		d.value(x.UnsafePointer(), r.typ.Elem())
		r.memory.SetMapIndex(k.Elem(), x.Elem())
		if len(d.restored) > waiting { // the value changes when its forms are restored
			d.restored = append(d.restored, func() { r.memory.SetMapIndex(k.Elem(), x.Elem()) })
		}
	}
}

func (d *decoder) iface(v reflect.Value) {
	switch d.code() {
	case isValue:
		t := d.types[d.number()]
		waiting := len(d.restored)
		x := reflect.New(t)
		d.value(x.UnsafePointer(), t)
		v.Set(x.Elem())
		if len(d.restored) > waiting {
			d.restored = append(d.restored, func() { v.Set(x.Elem()) })
		}
	case isFormed:
		t := d.types[d.number()]
		x := reflect.New(t)
		d.value(x.UnsafePointer(), t)
		d.restored = append(d.restored, func() {
			v.Set(reflect.ValueOf(x.Elem().Interface().(restorable).FromKept()))
		})
	}
}

func (d *decoder) structure(p unsafe.Pointer, t reflect.Type) {
	switch m := mannerOf(t, true); m {
	case asZero, ifZero, notAtAll:
		return
	case byBinary, byGob, byText:
		if err := unmarshal(reflect.NewAt(t, p).Interface(), m, []byte(d.text())); err != nil {
			d.fail("a %v cannot be read: %w", t, err)
		}
		return
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" {
			d.value(unsafe.Add(p, f.Offset), f.Type)
		}
	}
}

func unmarshal(x any, m manner, content []byte) error {
	switch m {
	case byBinary:
		return x.(encoding.BinaryUnmarshaler).UnmarshalBinary(content)
	case byGob:
		return x.(gobDecoder).GobDecode(content)
	}
	return x.(encoding.TextUnmarshaler).UnmarshalText(content)
}

func (d *decoder) code() byte { return d.raw(1)[0] }

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.in)
	if size <= 0 {
		d.fail("the file is damaged")
	}
	d.in = d.in[size:]
	return int(n)
}

func (d *decoder) text() string { return string(d.raw(d.number())) }

func (d *decoder) raw(n int) []byte {
	if n < 0 || n > len(d.in) {
		d.fail("the file is damaged")
	}
	b := d.in[:n]
	d.in = d.in[n:]
	return b
}
