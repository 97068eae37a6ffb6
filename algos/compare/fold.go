package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// fold is one split of a problem, on which a grid is evaluated.
type fold struct {
	grams  kernel.Grams  // of all points
	x      points.Points // all points
	y      []float64     // labels or numbers; several targets column after column, divided by scales
	scales []float64     // standard deviations of several targets in the training part; nil for one target
	log    bool          // numbers are logarithms (data.Dataset.Log): scores are computed from their exp
	code   model.TargetEncoding
	split  Split
	centre bool // see columns

	landmarks []int // points of the training part that the weights are learned on; nil: all of it
	restarts  bool  // store θ: see Selection.Restarts
}

// on returns the problem of b on a split.
func (r *Session) on(b *grid, s Split) *fold {
	f := &fold{grams: b.grams, x: r.Data.X, y: r.all, code: b.code, split: s, centre: r.CentreTargets,
		restarts: r.Selection.Restarts, log: r.Data.Log}
	if b.code.Targets == 0 {
		return f
	}
	f.y = slices.Clone(r.all)
	for y := range slices.Chunk(f.y, len(r.Data.Y)) {
		scale := stat.PopStdDev(points.Pick(y, s.Train), nil)
		if !(scale > 0) {
			scale = 1
		}
		f.scales = append(f.scales, scale)
		for i := range y {
			y[i] /= scale
		}
	}
	return f
}

// unscale converts numbers of the targets, column after column, to the units of the data.
func (f *fold) unscale(x []float64) {
	n := len(x) / f.code.Columns()
	for j, s := range f.scales {
		floats.Scale(s, x[j*n:(j+1)*n])
	}
}

// fold returns the fold of a split on which a candidate of b is fitted, with landmarks if it needs them.
func (r *Session) fold(b *grid, s Split, seed uint64) (*fold, error) {
	f := r.on(b, s)
	n := len(s.Train)
	if _, squared := b.path.Loss.(loss.Squared); r.Landmarks == 0 || n <= r.Landmarks || !squared ||
		HasFewFeatures(b.grams, r.Landmarks) {
		return f, nil
	}
	some, err := draw(points.Pick(r.Data.Y, s.Train), r.Landmarks, seed)
	if err != nil {
		return nil, fmt.Errorf("compare: %d landmarks of %d points: %w", r.Landmarks, n, err)
	}
	f.landmarks = points.Pick(s.Train, some)
	return f, nil
}

// share returns the share of landmarks in the training points, p/n; 1 if there are no landmarks. With λp/n, the errors
// of p points have the same influence as the errors of n points have with λ, and θ is the solution of the same problem
// on fewer points.
func (f *fold) share() float64 { return float64(len(f.base())) / float64(len(f.split.Train)) }

// base returns the points that the weights are learned on.
func (f *fold) base() []int {
	if f.landmarks != nil {
		return f.landmarks
	}
	return f.split.Train
}

// problem returns the learning problem of the fold with a loss and without a set. offsets are the constants that were
// subtracted from its targets.
func (f *fold) problem(l loss.Loss) (p *mkl.Problem, offsets []float64, err error) {
	p, err = (&mkl.Problem{Grams: f.grams, Y: f.y}).Slice(f.base())
	if err == nil {
		p.Y, offsets, err = columns(p.Y, f.code, l, f.centre)
	}
	return p, offsets, err
}

// sliced returns b for the training part. Point weights of the loss are reduced to the points of this part. If θ is a
// matrix between points, sets and regularizers are adapted to these points.
func (f *fold) sliced(b *grid) *grid {
	part := *b
	part.path.Loss = b.path.Loss.Slice(f.split.Train)
	part.others = slices.Clone(b.others)
	whole, _ := f.grams.Dims()
	own := 0 // number of parameters of the training part, computed only if needed
	for i := range part.others {
		c := &part.others[i]
		resized := c.Set != nil && c.Set.Traits().Spectraplex()
		if !resized && c.Reg == nil {
			continue
		}
		if own == 0 {
			own, _ = f.grams.Slice(f.base()).Dims()
		}
		if own == whole {
			continue
		}
		if resized {
			c.Set = set.Resize(c.Set, whole, own)
		}
		if c.Reg != nil {
			c.Reg = c.Reg.Slice(f.base())
		}
	}
	return &part
}

// selectSingles returns f and b for a family of only those kernels that the candidates of b select one at a time, in
// the order of the candidates. So no other matrices are computed. It returns f and b unchanged if a candidate is of
// another kind, or if slices share matrices that are computed once.
func (f *fold) selectSingles(m *Method, b *grid) (*fold, *grid) {
	if !kernel.Refits(m.Family) {
		return f, b
	}
	all := len(kernel.KernelsOf(m.Family))
	var used []int
	part, some := *f, *b
	some.others = slices.Clone(b.others)
	for i := range some.others {
		o := &some.others[i]
		only, single := o.Rule.(SingleKernel)
		if !single || only.Kernel < 0 || only.Kernel >= all || o.Set == nil || !o.Set.Traits().Simplex() ||
			o.Reg != nil {
			return f, b
		}
		used, o.Rule = append(used, only.Kernel), SingleKernel{i}
	}
	family, _ := kernel.Select(m.Family, used)
	part.grams = family.On(f.x).Threads(1)
	return &part, &some
}

// weights returns the weights that a loss for all points gives to the given points; 1 if it has no weights.
func (f *fold) weights(l loss.Loss, rows []int) []float64 {
	if l, ok := l.(loss.Weighted); ok && l.PointWeights() != nil {
		return points.Pick(l.PointWeights(), rows)
	}
	return slices.Repeat([]float64{1}, len(rows))
}

// labels returns the targets of the given points, column after column.
func (f *fold) labels(rows []int) []float64 {
	var part []float64
	for y := range slices.Chunk(f.y, len(f.y)/max(f.code.Targets, 1)) {
		part = append(part, points.Pick(y, rows)...)
	}
	return part
}

// scorer returns a function that adds the errors of predictions out of some points, column after column, to a cell.
// With a weighted loss, a point counts by its weight.
func (f *fold) scorer(b *grid, rows []int) func(cell *Cell, out []float64) {
	y, n, c := f.labels(rows), len(rows), f.code.Columns()
	targets, at := f.code.EncodeAll(y), make([]float64, c)
	weight := f.weights(b.path.Loss, rows)
	own, scored := b.path.Loss.(loss.Scored)
	return func(cell *Cell, out []float64) {
		for i := range n {
			sum, score, there := 0.0, 0.0, 0.0
			for j := range at {
				at[j] = out[j*n+i]
				if t := targets[j*n+i]; !math.IsNaN(t) {
					sum += (at[j] - t) * (at[j] - t)
					there++
					if scored {
						score += own.Score(at[j], t)
					}
				}
			}
			cell.add(weight[i], sum/there, score/there, f.code.Classes > 0 && f.code.Decide(at) != f.code.Class(y[i]))
		}
	}
}

// tried returns the errors of m's grid on f: one cell for each candidate of b.others and each of the given values of
// the path, in this order.
func (f *fold) tried(ctx context.Context, m *Method, b *grid, values []float64) ([]Cell, error) {
	full := b
	f, b = f.selectSingles(m, f.sliced(b))
	p, offsets, err := f.problem(b.path.Loss)
	one := errors.Is(err, errOneClass)
	if err != nil && !one {
		return nil, err
	}
	cells := make([]Cell, len(b.others)*len(values))
	for i := range cells {
		cells[i].Value, cells[i].Label = values[i%len(values)], b.others[i/len(values)].Label
	}
	loo, rows := len(f.split.Test) == 0, f.split.Test
	if loo {
		rows = f.split.Train
	}
	out, score := make([]float64, len(rows)*len(offsets)), f.scorer(full, rows)
	if one {
		out = f.constant(b, 0, offsets, &Run{})
		for i := range cells {
			score(&cells[i], out)
		}
		return cells, nil
	}
	var pred *predictor
	if !loo {
		pred = newPredictor(f.grams.Block(f.split.Test, f.split.Train), len(rows), len(f.split.Train))
	}
	for a, err := range walk(ctx, p, b, values, m.solver(), m.settings()) {
		if err != nil {
			return nil, err
		}
		cell := &cells[a.other*len(values)+a.at]
		if a.failed() {
			cell.Failed++
			continue
		}
		if a.Status.Unfinished() {
			cell.Early++
		}
		if f.restarts && a.Rule == nil && a.Kind == mkl.FirstOrder {
			cell.Starts = [][]float64{slices.Clone(a.Theta)}
		}
		if !loo {
			pred.predict(out, a.Result, offsets)
		} else if err := a.leaveOneOut(ctx, out, offsets); err != nil {
			return nil, err
		}
		score(cell, out)
		cell.Shift = quantileShift(full.path.Loss, out, f.code.EncodeAll(f.labels(rows)),
			f.weights(full.path.Loss, rows), len(offsets))
	}
	return cells, nil
}

// final fits the only candidate at one value of the path and scores it on the test points.
func (f *fold) final(ctx context.Context, m *Method, b *grid, value float64, res *Run) error {
	out, err := f.decisions(ctx, m, b, value, res)
	if err == nil {
		y := f.labels(f.split.Test)
		f.unscale(out)
		f.unscale(y)
		for i := range out {
			if f.log {
				out[i], y[i] = math.Exp(out[i]), math.Exp(y[i])
			}
		}
		res.Score = model.Measure(out, y, f.code)
		AddLoss(&res.Score, b.path.Loss, out, f.code.EncodeAll(y))
	}
	return err
}

// decisions fits the only candidate at one value of the path and returns its values at the test points, column after
// column. It stores in res how the candidate was fitted.
func (f *fold) decisions(ctx context.Context, m *Method, b *grid, value float64, res *Run) (out []float64, err error) {
	only, _ := b.others[0].Rule.(SingleKernel)
	part, b := f.selectSingles(m, f.sliced(b))
	a, offsets, err := part.fitted(ctx, m, b, value)
	if errors.Is(err, errOneClass) {
		return f.constant(b, value, offsets, res), nil
	}
	if err != nil {
		return nil, err
	}
	test := f.split.Test
	out = make([]float64, len(test)*len(offsets))
	part.predict(out, a.Result, b.shifted(offsets))
	for i, v := range out {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the prediction for point %d is %g", test[i%len(test)]+1, v)
		}
	}
	res.Constant, res.Value, res.Label = a.Constant, value, a.Label
	res.Theta = slices.Clone(a.Theta)
	if part != f {
		count, _ := f.grams.Dims()
		res.Theta = make([]float64, count)
		res.Theta[only.Kernel] = a.Theta[0]
	}
	res.Status, res.Kind = a.Status, a.Kind
	switch {
	case a.Rule != nil:
	case a.Kind == mkl.Global:
		res.Gap = math.Max(a.RelativeGap(), 0)
	case a.Residual > 0:
		res.Gap = a.Residual / math.Abs(a.Upper)
	}
	return out, nil
}

// fitted solves the only candidate of b, which is sliced, at one value of its path. If there are landmarks, their dual
// coefficients are fitted to all training points. offsets are the constants that the columns add. If the training
// points are of one class, the error is errOneClass.
func (f *fold) fitted(ctx context.Context, m *Method, b *grid, value float64) (a *answer, offsets []float64,
	err error) {
	p, offsets, err := f.problem(b.path.Loss)
	if err != nil {
		return nil, offsets, err
	}
	for a, err = range walk(ctx, p, b, []float64{value * f.share()}, m.solver(), m.settings()) {
		if err != nil {
			return nil, nil, err
		}
	}
	if a.failed() {
		return nil, nil, fmt.Errorf("K(θ) + λI is not positive definite with %v", a.Loss)
	}
	if f.landmarks != nil {
		a.W, offsets, err = f.fitAll(ctx, p.Grams, a.Kernel, value)
	}
	return a, offsets, err
}

// model returns the model of a fit to a fold of d: the weights of r, dual coefficients w and constants of its columns.
func (f *fold) model(d *data.Dataset, family kernel.Family, r *mkl.Result, w, offsets []float64) *model.Model {
	m := newModel(d, family, r, f.code)
	m.X, m.W = d.X.Slice(f.base()), slices.Clone(w)
	if n := len(f.split.Train); m.X.Len() < n {
		m.Points, m.Landmarks = n, true
	}
	bias := slices.Clone(biases(r)) // 0 for the squared loss, which is the only one with landmarks
	for _, x := range [][]float64{m.W, bias, offsets} {
		f.unscale(x)
	}
	shift(m, bias, offsets)
	return m
}

// predict stores the predictions for the test points in out. It takes some points at a time, so that at most 2²¹
// entries of the matrix between them and the base are in memory at once, or one row if the base is larger.
func (f *fold) predict(out []float64, r *mkl.Result, offsets []float64) {
	test, base := f.split.Test, f.base()
	size := min(max((1<<21)/len(base), 1), len(test))
	k := make([]float64, size*len(base))
	for from := 0; from < len(test); from += size {
		rows := test[from:min(from+size, len(test))]
		part := out
		if len(rows) < len(test) {
			part = make([]float64, len(rows)*len(offsets))
		}
		p := predictor{cross: f.grams.Block(rows, base),
			k: mat.NewDense(len(rows), len(base), k[:len(rows)*len(base)])}
		p.predict(part, r, offsets)
		if len(rows) < len(test) {
			for j := range offsets {
				copy(out[j*len(test)+from:], part[j*len(rows):(j+1)*len(rows)])
			}
		}
	}
}

// errOneClass is returned for points of one class: only the offsets can be learned.
var errOneClass = errors.New("all training points have one class; at least two classes are needed")

// constant returns the values at the test points if all training points are of one class: the offsets.
func (f *fold) constant(b *grid, value float64, offsets []float64, res *Run) []float64 {
	m, _ := f.grams.Dims()
	res.Constant, res.Value, res.Label = b.path.Hyperparameter(), value, b.others[0].Label
	res.Theta, res.Status, res.Kind = make([]float64, m), mkl.Certified, mkl.Global
	out := make([]float64, 0, len(offsets)*len(f.split.Test))
	for _, v := range offsets {
		out = append(out, slices.Repeat([]float64{v}, len(f.split.Test))...)
	}
	return out
}
