package learn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/internal/memory"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Fit chooses hyperparameters, fits the model and compares the methods as the plan p states, which NewPlan made for d.
// It returns an error if the plan does not suit d.
//
// If ctx ends before there is a model, Fit returns an error. If it ends later, Learned.Table is marked as stopped.
func Fit(ctx context.Context, d *data.Dataset, p Plan) (*Learned, error) {
	d, task, err := prepareData(d, p.Views)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(task, p.Task) {
		return nil, fmt.Errorf("learn: the plan was made for other data (%s: %d points, digest %.8s) than these "+
			"(%s: %d points, digest %.8s); make one with NewPlan", p.Task.Data, p.Task.Points, p.Task.Digest,
			task.Data, task.Points, task.Digest)
	}
	s, err := p.newStudy(d)
	if err != nil {
		return nil, err
	}
	return p.fit(ctx, s)
}

// fit follows the plan p. s is the study that compares the methods of p.
func (p Plan) fit(ctx context.Context, s *compare.Study) (*Learned, error) {
	if err := argument.CheckContext(ctx, "learn"); err != nil {
		return nil, err
	}
	start := time.Now()
	l := &Learned{Data: p.Task.Data, Points: p.Task.Points, Plan: p, study: s}
	l.Plan.Progress, l.Plan.FittedCallback = nil, nil // so that l is plain data
	for _, doubt := range s.Data.Doubts {
		l.addWarning(AboutData, doubt)
	}
	if text := compare.DescribeClassesOfOnePoint(s.Data); text != "" {
		l.addWarning(AboutData, text+". No model can be tested on them; add points, or leave them out.")
	}
	if p.Task.Duplicates > 0 {
		l.DuplicateNote = duplicateNote(s.Data, &p)
	}
	l.addWarning(AboutModel, smallTrainingPartWarning(s))
	if err := l.limitWorkers(s, float64(memory.Available())); err != nil {
		return nil, err
	}
	run := &planRun{Plan: p}
	solution, err := run.chooseHyperparametersAndFit(ctx, s, l)
	if err != nil {
		return nil, err
	}
	if p.FittedCallback != nil {
		p.FittedCallback(l)
	}
	if len(s.Splits) > 0 {
		l.Table, err = s.Run(ctx, run.report)
	}
	if err == nil {
		doubt := perfectScoreWarning(s.Data, l.Table, run.selected.Cell,
			loss.PointWeights(run.selected.Candidate.Loss))
		if l.addWarning(AboutData, doubt); doubt == "" {
			l.addWarning(AboutModel, gridEndWarning(run.selected))
		}
		l.addWarning(AboutModel, betterMethodWarning(l.Table, l.Method, p.Candidates, mainMetric(s)))
	}
	if solution != nil && err == nil {
		run.boundDistanceFromMinimum(ctx, solution, l)
		if l.Proof != nil {
			l.Model.Note += fmt.Sprintf("; over all %d points: %v", l.Points, l.Proof)
		}
	}
	l.Seconds = time.Since(start).Seconds()
	return l, err
}

// planRun is one execution of a plan by Fit.
type planRun struct {
	Plan
	lastProgress compare.Progress // the progress that was reported last
	selected     *fit.Selected    // the method of the model
}

// smallTrainingPartWarning returns the warning that the training part of a split of s has too few points for a quantile
// that all points reach, and "" otherwise.
func smallTrainingPartWarning(s *compare.Study) string {
	path, err := findLossPath(s.Methods[0])
	for i := 0; i < len(s.Splits) && err == nil; i++ {
		err = s.CheckQuantiles(s.Data, path.Loss, len(s.Splits[i].Train))
	}
	if err == nil {
		return ""
	}
	return fmt.Sprintf("the training parts of the comparison are smaller than the data: %v. Their extreme "+
		"residual replaces the quantile, so the scores are those of a quantile nearer to 0.5. The model itself has "+
		"enough points.", err)
}

// report reports progress to Plan.Progress.
func (o *planRun) report(p compare.Progress) {
	if o.lastProgress = p; o.Progress != nil {
		o.Progress(p)
	}
}

// limitWorkers lowers the number of workers of s until the matrices of concurrent tasks fit in a quarter of
// availableBytes, but not below one, and adds a warning. It returns an error if one task needs more than
// availableBytes.
func (l *Learned) limitWorkers(s *compare.Study, availableBytes float64) error {
	method := s.Methods[s.MethodIndex(LearnedName)]
	path, err := findLossPath(method)
	if err != nil {
		return err
	}
	grams := method.Search().Family.Bind(s.Data.X)
	size := mkl.FitSize(grams, path.Loss)
	landmarkCount := cmp.Or(s.Landmarks, defaultLandmarkCount(size.Points))
	size.NeedsEntries = size.NeedsEntries || !fit.HasFewerFeaturesThanPoints(grams, landmarkCount)
	size.Points = cmp.Or(s.Landmarks, size.Points)
	advice := "use at most %d of the points (Dataset.Slice), or a family of fewer kernels (WithFamily)"
	if _, isSquared := path.Loss.(loss.Squared); isSquared {
		advice = "learn the weights on at most %d points (WithLandmarks), or use a family of fewer kernels (WithFamily)"
	}
	err = size.Check(availableBytes, func(maxPoints int) string { return fmt.Sprintf(advice, maxPoints) })
	if err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	memoryBytes, requestedWorkers := availableBytes/4, compare.WorkerCount(s.Workers)
	possibleWorkers := max(1, int(min(memoryBytes/size.Bytes(), float64(requestedWorkers))))
	if possibleWorkers < requestedWorkers {
		s.Workers = possibleWorkers
		l.addWarning(AboutMemory, fmt.Sprintf("%d tasks run at a time, not %d (WithWorkers), because "+
			"the kernel matrices of more tasks need over %.2g GB.", possibleWorkers, requestedWorkers, memoryBytes/1e9))
	}
	return nil
}

// chooseHyperparametersAndFit chooses method and hyperparameters on all points, fits the model, and stores the results
// in l. If the model has landmarks, it returns the model as a solution of the problem on all points.
func (o *planRun) chooseHyperparametersAndFit(ctx context.Context, s *compare.Study,
	l *Learned) (*fit.FullSolution, error) {
	r, err := s.Session(o.report)
	if err != nil {
		return nil, err
	}
	fitted, err := r.Workspace.Fit(ctx, SelectedName, cmp.Or(o.RelativeGap, defaultGap))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("learn: stopped before there is a model: %w", ctx.Err())
	case err != nil:
		return nil, err
	}
	if err := r.StoreError(); err != nil {
		l.addWarning(AboutStore, fmt.Sprintf("some results could not be stored for the next run: %v.",
			err))
	}
	o.selected, l.Tried = fitted.Selected, fitted.Selected.Tried
	return o.addModel(ctx, fitted, l)
}

const reliabilityBins = 10 // number of bins of Learned.Reliability

// addModel stores the fitted model and what is computed from it in l. If the model has landmarks, solution is the model
// as a feasible point of the problem on all points, or nil for the reason l.WhyUnproved.
func (o *planRun) addModel(ctx context.Context, fitted *fit.Fitted, l *Learned) (solution *fit.FullSolution,
	err error) {
	m, candidate, result, views := o.selected.Method, fitted.Candidate, fitted.Result, l.study.Data.Views
	l.Result, l.Method, l.Label = result, m.Name, candidate.Label
	l.Hyperparameter, l.Lambda = candidate.Hyperparameter, o.selected.Candidate.Value
	l.Views = viewShares(views, m.Search().Family, result.PredictionTheta)
	description := strings.TrimSpace(m.Name + ": " + fit.Describe(candidate.Loss) + " " + candidate.Label)
	note := fmt.Sprintf("%s; %v; %v", description, result.Status, result.CertificateText())
	if fitted.UsesLandmarks {
		l.Landmarks = o.Landmarks
		if solution, err = fitted.SolutionOnAllPoints(); err != nil {
			l.WhyUnproved = err.Error()
		}
		note += fmt.Sprintf("; weights learned on %d landmarks with λ·%d/%d, dual coefficients fitted to %d points "+
			"with λ = %.3g", l.Landmarks, l.Landmarks, l.Points, l.Points, l.Lambda)
	}
	l.Model = fitted.Model
	l.Model.Note = note
	if err := o.addIntervals(ctx, fitted, l); err != nil {
		return nil, err
	}
	if !o.Probabilities || l.study.Data.Classes == nil {
		return solution, nil
	}
	var heldOut [][]float64
	l.Model.Sigmoids, heldOut, err = fitted.Calibrate(ctx, o.Selection.Folds, o.Seed)
	if err != nil && ctx.Err() != nil {
		l.addWarning(AboutModel, "learning was stopped before there were probabilities of classes.")
	} else if err != nil {
		l.addWarning(AboutModel, fmt.Sprintf("there are no probabilities of classes: %v. "+
			"learn.WithoutProbabilities removes this warning.", err))
	} else {
		l.Model.Note += fmt.Sprintf("; probabilities by sigmoids fitted to held-out decision values of %v", o.Selection)
		classes := make([]int, len(heldOut))
		for i := range classes {
			classes[i] = l.study.Data.Class(i)
		}
		l.Reliability = model.Reliability(heldOut, classes, loss.PointWeights(candidate.Loss), reliabilityBins)
	}
	return solution, nil
}

// gridEndWarning returns the warning that the chosen hyperparameter value is the first or the last tried value, or "".
func gridEndWarning(s *fit.Selected) string {
	if !s.IsValueAtPathEnd {
		return ""
	}
	name, value := s.Candidate.Hyperparameter, s.Candidate.Value
	if p, err := findLossPath(s.Method); err == nil && p.NearMethod != "" {
		return fmt.Sprintf("%s = %.3g is at an end of the tried values, which are within a factor of %.3g of "+
			"the value chosen for %s. Values beyond this end may have a smaller error.", name, value,
			math.Pow(10, p.NearDecades), p.NearMethod)
	}
	return fmt.Sprintf("%s = %.3g is at an end of the tried values. Values beyond this end may have a smaller "+
		"error; try more by WithLambda, or by WithLoss with fit.Path.Extendable, which adds values.", name, value)
}

// intervalFolds is the number of folds for prediction intervals. With more folds, intervals are narrower, because the
// model of a fold is learned from more points, but there are more fits.
const intervalFolds = 10

// addIntervals adds prediction intervals to the model of l if the plan has a level for them.
func (o *planRun) addIntervals(ctx context.Context, fitted *fit.Fitted, l *Learned) (err error) {
	if o.IntervalLevel == 0 {
		return nil
	}
	l.Model.Intervals, l.HeldOut, err = fitted.Intervals(ctx, o.IntervalLevel, intervalFolds, o.Seed+1)
	if err != nil && ctx.Err() != nil {
		l.addWarning(AboutModel, "learning was stopped before there were prediction intervals.")
		return nil
	}
	if err != nil {
		return fmt.Errorf("learn: WithIntervals: %w", err)
	}
	l.Model.Note += fmt.Sprintf("; %g %% prediction intervals by CV+ of %d folds", 100*o.IntervalLevel,
		len(l.Model.Intervals.Folds))
	return nil
}

// maxKernelValues is the largest number of kernel values, mn²/2 for m kernels of n points, that a pass over all pairs
// of points may compute to bound the objective: enough for 100,000 points and 17 kernels. nanosecondsPerValue is the
// time for one value on one core with AVX2 (n = 20,000, 10 features). A pass has at most passThreads threads.
const (
	maxKernelValues     = 1e11
	nanosecondsPerValue = 0.8
	passThreads         = 8
)

// boundDistanceFromMinimum stores in l.Proof a bound on the difference between F of a model that was fitted to
// landmarks and the minimum of F over all points. solution is this model as a feasible point of the problem on all
// points. If the pass over all pairs of points is too long (maxKernelValues), or if no bound is proved, l.WhyUnproved
// is set.
func (o *planRun) boundDistanceFromMinimum(ctx context.Context, solution *fit.FullSolution, l *Learned) {
	m, n := solution.Grams.Dims()
	kernelValueCount, landmarkShare := float64(m)*float64(n)*float64(n)/2, float64(l.Landmarks)/float64(n)
	// residuals take one pass; predictions take one minus the share (1−landmarkShare)² of blocks without landmarks
	costInPasses := 1 + landmarkShare*(2-landmarkShare)
	estimatedTime := time.Duration(costInPasses * kernelValueCount * nanosecondsPerValue)
	if kernelValueCount > maxKernelValues {
		l.WhyUnproved = fmt.Sprintf("the pass over all points to bound this distance would take about %v on one core",
			estimatedTime.Round(time.Second))
		return
	}
	progress := o.lastProgress
	progress.FinalStep = fmt.Sprintf("a pass over all %d points, which proves how good the model is", n)
	progress.Left = estimatedTime / time.Duration(min(runtime.GOMAXPROCS(0), passThreads))
	o.report(progress)
	proof, err := solution.CertifyAt(ctx, solution.Theta, solution.W)
	switch {
	case proof.Kind == mkl.Global:
		l.Proof = &proof
	case ctx.Err() != nil:
		l.WhyUnproved = "the pass over all points to bound this distance was stopped"
	default:
		l.WhyUnproved = err.Error()
	}
}

// viewShares returns the weight of each view and its share of the sum of the weights. It returns nil if a kernel does
// not belong to exactly one view.
func viewShares(views []data.View, f kernel.Family, theta []float64) []ViewWeight {
	kernels := kernel.KernelsOf(f)
	if len(views) == 0 || len(theta) != len(kernels) {
		return nil
	}
	viewWeights := make([]ViewWeight, len(views))
	for v, w := range views {
		viewWeights[v].Name, viewWeights[v].Features = w.Name, len(w.Features)
	}
	totalWeight := 0.0
	for k, t := range theta {
		v := fit.ViewIndex(views, kernels[k])
		if v < 0 {
			return nil
		}
		viewWeights[v].Weight += t
		totalWeight += t
	}
	for v := range viewWeights {
		if viewWeights[v].WeightShare = viewWeights[v].Weight / totalWeight; math.IsNaN(viewWeights[v].WeightShare) {
			viewWeights[v].WeightShare = 0
		}
	}
	return viewWeights
}

// duplicateNote returns the text of Learned.DuplicateNote: how many points repeat an earlier one.
func duplicateNote(d *data.Dataset, p *Plan) string {
	s := fmt.Sprintf("%d of %d points repeat an earlier point", p.Task.Duplicates, len(d.Y))
	if p.Task.Duplicates == 1 {
		s = fmt.Sprintf("1 of %d points repeats an earlier point", len(d.Y))
	}
	if n := compare.CountSplitsWithCutGroups(d.Group, p.Splits); n > 0 {
		return s + fmt.Sprintf("; %d of %d splits (WithSplits) have equal points in the training and the test "+
			"part, so the score is optimistic.", n, len(p.Splits))
	}
	return s + ". They do not leak: equal points are in the same part of each split. Remove " +
		"duplicates if they are mistakes."
}
