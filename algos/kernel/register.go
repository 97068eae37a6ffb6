package kernel

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// registry is the types that Marshal and Unmarshal know.
var registry = struct {
	sync.RWMutex
	types map[string]reflect.Type
	names map[reflect.Type]string
}{types: map[string]reflect.Type{}, names: map[reflect.Type]string{}}

func init() {
	for name, zero := range map[string]any{
		"rows": Rows{}, "sparse": Sparse{}, "places": Places{},
		"linear": Linear{}, "polynomial": Polynomial{}, "rbf": RBF{}, "laplacian": Laplacian{}, "precomputed": Precomputed{},
		"list": List{}, "sum": Sum{}, "features": Features{},
	} {
		Register(name, zero)
	}
}

// Register gives the type of zero, a Family, Kernel or Points made of exported fields or elements,
// the name it has in files. It panics if either is taken. A name in use is never to be changed.
func Register(name string, zero any) {
	registry.Lock()
	defer registry.Unlock()
	t := reflect.TypeOf(zero)
	if name == "" || t == nil || registry.types[name] != nil || registry.names[t] != "" {
		panic(fmt.Sprintf("kernel: cannot register %v as %q: one of them is empty or registered", t, name))
	}
	registry.types[name], registry.names[t] = t, name
}

// Marshal returns v, of a registered type, as JSON:
//
//	{"type": "rbf", "value": {"Gamma": 0.5}}
//
// Fields that are zero are left out. Slices of numbers are strings of little-endian blocks in
// base64: "f8:" and 8 bytes for each float64, "i8:" and 8 bytes for each int. A field that is an
// interface, as the elements of List, is such an object again.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := encodeTagged(&b, reflect.ValueOf(v)); err != nil {
		return nil, fmt.Errorf("kernel: write %T: %w", v, err)
	}
	return b.Bytes(), nil
}

// Unmarshal restores what Marshal wrote into v, a pointer to a Family, Kernel, Points or another
// interface that the stored type has. It refuses unknown types and fields and truncated blocks; it
// does not judge the values: that is Validate's.
func Unmarshal(data []byte, v any) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Elem().Kind() != reflect.Interface {
		return fmt.Errorf("kernel: read into %T, want a pointer to an interface such as *kernel.Family", v)
	}
	if err := decodeTagged(data, p.Elem(), 0); err != nil {
		return fmt.Errorf("kernel: read %v: %w", p.Elem().Type(), err)
	}
	return nil
}

func encodeTagged(b *bytes.Buffer, v reflect.Value) error {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return errors.New("nothing (nil) cannot be stored")
	}
	registry.RLock()
	name := registry.names[v.Type()]
	registry.RUnlock()
	if name == "" {
		return fmt.Errorf("type %v is not registered (kernel.Register)", v.Type())
	}
	fmt.Fprintf(b, `{"type":%q,"value":`, name)
	if err := encode(b, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.WriteByte('}')
	return nil
}

func encode(b *bytes.Buffer, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Interface:
		return encodeTagged(b, v)
	case reflect.Struct:
		b.WriteByte('{')
		first := true
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				return fmt.Errorf("field %s is not exported: it would be lost", f.Name)
			}
			if v.Field(i).IsZero() {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			fmt.Fprintf(b, "%q:", f.Name)
			if err := encode(b, v.Field(i)); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		b.WriteByte('}')
		return nil
	case reflect.Slice:
		if v.IsNil() {
			b.WriteString("null")
			return nil
		}
		switch v.Type().Elem().Kind() {
		case reflect.Float64:
			block := make([]byte, 0, 8*v.Len())
			for i := range v.Len() {
				block = binary.LittleEndian.AppendUint64(block, math.Float64bits(v.Index(i).Float()))
			}
			writeBlock(b, "f8:", block)
			return nil
		case reflect.Int:
			block := make([]byte, 0, 8*v.Len())
			for i := range v.Len() {
				block = binary.LittleEndian.AppendUint64(block, uint64(v.Index(i).Int()))
			}
			writeBlock(b, "i8:", block)
			return nil
		}
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := encode(b, v.Index(i)); err != nil {
				return fmt.Errorf("element %d: %w", i+1, err)
			}
		}
		b.WriteByte(']')
		return nil
	case reflect.Bool, reflect.String, reflect.Int, reflect.Float64:
		s, err := json.Marshal(v.Interface())
		if err != nil {
			return err // a number that is not finite
		}
		b.Write(s)
		return nil
	}
	return fmt.Errorf("a %v cannot be stored", v.Type())
}

func writeBlock(b *bytes.Buffer, kind string, block []byte) {
	b.WriteByte('"')
	b.WriteString(kind)
	b.WriteString(base64.StdEncoding.EncodeToString(block))
	b.WriteByte('"')
}

// nested is how deep objects may lie inside one another.
const nested = 32

func decodeTagged(data []byte, dst reflect.Value, depth int) error {
	if depth > nested {
		return fmt.Errorf("objects nested more than %d deep", nested)
	}
	var tagged struct {
		Type  *string         `json:"type"`
		Value json.RawMessage `json:"value"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&tagged); err != nil {
		return fmt.Errorf("want {\"type\": …, \"value\": …}: %w", err)
	}
	if d.InputOffset() != int64(len(bytes.TrimRight(data, " \t\r\n"))) {
		return errors.New("something follows the object")
	}
	if tagged.Type == nil || tagged.Value == nil {
		return errors.New(`want {"type": …, "value": …}`)
	}
	registry.RLock()
	t := registry.types[*tagged.Type]
	known := slices.Sorted(maps.Keys(registry.types))
	registry.RUnlock()
	if t == nil {
		return fmt.Errorf("unknown type %q; known are %s", *tagged.Type, strings.Join(known, ", "))
	}
	if !t.AssignableTo(dst.Type()) {
		return fmt.Errorf("type %q is a %v, want a %v", *tagged.Type, t, dst.Type())
	}
	v := reflect.New(t).Elem()
	if err := decode(tagged.Value, v, depth); err != nil {
		return fmt.Errorf("%s: %w", *tagged.Type, err)
	}
	dst.Set(v)
	return nil
}

func decode(data []byte, v reflect.Value, depth int) error {
	if depth > nested {
		return fmt.Errorf("objects nested more than %d deep", nested)
	}
	switch v.Kind() {
	case reflect.Interface:
		return decodeTagged(data, v, depth+1)
	case reflect.Struct:
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(data, &fields); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			f, ok := v.Type().FieldByName(name)
			if !ok || !f.IsExported() || len(f.Index) != 1 {
				return fmt.Errorf("unknown field %q", name)
			}
			if err := decode(fields[name], v.FieldByIndex(f.Index), depth+1); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	case reflect.Slice:
		if string(data) == "null" {
			v.SetZero()
			return nil
		}
		switch v.Type().Elem().Kind() {
		case reflect.Float64:
			return decodeBlock(data, "f8:", v, func(e reflect.Value, bits uint64) { e.SetFloat(math.Float64frombits(bits)) })
		case reflect.Int:
			return decodeBlock(data, "i8:", v, func(e reflect.Value, bits uint64) { e.SetInt(int64(bits)) })
		}
		var elements []json.RawMessage
		if err := json.Unmarshal(data, &elements); err != nil {
			return err
		}
		s := reflect.MakeSlice(v.Type(), len(elements), len(elements))
		for i, e := range elements {
			if err := decode(e, s.Index(i), depth+1); err != nil {
				return fmt.Errorf("element %d: %w", i+1, err)
			}
		}
		v.Set(s)
		return nil
	case reflect.Bool, reflect.String, reflect.Int, reflect.Float64:
		return json.Unmarshal(data, v.Addr().Interface())
	}
	return fmt.Errorf("a %v cannot be read", v.Type())
}

func decodeBlock(data []byte, kind string, v reflect.Value, set func(reflect.Value, uint64)) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("want a string %q and base64: %w", kind, err)
	}
	s, ok := strings.CutPrefix(s, kind)
	if !ok {
		return fmt.Errorf("a block of numbers begins with %q", kind)
	}
	block, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return fmt.Errorf("damaged block of numbers: %w", err)
	}
	if len(block)%8 != 0 {
		return fmt.Errorf("truncated block of numbers: %d bytes are not a multiple of 8", len(block))
	}
	out := reflect.MakeSlice(v.Type(), len(block)/8, len(block)/8)
	for i := range out.Len() {
		set(out.Index(i), binary.LittleEndian.Uint64(block[8*i:]))
	}
	v.Set(out)
	return nil
}
