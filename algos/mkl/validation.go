package mkl

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Validation stops a run early: the result is the iterate with the smallest score, the first of
// equals, and the run ends when none was smaller for Patience steps. Where F has many parameters, as
// products of Gaussians, the minimum of F may fit the training points too well, and the way to it
// leads past better models.
type Validation struct {
	// Score is what is made small, such as the rate of errors on points left out. It leaves the
	// iterate alone. NaN is taken for +Inf.
	Score func(*Iterate) float64
	// Patience is the number of steps. If 0, it is 10.
	Patience int
}

// HoldOut is p without some rows, and the Validation that scores by them: the rate of errors where all
// targets are ±1, the mean squared error otherwise. A score costs the kernel between the two parts.
func (p *Problem) HoldOut(rows []int) (*Problem, *Validation, error) {
	_, n := p.Grams.Dims()
	out := make([]bool, n)
	for _, r := range rows {
		if r < 0 || r >= n || out[r] {
			return nil, nil, fmt.Errorf("mkl: hold out row %d of %d, want each once, from 0", r, n)
		}
		out[r] = true
	}
	var train []int
	for i, o := range out {
		if !o {
			train = append(train, i)
		}
	}
	if len(rows) == 0 || len(train) == 0 {
		return nil, nil, fmt.Errorf("mkl: hold out %d of %d points, want some on both sides", len(rows), n)
	}
	if p.columns() != 1 {
		return nil, nil, fmt.Errorf("mkl: hold out points of %d columns of targets, want one", p.columns())
	}
	q, err := p.Slice(train)
	if err != nil {
		return nil, nil, err
	}
	labels := !slices.ContainsFunc(p.Y, func(v float64) bool { return math.Abs(v) != 1 })
	cross := p.Grams.Block(rows, train)
	k := mat.NewDense(len(rows), len(train), nil)
	var alone sync.Mutex // several runs may score at once
	score := func(it *Iterate) float64 {
		alone.Lock()
		defer alone.Unlock()
		theta := it.Theta
		// a model predicts with the weights of a block norm
		if b, ok := it.Gram.(kernel.Blocked); ok && len(it.Block) > 0 {
			theta = make([]float64, len(it.Theta))
			b.Weigh(it.Block)
			b.Scaled(theta, it.Theta)
		}
		cross.Gram(k, theta)
		lost := 0.0
		for i, r := range rows {
			f, y := floats.Dot(k.RawRowView(i), it.W)+it.Bias, p.Y[r]
			switch {
			case !labels:
				lost += (f - y) * (f - y)
			case !(f*y > 0):
				lost++
			}
		}
		return lost / float64(len(rows))
	}
	return q, &Validation{Score: score}, nil
}

// watch is a Validation under way.
type watch struct {
	*Validation
	best float64
	at   int // the step it was found
	any  bool
}

// look scores it, and reports whether it is the best so far, and whether to end.
func (v *watch) look(it *Iterate) (best, end bool) {
	patience := v.Patience
	if patience == 0 {
		patience = 10
	}
	s := v.Score(it)
	if math.IsNaN(s) {
		s = math.Inf(1)
	}
	if !v.any || s < v.best {
		v.best, v.at, v.any = s, it.K, true
		return true, false
	}
	return false, it.K-v.at >= patience
}
