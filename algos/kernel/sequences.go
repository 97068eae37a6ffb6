package kernel

import (
	"fmt"
	"io"
	"slices"
)

// Sequences are n points that are texts of letters: proteins, in the one-letter code of the amino acids, or
// DNA. A letter in lower case is the same as in upper case; * is a stop. Spectrum is a kernel of them, package
// similarity aligns them.
type Sequences []string

var _ Points = Sequences{}

// Len returns n.
func (x Sequences) Len() int { return len(x) }

// Slice copies the given rows.
func (x Sequences) Slice(rows []int) Points {
	s := make(Sequences, len(rows))
	for i, r := range rows {
		s[i] = x[r]
	}
	return s
}

// Validate refuses no points at all, and names the first character that is neither a letter from A to Z nor *,
// such as the - of a gap, by sequence and place from 1. A sequence may be empty.
func (x Sequences) Validate() error {
	if len(x) == 0 {
		return fmt.Errorf("kernel: no sequences, want at least one")
	}
	for i, s := range x {
		if at, wrong := Residues(s); wrong != "" {
			return fmt.Errorf("kernel: sequence %d: character %d is %s", i+1, at+1, wrong)
		}
	}
	return nil
}

// Residues says what is wrong with the first character of s that a sequence cannot have, and where that is,
// from 0; wrong is "" where there is none.
func Residues(s string) (at int, wrong string) {
	for i := range len(s) {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '*':
		case c == '-' || c == '.':
			return i, fmt.Sprintf("%q, a gap: want the sequence as it is, not aligned", rune(c))
		default:
			return i, fmt.Sprintf("%+q, want a letter from A to Z or *", s[i:i+1])
		}
	}
	return 0, ""
}

// Lengths returns the least, the median and the greatest number of letters; 0 of no sequences.
func (x Sequences) Lengths() (least, median, most int) {
	if len(x) == 0 {
		return 0, 0, 0
	}
	l := make([]int, len(x))
	for i, s := range x {
		l[i] = len(s)
	}
	slices.Sort(l)
	return l[0], l[len(l)/2], l[len(l)-1]
}

// Digest writes the sequences.
func (x Sequences) Digest(h io.Writer) { WriteDigest(h, "sequences", []string(x)) }
