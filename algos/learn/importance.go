package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ImportanceMethod selects how a group of features is removed to measure its importance.
type ImportanceMethod int

const (
	// Permutation permutes the values of the group among the test points at random. It measures how much the learned
	// model uses the group. It needs one model for each split, whatever the number of groups, and is the default. If
	// another group carries the same information, the model uses a part of each, and both may seem unimportant.
	Permutation ImportanceMethod = iota
	// DropGroup learns again without the group, including hyperparameters and method, with the default family of the
	// remaining features. It measures whether the group is dispensable. For each group it takes the time of Learn's
	// comparison. A group is dispensable if another group carries the same information.
	DropGroup
)

func (r ImportanceMethod) String() string {
	if r == DropGroup {
		return "dropped"
	}
	return "permuted"
}

const (
	maxRepeats        = 5    // limit of the permutations of one group in one split
	maxPermutations   = 500  // limit of the permutations of all groups in one split; each group has at least one
	maxPermutedPoints = 2000 // limit of the test points that are permuted
)

// Importances holds how much groups of features contribute to the score of the method that Learn selects. The groups
// are the views of the data. Without views, they are the columns of its file. For Gram matrices, similarities and
// sequences, which have no features, they are the kernels. It is plain data.
type Importances struct {
	Data    string
	Targets []string // names of several targets: scores are means over them, each in its own unit
	How     ImportanceMethod
	Repeats int            // permutations of each group in each split; 0 for DropGroup
	Metric  compare.Metric // RMSE for numbers, Accuracy for classes
	Base    []float64      // the metric with all groups, for each split; for Permutation on the permuted points
	Ratio   float64        // mean over splits of n_test/n_train, for intervals
	Groups  []Group        // the finished groups, the most important one first
	Stopped bool           // some groups are missing
}

// Group is the importance of one group of features, or of one kernel.
type Group struct {
	Name     string
	Features []int              // indices of the features, from 0; nil for a kernel
	Drops    []float64          // for each split, how much worse the score is without the group; < 0 if better
	Drop     compare.Difference // the mean of Drops, with its interval
	Holm     float64            // p-value, adjusted by Holm, of the corrected resampled t-test that the drop is 0
	// Shares are the shares of the weight by split, and Uniform is the share with uniform weights. Shares is nil unless
	// each kernel belongs to one group (see Learned.Views). It is also nil for DropGroup, which learns other models.
	Shares  []float64
	Uniform float64
	// Correlation is the largest correlation, in absolute value, of a feature of this group with a feature of another
	// group. With is the name of that other group.
	With        string
	Correlation float64
}

// Significant reports whether the drop differs from 0. The probability that any of all groups with a drop of 0 is
// reported as significant is at most 5 %. If Significant returns true, the interval does not contain 0; the interval is
// for one group alone.
func (g Group) Significant() bool { return g.Holm < 0.05 }

// Importance measures how much each group of features contributes to what l learned. The measure is the loss in score
// on held-out points when the group is removed, on the splits of Learn's comparison. Permutation uses the models behind
// the row LearnName of l.Table. Each is learned from the training part of a split, with everything chosen inside that
// part. Choices are read from the store (WithStore) if it has them, and are otherwise made again. All features of a
// group are permuted together, five times (fewer times if there are more than 100 groups), and the drops are averaged.
// Each interval is for one group; Group.Significant tests all groups together (Holm). In 50 simulated tables of 120
// points, 149 of 150 intervals of uninformative columns contained 0.
//
// Points without features (Gram matrices, similarities or sequences) cannot be permuted. For them, each kernel or each
// matrix of similarities is dropped instead, whatever the method. The other kernels are learned again, without the
// default search for single kernels.
//
// A weight is not an importance: a narrow Gaussian of noise adds to K what a larger λ adds, and gets a weight for it.
//
// The end of ctx is not an error: Importances then has the finished groups, and is marked as stopped. progress may be
// nil.
//
// References:
//   - L. Breiman, Random forests, Machine Learning 45 (2001), section 10, for the permutation of one feature.
//   - S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
func Importance(ctx context.Context, l *Learned, how ImportanceMethod, progress func(compare.Progress)) (*Importances,
	error) {
	s, err := l.comparison()
	if err != nil {
		return nil, err
	}
	if how != Permutation && how != DropGroup {
		return nil, fmt.Errorf("learn: removal %d, use Permutation or DropGroup", int(how))
	}
	d := s.Data
	if d.Dim() == 0 {
		how = DropGroup
	}
	groups, err := featureGroups(s)
	if err != nil {
		return nil, err
	}
	w := &Importances{Data: d.Name, Targets: d.Targets(), How: how, Metric: mainMetric(s), Groups: groups,
		Ratio: compare.MeanRatio(s.Splits)}
	if how == DropGroup {
		err = w.dropGroups(ctx, l, progress)
	} else {
		err = w.permuteGroups(ctx, s, progress)
	}
	if err != nil {
		return nil, err
	}
	w.findCorrelations(d)
	w.Groups = slices.DeleteFunc(w.Groups, func(g Group) bool { return len(g.Drops) < len(s.Splits) })
	w.Stopped = len(w.Groups) < len(groups)
	w.testDrops()
	return w, nil
}

// testDrops computes the mean drop and the adjusted p-value of each group, and sorts the groups by mean drop, the
// largest first.
func (w *Importances) testDrops() {
	p := make([]float64, len(w.Groups))
	for i := range w.Groups {
		g := &w.Groups[i]
		g.Drop = compare.CorrectedResampledDifference(g.Drops, w.Ratio)
		p[i] = g.Drop.P()
	}
	for i, v := range compare.Holm(p) {
		w.Groups[i].Holm = v
	}
	slices.SortStableFunc(w.Groups, func(a, b Group) int { return cmp.Compare(b.Drop.Mean, a.Drop.Mean) })
}

// comparison returns the study with which Learn compared methods. It returns an error if Learn compared nothing.
func (l *Learned) comparison() (*compare.Study, error) {
	switch {
	case l == nil || l.study == nil:
		return nil, errors.New("learn: the Learned is nil or has no model; pass a result of Learn")
	case len(l.study.Splits) == 0:
		return nil, fmt.Errorf("learn: %s was learned without splits (WithSplits), so there are no held-out points; "+
			"learn with splits", l.Data)
	}
	return l.study, nil
}

// mainMetric returns the metric of importances and learning curves: accuracy for classes, the mean loss if
// hyperparameters were selected by it, and RMSE otherwise.
func mainMetric(s *compare.Study) compare.Metric {
	switch {
	case s.Data.Classes != nil:
		return compare.Accuracy
	case s.Selection.By == compare.MeanLoss:
		return compare.MeanLoss
	}
	return compare.RMSE
}

// featureGroups returns the groups of features of the data of s: its views or, without views, the columns of its file
// or, without a file, its features. If the points have no features, it returns the kernels of the learned family.
func featureGroups(s *compare.Study) (groups []Group, err error) {
	d := s.Data
	if d.Dim() == 0 {
		return kernelGroups(s.Methods[s.MethodIndex(LearnedName)].Family, d)
	}
	for _, v := range d.Views {
		groups = append(groups, Group{Name: v.Name, Features: v.Features})
	}
	if groups != nil {
		return groups, nil
	}
	for _, c := range d.FileColumns() {
		groups = append(groups, Group{Name: c.Name, Features: c.Features})
	}
	return groups, nil
}

// drop returns how much worse the metric is now than before. It is negative if the metric is better now.
func (w *Importances) drop(now, before float64) float64 {
	if w.Metric.HigherIsBetter() {
		return before - now
	}
	return now - before
}

// dropGroups computes Drops of each group by DropGroup. It stores the results of finished groups if ctx ends.
func (w *Importances) dropGroups(ctx context.Context, l *Learned, progress func(compare.Progress)) error {
	if len(w.Groups) < 2 {
		return fmt.Errorf("learn: %s has one group; DropGroup needs at least two", w.Data)
	}
	if l.Table == nil || l.Table.Stopped {
		return fmt.Errorf("learn: the comparison of %s was stopped; DropGroup needs a finished comparison", w.Data)
	}
	o, err := l.Plan.unchangedOptions(l.study.Data, l.study.Splits)
	if err != nil {
		return fmt.Errorf("learn: DropGroup: %w", err)
	}
	w.Base = l.Table.Values(LearnName, w.Metric)
	for k := range w.Groups {
		g := &w.Groups[k]
		without, err := l.Plan.studyWithout(o, l.study.Data, g, k)
		if err != nil {
			return fmt.Errorf("learn: without %s: %w", g.Name, err)
		}
		t, err := without.Run(ctx, func(p compare.Progress) {
			if progress != nil { // counts the work of all groups, which take about the same time
				p.Left += time.Duration(len(w.Groups)-k-1) * (p.Elapsed + p.Left)
				p.Done, p.Total, p.Task = p.Done+k*p.Total, len(w.Groups)*p.Total, "without "+g.Name+": "+p.Task
				progress(p)
			}
		})
		if err != nil {
			return fmt.Errorf("learn: without %s: %w", g.Name, err)
		}
		if t.Stopped {
			return nil
		}
		for i, v := range t.Values(LearnName, w.Metric) {
			g.Drops = append(g.Drops, w.drop(v, w.Base[i]))
		}
	}
	return nil
}

// kernelGroups returns a group for each kernel of f, or for each matrix of similarities.
func kernelGroups(f kernel.Family, d *data.Dataset) (groups []Group, err error) {
	for _, k := range kernel.KernelsOf(f) {
		groups = append(groups, Group{Name: k.String()})
	}
	if f, ok := f.(similarity.Repaired); ok {
		for _, s := range f.Of {
			groups = append(groups, Group{Name: s.Name})
		}
	}
	if groups == nil {
		return nil, fmt.Errorf("learn: the importance of kernels of %s needs a family that is a sum of kernels", d.Name)
	}
	return groups, nil
}

// withoutKernel returns f, a family that kernelGroups accepts, without kernel k or without matrix k of similarities.
func withoutKernel(f kernel.Family, k int) (kernel.Family, error) {
	if f, ok := f.(similarity.Repaired); ok {
		f.Of = slices.Delete(slices.Clone(f.Of), k, k+1)
		return f, nil
	}
	kernels := kernel.KernelsOf(f)
	if kernels == nil {
		return nil, errors.New("not a sum of kernels")
	}
	remaining, _ := kernel.WithKernels(f, slices.Delete(slices.Clone(kernels), k, k+1))
	return remaining, nil
}

// findCorrelations sets With and Correlation of each group. It does nothing for sparse features or more than 500
// features.
func (w *Importances) findCorrelations(d *data.Dataset) {
	x, err := points.As[points.Rows](d.X)
	if err != nil || x.D > 500 {
		return
	}
	var r mat.SymDense
	stat.CorrelationMatrix(&r, mat.NewDense(x.N, x.D, x.Data), nil)
	for a := range w.Groups {
		for b := range w.Groups {
			if a == b {
				continue
			}
			for _, j := range w.Groups[a].Features {
				for _, k := range w.Groups[b].Features {
					if r := r.At(j, k); math.Abs(r) > math.Abs(w.Groups[a].Correlation) {
						w.Groups[a].With, w.Groups[a].Correlation = w.Groups[b].Name, r
					}
				}
			}
		}
	}
}
