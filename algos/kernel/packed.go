package kernel

import "gonum.org/v1/gonum/mat"

// A packed matrix is the upper triangle of a symmetric n×n matrix, stored row by row: n(n+1)/2 numbers. Row i has the
// entries of columns i … n−1.

// packedOffset returns the index of entry (i, i) in a packed n×n matrix. packedOffset(n, n) is the length of the packed
// matrix.
func packedOffset(n, i int) int { return i * (2*n - i + 1) / 2 }

// packedRow returns row i of a packed n×n matrix.
func packedRow(packed []float64, n, i int) []float64 {
	return packed[packedOffset(n, i):packedOffset(n, i+1)]
}

// packedIndex returns the index of entry (i, j) in a packed n×n matrix.
func packedIndex(n, i, j int) int {
	if i > j {
		i, j = j, i
	}
	return packedOffset(n, i) + j - i
}

// packBand stores the rows firstRow … endRow−1 of a symmetric n×n matrix in dst, packed, and returns dst. rows has the
// columns firstRow … n−1 of these rows.
func packBand(dst, rows []float64, n, firstRow, endRow int) []float64 {
	for i := firstRow; i < endRow; i++ {
		row := dst[packedOffset(n, i)-packedOffset(n, firstRow):][:n-i]
		copy(row, rows[(i-firstRow)*(n-firstRow+1):])
	}
	return dst
}

// unpackMatrix returns a packed n×n matrix in full storage.
func unpackMatrix(packed []float64, n int) *mat.SymDense {
	allEntries := make([]float64, n*n)
	for i := range n {
		copy(allEntries[i*n+i:(i+1)*n], packedRow(packed, n, i))
	}
	return mat.NewSymDense(n, allEntries)
}

// packedSubmatrix returns the submatrix of a packed n×n matrix with the given rows and the same columns, packed. Rows
// may repeat.
func packedSubmatrix(packed []float64, n int, rows []int) []float64 {
	l := len(rows)
	dst := make([]float64, 0, packedOffset(l, l))
	for i, r := range rows {
		for _, c := range rows[i:] {
			dst = append(dst, packed[packedIndex(n, r, c)])
		}
	}
	return dst
}

// storePackedOuterProduct stores in packed v_iw_i on the diagonal and v_iw_j + v_jw_i off it. The inner product of
// packed with a packed matrix M is then vᵀMw.
func storePackedOuterProduct(packed, v, w []float64) {
	n := len(v)
	for i := range n {
		row := packedRow(packed, n, i)
		vi, wi := v[i], w[i]
		row[0] = vi * wi
		vs, ws := v[i+1:], w[i+1:]
		for j := range row[1:] {
			row[j+1] = vi*ws[j] + wi*vs[j]
		}
	}
}
