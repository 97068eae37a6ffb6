package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
)

// array is an input of a peer (a Python program that is measured against mkl): numbers in row-major order.
type array struct {
	shape []int
	data  any // []float64 or []int64
}

func vector(x []float64) array           { return array{[]int{len(x)}, x} }
func matrix(m, n int, x []float64) array { return array{[]int{m, n}, x} }

// integers returns an array of integers with the given shape, or a vector if no shape is given.
func integers(x []int, shape ...int) array {
	if len(shape) == 0 {
		shape = []int{len(x)}
	}
	v := make([]int64, len(x))
	for i := range x {
		v[i] = int64(x[i])
	}
	return array{shape, v}
}

// saveNPY writes a in the format 1.0 of numpy.save.
func (a array) saveNPY(path string) error {
	kind := "<f8"
	if _, ok := a.data.([]int64); ok {
		kind = "<i8"
	}
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(a.shape), " ", ", "), "[]") + ","
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, shape)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n" // the data start at a multiple of 64 bytes
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00%s%s", binary.LittleEndian.AppendUint16(nil, uint16(len(head))), head)
	if err := binary.Write(w, binary.LittleEndian, a.data); err != nil {
		return err
	}
	return w.Flush()
}

// readRaw reads the float64 values of a little-endian file without a header.
func readRaw(path string) ([]float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: cannot read the result of the peer: %w", err)
	}
	x := make([]float64, len(raw)/8)
	if _, err := binary.Decode(raw, binary.LittleEndian, x); err != nil {
		return nil, fmt.Errorf("bench: cannot decode the result of the peer, %d bytes: %w", len(raw), err)
	}
	return x, nil
}
