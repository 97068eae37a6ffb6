package learn

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
)

// kernelImportance measures, for points without features, how much the score drops without each kernel.
func kernelImportance(ctx context.Context, l *Learned, s *compare.Study, progress func(compare.Progress)) (*Importances,
	error) {
	groups, err := kernelGroups(s.Methods[s.MethodIndex(LearnedName)].Search().Family, s.Data.Name)
	if err != nil {
		return nil, err
	}
	w := &Importances{Data: s.Data.Name, Targets: s.Data.Targets(), Metric: mainMetric(s), Groups: groups,
		TestTrainRatio: compare.MeanTestTrainRatio(s.Splits)}
	if err := w.measureScoreDropsWithoutKernels(ctx, l, progress); err != nil {
		return nil, err
	}
	w.Groups = slices.DeleteFunc(w.Groups, func(g Group) bool { return g.Drops == nil })
	w.Stopped = len(w.Groups) < len(groups)
	w.computePValuesOfDrops()
	return w, nil
}

// kernelGroups returns a group for each kernel of f, or for each matrix of similarities. dataName is for the error.
func kernelGroups(f kernel.Family, dataName string) (groups []Group, err error) {
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
			"two kernels, so none can be left out; use a sum of kernels", dataName)
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
// the plan. It follows l.Plan without this kernel on the same splits, and compares the scores. If ctx ends, the groups
// that are not finished have no Drops.
func (w *Importances) measureScoreDropsWithoutKernels(ctx context.Context, l *Learned,
	progress func(compare.Progress)) error {
	if l.Table == nil || l.Table.Stopped {
		return fmt.Errorf("learn: importance of %s: the comparison was stopped; run Learn to its end", w.Data)
	}
	w.BaseScores = l.Table.Values(SelectedName, w.Metric)
	for k := range w.Groups {
		g := &w.Groups[k]
		var t *compare.Table
		s, err := l.studyWithoutKernel(k)
		if err == nil {
			t, err = s.Run(ctx, progressOfPart(progress, k, len(w.Groups), "without "+g.Name+": "))
		}
		if err != nil {
			return fmt.Errorf("learn: importance of %s: learning without it, with the options of Learn (a set of "+
				"WithSet must suit one kernel fewer): %w", g.Name, err)
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

// studyWithoutKernel returns the comparison of l without kernel k.
func (l *Learned) studyWithoutKernel(k int) (*compare.Study, error) {
	p, err := l.Plan.WithoutKernel(k)
	if err != nil {
		return nil, err
	}
	s, err := p.newStudy(l.study.Data)
	if err == nil {
		s.Workers = l.study.Workers // Fit may have lowered it
	}
	return s, err
}

// WithoutKernel returns p without kernel k, or without matrix k of similarities, from 0. All other decisions are those
// of p, except that the default balls are those for one kernel fewer.
func (p Plan) WithoutKernel(k int) (Plan, error) {
	p.Methods = slices.Clone(p.Methods)
	var f kernel.Family
	if i := slices.Index(methodNames(p.Methods), LearnedName); i >= 0 {
		f = p.Methods[i].Search().Family
	}
	groups, err := kernelGroups(f, p.Task.Data)
	if err == nil && (k < 0 || k >= len(groups)) {
		err = fmt.Errorf("learn: there is no kernel %d; give a number from 0 to %d", k, len(groups)-1)
	}
	if err != nil {
		return p, err
	}
	for i := range p.Methods {
		m := p.Methods[i].Search()
		if !reflect.DeepEqual(m.Family, f) {
			return p, fmt.Errorf("learn: the method %q has other kernels than the method %q; give both the same family",
				p.Methods[i].Name, LearnedName)
		}
		m.Family, m.Grid = withoutKernel(f, k), slices.Clone(m.Grid)
		for j, axis := range m.Grid {
			if _, ok := axis.(fit.SingleKernels); ok {
				m.Grid[j] = fit.SingleKernels{} // its indices count kernel k
			} else if reflect.DeepEqual(axis, defaultBalls(len(groups))) {
				m.Grid[j] = defaultBalls(len(groups) - 1)
			}
		}
		p.Methods[i].Fitter = m
	}
	return p, nil
}
