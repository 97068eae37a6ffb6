package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// svmTasks returns tasks that train support vector machines on a precomputed Gram matrix.
func svmTasks() (all []task) {
	addTask := func(kind string, rbf bool, n int, c float64) {
		name := map[bool]string{true: "RBF", false: "linear"}[rbf]
		all = append(all, task{name: fmt.Sprintf("svm %s n=%d %s C=%g", kind, n, name, c),
			description: "trains a support vector machine on a given kernel matrix; Go solves twice, to the " +
				"relative gap that scikit-learn reaches with tolerance 1e-3 and to 1e-10; gap: with the best bias",
			prepare: func(b *bench) *workload { return prepareSVM(b, kind, rbf, n, c) }})
	}
	for _, rbf := range []bool{true, false} {
		for _, n := range []int{200, 1000, 4000} {
			for _, c := range []float64{0.1, 1, 100} {
				addTask("classify", rbf, n, c)
			}
		}
	}
	addTask("regression", true, 4000, 100)
	return all
}

// simulateRegression simulates n points with 20 correlated, standardized features, and targets without noise that are a
// nonlinear function of them.
func simulateRegression(n int) (x points.Rows, y []float64) {
	const d = 20
	normalMatrix, mixingMatrix := mat.NewDense(n, d, normalNumbers(n*d, 21)), mat.NewDense(d, d, normalNumbers(d*d, 22))
	mixingMatrix.Scale(0.3, mixingMatrix)
	for j := range d {
		mixingMatrix.Set(j, j, mixingMatrix.At(j, j)+1)
	}
	var all mat.Dense
	all.Mul(normalMatrix, mixingMatrix)
	x, y = points.Rows{N: n, D: d, Data: all.RawMatrix().Data}, make([]float64, n)
	standardizeColumns(x)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0]*p[1] + math.Sin(2*p[2]) + 0.8*p[3] - 0.5*p[4]*p[4] + 0.5
	}
	return x, y
}

// standardize shifts and scales v in place to mean 0 and mean square 1, and returns it.
func standardize(v []float64) []float64 {
	mean, sd := stat.PopMeanStdDev(v, nil)
	for i, x := range v {
		v[i] = (x - mean) / sd
	}
	return v
}

// standardizeColumns standardizes each feature of x in place.
func standardizeColumns(x points.Rows) {
	table := mat.NewDense(x.N, x.D, x.Data)
	for j := range x.D {
		table.SetCol(j, standardize(mat.Col(nil, j, table)))
	}
}

func prepareSVM(b *bench, problemKind string, isRBF bool, n int, c float64) *workload {
	const d, tolerance, epsilon = 20, 1e-3, 0.1
	x, y := simulateRegression(n)
	noise, kernelMatrix := normalNumbers(n, 23), make([]float64, n*n)
	if isRBF {
		kernelMatrix = rbfMatrix(1./d, x, x)
	} else {
		linalg.ThreadLimit(0).Syrk(false, n, d, 1./d, x.Data, d, 0, kernelMatrix, n)
	}
	copyUpperToLower(n, kernelMatrix)
	args := map[string]any{"C": c, "tol": tolerance}
	var l loss.Loss = loss.Hinge{C: c}
	program := "svc"
	if problemKind == "regression" {
		l, program, args["epsilon"] = loss.EpsilonInsensitive{C: c, Epsilon: epsilon}, "svr", epsilon
		floats.AddScaled(standardize(y), 0.3, noise)
	} else {
		for i := range y {
			y[i] = math.Copysign(1, y[i]+0.7*noise[i])
		}
	}
	g := kernel.DenseMatrix(mat.NewSymDense(n, kernelMatrix))
	var s loss.Solution
	return b.addPeerAndSolvers(peer{env: "numpy", program: program, label: "scikit-learn " + program}, &workload{
		input: map[string]mat.Matrix{"K": mat.NewDense(n, n, kernelMatrix), "y": newVector(y)},
		args:  args,
		evaluate: func(w, _ []float64) Quality {
			s := loss.Solution{W: w}
			l.Evaluate(&s, g, y, nil)
			q := Quality{"gap": s.Gap(), "off": math.Abs(floats.Sum(w)) / floats.Norm(w, 1)}
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

// addPeerAndSolvers adds the Python program p and two implementations in Go to w, and returns w. The first solves to
// the relative gap that p reaches, the second to 1e-10. lastAnswer returns the coefficients that solveToGap found.
func (b *bench) addPeerAndSolvers(p peer, w *workload, solveToGap func(gap float64) error,
	lastAnswer func() []float64) *workload {
	peerGap := 1e-3
	if peerAnswer, err := b.callPeer(w.input, w.args, p); err == nil { // otherwise the row of the peer reports err
		peerGap = max(w.evaluate(peerAnswer, nil)["gap"], 1e-12)
	}
	solveTo := func(gap float64, label string) implementation {
		return newGoImplementation(label, func() error { return solveToGap(gap) }, lastAnswer)
	}
	w.goImplementations = []implementation{solveTo(peerGap, fmt.Sprintf("Go, to %.1e", peerGap)),
		solveTo(1e-10, "Go, to 1e-10")}
	w.peers = []peer{p}
	return w
}
