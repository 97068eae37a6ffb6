package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
)

// lowest solves p. Where no global minimum is proved, what is found depends on the start: if F is lower at one of
// starts, which are θ of the folds that p's constants were chosen on, p is solved from the lowest of them too, and
// the lower F taken.
func lowest(ctx context.Context, p *mkl.Problem, s mkl.Solver, settings mkl.Settings,
	starts [][]float64) (*mkl.Result, error) {
	r, err := mkl.Solve(ctx, p, s, &settings)
	if err != nil || r.Kind != mkl.FirstOrder || r.Status == mkl.Stopped {
		return r, err
	}
	least := r.F
	var from []float64
	for _, theta := range starts {
		pt := p.NewPoint()
		pt.Threads = settings.Threads
		pt.SetContext(ctx)
		copy(pt.Theta, theta)
		if err := pt.Evaluate(nil, innerTol); ctx.Err() != nil {
			return nil, err
		} else if err != nil { // no start for these points
			continue
		}
		if f := pt.F(); f < least {
			least, from = f, theta
		}
	}
	if from == nil {
		return r, nil
	}
	settings.Start = &mkl.Result{Theta: from}
	warm, err := mkl.Solve(ctx, p, s, &settings)
	if ctx.Err() == nil && (err != nil || !(warm.F < r.F)) {
		return r, nil
	}
	return warm, err
}

// doubt compares the error on points left out that c was chosen by with that of the model's weights on the same
// points, and how much predictions there differ from point to point. It says in l.Warnings where the first is not
// reached, to 5 % and a hundredth of the targets' deviation or, of rates, two standard deviations, or predictions are
// nearly constant. The weights have seen all labels, so that their error is rather too small.
func (r *run) doubt(ctx context.Context, c *choice, calibration int, l *Learned) {
	m, b, folds := &r.Methods[c.method], c.chosen(), c.folds
	b.starts = nil
	rule := b.others[0].Rule
	// weights are entries of a matrix of all points
	if s := b.others[0].Set; rule == nil && s != nil && s.Traits().Spectraplex() {
		return
	}
	if rule == nil {
		b.others[0].Rule = fixed{l.Result.Theta}
	}
	if r.Selection.Folds == LeaveOneOut {
		// none where all points are of one group
		folds, _ = Selection{Folds: calibration}.folds(upTo(len(r.Data.Y)), r.Data.Y, r.Data.Group, r.Seed)
	}
	var found Cell
	var predicted, targets []float64 // those of each fold less their mean
	for _, s := range folds {
		f := r.on(b, s)
		out, err := f.decisions(ctx, m, b, c.value, &Run{})
		if err != nil {
			l.Warnings = append(l.Warnings,
				fmt.Sprintf("Whether the model reproduces the error it was chosen by is not known: %v.", err))
			return
		}
		f.scorer(b, s.Test)(&found, out)
		predicted = append(predicted, lessMean(out, len(s.Test))...)
		targets = append(targets, lessMean(f.code.EncodeAll(f.labels(s.Test)), len(s.Test))...)
	}
	by, chosen := r.Selection.metric(), c.cell()
	sd, of := floats.Norm(predicted, 2)/math.Sqrt(float64(len(predicted))),
		floats.Norm(targets, 2)/math.Sqrt(float64(len(targets)))
	was, is := chosen.error(by), found.error(by)
	most := was + max(0.05*was, 0.01*of)
	if by == ErrorRate {
		most = was + 2*math.Sqrt(math.Max(was*(1-was), 1/chosen.Weight)/chosen.Weight)
	}
	if rule == nil && len(c.folds) > 1 && is > most { // leave-one-out is of the weights of all points
		d := digits(is, was)
		why := "The weights of all points are unlike those of the folds"
		if l.Result.Kind == mkl.FirstOrder {
			why = "The objective has several minima, and the one found with all points is unlike those of the folds"
		}
		l.Warnings = append(l.Warnings, fmt.Sprintf("The model does not reproduce the error that it was chosen by: "+
			"with its weights the %s on points left out is %s, not %s. %s: WithMethod(%q) learns none; "+
			"fewer features, a smaller set (WithSet) or another seed (WithSeed) may do better.", by, d[0], d[1], why,
			UniformName))
	}
	if sd < nearlyConstant*of {
		d := digits(sd, of)
		l.Warnings = append(l.Warnings, fmt.Sprintf("The model predicts nearly the same for every new point: "+
			"on points left out its predictions have a standard deviation of %s, the targets of %s. "+
			"It has found nothing to predict by: more points, other features or another family (WithFamily) may help.",
			d[0], d[1]))
	}
}

// nearlyConstant is the ratio of the standard deviations of predictions and targets below which the former are called
// constant.
const nearlyConstant = 0.02

// lessMean is columns of n numbers, less the mean of each; those that are not there (NaN) are left out.
func lessMean(x []float64, n int) (all []float64) {
	for column := range slices.Chunk(x, n) {
		mean, _, _ := spread(column)
		for _, v := range column {
			if !math.IsNaN(v) {
				all = append(all, v-mean)
			}
		}
	}
	return all
}
