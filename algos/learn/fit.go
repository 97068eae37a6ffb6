package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/memory"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
)

// Fit follows the plan p, which NewPlan made for d. It returns an error if the plan does not suit d.
//
// If ctx ends before there is a model, Fit returns an error. If it ends later, the table is marked as stopped.
func Fit(ctx context.Context, d *data.Dataset, p Plan) (*Learned, error) {
	d, task, err := prepareData(d, p.Views)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(task, p.Task) {
		return nil, fmt.Errorf("learn: the plan is for other data: %+v, not %+v; make a plan with NewPlan", p.Task,
			task)
	}
	s, err := p.newStudy(d)
	if err != nil {
		return nil, err
	}
	return p.fit(ctx, s)
}

// fit follows the plan. s is the comparison of its methods.
func (p Plan) fit(ctx context.Context, s *compare.Study) (*Learned, error) {
	if ctx == nil {
		return nil, errors.New("learn: the context is nil; pass context.Background()")
	}
	l := &Learned{Data: p.Task.Data, Points: p.Task.Points, Plan: p, study: s}
	for _, doubt := range s.Data.Doubts {
		l.Warnings = append(l.Warnings, "Data: "+doubt)
	}
	if p.Task.Duplicates > 0 {
		l.Duplicates = duplicateNote(s.Data, &p)
	}
	l.limitWorkers(s, float64(memory.Limit()))
	run := &planRun{Plan: p}
	solution, err := run.chooseAndFit(ctx, s, l)
	if err != nil {
		return nil, err
	}
	if p.Fitted != nil {
		p.Fitted(l)
	}
	if len(s.Splits) > 0 {
		l.Table, err = s.Run(ctx, run.report)
	}
	if solution != nil && err == nil {
		run.proveBound(ctx, solution, l)
		if l.Proof != nil {
			l.Model.Note += fmt.Sprintf("; over all %d points: %v", l.Points, l.Proof)
		}
	}
	return l, err
}

// planRun is one run of a plan.
type planRun struct {
	Plan
	last compare.Progress // the last progress that was reported
}

// report reports progress to Plan.Progress.
func (o *planRun) report(p compare.Progress) {
	if o.last = p; o.Progress != nil {
		o.Progress(p)
	}
}

// limitWorkers estimates the memory for the kernel matrices of s. Each concurrent task needs m packed base matrices, as
// much again while these are computed, and four n×n matrices. limitWorkers lowers the number of workers until the tasks
// fit in limit bytes, but to one at least, and adds a warning.
func (l *Learned) limitWorkers(s *compare.Study, limit float64) {
	n := len(s.Data.Y)
	f := s.Methods[s.MethodIndex(LearnedName)].Family
	grams := f.Bind(s.Data.X)
	if compare.HasFewFeatures(grams, cmp.Or(s.Landmarks, defaultLandmarks(n))) {
		return
	}
	m, _ := grams.Dims()
	if _, ok := f.(similarity.Repaired); ok {
		m *= 3 // a method also fits its repairs and their rules for new points
	}
	n = cmp.Or(s.Landmarks, n)
	perEntry := 8*float64(m) + 32
	taskBytes := perEntry * float64(n) * float64(n)
	requested := compare.WorkerCount(s.Workers)
	if possible := max(1, int(min(limit/taskBytes, float64(requested)))); possible < requested {
		s.Workers = possible
		l.Warnings = append(l.Warnings, fmt.Sprintf("Memory: %d tasks run at a time, not %d, because the kernel "+
			"matrices of more need over %.2g GB (WithWorkers).", possible, requested, limit/1e9))
	}
}

// chooseAndFit chooses hyperparameters and method on all points, fits the model, and stores both in l. If the model has
// landmarks, chooseAndFit returns the solution for proveBound.
func (o *planRun) chooseAndFit(ctx context.Context, s *compare.Study, l *Learned) (*compare.FullSolution, error) {
	r, err := s.Session(o.report)
	if err != nil {
		return nil, err
	}
	choices, err := r.Choices(points.AllIndices(len(s.Data.Y)), o.Seed, "")
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
		l.Warnings = append(l.Warnings, fmt.Sprintf("Store: not every result is kept for the next time: %v.", err))
	}
	best := choices[s.MethodIndex(SelectedName)]
	for _, c := range best.Alternatives() {
		chosen, by := c.Candidate(), s.Selection.Metric()
		l.Tried = append(l.Tried, CandidateError{Method: c.Method().Name, Label: chosen.Label, Value: chosen.Value,
			By: by, Error: c.Cell().Error(by)})
	}
	c := best.Winner()
	if c.AtEnd() {
		l.Warnings = append(l.Warnings, gridEndWarning(c))
	}
	solution, err := o.fitModel(ctx, c, l)
	if err != nil {
		return nil, err
	}
	l.Model, err = l.Model.Prune()
	return solution, err
}

const reliabilityBins = 10 // number of bins of Learned.Reliability

// fitModel fits the chosen candidate to all points, or to the landmarks, and stores the model in l. If the model has
// landmarks, it returns the solution for proveBound, or stores in l why nothing can be proved.
func (o *planRun) fitModel(ctx context.Context, c *compare.Choice, l *Learned) (solution *compare.FullSolution,
	err error) {
	fitted, err := c.Fit(ctx, o.Seed, o.Gap)
	if err != nil {
		return nil, err
	}
	m, candidate, result, views := c.Method(), fitted.Candidate, fitted.Result, l.study.Data.Views
	l.Result, l.Method, l.Label = result, m.Name, candidate.Label
	l.Hyperparameter, l.Lambda = candidate.Hyperparameter, c.Candidate().Value
	if l.Views = viewShares(views, m.Family, result.Kernel); l.Views != nil {
		result.Labels = compare.ViewLabels(views, m.Family, result.Labels)
	}
	description := strings.TrimSpace(m.Name + ": " + compare.Describe(candidate.Loss) + " " + candidate.Label)
	note := fmt.Sprintf("%s; %v; %v", description, result.Status, result.Proof())
	if fitted.Landmarks {
		l.Landmarks = o.Landmarks
		if solution, err = fitted.FullSolution(); err != nil {
			l.Unproved = err.Error()
		}
		note += fmt.Sprintf("; by %d landmarks with λ·%d/%d, coefficients of %d points, λ = %.3g", l.Landmarks,
			l.Landmarks, l.Points, l.Points, l.Lambda)
	}
	l.Model = fitted.Model()
	l.Model.Note = note
	if err := o.addIntervals(ctx, c, l); err != nil {
		return nil, err
	}
	if !o.Probabilities || l.study.Data.Classes == nil {
		return solution, nil
	}
	var heldOut [][]float64
	if l.Model.Sigmoids, heldOut, err = c.Calibrate(ctx, o.Selection.Folds, o.Seed); err != nil {
		l.Warnings = append(l.Warnings, fmt.Sprintf("Model: it has no probabilities: %v.", err))
	} else {
		l.Model.Note += fmt.Sprintf("; probabilities by sigmoids of decision values in %v", o.Selection)
		classes := make([]int, len(heldOut))
		for i := range classes {
			classes[i] = l.study.Data.Class(i)
		}
		l.Reliability = model.Reliability(heldOut, classes, reliabilityBins)
	}
	return solution, nil
}

// gridEndWarning returns the warning that the chosen hyperparameter is at an end of the values tried.
func gridEndWarning(c *compare.Choice) string {
	name, value := c.Candidate().Hyperparameter, c.Candidate().Value
	if p, err := lossPath(*c.Method()); err == nil && p.NearMethod != "" {
		return fmt.Sprintf("Model: %s = %.3g is at an end of the values tried, which are within a factor of %.3g of "+
			"the choice of %s. Values beyond it may have a smaller error.", name, value,
			math.Pow(10, p.NearDecades), p.NearMethod)
	}
	return fmt.Sprintf("Model: %s = %.3g is at an end of the values tried. Values beyond it may have a smaller error "+
		"(WithLambda, or WithLoss with an Extendable path).", name, value)
}

// intervalFolds is the number of folds for prediction intervals. More folds make the intervals narrower, because the
// models of folds are learned from more points, and take as many more fits.
const intervalFolds = 10

// addIntervals adds the intervals of the plan to the model of l.
func (o *planRun) addIntervals(ctx context.Context, c *compare.Choice, l *Learned) (err error) {
	if o.Intervals == 0 {
		return nil
	}
	if l.Model.Intervals, err = c.Intervals(ctx, o.Intervals, intervalFolds, o.Seed+1); err != nil {
		return fmt.Errorf("learn: WithIntervals: %w", err)
	}
	l.Model.Note += fmt.Sprintf("; %g %% prediction intervals by CV+ of %d folds", 100*o.Intervals,
		len(l.Model.Intervals.Folds))
	return nil
}

// maxPassValues is the largest number of kernel values, mn²/2 for m kernels of n points, that a pass may compute. It
// allows a proof for 100,000 points and 17 kernels. valueTime is the time for one value on one core with AVX2, in
// nanoseconds (n = 20,000, 10 features). A pass has at most passThreads threads.
const (
	maxPassValues = 1e11
	valueTime     = 0.8
	passThreads   = 8
)

// proveBound stores in l.Proof a bound on how far F of the model, which was fitted to landmarks, is from the minimum
// over all points. solution is the model as a feasible solution on all points. If the pass would compute more than
// maxPassValues values, or if there is no proof, it stores the reason in l.Unproved.
func (o *planRun) proveBound(ctx context.Context, solution *compare.FullSolution, l *Learned) {
	m, n := solution.Grams.Dims()
	values, share := float64(m)*float64(n)*float64(n)/2, float64(l.Landmarks)/float64(n)
	passes := 1 + share*(2-share) // over all points: one for the function of the landmarks, the rest for its residuals
	cost := time.Duration(passes * values * valueTime)
	if values > maxPassValues {
		l.Unproved = fmt.Sprintf("the proof takes about %v of one core", cost.Round(time.Second))
		return
	}
	progress := o.last
	progress.Doing = fmt.Sprintf("a pass over all %d points, which proves how good the model is", n)
	progress.Left = cost / time.Duration(min(runtime.GOMAXPROCS(0), passThreads))
	o.report(progress)
	proof, err := solution.CertifyAt(ctx, solution.Theta, solution.W)
	switch {
	case proof.Kind == mkl.Global:
		l.Proof = &proof
	case ctx.Err() != nil:
		l.Unproved = "it was stopped"
	default:
		l.Unproved = err.Error()
	}
}

// View is the weight that a group of features has in a learned kernel.
type View struct {
	Name     string
	Features int     // number of features
	Weight   float64 // Σθ_k over the kernels of the view; default kernels have mean diagonal 1 on the training points
	Share    float64 // Weight divided by the sum of the weights of all views
}

// viewShares returns the share of each view in the weights. It returns nil if a kernel does not belong to exactly one
// view.
func viewShares(views []data.View, f kernel.Family, theta []float64) []View {
	kernels := kernel.KernelsOf(f)
	if len(views) == 0 || len(theta) != len(kernels) {
		return nil
	}
	out := make([]View, len(views))
	for v, w := range views {
		out[v].Name, out[v].Features = w.Name, len(w.Features)
	}
	total := 0.0
	for k, t := range theta {
		v := compare.ViewIndex(views, kernels[k])
		if v < 0 {
			return nil
		}
		out[v].Weight += t
		total += t
	}
	for v := range out {
		if out[v].Share = out[v].Weight / total; math.IsNaN(out[v].Share) {
			out[v].Share = 0
		}
	}
	return out
}
