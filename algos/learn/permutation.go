package learn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// permuteGroups computes Drops of each group. x are the features of all points of s.
func (w *Importances) permuteGroups(ctx context.Context, s *compare.Study, x points.Rows,
	progress func(compare.Progress)) error {
	w.Repeats = max(1, min(maxRepeats, maxPermutations/len(w.Groups)))
	r, err := s.Session(progress)
	if err != nil {
		return err
	}
	path, err := lossPath(s.Methods[0])
	if err != nil {
		return err
	}
	choices := make([][]*compare.Chosen, len(s.Splits))
	for i, split := range s.Splits {
		if choices[i], err = r.Choices(split.Train, split.Seed(s.Seed), ""); err != nil {
			return err
		}
	}
	r.AddTasks(len(s.Splits))
	for i, split := range s.Splits {
		if err := w.permuteSplit(ctx, r, choices[i][s.MethodIndex(LearnName)], x, split, path.Loss); err != nil {
			return err
		}
		r.FinishTask(fmt.Sprintf("split %d of %d", i+1, len(s.Splits)))
	}
	return nil
}

// permuteSplit appends one number to Drops of each group: that of the model that best chooses on a split of the study
// of r. x are the features of all points, and l is the loss.
func (w *Importances) permuteSplit(ctx context.Context, r *compare.Session, best *compare.Chosen, x points.Rows,
	split compare.Split, l loss.Loss) error {
	if err := r.Choose(ctx, best.Among()); err != nil {
		return err
	}
	if err := r.Choose(ctx, []*compare.Chosen{best}); err != nil {
		return err
	}
	m, err := best.Winner().Model(ctx, split)
	if err != nil {
		return err
	}
	test := split.Test
	rng := rand.New(rand.NewPCG(split.Seed(r.Seed), 1<<34))
	if len(test) > maxPermutedPoints {
		test = points.Pick(test, rng.Perm(len(test))[:maxPermutedPoints])
	}
	orders := make([][]int, w.Repeats)
	for k := range orders {
		orders[k] = rng.Perm(len(test))
	}
	z := points.ToRows(x.Slice(test))
	return w.addPermutationDrops(ctx, m, z, targetsOf(r.Data, test), l, orders)
}

// score returns the metric of m on the points z with targets y. l is the loss that m was learned with.
func (w *Importances) score(m *model.Model, z points.Rows, y []float64, l loss.Loss) (float64, error) {
	s, err := m.Score(z, y)
	if err == nil && w.Metric == compare.MeanLoss {
		var f *mat.Dense
		if f, err = m.Values(z); err == nil {
			compare.AddLoss(&s, l, mat.DenseCopyOf(f.T()).RawMatrix().Data, y)
		}
	}
	return w.Metric.Of(s), err
}

// targetsOf returns the targets of the given points of d, column-major.
func targetsOf(d *data.Dataset, rows []int) (y []float64) {
	for column := range slices.Chunk(d.AllY(), d.Len()) {
		y = append(y, points.Pick(column, rows)...)
	}
	return y
}

// addPermutationDrops appends one number to Drops of each group: how much worse the score of m on the points z with
// targets y is after a permutation, in which row i gets the group's features of row order[i]. It is a mean over orders.
func (w *Importances) addPermutationDrops(ctx context.Context, m *model.Model, z points.Rows, y []float64, l loss.Loss,
	orders [][]int) error {
	base, err := w.score(m, z, y, l)
	if err != nil {
		return err
	}
	w.Base = append(w.Base, base)
	drops, errs := make([]float64, len(w.Groups)), make([]error, len(w.Groups))
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for g := range w.Groups {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			for _, order := range orders {
				if ctx.Err() != nil {
					return
				}
				p := z
				p.Data = slices.Clone(z.Data)
				for i, from := range order {
					for _, j := range w.Groups[g].Features {
						p.Row(i)[j] = z.Row(from)[j]
					}
				}
				score, err := w.score(m, p, y, l)
				if err != nil {
					errs[g] = err
					return
				}
				drops[g] += w.drop(score, base) / float64(len(orders))
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for g, err := range errs {
		if err != nil {
			return fmt.Errorf("learn: with %s permuted: %w", w.Groups[g].Name, err)
		}
		w.Groups[g].Drops = append(w.Groups[g].Drops, drops[g])
	}
	return nil
}
