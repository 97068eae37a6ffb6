package algos_test

import (
	"encoding/json"

	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

// rows returns a matrix as lists of rows.
func rows(v [][]float64) *mat.Dense {
	m := mat.NewDense(len(v), len(v[0]), nil)
	for i, r := range v {
		m.SetRow(i, r)
	}
	return m
}

// symmetric returns the upper triangle of a square matrix.
func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	return mat.NewSymDense(n, m.RawMatrix().Data)
}

// eigenTransforms compares spectrum repairs on the training points and on new ones.
func (g *golden) eigenTransforms(input, expected json.RawMessage, tol float64) {
	type kernel struct {
		Trace float64
		Row0  []float64   `json:"K_row0"`
		New   [][]float64 `json:"test_rows"`
	}
	var in struct {
		S   [][]float64
		New [][]float64 `json:"test_similarities"`
	}
	var want struct {
		Eigenvalues          []float64
		Denoise, Flip, Shift kernel
	}
	g.read(input, expected, &in, &want)
	S := symmetric(rows(in.S))
	s, err := similarity.Decompose(S)
	g.must(err)
	g.near("eigenvalues", s.Values, want.Eigenvalues, tol)
	compare := func(what string, k *similarity.Kernel, err error, want kernel) {
		g.must(err)
		cross, err := k.Cross(rows(in.New))
		g.must(err)
		g.near(what, mat.DenseCopyOf(k.K).RawRowView(0), want.Row0, tol)
		g.num(what+" trace", mat.Trace(k.K), want.Trace, tol)
		g.near(what+" new points", cross.RawMatrix().Data, rows(want.New).RawMatrix().Data, tol)
	}
	for r, w := range map[similarity.Repair]kernel{
		similarity.Denoise: want.Denoise, similarity.Flip: want.Flip, similarity.Shift: want.Shift} {
		k, err := s.Repair(r)
		compare(r.String(), k, err, w)
	}
}
