package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
)

// maxInexactSteps is the number of successive steps after which a run ends if in each of them the solve of the loss
// runs out of iterations and the gap does not become smaller.
const maxInexactSteps = 10

// Solve runs s on p until the relative gap of the settings is certified or, if no global certificate exists, until the
// relative residual is at most that gap. It also ends at a limit of the settings, at the end of the context, or if s
// makes no progress. None of these is an error: Result.Status states how the run ended, and the Result holds the best
// point of Θ so far. Solve returns an error if p is not valid or does not suit s, or if s is nil.
func Solve(ctx context.Context, p *Problem, s Solver, settings *Settings) (*Result, error) {
	if s == nil {
		return nil, errNoSolver
	}
	r := &Result{Solver: s.String()}
	cfg := Settings{}
	var last *Iterate
	defer func() {
		if last != nil { // no caller has access to the last iterate: later points may reuse its storage
			last.Point.release()
			last.trial.release()
		}
	}()
	for it, err := range Steps(ctx, p, s, settings) {
		last = it
		hasStalled := errors.Is(err, ErrStalled)
		switch {
		case it == nil:
			return nil, err
		case err == nil || hasStalled:
			if it.K == 0 { // at K = 0, Steps has just validated p and settings
				cfg, _ = settings.withDefaults(p)
			}
			r.Status = it.status(&cfg, hasStalled)
			replacesStored := replacesResult(&it.Cert, it.Point, r)
			if absoluteTol := cfg.Gap * math.Abs(it.BestUpper); r.Status == Stationary && !replacesStored &&
				r.Residual > absoluteTol {
				// this point is stationary, but its Upper is larger than the stored one: a stall, unless hardly larger
				if replacesStored = it.Cert.Upper-r.Upper <= absoluteTol; !replacesStored {
					r.Status = Stalled
				}
			}
			if r.Theta == nil || replacesStored {
				r.copySolution(it.Point)
				r.Certificate = it.Cert
			}
			r.Kind, r.By, r.Lower, r.lowerRoundingErr = it.Cert.Kind, it.Cert.By, it.Lower, it.Cert.lowerRoundingErr
			r.setTotalRounding()
		case ctx.Err() != nil && r.Theta != nil:
			r.Status = Stopped
		default:
			return nil, fmt.Errorf("mkl: %v: %w", s, err)
		}
		if err == nil {
			r.Trace = append(r.Trace, Row{it.K, it.Evals, it.F(), it.Cert.Upper, it.Lower, it.Elapsed})
			if cfg.Watch != nil && cfg.Watch(it) && r.Status == NotDone {
				r.Status = Stopped
			}
		}
		if r.Status != NotDone {
			break
		}
	}
	p.setModelFields(r)
	return r, nil
}

// replacesResult reports whether pt, with certificate c, replaces the point of r. A θ in Θ replaces a θ outside Θ, and
// never the reverse. Otherwise pt needs a smaller upper bound or, if neither has a finite one, a smaller computed F. If
// the upper bounds differ by rounding only and c is a first-order certificate, pt needs a smaller Residual.
func replacesResult(c *Certificate, pt *Point, r *Result) bool {
	if c.Infeasible != r.Infeasible {
		return r.Infeasible
	}
	if math.IsInf(c.Upper, 1) && math.IsInf(r.Upper, 1) {
		return pt.Primal+pt.R < r.F
	}
	if c.Kind == FirstOrder && math.Abs(c.Upper-r.Upper) <= c.Rounding+r.Rounding {
		return c.Residual < r.Residual
	}
	return c.Upper < r.Upper
}

// status returns the status with which the run ends at this iterate, or NotDone if the run continues.
func (it *Iterate) status(cfg *Settings, hasStalled bool) Status {
	absoluteTol := cfg.Gap * math.Abs(it.BestUpper)
	absoluteGap := it.BestUpper - it.Lower
	switch {
	case it.Cert.Kind == Global && absoluteGap <= absoluteTol && !math.IsInf(it.BestUpper, 1):
		return Certified
	case it.Cert.Kind == FirstOrder && it.inexact == nil && !it.Cert.Infeasible && it.Cert.Residual <= absoluteTol &&
		!math.IsInf(it.BestUpper, 1):
		return Stationary
	case it.Cert.Kind == Global && it.Cert.Residual <= absoluteTol && it.roundingOfCostlyProofs > absoluteTol &&
		absoluteGap-it.roundingOfCostlyProofs <= absoluteTol && !math.IsInf(it.roundingOfCostlyProofs, 1):
		return IllConditioned
	case (hasStalled || it.K >= cfg.Iterations) && !it.Cert.Infeasible && math.IsInf(it.BestUpper, 1):
		return IllConditioned
	case hasStalled && it.inexact == nil && (it.errorOfF > absoluteTol || it.lastStepFoundIndefiniteK &&
		it.p.Set.Contains(it.trial.Theta)):
		return IllConditioned // rounding hides the differences of F that the steps need
	case it.inexactStepCount >= maxInexactSteps, hasStalled && it.inexact != nil:
		return InnerLimit
	case hasStalled:
		return Stalled
	case it.K >= cfg.Iterations:
		return IterationLimit
	}
	return NotDone
}

// copySolution copies the solution of pt to r, without the certificate.
func (r *Result) copySolution(pt *Point) {
	r.Theta = append(r.Theta[:0], pt.Theta...)
	r.W = append(r.W[:0], pt.W...)
	r.BlockWeights = append(r.BlockWeights[:0], pt.BlockWeights...)
	r.Bias, r.Biases, r.F = pt.Bias, slices.Clone(pt.Biases), pt.Primal+pt.R
}

// setModelFields sets what a model needs from r: PredictionTheta, and Labels or, for a matrix θ, Rows and Cols.
func (p *Problem) setModelFields(r *Result) {
	r.PredictionTheta = r.Theta
	if len(r.BlockWeights) > 0 {
		r.PredictionTheta = make([]float64, len(r.Theta))
		pt := &Point{Theta: r.Theta, Gram: p.Grams.New()}
		pt.Gram.SetTheta(pt.Theta)
		b := pt.Gram.(kernel.Blocked)
		b.SetBlockWeights(r.BlockWeights)
		b.ScaleThetaByBlockWeights(r.PredictionTheta, r.Theta)
	}
	if r.ThetaRows, r.ThetaCols = p.Grams.ThetaShape(); r.ThetaRows > 0 {
		return
	}
	m, _ := p.Grams.Dims()
	r.ThetaLabels = make([]string, m)
	for k := range r.ThetaLabels {
		r.ThetaLabels[k] = p.Grams.Label(k)
	}
}
