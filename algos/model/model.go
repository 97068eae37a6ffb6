package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Model is
//
//	f(z) = Σ_i w_i k_θ(z, x_i) + b + offset
//
// or, for several targets or more than two classes, several such f with the same k_θ. It is plain data. Its methods do
// not modify it, and goroutines may call them at the same time.
type Model struct {
	Name string // name of the data or the method, for display
	Note string // how the model was learned, for display

	Family kernel.Family
	X      points.Points // n training points
	Theta  []float64     // m weights of the kernels for predictions, as in mkl.Result.PredictionTheta
	Labels []string      // m names of the kernels or features with these weights, or nil
	W      []float64     // n dual coefficients; for c columns n·c: all of the first column, then of the second, …
	Biases []float64     // b of each column; nil: 0
	// Offsets are the constants that were subtracted from each column of targets before learning, or nil.
	Offsets []float64

	// Classes are the names of the classes; of two, the first is for predictions f < 0 and the second for f ≥ 0. It is
	// nil for regression.
	Classes []string
	// Targets names the targets of a regression model with several targets, one for each column. It may be nil.
	Targets []string
	// LogTargets states that f is the natural logarithm of the predicted number (data.Dataset.LogTargets). Predictions
	// are exp f, which is the median if the errors of f are symmetric.
	LogTargets bool
	// Quantiles has, for each column of W, the quantile τ that f estimates: the number that the target does not exceed
	// with the probability τ. It is nil if f estimates a mean or a class. Ascending quantiles are several quantiles of
	// one target: their predictions are sorted (SortQuantiles).
	Quantiles []float64
	// Sigmoids, one for each column of W, turn decision values into probabilities, of which the predicted class has the
	// largest (TargetEncoding.Probabilities). Sigmoids may be nil.
	Sigmoids []Sigmoid
	// Intervals computes prediction intervals of a regression model. It may be nil.
	Intervals *Intervals

	// Lowest and Highest are the smallest and the largest value of each feature at the training points.
	// Prediction.Outside names the features of a new point that are outside this range. Both may be nil.
	Lowest, Highest []float64

	// Input converts a file into points, as the training file was converted into X: see PredictFile. It may be nil.
	Input *data.Encoding

	// Points is the number of training points if X contains only a part of them: the support vectors or, if Landmarks
	// is true, the landmarks with a dual coefficient. Otherwise it is 0.
	Points    int
	Landmarks bool

	// Unpruned states why Prune could not drop the points that are not support vectors, or is "".
	Unpruned string
}

// TargetEncoding returns how the labels or targets of m are encoded as columns.
func (m *Model) TargetEncoding() TargetEncoding {
	c := TargetEncoding{Classes: len(m.Classes)}
	if m.Classes == nil && m.X != nil && m.X.Len() > 0 && len(m.W) > m.X.Len() {
		c.Targets = len(m.W) / m.X.Len()
	}
	return c
}

// targetColumnCount returns the number of columns of W, which is the number of functions f of the model.
func (m *Model) targetColumnCount() int { return m.TargetEncoding().Columns() }

// targetNames returns the names of several targets, or nil. Targets without names are "target 1", "target 2" ….
func (m *Model) targetNames() []string {
	if m.Targets != nil || m.Classes != nil || m.targetColumnCount() == 1 {
		return m.Targets
	}
	names := make([]string, m.targetColumnCount())
	for j := range names {
		names[j] = fmt.Sprintf("target %d", j+1)
	}
	return names
}

// Validate returns an error if a part of m is missing, lengths differ, numbers are not finite, or the family does not
// suit the points.
func (m *Model) Validate() error {
	_, err := m.Predictor()
	return err
}

// validateFields makes the checks of Validate, except whether the family suits the points.
func (m *Model) validateFields() error {
	switch {
	case m == nil:
		return errors.New("model: the model is nil; pass a learned or loaded model")
	case m.Family == nil:
		return errors.New("model: the model has no family of kernels; set Family")
	case m.X == nil:
		return errors.New("model: the model has no points; set X")
	}
	if err := m.X.Validate(); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	n, c := m.X.Len(), m.targetColumnCount()
	switch {
	case m.Classes != nil && len(m.Classes) < 2:
		return fmt.Errorf("model: Classes has %d names; it needs at least 2, or must be nil for numbers",
			len(m.Classes))
	case c <= 1 && len(m.W) != n:
		return fmt.Errorf("model: %d dual coefficients for %d points; W needs one for each point", len(m.W), n)
	case len(m.W) != n*c:
		return fmt.Errorf("model: %d dual coefficients for %d points and %d columns; W needs %d", len(m.W), n, c, n*c)
	case len(m.Biases) != 0 && len(m.Biases) != c || len(m.Offsets) != 0 && len(m.Offsets) != c:
		return fmt.Errorf("model: %d biases and %d offsets for %d columns; use one for each column, or none",
			len(m.Biases), len(m.Offsets), c)
	}
	if m.LogTargets && m.Classes != nil {
		return fmt.Errorf("model: LogTargets is set, but the targets are %d classes; LogTargets needs "+
			"numeric targets", len(m.Classes))
	}
	if m.Targets != nil && (m.Classes != nil || len(m.Targets) != c || c < 2) {
		return fmt.Errorf("model: %d names of targets for %d columns and %d classes; set Targets only for a "+
			"regression model with at least 2 targets, one name for each", len(m.Targets), c, len(m.Classes))
	}
	if len(m.Sigmoids) != 0 && (m.Classes == nil || len(m.Sigmoids) != c) {
		return fmt.Errorf("model: %d sigmoids for %d columns and %d classes; use one for each column of a "+
			"classifier, or none", len(m.Sigmoids), c, len(m.Classes))
	}
	isNoQuantile := func(tau float64) bool { return !(tau > 0 && tau < 1) }
	if m.Quantiles != nil && (m.Classes != nil || len(m.Quantiles) != c ||
		slices.ContainsFunc(m.Quantiles, isNoQuantile)) {
		return fmt.Errorf("model: Quantiles is %v for %d columns and %d classes; set it only for numeric targets, to "+
			"a number between 0 and 1 for each column", m.Quantiles, c, len(m.Classes))
	}
	for i, s := range m.Sigmoids {
		if v := s.A + s.B; math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("model: sigmoid %d has A = %g and B = %g; both must be finite", i+1, s.A, s.B)
		}
		if s.A > 0 {
			return fmt.Errorf("model: sigmoid %d has A = %g, so the probability falls where the decision value rises; "+
				"A must be at most 0", i+1, s.A)
		}
	}
	if len(m.Theta) == 0 {
		return errors.New("model: the model has no weights θ; set Theta")
	}
	if d := points.FeatureCount(m.X); len(m.Lowest) != len(m.Highest) || m.Lowest != nil && len(m.Lowest) != d {
		return fmt.Errorf("model: %d lowest and %d highest values for %d features; Lowest and Highest need one for "+
			"each feature, or none", len(m.Lowest), len(m.Highest), d)
	}
	if err := m.Intervals.validateFor(m); err != nil {
		return err
	}
	if m.Labels != nil && len(m.Labels) != len(m.Theta) {
		return fmt.Errorf("model: %d labels for %d weights; Labels needs one for each weight, or none", len(m.Labels),
			len(m.Theta))
	}
	for _, v := range []struct {
		name string
		x    []float64
	}{{"θ", m.Theta}, {"w", m.W}, {"biases", m.Biases}, {"offsets", m.Offsets}} {
		for i, x := range v.x {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("model: number %d of %s is %g; it must be finite", i+1, v.name, x)
			}
		}
	}
	return nil
}

// quoteNames returns names in quotation marks, separated by commas.
func quoteNames(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// SupportVectorCount returns the number of support vectors, the points whose dual coefficients are not all 0.
func (m *Model) SupportVectorCount() int { return len(m.supportVectorIndices()) }

// supportVectorIndices returns the indices of the support vectors.
func (m *Model) supportVectorIndices() []int {
	var rows []int
	n := m.X.Len()
	for i := range n {
		for j := i; j < len(m.W); j += n {
			if m.W[j] != 0 {
				rows = append(rows, i)
				break
			}
		}
	}
	return rows
}

// String returns one line that describes the training points and the kernels in use.
func (m *Model) String() string {
	if m == nil || m.X == nil {
		return "model: empty"
	}
	usedKernels := 0
	for _, t := range m.Theta {
		if t != 0 {
			usedKernels++
		}
	}
	pointText := fmt.Sprintf("%d points", m.X.Len())
	if m.Points > m.X.Len() {
		pointText = fmt.Sprintf("%d support vectors of %d points", m.X.Len(), m.Points)
		if m.Landmarks {
			pointText = fmt.Sprintf("%d points, approximated by %d landmarks", m.Points, m.X.Len())
		}
	}
	if k := m.SupportVectorCount(); k < m.X.Len() {
		pointText = fmt.Sprintf("%d points, %d of them support vectors", m.X.Len(), k)
		if m.Unpruned != "" {
			pointText += fmt.Sprintf(" (all %d points stored: %s)", m.X.Len(), m.Unpruned)
		}
	}
	s := fmt.Sprintf("model of %s, %d of %d kernels in use", pointText, usedKernels, len(m.Theta))
	if m.Name != "" {
		s = m.Name + ": " + s
	}
	return s
}

// Prune returns a model that predicts the same numbers and has only the support vectors of m. Parameters that the
// family fitted to the points, such as scales, become constants of the family (kernel.Grams.FreezeFit). The matrices of
// Precomputed kernels are removed. If the kernel needs all points, for example to center it, the returned model has all
// points, and Unpruned gives the reason.
func (m *Model) Prune() (*Model, error) {
	if err := m.validateFields(); err != nil {
		return nil, err
	}
	supportIndices, n := m.supportVectorIndices(), m.X.Len()
	isPrecomputed := points.HasIndices(m.X)
	if len(supportIndices) == 0 || len(supportIndices) == n && !isPrecomputed {
		return m, nil
	}
	preparedModel, err := m.newPredictor()
	if err != nil {
		return nil, err
	}
	p := *m
	p.Unpruned, p.X, p.W, p.Points = "", m.X.Slice(supportIndices), nil, max(n, m.Points)
	for j := range m.targetColumnCount() {
		for _, r := range supportIndices {
			p.W = append(p.W, m.W[j*n+r])
		}
	}
	if p.Family, err = preparedModel.trainingGrams.FreezeFit(); err == nil {
		return &p, nil
	}
	w := *m
	if w.Unpruned = strings.TrimPrefix(err.Error(), "kernel: "); errors.Is(err, kernel.ErrNotFrozen) {
		w.Unpruned = "the family may fit parameters to all points, also to those that are not support vectors"
	}
	return &w, nil
}
