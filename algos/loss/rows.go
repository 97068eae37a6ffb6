package loss

// maxStored is the largest number of values in activeK, 512 MB. Tests reduce it.
var maxStored = 1 << 26

// fillActiveK copies K of the active points to activeK, with both triangles, because K stores only its upper triangle.
// If there are too many active points, it sets storesActiveK to false, and kernelRow copies one row at each call.
func (q *boxQP) fillActiveK() {
	n := len(q.activePoints)
	if q.storesActiveK = n*n <= maxStored; !q.storesActiveK {
		return
	}
	q.activeK = resize(q.activeK, n*n)
	const block = 16 // number of rows that are mirrored at once: their entries in a column fill two cache lines
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		for p := lo; p < hi; p++ {
			q.copyUpperRow(q.activeK[p*n:(p+1)*n], p)
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
	for r, p := range keptIndices { // in place: p ≥ r
		oldRow, newRow := q.activeK[p*oldCount:(p+1)*oldCount], q.activeK[r*n:(r+1)*n]
		for c, i := range keptIndices {
			newRow[c] = oldRow[i]
		}
	}
}

// upperRow returns the row of active point p in the upper triangle of K. Only its entries at active[p:] may be read.
func (q *boxQP) upperRow(p int) []float64 {
	k := q.k.RawSymmetric()
	return k.Data[q.activePoints[p]*k.Stride:]
}

// copyUpperRow copies the row of active point p to dst, from the diagonal on.
func (q *boxQP) copyUpperRow(dst []float64, p int) {
	kRow := q.upperRow(p)
	if len(q.activePoints) == len(q.w) {
		copy(dst[p:], kRow[p:])
		return
	}
	for c := p; c < len(dst); c++ {
		dst[c] = kRow[q.activePoints[c]]
	}
}

// kernelRow returns the row of K of active point p, with one entry for each active point. It stays valid
// during one further call.
func (q *boxQP) kernelRow(p int) []float64 {
	n := len(q.activePoints)
	if q.storesActiveK {
		return q.activeK[p*n : (p+1)*n]
	}
	row := resize(q.rowBuffer, n)
	q.rowBuffer, q.lastRowBuffer = q.lastRowBuffer, row
	q.copyUpperRow(row, p)
	for c := range p {
		row[c] = q.upperRow(c)[q.activePoints[p]]
	}
	return row
}
