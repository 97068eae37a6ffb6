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
	dimensions []int
	data       any // []float64 or []int64
}

func newVector(values []float64) array                    { return array{[]int{len(values)}, values} }
func newMatrix(rows, columns int, values []float64) array { return array{[]int{rows, columns}, values} }

// newIntegers returns an array of integers with the given dimensions, or a vector if none are given.
func newIntegers(values []int, dimensions ...int) array {
	if len(dimensions) == 0 {
		dimensions = []int{len(values)}
	}
	v := make([]int64, len(values))
	for i := range values {
		v[i] = int64(values[i])
	}
	return array{dimensions, v}
}

// saveNPY writes a in the format 1.0 of numpy.save.
func (a array) saveNPY(path string) error {
	elementType := "<f8"
	if _, ok := a.data.([]int64); ok {
		elementType = "<i8"
	}
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(a.dimensions), " ", ", "), "[]") + ","
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", elementType, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n" // the data start at a multiple of 64 bytes
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00%s%s", binary.LittleEndian.AppendUint16(nil, uint16(len(header))), header)
	if err := binary.Write(w, binary.LittleEndian, a.data); err != nil {
		return err
	}
	return w.Flush()
}

// readRawFloats reads the float64 values of a little-endian file without a header.
func readRawFloats(path string) ([]float64, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: cannot read the array that the Python program wrote: %w", err)
	}
	x := make([]float64, len(content)/8)
	if _, err := binary.Decode(content, binary.LittleEndian, x); err != nil {
		return nil, fmt.Errorf("bench: cannot decode %d bytes that the Python program wrote: %w", len(content), err)
	}
	return x, nil
}
