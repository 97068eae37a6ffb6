package learn

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// NewPlan returns the plan that Learn follows for d with these options. It does not change d, and fits nothing. If an
// option has no effect on d, the error names the option.
func NewPlan(d *data.Dataset, opts ...Option) (Plan, error) {
	p, _, err := planStudy(d, opts)
	return p, err
}

// planStudy returns the plan for d with these options, and the comparison of its methods on d.
func planStudy(d *data.Dataset, opts []Option) (p Plan, s *compare.Study, err error) {
	o, err := newOptions(opts)
	if err != nil {
		return p, nil, err
	}
	d, task, err := prepareData(d, o.Views)
	if err != nil {
		return p, nil, err
	}
	if err := o.checkLogCandidate(d); err != nil {
		return p, nil, err
	}
	if p, err = o.newPlan(d, task); err != nil {
		return p, nil, err
	}
	s, err = p.newStudy(d)
	return p, s, err
}

// prepareData returns d with the given views and with equal points in one group, and the Task that describes d. It
// returns an error if nothing can be learned from d.
func prepareData(d *data.Dataset, views data.Views) (*data.Dataset, Task, error) {
	if err := checkData(d); err != nil {
		return nil, Task{}, err
	}
	if views != nil {
		var err error
		if d, err = d.View(views); err != nil {
			return nil, Task{}, fmt.Errorf("learn: %w", err)
		}
	}
	h := sha256.New()
	points.WriteDigest(h, []string{d.Digest()}, d.Group)
	t := Task{Data: d.Name, Digest: hex.EncodeToString(h.Sum(nil)), Points: len(d.Y),
		DroppedPoints: d.DroppedPoints, HasGroups: d.Group != nil, Classes: len(d.Classes)}
	if x, err := points.RowsOf(d.X); err == nil {
		t.Features = x.D
	}
	for _, v := range d.Views {
		t.Views = append(t.Views, v.Name)
		t.UnusedFeatures += len(v.Features)
	}
	if t.UnusedFeatures > 0 {
		t.UnusedFeatures = t.Features - t.UnusedFeatures
	}
	d, t.Duplicates = fit.GroupDuplicates(d)
	if n := t.Points - t.Duplicates; n < minDistinctPoints {
		return nil, t, fmt.Errorf("learn: the number of different points of %s is %d; Learn needs at least %d", d.Name,
			n, minDistinctPoints)
	}
	return d, t, nil
}

// newStudy returns the comparison of the plan's methods on d, a dataset that prepareData returned. It returns an error
// if the plan does not suit d.
func (p *Plan) newStudy(d *data.Dataset) (*compare.Study, error) {
	methods := slices.Clone(p.Methods)
	methodIndex := func(name string) int { return slices.Index(methodNames(methods), name) }
	if methodIndex(UniformName) < 0 || methodIndex(LearnedName) < 0 {
		return nil, fmt.Errorf("learn: the plan needs the methods %q and %q; add the missing one to Methods",
			UniformName, LearnedName)
	}
	var best fit.Best
	for _, name := range p.Candidates {
		if i := methodIndex(name); i >= 0 {
			best.Candidates = append(best.Candidates, methods[i])
		} else {
			return nil, fmt.Errorf("learn: the plan has no method %q (WithMethod); use one of %q", name,
				methodNames(methods))
		}
	}
	lossPathOfFirstMethod, err := findLossPath(methods[0])
	if err != nil {
		return nil, err
	}
	d = withTargetForEachQuantile(d, lossPathOfFirstMethod.Loss)
	baselineFamily := methods[0].Search().Family
	if d.Dim() > 0 {
		// The baseline needs no kernel. This family computes no matrix and accepts features of every size.
		baselineFamily = kernel.Features{Prepare: points.Preprocessing{points.MaxAbs, points.UnitRows}}
	}
	methods = append(methods, fit.Method{Name: SelectedName, Fitter: best},
		fit.Method{Name: compare.ConstantBaseline, Fitter: fit.Search{Family: baselineFamily,
			Grid: fit.Grid{chooseBaselineLossPath(d, lossPathOfFirstMethod), fit.Sets(set.Orthant{}),
				fit.Rules(fit.FixedWeights{})}}})
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Selection: p.Selection, Landmarks: p.Landmarks, Seed: p.Seed,
			GroupsHoldDuplicates: !p.Task.HasGroups}, Splits: p.Splits, Baseline: UniformName, Workers: p.Workers,
		StoreFolder: p.StoreFolder,
		Methods:     methods}
	if err := s.CheckQuantiles(s.Data, lossPathOfFirstMethod.Loss, len(d.Y)); err != nil {
		return nil, fmt.Errorf("learn: WithQuantile or WithLoss: %w (WithSelectionPoints)", err)
	}
	if p.IntervalLevel != 0 {
		if err := s.CheckIntervals(s.Data, p.IntervalLevel, lossPathOfFirstMethod.Loss); err != nil {
			return nil, fmt.Errorf("learn: WithIntervals: %w", err)
		}
	}
	return s, nil
}

// chooseBaselineLossPath returns the loss of the constant baseline. It is the squared loss with the weights of points
// of the loss of p, so that the constant is the mean of the targets or the most frequent class, which is
// that of the largest total weight. If that loss defines a score of numbers (loss.Scored), it is this loss with its
// first hyperparameter value, which has no effect on a constant.
func chooseBaselineLossPath(d *data.Dataset, p fit.Path) fit.Path {
	switch _, isScored := p.Loss.(loss.Scored); {
	case d.Classes != nil || !isScored:
		return fit.Losses(loss.Squared{Weights: loss.PointWeights(p.Loss)}, 1)
	case p.HyperparameterName() == "":
		return fit.Losses(p.Loss)
	}
	return fit.Losses(p.Loss, p.GridValues()[0])
}

// checkData returns an error if d is not valid, has no targets, or has a constant target.
func checkData(d *data.Dataset) error {
	if d == nil {
		return errors.New("learn: the dataset is nil; pass one, such as datasets.Load returns")
	}
	if err := d.Validate(); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	if len(d.Y) == 0 {
		return fmt.Errorf("learn: %s has no labels; set Dataset.Y", d.Name)
	}
	return checkTargetsVary(d)
}

// checkTargetsVary returns an error if a target of d is constant.
func checkTargetsVary(d *data.Dataset) error {
	names := d.Targets()
	if len(d.Y) < minDistinctPoints {
		return nil // prepareData refuses so few points
	}
	j := 0
	for y := range slices.Chunk(d.AllY(), len(d.Y)) {
		if slices.Min(y) == slices.Max(y) {
			quotedName := ""
			if names != nil {
				quotedName = fmt.Sprintf(" %q", names[j])
			}
			return fmt.Errorf("learn: the target%s of %s is %g at all %d points; choose another target",
				quotedName, d.Name, y[0], len(y))
		}
		j++
	}
	return nil
}
