package mklnb

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
)

// Solve runs a solver on p: see mkl.Solve. A nil solver is mkl.SPG{}, and nil settings are the default settings. Work
// that takes more than a second shows its progress. The stop button ends it within one evaluation of F; Solve then
// shows and returns the best point so far, marked as stopped. Solve warns about targets that look like class indices if
// the loss treats them as quantities: see data.Dataset.Y.
func Solve(p *mkl.Problem, s mkl.Solver, settings *mkl.Settings) *mkl.Result {
	if s == nil {
		s = mkl.SPG{}
	}
	var metered mkl.Settings // a copy of settings whose Watch also records the steps
	if settings != nil {
		metered = *settings
	}
	warnIfTargetsAreClassIndices(p)
	ctx, endWork := interrupt.beginWork()
	defer endWork()
	meter := newStepMeter(&metered, "step")
	m := startMeter(s.String(), meter.estimateProgress)
	watch := metered.Watch
	metered.Watch = func(it *mkl.Iterate) bool {
		meter.record(it.K, it.Gap(), it.Elapsed)
		return watch != nil && watch(it)
	}
	r, err := mkl.Solve(ctx, p, s, &metered)
	if err != nil {
		m.stop(nil)
		fail(err)
	}
	if r.Status == mkl.Stopped {
		m.stop(func() string { return r.Solver + ": stopped." })
		showPage(reportPage(report.OfStoppedResult(r)))
		return r
	}
	m.stop(func() string {
		return fmt.Sprintf("%s: %v after %s.", r.Solver, r.Status, viz.FormatCount(countSteps(r), "step"))
	})
	return r
}

// warnIfTargetsAreClassIndices shows a warning if p is a regression and its targets look like class indices: they are
// the whole numbers 0 … K−1, K > 2, and each of these occurs.
func warnIfTargetsAreClassIndices(p *mkl.Problem) {
	if p == nil || p.Loss == nil || p.Loss.Validate(p.Y) != nil || p.Loss.Traits().Columns > 1 {
		return // no warning is needed if the loss rejects the targets: the solve fails with that error
	}
	targetValues := map[float64]bool{}
	for _, y := range p.Y {
		if y < 0 || y != math.Trunc(y) {
			return
		}
		targetValues[y] = true
	}
	k := len(targetValues)
	if k < 3 || slices.Max(p.Y) != float64(k-1) {
		return
	}
	showPage(warningPage(fmt.Sprintf("The targets are the whole numbers 0 … %d, like the class indices of %d classes "+
		"in Dataset.Y, but this problem treats them as quantities. If they are classes, encode them: "+
		"code := model.TargetEncoding{Classes: %d}, Loss: loss.Repeat(%T{…}, code.Columns()), Y: code.EncodeAll(d.Y); "+
		"or call nb.Learn(d), which encodes them.", k-1, k, k, p.Loss)))
}

func countSteps(r *mkl.Result) int {
	if len(r.Trace) == 0 {
		return 0
	}
	return r.Trace[len(r.Trace)-1].Iter
}

// Steps yields the starting point of s on p and the iterates of up to maxSteps steps. It ends earlier, with a note, if
// the solver finds no better point or after the stop button.
//
//	for it := range nb.Steps(p, mkl.SPG{}, 3) {
//		fmt.Printf("step %d: F = %.4f, gap ≤ %.2g\n", it.K, it.F(), it.Cert.Gap())
//	}
func Steps(p *mkl.Problem, s mkl.Solver, maxSteps int) iter.Seq[*mkl.Iterate] {
	if s == nil {
		s = mkl.SPG{}
	}
	return func(yield func(*mkl.Iterate) bool) {
		ctx, endWork := interrupt.beginWork()
		defer endWork()
		for it, err := range mkl.Steps(ctx, p, s, nil) {
			switch {
			case errors.Is(err, mkl.ErrStalled):
				showPage(notePage(fmt.Sprintf("%v: no further progress after %s.", s, viz.FormatCount(it.K, "step"))))
			case err != nil && ctx.Err() != nil:
				showPage(notePage(fmt.Sprintf("%v: stopped after %s.", s, viz.FormatCount(it.K, "step"))))
			case err != nil:
				fail(err)
			}
			if err != nil || !yield(it) || it.K >= maxSteps {
				return
			}
		}
	}
}

// EvaluateRule evaluates the weights that a rule chooses, on the same F that solvers minimize: see mkl.EvaluateRule.
func EvaluateRule(p *mkl.Problem, r mkl.Rule) *mkl.Result {
	if r == nil {
		fail(errors.New("mklnb: EvaluateRule: the rule is nil; give one, for example mkl.Uniform{}"))
	}
	warnIfTargetsAreClassIndices(p)
	ctx, endWork := interrupt.beginWork()
	defer endWork()
	return Must(mkl.EvaluateRule(ctx, p, r, 0))
}

// Fit makes a model of a result r of the problem p, whose Grams are f.Bind(d.X). Save stores the model, and PredictFile
// predicts new files with it. For new files the model uses what d stores: the names of columns, the levels of nominal
// columns, the values for missing cells, and the names of classes or targets. It stores only the support vectors
// (model.Model.Prune).
//
//	p := &mkl.Problem{Grams: bases.Bind(d.X), Set: set.Simplex{}, Loss: loss.Hinge{C: 1}, Y: d.Y}
//	nb.Save("mine", nb.Fit(d, bases, p, nb.Solve(p, mkl.Level{}, nil)))
//
// The targets of p are the targets of d (d.TransformedY), minus an offset if one is given, which the model adds again.
// More than two classes are columns of ±1, as model.TargetEncoding{Classes: 3}.EncodeAll(d.Y) returns them for
// loss.Repeat(loss.Squared{Lambda: 0.1}, 3). Fit ends the cell if p has other points, another family or other targets.
func Fit(d *data.Dataset, f kernel.Family, p *mkl.Problem, r *mkl.Result, offsets ...float64) *model.Model {
	return Must(fit.BuildModel(d, f, p, r, offsets...))
}
