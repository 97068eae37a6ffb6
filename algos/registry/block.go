package registry

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// Floats is a slice that is written as one string, a block: "f8:" and the base64 of 8 little-endian bytes for each
// number. Every number is read back bit for bit, including numbers that are not finite.
type Floats []float64

// Ints is a slice that is written as one string, a block: "i8:" and the base64 of 8 little-endian bytes for each
// number.
type Ints []int

// MarshalText returns x as a block.
func (x Floats) MarshalText() ([]byte, error) { return encodeBlock("f8:", []float64(x)) }

// UnmarshalText reads a block.
func (x *Floats) UnmarshalText(s []byte) error {
	v, err := decodeBlock[float64]("f8:", s)
	*x = v
	return err
}

// MarshalText returns x as a block.
func (x Ints) MarshalText() ([]byte, error) {
	wide := make([]int64, len(x))
	for i, v := range x {
		wide[i] = int64(v)
	}
	return encodeBlock("i8:", wide)
}

// UnmarshalText reads a block.
func (x *Ints) UnmarshalText(s []byte) error {
	wide, err := decodeBlock[int64]("i8:", s)
	if err != nil {
		return err
	}
	*x = make(Ints, len(wide))
	for i, v := range wide {
		if v < math.MinInt || v > math.MaxInt {
			return fmt.Errorf("number %d of a block is %d, too large for this machine", i+1, v)
		}
		(*x)[i] = int(v)
	}
	return nil
}

// encodeBlock returns numbers, a slice of float64 or int64, as a block with a prefix.
func encodeBlock(prefix string, numbers any) ([]byte, error) {
	raw, err := binary.Append(nil, binary.LittleEndian, numbers)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode([]byte(prefix), raw), nil
}

// decodeBlock returns the numbers of the block s, which must begin with prefix.
func decodeBlock[T float64 | int64](prefix string, s []byte) ([]T, error) {
	text, ok := strings.CutPrefix(string(s), prefix)
	if !ok {
		return nil, fmt.Errorf("a block of numbers begins with %q", prefix)
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("damaged block of numbers: %w", err)
	}
	if len(raw)%8 != 0 {
		return nil, fmt.Errorf("truncated block of numbers: %d bytes are not a multiple of 8", len(raw))
	}
	x := make([]T, len(raw)/8)
	_, err = binary.Decode(raw, binary.LittleEndian, x)
	return x, err
}
