package study

import (
	"context"
	"fmt"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
)

// fit chooses constants and method on all points, and learns the model. Of landmarks it returns what is to be proved.
func (o *options) fit(ctx context.Context, s *Study, l *Learned) (*claim, error) {
	r, err := s.start(false, o.progress)
	if err != nil {
		return nil, err
	}
	chosen, err := r.choices(upTo(len(r.Data.Y)), o.seed, "")
	if err != nil {
		return nil, err
	}
	err = r.each(chosen, func(c *choice) error { return c.settle(ctx) })
	if ctx.Err() != nil {
		return nil, fmt.Errorf("study: stopped before there is a model: %w", ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	if err := r.kept.lost(); err != nil {
		l.Defaults = append(l.Defaults, Default{"store", fmt.Sprintf("not every result is kept for the next time: %v",
			err), "WithStore"})
	}
	best := chosen[s.index(LearnName)]
	for _, c := range best.among {
		by := s.Selection.metric()
		l.Tried = append(l.Tried, Tried{Method: s.Methods[c.method].Name, Label: c.grid.others[c.other].Label,
			Value: c.value,
			By:    by, Error: c.cell().error(by), Weighted: o.given["WithClassWeights"]})
	}
	c := best.among[best.won]
	all, err := o.learn(ctx, r, c, l)
	if err != nil {
		return nil, err
	}
	r.doubt(ctx, c, o.calibration, l)
	l.Model, err = l.Model.Prune()
	return all, err
}

// learn solves the problem of all points, or of the landmarks, with what was chosen, and makes the model of it.
func (o *options) learn(ctx context.Context, r *run, c *choice, l *Learned) (all *claim, err error) {
	d, b, m := r.Data, c.chosen(), &r.Methods[c.method]
	b.grams = m.Family.On(d.X)
	f, err := r.fold(b, Split{Train: upTo(len(r.Data.Y))}, o.seed)
	if err != nil {
		return nil, err
	}
	p, offsets, err := f.problem(b.path.Loss)
	if err != nil {
		return nil, err
	}
	cand := c.grid.candidate(c.candidate(), c.value*f.share())
	if cand.Rule != nil {
		l.Result, err = mkl.EvaluateRule(ctx, cand.problem(p), cand.Rule, 0)
	} else {
		l.Result, err = lowest(ctx, cand.problem(p), m.solver(), mkl.Settings{Gap: o.gap}, b.starts)
	}
	if err != nil {
		return nil, err
	}
	res := l.Result
	l.Method, l.Label, l.Constant, l.Lambda = m.Name, cand.Label, cand.Constant, c.value
	if l.Views = viewShares(d.Views, m.Family, res.Kernel); l.Views != nil {
		res.Labels = viewLabels(d.Views, m.Family, res.Labels)
	}
	what := strings.TrimSpace(m.Name + ": " + called(cand.Loss) + " " + cand.Label)
	w, note := res.W, fmt.Sprintf("%s; %v; %v", what, res.Status, res.Proof())
	if f.landmarks != nil {
		if w, offsets, err = f.fitAll(ctx, p.Grams, res.Kernel, c.value); err != nil {
			return nil, err
		}
		if all, err = f.claim(d, p, c.candidate(), res.Theta, w); err != nil {
			l.Unproved = err.Error()
		} else {
			all.note = what
		}
		note += fmt.Sprintf("; by %d landmarks with λ·%d/%d, coefficients of %d points, λ = %.3g", l.Landmarks,
			l.Landmarks, l.Points, l.Points, l.Lambda)
	}
	l.Model = f.model(d, m.Family, res, w, offsets)
	l.Model.Note = note
	if !o.probabilities {
		return all, nil
	}
	if l.Model.Sigmoids, err = r.calibrate(ctx, m, b, c.value, o.calibration, o.seed); err != nil {
		l.Defaults = append(l.Defaults, Default{"probabilities", fmt.Sprintf("the model has none: %v", err),
			"WithProbabilities"})
	} else {
		l.Model.Note += fmt.Sprintf("; probabilities by sigmoids of decision values in %d-fold cross-validation",
			o.calibration)
	}
	return all, nil
}
