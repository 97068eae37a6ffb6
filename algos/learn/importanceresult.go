package learn

import (
	"cmp"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
)

// Importances states how much each group of features contributes to the score of the method that Learn selects. The
// groups are the views of the data, such as the sources that data.Join joined, or, without views, the columns of its
// file. For Gram matrices, similarities and sequences alone, the kernels take the place of groups. It is plain data.
type Importances struct {
	Data           string       // name of the dataset
	Targets        []string     // names of the targets if there are several, or nil; scores are plain means over them
	Repeats        int          // number of permutations of a group on a split; 0 for kernels, which are removed
	Metric         model.Metric // error rate for classes; mean loss if Selection.By is the mean loss; RMSE otherwise
	BaseScores     []float64    // for each split, the score before any permutation
	TestTrainRatio float64      // mean over splits of (test points)/(training points), for the intervals of drops
	Groups         []Group      // finished groups, the most important one first
	Stopped        bool         // the work was stopped: Groups is nil or, for kernels, holds the finished ones
}

// Group is the importance of one group of features, or of one kernel.
type Group struct {
	Name      string
	Features  []int              // indices of the features, from 0; nil for a kernel and for a part without features
	Drops     []float64          // for each split, how much worse the score is without the group; < 0 if better
	Drop      compare.Difference // mean of Drops over splits, with its interval
	AdjustedP float64            // p-value of the test that the expected drop is 0, adjusted by Holm for all groups
	// Correlation is the correlation with the largest absolute value between a feature of this group and a feature of
	// another group. CorrelatedGroup is the name of that group.
	CorrelatedGroup string
	Correlation     float64
}

// Significant reports whether the expected drop differs from 0. If this test is applied to all groups, the probability
// that it reports any group whose expected drop is 0 is at most 5 %. The interval of Drop, in contrast, is for one
// group alone.
func (g Group) Significant() bool { return g.AdjustedP < 0.05 }

// computePValuesOfDrops computes the mean drop and the adjusted p-value of each group, and sorts by mean drop,
// descending.
func (w *Importances) computePValuesOfDrops() {
	p := make([]float64, len(w.Groups))
	for i := range w.Groups {
		g := &w.Groups[i]
		g.Drop = compare.CorrectedResampledDifference(g.Drops, w.TestTrainRatio)
		p[i] = g.Drop.PValue()
	}
	for i, v := range compare.Holm(p) {
		w.Groups[i].AdjustedP = v
	}
	slices.SortStableFunc(w.Groups, func(a, b Group) int { return cmp.Compare(b.Drop.Mean, a.Drop.Mean) })
}

// scoreDrop returns how much worse newScore is than oldScore; < 0 if it is better.
func (w *Importances) scoreDrop(newScore, oldScore float64) float64 {
	if w.Metric.HigherIsBetter() {
		return oldScore - newScore
	}
	return newScore - oldScore
}
