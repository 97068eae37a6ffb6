package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Sigmoid is the function P(label is +1 | f) = 1/(1 + exp(A·f + B)) of a decision value f. A < 0 if larger values make
// +1 more probable.
//
// References:
//   - J. Platt, Probabilistic outputs for support vector machines, Advances in Large Margin Classifiers, 1999.
type Sigmoid struct{ A, B float64 }

// Probability returns P(label is +1 | f).
func (s Sigmoid) Probability(f float64) float64 {
	// Use the form whose exponential is at most 1.
	if t := s.A*f + s.B; t >= 0 {
		return math.Exp(-t) / (1 + math.Exp(-t))
	} else {
		return 1 / (1 + math.Exp(t))
	}
}

// FitSigmoid returns the sigmoid of decision values f, with p_i = P(label is +1 | f_i), that minimizes
//
//	−Σ t_i log p_i + (1 − t_i) log(1 − p_i),   t_i = (n₊ + 1)/(n₊ + 2) if y_i > 0, otherwise 1/(n₋ + 2),
//
// by Newton's method with backtracking. n₊ and n₋ are the numbers of labels y_i > 0 and y_i ≤ 0. f should be decision
// values of held-out points, because the values of training points are further from 0. If all values are equal, A is 0.
// FitSigmoid panics if the lengths differ.
//
// References:
//   - H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for support vector
//     machines, Machine Learning 68, 2007, Algorithm 1.
func FitSigmoid(f, y []float64) (Sigmoid, error) {
	if len(f) != len(y) {
		panic(fmt.Sprintf("model: %d decision values, but %d targets", len(f), len(y)))
	}
	positiveCount, scale, smallest, largest := 0.0, 0.0, math.Inf(1), math.Inf(-1)
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Sigmoid{}, fmt.Errorf("model: decision value %d is %g; it must be finite", i+1, v)
		}
		scale, smallest, largest = math.Max(scale, math.Abs(v)), math.Min(smallest, v), math.Max(largest, v)
		if y[i] > 0 {
			positiveCount++
		}
	}
	if len(f) == 0 {
		return Sigmoid{}, errors.New("model: FitSigmoid got no decision values; pass at least one")
	}
	negativeCount := float64(len(f)) - positiveCount
	if !(largest/scale-smallest/scale > 1e-12) || scale < 1e-290 { // all decision values are equal
		return Sigmoid{0, math.Log((negativeCount + 1) / (positiveCount + 1))}, nil
	}
	positiveTarget, negativeTarget := (positiveCount+1)/(positiveCount+2), 1/(negativeCount+2)
	negLogLikelihood := func(a, b float64) float64 { // of the labels, for P(label +1 | f) = 1/(1 + exp(a·f/scale + b))
		sum := 0.0
		for i, v := range f {
			t := negativeTarget
			if y[i] > 0 {
				t = positiveTarget
			}
			if z := a*v/scale + b; z >= 0 {
				sum += t*z + math.Log1p(math.Exp(-z))
			} else {
				sum += (t-1)*z + math.Log1p(math.Exp(z))
			}
		}
		return sum
	}
	const (
		maxSteps = 200
		ridge    = 1e-12 // added to the diagonal of the Hessian
		minStep  = 1e-10 // smallest step of the line search
	)
	a, b := 0.0, math.Log((negativeCount+1)/(positiveCount+1))
	currentValue := negLogLikelihood(a, b)
	for range maxSteps {
		h11, h22, h21, g1, g2 := ridge, ridge, 0.0, 0.0, 0.0
		for i, v := range f {
			v /= scale
			t := negativeTarget
			if y[i] > 0 {
				t = positiveTarget
			}
			p := Sigmoid{a, b}.Probability(v)
			q := p * (1 - p)
			h11, h22, h21 = h11+v*v*q, h22+q, h21+v*q
			g1, g2 = g1+v*(t-p), g2+t-p
		}
		if math.Abs(g1) < 1e-9*float64(len(f)) && math.Abs(g2) < 1e-9*float64(len(f)) {
			break
		}
		determinant := h11*h22 - h21*h21
		da, db := -(h22*g1-h21*g2)/determinant, -(h11*g2-h21*g1)/determinant
		slope, stepSize := g1*da+g2*db, 1.0
		for ; stepSize >= minStep; stepSize /= 2 {
			nextValue := negLogLikelihood(a+stepSize*da, b+stepSize*db)
			if nextValue < currentValue+1e-4*stepSize*slope {
				a, b, currentValue = a+stepSize*da, b+stepSize*db, nextValue
				break
			}
		}
		if stepSize < minStep {
			break // rounding prevents any further decrease of the negative log likelihood
		}
	}
	return Sigmoid{a / scale, b}, nil
}

// Probabilities returns P(class | z) for each of the points z: a matrix with one row for each point and one column for
// each of Classes. Rows sum to 1. The Sigmoids, which were fitted to decision values of held-out points, turn the value
// of each target column into a probability. For more than two classes, these are divided by their sum. The class with
// the largest probability may differ from the class that Classify returns.
func (m *Model) Probabilities(z points.Points) (*mat.Dense, error) {
	switch {
	case m == nil:
		return nil, m.validateFields()
	case m.Classes == nil:
		return nil, errors.New("model: the model predicts numbers, which have no probabilities; use Predict")
	case m.Sigmoids == nil:
		return nil, errors.New("model: the model has no Sigmoids, so it has no probabilities; learn it without " +
			"learn.WithoutProbabilities")
	}
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	pointValues := make([]float64, m.targetColumnCount())
	p := mat.NewDense(z.Len(), len(m.Classes), nil)
	for i := range z.Len() {
		m.TargetEncoding().Probabilities(p.RawRowView(i), m.Sigmoids, copyPointValues(pointValues, f, i))
	}
	return p, nil
}

// Probabilities stores the probability of each class at one point in dst, given a sigmoid and a decision value f for
// each target column: see Model.Probabilities.
func (c TargetEncoding) Probabilities(dst []float64, sigmoids []Sigmoid, f []float64) {
	if c.Classes <= 2 {
		p := sigmoids[0].Probability(f[0])
		dst[0], dst[1] = 1-p, p
		return
	}
	sum := 0.0
	for j, s := range sigmoids {
		dst[j] = s.Probability(f[j])
		sum += dst[j]
	}
	for j, v := range dst {
		if dst[j] = v / sum; sum == 0 {
			dst[j] = 1 / float64(c.Classes)
		}
	}
}

// ReliabilityBin summarizes the predictions whose probabilities are in one range: their mean probability, and how often
// they were true. A reliability diagram draws Share against Mean: if the probabilities are calibrated, the two are
// about equal.
type ReliabilityBin struct {
	N     int     // number of predictions
	Mean  float64 // mean of the predicted probabilities
	Share float64 // share of the predictions that were true
}

// Reliability returns the bins of a reliability diagram. The bins have equal widths between 0 and 1, and empty ones are
// left out. probabilities[i] has the probability of each class at point i, which is of class classes[i]. Each point and
// class is one prediction. For two classes only the second class counts: it determines the first. Probabilities of
// training points are not calibrated, so the points should be held out. Reliability panics if the lengths differ.
//
// References:
//   - M. DeGroot and S. Fienberg, The comparison and evaluation of forecasters, The Statistician 32 (1983), section 3.
func Reliability(probabilities [][]float64, classes []int, bins int) (filledBins []ReliabilityBin) {
	if len(probabilities) != len(classes) {
		panic(fmt.Sprintf("model: Reliability got probabilities of %d points, but classes of %d points",
			len(probabilities), len(classes)))
	}
	allBins := make([]ReliabilityBin, bins)
	for i, row := range probabilities {
		for k, p := range row {
			if len(row) == 2 && k == 0 {
				continue
			}
			b := &allBins[min(int(p*float64(bins)), bins-1)]
			b.N++
			b.Mean += p
			if classes[i] == k {
				b.Share++
			}
		}
	}
	for _, b := range allBins {
		if b.N > 0 {
			filledBins = append(filledBins, ReliabilityBin{b.N, b.Mean / float64(b.N), b.Share / float64(b.N)})
		}
	}
	return filledBins
}
