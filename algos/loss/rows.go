package loss

// stripe is the number of rows that rows copies from K at once if K has only the points of the problem. 16 columns are
// two cache lines of each stored row above them. If K has more points, the columns of the problem are not neighbors,
// and rows are copied one by one.
const stripe = 16

// maxStored is the number of values that rows may store, 512 MB. Tests reduce it.
var maxStored = 1 << 26

// rows caches complete rows of K, restricted to the active points. It copies a row from K at its first use. K stores
// only its upper triangle, so the entries left of the diagonal come from a column.
type rows struct {
	n      int       // number of active points
	step   int       // number of rows in a stripe, which are copied at once
	stored []float64 // the slots, of step·n entries each
	slot   []int     // slot of each stripe, or −1 if the stripe is not cached
	owner  []int     // stripe in each slot, or −1 if the slot is free
	next   int       // the slot that the next stripe overwrites
	all    bool      // there is a slot for every stripe: stripe b has slot b
}

// reset discards all cached rows and prepares for n active points, of which step rows are copied at once.
func (r *rows) reset(n, step int) {
	r.n, r.step = n, step
	stripes := (n + step - 1) / step
	slots := max(min(stripes, maxStored/(step*max(n, 1))), 2)
	size := slots * step * n
	if cap(r.stored) < size {
		r.stored = make([]float64, size)
	}
	r.stored = r.stored[:size]
	if cap(r.slot) < stripes {
		r.slot = make([]int, stripes)
	}
	if cap(r.owner) < slots {
		r.owner = make([]int, slots)
	}
	r.slot, r.owner, r.next = r.slot[:stripes], r.owner[:slots], 0
	r.all = slots >= stripes
	for i := range r.slot {
		r.slot[i] = -1
	}
	for i := range r.owner {
		r.owner[i] = -1
	}
}

// retainRows keeps the cached rows and columns of the active points with the ascending indices from, and discards the
// others. If not all rows fit into the cache, it discards all.
func (r *rows) retainRows(from []int) {
	n, before := len(from), r.n
	if !r.all {
		r.reset(n, r.step)
		return
	}
	stripes := (n + r.step - 1) / r.step
	for b := range stripes { // in place: from[p] ≥ p
		lo, hi := b*r.step, min((b+1)*r.step, n)
		at := b
		for _, f := range from[lo:hi] {
			if r.slot[f/r.step] < 0 {
				at = -1
			}
		}
		for p := lo; p < hi && at >= 0; p++ {
			to, row := r.stored[p*n:(p+1)*n], r.stored[from[p]*before:(from[p]+1)*before]
			for c, f := range from {
				to[c] = row[f]
			}
		}
		r.slot[b] = at
	}
	r.n, r.slot = n, r.slot[:stripes]
}

// discardRows discards all cached rows after a change of the active points.
func (q *box) discardRows() {
	q.locateRows()
	q.rows.reset(len(q.active), stripe)
}

// locateRows sets starts, the offset in K of the row of each active point.
func (q *box) locateRows() {
	q.starts = resize(q.starts, len(q.active))
	for c, i := range q.active {
		q.starts[c] = i * q.k.RawSymmetric().Stride
	}
}

// storedRow returns the row of active point p in the upper triangle of K. Only its entries at active[p:] may be read.
func (q *box) storedRow(p int) []float64 { return q.k.RawSymmetric().Data[q.starts[p]:] }

// kernelRow returns the row of K of active point p, with one entry for each active point. It is valid until the second
// next call.
func (q *box) kernelRow(p int) []float64 {
	r := &q.rows
	b := p / r.step
	at := r.slot[b]
	if at < 0 {
		if at = b; !r.all {
			at = r.next
			if evicted := r.owner[at]; evicted >= 0 {
				r.slot[evicted] = -1
			}
			r.owner[at] = b
			r.next = (at + 1) % len(r.owner)
		}
		r.slot[b] = at
		q.fillStripe(b, at)
	} else if !r.all && r.next == at && r.owner[at] >= 0 && len(r.owner) > 1 {
		r.next = (at + 1) % len(r.owner) // not the slot in use
	}
	at = at*r.step + p%r.step
	return r.stored[at*r.n : (at+1)*r.n]
}

// fillStripe copies the rows of stripe b from K to a slot of the cache.
func (q *box) fillStripe(b, slot int) {
	n, data, cols, starts := q.rows.n, q.k.RawSymmetric().Data, q.active, q.starts
	areAllActive := n == len(q.w)
	lo, hi := b*stripe, min((b+1)*stripe, n)
	dst := q.rows.stored[slot*stripe*n:]
	// the entries left of the stripe are in columns of K: copy eight at a time, one cache line
	const eight = 8
	for c := 0; c < lo; c += eight {
		var line [eight][]float64
		for k, start := range starts[c : c+eight] {
			line[k] = data[start:]
		}
		a, b, d, e, f, g, h, l := line[0], line[1], line[2], line[3], line[4], line[5], line[6], line[7]
		for p, i := range cols[lo:hi] {
			to := (*[eight]float64)(dst[p*n+c:])
			to[0], to[1], to[2], to[3] = a[i], b[i], d[i], e[i]
			to[4], to[5], to[6], to[7] = f[i], g[i], h[i], l[i]
		}
	}
	for p := lo; p < hi; p++ {
		line, to := q.storedRow(p), dst[(p-lo)*n:(p-lo+1)*n]
		for c := lo; c < p; c++ {
			to[c] = data[starts[c]+cols[p]]
		}
		if areAllActive {
			copy(to[p:], line[p:n])
			continue
		}
		for c := p; c < n; c++ {
			to[c] = line[cols[c]]
		}
	}
}
