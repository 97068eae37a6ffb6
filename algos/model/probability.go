package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Sigmoid is P(label is +1 | f) = 1/(1 + exp(A·f + B)) for a decision value f. A < 0 if larger values favor +1.
//
// References:
//   - J. Platt, Probabilistic outputs for support vector machines, Advances in Large Margin Classifiers, 1999.
type Sigmoid struct{ A, B float64 }

// At returns the probability of +1 at f.
func (s Sigmoid) At(f float64) float64 {
	// Use the form whose exponential is at most 1.
	if t := s.A*f + s.B; t >= 0 {
		return math.Exp(-t) / (1 + math.Exp(-t))
	} else {
		return 1 / (1 + math.Exp(t))
	}
}

// FitSigmoid returns the sigmoid that minimizes
//
//	−Σ t_i log p_i + (1 − t_i) log(1 − p_i),   t_i = (n₊ + 1)/(n₊ + 2) if y_i > 0, otherwise 1/(n₋ + 2),
//
// by Newton's method with backtracking. f should be decision values of held-out points, because the values of training
// points are further from 0. If all values are equal, A is 0. FitSigmoid panics if the lengths differ.
//
// References:
//   - H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for support vector
//     machines, Machine Learning 68, 2007, Algorithm 1.
func FitSigmoid(f, y []float64) (Sigmoid, error) {
	if len(f) != len(y) {
		panic(fmt.Sprintf("model: %d decision values, but %d targets", len(f), len(y)))
	}
	plus, scale, smallest, largest := 0.0, 0.0, math.Inf(1), math.Inf(-1)
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Sigmoid{}, fmt.Errorf("model: decision value %d is %g; it must be finite", i+1, v)
		}
		scale, smallest, largest = math.Max(scale, math.Abs(v)), math.Min(smallest, v), math.Max(largest, v)
		if y[i] > 0 {
			plus++
		}
	}
	if len(f) == 0 {
		return Sigmoid{}, errors.New("model: no decision values to fit a sigmoid to")
	}
	minus := float64(len(f)) - plus
	if !(largest/scale-smallest/scale > 1e-12) || scale < 1e-290 { // all values are equal
		return Sigmoid{0, math.Log((minus + 1) / (plus + 1))}, nil
	}
	hi, lo := (plus+1)/(plus+2), 1/(minus+2)
	value := func(a, b float64) float64 { // in units of scale
		sum := 0.0
		for i, v := range f {
			t := lo
			if y[i] > 0 {
				t = hi
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
		ridge    = 1e-12 // σ of the algorithm
		minStep  = 1e-10 // of the line search
	)
	a, b := 0.0, math.Log((minus+1)/(plus+1))
	current := value(a, b)
	for range maxSteps {
		h11, h22, h21, g1, g2 := ridge, ridge, 0.0, 0.0, 0.0
		for i, v := range f {
			v /= scale
			t := lo
			if y[i] > 0 {
				t = hi
			}
			p := Sigmoid{a, b}.At(v)
			q := p * (1 - p)
			h11, h22, h21 = h11+v*v*q, h22+q, h21+v*q
			g1, g2 = g1+v*(t-p), g2+t-p
		}
		if math.Abs(g1) < 1e-9*float64(len(f)) && math.Abs(g2) < 1e-9*float64(len(f)) {
			break
		}
		det := h11*h22 - h21*h21
		da, db := -(h22*g1-h21*g2)/det, -(h11*g2-h21*g1)/det
		slope, step := g1*da+g2*db, 1.0
		for ; step >= minStep; step /= 2 {
			if next := value(a+step*da, b+step*db); next < current+1e-4*step*slope {
				a, b, current = a+step*da, b+step*db, next
				break
			}
		}
		if step < minStep {
			break // rounding prevents any further decrease
		}
	}
	return Sigmoid{a / scale, b}, nil
}

// Probabilities returns P(class | z) for each of the l points z: an l×K matrix in the order of Classes, with rows that
// sum to 1. The Sigmoids, which were fitted to decision values of held-out points, make the probabilities of the
// columns. For more than two classes, these are divided by their sum. The class with the largest probability may differ
// from the class that Classify returns.
func (m *Model) Probabilities(z points.Points) (*mat.Dense, error) {
	switch {
	case m == nil:
		return nil, m.validateFields()
	case m.Classes == nil:
		return nil, errors.New("model: it predicts numbers, which have no probabilities; use Predict")
	case m.Sigmoids == nil:
		return nil, errors.New("model: it was learned without probabilities; learn it again, without " +
			"learn.WithoutProbabilities")
	}
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	column := make([]float64, m.columnCount())
	p := mat.NewDense(z.Len(), len(m.Classes), nil)
	for i := range z.Len() {
		m.TargetEncoding().Probabilities(p.RawRowView(i), m.Sigmoids, copyPointValues(column, f, i))
	}
	return p, nil
}

// Probabilities stores the probability of each class in dst, given a sigmoid for each column and the values f of the
// columns: see Model.Probabilities.
func (c TargetEncoding) Probabilities(dst []float64, sigmoids []Sigmoid, f []float64) {
	if c.Classes <= 2 {
		p := sigmoids[0].At(f[0])
		dst[0], dst[1] = 1-p, p
		return
	}
	sum := 0.0
	for j, s := range sigmoids {
		dst[j] = s.At(f[j])
		sum += dst[j]
	}
	for j, v := range dst {
		if dst[j] = v / sum; sum == 0 {
			dst[j] = 1 / float64(c.Classes)
		}
	}
}

// ReliabilityBin summarizes the predictions whose probabilities are in one range, and how often they were true. A
// reliability diagram draws Share against Mean: if the probabilities are calibrated, the two are about equal.
type ReliabilityBin struct {
	N     int     // number of predictions
	Mean  float64 // mean of the predicted probabilities
	Share float64 // share of the predictions that were true
}

// Reliability returns the bins of a reliability diagram. The bins have equal widths between 0 and 1, and empty ones are
// left out. probabilities[i] has the probability of each class at point i, which is of class classes[i]. Each point and
// class is one prediction. For two classes only the second class counts, because the first repeats it. Probabilities of
// training points are not calibrated, so the points should be held out. Reliability panics if the lengths differ.
//
// References:
//   - M. DeGroot and S. Fienberg, The comparison and evaluation of forecasters, The Statistician 32 (1983), section 3.
func Reliability(probabilities [][]float64, classes []int, bins int) (all []ReliabilityBin) {
	if len(probabilities) != len(classes) {
		panic(fmt.Sprintf("model: %d points have probabilities, %d have classes", len(probabilities), len(classes)))
	}
	diagram := make([]ReliabilityBin, bins)
	for i, row := range probabilities {
		for k, p := range row {
			if len(row) == 2 && k == 0 {
				continue
			}
			b := &diagram[min(int(p*float64(bins)), bins-1)]
			b.N++
			b.Mean += p
			if classes[i] == k {
				b.Share++
			}
		}
	}
	for _, b := range diagram {
		if b.N > 0 {
			all = append(all, ReliabilityBin{b.N, b.Mean / float64(b.N), b.Share / float64(b.N)})
		}
	}
	return all
}
