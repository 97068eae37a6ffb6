package loss

import (
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// triangle is the upper triangle of a symmetric matrix, in a full one or packed by rows.
type triangle struct {
	data []float64
	n    int
	full *mat.SymDense // nil where it is packed
}

// upper is that of the K of g, of n points, which is formed only where it is not kept packed.
func upper(g Gram, n int) triangle {
	if p, ok := g.(Packed); ok {
		if a := p.Triangle(); a != nil {
			return triangle{data: a, n: n}
		}
	}
	return triangleOf(g.K())
}

func triangleOf(k *mat.SymDense) triangle {
	return triangle{k.RawSymmetric().Data, k.SymmetricDim(), k}
}

// packed is nil where it is not.
func (t triangle) packed() []float64 {
	if t.full != nil {
		return nil
	}
	return t.data
}

// within is that of all points and the places of these in it, where g is a part of a K that does not change;
// else places is nil.
func within(g Gram) (t triangle, place []int) {
	if c, ok := g.(*cutGram); ok {
		if h, ok := c.of.(*heldGram); ok {
			return h.upper, c.rows
		}
	}
	return triangle{}, nil
}

// start is where row i would start: K_ij of i ≤ j is at start(i) + j.
func (t triangle) start(i int) int {
	if t.full != nil {
		return i * t.full.RawSymmetric().Stride
	}
	return i * (2*t.n - i - 1) / 2
}

// copyTo copies it to k, n×n.
func (t triangle) copyTo(k *mat.SymDense) {
	r := k.RawSymmetric()
	for i := range t.n {
		copy(r.Data[i*r.Stride+i:i*r.Stride+t.n], t.data[t.start(i)+i:])
	}
}

// at is K_ij, i ≤ j.
func (t triangle) at(i, j int) float64 { return t.data[t.start(i)+j] }

// mulVec stores Kx in dst. Each sum has n terms.
func (t triangle) mulVec(dst, x []float64) {
	if t.full != nil {
		linalg.SymMulVec(dst, t.full, x)
		return
	}
	linalg.PackedMulVec(dst, t.data, x)
}
