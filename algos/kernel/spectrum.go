package kernel

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// Spectrum is the kernel of words of K letters, on Sequences:
//
//	k(x,z) = Σ_b φ_b(x) φ_b(z),
//
// over all words b of the alphabet, where φ_b(x) is the number of places of x at which a word stands that differs
// from b in at most Mismatches letters: the spectrum kernel with 0, else the (K, Mismatches) mismatch kernel. It is
// positive semidefinite, and its numbers are whole. Sum.Normalize: Cosine makes it independent of the lengths.
//
// A word with a letter outside the alphabet, such as X, stands nowhere: it is left out. Lower case is upper case.
//
// The words are walked through letter by letter, with the places that are still near enough, so that no vector of
// all words is made. Between sequences of n and l words in all it costs about (n+l)·Σ_{i≤m} (K choose i)(A−1)^i for
// the places, A letters and m mismatches, and a product for every word and pair of sequences that are both near it:
// 1800 proteins take seconds with K = 5 and m = 1, and m = 2 is for a few dozen.
//
// References:
//   - C. Leslie, E. Eskin and W. Noble, The spectrum kernel, PSB 2002.
//   - C. Leslie, E. Eskin, A. Cohen, J. Weston and W. Noble, Mismatch string kernels for discriminative protein
//     classification, Bioinformatics 20 (2004), section 2 and its mismatch tree.
type Spectrum struct {
	K          int    // from 1 to 20
	Mismatches int    // from 0, below K
	Alphabet   string // the letters; if empty, AminoAcids
}

// AminoAcids are the letters of the twenty amino acids.
const AminoAcids = "ACDEFGHIKLMNPQRSTVWY"

var (
	_ Kernel   = Spectrum{}
	_ Diagonal = Spectrum{}
)

// String is "spectrum(3)", "mismatch(5, 1)", with the alphabet where it is not that of proteins.
func (k Spectrum) String() string {
	tail := ")"
	if k.Alphabet != "" {
		tail = " of " + k.Alphabet + ")"
	}
	if k.Mismatches == 0 {
		return fmt.Sprintf("spectrum(%d%s", k.K, tail)
	}
	return fmt.Sprintf("mismatch(%d, %d%s", k.K, k.Mismatches, tail)
}

func (k Spectrum) letters() string {
	if k.Alphabet == "" {
		return AminoAcids
	}
	return strings.ToUpper(k.Alphabet)
}

// Check refuses points other than Sequences, K and Mismatches out of range, and an alphabet that is not of
// different letters.
func (k Spectrum) Check(x points.Points) error {
	if k.K < 1 || k.K > 20 || k.Mismatches < 0 || k.Mismatches >= k.K {
		return fmt.Errorf("kernel: %v: K = %d, Mismatches = %d, want 20 ≥ K > Mismatches ≥ 0", k, k.K, k.Mismatches)
	}
	a := k.letters()
	for i := range len(a) {
		if c := a[i]; !('A' <= c && c <= 'Z' || c == '*') || strings.IndexByte(a, c) != i {
			return fmt.Errorf("kernel: %v: letter %d of the alphabet is %q, want different letters from A to Z, or *",
				k, i+1, c)
		}
	}
	if _, ok := x.(points.Sequences); !ok {
		return fmt.Errorf("kernel: %v takes points.Sequences, the points are %T", k, x)
	}
	return nil
}

// Cross stores k(z_i, x_j). It panics where Check would have refused.
func (k Spectrum) Cross(dst *mat.Dense, z, x points.Points) {
	a, b := z.(points.Sequences), x.(points.Sequences)
	if r, c := dst.Dims(); r != len(a) || c != len(b) {
		panic(fmt.Sprintf("kernel: %v: destination is %d×%d, want %d×%d", k, r, c, len(a), len(b)))
	}
	dst.Zero()
	if len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] {
		w := k.walk(a)
		out := dst.RawMatrix()
		w.leaf = func(_ int, near []nearby) {
			for i, p := range near {
				row := out.Data[p.sequence*out.Stride:]
				for _, q := range near[i:] {
					row[q.sequence] += p.count * q.count
				}
			}
		}
		w.all()
		for i := range a {
			for j := range i {
				out.Data[i*out.Stride+j] = out.Data[j*out.Stride+i]
			}
		}
		return
	}
	w := k.walk(a, b)
	out := dst.RawMatrix()
	w.leaf = func(first int, near []nearby) {
		for _, p := range near[:first] {
			row := out.Data[p.sequence*out.Stride:]
			for _, q := range near[first:] {
				row[q.sequence-len(a)] += p.count * q.count
			}
		}
	}
	w.all()
}

// Diag stores k(z_i, z_i).
func (k Spectrum) Diag(dst []float64, z points.Points) {
	clear(dst)
	w := k.walk(z.(points.Sequences))
	w.leaf = func(_ int, near []nearby) {
		for _, p := range near {
			dst[p.sequence] += p.count * p.count
		}
	}
	w.all()
}

// place is where a word stands, and in how many letters it differs from that walked to.
type place struct {
	sequence, at int32
	differs      uint8
}

// nearby is a sequence with the number of its places that are near a word, φ_b.
type nearby struct {
	sequence int
	count    float64
}

// walk goes through all words that are near a place.
type walk struct {
	k     Spectrum
	texts [][]uint8 // letters by number; those outside the alphabet are outside
	size  int       // of the alphabet
	split int       // sequences before are those of the first set
	level [][]place // places still near enough, by the length of the word; by sequences
	near  []nearby
	leaf  func(first int, near []nearby) // first is where those of the second set begin
}

const outside = math.MaxUint8

// walk prepares the sets for a walk through their words.
func (k Spectrum) walk(sets ...points.Sequences) *walk {
	a := k.letters()
	var code [256]uint8
	for i := range code {
		code[i] = outside
	}
	for i := range len(a) {
		code[a[i]], code[strings.ToLower(a[i : i+1])[0]] = uint8(i), uint8(i)
	}
	w := &walk{k: k, size: len(a), split: len(sets[0]), level: make([][]place, k.K+1)}
	for _, x := range sets {
		for _, s := range x {
			t := make([]uint8, len(s))
			known := 0 // letters of the alphabet before this one
			for i := range t {
				if t[i] = code[s[i]]; t[i] == outside {
					known = 0
				} else if known++; known >= k.K {
					w.level[0] = append(w.level[0], place{int32(len(w.texts)), int32(i + 1 - k.K), 0})
				}
			}
			w.texts = append(w.texts, t)
		}
	}
	return w
}

// all calls leaf for every word that some place is near.
func (w *walk) all() { w.deeper(0) }

func (w *walk) deeper(depth int) {
	from := w.level[depth]
	if len(from) == 0 {
		return
	}
	if depth == w.k.K {
		w.found(from)
		return
	}
	most := uint8(w.k.Mismatches)
	for letter := range uint8(w.size) {
		to := w.level[depth+1][:0]
		for _, p := range from {
			if w.texts[p.sequence][int(p.at)+depth] != letter {
				if p.differs == most {
					continue
				}
				p.differs++
			}
			to = append(to, p)
		}
		w.level[depth+1] = to
		w.deeper(depth + 1)
	}
}

// found counts the places of each sequence, which stand together.
func (w *walk) found(places []place) {
	w.near = w.near[:0]
	first := -1
	for _, p := range places {
		if i := len(w.near) - 1; i >= 0 && w.near[i].sequence == int(p.sequence) {
			w.near[i].count++
			continue
		}
		if first < 0 && int(p.sequence) >= w.split {
			first = len(w.near)
		}
		w.near = append(w.near, nearby{int(p.sequence), 1})
	}
	if first < 0 {
		first = len(w.near)
	}
	w.leaf(first, w.near)
}
