package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// ProbabilityScore measures the probabilities P(class) of n points. P_i is the probability of the class of point i.
type ProbabilityScore struct {
	LogLoss float64 // −Σ ln max(P_i, 2⁻⁵²) / n: at most 36 for each point, as in scikit-learn
	// Brier is Σ_i Σ_k (P(class k) − 1{k is the class of i})² / n, of which two classes have half: a number from 0 to 1
	// for two classes and from 0 to 2 for more, as in scikit-learn.
	Brier float64
}

// IntervalScore measures the prediction intervals of a target.
type IntervalScore struct {
	Level     float64 // the share of targets that the intervals should contain (Intervals.Level)
	Coverage  float64 // the share of targets that they contain
	MeanWidth float64 // mean of upper − lower
}

// QuantileScore measures the predictions of the quantile Tau of a target (Model.Quantiles).
type QuantileScore struct {
	Tau         float64
	PinballLoss float64 // mean of max(τ(y−f), (τ−1)(y−f)), the loss that the quantile minimizes
	ShareBelow  float64 // the share of targets y ≤ f, which should be τ
}

// Score predicts the points of d and compares the predictions with the labels or targets of d. Features, classes and
// several targets are matched by name, so another file may number its classes differently, need not contain all of
// them, and may have its columns in another order. A class or a target that the model does not know is an error.
func (m *Model) Score(d *data.Dataset) (Score, error) { return m.score(d, false) }

// ScoreCalibrated is like Score, but its Probabilities are those of ScoreCalibrated, not those of m.Sigmoids. Use it to
// compare a model with others that have no Sigmoids.
func (m *Model) ScoreCalibrated(d *data.Dataset) (Score, error) { return m.score(d, true) }

func (m *Model) score(d *data.Dataset, fitsSigmoids bool) (Score, error) {
	p, err := m.Predictor()
	if err != nil {
		return Score{}, err
	}
	if d == nil || d.X == nil || d.Y == nil {
		return Score{}, errors.New("model: score: the dataset is nil, or has no points or no labels; pass a dataset " +
			"with both")
	}
	y, err := m.encodeTargets(d)
	if err != nil {
		return Score{}, err
	}
	z, err := p.alignPoints(d.X)
	if err != nil {
		return Score{}, err
	}
	predictions, err := p.Predict(z)
	if err != nil {
		return Score{}, err
	}
	n, encoding := len(predictions), m.TargetEncoding()
	f := make([]float64, n*encoding.Columns())
	for i, q := range predictions {
		f[i] = q.Value
		for j, v := range q.Values {
			f[j*n+i] = v
		}
	}
	s := ScorePredictions(f, y, encoding)
	s.DroppedPoints, s.StoredPoints, s.SharedPoints = d.DroppedPoints, m.X.Len(), m.countSharedPoints(z)
	s.Groups = len(slices.Compact(slices.Sorted(slices.Values(d.Group))))
	switch {
	case fitsSigmoids && m.Classes != nil:
		s.Probabilities = ScoreCalibrated(f, y, nil, encoding)
	case m.Sigmoids != nil:
		probabilities := make([][]float64, n)
		for i, q := range predictions {
			probabilities[i] = q.Probabilities
		}
		s.Probabilities = scoreProbabilities(probabilities, y, nil, encoding)
	}
	for j := range encoding.Columns() {
		t := &s
		if s.Targets != nil {
			t = &s.Targets[j]
		}
		if m.Intervals != nil {
			t.Intervals = scoreIntervals(predictions, y[j*n:(j+1)*n], j)
		}
		if m.Quantiles != nil {
			t.Quantile = scoreQuantile(f[j*n:(j+1)*n], y[j*n:(j+1)*n], m.Quantiles[j])
		}
	}
	return s, nil
}

// encodeTargets returns the labels or targets of d as the TargetEncoding of m has them: all points for the first
// target, then for the second, …
func (m *Model) encodeTargets(d *data.Dataset) ([]float64, error) {
	n, y := d.Len(), d.AllY()
	if len(y) != n*(1+len(d.ExtraTargets)) || slices.ContainsFunc(d.ExtraTargets,
		func(t data.Target) bool { return len(t.Y) != n }) {
		return nil, fmt.Errorf("model: score: %s has %d labels or targets for %d points; set one for each", d.Name,
			len(y), n)
	}
	encoding := TargetEncoding{Classes: len(d.Classes)}
	for i, v := range y {
		if err := encoding.Validate(v); err != nil {
			return nil, fmt.Errorf("model: score: label or target %d of %s: %w", i+1, d.Name, err)
		}
	}
	switch {
	case m.Classes == nil && d.Classes != nil:
		return nil, fmt.Errorf("model: score: the labels of %s are the classes %s, but the model predicts numbers; "+
			"set data.Options.Regression", d.Name, quoteNames(d.Classes))
	case m.Classes == nil:
		return m.matchTargets(d, y)
	case d.Classes == nil:
		return nil, fmt.Errorf("model: score: the targets of %s are numbers, but the model predicts the classes %s; "+
			"set Dataset.Classes", d.Name, quoteNames(m.Classes))
	}
	for i, name := range d.Labels() {
		k := slices.Index(m.Classes, name)
		if k < 0 {
			return nil, fmt.Errorf("model: score: point %d of %s is of class %q; the classes of the model are %s", i+1,
				d.Name, name, quoteNames(m.Classes))
		}
		if y[i] = float64(k); len(m.Classes) == 2 {
			y[i] = float64(2*k - 1)
		}
	}
	return y, nil
}

// matchTargets returns the targets y of d in the order of the targets of m. If m has several quantiles of one target,
// it returns this target for each.
func (m *Model) matchTargets(d *data.Dataset, y []float64) ([]float64, error) {
	n, c, names := d.Len(), m.targetColumnCount(), d.Targets()
	switch {
	case names == nil && AreOfOneTarget(m.Quantiles):
		return slices.Repeat(y, c), nil
	case max(len(names), 1) != c:
		return nil, fmt.Errorf("model: score: %s has %d targets, but the model predicts %d; pass all of them "+
			"(Dataset.ExtraTargets)", d.Name, max(len(names), 1), c)
	case m.Targets == nil:
		return y, nil
	}
	var ordered []float64
	for _, name := range m.Targets {
		j := slices.Index(names, name)
		if j < 0 {
			return nil, fmt.Errorf("model: score: %s has no target %q of the model; its targets are %s", d.Name, name,
				quoteNames(names))
		}
		ordered = append(ordered, y[j*n:(j+1)*n]...)
	}
	return ordered, nil
}

// logLoss returns the LogLoss of s, or NaN if s is nil.
func (s *ProbabilityScore) logLoss() float64 {
	if s == nil {
		return math.NaN()
	}
	return s.LogLoss
}

// calibrationParts is the number of parts of ScoreCalibrated.
const calibrationParts = 5

// ScoreCalibrated returns the score of probabilities of the classes of held-out points, computed from their decision
// values f. f, the labels y and the weights are as in ScoreWeighted. The points, sorted by class, are dealt out in turn
// to five parts; the class of the first point is the first one. The probabilities in a part are those of sigmoids that
// are fitted to the values in the other four parts (FitSigmoid), so no sigmoid is fitted to the value and the label of
// a point that it scores. Equal points and points of one group can be in different parts. If the values come from
// several folds, other values were learned from this point too, but only the two numbers of a sigmoid depend on them.
// With few points, most of the log loss comes from the targets of FitSigmoid: if the values separate two classes, it is
// about 0.3 for 6 points and 0.03 for 100. The result is nil for fewer than two points, or if a value is not finite.
func ScoreCalibrated(f, y, weights []float64, encoding TargetEncoding) *ProbabilityScore {
	n, columns := len(y), encoding.Columns()
	if n < 2 {
		return nil
	}
	order, parts, rankOfClass := points.AllIndices(n), make([][]int, calibrationParts), map[float64]int{}
	for _, v := range y {
		if _, ok := rankOfClass[v]; !ok {
			rankOfClass[v] = len(rankOfClass) // not ClassIndex, so that another numbering of classes changes nothing
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return rankOfClass[y[a]] - rankOfClass[y[b]] })
	for rank, i := range order {
		parts[rank%calibrationParts] = append(parts[rank%calibrationParts], i)
	}
	labels, probabilities, pointValues := encoding.EncodeAll(y), make([][]float64, n), make([]float64, columns)
	for p, part := range parts {
		others, sigmoids := slices.Concat(slices.Concat(parts[:p]...), slices.Concat(parts[p+1:]...)), []Sigmoid(nil)
		for j := range columns {
			s, err := FitSigmoid(points.Pick(f[j*n:(j+1)*n], others), points.Pick(labels[j*n:(j+1)*n], others),
				points.Pick(weights, others))
			if err != nil {
				return nil
			}
			sigmoids = append(sigmoids, s)
		}
		for _, i := range part {
			for j := range columns {
				pointValues[j] = f[j*n+i]
			}
			probabilities[i] = make([]float64, encoding.Classes)
			encoding.Probabilities(probabilities[i], sigmoids, pointValues)
		}
	}
	return scoreProbabilities(probabilities, y, weights, encoding)
}

// scoreProbabilities returns the score of probabilities[i] of the classes of point i with the label y_i and this
// weight.
func scoreProbabilities(probabilities [][]float64, y, weights []float64, encoding TargetEncoding) *ProbabilityScore {
	s, total := new(ProbabilityScore), float64(len(y))
	if weights != nil {
		total = floats.Sum(weights)
	}
	for i, q := range probabilities {
		class, share := encoding.ClassIndex(y[i]), 1/total
		if weights != nil {
			share *= weights[i]
		}
		s.LogLoss -= math.Log(max(q[class], 0x1p-52)) * share
		for k, p := range q {
			if k == class {
				p -= 1
			}
			s.Brier += p * p * share
		}
	}
	if encoding.Classes == 2 {
		s.Brier /= 2
	}
	return s
}

// scoreIntervals scores the intervals of one target, with the values y.
func scoreIntervals(predictions []Prediction, y []float64, target int) *IntervalScore {
	s, n := &IntervalScore{Level: predictions[0].Level}, float64(len(y))
	for i, q := range predictions {
		if q.Lower[target] <= y[i] && y[i] <= q.Upper[target] {
			s.Coverage++
		}
		s.MeanWidth += (q.Upper[target] - q.Lower[target]) / n
	}
	s.Coverage /= n
	return s
}

func scoreQuantile(f, y []float64, tau float64) *QuantileScore {
	s, n := &QuantileScore{Tau: tau}, float64(len(y))
	for i, v := range y {
		if v <= f[i] {
			s.ShareBelow++
		}
		s.PinballLoss += max(tau*(v-f[i]), (tau-1)*(v-f[i])) / n
	}
	s.ShareBelow /= n
	return s
}
