package learn

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
)

// solveAll solves the problem of all points within the budget and, if its F is smaller, replaces the model in l. It
// returns "", or a message if the budget is too small or if the solve does not reach the gap. F of the model is
// computed from the coefficients w of the result; it exceeds the F that the solver reports by several gaps. The solve
// therefore ends when F of the model is within the requested gap, and one or two further passes prove it.
func (o *fitting) solveAll(ctx context.Context, c *landmarkModel, l *Learned, until time.Time) string {
	gap := o.Budget.Gap
	_, n := c.Grams.Dims()
	solver := mkl.Subspace{Seed: o.Seed}
	for r := 500; r >= 50 && solver.Bytes(c.Problem) > o.Budget.Bytes; r -= 10 {
		solver.Landmarks = r
	}
	until = until.Add(-2 * c.pass) // for F of the model
	if need, left := solver.Bytes(c.Problem), time.Until(until); need > o.Budget.Bytes || left < c.pass {
		return fmt.Sprintf("the full solve makes ten passes or more over all points, of about %v each, and works as "+
			"long between them: WithBudget(%.0f, %.0fe8) has room for these. The model is of landmarks.",
			roundSeconds(c.pass), math.Ceil(max(o.Budget.Seconds, o.Budget.Seconds+(20*c.pass-left).Seconds())),
			math.Ceil(max(o.Budget.Bytes, need)/1e8))
	}
	within, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	var excess []float64   // after each pass, a proven bound on (F − min F)/min F for the best model so far
	var theta, w []float64 // of that model; the solver's best point, by its bound, may come from another pass
	began, f, best := time.Now(), make([]float64, len(c.Y)), math.Inf(1)
	watch := func(it *mkl.Iterate) bool {
		so := ""
		if it.K > 0 {
			it.Gram.K().MulVec(f, it.W) // costs no pass: the step has computed it
			d := floats.Distance(c.Y, f, 2)
			value := it.WKW/2 + d*d/(2*l.Lambda)
			if value < best {
				best, theta, w = value, slices.Clone(it.Theta), slices.Clone(it.W)
			}
			excess = append(excess, best/it.Lower-1)
			so = "; F is " + mkl.Certificate{Upper: best, Lower: it.Lower}.BoundText() + " its minimum"
		}
		o.reportWork(fmt.Sprintf("pass %d over all %d points%s", it.K+1, n, so), time.Until(until))
		return it.K > 0 && excess[it.K-1] <= gap
	}
	r, err := mkl.Solve(within, c.Problem, solver, &mkl.Settings{Gap: gap / 1000, Watch: watch})
	switch {
	case err != nil:
		return err.Error()
	case len(excess) == 0:
		return "the full solve ended before its first pass. The model is of landmarks."
	}
	l.Proof.TightenLower(r.Certificate)
	message := ""
	if last := excess[len(excess)-1]; last > gap {
		message = shortfall(r.Status, excess, time.Since(began), gap) + " "
	} else {
		r.Status = mkl.Certified
	}
	if best >= l.Proof.Upper {
		return message + "The model is of landmarks, whose F is " + l.Proof.BoundText() + " its minimum."
	}
	value, err := c.CertifyAt(ctx, theta, w)
	if value.Kind != mkl.Global {
		return message + "The model is of landmarks: F of that of all points is not known: " + stopReason(ctx, err) +
			"."
	}
	value.TightenLower(*l.Proof)
	r.Theta, r.Kernel, r.W, r.F, r.Certificate = theta, theta, w, best, value
	next := c.model(l, r)
	next.Note, next.Sigmoids = fmt.Sprintf("%s; %v; %v", c.note, r.Status, r.Proof()), l.Model.Sigmoids
	next.Intervals = l.Model.Intervals
	l.Model, l.Result, l.Landmarks, l.Proof = next, r, 0, &value
	l.Defaults = append(l.Defaults, Default{"model", fmt.Sprintf("of all %d points, by %v; landmarks are what "+
		"constants were chosen and methods compared with", n, solver), "WithBudget"})
	return strings.TrimSpace(message)
}

// shortfall returns a message about a solve that did not reach the gap, and about how many more passes it needs at
// least. excess holds a bound on (F − min F)/min F after each pass. shortfall extrapolates with the ratio of the last
// two numbers, although the ratio grows: on 50,000 points it was 0.12 for the second pass and 0.62 for the sixth.
func shortfall(end mkl.Status, excess []float64, elapsed time.Duration, gap float64) string {
	k := len(excess)
	s := fmt.Sprintf("the full solve ended (%v) after %d passes in %v, its F %s the minimum", end, k,
		roundSeconds(elapsed), mkl.Certificate{Upper: 1 + excess[k-1], Lower: 1}.BoundText())
	if end != mkl.Stopped || k < 2 || !(excess[k-1] < excess[k-2]) {
		return s + "."
	}
	ratio := excess[k-1] / excess[k-2]
	more := math.Ceil(math.Log(gap/excess[k-1]) / math.Log(ratio))
	return s + fmt.Sprintf("; to come to %.2g %% takes at least %.0f more, another %v: the last left %.2g of what was "+
		"above, later ones may leave more, and so do those of more points or a smaller λ.", 100*gap, more,
		roundSeconds(time.Duration(more*float64(elapsed)/float64(k))), ratio)
}
