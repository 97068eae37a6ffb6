// Package words provides kernels that count the words of K letters (k-mers) that two sequences share, up to mismatches.
//
//	f := kernel.Sum{Kernels: kernel.List{words.Spectrum{K: 3}, words.Spectrum{K: 5, Mismatches: 1}},
//		Normalize: kernel.Cosine}
//	l, err := learn.Learn(ctx, d, learn.WithFamily(f)) // d of sequences, for example of a FASTA file
//
// The points are points.Sequences, which data.Open reads. Learn uses such kernels by itself for sequences. Package
// similarity compares sequences by alignment instead.
package words

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// Spectrum is the kernel of words of K letters, on points.Sequences:
//
//	k(x,z) = Σ_b φ_b(x) φ_b(z).
//
// The sum is over all words b of K letters of the alphabet. φ_b(x) is the number of positions in x at which a word
// starts that differs from b in at most Mismatches letters. With Mismatches = 0, k is the spectrum kernel. With
// Mismatches > 0, it is the (K, Mismatches) mismatch kernel. The kernel is positive semidefinite, and its values are
// integers. Its values grow with the lengths of the sequences; kernel.Sum with Normalize: kernel.Cosine scales them to
// k(x,x) = 1.
//
// A word in x with a letter outside the alphabet, such as X, does not count. Lower-case letters count as upper-case
// letters.
//
// The algorithm extends words b letter by letter. It keeps a list of the positions in the sequences whose words differ
// from b in at most Mismatches letters so far. It never forms a vector over all words. Let the alphabet have A letters,
// let m be Mismatches, and let the two sets of sequences contain n and l words. The lists then cost about (n+l)·Σ_{i≤m}
// (K choose i)(A−1)^i operations. In addition, each word b costs one product for each pair of sequences that both
// contain a word within m letters of b. With K = 5 and m = 1, 1800 proteins take seconds. With m = 2, only a few dozen
// proteins are feasible.
//
// References:
//   - C. Leslie, E. Eskin and W. Noble, The spectrum kernel, PSB 2002.
//   - C. Leslie, E. Eskin, A. Cohen, J. Weston and W. Noble, Mismatch string kernels for discriminative protein
//     classification, Bioinformatics 20 (2004), section 2 and its mismatch tree.
type Spectrum struct {
	K          int    // the length of the words, from 1 to 20
	Mismatches int    // the largest number of letters in which words may differ, from 0 to K−1
	Alphabet   string // the letters; if empty, AminoAcids
}

// AminoAcids are the letters of the twenty amino acids.
const AminoAcids = "ACDEFGHIKLMNPQRSTVWY"

var _ kernel.Kernel = Spectrum{}

// String returns a text such as "spectrum(3)" or "mismatch(5, 1)". If Alphabet is set, the text contains it.
func (k Spectrum) String() string {
	suffix := ")"
	if k.Alphabet != "" {
		suffix = " of " + k.Alphabet + ")"
	}
	if k.Mismatches == 0 {
		return fmt.Sprintf("spectrum(%d%s", k.K, suffix)
	}
	return fmt.Sprintf("mismatch(%d, %d%s", k.K, k.Mismatches, suffix)
}

// letters returns the alphabet in upper case.
func (k Spectrum) letters() string {
	if k.Alphabet == "" {
		return AminoAcids
	}
	return strings.ToUpper(k.Alphabet)
}

// Check returns an error for points other than points.Sequences, for K or Mismatches out of range, and for an alphabet
// with a repeated letter or with a character other than a letter or *.
func (k Spectrum) Check(x points.Points) error {
	if k.K < 1 || k.K > 20 || k.Mismatches < 0 || k.Mismatches >= k.K {
		return fmt.Errorf("words: %v: K = %d and Mismatches = %d; use 20 ≥ K > Mismatches ≥ 0", k, k.K, k.Mismatches)
	}
	a := k.letters()
	for i := range len(a) {
		if c := a[i]; !('A' <= c && c <= 'Z' || c == '*') || strings.IndexByte(a, c) != i {
			return fmt.Errorf("words: %v: letter %d of the alphabet is %q; use different letters from A to Z, or *",
				k, i+1, c)
		}
	}
	if _, err := points.As[points.Sequences](x); err != nil {
		return fmt.Errorf("words: %v: %w", k, err)
	}
	return nil
}

// Cross stores k(z_i, x_j). It panics if Check would return an error for z or x.
func (k Spectrum) Cross(dst *mat.Dense, z, x points.Points) {
	a, b := points.MustAs[points.Sequences](z), points.MustAs[points.Sequences](x)
	if r, c := dst.Dims(); r != len(a) || c != len(b) {
		panic(fmt.Sprintf("words: %v: the destination is %d×%d; it must be %d×%d", k, r, c, len(a), len(b)))
	}
	dst.Zero()
	if len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] {
		w := k.newWordTreeWalk(a)
		out := dst.RawMatrix()
		w.visitWord = func(_ int, mismatchCounts []mismatchCount) {
			for i, p := range mismatchCounts {
				row := out.Data[p.sequenceIndex*out.Stride:]
				for _, q := range mismatchCounts[i:] {
					row[q.sequenceIndex] += p.matchCount * q.matchCount
				}
			}
		}
		w.visitWordsWithPrefix(0)
		for i := range a {
			for j := range i {
				out.Data[i*out.Stride+j] = out.Data[j*out.Stride+i]
			}
		}
		return
	}
	w := k.newWordTreeWalk(a, b)
	out := dst.RawMatrix()
	w.visitWord = func(split int, mismatchCounts []mismatchCount) {
		for _, p := range mismatchCounts[:split] {
			row := out.Data[p.sequenceIndex*out.Stride:]
			for _, q := range mismatchCounts[split:] {
				row[q.sequenceIndex-len(a)] += p.matchCount * q.matchCount
			}
		}
	}
	w.visitWordsWithPrefix(0)
}

// wordPosition is the position of a word in a sequence. mismatchCount is the number of letters in which this word
// differs from the current word b.
type wordPosition struct {
	sequenceIndex, wordStart int32
	mismatchCount            uint8
}

// mismatchCount is φ_b(x) of a sequence x: the number of its words that differ from the current word b in at most
// Mismatches letters.
type mismatchCount struct {
	sequenceIndex int
	matchCount    float64
}

// wordTreeWalk visits all words b of K letters that at least one sequence contains, up to Mismatches letters. It
// extends words letter by letter, through the tree of their prefixes.
type wordTreeWalk struct {
	k                    Spectrum
	letterCodes          [][]uint8 // indices of letters in the alphabet; otherLetter for other letters
	alphabetSize         int       // the number of letters in the alphabet
	secondSequencesStart int       // index of the first sequence of the second list
	// positionsByDepth[i] has the positions whose first i letters differ from those of the current word b in at most
	// Mismatches letters, in the order of the sequences.
	positionsByDepth [][]wordPosition
	mismatchCounts   []mismatchCount
	// visitWord is called for each word b. mismatchCounts holds the counts of the sequences that contain a word within
	// Mismatches letters of b. mismatchCounts[secondListStart:] belong to the second list of sequences.
	visitWord func(secondListStart int, mismatchCounts []mismatchCount)
}

const otherLetter = math.MaxUint8

// newWordTreeWalk returns a wordTreeWalk for one or two lists of sequences. The caller sets visitWord.
func (k Spectrum) newWordTreeWalk(sets ...points.Sequences) *wordTreeWalk {
	a := k.letters()
	var code [256]uint8
	for i := range code {
		code[i] = otherLetter
	}
	for i := range len(a) {
		code[a[i]], code[strings.ToLower(a[i : i+1])[0]] = uint8(i), uint8(i)
	}
	w := &wordTreeWalk{k: k, alphabetSize: len(a), secondSequencesStart: len(sets[0]),
		positionsByDepth: make([][]wordPosition, k.K+1)}
	for _, x := range sets {
		for _, s := range x {
			t := make([]uint8, len(s))
			validLetterCount := 0 // length of the longest run of letters of the alphabet that ends at i
			for i := range t {
				if t[i] = code[s[i]]; t[i] == otherLetter {
					validLetterCount = 0
				} else if validLetterCount++; validLetterCount >= k.K {
					w.positionsByDepth[0] = append(w.positionsByDepth[0], wordPosition{int32(len(w.letterCodes)),
						int32(i + 1 - k.K), 0})
				}
			}
			w.letterCodes = append(w.letterCodes, t)
		}
	}
	return w
}

// visitWordsWithPrefix visits all words that begin with the first prefixLength letters of the current word b.
func (w *wordTreeWalk) visitWordsWithPrefix(prefixLength int) {
	prefixPositions := w.positionsByDepth[prefixLength]
	if len(prefixPositions) == 0 {
		return
	}
	if prefixLength == w.k.K {
		w.countMatches(prefixPositions)
		return
	}
	maxMismatches := uint8(w.k.Mismatches)
	for letter := range uint8(w.alphabetSize) {
		to := w.positionsByDepth[prefixLength+1][:0]
		for _, p := range prefixPositions {
			if w.letterCodes[p.sequenceIndex][int(p.wordStart)+prefixLength] != letter {
				if p.mismatchCount == maxMismatches {
					continue
				}
				p.mismatchCount++
			}
			to = append(to, p)
		}
		w.positionsByDepth[prefixLength+1] = to
		w.visitWordsWithPrefix(prefixLength + 1)
	}
}

// countMatches counts how many of the positions belong to each sequence, stores the counts in w.mismatchCounts, and
// calls visitWord with them. The positions of one sequence are adjacent.
func (w *wordTreeWalk) countMatches(positions []wordPosition) {
	w.mismatchCounts = w.mismatchCounts[:0]
	secondListStart := -1
	for _, p := range positions {
		if i := len(w.mismatchCounts) - 1; i >= 0 && w.mismatchCounts[i].sequenceIndex == int(p.sequenceIndex) {
			w.mismatchCounts[i].matchCount++
			continue
		}
		if secondListStart < 0 && int(p.sequenceIndex) >= w.secondSequencesStart {
			secondListStart = len(w.mismatchCounts)
		}
		w.mismatchCounts = append(w.mismatchCounts, mismatchCount{int(p.sequenceIndex), 1})
	}
	if secondListStart < 0 {
		secondListStart = len(w.mismatchCounts)
	}
	w.visitWord(secondListStart, w.mismatchCounts)
}
