package kept

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/mklnb/mkl/algos/registry"
)

// Codes of a pointer, a slice, a map or an interface value.
const (
	isNil    = iota
	isValue  // a value, or memory of a region
	isEmpty  // a pointer to a type of size 0, or a slice without elements
	isFormed // an interface value that is written as its form
	isLocal  // time.Local
	isUTC    // time.UTC
)

// The two locations whose addresses package time compares. time.Local may be assigned later.
var local, utc = time.Local, time.UTC

// region is memory that values point to: count adjacent elements of a type, or a map.
type region struct {
	p     unsafe.Pointer
	addr  uintptr      // p
	typ   reflect.Type // of an element; of a map its type
	count int
	isMap bool
	order int // of its first visit
	id    int // in the file
}

func (r *region) end() uintptr {
	if r.isMap {
		return r.addr + 1
	}
	return r.addr + uintptr(r.count)*r.typ.Size()
}

// encoder writes variables that may share memory. A first walk finds the regions, a second one writes them.
type encoder struct {
	limit     int
	out       []byte
	walking   bool // the first walk
	isForeign bool // a walk of a variable of a package: what cannot be written is passed over
	found     map[regionKey]*region
	regions   []*region // disjoint, ordered by address, after the first walk
	maps      map[uintptr]*region
	ordered   []*region // regions and maps, in the order of their first visits
	forms     map[unsafe.Pointer]reflect.Value
	typeIDs   map[reflect.Type]int
	typeList  []reflect.Type
	path      []string // of the value that is walked
	nested    int      // number of types of this library that contain the value
	depth     int
	pinned    []reflect.Value // copies that must not move while their addresses are in use
}

type regionKey struct {
	addr  uintptr
	typ   reflect.Type
	count int
}

const maxDepth = 100_000

// refusal is the reason why a value cannot be written.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

func (e *encoder) refuse(format string, args ...any) {
	if e.isForeign && e.depth <= maxDepth {
		return
	}
	where := ""
	if len(e.path) > 0 {
		where = strings.TrimPrefix(strings.Join(e.path, ""), ".") + " is "
	} else {
		where = "it is "
	}
	panic(refusal{where + fmt.Sprintf(format, args...)})
}

func (e *encoder) writeRegion(r *region) {
	if r.isMap {
		e.mapEntries(reflect.NewAt(r.typ, unsafe.Pointer(&r.p)).Elem())
		return
	}
	e.elements(r.p, r.typ, r.count)
}

func (e *encoder) elements(p unsafe.Pointer, t reflect.Type, count int) {
	if isBytes(t) {
		if !e.walking {
			e.raw(unsafe.Slice((*byte)(p), count*int(t.Size())))
		}
		return
	}
	for i := range count {
		e.value(unsafe.Add(p, i*int(t.Size())), t)
	}
}

// pointTo notes or walks the memory that a pointer or slice points to.
func (e *encoder) pointTo(p unsafe.Pointer, t reflect.Type, count int) {
	key := regionKey{uintptr(p), t, count}
	if !e.walking || e.found[key] != nil {
		return
	}
	e.found[key] = &region{p: p, addr: key.addr, typ: t, count: count, order: len(e.found) + len(e.maps)}
	if e.depth++; e.depth > maxDepth {
		e.refuse("a list of more than 100,000 pointers, each in the value of the one before")
	}
	nested := e.nested
	e.nested = 0
	e.elements(p, t, count)
	e.depth, e.nested = e.depth-1, nested
}

func (e *encoder) value(p unsafe.Pointer, t reflect.Type) {
	v := reflect.NewAt(t, p).Elem()
	switch t.Kind() {
	case reflect.String:
		if !e.walking {
			e.text(v.String())
		}
	case reflect.Pointer:
		e.pointer(v)
	case reflect.Slice:
		e.slice(v)
	case reflect.Map:
		e.mapValue(v)
	case reflect.Interface:
		e.iface(v)
	case reflect.Struct:
		e.structure(p, v)
	case reflect.Array:
		e.elements(p, t.Elem(), t.Len())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		if t.PkgPath() != "" && t.Kind() == reflect.Uintptr { // a number, such as syscall.Errno
			e.plain(v.Uint())
		} else if !v.IsZero() {
			e.refuse("%s", map[reflect.Kind]string{reflect.Func: "a function", reflect.Chan: "a channel",
				reflect.UnsafePointer: "an address of this program",
				reflect.Uintptr:       "an address of this program"}[t.Kind()])
		}
	default:
		if !e.walking {
			e.raw(unsafe.Slice((*byte)(p), t.Size()))
		}
	}
}

func (e *encoder) pointer(v reflect.Value) {
	switch {
	case v.IsNil():
		e.code(isNil)
	case v.Type().Elem().Size() == 0:
		e.code(isEmpty)
	case v.UnsafePointer() == unsafe.Pointer(local):
		e.code(isLocal)
	case v.UnsafePointer() == unsafe.Pointer(utc):
		e.code(isUTC)
	case e.found == nil && v.Type() == reflect.TypeFor[*time.Location]():
		e.text((*time.Location)(v.UnsafePointer()).String()) // times are in order of their locations
	case e.found == nil:
		e.refuse("a map with pointers as keys")
	case e.walking && v.Type().Elem().PkgPath() != "main" && isOfPackage(uintptr(v.UnsafePointer())):
		e.refuse("a pointer to a variable of a package, which only this program has")
	default:
		e.pointTo(v.UnsafePointer(), v.Type().Elem(), 1)
		e.code(isValue)
		if !e.walking {
			e.place(uintptr(v.UnsafePointer()))
		}
	}
}

// isOfPackage reports whether an address is that of a variable of a package, and not of the variables that last. The
// variables of all packages are side by side, and far from memory that a program asks for.
func isOfPackage(addr uintptr) bool {
	const far = 1 << 30
	if own := uintptr(unsafe.Pointer(&state)); addr+far < own || addr > own+far {
		return false
	}
	contains := func(v Variable) bool { return addr-uintptr(v.pointer) < v.typ.Size() }
	return !slices.ContainsFunc(state.vars, contains) && !slices.ContainsFunc(state.hidden, contains)
}

// place writes the region of an address and the offset in it.
func (e *encoder) place(addr uintptr) {
	r, offset := e.locate(addr)
	e.number(uint64(r.id))
	e.number(uint64(offset))
}

func (e *encoder) slice(v reflect.Value) {
	t := v.Type().Elem()
	switch {
	case v.IsNil():
		e.code(isNil)
	case v.Cap() == 0 || t.Size() == 0:
		e.code(isEmpty)
		e.plain(uint64(v.Len()))
	default: // append writes into the rest of the memory, which other slices may share
		e.pointTo(v.UnsafePointer(), t, v.Cap())
		e.code(isValue)
		if !e.walking {
			e.place(uintptr(v.UnsafePointer()))
			e.number(uint64(v.Len()))
			e.number(uint64(v.Cap()))
		}
	}
}

func (e *encoder) mapValue(v reflect.Value) {
	if v.IsNil() {
		e.code(isNil)
		return
	}
	addr := uintptr(v.UnsafePointer())
	if e.walking && e.maps[addr] == nil {
		e.maps[addr] = &region{p: v.UnsafePointer(), addr: addr, typ: v.Type(), count: v.Len(), isMap: true,
			order: len(e.found) + len(e.maps)}
		e.mapEntries(v)
	}
	e.code(isValue)
	if !e.walking {
		e.number(uint64(e.maps[addr].id))
	}
}

// mapEntries walks or writes the entries of a map in the order of their keys, so that equal maps give equal bytes.
func (e *encoder) mapEntries(v reflect.Value) {
	type entry struct {
		key        []byte
		k, element reflect.Value
	}
	var entries []entry
	for iter := v.MapRange(); iter.Next(); {
		k, x := addressable(iter.Key()), addressable(iter.Value())
		e.pinned = append(e.pinned, k, x)
		keys := &encoder{limit: 1 << 30, typeIDs: map[reflect.Type]int{}, path: append(e.path, "[key]")}
		keys.value(k.Addr().UnsafePointer(), k.Type())
		if k.Kind() == reflect.Interface {
			keys.out = append(keys.out, keyOf(k.Elem().Type())...)
		}
		entries = append(entries, entry{keys.out, k, x})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return slices.Compare(a.key, b.key) })
	e.path = append(e.path, "[…]")
	for _, x := range entries {
		e.value(x.k.Addr().UnsafePointer(), x.k.Type())
		e.value(x.element.Addr().UnsafePointer(), x.element.Type())
	}
	e.path = e.path[:len(e.path)-1]
}

func addressable(v reflect.Value) reflect.Value {
	x := reflect.New(v.Type()).Elem()
	x.Set(v)
	return x
}

func (e *encoder) iface(v reflect.Value) {
	if v.IsNil() {
		e.code(isNil)
		return
	}
	x := v.Elem()
	code := byte(isValue)
	if f, ok := x.Interface().(formed); ok {
		x, code = e.form(f, x), isFormed
	}
	if name := unnamed(x.Type()); name != "" && !isRegistered(x.Type()) {
		if _, ok := x.Interface().(error); ok {
			e.refuse("an error of type %s, which a later cell could not compare with others", name)
		}
		e.refuse("of type %s, which only its package can name", name)
	}
	e.code(code)
	if !e.walking {
		e.typeID(x.Type())
	}
	c := addressable(x)
	e.pinned = append(e.pinned, c)
	e.value(c.Addr().UnsafePointer(), c.Type())
}

// isRegistered reports whether a program that links the package of a type finds the type by name.
func isRegistered(t reflect.Type) bool {
	found, _ := registry.TypeOf(strings.ReplaceAll(keyOf(t), "\"", ""))
	return found == t
}

// unnamed returns the first type in t that a program outside its package cannot name.
func unnamed(t reflect.Type) string {
	if t.Name() != "" {
		if name := t.Name(); t.PkgPath() != "" && t.PkgPath() != "main" && (name[0] < 'A' || name[0] > 'Z') ||
			strings.Contains("/"+t.PkgPath(), "/internal/") {
			return t.String()
		}
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return unnamed(t.Elem())
	case reflect.Map:
		if name := unnamed(t.Key()); name != "" {
			return name
		}
		return unnamed(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if name := unnamed(f.Type); name != "" || !f.IsExported() && f.PkgPath != "main" {
				return t.String()
			}
		}
	}
	return ""
}

func (e *encoder) structure(p unsafe.Pointer, v reflect.Value) {
	t := v.Type()
	isLibrary := strings.HasPrefix(t.PkgPath(), library)
	switch m := mannerOf(t, e.nested > 0); m {
	case asZero:
		return
	case ifZero:
		if !v.IsZero() {
			e.refuse("a %v in use", t)
		}
		return
	case byTime: // without the reading of the clock of this program
		c := addressable(reflect.ValueOf(v.Interface().(time.Time).Round(0)))
		e.pinned = append(e.pinned, c)
		p = c.Addr().UnsafePointer()
	case byBinary, byGob, byText:
		if e.walking {
			return
		}
		content, err := marshal(v.Addr().Interface(), m)
		again := reflect.New(t)
		if err == nil {
			err = unmarshal(again.Interface(), m, content)
		}
		if err != nil {
			e.refuse("a %v that cannot be written: %v", t, err)
		}
		if !reflect.DeepEqual(again.Elem().Interface(), v.Interface()) {
			e.refuse("a %v that its own methods do not write in full", t)
		}
		e.text(string(content))
		return
	case notAtAll:
		if !v.IsZero() {
			e.refuse("a %v, whose value is valid only in the program that made it", t)
		}
		return
	}
	if isLibrary {
		e.nested++
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		e.path = append(e.path, "."+f.Name)
		e.value(unsafe.Add(p, f.Offset), f.Type)
		e.path = e.path[:len(e.path)-1]
	}
	if isLibrary {
		e.nested--
	}
}

func marshal(x any, m manner) ([]byte, error) {
	switch m {
	case byBinary:
		return x.(encoding.BinaryMarshaler).MarshalBinary()
	case byGob:
		return x.(gobEncoder).GobEncode()
	}
	return x.(encoding.TextMarshaler).MarshalText()
}

func (e *encoder) typeID(t reflect.Type) {
	id, ok := e.typeIDs[t]
	if !ok {
		id = len(e.typeList)
		e.typeIDs[t] = id
		e.typeList = append(e.typeList, t)
	}
	e.number(uint64(id))
}

func (e *encoder) code(c byte) {
	if !e.walking {
		e.out = append(e.out, c)
	}
}

// plain writes a number in the second walk.
func (e *encoder) plain(n uint64) {
	if !e.walking {
		e.number(n)
	}
}

func (e *encoder) number(n uint64) { e.out = binary.AppendUvarint(e.out, n) }

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.raw(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// tooLarge is the reason of variables above the limit.
const tooLarge = "larger than what is left of the limit"

func (e *encoder) raw(b []byte) {
	if len(e.out)+len(b) > e.limit {
		panic(refusal{tooLarge})
	}
	e.out = append(e.out, b...)
}
