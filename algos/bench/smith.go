package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
)

// smithTasks align proteins with Biopython and parasail.
func smithTasks() []task {
	all := []task{{name: "smith",
		about: "Smith–Waterman scores of all 820 pairs of 40 proteins of 200 residues, some " +
			"related, BLOSUM62, gaps 11 and 1: 32.8 million cells, on one core by all sides but parasail's SIMD in " +
			"lanes of the processor; different: scores that are not ours", make: smithSpeed}}
	for _, table := range []string{"BLOSUM62", "PAM250"} {
		for _, mode := range []string{"local", "global"} {
			all = append(all, task{name: fmt.Sprintf("smith scores %s %s", table, mode), rounds: 1,
				about: "500 random pairs of up to 400 residues, B, Z, X and * among them, some related, gaps 12 and " +
					"2; different: scores that are not ours",
				make: func(b *bench) *work { return smithScores(b, table, mode == "global") }})
		}
	}
	return all
}

// proteins draws n sequences of from to to residues; every second is like the one before, with a tenth of its
// residues drawn anew.
func proteins(n, from, to int, letters string, seed uint64) points.Sequences {
	r := rand.New(rand.NewPCG(seed, 0))
	x := make(points.Sequences, n)
	for i := range x {
		s := make([]byte, from+r.IntN(to-from+1))
		for j := range s {
			s[j] = letters[r.IntN(len(letters))]
		}
		if i%2 == 1 {
			for j := range min(len(s), len(x[i-1])) {
				if r.IntN(10) > 0 {
					s[j] = x[i-1][j]
				}
			}
		}
		x[i] = string(s)
	}
	return x
}

// different counts the scores that are not the first side's.
func different(r, first []float64) Quality {
	n := 0
	for i, v := range first {
		if i >= len(r) || r[i] != v {
			n++
		}
	}
	return Quality{"different": float64(n), "scores": float64(len(r))}
}

// letters are sequences as a peer reads them: all characters, and where each sequence ends.
func letters(sets ...points.Sequences) map[string]array {
	arrays := map[string]array{}
	for k, x := range sets {
		var all, ends []int
		for _, s := range x {
			for i := range len(s) {
				all = append(all, int(s[i]))
			}
			ends = append(ends, len(all))
		}
		arrays[fmt.Sprintf("letters%d", k+1)], arrays[fmt.Sprintf("ends%d", k+1)] = whole(all), whole(ends)
	}
	return arrays
}

// aligner is an engine of the peers.
func aligner(label, engine string) peer {
	return peer{env: "biopython", program: "align_pairs", label: label, args: map[string]any{"engine": engine}}
}

func smithSpeed(b *bench) *work {
	x := proteins(40, 200, 200, kernel.AminoAcids, 11)
	var s *mat.SymDense
	return &work{
		ours: []entry{ours("Go", func() (err error) {
			s, err = similarity.Alignment{Open: 11, Extend: 1}.Pairs(b.ctx, x, similarity.Work{})
			return err
		}, func() (v []float64) {
			for i := range x {
				v = append(v, mat.Row(nil, i, s)[i:]...)
			}
			return v
		})},
		input: letters(x),
		args:  map[string]any{"table": "BLOSUM62", "open": 11, "extend": 1},
		peers: []peer{aligner("Biopython", "biopython"), aligner("parasail, scalar", "sw"),
			aligner("parasail, SIMD", "sw_striped_sat")},
		judge: different,
	}
}

func smithScores(b *bench, table string, global bool) *work {
	const residues = kernel.AminoAcids + kernel.AminoAcids + kernel.AminoAcids + "BZX*"
	z, x := points.Sequences{}, points.Sequences{} // 20 with 25, and related ones on both sides
	for i, s := range proteins(45, 1, 400, residues, 12) {
		if i%2 == 0 && len(z) < 20 {
			z = append(z, s)
		} else {
			x = append(x, s)
		}
	}
	a := similarity.Alignment{Open: 12, Extend: 2, Global: global}
	if table == "PAM250" {
		a.Table = similarity.PAM250()
	}
	var s *mat.Dense
	return &work{
		calls: 1,
		ours: []entry{ours("Go", func() (err error) {
			s, err = a.Cross(b.ctx, z, x, similarity.Work{})
			return err
		}, func() []float64 { return s.RawMatrix().Data })},
		input: letters(z, x),
		args:  map[string]any{"table": table, "open": 12, "extend": 2, "globally": global},
		peers: []peer{aligner("Biopython", "biopython")},
		judge: different,
	}
}

// allPairs aligns 932 proteins of about 200 residues with each other, 16.4·10⁹ cells, each pair once, and keeps
// finished parts in a folder: stopped, it goes on from there.
func allPairs(ctx context.Context, folder string) error {
	x := proteins(932, 180, 208, kernel.AminoAcids, 13)
	var last similarity.Progress
	s, err := similarity.Alignment{}.Pairs(ctx, x, similarity.Work{Store: folder,
		Progress: func(p similarity.Progress) {
			last = p
			fmt.Fprintf(os.Stderr, "\r%5.2f of %.2f·10⁹ cells, %.2f of them stored, %v, left %v        ",
				float64(p.Done)/1e9,
				float64(p.Total)/1e9, float64(p.Stored)/1e9, p.Elapsed.Round(time.Second), p.Left.Round(time.Second))
		}})
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return err
	}
	n := float64(len(x))
	own, fresh := mat.Trace(s), float64(last.Done-last.Stored)
	fmt.Printf("%v sequences: mean score with itself %.2f, with others %.4f; %.2f·10⁹ cells computed in %v, %.0f "+
		"million a second\n",
		n, own/n, (mat.Sum(s)-own)/(n*(n-1)), fresh/1e9, last.Elapsed.Round(time.Millisecond),
		fresh/1e6/last.Elapsed.Seconds())
	return nil
}
