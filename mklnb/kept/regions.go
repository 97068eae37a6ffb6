package kept

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"unsafe"
)

func newEncoder(limit int) *encoder {
	return &encoder{limit: limit, found: map[regionKey]*region{}, maps: map[uintptr]*region{},
		forms: map[unsafe.Pointer]reflect.Value{}, typeIDs: map[reflect.Type]int{}}
}

// catch turns a refusal, or a fault of memory that another goroutine changes, into an error.
func catch(err *error) {
	if r := recover(); r != nil {
		reason, ok := r.(refusal)
		if !ok {
			reason = refusal{fmt.Sprint("it cannot be read: ", r)}
		}
		*err = reason
	}
}

// walk finds the regions of variables. The error is the reason why they cannot be written.
func walk(vars []Variable, limit int) (e *encoder, err error) {
	defer catch(&err)
	e = newEncoder(limit)
	e.walking = true
	for _, v := range vars {
		e.pointTo(v.pointer, v.typ, 1)
	}
	e.walking = false
	e.ordered = e.mergeRegions()
	return e, nil
}

// reach returns the memory that a variable of a package may share with others, also if it cannot be written.
func reach(v Variable) []*region {
	e := newEncoder(noLimit)
	e.walking, e.isForeign = true, true
	var err error
	func() {
		defer catch(&err)
		e.pointTo(v.pointer, v.typ, 1)
	}()
	return slices.AppendSeq(slices.Collect(maps.Values(e.found)), maps.Values(e.maps))
}

// encode returns the file of some variables, and the types in it. The error is the reason why they cannot be written.
func encode(vars []Variable, limit int) (file []byte, typeList []reflect.Type, err error) {
	e, err := walk(vars, limit)
	if err != nil {
		return nil, nil, err
	}
	return e.write(vars)
}

// write is the second walk.
func (e *encoder) write(vars []Variable) (file []byte, typeList []reflect.Type, err error) {
	defer catch(&err)
	e.number(uint64(len(vars)))
	for _, v := range vars {
		e.text(v.name)
		e.typeID(v.typ)
		e.place(uintptr(v.pointer))
	}
	e.number(uint64(len(e.ordered)))
	for _, r := range e.ordered {
		e.typeID(r.typ)
		e.number(uint64(r.count))
		if r.isMap {
			e.code(isValue)
		} else {
			e.code(isNil)
		}
	}
	for _, r := range e.ordered {
		e.writeRegion(r)
	}
	body := e.out
	e.out = nil
	e.number(uint64(len(e.typeList)))
	for _, t := range e.typeList {
		e.text(keyOf(t))
		e.text(layoutHashOf(t))
	}
	e.limit += len(body)
	return append(e.out, body...), e.typeList, nil
}

// overlap reports whether two lists of regions share memory.
func overlap(a, b []*region) bool {
	all := make([]*region, 0, len(a)+len(b))
	isA := make(map[*region]bool, len(a))
	for _, r := range a {
		isA[r] = true
	}
	all = append(append(all, a...), b...)
	slices.SortFunc(all, func(x, y *region) int { return cmp.Compare(x.addr, y.addr) })
	ends := map[bool]uintptr{}
	for _, r := range all {
		if r.addr < ends[!isA[r]] {
			return true
		}
		ends[isA[r]] = max(ends[isA[r]], r.end())
	}
	return false
}

// mergeRegions joins the found regions that overlap, so that each byte of memory is written once, and returns all
// regions and maps in the order of their first visits.
func (e *encoder) mergeRegions() []*region {
	all := make([]*region, 0, len(e.found))
	for _, r := range e.found {
		all = append(all, r)
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.addr != b.addr {
			return a.addr < b.addr
		}
		if a.end() != b.end() {
			return a.end() > b.end()
		}
		return a.order < b.order
	})
	for _, r := range all {
		if n := len(e.regions); n > 0 && r.addr < e.regions[n-1].end() {
			last := e.regions[n-1]
			last.order = min(last.order, r.order)
			if r.end() <= last.end() {
				continue
			}
			if r.typ != last.typ || (r.addr-last.addr)%r.typ.Size() != 0 {
				panic(refusal{"two of its parts share memory in a form that cannot be written; copy one of them"})
			}
			last.count = int((r.end() - last.addr) / r.typ.Size())
			continue
		}
		copied := *r
		e.regions = append(e.regions, &copied)
	}
	ordered := slices.Clone(e.regions)
	for _, m := range e.maps {
		ordered = append(ordered, m)
	}
	slices.SortFunc(ordered, func(a, b *region) int { return a.order - b.order })
	for i, r := range ordered {
		r.id = i
	}
	return ordered
}

// locate returns the region that contains an address, and the offset in it.
func (e *encoder) locate(addr uintptr) (r *region, offset uintptr) {
	i := sort.Search(len(e.regions), func(i int) bool { return e.regions[i].addr > addr }) - 1
	if i < 0 || addr >= e.regions[i].end() {
		panic(refusal{"it changed while it was written"})
	}
	return e.regions[i], addr - e.regions[i].addr
}
