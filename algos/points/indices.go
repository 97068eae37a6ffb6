package points

import (
	"fmt"
	"io"
)

// Indices are points that are known only by their row number in a precomputed kernel matrix, counted from 0.
type Indices []int

var _ Points = Indices{}

// AllIndices returns 0 to n−1.
func AllIndices(n int) Indices {
	p := make(Indices, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// Pick returns the elements of a list at the given indices, or nil if the list is nil.
func Pick[T any](list []T, indices []int) []T {
	if list == nil {
		return nil
	}
	var picked []T
	for _, i := range indices {
		picked = append(picked, list[i])
	}
	return picked
}

// Len returns the number of points.
func (p Indices) Len() int { return len(p) }

// Slice returns the points of the given rows, copied.
func (p Indices) Slice(rows []int) Points {
	s := make(Indices, len(rows))
	for i, r := range rows {
		s[i] = p[r]
	}
	return s
}

// HashInto writes the indices to h.
func (p Indices) HashInto(h io.Writer) { WriteDigest(h, "indices", []int(p)) }

// Validate returns an error for an empty list and for a negative index. The kernel checks that the indices lie inside
// its matrix.
func (p Indices) Validate() error {
	if len(p) == 0 {
		return fmt.Errorf("points: got no points; pass at least one index")
	}
	for i, v := range p {
		if v < 0 {
			return fmt.Errorf("points: point %d has index %d; use an index of 0 or more", i+1, v)
		}
	}
	return nil
}

// CheckIndices returns an error unless x are valid Indices below n.
func CheckIndices(x Points, n int) error {
	p, err := As[Indices](x)
	if err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return err
	}
	for i, v := range p {
		if v >= n {
			return fmt.Errorf("points: point %d has index %d; use an index from 0 to %d", i+1, v, n-1)
		}
	}
	return nil
}

// Features returns 0: indices are not features.
func (Indices) Features() (d int, names []string) { return 0, nil }

// Columns panics: indices are not features.
func (Indices) Columns([]int) Points { panic(noFeatures) }

// StoreFeatures panics unless dst is empty: indices are not features.
func (Indices) StoreFeatures(dst []float64, _ int) {
	if len(dst) > 0 {
		panic(noFeatures)
	}
}
