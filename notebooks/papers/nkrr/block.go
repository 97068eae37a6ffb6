package nkrr

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
)

// Block is a finished study for one seed: a row of Table 1 under one reading, or one point of Figure 2 or 3.
type Block struct {
	Data    string
	Case    string // the reading of Table 1, the targets of Figure 2, or the degree of Figure 3
	X       int    `json:",omitempty"` // number of bigrams of Figure 2, or subsampling factor of Figure 3
	Seed    uint64
	Splits  int
	Train   int
	Columns []Column
}

// DrawSeed returns the seed of splits and folds.
func (b Block) DrawSeed() uint64 { return b.Seed }

// Column is one method of a Block: its error over the splits, the chosen hyperparameters, the proof, and the paired
// difference to the fixed weights before it.
type Column struct {
	Method       string
	Mean, SD     float64 // of the RMSE over splits; SD is 0 for one split
	Lambda       float64 // median of the chosen λ
	Radius       string  // most frequent choice, such as "Λ=2"; "" for fixed weights
	Edge         int     // number of splits whose λ is at an end of its grid
	Proof        string  // weakest guarantee of all solves
	Diff, Lo, Hi float64 // mean difference to fixed weights with its corrected resampled 95 % interval; or 0
}

// Learned reports whether the weights are learned.
func (c Column) Learned() bool { return c.Radius != "" }

// Clear reports whether the interval of the difference to fixed weights excludes 0.
func (c Column) Clear() bool { return c.Lo > 0 || c.Hi < 0 }

// Summarize returns b with the results of a finished study. ratio is n_test/n_train for random divisions (Table.Ratio),
// or 0 if the training parts share no point, so that their differences are independent.
func Summarize(t *compare.Table, b Block, ratio float64) Block {
	b.Splits, b.Train, b.Columns = t.Splits, t.Train, nil
	base := ""
	for _, row := range t.Rows {
		s := t.Summary(row.Method, compare.RMSE)
		c := Column{Method: row.Method, Mean: round(s.Mean), SD: round(s.SD), Proof: shared.Proof(&row)}
		c.Lambda, _, _ = row.Value()
		c.Radius, _ = row.Label()
		for _, run := range row.Runs {
			if run.Edge {
				c.Edge++
			}
		}
		if !c.Learned() {
			base = row.Method
		} else {
			d := t.Values(row.Method, compare.RMSE)
			floats.Sub(d, t.Values(base, compare.RMSE))
			i := compare.CorrectedResampledDifference(d, ratio)
			c.Diff, c.Lo, c.Hi = round(i.Mean), round(i.Lo), round(i.Hi)
		}
		b.Columns = append(b.Columns, c)
	}
	return b
}

// round returns v rounded to five decimals, or 0 if v is NaN or infinite.
func round(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*1e5) / 1e5
}

// Within counts the columns of a row of Table 1 whose mean is at most sds printed standard deviations from the printed
// mean.
func (b Block) Within(sds float64) (n int) {
	for k, c := range b.Columns {
		if p := Printed[b.Data][k]; math.Abs(c.Mean-p[0]) <= sds*p[1] {
			n++
		}
	}
	return n
}

// find returns the block of a set, a case and an x, without columns if there is none.
func find(blocks []Block, data, name string, x int) Block {
	for _, b := range blocks {
		if b.Data == data && b.Case == name && b.X == x {
			return b
		}
	}
	return Block{Data: data, Case: name, X: x}
}

// decimal formats v with three decimals.
func decimal(v float64) string { return fmt.Sprintf("%.3f", v) }
