package mklnb

import (
	"context"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
)

// Importance measures how much each group of features contributes to the result of Learn. A group is a view of the data
// or a column of its file. The measure is how much worse the score on held-out points becomes, with an interval, if the
// values of the group are permuted. See learn.Importance. For points without features it leaves out each kernel. After
// the stop button, it returns the finished groups.
//
//	nb.Show(nb.Importance(l))
func Importance(l *learn.Learned) *learn.Importances {
	return runTasks("Importance",
		func(ctx context.Context, progress func(compare.Progress)) (*learn.Importances, error) {
			return learn.Importance(ctx, l, progress)
		})
}

// Partial computes the partial dependence of a learned model on a column, given by name: the mean prediction with the
// column set to each of some values. See learn.PartialDependenceOf.
//
//	nb.Show(nb.Partial(l, "light"))
func Partial(l *learn.Learned, column string) *learn.PartialDependence {
	return runTasks("Partial dependence",
		func(ctx context.Context, progress func(compare.Progress)) (*learn.PartialDependence, error) {
			return learn.PartialDependenceOf(ctx, l, progress, column)
		})
}

// LearningCurve computes the score of the method that Learn selects for several numbers of training points. It shows
// whether more points would still help. See learn.LearningCurveOf. After the stop button, it returns the finished
// splits.
//
//	nb.Show(nb.LearningCurve(l))
func LearningCurve(l *learn.Learned) *learn.LearningCurve {
	return runTasks("Learning curve",
		func(ctx context.Context, progress func(compare.Progress)) (*learn.LearningCurve, error) {
			return learn.LearningCurveOf(ctx, l, progress)
		})
}
