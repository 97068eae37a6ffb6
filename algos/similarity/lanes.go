package similarity

// One sequence x is aligned with eight or four others at a time: a uint64 holds a number of each, in lanes of 8 or
// 16 bits (T. Rognes, Faster Smith–Waterman database searches with inter-sequence SIMD parallelisation, BMC
// Bioinformatics 12:221, 2011, without the processor's vectors). The upper bit of a lane is free, so that the
// difference of two numbers tells which is greater without touching the next lane:
//
//	d = (a | G) − b,  m = d & G,  max(a, b) = b + (d & (m − m≫(w−1))),   G the upper bits, w the width.
//
// Numbers are stored with an offset that keeps them at 0 or above, and scores are added as whole uint64: a sum of
// lanes that are all at 0 or above is right in each, whatever the carries in between. In 8 bits a pair that comes
// near 127 is given up, and aligned again in 16 bits; what may pass 32767 is aligned alone.

const (
	guard8  = 0x8080808080808080
	guard16 = 0x8000800080008000
	ones8   = 0x0101010101010101
	ones16  = 0x0001000100010001
)

// cell is H_ij and E_{i,j+1} of the residue x_i in the column j, lane by lane.
type cell struct{ h, e uint64 }

// costs are numbers of a column that do not change, in all lanes: the stored 0 of local alignments, 0 of global
// ones; Open − Extend; Extend.
type costs struct{ zero, more, extend uint64 }

// column moves the cells of x to the next column, in lanes of w bits, whose upper bits are guard. p are the scores of a
// residue of x with the residues of this column; diagonal is H of the column before, f what F is first. It returns the
// greatest H of each lane, or best.
//
// F_{i+1} follows from H without F_i, since a gap after a gap is never better than the longer gap: that keeps the
// chain of operations from one residue to the next short.
func column(cells []cell, x []byte, p *[32]uint64, diagonal, f, best uint64, c costs, guard uint64, w uint) uint64 {
	x = x[:len(cells)]
	w = (w - 1) & 63
	for i := range cells {
		h := diagonal + p[x[i]&31]
		diagonal = cells[i].h
		e := cells[i].e
		d := (h | guard) - e
		m := d & guard
		h = e + d&(m-m>>w)
		d = (h | guard) - c.zero
		m = d & guard
		h = c.zero + d&(m-m>>w)
		t := h - c.more
		d = (h | guard) - f
		m = d & guard
		h = f + d&(m-m>>w)
		d = (t | guard) - f
		m = d & guard
		f = f + d&(m-m>>w) - c.extend
		d = (h | guard) - best
		m = d & guard
		best = best + d&(m-m>>w)
		t = h - c.more
		d = (t | guard) - e
		m = d & guard
		cells[i] = cell{h, e + d&(m-m>>w) - c.extend}
	}
	return best
}

// lanes is the storage of one goroutine.
type lanes struct {
	*scorer
	cells   []cell
	profile [32]uint64
	again   []int // places among ys of those given up in 8 bits
}

// scores stores the score of x with each of ys in dst. Sequences of like length should stand together.
func (l *lanes) scores(dst []int32, x []byte, ys [][]byte) {
	zero := max(l.Open, -l.least)
	l.again = l.again[:0]
	if l.Global || zero+2*l.most > 127 {
		for k := range ys {
			l.again = append(l.again, k)
		}
	} else {
		for at := 0; at < len(ys); at += 8 {
			l.lanes8(dst, x, ys, at, min(at+8, len(ys)), zero)
		}
	}
	for at := 0; at < len(l.again); at += 4 {
		l.lanes16(dst, x, ys, l.again[at:min(at+4, len(l.again))])
	}
}

// fill makes the profile of the column j: the scores of every residue with those of ys there, in lanes of a width. A
// lane whose sequence has ended has 0.
func (l *lanes) fill(ys [][]byte, j int, width uint) {
	n := len(l.Table.Letters)
	p := l.profile[:n]
	clear(p)
	for k, y := range ys {
		if j >= len(y) {
			continue
		}
		shift := uint(k) * width & 63
		for r, s := range l.rows[y[j]&31][:n] {
			p[r] += uint64(s) << shift
		}
	}
}

// start sets every cell to the column before the first.
func (l *lanes) start(n int, c cell) {
	if cap(l.cells) < n {
		l.cells = make([]cell, n)
	}
	l.cells = l.cells[:n]
	for i := range l.cells {
		l.cells[i] = c
	}
}

// lanes8 aligns x with ys[at:end], at most eight, in lanes of 8 bits; those that come too near 127 go to again.
func (l *lanes) lanes8(dst []int32, x []byte, ys [][]byte, at, end, zero int) {
	group := ys[at:end]
	z, top := uint64(zero)*ones8, 127-l.most
	open, over := uint64(l.Open)*ones8, uint64(128-top-1)*ones8 // a lane plus that has the guard bit above top
	c := costs{z, uint64(l.Open-l.Extend) * ones8, uint64(l.Extend) * ones8}
	l.start(len(x), cell{z, z - open})
	best, given := z, uint64(0)
	for j := range longest(group) {
		l.fill(group, j, 8)
		best = column(l.cells, x, &l.profile, z, z-open, best, c, guard8, 8)
		if m := (best + over) & guard8; m != 0 {
			mask := m | (m - m>>7)
			given |= mask
			best = best&^mask | z&mask
			for i, v := range l.cells {
				l.cells[i] = cell{v.h&^mask | z&mask, v.e&^mask | (z-open)&mask}
			}
			if given|^uint64(0)<<(8*uint(len(group))) == ^uint64(0) {
				break
			}
		}
	}
	for k := range group {
		if shift := 8 * uint(k); given>>shift&0xFF != 0 {
			l.again = append(l.again, at+k)
		} else {
			dst[at+k] = int32(best>>shift&0xFF) - int32(zero)
		}
	}
}

// lanes16 aligns x with the sequences of at most four places of ys, in lanes of 16 bits, or one by one where these
// are too narrow.
func (l *lanes) lanes16(dst []int32, x []byte, ys [][]byte, places []int) {
	var store [4][]byte
	group := store[:len(places)]
	for k, at := range places {
		group[k] = ys[at]
	}
	n := longest(group)
	zero := max(l.Open, -l.least) // what 0 is stored as
	if l.Global {
		zero = 3*l.Open + (len(x)+n)*l.Extend - l.least
	}
	if zero+l.most*(min(len(x), n)+2) > 32767 {
		for k, at := range places {
			dst[at] = int32(l.plain(x, group[k]))
		}
		return
	}
	z, open := uint64(zero)*ones16, uint64(l.Open)*ones16
	c := costs{z, uint64(l.Open-l.Extend) * ones16, uint64(l.Extend) * ones16}
	l.start(len(x), cell{z, z - open})
	if l.Global {
		c.zero = 0 // no bound
		for i := range l.cells {
			h := uint64(zero+l.border(i+1)) * ones16
			l.cells[i] = cell{h, h - open}
		}
		for k, at := range places {
			if len(group[k]) == 0 {
				dst[at] = int32(l.border(len(x)))
			}
		}
	}
	best, diagonal, first := z, z, z
	for j := range n {
		l.fill(group, j, 16)
		if l.Global {
			first = uint64(zero+l.border(j+1)) * ones16
		}
		best = column(l.cells, x, &l.profile, diagonal, first-open, best, c, guard16, 16)
		diagonal = first
		if !l.Global {
			continue
		}
		last := first
		if len(x) > 0 {
			last = l.cells[len(x)-1].h
		}
		for k, at := range places {
			if len(group[k]) == j+1 {
				dst[at] = int32(last>>(16*uint(k))&0xFFFF) - int32(zero)
			}
		}
	}
	if !l.Global {
		for k, at := range places {
			dst[at] = int32(best>>(16*uint(k))&0xFFFF) - int32(zero)
		}
	}
}

// longest is the greatest length.
func longest(ys [][]byte) int {
	n := 0
	for _, y := range ys {
		n = max(n, len(y))
	}
	return n
}
