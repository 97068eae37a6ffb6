package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// svmTasks train support vector machines on a Gram that is given.
func svmTasks() (all []task) {
	add := func(kind string, rbf bool, n int, c float64) {
		name := "linear"
		if rbf {
			name = "RBF"
		}
		all = append(all, task{name: fmt.Sprintf("svm %s n=%d %s C=%g", kind, n, name, c),
			about: "K given, of 20 simulated features: Go to the relative gap at which scikit-learn, tolerance 1e-3, ends, and to 1e-10; gap: with the best bias, " +
				"in doubled precision; rounding: what the certificate adds to it",
			make: func(ctx context.Context, b *bench) (*work, error) { return svm(ctx, b, kind, rbf, n, c) }})
	}
	for _, rbf := range []bool{true, false} {
		for _, n := range []int{200, 1000, 4000} {
			for _, c := range []float64{0.1, 1, 100} {
				add("classify", rbf, n, c)
			}
		}
	}
	add("regression", true, 4000, 100)
	for _, c := range []float64{1, 100} {
		all = append(all, task{name: fmt.Sprintf("svm digits C=%g", c), make: func(ctx context.Context, b *bench) (*work, error) { return digits(ctx, b, c) },
			about: "the 1797 digits that scikit-learn brings, ten classes, one against one: the making of the Gram, RBF with γ = 1/(64·variance), and 45 machines, " +
				"to the relative gap of all together at which scikit-learn, tolerance 1e-3, ends, and to 1e-10"})
	}
	return all
}

// machines simulates 20 correlated, standardised features and noisy targets of them.
func machines(n int) (x kernel.Rows, y []float64) {
	const d = 20
	raw, mix := mat.NewDense(n, d, normal(n*d, 21)), mat.NewDense(d, d, normal(d*d, 22))
	mix.Scale(0.3, mix)
	for j := range d {
		mix.Set(j, j, mix.At(j, j)+1)
	}
	var all mat.Dense
	all.Mul(raw, mix)
	for j := range d {
		column := mat.Col(nil, j, &all)
		floats.AddConst(-floats.Sum(column)/float64(n), column)
		floats.Scale(math.Sqrt(float64(n))/floats.Norm(column, 2), column)
		all.SetCol(j, column)
	}
	x, y = kernel.Rows{N: n, D: d, Data: all.RawMatrix().Data}, make([]float64, n)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0]*p[1] + math.Sin(2*p[2]) + 0.8*p[3] - 0.5*p[4]*p[4] + 0.5
	}
	return x, y
}

func svm(ctx context.Context, b *bench, kind string, isRBF bool, n int, c float64) (*work, error) {
	const d, tolerance, epsilon, tight = 20, 1e-3, 0.1, 1e-10
	x, y := machines(n)
	noise, a := normal(n, 23), make([]float64, n*n)
	if isRBF {
		a = rbf(1./d, x, x)
	} else {
		linalg.Syrk(false, n, d, 1./d, x.Data, d, 0, a, n)
	}
	mirror(n, a)
	args := map[string]any{"C": c, "tol": tolerance}
	var l loss.Loss = loss.Hinge{C: c}
	program := "svc"
	if kind == "regression" {
		l, program, args["epsilon"] = loss.Insensitive{C: c, Epsilon: epsilon}, "svr", epsilon
		floats.AddConst(-floats.Sum(y)/float64(n), y)
		floats.Scale(math.Sqrt(float64(n))/floats.Norm(y, 2), y)
		floats.AddScaled(y, 0.3, noise)
	} else {
		for i := range y {
			y[i] = math.Copysign(1, y[i]+0.7*noise[i])
		}
	}
	files, err := b.save("svm", map[string]array{"K": matrix(n, n, a), "y": vector(y)})
	if err != nil {
		return nil, err
	}
	g := given{mat.NewSymDense(n, a)}
	judge := func(w, _ []float64) Quality {
		if len(w) != n {
			return nil
		}
		s := loss.Solution{W: w}
		l.Judge(&s, g, y, nil)
		hidden := s.Rounding.Lin + s.Rounding.Quad/2 + s.Rounding.WKW/2 + s.Rounding.Primal
		l.Judge(&s, g, y, doubled(n, a, w))
		support := 0.0
		for _, v := range w {
			if v != 0 {
				support++
			}
		}
		return Quality{"gap": s.Gap(), "rounding": loss.Relative(hidden, s.Primal), "support": support, "off": math.Abs(floats.Sum(w)) / floats.Norm(w, 1)}
	}
	peers := b.against(files, args, peer{env: "numpy", program: program, label: "scikit-learn " + program})
	goal, err := endOf(ctx, peers, judge, tolerance)
	if err != nil {
		return nil, err
	}
	side := func(label string, tol float64) entry {
		var s loss.Solution
		return ours(label, func() error {
			s.W = s.W[:0] // from no start
			return l.Solve(ctx, &s, g, y, tol)
		}, func() []float64 { return s.W })
	}
	return &work{sides: append([]entry{side(fmt.Sprintf("Go, to %.1e", goal), goal), side("Go, to 1e-10", tight)}, peers...), judge: judge}, nil
}

// digits trains a machine for each pair of ten classes. Both sides make the Gram; libsvm makes the rows it
// looks at, and has one thread.
func digits(ctx context.Context, b *bench, c float64) (*work, error) {
	const n, d, classes, tolerance, tight = 1797, 64, 10, 1e-3, 1e-10
	raw, err := b.asked(ctx, peer{env: "numpy", program: "digits"})
	if err != nil {
		return nil, fmt.Errorf("the digits are those of scikit-learn: %w", err)
	}
	if len(raw) != n*(d+1) {
		return nil, fmt.Errorf("bench: %d numbers of digits, want %d of %d points", len(raw), n*(d+1), n)
	}
	x, labels := kernel.Rows{N: n, D: d, Data: make([]float64, 0, n*d)}, make([]float64, n)
	code := model.Code{Classes: classes, Pairs: true}
	y, at := make([]float64, n*code.Columns()), make([]float64, code.Columns())
	for i := range n {
		x.Data = append(x.Data, raw[i*(d+1):i*(d+1)+d]...)
		labels[i] = raw[i*(d+1)+d]
		code.Encode(at, labels[i])
		for j, v := range at {
			y[j*n+i] = v
		}
	}
	files, err := b.save("digits", map[string]array{"X": matrix(n, d, x.Data), "y": vector(labels)})
	if err != nil {
		return nil, err
	}
	family := kernel.List{kernel.RBF{Gamma: 1 / (d * stat.PopVariance(x.Data, nil))}}
	gram := func() kernel.Gram {
		g := family.On(x).New()
		g.At([]float64{1})
		return g
	}
	l, g := loss.In(loss.Hinge{C: c}, code.Columns()), gram()
	judge := func(w, _ []float64) Quality {
		if len(w) != len(y) {
			return nil
		}
		s := loss.Solution{W: slices.Clone(w)}
		l.Judge(&s, g, y, nil)
		hidden := s.Rounding.Lin + s.Rounding.Quad/2 + s.Rounding.WKW/2 + s.Rounding.Primal
		return Quality{"gap": s.Gap(), "rounding": loss.Relative(hidden, s.Primal)}
	}
	peers := b.against(files, map[string]any{"C": c, "gamma": "scale", "tol": tolerance}, peer{env: "numpy", program: "svc_pairs", label: "scikit-learn SVC"})
	goal, err := endOf(ctx, peers, judge, tolerance)
	if err != nil {
		return nil, err
	}
	side := func(label string, tol float64) entry {
		var s loss.Solution
		return ours(label, func() error {
			s = loss.Solution{} // from no start
			return l.Solve(ctx, &s, gram(), y, tol)
		}, func() []float64 { return s.W })
	}
	return &work{sides: append([]entry{side(fmt.Sprintf("Go, to %.1e", goal), goal), side("Go, to 1e-10", tight)}, peers...), judge: judge}, nil
}

// asked is what one program of a peer answers without an input.
func (b *bench) asked(ctx context.Context, p peer) ([]float64, error) {
	entries := b.against(map[string]string{}, nil, p)
	if len(entries) == 0 {
		return nil, fmt.Errorf("-peers leaves %s out", p.env)
	}
	s, err := entries[0].start(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if _, err := s.time(ctx, 1); err != nil {
		return nil, err
	}
	return s.result(ctx)
}

// endOf is the gap at which the first of the peers ends, or other where there is none.
func endOf(ctx context.Context, peers []entry, judge func(w, _ []float64) Quality, other float64) (float64, error) {
	if len(peers) == 0 {
		return other, nil
	}
	s, err := peers[0].start(ctx, 1)
	if err != nil {
		return other, nil // its row says why
	}
	defer s.close()
	if _, err := s.time(ctx, 1); err != nil {
		return 0, err
	}
	w, err := s.result(ctx)
	if err != nil {
		return 0, err
	}
	gap := judge(w, nil)["gap"]
	if !(gap > 0) {
		gap = 1e-12 // as good as exact
	}
	return max(gap, 1e-12), nil
}

// doubled is Ax as if computed with twice the digits: each product and each sum with its error.
func doubled(n int, a, x []float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		s, lost := 0.0, 0.0
		for j, v := range a[i*n : (i+1)*n] {
			p := v * x[j]
			lost += math.FMA(v, x[j], -p)
			t := s + p
			z := t - s
			lost += (s - (t - z)) + (p - z)
			s = t
		}
		y[i] = s + lost
	}
	return y
}
