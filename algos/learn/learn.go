package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// The methods of Learn's table.
const (
	UniformName = "uniform"
	SingleName  = "best single"
	LearnedName = "learned"
	LearnName   = "Learn" // of uniform, best single and learned the one that Learn takes
)

// Learned is what Learn found.
type Learned struct {
	Data      string
	Points    int
	Landmarks int              // points whose kernels the model has; 0: all
	Model     *model.Model     // of all points; Save keeps it
	Result    *mkl.Result      // the solve that gave its weights, with its certificate
	Method    string           // LearnedName, UniformName or SingleName: the one taken
	Constant  string           // of its loss: "λ", "C"
	Lambda    float64          // that constant
	Views     []View           // what the views of the data have of its weight; nil without views
	Label     string           // chosen beside it: "Λ=0.3", a single kernel
	Tried     []CandidateError // the methods it was chosen from
	Table     *compare.Table   // these methods, and none, on the same splits; nil without splits
	Defaults  []Default        // what was decided without being asked
	Warnings  []string         // what may be wrong with the data, and what the model does not do as it was chosen to
	// Duplicates states how many points equal another one, and whether splits separate them; "" if none do
	Duplicates string
	// Proof is of a model of landmarks: F of its function over all points, and a lower bound of the minimum; nil where
	// Unproved says why that is not known, and of models of all points. See OptimalityNote.
	Proof    *mkl.Certificate
	Unproved string
	Seconds  float64 // until there was a model; Table.Seconds is what the comparison took

	asked *asked // nil of one that was not made by Learn
}

// asked is the question that Learn answered, for what is asked of its answer: Importance, LearningCurve.
type asked struct {
	study *compare.Study // the comparison, or with no splits none
	opts  []Option
}

// CandidateError is the error of a method on points left out, on all points at hand.
type CandidateError struct {
	Method, Label string
	Value         float64 // of the loss's constant
	By            compare.Metric
	Error         float64
	Weighted      bool // each point's error times the weight of its class (WithClassWeights)
}

// Default is a decision and the option that changes it.
type Default struct{ What, Value, Option string }

// Learn learns a kernel for d, regression, of one target or several, or classes: it fits the model to all points,
// then compares the methods that it chose from, on the same splits. What it decides by itself is listed in
// Learned.Defaults, with the option that changes it.
//
// The model is what wins inside the data: learned weights, uniform ones, or the best single kernel,
// of widths and λ that grow beyond their grids where an end is chosen. The error that decides is that
// on points left out of the same folds, constants included. In the comparison every training part
// makes that choice for itself: the row LearnName is the score to expect. Its interval is that of models
// learned from three quarters of the points.
//
// The kernels of a table are linear, Gaussians, and Laplacians exp(−‖u−v‖₁/2s) of the features. A wide Laplacian is
// nearly a sum of one step function a feature and pair of points, as a forest of small trees has them; it serves
// features that are skewed, stepped or counts, where Gaussians do badly. Neither serves all tables, which is what the
// choice is for.
//
// A wide Gaussian is nearly linear. Of the kernels tried singly, linear is chosen where a Gaussian of 4 or 8 times the
// distance is the best, but not by more than one standard error over the folds. Of 50 simulated tables whose targets
// were drawn from a Gaussian process of one kernel, linear, Gaussian or Laplacian, the kernel of the largest weight was
// of the right one in 47 (linear 17 of 17, Gaussian 17 of 17, Laplacian 13 of 16); without that in 40.
//
// Equal points are kept on one side of every split and fold (Learned.Duplicates). Learned.Warnings says what may be
// wrong with the data (data.Dataset.Doubts), and where the model does not do what it was chosen for.
//
// Of more than 800 points, constants are chosen on 800. Kernel matrices are made of at most 2000 points, of 1414 where
// there are 20,000 to 200,000, and of so many p of n more that np² ≤ 4·10¹¹. Weights are learned on these, the
// landmarks, with their certificate, and the dual coefficients of the landmarks are then fitted to all points
// (Study.Landmarks). A family with few features needs no landmarks. At the end one pass
// over all points, and a part of one, prove how far F of the model is from the minimum over them (Learned.Proof): a
// matter of some mn²/2 nanoseconds of one core, m kernels of n points, so that mn²/2 > 10¹¹ values ask for WithBudget.
//
// Several targets have one kernel: see Study.
//
// The loss is the squared one for classes too. With linear and Gaussian kernels, the hinge loss (C of 0.01 … 100, by
// the rate of errors in the same folds), all else the same, had on eight splits an accuracy of the row LearnName that
// was more than that of the squared one by (95 % interval)
//
//	liver-bupa         +0.007 [−0.057, +0.072]    breast-ljubljana   +0.002 [−0.058, +0.062]
//	sonar              +0.005 [−0.017, +0.027]    votes84            +0.001 [−0.011, +0.013]
//	heart-statlog      +0.009 [−0.024, +0.043]    breast-wisconsin   +0.001 [−0.013, +0.014]
//	ionosphere         −0.004 [−0.030, +0.021]    pima               −0.003 [−0.025, +0.019]
//
// so that no interval excludes 0, in 1.1 to 4.5 times the time. Choosing λ of the squared loss by errors
// instead made as little difference, −0.004 to +0.016. WithLoss takes the hinge.
//
// The end of ctx before there is a model is an error; later, the table is marked as stopped.
func Learn(ctx context.Context, d *data.Dataset, opts ...Option) (*Learned, error) {
	o, err := newOptions(opts)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, errors.New("learn: no data")
	}
	if err := d.Validate(); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	if len(d.Y) == 0 {
		return nil, fmt.Errorf("learn: %s has no labels to learn from", d.Name)
	}
	if err := checkTargets(d); err != nil {
		return nil, err
	}
	if o.views != nil {
		if d, err = d.View(o.views); err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
	}
	warnings := groupWarnings(d)
	d, o.duplicates = compare.GroupDuplicates(d)
	if n := len(d.Y) - o.duplicates; n < fewest {
		return nil, fmt.Errorf("learn: %s has %d different points, want %d or more to learn, choose (WithFolds) and "+
			"compare (WithSplits) on", d.Name, n, fewest)
	}
	o.telling()
	l, t0 := &Learned{Data: d.Name, Points: len(d.Y), Warnings: warnings}, time.Now()
	s, err := o.study(d, l)
	if err != nil {
		return nil, err
	}
	l.asked = &asked{s, opts}
	all, err := o.fit(ctx, s, l)
	if err != nil {
		return nil, err
	}
	l.Seconds = time.Since(t0).Seconds()
	if o.fitted != nil {
		o.fitted(l)
	}
	if len(s.Splits) > 0 {
		l.Table, err = s.Run(ctx, o.progress)
	}
	if all != nil && err == nil {
		o.prove(ctx, all, l)
		l.Model.Note += "; " + l.OptimalityNote()
	}
	return l, err
}

// checkTargets returns an error if a target of d is constant: there is nothing to learn.
func checkTargets(d *data.Dataset) error {
	names := d.Targets()
	j := 0
	for y := range slices.Chunk(d.AllY(), len(d.Y)) {
		if slices.Min(y) == slices.Max(y) {
			name := ""
			if names != nil {
				name = fmt.Sprintf(" %q", names[j])
			}
			return fmt.Errorf("learn: the target%s of %s is %g at all %d points; leave it out or choose another one",
				name, d.Name, y[0], len(y))
		}
		j++
	}
	return nil
}

// groupWarnings returns a warning for each class that occurs in one group of d only.
func groupWarnings(d *data.Dataset) (warnings []string) {
	if d.Group == nil {
		return nil
	}
	for k, class := range d.Classes {
		groups := map[string]bool{}
		for i, g := range d.Group {
			if d.Class(i) == k {
				groups[g] = true
			}
		}
		for g := range groups {
			if len(groups) == 1 {
				warnings = append(warnings, fmt.Sprintf("Data: the class %s occurs in the group %s only. No split "+
					"has it "+
					"in both parts, so the model cannot be tested on it.", class, g))
			}
		}
	}
	return warnings
}
