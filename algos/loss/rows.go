package loss

// maxStored is the number of values that square may store, 512 MB. Tests reduce it.
var maxStored = 1 << 26

// fillSquare copies K of the active points to square, with both triangles, because K stores only its upper triangle. If
// there are too many active points, it sets usesSquare to false, and kernelRow copies one row at each call.
func (q *box) fillSquare() {
	n := len(q.active)
	if q.usesSquare = n*n <= maxStored; !q.usesSquare {
		return
	}
	q.square = resize(q.square, n*n)
	const block = 16 // number of rows that are mirrored at once: their entries in a column fill two cache lines
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		for p := lo; p < hi; p++ {
			q.copyUpper(q.square[p*n:(p+1)*n], p)
		}
		for c := lo + 1; c < n; c++ {
			mirrored := q.square[c*n+lo : c*n+min(hi, c)]
			for r := range mirrored {
				mirrored[r] = q.square[(lo+r)*n+c]
			}
		}
	}
}

// compactSquare keeps the active points with the given ascending indices in square.
func (q *box) compactSquare(indices []int, before int) {
	if !q.usesSquare {
		q.fillSquare()
		return
	}
	n := len(indices)
	for r, p := range indices { // in place: p ≥ r
		from, to := q.square[p*before:(p+1)*before], q.square[r*n:(r+1)*n]
		for c, i := range indices {
			to[c] = from[i]
		}
	}
}

// storedRow returns the row of active point p in the upper triangle of K. Only its entries at active[p:] may be read.
func (q *box) storedRow(p int) []float64 {
	k := q.k.RawSymmetric()
	return k.Data[q.active[p]*k.Stride:]
}

// copyUpper copies the entries of the row of active point p from the diagonal on.
func (q *box) copyUpper(row []float64, p int) {
	line := q.storedRow(p)
	if len(q.active) == len(q.w) {
		copy(row[p:], line[p:])
		return
	}
	for c := p; c < len(row); c++ {
		row[c] = line[q.active[c]]
	}
}

// kernelRow returns the row of K of active point p, with one entry for each active point. It is valid until the second
// next call.
func (q *box) kernelRow(p int) []float64 {
	n := len(q.active)
	if q.usesSquare {
		return q.square[p*n : (p+1)*n]
	}
	row := resize(q.row, n)
	q.row, q.lastRow = q.lastRow, row
	q.copyUpper(row, p)
	for c := range p {
		row[c] = q.storedRow(c)[q.active[p]]
	}
	return row
}
