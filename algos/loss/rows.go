package loss

// stripe is the number of rows that are filled at once if K has only these points: two cache lines of each row that
// they cross. If K has more points, few cache lines hold two of these, and rows are filled one by one.
const stripe = 16

// maxStored is the number of values that rows may store, 512 MB. Tests reduce it.
var maxStored = 1 << 26

// rows caches complete rows of K for the active points. A row is filled at its first use. K stores only its upper
// triangle, so a part of a row is a column.
type rows struct {
	n     int // number of active points
	step  int // rows filled at once
	kept  []float64
	slot  []int // slot of each stripe of rows, or −1
	owner []int // stripe in each slot, or −1
	next  int
	all   bool // all stripes fit: stripe b is in slot b
}

// reset discards all rows.
func (r *rows) reset(n, step int) {
	r.n, r.step = n, step
	stripes := (n + step - 1) / step
	slots := max(min(stripes, maxStored/(step*max(n, 1))), 2)
	size := slots * step * n
	if cap(r.kept) < size {
		r.kept = make([]float64, size)
	}
	r.kept = r.kept[:size]
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

// retainRows keeps the points with the ascending indices from, and the filled parts of their rows.
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
			to, row := r.kept[p*n:(p+1)*n], r.kept[from[p]*before:(from[p]+1)*before]
			for c, f := range from {
				to[c] = row[f]
			}
		}
		r.slot[b] = at
	}
	r.n, r.slot = n, r.slot[:stripes]
}

// forget discards all rows, because the active points changed.
func (q *box) forget() {
	q.address()
	q.rows.reset(len(q.act), q.step())
}

// step returns the number of rows that are filled at once.
func (q *box) step() int {
	if q.place == nil {
		return stripe
	}
	return 1
}

// address finds the columns and the rows of K of the active points.
func (q *box) address() {
	q.cols = q.act
	if q.place != nil {
		q.places = resize(q.places, len(q.act))
		for c, i := range q.act {
			q.places[c] = q.place[i]
		}
		q.cols = q.places
	}
	q.starts = resize(q.starts, len(q.act))
	for c, i := range q.cols {
		q.starts[c] = q.k.Start(i)
	}
}

// activateAll makes all points active, for access to their rows.
func (q *box) activateAll() {
	q.act = resize(q.act, len(q.w))
	for i := range q.act {
		q.act[i] = i
	}
	q.forget()
}

// line returns the stored row of K of active point p. It is valid at cols from p on.
func (q *box) line(p int) []float64 { return q.k.Data[q.starts[p]:] }

// row returns row p of the active points. It is valid until the second next call.
func (q *box) row(p int) []float64 {
	r := &q.rows
	b := p / r.step
	at := r.slot[b]
	if at < 0 {
		if at = b; !r.all {
			at = r.next
			if o := r.owner[at]; o >= 0 {
				r.slot[o] = -1
			}
			r.owner[at] = b
			r.next = (at + 1) % len(r.owner)
		}
		r.slot[b] = at
		q.fill(b, at)
	} else if !r.all && r.next == at && r.owner[at] >= 0 && len(r.owner) > 1 {
		r.next = (at + 1) % len(r.owner) // not the slot in use
	}
	at = at*r.step + p%r.step
	return r.kept[at*r.n : (at+1)*r.n]
}

// fill copies the rows of stripe b to a slot.
func (q *box) fill(b, slot int) {
	n, data, cols, starts := q.rows.n, q.k.Data, q.cols, q.starts
	whole := n == len(q.w)
	if q.place != nil {
		line, to := q.line(b), q.rows.kept[slot*n:(slot+1)*n]
		for c, start := range starts[:b] {
			to[c] = data[start+cols[b]]
		}
		for c := b; c < n; c++ {
			to[c] = line[cols[c]]
		}
		return
	}
	lo, hi := b*stripe, min((b+1)*stripe, n)
	dst := q.rows.kept[slot*stripe*n:]
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
		line, to := q.line(p), dst[(p-lo)*n:(p-lo+1)*n]
		for c := lo; c < p; c++ {
			to[c] = data[starts[c]+cols[p]]
		}
		if whole {
			copy(to[p:], line[p:n])
			continue
		}
		for c := p; c < n; c++ {
			to[c] = line[cols[c]]
		}
	}
}
