package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
)

// kernelImportance is Importance for points without features.
func kernelImportance(ctx context.Context, l *Learned, s *compare.Study, progress func(compare.Progress)) (*Importances,
	error) {
	f := s.Methods[s.MethodIndex(LearnedName)].Family
	groups, err := kernelGroups(f, s.Data)
	if err != nil {
		return nil, err
	}
	w := &Importances{Data: s.Data.Name, Targets: s.Data.Targets(), Metric: mainMetric(s), Groups: groups,
		Ratio: compare.MeanTestTrainRatio(s.Splits)}
	if err := w.dropKernels(ctx, l, s, f, progress); err != nil {
		return nil, err
	}
	w.Groups = slices.DeleteFunc(w.Groups, func(g Group) bool { return g.Drops == nil })
	w.Stopped = len(w.Groups) < len(groups)
	w.testDrops()
	return w, nil
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
	if len(groups) < 2 {
		return nil, fmt.Errorf("learn: importance of %s: the points have no features, and the family is no sum of two "+
			"or more kernels, one of which could be left out", d.Name)
	}
	return groups, nil
}

// withoutKernel returns f, a family that kernelGroups accepts, without kernel k or without matrix k of similarities.
func withoutKernel(f kernel.Family, k int) kernel.Family {
	if f, ok := f.(similarity.Repaired); ok {
		f.Of = slices.Delete(slices.Clone(f.Of), k, k+1)
		return f
	}
	remaining, _ := kernel.WithKernels(f, slices.Delete(slices.Clone(kernel.KernelsOf(f)), k, k+1))
	return remaining
}

// dropKernels computes Drops of each group. A group is one kernel of the family f. dropKernels leaves this kernel out,
// learns the others again on the splits of s, with the folds, losses and candidates of the plan, and compares the
// scores. If ctx ends, it returns with the groups that are finished.
func (w *Importances) dropKernels(ctx context.Context, l *Learned, s *compare.Study, f kernel.Family,
	progress func(compare.Progress)) error {
	if l.Table == nil || l.Table.Stopped {
		return fmt.Errorf("learn: importance of %s: the comparison of Learn was stopped; run it to its end", w.Data)
	}
	if slices.Contains(l.Plan.GivenOptions, "WithSet") {
		return fmt.Errorf("learn: importance of %s: the set of weights that was given (WithSet) may not suit fewer "+
			"kernels; learn without it", w.Data)
	}
	path, err := lossPath(l.Plan.Methods[0])
	if err != nil {
		return err
	}
	o := options{Plan: l.Plan, loss: path, folds: s.Selection.Folds, landmarks: s.Landmarks, given: map[string]bool{}}
	o.Workers = s.Workers
	if len(l.Plan.Candidates) == 1 {
		o.method = l.Plan.Candidates[0]
	}
	w.Base = l.Table.Values(SelectedName, w.Metric)
	for k := range w.Groups {
		g := &w.Groups[k]
		o.family = withoutKernel(f, k)
		p, err := o.newPlan(s.Data, l.Plan.Task)
		var without *compare.Study
		var t *compare.Table
		if err == nil {
			if without, err = p.newStudy(s.Data); err == nil {
				t, err = without.Run(ctx, progressOfPart(progress, k, len(w.Groups), "without "+g.Name+": "))
			}
		}
		if err != nil {
			return fmt.Errorf("learn: without %s: %w", g.Name, err)
		}
		if t.Stopped {
			return nil
		}
		for i, v := range t.Values(SelectedName, w.Metric) {
			g.Drops = append(g.Drops, w.worsening(v, w.Base[i]))
		}
	}
	return nil
}
