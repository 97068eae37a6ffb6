package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/internal/random"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

const (
	maxRepeats        = 5    // largest number of permutations of one group on one split
	maxPermutations   = 500  // largest number of permutations on one split, over all groups; at least one each
	maxPermutedPoints = 2000 // largest number of test points of one split that are permuted
)

// Importance measures how much the score on held-out points drops if the values of a group of features are permuted at
// random among these points. It does so on the splits of Learn's comparison, with the models whose scores are the row
// SelectedName of l.Table: each is learned from the training part of a split, with everything chosen inside that part.
// Choices are read from the store (WithStore) if it has them, and are otherwise made a second time. All features of a
// group are permuted together, five times (fewer times if there are more than 100 groups), and the drops are averaged.
// If two groups carry the same information, the model uses a part of each, and both may seem unimportant. In 50
// simulated tables of 120 points, 149 of 150 of the 95 % intervals of drops of uninformative columns contained 0.
//
// Gram matrices, similarities and sequences that are not joined have no features to permute. Instead, each kernel or
// each matrix of similarities is left out, and Learn's comparison runs again without it, with all other decisions of
// l.Plan. For each kernel this takes as long as that comparison.
//
// A weight is not an importance: a narrow kernel is nearly the identity, acts like a larger λ and gets weight for that.
//
// The end of ctx is not an error: Importances is then marked as stopped. progress may be nil.
//
// References:
//   - L. Breiman, Random forests, Machine Learning 45 (2001), section 10, for the permutation of one feature.
//   - S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
func Importance(ctx context.Context, l *Learned, progress func(compare.Progress)) (*Importances, error) {
	s, err := l.comparisonStudy()
	if err != nil {
		return nil, err
	}
	d := s.Data
	if d.Dim() == 0 && d.Views == nil {
		return kernelImportance(ctx, l, s, progress)
	}
	x, err := points.RowsOf(d.X)
	if err != nil && !points.Is[points.Parts](d.X) {
		return nil, fmt.Errorf("learn: importance of %s: only dense features can be permuted; save the points as CSV "+
			"or NPY", d.Name)
	}
	w := &Importances{Data: d.Name, Targets: d.Targets(), Metric: mainMetric(s), Groups: featureGroups(d),
		TestTrainRatio: compare.MeanTestTrainRatio(s.Splits)}
	err = w.permuteGroups(ctx, s, progress)
	if ctx.Err() != nil {
		w.Groups, w.Stopped, err = nil, true, nil
	}
	if err != nil {
		return nil, err
	}
	w.findCorrelations(x)
	w.computePValuesOfDrops()
	return w, nil
}

// featureGroups returns the groups of features of d: its views or, if it has none, the columns of its file. If the file
// is not known, each feature is a group.
func featureGroups(d *data.Dataset) (groups []Group) {
	for _, v := range d.Views {
		groups = append(groups, Group{Name: v.Name, Features: v.Features})
	}
	if groups != nil {
		return groups
	}
	for _, c := range d.FileColumns() {
		groups = append(groups, Group{Name: c.Name, Features: c.Features})
	}
	return groups
}

// findCorrelations sets the group that correlates most with each group. It does nothing for more than 500 features.
func (w *Importances) findCorrelations(x points.Rows) {
	if x.D == 0 || x.D > 500 {
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
						w.Groups[a].CorrelatedGroup, w.Groups[a].Correlation = w.Groups[b].Name, r
					}
				}
			}
		}
	}
}

// permuteGroups computes how much the score drops for each permuted group and each split.
func (w *Importances) permuteGroups(ctx context.Context, s *compare.Study, progress func(compare.Progress)) error {
	w.Repeats = max(1, min(maxRepeats, maxPermutations/len(w.Groups)))
	r, err := s.Session(progress)
	if err != nil {
		return err
	}
	path, err := findLossPath(s.Methods[0])
	if err != nil {
		return err
	}
	choices := make([]*fit.Choice, len(s.Splits))
	for i, split := range s.Splits { // before any work, so that the progress knows all tasks
		all, err := r.Workspace.PrepareChoices(split.Train, split.Seed(s.Seed), "")
		if err != nil {
			return err
		}
		choices[i] = all[s.MethodIndex(SelectedName)]
	}
	r.Announce(len(s.Splits))
	for i, split := range s.Splits {
		if err := w.permuteOnSplit(ctx, r, choices[i], split, path.Loss); err != nil {
			return err
		}
		r.FinishTask(fmt.Sprintf("split %d of %d", i+1, len(s.Splits)), false)
	}
	return nil
}

// permuteOnSplit appends the drop of the score on one split to Drops of each group. It fits the method of c to the
// training part of the split and permutes each group at the test points. l is the loss.
func (w *Importances) permuteOnSplit(ctx context.Context, r *compare.Session, c *fit.Choice, split fit.Split,
	l loss.Loss) error {
	fitted, err := c.ChooseAndFit(ctx, split.Train, split.Seed(r.Seed))
	if err != nil {
		return err
	}
	m := fitted.Model
	if m == nil {
		return errors.New("learn: all training points of a split have one class, so there is no model; use other " +
			"splits (WithSplits)")
	}
	testRows := split.Test
	rng := random.New(split.Seed(r.Seed), random.Permutation)
	if len(testRows) > maxPermutedPoints {
		testRows = points.Pick(testRows, rng.Perm(len(testRows))[:maxPermutedPoints])
	}
	rowOrders := make([][]int, w.Repeats)
	for k := range rowOrders {
		rowOrders[k] = rng.Perm(len(testRows))
	}
	test, err := r.Data.Slice(testRows)
	if err != nil {
		return err
	}
	return w.addScoreDrops(ctx, m, test.X, test.AllY(), l.Slice(testRows), rowOrders)
}

// scoreModel returns the value of w.Metric for m at the points z with targets y. l is the loss of these points. The log
// loss is that of sigmoids that are fitted to the values at z, also if features are permuted: the probabilities are
// those of a user who knows how well the permuted points are predicted, so a group seems less important than with the
// sigmoids of the points as they are.
func (w *Importances) scoreModel(m *model.Model, z points.Points, y []float64, l loss.Loss) (float64, error) {
	f, err := m.Values(z)
	if err != nil {
		return 0, err
	}
	values := mat.DenseCopyOf(f.T()).RawMatrix().Data
	return w.Metric.ValueIn(fit.ScoreByLoss(values, y, l, m.TargetEncoding(), w.Metric)), nil
}

// permute returns z with the features or the part of the group g of row order[i] in row i.
func (g Group) permute(z points.Points, order []int) points.Points {
	if g.Features == nil {
		p, _ := points.Of(z, g.Name)
		return z.(points.Parts).WithPart(g.Name, p.Slice(order))
	}
	x := points.ToRows(z)
	p := x
	p.Data = slices.Clone(x.Data)
	for i, source := range order {
		for _, j := range g.Features {
			p.Row(i)[j] = x.Row(source)[j]
		}
	}
	return points.WithRows(z, p)
}

// addScoreDrops appends one number to Drops of each group: how much the score of m at the points z with targets y
// drops if row i gets the group's features of row order[i]. It is the mean over the orders in rowOrders. l is the loss
// of these points.
func (w *Importances) addScoreDrops(ctx context.Context, m *model.Model, z points.Points, y []float64, l loss.Loss,
	rowOrders [][]int) error {
	baseScore, err := w.scoreModel(m, z, y, l)
	if err != nil {
		return err
	}
	w.BaseScores = append(w.BaseScores, baseScore)
	drops, errs := make([]float64, len(w.Groups)), make([]error, len(w.Groups))
	var wg sync.WaitGroup
	taskSlots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for g := range w.Groups {
		wg.Go(func() {
			taskSlots <- struct{}{}
			defer func() { <-taskSlots }()
			for _, order := range rowOrders {
				if ctx.Err() != nil {
					return
				}
				score, err := w.scoreModel(m, w.Groups[g].permute(z, order), y, l)
				if err != nil {
					errs[g] = err
					return
				}
				drops[g] += w.scoreDrop(score, baseScore) / float64(len(rowOrders))
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for g, err := range errs {
		if err != nil {
			return fmt.Errorf("learn: importance of %s: predicting permuted points: %w", w.Groups[g].Name, err)
		}
		w.Groups[g].Drops = append(w.Groups[g].Drops, drops[g])
	}
	return nil
}
