package nkrr

import (
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/floats"
)

// Block holds the results of one study for one seed: a row of Table 1 of the paper under one interpretation (Reading)
// of its protocol, or one point of Figure 2 or 3.
type Block struct {
	Data            string // name of the dataset
	Case            string // interpretation (Table 1), targets (Figure 2), or degree as "degree 4" (Figure 3)
	X               int    `json:",omitempty"` // number of bigrams for Figure 2, or subsampling factor for Figure 3
	Seed            uint64
	Splits          int      // number of splits
	TrainPointCount int      `json:"Train"` // number of training points of a split
	Columns         []Column // one for each method
}

// SplitSeed returns the seed from which the splits and folds were drawn.
func (b Block) SplitSeed() uint64 { return b.Seed }

// Column holds the results of one method: its RMSE, the chosen hyperparameters, and its RMSE minus that of the method
// with fixed weights, paired by split.
type Column struct {
	Method   string
	Mean, SD float64 // mean and standard deviation of the RMSE over splits; SD is 0 for one split
	Lambda   float64 // median over the splits of the chosen λ
	Radius   string  // most frequently chosen Λ, such as "Λ=2"; "" for fixed weights
	// Diff is the mean RMSE of this column minus that of the nearest previous column with fixed weights. Lo and Hi are
	// the ends of its corrected resampled 95 % interval. All three are 0 if this column has fixed weights.
	Diff, Lo, Hi float64
	Status       string // of all solves (compare.Row.MaxGap): "certified", "stationary", "stalled" and others
}

// HasLearnedWeights reports whether the method learns kernel weights; only such a method has a Radius.
func (c Column) HasLearnedWeights() bool { return c.Radius != "" }

// ExcludesZero reports whether the interval of the difference to fixed weights excludes 0.
func (c Column) ExcludesZero() bool { return c.Lo > 0 || c.Hi < 0 }

// fillBlock returns b with a column for each method in t. testTrainRatio is n_test/n_train if the splits are random
// divisions, and 0 if the training parts share no point, so that the intervals need no correction.
func fillBlock(t *compare.Table, b Block, testTrainRatio float64) Block {
	b.Splits, b.TrainPointCount, b.Columns = t.Splits, t.TrainPoints, nil
	methodWithFixedWeights := ""
	for _, row := range t.Rows {
		s := t.Summary(row.Method, model.RMSE)
		c := Column{Method: row.Method, Mean: roundOrZeroIfNotFinite(s.Mean), SD: roundOrZeroIfNotFinite(s.SD)}
		c.Lambda, _, _ = row.HyperparameterRange()
		c.Radius, _ = row.MostFrequentLabel()
		_, status := row.MaxGap()
		c.Status = status.String()
		if !c.HasLearnedWeights() {
			methodWithFixedWeights = row.Method
		} else {
			d := t.Values(row.Method, model.RMSE)
			floats.Sub(d, t.Values(methodWithFixedWeights, model.RMSE))
			i := compare.CorrectedResampledDifference(d, testTrainRatio)
			c.Diff = roundOrZeroIfNotFinite(i.Mean)
			c.Lo, c.Hi = roundOrZeroIfNotFinite(i.Lo), roundOrZeroIfNotFinite(i.Hi)
		}
		b.Columns = append(b.Columns, c)
	}
	return b
}

// roundOrZeroIfNotFinite returns v rounded to five decimals, or 0 if v is NaN or infinite.
func roundOrZeroIfNotFinite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*1e5) / 1e5
}

// LargestDifference returns the largest absolute difference between corresponding numbers of the blocks b and other. It
// is +Inf if a chosen λ or Λ, the number of columns, or whether all solves of a column were certified, differs.
func (b Block) LargestDifference(other Block) (largest float64) {
	if len(b.Columns) != len(other.Columns) {
		return math.Inf(1)
	}
	certified := mkl.Certified.String()
	for k, x := range b.Columns {
		y := other.Columns[k]
		if x.Radius != y.Radius || math.Abs(x.Lambda-y.Lambda) > 1e-9*y.Lambda ||
			(x.Status == certified) != (y.Status == certified) {
			return math.Inf(1)
		}
		largest = max(largest, math.Abs(x.Mean-y.Mean), math.Abs(x.SD-y.SD), math.Abs(x.Diff-y.Diff),
			math.Abs(x.Lo-y.Lo), math.Abs(x.Hi-y.Hi))
	}
	return largest
}

// CountMeansNearPrinted counts the columns of a row of Table 1 whose mean differs from the printed mean by at most
// sdCount printed standard deviations.
func (b Block) CountMeansNearPrinted(sdCount float64) (count int) {
	for k, c := range b.Columns {
		if p := Printed[b.Data][k]; math.Abs(c.Mean-p[0]) <= sdCount*p[1] {
			count++
		}
	}
	return count
}

// findFirstBlock returns the first block with the given Data, Case and X, which is the number of bigrams, the
// subsampling factor, or 0. If there is none, it returns a block without columns.
func findFirstBlock(blocks []Block, dataset, caseName string, bigramsOrFactor int) Block {
	for _, b := range blocks {
		if b.Data == dataset && b.Case == caseName && b.X == bigramsOrFactor {
			return b
		}
	}
	return Block{Data: dataset, Case: caseName, X: bigramsOrFactor}
}
