package similarity

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"
)

// Alignment scores two sequences by the best way to write them beside each other with gaps: the sum of the scores
// of aligned residues, minus what gaps cost. A gap of k residues costs Open + (k−1)·Extend, as in Biopython's
// PairwiseAligner with open_gap_score = −Open and extend_gap_score = −Extend (BLAST's "existence 11, extension 1"
// is Open 12, Extend 1 here).
//
//	H_ij = max(H_{i−1,j−1} + s(x_i, y_j), E_ij, F_ij)                    and 0 where the alignment is local
//	E_ij = max(E_{i,j−1} − Extend, H_{i,j−1} − Open),  F_ij = max(F_{i−1,j} − Extend, H_{i−1,j} − Open)
//
// Local is max H, at least 0 (Smith and Waterman); Global is H at the ends of both, where gaps at the ends cost as
// others do (Needleman and Wunsch). The score is exact, symmetric in x and y, and no kernel: its matrix has negative
// eigenvalues (Spectrum). The local score of a sequence of the 20 amino acids with another is at most that with itself.
//
// References:
//   - T. Smith and M. Waterman, Identification of common molecular subsequences, J. Mol. Biol. 147 (1981).
//   - S. Needleman and C. Wunsch, J. Mol. Biol. 48 (1970).
//   - O. Gotoh, An improved algorithm for matching biological sequences, J. Mol. Biol. 162 (1982), for the
//     recurrence, O(|x||y|).
type Alignment struct {
	Table  *Substitution // if nil, BLOSUM62
	Open   int           // cost of the first residue of a gap, ≥ Extend; if 0, 11
	Extend int           // cost of each further one, > 0; if 0, 1
	Global bool          // both sequences whole; else the best parts of them
	// Normalize divides a score by √(s(x,x)s(y,y)), so that each sequence has 1 with itself. Where that is no
	// positive number, as of an empty sequence, the result is 0.
	Normalize bool
}

// String is "Smith–Waterman(BLOSUM62, 11, 1)".
func (a Alignment) String() string {
	a = a.filled()
	name, tail := "Smith–Waterman", ""
	if a.Global {
		name = "Needleman–Wunsch"
	}
	if a.Normalize {
		tail = ", normalized"
	}
	return fmt.Sprintf("%s(%s, %d, %d%s)", name, a.Table.Name, a.Open, a.Extend, tail)
}

// filled is a with its defaults.
func (a Alignment) filled() Alignment {
	if a.Table == nil {
		a.Table = BLOSUM62()
	}
	if a.Open == 0 {
		a.Open = 11
	}
	if a.Extend == 0 {
		a.Extend = 1
	}
	return a
}

// Validate says what is wrong with the table or with the costs of gaps.
func (a Alignment) Validate() error {
	a = a.filled()
	if a.Extend < 0 || a.Open < a.Extend || a.Open > mostScore {
		return fmt.Errorf("similarity: gaps cost Open = %d and Extend = %d, want %d ≥ Open ≥ Extend > 0", a.Open,
			a.Extend, mostScore)
	}
	return a.Table.Validate()
}

// Score is the score of x and y. A character that is no residue of the table is an error, with its place.
func (a Alignment) Score(x, y string) (float64, error) {
	if err := a.Validate(); err != nil {
		return 0, err
	}
	s := a.scorer()
	var coded [2][]byte
	for k, text := range []string{x, y} {
		var err error
		if coded[k], err = s.encode(text); err != nil {
			return 0, fmt.Errorf("similarity: sequence %d: %w", k+1, err)
		}
	}
	v := float64(s.plain(coded[0], coded[1]))
	if a.Normalize {
		v = normal(v, s.plain(coded[0], coded[0]), s.plain(coded[1], coded[1]))
	}
	return v, nil
}

// normal is v/√(xx·yy), 0 where that is no positive number.
func normal(v float64, xx, yy int) float64 {
	if xx <= 0 || yy <= 0 {
		return 0
	}
	return v / math.Sqrt(float64(xx)*float64(yy))
}

// scorer is an Alignment made ready: it is read-only.
type scorer struct {
	Alignment
	code        [256]byte
	rows        [32][32]int // scores by codes
	least, most int         // of the scores
}

func (a Alignment) scorer() *scorer {
	s := &scorer{Alignment: a.filled()}
	s.code = s.Table.codes()
	s.least, s.most = s.Table.extent()
	s.least, s.most = min(s.least, 0), max(s.most, 0)
	l := len(s.Table.Letters)
	for i := range l {
		copy(s.rows[i][:], s.Table.Scores[i*l:(i+1)*l])
	}
	return s
}

// encode returns the codes of the residues of a text.
func (s *scorer) encode(text string) ([]byte, error) {
	if at, err := points.CheckSequence(text); err != nil {
		return nil, fmt.Errorf("character %d is %w", at+1, err)
	}
	c := make([]byte, len(text))
	for i := range c {
		if c[i] = s.code[text[i]]; c[i] == none {
			return nil, fmt.Errorf("character %d is %q, which %s has no score of, nor of an unknown X", i+1, text[i],
				s.Table.Name)
		}
	}
	return c, nil
}

// plain is the score of one pair, cell by cell in whole numbers: for single pairs, and for those that lanes are too
// narrow for.
func (s *scorer) plain(x, y []byte) int {
	type cell struct{ h, e int } // H_ij and E_{i,j+1} of the column j
	column := make([]cell, len(x)+1)
	for i := range column {
		h := 0
		if s.Global {
			h = s.border(i)
		}
		column[i] = cell{h, h - s.Open}
	}
	best, open, extend := 0, s.Open, s.Extend
	for j, residue := range y {
		scores := &s.rows[residue&31]
		diagonal, h := column[0].h, 0
		if s.Global {
			h = s.border(j + 1)
		}
		column[0].h = h
		f := h - open
		rest := column[1:]
		for i, r := range x {
			c := &rest[i]
			h := max(diagonal+scores[r&31], c.e, f)
			if !s.Global {
				h = max(h, 0)
				best = max(best, h)
			}
			diagonal, c.h = c.h, h
			c.e = max(c.e-extend, h-open)
			f = max(f-extend, h-open)
		}
	}
	if s.Global {
		return column[len(x)].h
	}
	return best
}

// border is the score of k residues against nothing.
func (s *scorer) border(k int) int {
	if k == 0 {
		return 0
	}
	return -s.Open - (k-1)*s.Extend
}
