package kernel

import (
	"fmt"
	"io"
)

// Places are points known only by their place in a precomputed matrix: the row and column
// numbers of a Precomputed kernel, from 0.
type Places []int

// AllPlaces returns the places 0 to n−1.
func AllPlaces(n int) Places {
	p := make(Places, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// Len returns n.
func (p Places) Len() int { return len(p) }

// Slice copies the given rows.
func (p Places) Slice(rows []int) Points {
	s := make(Places, len(rows))
	for i, r := range rows {
		s[i] = p[r]
	}
	return s
}

// Digest writes the places.
func (p Places) Digest(h io.Writer) { WriteDigest(h, "places", []int(p)) }

// Validate refuses negative places; that they lie inside a matrix, its kernel checks.
func (p Places) Validate() error {
	if len(p) == 0 {
		return fmt.Errorf("kernel: no points")
	}
	for i, v := range p {
		if v < 0 {
			return fmt.Errorf("kernel: point %d has place %d, want 0 or more", i+1, v)
		}
	}
	return nil
}
