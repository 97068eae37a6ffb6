package study

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/mkl"
)

// fewestLandmarks is how many the full solve begins with at least.
const fewestLandmarks = 50

// solve solves the problem of all points and says what it lacks for that, or for the gap. F of the model is that of w
// of the result, which is more than the result's own by a few gaps: it takes a pass or two to know it.
func (o *options) solve(ctx context.Context, c *claim, l *Learned, until time.Time) string {
	gap := 1e-3
	if o.given["WithGap"] {
		gap = o.gap
	}
	m, n := c.Grams.Dims()
	solver := mkl.Subspace{Landmarks: min(max(n/200, 250), 500), Seed: o.seed}
	need := func(r int) float64 { // bytes: of some 16 passes too
		n, columns := float64(n), float64(len(c.Y)/n)
		coordinates := float64(m) * (float64(r) + 16*columns)
		return 8*n*(coordinates+float64(r)+float64(m)*(3*columns+1)) + 24*coordinates*coordinates
	}
	for solver.Landmarks > fewestLandmarks && need(solver.Landmarks) > o.bytes {
		solver.Landmarks -= 10
	}
	until = until.Add(-2 * c.pass) // for the model's F
	switch {
	case need(solver.Landmarks) > o.bytes:
		return fmt.Sprintf("the full solve needs %.2g GB. The model is of landmarks.", need(solver.Landmarks)/1e9)
	case time.Until(until) < c.pass:
		return fmt.Sprintf("a pass over all points takes about %.2g s, and the full solve several. The model is of "+
			"landmarks.", c.pass.Seconds())
	}
	within, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	r, err := mkl.Solve(within, c.Problem, solver, &mkl.Settings{Gap: gap, Watch: func(it *mkl.Iterate) bool {
		so := ""
		if it.K > 0 {
			so = fmt.Sprintf("; relative gap %.2g, wanted %.2g", it.Gap(), gap)
		}
		o.doing(fmt.Sprintf("pass %d over all %d points%s", it.K+1, n, so), time.Until(until))
		return false
	}})
	switch {
	case err != nil:
		return err.Error()
	case len(r.Trace) < 2:
		return short(r.Trace, gap) + " The model is of landmarks."
	}
	if r.Lower > l.Proof.Lower {
		l.Proof.Kind, l.Proof.Lower, l.Proof.By = r.Kind, r.Lower, r.By
	}
	said := ""
	if r.Status != mkl.Certified {
		said = short(r.Trace, gap)
	}
	value, err := c.CertifyAt(ctx, r.Theta, r.W)
	if err != nil || value.Upper >= l.Proof.Upper {
		return strings.TrimSpace(said + " The model is of landmarks: its F is less, or that of all points not known.")
	}
	value.Lower = math.Max(value.Lower, l.Proof.Lower)
	next := c.model(l, r)
	next.Note, next.Sigmoids = fmt.Sprintf("%s; %v; %v", c.note, r.Status, r.Proof()), l.Model.Sigmoids
	l.Model, l.Result, l.Landmarks, l.Proof = next, r, 0, &value
	return said
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
