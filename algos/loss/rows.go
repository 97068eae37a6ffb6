package loss

import "github.com/mklnb/mkl/algos/linalg"

// maxStored is the largest number of values in activeK, 512 MB. Tests reduce it.
var maxStored = 1 << 26

// fillActiveK copies K of the active points to activeK, with both triangles, because K stores only its upper triangle.
// If there are too many active points, it sets storesActiveK to false, and kernelRow copies one row at each call.
func (q *boxQP) fillActiveK() {
	n := len(q.activePoints)
	if q.storesActiveK = n*n <= maxStored; !q.storesActiveK {
		return
	}
	q.activeK = linalg.Resize(q.activeK, n*n)
	const block = 16 // number of rows that are mirrored at once: their entries in a column fill two cache lines
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		for p := lo; p < hi; p++ {
			q.copyRowOfUpperTriangle(q.activeK[p*n:(p+1)*n], p)
		}
		for c := lo + 1; c < n; c++ {
			mirroredPart := q.activeK[c*n+lo : c*n+min(hi, c)]
			for r := range mirroredPart {
				mirroredPart[r] = q.activeK[(lo+r)*n+c]
			}
		}
	}
}

// compactActiveK removes all active points from activeK except those with the given ascending indices.
func (q *boxQP) compactActiveK(keptIndices []int, oldCount int) {
	if !q.storesActiveK {
		q.fillActiveK()
		return
	}
	n := len(keptIndices)
	for r, p := range keptIndices { // in place: row p moves to row r ≤ p
		oldRow, newRow := q.activeK[p*oldCount:(p+1)*oldCount], q.activeK[r*n:(r+1)*n]
		for c, i := range keptIndices {
			newRow[c] = oldRow[i]
		}
	}
}

// rowOfUpperTriangle returns the row of K of an active point. Only its entries from the diagonal on are valid.
func (q *boxQP) rowOfUpperTriangle(activeIndex int) []float64 {
	k := q.k.RawSymmetric()
	return k.Data[q.activePoints[activeIndex]*k.Stride:]
}

// copyRowOfUpperTriangle copies the row of an active point in K of the active points to dst, from the diagonal on.
func (q *boxQP) copyRowOfUpperTriangle(dst []float64, activeIndex int) {
	kRow := q.rowOfUpperTriangle(activeIndex)
	if len(q.activePoints) == len(q.w) {
		copy(dst[activeIndex:], kRow[activeIndex:])
		return
	}
	for c := activeIndex; c < len(dst); c++ {
		dst[c] = kRow[q.activePoints[c]]
	}
}

// kernelRow returns the row of K of an active point at all active points. Two more calls may overwrite the row.
func (q *boxQP) kernelRow(activeIndex int) []float64 {
	n := len(q.activePoints)
	if q.storesActiveK {
		return q.activeK[activeIndex*n : (activeIndex+1)*n]
	}
	row := linalg.Resize(q.rowBuffer, n)
	q.rowBuffer, q.previousRowBuffer = q.previousRowBuffer, row
	q.copyRowOfUpperTriangle(row, activeIndex)
	for c := range activeIndex {
		row[c] = q.rowOfUpperTriangle(c)[q.activePoints[activeIndex]]
	}
	return row
}
