package study

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/mkl"
)

// fewestLandmarks is how many the full solve begins with at least.
const fewestLandmarks = 50

// solve solves the problem of all points within the budget. F of the model is that of w of the result, which is more
// than the result's own by a few gaps: it takes a pass to know it.
func (o *options) solve(ctx context.Context, c *claim, l *Learned) {
	gap, began := 1e-3, time.Now()
	if o.given["WithGap"] {
		gap = o.gap
	}
	of, err := c.certify(ctx, func() bool { return false })
	if err != nil {
		l.Unproved = why(ctx, err)
		return
	}
	m, _ := c.Grams.Dims()
	solver := mkl.Subspace{Landmarks: min(max(c.points()/200, 250), 500), Seed: o.seed}
	need := func(r int) float64 { // bytes: of some 16 passes too
		n, columns := float64(c.points()), float64(len(c.Y)/c.points())
		coordinates := float64(m) * (float64(r) + 16*columns)
		return 8*n*(coordinates+float64(r)+float64(m)*(3*columns+1)) + 24*coordinates*coordinates
	}
	for solver.Landmarks > fewestLandmarks && need(solver.Landmarks) > o.bytes {
		solver.Landmarks -= 10
	}
	left := time.Duration(o.seconds*float64(time.Second)) - time.Since(began) - c.pass
	switch {
	case need(solver.Landmarks) > o.bytes:
		l.Unproved = fmt.Sprintf("the full solve needs %.2g GB (WithBudget)", need(solver.Landmarks)/1e9)
		return
	case left < c.pass:
		l.Unproved = fmt.Sprintf("a pass over all points takes about %.2g s, and the full solve several (WithBudget)",
			c.pass.Seconds())
		return
	}
	within, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	r, err := mkl.Solve(within, c.Problem, solver, &mkl.Settings{Gap: gap})
	if err != nil {
		l.Unproved = why(ctx, err)
		return
	}
	whole := *c
	whole.theta, whole.w = r.Theta, r.W
	value, err := whole.certify(ctx, func() bool { return false })
	if err == nil && value.Upper < of.Upper {
		of = value
		next := c.model(l, r)
		next.Note, next.Sigmoids = l.Model.Note, l.Model.Sigmoids
		l.Model, l.Result, l.Landmarks = next, r, 0
	}
	of.Kind, of.Lower, of.By = r.Kind, r.Lower, r.By
	l.Proof = &of
	if r.Status != mkl.Certified {
		l.Warnings = append(l.Warnings, "WithBudget: "+short(r.Trace, gap))
	}
}

// short says of a run that did not come to the gap what more it takes.
func short(t mkl.Trace, gap float64) string {
	var gaps []float64 // relative, of the passes
	best := math.Inf(1)
	for _, row := range t {
		if best = math.Min(best, row.Upper); row.Iter > 0 {
			gaps = append(gaps, (best-row.Lower)/best)
		}
	}
	k := len(gaps)
	if k == 0 {
		return "the full solve ended before its first pass."
	}
	last := t[len(t)-1]
	s := fmt.Sprintf("the full solve ended after %d passes in %.2g s with a relative gap of %.2g", k,
		last.Elapsed.Seconds(), gaps[k-1])
	if k < 2 || !(gaps[k-1] < gaps[k-2]) {
		return s + "."
	}
	fall := gaps[k-1] / gaps[k-2]
	more := math.Ceil(math.Log(gap/gaps[k-1]) / math.Log(fall))
	return s + fmt.Sprintf(", the last pass to %.2g of that before; at that rate %.0f more, %.2g s, come to %.2g. "+
		"More points, a smaller λ or another family take more: a late pass divides the gap by what falls with n/λ.",
		fall, more, more*last.Elapsed.Seconds()/float64(k), gap)
}
