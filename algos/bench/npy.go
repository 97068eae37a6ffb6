package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
)

// array is an input: floats or whole numbers, row-major.
type array struct {
	shape  []int
	floats []float64
	wholes []int
}

func vector(x []float64) array           { return array{shape: []int{len(x)}, floats: x} }
func whole(x []int) array                { return array{shape: []int{len(x)}, wholes: x} }
func matrix(m, n int, x []float64) array { return array{shape: []int{m, n}, floats: x} }

// save writes a as numpy.save does, format 1.0.
func (a array) save(path string) (err error) {
	n, descr := len(a.floats), "<f8"
	if a.wholes != nil {
		n, descr = len(a.wholes), "<i8"
	}
	shape := ""
	for _, s := range a.shape {
		shape += fmt.Sprintf("%d, ", s)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, strings.TrimSpace(shape))
	pad := 63 - (10+len(head))%64 // the data begin at a multiple of 64
	head += strings.Repeat(" ", pad) + "\n"
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("bench: input: %w", err)
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("bench: input: %w", e)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00%s%s", binary.LittleEndian.AppendUint16(nil, uint16(len(head))), head)
	var b [8]byte
	for i := range n {
		bits := uint64(0)
		if a.wholes != nil {
			bits = uint64(a.wholes[i])
		} else {
			bits = math.Float64bits(a.floats[i])
		}
		binary.LittleEndian.PutUint64(b[:], bits)
		w.Write(b[:])
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("bench: input: %w", err)
	}
	return nil
}

// readRaw reads float64 as they are in memory, little endian.
func readRaw(path string) ([]float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: result: %w", err)
	}
	if len(raw)%8 != 0 {
		return nil, fmt.Errorf("bench: result: %d bytes, want a multiple of 8", len(raw))
	}
	x := make([]float64, len(raw)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return x, nil
}
