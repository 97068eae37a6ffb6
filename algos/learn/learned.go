package learn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// The names of the methods in the table of Learn.
const (
	UniformName  = "uniform"
	SingleName   = "best single"
	LearnedName  = "learned"
	LinearName   = "linear"      // the linear kernel alone
	LogSuffix    = ", logarithm" // ends the name of a method that learns the logarithm of the target
	SelectedName = "selected"    // the method that Learn selects among these
)

// Learned is the result of Learn.
type Learned struct {
	Data           string         // name of the dataset
	Points         int            // number of points
	Landmarks      int            // number of points on which the weights were learned; 0: all of them
	Model          *model.Model   // fitted to all points
	Result         *mkl.Result    // result of the solver for the weights of Model, with its certificate
	Method         string         // name of the selected method, such as LearnedName
	Hyperparameter string         // name of the hyperparameter of the loss: "λ", "C"
	Lambda         float64        // chosen value of the hyperparameter of the loss, λ, C or another
	Views          []ViewWeight   // the weight of each view of the data; nil without views
	Label          string         // chosen values besides that of the loss, such as "Λ=0.3" or the single kernel
	Tried          []fit.Tried    // cross-validation errors of the methods among which Method was selected
	Table          *compare.Table // comparison of all methods and the constant baseline; nil without splits
	Warnings       []Warning      // possible faults of the data, and limitations of this run
	// DuplicateNote states how many points equal an earlier one, and whether splits separate equal points; "" for none.
	DuplicateNote string
	// Proof is, for a model with landmarks, the certificate over all points: the objective F of the model and a lower
	// bound on the minimum of F. It is nil without landmarks (Result then has the certificate). It is also nil if no
	// bound was proved; WhyUnproved is the reason.
	Proof       *mkl.Certificate
	WhyUnproved string
	// Reliability compares predicted probabilities of held-out points with the frequencies of the classes. It is nil
	// for regression, and if the model has no probabilities.
	Reliability []model.ReliabilityBin
	// HeldOut has each target and its prediction by the model of the prediction intervals that was fitted without its
	// fold. It is nil without WithIntervals.
	HeldOut []fit.HeldOut
	Seconds float64        // of the whole run: the model, the comparison and the proof
	Plan    Plan           // the decisions that were made before the fit
	study   *compare.Study // data, methods, settings and splits (if any) of Fit; nil without Fit
}

// Kind returns UniformName, SingleName or another name in l.Plan.Methods: l.Method without LogSuffix.
func (l *Learned) Kind() string { return strings.TrimSuffix(l.Method, LogSuffix) }

// Plan holds every decision that Learn makes before it computes. NewPlan makes a plan, and Fit follows it. A plan is
// plain data: read it, change it, then fit it.
//
//	p, err := learn.NewPlan(d)
//	p.Selection.Folds = 10
//	l, err := learn.Fit(ctx, d, p)
type Plan struct {
	Task Task
	// Views are the groups of features that WithViews names. Fit applies them to the data.
	Views data.Views
	// Methods are the methods to compare. UniformName and LearnedName must be among them. Fit adds SelectedName and the
	// constant baseline.
	Methods    []fit.Method
	Candidates []string // names of the methods among which cross-validation selects the model
	Selection  fit.Selection
	Splits     []fit.Split // splits for the comparison; without splits, nothing is compared
	// Landmarks is the number of points on which the weights are learned; 0 means all points.
	Landmarks     int
	RelativeGap   float64 // relative gap of the model's fit; in the comparison, each of Methods has its own Gap
	Probabilities bool    // the model gets probabilities of classes
	IntervalLevel float64 // level of the prediction intervals of the model; 0 means no intervals
	Seed          uint64
	Workers       int      // number of concurrent tasks, if they fit in memory; 0 means the number of processors
	StoreFolder   string   // folder that stores finished tasks; "" means none
	GivenOptions  []string // names of the options with another value than the default, such as "WithSeed"

	Progress       func(compare.Progress) // is called with the progress of the work; may be nil
	FittedCallback func(*Learned)         // is called when there is a model, before the comparison; may be nil
}

// Task describes the data for which a plan was made. Fit accepts no other data.
type Task struct {
	Data           string   // name of the dataset
	Digest         string   // of all points, targets and groups
	Points         int      // number of points
	Duplicates     int      // number of points that equal an earlier point
	Features       int      // number of dense features; 0 if the points have none
	Views          []string // names of the views, the groups of features and the parts with own kernels
	UnusedFeatures int      // number of features that are in no view, if there are views
	DroppedPoints  int      // number of points of the file that are not used (data.Dataset.DroppedPoints)
	HasGroups      bool     // the data has groups of points, which splits keep together
	Classes        int      // number of classes; 0 if the targets are numbers
}

// findLossPath returns the path of the method's grid: the loss and the values of its hyperparameter.
func findLossPath(m fit.Method) (fit.Path, error) {
	for _, axis := range m.Search().Grid {
		if path, ok := axis.(fit.Path); ok && path.Loss != nil {
			return path, nil
		}
	}
	return fit.Path{}, fmt.Errorf("learn: the grid of the method %q has no axis of losses; add fit.Ridge or "+
		"fit.Losses", m.Name)
}

func methodNames(methods []fit.Method) (names []string) {
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// Warning is a possible fault of the data, or a limitation of a run of Learn.
type Warning struct {
	About Subject
	Text  string
}

// Subject is what a Warning concerns.
type Subject string

// The subjects of warnings.
const (
	AboutData   Subject = "Data"
	AboutModel  Subject = "Model"
	AboutMemory Subject = "Memory"
	AboutStore  Subject = "Store"
)

// String returns the subject and the text.
func (w Warning) String() string { return string(w.About) + ": " + w.Text }

// addWarning appends a warning to l unless its text is "".
func (l *Learned) addWarning(about Subject, text string) {
	if text != "" {
		l.Warnings = append(l.Warnings, Warning{about, text})
	}
}

// ViewWeight is the weight of a group of features (data.View) in a learned kernel.
type ViewWeight struct {
	Name        string
	Features    int     // number of features
	Weight      float64 // sum of θ_k over the kernels of the view, which by default have mean diagonal 1
	WeightShare float64 // Weight divided by the sum of the weights of all views
}

// comparisonStudy returns the study in which Learn compared methods, or an error if there is none.
func (l *Learned) comparisonStudy() (*compare.Study, error) {
	switch {
	case l == nil || l.study == nil:
		return nil, errors.New("learn: the argument of type *Learned is nil or has no model; pass a result of Learn")
	case len(l.study.Splits) == 0:
		return nil, fmt.Errorf("learn: %s was learned without splits (WithSplits), so there are no held-out points; "+
			"learn with splits", l.Data)
	}
	return l.study, nil
}

// mainMetric returns the metric of importances and learning curves: for classes the metric of WithMetric or the error
// rate, the mean loss if hyperparameters were selected by it, and RMSE otherwise.
func mainMetric(s *compare.Study) model.Metric {
	switch {
	case s.Data.Classes != nil && slices.Contains(model.ClassMetrics(len(s.Data.Classes)), s.Selection.By):
		return s.Selection.By
	case s.Data.Classes != nil:
		return model.ErrorRate
	case s.Selection.By == model.MeanLoss:
		return model.MeanLoss
	}
	return model.RMSE
}
