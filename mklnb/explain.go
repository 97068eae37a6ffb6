package mklnb

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
)

// Importance measures how much each view of the data, or each column of its file, contributes to what Learn learned.
// The measure is the loss in score on held-out points, with an interval, when the values of a group are permuted. With
// learn.DropGroup it is the loss when everything is learned again without the group. See learn.Importance. The stop
// button ends it with the finished groups.
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
		fail(fmt.Errorf("mklnb: importance: got %d importance methods; give one: %v or %v", len(how),
			learn.Permutation,
			learn.DropGroup))
	}
	long("Importance", func(ctx context.Context, progress func(compare.Progress)) (err error) {
		w, err = learn.Importance(ctx, l, removal, progress)
		return err
	})
	return w
}

// Partial computes the partial dependence of a learned model on one or two columns, given by name: the mean prediction
// with these columns set to each of some values. See learn.Partial.
//
//	nb.Show(nb.Partial(l, "light"), nb.Partial(l, "light", "water"))
func Partial(l *learn.Learned, columns ...string) (p *learn.PartialDependence) {
	long("Partial dependence", func(ctx context.Context, progress func(compare.Progress)) (err error) {
		p, err = learn.Partial(ctx, l, progress, columns...)
		return err
	})
	return p
}

// LearningCurve computes the score of the method that Learn selects against the number of training points, and whether
// more points still help. See learn.LearningCurveOf. The stop button ends it with the finished splits.
//
//	nb.Show(nb.LearningCurve(l))
func LearningCurve(l *learn.Learned) (c *learn.LearningCurve) {
	long("Learning curve", func(ctx context.Context, progress func(compare.Progress)) (err error) {
		c, err = learn.LearningCurveOf(ctx, l, progress)
		return err
	})
	return c
}
