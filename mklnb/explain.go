package mklnb

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
)

// Importance says what each view of the data, or each column of its file, is worth to what Learn learned: by how much
// the score on points left out gets worse, with an interval, when the values of a group are permuted, or, with
// learn.DropGroup, when all is learned again without it: see learn.Importance. The stop button ends it with the groups
// that were finished.
//
//	nb.Show(nb.Importance(l))
//	nb.Show(nb.Importance(l, learn.DropGroup))
func Importance(l *learn.Learned, how ...learn.ImportanceMethod) (w *learn.Importances) {
	removal := learn.Permutation
	switch len(how) {
	case 0:
	case 1:
		removal = how[0]
	default:
		fail(fmt.Errorf("mklnb: importance: %d ways to take groups away, want one: %v or %v", len(how),
			learn.Permutation,
			learn.DropGroup))
	}
	long("Importance", func(ctx context.Context, progress func(compare.Progress)) (err error) {
		w, err = learn.Importance(ctx, l, removal, progress)
		return err
	})
	return w
}

// Partial is the partial dependence of what Learn learned on one or two columns, by their names: the mean prediction
// with these set to each of some values: see learn.Partial.
//
//	nb.Show(nb.Partial(l, "light"), nb.Partial(l, "light", "water"))
func Partial(l *learn.Learned, columns ...string) (p *learn.PartialDependence) {
	long("Partial dependence", func(ctx context.Context, progress func(compare.Progress)) (err error) {
		p, err = learn.Partial(ctx, l, progress, columns...)
		return err
	})
	return p
}

// LearningCurve is the score of what Learn learned against the number of points learned from, and says whether more
// still help: see learn.LearningCurveOf. The stop button ends it with what was finished.
//
//	nb.Show(nb.LearningCurve(l))
func LearningCurve(l *learn.Learned) (c *learn.LearningCurve) {
	long("Learning curve", func(ctx context.Context, progress func(compare.Progress)) (err error) {
		c, err = learn.LearningCurveOf(ctx, l, progress)
		return err
	})
	return c
}
