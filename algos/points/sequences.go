package points

import (
	"fmt"
	"io"
	"slices"
)

// Sequences are n points that are strings of letters: proteins, in the one-letter code of the amino acids, or DNA. A
// letter in lower case equals the letter in upper case. The character * stands for a stop codon. words.Spectrum is a
// kernel of sequences, and package similarity aligns them.
type Sequences []string

var _ Points = Sequences{}

// Len returns n.
func (x Sequences) Len() int { return len(x) }

// Slice returns the points of the given rows, copied.
func (x Sequences) Slice(rows []int) Points {
	s := make(Sequences, len(rows))
	for i, r := range rows {
		s[i] = x[r]
	}
	return s
}

// Validate returns an error for an empty list, and for a character that is neither a letter from A to Z nor *, such as
// the - of a gap. The error names the sequence and the position of the first such character, counted from 1. A sequence
// may be empty.
func (x Sequences) Validate() error {
	if len(x) == 0 {
		return fmt.Errorf("points: got no sequences; pass at least one")
	}
	for i, s := range x {
		if at, err := CheckSequence(s); err != nil {
			return fmt.Errorf("points: sequence %d: character %d is %w", i+1, at+1, err)
		}
	}
	return nil
}

// CheckSequence returns the position, counted from 0, of the first character of s that a sequence cannot contain, and
// an error that describes this character. If there is no such character, it returns 0 and nil.
func CheckSequence(s string) (position int, err error) {
	for i := range len(s) {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '*':
		case c == '-' || c == '.':
			return i, fmt.Errorf("%q, a gap; use the sequence before alignment", rune(c))
		default:
			return i, fmt.Errorf("%+q; use letters from A to Z or *", s[i:i+1])
		}
	}
	return 0, nil
}

// Lengths returns the smallest, the median and the largest number of letters of a sequence. It returns 0, 0, 0 if there
// are no sequences.
func (x Sequences) Lengths() (shortest, median, longest int) {
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

// HashInto writes the sequences to h.
func (x Sequences) HashInto(h io.Writer) { WriteDigest(h, "sequences", []string(x)) }

// Features returns 0: sequences are not features.
func (Sequences) Features() (d int, names []string) { return 0, nil }

// Columns panics: sequences are not features.
func (Sequences) Columns([]int) Points { panic(noFeatures) }

// StoreFeatures panics unless dst is empty: sequences are not features.
func (Sequences) StoreFeatures(dst []float64, _ int) {
	if len(dst) > 0 {
		panic(noFeatures)
	}
}
