package qnpkl

import (
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Block holds the results of one method on one dataset, over the splits of one seed.
type Block struct {
	DatasetName string `json:"Data"`
	Method      string
	Seed        uint64
	Accuracy    []float64 // in percent, on each split
	// CPU is the processor seconds per split, including the choice of hyperparameters; 0 if it was not measured.
	CPU   float64   `json:",omitempty"`
	Ratio []float64 `json:",omitempty"` // percent of the weight on relevant features; nil without noise
	// TrainAccuracy is the accuracy in percent on the training points of each split; nil if it is not stored.
	TrainAccuracy []float64 `json:",omitempty"`
	// HasEnded states for each split whether the run with the chosen C reached its tolerance. It is nil except for
	// ToTheEnd in "table1".
	HasEnded []bool `json:",omitempty"`
}

// RunStudy runs a study of e and returns the results of each of its methods. If relevantCount is not 0, the features
// after the first relevantCount ones are noise.
func (e Experiment) RunStudy(scaling Scaling, s *compare.Study, relevantCount int) (resultBlocks []Block, err error) {
	t, err := s.Run(background, nil)
	if err != nil {
		return nil, err
	}
	for _, row := range t.Rows {
		b := Block{DatasetName: t.Data, Method: row.Method, Seed: t.Seed}
		for _, v := range t.Values(row.Method, model.Accuracy) {
			b.Accuracy = append(b.Accuracy, 100*v)
		}
		for _, r := range row.Runs {
			if relevantCount > 0 {
				b.Ratio = append(b.Ratio, 100*RelevantWeightShare(r.Theta, relevantCount))
			}
			if e.IsTrainScored {
				v, err := trainAccuracy(scaling.Problem(shared.SelectRows(s.Data, s.Splits[r.Split].Train), r.Value),
					r.Theta)
				if err != nil {
					return nil, err
				}
				b.TrainAccuracy = append(b.TrainAccuracy, v)
			}
			if e.Name == "table1" && row.Method == ToTheEnd {
				b.HasEnded = append(b.HasEnded, r.Status == mkl.Stationary)
			}
		}
		shared.RoundInPlace(b.Accuracy, 2)
		shared.RoundInPlace(b.Ratio, 2)
		shared.RoundInPlace(b.TrainAccuracy, 2)
		resultBlocks = append(resultBlocks, b)
	}
	return resultBlocks, nil
}

// trainAccuracy returns the accuracy in percent of the SVM with widths gamma on the points on which it was trained.
func trainAccuracy(p *mkl.Problem, gamma []float64) (percent float64, err error) {
	pt, err := shared.EvaluateAt(p, gamma, tightGap)
	if err != nil {
		return 0, err
	}
	// y_i f_i with f = Kw + b
	f, n := mat.NewVecDense(len(p.Y), nil), len(p.Y)
	f.MulVec(pt.Gram.K(), mat.NewVecDense(n, pt.W))
	floats.AddConst(pt.Bias, f.RawVector().Data)
	return 100 * float64(shared.CountCorrect(f.RawVector().Data, p.Y)) / float64(n), nil
}

// SplitSeed returns the seed from which the splits were drawn.
func (b Block) SplitSeed() uint64 { return b.Seed }

// Find returns the results of a method on the dataset with this name, or a block without splits if there are none.
func Find(resultBlocks []Block, dataset, method string) Block {
	for _, b := range resultBlocks {
		if b.DatasetName == dataset && b.Method == method {
			return b
		}
	}
	return Block{}
}

// Pooled joins the blocks that have the same method and dataset but different seeds. A joined block has the splits of
// all seeds in order, Seed 0 and CPU 0.
func Pooled(resultBlocks []Block) (pooledOverSeeds []Block) {
	for _, b := range resultBlocks {
		i := slices.IndexFunc(pooledOverSeeds, func(p Block) bool {
			return p.DatasetName == b.DatasetName && p.Method == b.Method
		})
		if i < 0 {
			i = len(pooledOverSeeds)
			pooledOverSeeds = append(pooledOverSeeds, Block{DatasetName: b.DatasetName, Method: b.Method})
		}
		p := &pooledOverSeeds[i]
		p.Accuracy, p.Ratio = append(p.Accuracy, b.Accuracy...), append(p.Ratio, b.Ratio...)
		p.TrainAccuracy, p.HasEnded = append(p.TrainAccuracy, b.TrainAccuracy...), append(p.HasEnded, b.HasEnded...)
	}
	return pooledOverSeeds
}

// Mean returns the mean and the standard deviation of the accuracy over the splits.
func (b Block) Mean() (mean, sd float64) { return stat.MeanStdDev(b.Accuracy, nil) }

// Difference returns the mean of the paired differences of accuracy, a − b, with its corrected resampled interval for
// splits of 70 % training and 30 % test points. If one block has fewer splits, the others' further splits are left out.
func Difference(a, b Block) compare.Difference {
	n := min(len(a.Accuracy), len(b.Accuracy))
	d := make([]float64, n)
	floats.SubTo(d, a.Accuracy[:n], b.Accuracy[:n])
	return compare.CorrectedResampledDifference(d, 0.3/0.7)
}

// Gain returns the accuracy of a method on a dataset minus that of a baseline, from the stored results of "table1" or,
// for another dataset, "more".
func (s Scaling) Gain(dataset, method, baseline string) compare.Difference {
	experiment := "table1"
	if !slices.Contains(Sets3, dataset) {
		experiment = "more"
	}
	pooledBlocks := Pooled(s.Stored(experiment))
	return Difference(Find(pooledBlocks, dataset, method), Find(pooledBlocks, dataset, baseline))
}

func meanAccuracy(resultBlocks []Block, dataset, method string) float64 {
	return stat.Mean(Find(resultBlocks, dataset, method).Accuracy, nil)
}
