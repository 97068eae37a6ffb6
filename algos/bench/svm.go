package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// svmTasks returns tasks that train support vector machines: on a precomputed Gram matrix, and one against one on the
// ten classes of the digits.
func svmTasks() (all []task) {
	add := func(kind string, rbf bool, n int, c float64) {
		name := map[bool]string{true: "RBF", false: "linear"}[rbf]
		all = append(all, task{name: fmt.Sprintf("svm %s n=%d %s C=%g", kind, n, name, c),
			about: "K given, of 20 simulated features: Go to the relative gap at which scikit-learn, tolerance 1e-3, " +
				"ends, and to 1e-10; gap: with the best bias, in doubled precision; rounding: what the certificate " +
				"adds to it",
			make: func(b *bench) *work { return svm(b, kind, rbf, n, c) }})
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
		all = append(all, task{name: fmt.Sprintf("svm digits C=%g", c),
			make: func(b *bench) *work { return digits(b, c) },
			about: "the 1797 digits that scikit-learn brings, ten classes, one against one: the making of the Gram, " +
				"RBF with γ = 1/(64·variance), and 45 machines, to the relative gap of all together at which " +
				"scikit-learn, tolerance 1e-3, ends, and to 1e-10"})
	}
	return all
}

// machines simulates 20 correlated, standardized features and targets that are a function of them. Callers add noise.
func machines(n int) (x points.Rows, y []float64) {
	const d = 20
	raw, mix := mat.NewDense(n, d, normal(n*d, 21)), mat.NewDense(d, d, normal(d*d, 22))
	mix.Scale(0.3, mix)
	for j := range d {
		mix.Set(j, j, mix.At(j, j)+1)
	}
	var all mat.Dense
	all.Mul(raw, mix)
	x, y = points.Rows{N: n, D: d, Data: all.RawMatrix().Data}, make([]float64, n)
	standardiseColumns(x)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0]*p[1] + math.Sin(2*p[2]) + 0.8*p[3] - 0.5*p[4]*p[4] + 0.5
	}
	return x, y
}

// standardised shifts and scales v in place to mean 0 and mean square 1, and returns it.
func standardised(v []float64) []float64 {
	mean, sd := stat.PopMeanStdDev(v, nil)
	for i, x := range v {
		v[i] = (x - mean) / sd
	}
	return v
}

// standardiseColumns standardizes each feature of x in place.
func standardiseColumns(x points.Rows) {
	all := mat.NewDense(x.N, x.D, x.Data)
	for j := range x.D {
		all.SetCol(j, standardised(mat.Col(nil, j, all)))
	}
}

func svm(b *bench, kind string, isRBF bool, n int, c float64) *work {
	const d, tolerance, epsilon = 20, 1e-3, 0.1
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
		l, program, args["epsilon"] = loss.EpsilonInsensitive{C: c, Epsilon: epsilon}, "svr", epsilon
		floats.AddScaled(standardised(y), 0.3, noise)
	} else {
		for i := range y {
			y[i] = math.Copysign(1, y[i]+0.7*noise[i])
		}
	}
	g := kernel.DenseMatrix(mat.NewSymDense(n, a))
	var s loss.Solution
	return b.toTheGapOf(peer{env: "numpy", program: program, label: "scikit-learn " + program}, &work{
		input: map[string]array{"K": matrix(n, n, a), "y": vector(y)},
		args:  args,
		judge: func(w, _ []float64) Quality {
			s := loss.Solution{W: w}
			l.Evaluate(&s, g, y, nil)
			hidden := s.Rounding.Linear + s.Rounding.Quadratic/2 + s.Rounding.WKW/2 + s.Rounding.Primal
			l.Evaluate(&s, g, y, doubled(n, a, w))
			q := Quality{"gap": s.Gap(), "rounding": loss.RelativeGap(hidden, s.Primal),
				"off": math.Abs(floats.Sum(w)) / floats.Norm(w, 1)}
			for _, v := range w {
				if v != 0 {
					q["support"]++
				}
			}
			return q
		},
	}, func(tol float64) error {
		s.W = s.W[:0] // cold start
		return l.Solve(b.ctx, &s, g, y, tol)
	}, func() []float64 { return s.W })
}

// toTheGapOf adds the peer p and two Go sides to w. One Go side solves to the gap that the peer reaches (1e-3 if the
// peer does not answer; at least 1e-12), the other to 1e-10. Call solves to a gap, and value returns its answer.
func (b *bench) toTheGapOf(p peer, w *work, call func(gap float64) error, value func() []float64) *work {
	goal := 1e-3
	if found, err := b.answerOf(w.input, w.args, p); err == nil { // the row of the peer reports an error
		goal = max(w.judge(found, nil)["gap"], 1e-12)
	}
	to := func(gap float64, label string) entry { return ours(label, func() error { return call(gap) }, value) }
	w.ours = []entry{to(goal, fmt.Sprintf("Go, to %.1e", goal)), to(1e-10, "Go, to 1e-10")}
	w.peers = []peer{p}
	return w
}

// digits trains a machine for each pair of ten classes. Both sides compute the Gram matrix. Libsvm computes only the
// rows that it uses, on one thread.
func digits(b *bench, c float64) *work {
	const n, d, classes = 1797, 64, 10
	raw := must(b.answerOf(nil, nil, peer{env: "numpy", program: "digits"}))
	x, labels := points.Rows{N: n, D: d, Data: make([]float64, 0, n*d)}, make([]float64, n)
	code := model.TargetEncoding{Classes: classes, Pairs: true}
	y, at := make([]float64, n*code.Columns()), make([]float64, code.Columns())
	for i := range n {
		point := raw[i*(d+1) : (i+1)*(d+1)]
		x.Data, labels[i] = append(x.Data, point[:d]...), point[d]
		code.Encode(at, labels[i])
		for j, v := range at {
			y[j*n+i] = v
		}
	}
	family := kernel.List{kernel.RBF{Gamma: 1 / (d * stat.PopVariance(x.Data, nil))}}
	gram := func() kernel.Gram {
		g := family.On(x).New()
		g.At([]float64{1})
		return g
	}
	l, judged := loss.Repeat(loss.Hinge{C: c}, code.Columns()), gram()
	var s loss.Solution
	return b.toTheGapOf(peer{env: "numpy", program: "svc_pairs", label: "scikit-learn SVC"}, &work{
		input: map[string]array{"X": matrix(n, d, x.Data), "y": vector(labels)},
		args:  map[string]any{"C": c, "gamma": "scale", "tol": 1e-3},
		judge: func(w, _ []float64) Quality {
			s := loss.Solution{W: slices.Clone(w)}
			l.Evaluate(&s, judged, y, nil)
			hidden := s.Rounding.Linear + s.Rounding.Quadratic/2 + s.Rounding.WKW/2 + s.Rounding.Primal
			return Quality{"gap": s.Gap(), "rounding": loss.RelativeGap(hidden, s.Primal)}
		},
	}, func(tol float64) error {
		s = loss.Solution{} // cold start
		return l.Solve(b.ctx, &s, gram(), y, tol)
	}, func() []float64 { return s.W })
}

// doubled returns Ax as if computed with twice the digits: it adds the rounding error of each product and each sum.
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
