package loss

// stripe is how many rows are filled at once where K is of these points alone: two cache lines of each row
// that they cross. Of a K of more points, few lines hold two of them, and rows are filled one by one.
const stripe = 16

// most is how many numbers rows may keep, 512 MB; tests make it less.
var most = 1 << 26

// rows holds whole rows of K, those of the points act, each filled when it is first asked for. Only the upper
// triangle of K is stored: a part of a row is a column.
type rows struct {
	n     int // of act
	step  int // how many are filled at once
	kept  []float64
	slot  []int // of each stripe of rows, or −1
	owner []int // of each slot, or −1
	next  int
	all   bool // there is room for all stripes: the slot of each is its own number
}

// reset forgets all rows.
func (r *rows) reset(n, step int) {
	r.n, r.step = n, step
	stripes := (n + step - 1) / step
	slots := max(min(stripes, most/(step*max(n, 1))), 2)
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

// keep keeps of the points those at from, ascending, and what is filled of their rows.
func (r *rows) keep(from []int) {
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

// forget forgets all rows: the active points are others.
func (q *box) forget() {
	q.address()
	q.rows.reset(len(q.act), q.step())
}

// step is how many rows are filled at once.
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
		q.starts[c] = q.k.start(i)
	}
}

// all makes all points active, for their rows alone.
func (q *box) all() {
	q.act = resize(q.act, len(q.w))
	for i := range q.act {
		q.act[i] = i
	}
	q.forget()
}

// line is the row of K of active point p, to be read at cols from p on.
func (q *box) line(p int) []float64 { return q.k.data[q.starts[p]:] }

// row returns row p of the active points. It is valid until the next but one is asked for.
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
		r.next = (at + 1) % len(r.owner) // not the one in use
	}
	at = at*r.step + p%r.step
	return r.kept[at*r.n : (at+1)*r.n]
}

// fill copies the rows of stripe b to a slot.
func (q *box) fill(b, slot int) {
	n, data, cols, starts := q.rows.n, q.k.data, q.cols, q.starts
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
	// left of the stripe, of columns of K, eight at a time: a line of the cache
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
