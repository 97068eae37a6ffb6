package learn

import (
	"context"
	"fmt"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
)

// fit chooses hyperparameters and method on all points, and fits the model. If there are landmarks, it returns the
// claim that prove must prove.
func (o *options) fit(ctx context.Context, s *compare.Study, l *Learned) (*claim, error) {
	r, err := s.Session(o.progress)
	if err != nil {
		return nil, err
	}
	choices, err := r.Choices(points.AllIndices(len(s.Data.Y)), o.seed)
	if err != nil {
		return nil, err
	}
	err = r.Choose(ctx, choices)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("learn: stopped before there is a model: %w", ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	if err := r.StoreError(); err != nil {
		l.Defaults = append(l.Defaults, Default{"store", fmt.Sprintf("not every result is kept for the next time: %v",
			err), "WithStore"})
	}
	best := choices[s.MethodIndex(LearnName)]
	for _, c := range best.Among() {
		chosen, by := c.Candidate(), s.Selection.Metric()
		l.Tried = append(l.Tried, CandidateError{Method: c.Method().Name, Label: chosen.Label, Value: chosen.Value,
			By:    by,
			Error: c.Cell().Error(by), Weighted: o.given["WithClassWeights"]})
	}
	c := best.Winner()
	all, err := o.learn(ctx, c, l)
	if err != nil {
		return nil, err
	}
	doubt(ctx, c, s.Selection, o.calibration, l)
	l.Model, err = l.Model.Prune()
	return all, err
}

// learn fits the chosen candidate to all points, or to the landmarks, and sets the model in l.
func (o *options) learn(ctx context.Context, c *compare.Chosen, l *Learned) (all *claim, err error) {
	fitted, err := c.Fit(ctx, o.seed, o.gap)
	if err != nil {
		return nil, err
	}
	m, cand, res, views := c.Method(), fitted.Candidate, fitted.Result, l.asked.study.Data.Views
	l.Result, l.Method, l.Label, l.Constant, l.Lambda = res, m.Name, cand.Label, cand.Constant, c.Candidate().Value
	if l.Views = viewShares(views, m.Family, res.Kernel); l.Views != nil {
		res.Labels = compare.ViewLabels(views, m.Family, res.Labels)
	}
	what := strings.TrimSpace(m.Name + ": " + compare.Describe(cand.Loss) + " " + cand.Label)
	note := fmt.Sprintf("%s; %v; %v", what, res.Status, res.Proof())
	if fitted.Landmarks {
		if whole, err := fitted.Whole(); err != nil {
			l.Unproved = err.Error()
		} else {
			all = &claim{Whole: whole, views: views, note: what}
		}
		note += fmt.Sprintf("; by %d landmarks with λ·%d/%d, coefficients of %d points, λ = %.3g", l.Landmarks,
			l.Landmarks, l.Points, l.Points, l.Lambda)
	}
	l.Model = fitted.Model()
	l.Model.Note = note
	if !o.probabilities {
		return all, nil
	}
	if l.Model.Sigmoids, err = c.Calibrate(ctx, o.calibration, o.seed); err != nil {
		l.Defaults = append(l.Defaults, Default{"probabilities", fmt.Sprintf("the model has none: %v", err),
			"WithProbabilities"})
	} else {
		l.Model.Note += fmt.Sprintf("; probabilities by sigmoids of decision values in %d-fold cross-validation",
			o.calibration)
	}
	return all, nil
}
