package mklnb

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/study"
)

// Importance says what each view of the data, or each column of its file, is worth to what Learn learned: by how much
// the score on points left out gets worse, with an interval, when the values of a group are permuted, or, with
// study.LeftOut, when all is learned again without it: see study.Importance. The stop button ends it with the groups
// that were finished.
//
//	nb.Show(nb.Importance(l))
//	nb.Show(nb.Importance(l, study.LeftOut))
func Importance(l *study.Learned, how ...study.Removal) (w *study.Importances) {
	removal := study.Permuted
	switch len(how) {
	case 0:
	case 1:
		removal = how[0]
	default:
		fail(fmt.Errorf("mklnb: importance: %d ways to take groups away, want one: %v or %v", len(how), study.Permuted,
			study.LeftOut))
	}
	long("Importance", tasks, func(ctx context.Context, progress func(study.Progress)) (err error) {
		w, err = study.Importance(ctx, l, removal, progress)
		return err
	})
	return w
}

// Partial is the partial dependence of what Learn learned on one or two columns, by their names: the mean prediction
// with these set to each of some values: see study.Partial.
//
//	nb.Show(nb.Partial(l, "light"), nb.Partial(l, "light", "water"))
func Partial(l *study.Learned, columns ...string) (p *study.Dependence) {
	long("Partial dependence", tasks, func(ctx context.Context, progress func(study.Progress)) (err error) {
		p, err = study.Partial(ctx, l, progress, columns...)
		return err
	})
	return p
}

// LearningCurve is the score of what Learn learned against the number of points learned from, and says whether more
// still help: see study.CurveOf. The stop button ends it with what was finished.
//
//	nb.Show(nb.LearningCurve(l))
func LearningCurve(l *study.Learned) (c *study.LearningCurve) {
	long("Learning curve", tasks, func(ctx context.Context, progress func(study.Progress)) (err error) {
		c, err = study.CurveOf(ctx, l, progress)
		return err
	})
	return c
}
