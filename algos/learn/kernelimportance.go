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

// kernelImportance measures, for points without features, how much the score drops without each kernel.
func kernelImportance(ctx context.Context, l *Learned, s *compare.Study, progress func(compare.Progress)) (*Importances,
	error) {
	f := s.Methods[s.MethodIndex(LearnedName)].Family
	groups, err := kernelGroups(f, s.Data)
	if err != nil {
		return nil, err
	}
	w := &Importances{Data: s.Data.Name, Targets: s.Data.Targets(), Metric: mainMetric(s), Groups: groups,
		TestTrainRatio: compare.MeanTestTrainRatio(s.Splits)}
	if err := w.measureScoreDropsWithoutKernels(ctx, l, s, f, progress); err != nil {
		return nil, err
	}
	w.Groups = slices.DeleteFunc(w.Groups, func(g Group) bool { return g.Drops == nil })
	w.Stopped = len(w.Groups) < len(groups)
	w.computePValuesOfDrops()
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
		return nil, fmt.Errorf("learn: importance of %s: the points have no features, and the family has fewer than "+
			"two kernels, so none can be left out; use a sum of kernels", d.Name)
	}
	return groups, nil
}

// withoutKernel returns f without kernel k or without matrix k of similarities. f must have at least two of them.
func withoutKernel(f kernel.Family, k int) kernel.Family {
	if f, ok := f.(similarity.Repaired); ok {
		f.Of = slices.Delete(slices.Clone(f.Of), k, k+1)
		return f
	}
	reducedFamily, _ := kernel.WithKernels(f, slices.Delete(slices.Clone(kernel.KernelsOf(f)), k, k+1))
	return reducedFamily
}

// measureScoreDropsWithoutKernels computes how much the score drops (Drops) without each group, which is one kernel of
// f. It learns without this kernel on the splits of s, with the folds, losses and candidates of l.Plan, and compares
// the scores. If ctx ends, the groups that are not finished have no Drops.
func (w *Importances) measureScoreDropsWithoutKernels(ctx context.Context, l *Learned, s *compare.Study,
	f kernel.Family, progress func(compare.Progress)) error {
	if l.Table == nil || l.Table.Stopped {
		return fmt.Errorf("learn: importance of %s: the comparison was stopped; run Learn to its end", w.Data)
	}
	if slices.Contains(l.Plan.GivenOptions, "WithSet") {
		return fmt.Errorf("learn: importance of %s: without one of the kernels, the set Θ of the option "+
			"WithSet may be invalid; learn without this option", w.Data)
	}
	lossPath, err := findLossPath(l.Plan.Methods[0])
	if err != nil {
		return err
	}
	o := options{Plan: l.Plan, givenLossPath: lossPath, foldCount: s.Selection.Folds, landmarkLimit: s.Landmarks,
		isGiven: map[string]bool{}}
	o.Workers = s.Workers
	if len(l.Plan.Candidates) == 1 {
		o.methodName = l.Plan.Candidates[0]
	}
	w.BaseScores = l.Table.Values(SelectedName, w.Metric)
	for k := range w.Groups {
		g := &w.Groups[k]
		o.givenFamily = withoutKernel(f, k)
		p, err := o.newPlan(s.Data, l.Plan.Task)
		var reducedStudy *compare.Study
		var t *compare.Table
		if err == nil {
			if reducedStudy, err = p.newStudy(s.Data); err == nil {
				t, err = reducedStudy.Run(ctx, progressOfPart(progress, k, len(w.Groups), "without "+g.Name+": "))
			}
		}
		if err != nil {
			return fmt.Errorf("learn: importance of %s: learning without it: %w", g.Name, err)
		}
		if t.Stopped {
			return nil
		}
		for i, v := range t.Values(SelectedName, w.Metric) {
			g.Drops = append(g.Drops, w.scoreDrop(v, w.BaseScores[i]))
		}
	}
	return nil
}
