package qnpkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/study"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Block is a method on a dataset, over the splits.
type Block struct {
	Data, Method string
	Seed         uint64
	Protocol     string    // of the study that it is of
	Correct      []float64 // accuracy on each split, per cent
	CPU          float64   // seconds of processor time of a split, with the choice of constants
	Gap          []float64 // relative, where the fit ended: certified, or of a product the residual; 0 of rules
	Ratio        []float64 // R of each split, per cent, where there are features of noise
	Kernels      []float64 // weights above 1e-6 of their sum
}

// Run runs a study and summarises it; relevant, if not 0, is how many features are not noise.
func Run(s *study.Study, relevant int) (blocks []Block, err error) {
	t, err := s.Run(background, nil)
	if err != nil {
		return nil, err
	}
	for i, row := range t.Rows {
		b := Block{Data: t.Data, Method: row.Method, Seed: t.Seed}
		if b.Protocol, err = Protocol(s, i); err != nil {
			return nil, err
		}
		for _, v := range t.Values(row.Method, study.Accuracy) {
			b.Correct = append(b.Correct, 100*v)
		}
		for _, r := range row.Runs {
			b.Gap = append(b.Gap, r.Gap)
			if relevant > 0 {
				b.Ratio = append(b.Ratio, 100*Ratio(r.Theta, relevant))
			}
			used, total := 0.0, floats.Sum(r.Theta)
			for _, v := range r.Theta {
				if v > 1e-6*total {
					used++
				}
			}
			b.Kernels = append(b.Kernels, used)
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// Of picks the block of a method on a dataset.
func Of(blocks []Block, name, method string) (Block, bool) {
	i := slices.IndexFunc(blocks, func(b Block) bool { return b.Data == name && b.Method == method })
	if i < 0 {
		return Block{}, false
	}
	return blocks[i], true
}

// Pooled joins the blocks of the same method and set, seed after seed: splits one after another, Seed 0 and
// the mean of CPU.
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

// Mean is that of the accuracy, and its standard deviation over splits.
func (b Block) Mean() (mean, sd float64) { return stat.MeanStdDev(b.Correct, nil) }

// Median of some numbers.
func Median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	if len(s) == 0 {
		return math.NaN()
	}
	return s[len(s)/2]
}

// Difference is the mean of the paired differences of accuracy, a − b, and half the width of its 95 %
// interval by the corrected variance of Nadeau and Bengio for n splits of 70 and 30 %,
//
//	t_{n−1} sd √(1/n + 0.3/0.7),   t_{n−1} the 97.5 % quantile of Student's t.
//
// Of one split it is infinite.
func Difference(a, b Block) (mean, half float64) {
	d := make([]float64, min(len(a.Correct), len(b.Correct)))
	for i := range d {
		d[i] = a.Correct[i] - b.Correct[i]
	}
	n := float64(len(d))
	if n < 2 {
		return stat.Mean(d, nil), math.Inf(1)
	}
	mean, sd := stat.MeanStdDev(d, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return mean, t * sd * math.Sqrt(1/n+0.3/0.7)
}
