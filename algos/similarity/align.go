package similarity

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Alignment scores two proteins by their best alignment with BLOSUM62: the sum of the scores of the aligned residues,
// minus the costs of the gaps. A gap of k residues costs Open + (k−1)·Extend, as in Biopython's PairwiseAligner with
// open_gap_score = −Open and extend_gap_score = −Extend. In BLAST it costs existence + k·extension: its "existence 11,
// extension 1" is Open 12, Extend 1 here.
//
//	H_ij = max(H_{i−1,j−1} + s(x_i, y_j), E_ij, F_ij)                    and at least 0 if the alignment is local
//	E_ij = max(E_{i,j−1} − Extend, H_{i,j−1} − Open),  F_ij = max(F_{i−1,j} − Extend, H_{i−1,j} − Open)
//
// Here s is the BLOSUM62 score of two residues. The local score is the largest H (Smith and Waterman). The global score
// is H at the ends of both sequences; gaps at the ends cost as much as other gaps (Needleman and Wunsch). A score is an
// exact integer and symmetric in x and y. It is not a kernel: the matrix of scores may have negative eigenvalues. The
// local score of a sequence of the 20 amino acids with another sequence is at most its score with itself.
//
// A sequence may have lower-case letters. J, O and U are not in BLOSUM62 and count as X, an unknown residue.
//
// References:
//   - T. Smith and M. Waterman, Identification of common molecular subsequences, J. Mol. Biol. 147 (1981).
//   - S. Needleman and C. Wunsch, J. Mol. Biol. 48 (1970).
//   - O. Gotoh, An improved algorithm for matching biological sequences, J. Mol. Biol. 162 (1982), for the
//     recurrence, O(|x||y|).
type Alignment struct {
	Open   int  // cost of the first residue of a gap, from Extend to 1000; 0 stands for the default 11
	Extend int  // cost of each further residue of a gap, at least 1; 0 stands for the default 1
	Global bool // align the whole sequences; if false, their best parts
	// Normalize divides a score s(x,y) by √(s(x,x)s(y,y)), so that each sequence has similarity 1 with itself. The
	// result is 0 if s(x,x) or s(y,y) is not positive, as for an empty sequence.
	Normalize bool
}

// String returns, for example, "Smith–Waterman(BLOSUM62, gap open 11, extend 1)".
func (a Alignment) String() string {
	a = a.withDefaults()
	name, suffix := "Smith–Waterman", ""
	if a.Global {
		name = "Needleman–Wunsch"
	}
	if a.Normalize {
		suffix = ", normalized"
	}
	return fmt.Sprintf("%s(BLOSUM62, gap open %d, extend %d%s)", name, a.Open, a.Extend, suffix)
}

func (a Alignment) withDefaults() Alignment {
	if a.Open == 0 {
		a.Open = 11
	}
	if a.Extend == 0 {
		a.Extend = 1
	}
	return a
}

// maxOpen is the largest permitted cost of the first residue of a gap.
const maxOpen = 1000

// Validate returns an error if the costs of gaps are out of range.
func (a Alignment) Validate() error {
	a = a.withDefaults()
	if a.Extend < 0 || a.Open < a.Extend || a.Open > maxOpen {
		return fmt.Errorf("similarity: gap costs are Open = %d and Extend = %d; choose %d ≥ Open ≥ Extend > 0", a.Open,
			a.Extend, maxOpen)
	}
	return nil
}

// Pairs returns the scores of all n(n+1)/2 pairs of x, each sequence with itself included. It uses all processors.
// If progress is not nil, it is called after each row with the number of finished pairs, one call at a time. If ctx
// ends first, Pairs returns an error that wraps the error of ctx.
func (a Alignment) Pairs(ctx context.Context, x points.Sequences, progress func(done, total int)) (*mat.SymDense,
	error) {
	proteins, err := a.encodeSequences(ctx, x, "sequence")
	if err != nil {
		return nil, err
	}
	n := len(x)
	s, pairCount := mat.NewSymDense(n, nil), n*(n+1)/2
	var mu sync.Mutex // protects finishedPairs and serializes the calls of progress
	finishedPairs := 0
	linalg.ThreadLimit(0).Run(n, func(i int) {
		if ctx.Err() != nil {
			return
		}
		for j := i; j < n; j++ {
			s.SetSym(i, j, a.similarity(proteins[i], proteins[j]))
		}
		mu.Lock()
		defer mu.Unlock()
		if finishedPairs += n - i; progress != nil {
			progress(finishedPairs, pairCount)
		}
	})
	if finishedPairs < pairCount {
		return nil, fmt.Errorf("similarity: stopped after %d of %d scores: %w", finishedPairs, pairCount, ctx.Err())
	}
	return s, nil
}

// Cross returns the scores of new sequences z (rows) with x (columns). Kernel.Cross makes kernel values of scores.
func (a Alignment) Cross(ctx context.Context, z, x points.Sequences) (*mat.Dense, error) {
	proteins, err := a.encodeSequences(ctx, x, "sequence")
	if err != nil {
		return nil, err
	}
	newProteins, err := a.encodeSequences(ctx, z, "new sequence")
	if err != nil {
		return nil, err
	}
	s := mat.NewDense(len(z), len(x), nil)
	linalg.ThreadLimit(0).Run(len(z), func(i int) {
		for j, p := range proteins {
			if ctx.Err() == nil {
				s.Set(i, j, a.similarity(newProteins[i], p))
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("similarity: stopped: %w", err)
	}
	return s, nil
}

// protein is a sequence as codes of residues. selfScore is its score with itself; it is set only if scores are
// normalized.
type protein struct {
	codes     []byte
	selfScore int
}

// encodeSequences returns the sequences as codes of residues. An error names a sequence by sequenceNoun and its number,
// and the wrong character by its position, both from 1.
func (a Alignment) encodeSequences(ctx context.Context, x points.Sequences, sequenceNoun string) ([]protein, error) {
	if err := argument.CheckContext(ctx, "similarity"); err != nil {
		return nil, err
	}
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("similarity: got no %ss; pass at least one", sequenceNoun)
	}
	proteins := make([]protein, len(x))
	for i, text := range x {
		if at, err := points.CheckSequence(text); err != nil {
			return nil, fmt.Errorf("similarity: %s %d: character %d is %w", sequenceNoun, i+1, at+1, err)
		}
		p := protein{codes: make([]byte, len(text))}
		for k := range p.codes {
			p.codes[k] = blosum62.codeOfCharacter[text[k]]
		}
		if a.Normalize {
			p.selfScore = a.alignmentScore(p.codes, p.codes)
		}
		proteins[i] = p
	}
	return proteins, nil
}

func (a Alignment) similarity(x, y protein) float64 {
	v := float64(a.alignmentScore(x.codes, y.codes))
	if !a.Normalize {
		return v
	}
	if x.selfScore <= 0 || y.selfScore <= 0 {
		return 0
	}
	return v / math.Sqrt(float64(x.selfScore)*float64(y.selfScore))
}

// alignmentScore returns the score of two encoded sequences. It keeps one column j of the matrices H and E of the
// recursion (see Alignment).
func (a Alignment) alignmentScore(x, y []byte) int {
	a = a.withDefaults()
	// h: best score up to residue i of x and j of y; e: best score up to i and j+1 that ends with j+1 in a gap.
	type cell struct{ h, e int }
	columnCells := make([]cell, len(x)+1)
	for i := range columnCells {
		h := a.leadingGapScore(i)
		columnCells[i] = cell{h, h - a.Open}
	}
	best, open, extend := 0, a.Open, a.Extend
	for j, residue := range y {
		scores := &blosum62.scores[residue&31]
		diagonalScore, h := columnCells[0].h, a.leadingGapScore(j+1)
		columnCells[0].h = h
		f := h - open
		cellsBelow := columnCells[1:]
		for i, r := range x {
			c := &cellsBelow[i]
			h := max(diagonalScore+scores[r&31], c.e, f)
			if !a.Global {
				h = max(h, 0)
				best = max(best, h)
			}
			diagonalScore, c.h = c.h, h
			c.e = max(c.e-extend, h-open)
			f = max(f-extend, h-open)
		}
	}
	if a.Global {
		return columnCells[len(x)].h
	}
	return best
}

// leadingGapScore returns the score of gapLength leading residues aligned with a gap. It is 0 for local alignments.
func (a Alignment) leadingGapScore(gapLength int) int {
	if gapLength == 0 || !a.Global {
		return 0
	}
	return -a.Open - (gapLength-1)*a.Extend
}
