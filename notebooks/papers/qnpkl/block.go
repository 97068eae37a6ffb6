package qnpkl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Block holds the results of one method on one dataset, over the splits of one seed.
type Block struct {
	Data, Method string
	Seed         uint64
	Correct      []float64 // accuracy on each split, in percent
	CPU          float64   // processor time per split in seconds, including the choice of hyperparameters
	Gap          []float64 // final relative gap of each fit: certified for sums, residual for products, 0 for rules
	Ratio        []float64 `json:",omitempty"` // R (see Ratio) of each split in percent; nil without noise features
	Kernels      []float64 // number of weights above 1e-6 of their sum, for each split
	Chosen       []string  `json:",omitempty"` // chosen hyperparameters of each split
}

// Run runs a study and returns a Block for each of its methods. If relevant is not 0, the features after the first
// relevant ones are noise.
func Run(s *compare.Study, relevant int) (blocks []Block, err error) {
	t, err := s.Run(background, nil)
	if err != nil {
		return nil, err
	}
	for _, row := range t.Rows {
		b := Block{Data: t.Data, Method: row.Method, Seed: t.Seed}
		for _, v := range t.Values(row.Method, compare.Accuracy) {
			b.Correct = append(b.Correct, 100*v)
		}
		for _, r := range row.Runs {
			b.Gap = append(b.Gap, r.Gap)
			b.Chosen = append(b.Chosen, strings.TrimSpace(fmt.Sprintf("C=%g %s", r.Value, r.Label)))
			if relevant > 0 {
				b.Ratio = append(b.Ratio, 100*Ratio(r.Theta, relevant))
			}
			count, total := 0.0, floats.Sum(r.Theta)
			for _, v := range r.Theta {
				if v > 1e-6*total {
					count++
				}
			}
			b.Kernels = append(b.Kernels, count)
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// DrawSeed returns the seed from which the splits were drawn.
func (b Block) DrawSeed() uint64 { return b.Seed }

// Find returns the block of a method on the dataset with this name. If there is none, it returns a block without
// splits.
func Find(blocks []Block, name, method string) Block {
	for _, b := range blocks {
		if b.Data == name && b.Method == method {
			return b
		}
	}
	return Block{}
}

// Pooled joins the blocks that have the same method and dataset but different seeds. A joined block has the splits of
// all seeds in order, Seed 0, and the mean of CPU over the splits.
func Pooled(blocks []Block) (pooled []Block) {
	for _, b := range blocks {
		i := slices.IndexFunc(pooled, func(p Block) bool { return p.Data == b.Data && p.Method == b.Method })
		if i < 0 {
			i = len(pooled)
			pooled = append(pooled, Block{Data: b.Data, Method: b.Method})
		}
		p := &pooled[i]
		p.Correct, p.Gap = append(p.Correct, b.Correct...), append(p.Gap, b.Gap...)
		p.Ratio, p.Kernels = append(p.Ratio, b.Ratio...), append(p.Kernels, b.Kernels...)
		p.CPU += (b.CPU - p.CPU) * float64(len(b.Correct)) / float64(len(p.Correct))
	}
	return pooled
}

// Mean returns the mean and the standard deviation of the accuracy over the splits.
func (b Block) Mean() (mean, sd float64) { return stat.MeanStdDev(b.Correct, nil) }

// Difference returns the mean of the paired differences of accuracy, a − b, with its corrected resampled interval for
// splits of 70 % training and 30 % test points.
func Difference(a, b Block) compare.Difference {
	d := make([]float64, len(a.Correct))
	floats.SubTo(d, a.Correct, b.Correct)
	return compare.CorrectedResampledDifference(d, 0.3/0.7)
}

func meanAccuracy(blocks []Block, set, method string) float64 {
	return stat.Mean(Find(blocks, set, method).Correct, nil)
}
