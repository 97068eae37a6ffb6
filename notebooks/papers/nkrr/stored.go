package nkrr

import (
	"context"
	"embed"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

// results contains the JSON files that TestStored writes for ten seeds of each experiment: means and intervals, but no
// data points.
//
//go:embed results/*.json
var results embed.FS

// Stored returns the stored results of the experiment "table1", "figure2" or "figure3" for ten seeds. "table1-training"
// has the same halves as "table1", but preprocessing, λ and Λ come from the training half only (Reading.FromTraining).
// It contains all sets with rows centered, and ionosphere with columns centered.
func Stored(experiment string) []Block {
	return shared.ReadStored[Block](results, "results/"+experiment+".json")
}

// StoredFirst returns the stored Block of an experiment with this Data, Case and X (see Block) for seed 1.
func StoredFirst(experiment, dataset, caseName string, bigramsOrFactor int) Block {
	return findFirstBlock(Stored(experiment), dataset, caseName, bigramsOrFactor)
}

// DegreeMeans returns the mean RMSE over all seeds for the degrees 1 to 4 of "figure3", with one subsampling factor.
// column is 0 for weights 1 and 1 for learned weights.
func DegreeMeans(blocks []Block, dataset string, factor, column int) []float64 {
	means, seeds := make([]float64, 4), float64(len(shared.DistinctSeeds(blocks)))
	for _, b := range blocks {
		var degree int
		if _, err := fmt.Sscanf(b.Case, "degree %d", &degree); err == nil && b.Data == dataset && b.X == factor {
			means[degree-1] += b.Columns[column].Mean / seeds
		}
	}
	return means
}

// Degree4Change compares the RMSE of degree 4 with learned weights with the RMSE of another degree, for each seed of
// "figure3". It returns the change from the other degree to degree 4 in %, the mean over seeds, and the number of seeds
// in which degree 4 errs less. The other column is 0 for weights 1 and 1 for learned weights.
func Degree4Change(blocks []Block, dataset string, factor, otherColumn, otherDegree int) (percent float64, below int) {
	seeds := shared.DistinctSeeds(blocks)
	for _, seed := range seeds {
		draw := shared.SelectSeed(blocks, seed)
		other := DegreeMeans(draw, dataset, factor, otherColumn)[otherDegree-1]
		change := DegreeMeans(draw, dataset, factor, 1)[3]/other - 1
		percent += 100 * change / float64(len(seeds))
		if change < 0 {
			below++
		}
	}
	return percent, below
}

// Learning targets in Figure 2: the stars of reviews.
const (
	Stars         = "stars"
	CenteredStars = "stars less their mean"
)

// Factors lists the subsampling factors of the stored results of Figure 3. Of 4096 points they leave 819 to 81.
var Factors = []int{5, 10, 20, 50}

// Compute runs the study of an experiment that Data, Case, X and Seed of b determine. It returns b with its results.
func Compute(ctx context.Context, experiment string, b Block) (Block, error) {
	d, err := datasets.Load(b.Data)
	if b.Data == "simulated-arm" {
		d, err = datasets.SimulatedArm(8192, 1), nil
	}
	if err != nil {
		return b, err
	}
	var s *compare.Study
	switch experiment {
	case "table1":
		s, err = Table1(d, findReading(b.Case), b.Seed)
	case "table1-training":
		s, err = Table1(d, findReading(b.Case).FromTraining(), b.Seed)
	case "figure2":
		reviewCount, splitCount, foldCount := 800, 10, 5
		if b.Data == "finefoods" {
			reviewCount, splitCount, foldCount = 300, 5, 3
		}
		s, err = Figure2Study(d, b.X, reviewCount, splitCount, foldCount, b.Case == CenteredStars, b.Seed)
	case "figure3":
		degree := 0
		if _, err = fmt.Sscanf(b.Case, "degree %d", &degree); err == nil {
			s, err = Figure3Study(d, b.X, degree, b.Seed)
		}
	}
	if err != nil {
		return b, err
	}
	t, err := s.Run(ctx, nil)
	if err != nil {
		return b, err
	}
	testTrainRatio := t.TestTrainRatio
	if experiment == "figure3" {
		testTrainRatio = 0 // no point is in two training parts, so intervals need no correction
	}
	return fillBlock(t, b, testTrainRatio), nil
}

// findReading returns one of Readings by its name. It panics if there is none.
func findReading(name string) Reading {
	readings := Readings()
	return readings[slices.IndexFunc(readings, func(r Reading) bool { return r.Name == name })]
}
