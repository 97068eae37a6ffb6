package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
)

// fewestLandmarks is how many the full solve begins with at least.
const fewestLandmarks = 50

// solve solves the problem of all points and says what it lacks for that, or for the gap. F of the model is that of w
// of the result, which is more than the result's own by some gaps: the run ends where that has come to the gap asked
// for, and a pass or two prove it.
func (o *options) solve(ctx context.Context, c *claim, l *Learned, until time.Time) string {
	gap := 1e-3
	if o.given["WithGap"] {
		gap = o.gap
	}
	m, n := c.Grams.Dims()
	solver := mkl.Subspace{Landmarks: min(max(n/200, 250), 500), Seed: o.seed}
	need := func(r int) float64 { // bytes, of some 16 passes too: 0.37 GB of 9 kernels and 5,000 points, 0.71 of 20,000
		n, columns := float64(n), float64(len(c.Y)/n)
		coordinates := float64(m) * (float64(r) + 16*columns)
		return 8*n*(coordinates+float64(r)+float64(m)*(3*columns+1)) + 48*coordinates*coordinates
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
	var over []float64     // F of the model after each pass above the minimum, as a part of it, by what is proved
	var theta, w []float64 // of the least F of a model: the solver's best, by a bound, may be of another pass
	began, f, best := time.Now(), make([]float64, len(c.Y)), math.Inf(1)
	watch := func(it *mkl.Iterate) bool {
		so := ""
		if it.K > 0 {
			it.Gram.(kernel.MatrixFree).Times(f, it.W) // no pass: the step has made it
			d := floats.Distance(c.Y, f, 2)
			value := it.WKW/2 + d*d/(2*l.Lambda)
			over, so = append(over, value/it.Lower-1), "; F is "+above(value, it.Lower)+" its minimum"
			if value < best {
				best, theta, w = value, slices.Clone(it.Theta), slices.Clone(it.W)
			}
		}
		o.doing(fmt.Sprintf("pass %d over all %d points%s", it.K+1, n, so), time.Until(until))
		return it.K > 0 && over[it.K-1] <= gap
	}
	r, err := mkl.Solve(within, c.Problem, solver, &mkl.Settings{Gap: gap / 1000, Watch: watch})
	switch {
	case err != nil:
		return err.Error()
	case len(over) == 0:
		return "the full solve ended before its first pass. The model is of landmarks."
	}
	if r.Lower > l.Proof.Lower {
		l.Proof.Kind, l.Proof.Lower, l.Proof.By = r.Kind, r.Lower, r.By
	}
	said := ""
	if last := over[len(over)-1]; last > gap {
		said = short(over, time.Since(began), gap)
	} else {
		r.Status = mkl.Certified
	}
	value, err := c.CertifyAt(ctx, theta, w)
	if err != nil || value.Upper >= l.Proof.Upper {
		return strings.TrimSpace(said + " The model is of landmarks: its F is less, or that of all points not known.")
	}
	value.Lower = math.Max(value.Lower, l.Proof.Lower)
	r.Theta, r.Kernel, r.W, r.F, r.Certificate = theta, theta, w, best, value
	next := c.model(l, r)
	next.Note, next.Sigmoids = fmt.Sprintf("%s; %v; %v", c.note, r.Status, r.Proof()), l.Model.Sigmoids
	l.Model, l.Result, l.Landmarks, l.Proof = next, r, 0, &value
	l.Defaults = append(l.Defaults, Default{"model", fmt.Sprintf("of all %d points, by %v; landmarks are what "+
		"constants were chosen and methods compared with", n, solver), "WithBudget"})
	return said
}

// short says of a run that did not come to the gap what more it takes, by what its passes left of F above its minimum:
// of 5,000 points sixteen passes left .3 to .6 each of that before.
func short(over []float64, elapsed time.Duration, gap float64) string {
	k := len(over)
	s := fmt.Sprintf("the full solve ended after %d passes in %.2g s, F at most %.2g %% above its minimum", k,
		elapsed.Seconds(), 100*over[k-1])
	if k < 2 || !(over[k-1] < over[k-2]) {
		return s + "."
	}
	fall := over[k-1] / over[k-2]
	more := math.Ceil(math.Log(gap/over[k-1]) / math.Log(fall))
	return s + fmt.Sprintf(", the last pass to %.2g of that before; at that rate %.0f more, %.2g s, come to %.2g %%. "+
		"More points, a smaller λ or another family take more: a late pass divides the gap by what falls with n/λ.",
		fall, more, more*elapsed.Seconds()/float64(k), 100*gap)
}
