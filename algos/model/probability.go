package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Sigmoid is the function P(label is +1 | f) = 1/(1 + exp(A·f + B)) of a decision value f, with A ≤ 0: the probability
// never falls as f rises.
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
//	−Σ v_i (t_i log p_i + (1 − t_i) log(1 − p_i)),   t_i = (n₊ + 1)/(n₊ + 2) if y_i > 0, otherwise 1/(n₋ + 2),
//
// over A ≤ 0 and B by Newton's method with backtracking. n₊ and n₋ are the sums of v_i over the labels y_i > 0 and
// y_i ≤ 0. The v_i are the weights of the points, multiplied by the factor with which their sum is the effective number
// of points, (Σ v_i)²/Σ v_i². Without weights (nil), each v_i is 1. If the labels +1 do not have the larger values, or
// if all values are equal, A is 0, and the probability is Σ v_i t_i/Σ v_i for every f.
//
// f should be decision values of held-out points, because the values of training points are further from 0. FitSigmoid
// panics if the lengths differ.
//
// References:
//   - H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for support vector
//     machines, Machine Learning 68, 2007, Algorithm 1.
func FitSigmoid(f, y, weights []float64) (Sigmoid, error) {
	if len(f) != len(y) || weights != nil && len(weights) != len(y) {
		panic(fmt.Sprintf("model: %d decision values and %d weights, but %d targets", len(f), len(weights), len(y)))
	}
	if len(f) == 0 {
		return Sigmoid{}, errors.New("model: FitSigmoid got no decision values; pass at least one")
	}
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Sigmoid{}, fmt.Errorf("model: decision value %d is %g; it must be finite", i+1, v)
		}
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(f))
	}
	weightFactor := floats.Sum(weights) / floats.Dot(weights, weights)
	positiveCount, negativeCount := 0.0, 0.0
	for i, v := range weights {
		if v *= weightFactor; y[i] > 0 {
			positiveCount += v
		} else {
			negativeCount += v
		}
	}
	highTarget, lowTarget := (positiveCount+1)/(positiveCount+2), 1/(negativeCount+2)
	bestConstant := Sigmoid{0, math.Log((positiveCount*(1-highTarget) + negativeCount*(1-lowTarget)) /
		(positiveCount*highTarget + negativeCount*lowTarget))}
	low, high := floats.Min(f), floats.Max(f)
	center, scale := low/2+high/2, high/2-low/2
	if size := math.Max(-low, high); size < 1e-290 || !(scale > 5e-13*size) { // all decision values are equal
		return bestConstant, nil
	}
	p := sigmoidProblem{make([]float64, len(f)), make([]float64, len(f)), slices.Clone(weights)}
	floats.Scale(weightFactor, p.weights)
	for i, v := range f {
		p.values[i], p.targets[i] = (v-center)/scale, lowTarget
		if y[i] > 0 {
			p.targets[i] = highTarget
		}
	}
	s := p.minimize(Sigmoid{0, math.Log((negativeCount + 1) / (positiveCount + 1))})
	if !(s.A < 0) {
		return bestConstant, nil
	}
	return Sigmoid{s.A / scale, s.B - s.A*(center/scale)}, nil
}

// sigmoidProblem holds the numbers of the problem that FitSigmoid states: values f_i from −1 to 1, targets t_i, v_i.
type sigmoidProblem struct{ values, targets, weights []float64 }

// negLogLikelihood returns the sum that FitSigmoid minimizes.
func (o *sigmoidProblem) negLogLikelihood(s Sigmoid) (sum float64) {
	for i, v := range o.values {
		if z := s.A*v + s.B; z >= 0 {
			sum += o.weights[i] * (o.targets[i]*z + math.Log1p(math.Exp(-z)))
		} else {
			sum += o.weights[i] * ((o.targets[i]-1)*z + math.Log1p(math.Exp(z)))
		}
	}
	return sum
}

// minimize returns the sigmoid with the smallest negative log likelihood, without the constraint A ≤ 0.
func (o *sigmoidProblem) minimize(start Sigmoid) Sigmoid {
	const (
		maxSteps = 200
		ridge    = 1e-12 // added to the diagonal of the Hessian
		minStep  = 1e-10 // smallest step of the line search
	)
	s, currentValue := start, o.negLogLikelihood(start)
	tolerance := 1e-9 * floats.Sum(o.weights)
	for range maxSteps {
		h11, h22, h21, g1, g2 := ridge, ridge, 0.0, 0.0, 0.0
		for i, v := range o.values {
			p := s.Probability(v)
			q, r := o.weights[i]*p*(1-p), o.weights[i]*(o.targets[i]-p)
			h11, h22, h21 = h11+v*v*q, h22+q, h21+v*q
			g1, g2 = g1+v*r, g2+r
		}
		if math.Abs(g1) < tolerance && math.Abs(g2) < tolerance {
			break
		}
		determinant := h11*h22 - h21*h21
		da, db := -(h22*g1-h21*g2)/determinant, -(h11*g2-h21*g1)/determinant
		slope, stepSize := g1*da+g2*db, 1.0
		for ; stepSize >= minStep; stepSize /= 2 {
			next := Sigmoid{s.A + stepSize*da, s.B + stepSize*db}
			if nextValue := o.negLogLikelihood(next); nextValue < currentValue+1e-4*stepSize*slope {
				s, currentValue = next, nextValue
				break
			}
		}
		if stepSize < minStep {
			break // rounding prevents any further decrease of the negative log likelihood
		}
	}
	return s
}

// Probabilities returns P(class | z) for each of the points z: a matrix with one row for each point and one column for
// each of Classes. Rows sum to 1. The class that Classify returns has the largest probability: see
// TargetEncoding.Probabilities.
func (m *Model) Probabilities(z points.Points) (*mat.Dense, error) {
	switch {
	case m == nil:
		return nil, m.validateFields()
	case m.Classes == nil:
		return nil, errors.New("model: the model predicts numbers, which have no probabilities; use Predict")
	case m.Sigmoids == nil:
		return nil, errors.New("model: the model has no Sigmoids, so it has no probabilities; learn it without " +
			"learn.WithoutProbabilities, or see Learned.Warnings for the reason")
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
// each target column. The sigmoids, which were fitted to decision values of held-out points, turn each value into a
// probability. For more than two classes, these are divided by their sum. If all are too small for a float64, their
// ratios are those of exp(−A·f − B).
//
// The class that the values decide on (PredictedClass) has the largest probability. If the sigmoids give another class
// more, its probability is raised to the same number, with a relative difference of 1e-12, and all are divided by their
// sum again. For two classes, both probabilities are then ½ up to this difference. So the error that was measured for
// the classes is that of the class with the largest probability too.
func (c TargetEncoding) Probabilities(dst []float64, sigmoids []Sigmoid, f []float64) {
	if c.Classes <= 2 {
		s := sigmoids[0]
		dst[0], dst[1] = Sigmoid{-s.A, -s.B}.Probability(f[0]), s.Probability(f[0]) // 1−p would lose digits
	} else {
		for j, s := range sigmoids {
			dst[j] = s.Probability(f[j])
		}
		if floats.Max(dst) < 1e-290 {
			for j, s := range sigmoids {
				dst[j] = -s.A*f[j] - s.B
			}
			floats.AddConst(-floats.Max(dst), dst)
			for j, logRatio := range dst {
				dst[j] = math.Exp(logRatio)
			}
		}
	}
	predictedClass := c.PredictedClass(f)
	for j, p := range dst {
		if j != predictedClass {
			dst[predictedClass] = math.Max(dst[predictedClass], p*(1+1e-12))
		}
	}
	sum := floats.Sum(dst)
	for j := range dst {
		dst[j] /= sum
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
// class is one prediction. For two classes only the second class counts: it determines the first. weights[i] is the
// weight of point i in Mean and Share; nil means 1. Probabilities of training points are not calibrated, so the points
// should be held out.
//
// Reliability panics if there is no bin, if the lengths differ, if a class is not the index of a probability, or if a
// probability is not from 0 to 1.
//
// References:
//   - M. DeGroot and S. Fienberg, The comparison and evaluation of forecasters, The Statistician 32 (1983), section 3.
func Reliability(probabilities [][]float64, classes []int, weights []float64, bins int) (filledBins []ReliabilityBin) {
	n := len(probabilities)
	switch {
	case bins < 1:
		panic(fmt.Sprintf("model: Reliability got %d bins; use at least 1", bins))
	case len(classes) != n || weights != nil && len(weights) != n:
		panic(fmt.Sprintf("model: Reliability got probabilities of %d points, but classes of %d and weights of %d "+
			"points", n, len(classes), len(weights)))
	}
	allBins, binWeights := make([]ReliabilityBin, bins), make([]float64, bins)
	for i, row := range probabilities {
		if classes[i] < 0 || classes[i] >= len(row) {
			panic(fmt.Sprintf("model: Reliability: point %d is of class %d, but has %d probabilities; classes are "+
				"numbered from 0", i+1, classes[i], len(row)))
		}
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		for k, p := range row {
			if !(p >= 0 && p <= 1) {
				panic(fmt.Sprintf("model: Reliability: the probability of class %d at point %d is %g; it must be from "+
					"0 to 1", k, i+1, p))
			}
			if len(row) == 2 && k == 0 {
				continue
			}
			j := min(int(p*float64(bins)), bins-1)
			b := &allBins[j]
			b.N++
			b.Mean += w * p
			binWeights[j] += w
			if classes[i] == k {
				b.Share += w
			}
		}
	}
	for j, b := range allBins {
		if b.N > 0 {
			filledBins = append(filledBins, ReliabilityBin{b.N, b.Mean / binWeights[j], b.Share / binWeights[j]})
		}
	}
	return filledBins
}
