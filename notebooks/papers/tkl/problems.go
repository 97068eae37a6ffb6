package tkl

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Problem is the learning of P, tr P = trace, for the labels of d, or for its numbers with ε = 0.1.
func Problem(d *data.Dataset, f tessellated.Family, trace, c float64) *mkl.Problem {
	p := &mkl.Problem{Grams: f.On(d.X), Set: set.Spectraplex{Trace: trace}, Loss: loss.Hinge{C: c}, Y: d.Y}
	if d.Classes == nil {
		p.Loss = loss.Insensitive{C: c, Epsilon: 0.1}
	}
	return p
}

// Some are n points of d, evenly chosen.
func Some(d *data.Dataset, n int) *data.Dataset {
	rows := make([]int, min(n, d.Len()))
	for i := range rows {
		rows[i] = i * d.Len() / len(rows)
	}
	s, err := d.Slice(rows)
	if err != nil {
		panic(err) // the rows are those of d
	}
	return s
}

// Circle are n points of the square [0,1]², labels by the side of a circle, a tenth of them wrong.
func Circle(n int, seed uint64) *data.Dataset {
	r := rand.New(rand.NewPCG(seed, 'c'))
	x := kernel.Rows{N: n, D: 2, Names: []string{"x1", "x2"}}
	var y []float64
	for range n {
		a, b := r.Float64(), r.Float64()
		v := math.Copysign(1, math.Hypot(a-0.5, b-0.5)-0.35)
		if r.Float64() < 0.1 {
			v = -v
		}
		x.Data, y = append(x.Data, a, b), append(y, v)
	}
	return &data.Dataset{Name: "circle", X: x, Y: y, Classes: []string{"in", "out"}}
}

// Step is x + sin x + 5 sign(x − 5), the curve of the toolbox's example.
func Step(x float64) float64 { return x + math.Sin(x) + 5*math.Copysign(1, x-5) }

// Jump are n noisy points of Step on [0, 10].
func Jump(n int, seed uint64) *data.Dataset {
	r := rand.New(rand.NewPCG(seed, 'j'))
	d := &data.Dataset{Name: "jump", Y: make([]float64, n)}
	x := kernel.Rows{N: n, D: 1, Data: make([]float64, n), Names: []string{"x"}}
	for i := range n {
		x.Data[i] = 10 * r.Float64()
		d.Y[i] = Step(x.Data[i]) + 0.5*r.NormFloat64()
	}
	d.X = x
	return d
}

// Predictor is a learned function.
type Predictor func(z kernel.Points) []float64

// Learn solves p to a relative gap of 1e-2 and returns what it predicts with.
func Learn(p *mkl.Problem, s mkl.Solver) (Predictor, *mkl.Result, error) {
	r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: 1e-2, Iterations: 200})
	if err != nil {
		return nil, nil, err
	}
	return func(z kernel.Points) []float64 { return predict(p.Grams, r, z) }, r, nil
}

// predict is f at new points.
func predict(g kernel.Grams, r *mkl.Result, z kernel.Points) []float64 {
	k := mat.NewDense(z.Len(), len(r.W), nil)
	g.Cross(z).Gram(k, r.Kernel)
	f := make([]float64, z.Len())
	for i := range f {
		f[i] = floats.Dot(k.RawRowView(i), r.W) + r.Bias
	}
	return f
}

// Arm is kin8nm where the reader's file is on this machine, else simulated points like it; said says
// which.
func Arm(n int) (d *data.Dataset, said string) {
	if d, err := data.Load("kin8nm"); err == nil {
		return Some(d, n), "kin8nm, the reader's file"
	}
	return data.SimulatedArm(n, 1), "SIMULATED points like those of kin8nm, whose file is not on this machine"
}

// Unlabelled is the maximiser of the printed objective −½ΣΣα_iα_jk + Σα over 0 ≤ α ≤ C, yᵀα = 0,
// without the labels' product, by projected gradient: what it predicts on the training points is right
// for the returned share of them.
func Unlabelled(k *mat.SymDense, y []float64, c float64, labels bool) (right float64) {
	n := len(y)
	alpha, g := make([]float64, n), make([]float64, n)
	q := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := k.At(i, j)
			if labels {
				v *= y[i] * y[j]
			}
			q.SetSym(i, j, v)
		}
	}
	step := 1 / mat.Norm(q, 2)
	for range 20000 {
		mat.NewVecDense(n, g).MulVec(q, mat.NewVecDense(n, alpha))
		for i := range g {
			alpha[i] += step * (1 - g[i])
		}
		lo, hi := -1e6, 1e6 // project: α_i = clip(α_i − τy_i), yᵀα = 0
		for range 100 {
			tau, s := (lo+hi)/2, 0.0
			for i, a := range alpha {
				s += y[i] * min(max(a-tau*y[i], 0), c)
			}
			if s > 0 {
				lo = tau
			} else {
				hi = tau
			}
		}
		for i, a := range alpha {
			alpha[i] = min(max(a-lo*y[i], 0), c)
		}
	}
	w := make([]float64, n)
	floats.MulTo(w, alpha, y)
	f := make([]float64, n)
	mat.NewVecDense(n, f).MulVec(k, mat.NewVecDense(n, w))
	for _, b := range f { // with the bias that is kindest to it
		good := 0.0
		for i, v := range f {
			if (v-b+1e-9)*y[i] > 0 {
				good++
			}
		}
		right = max(right, good/float64(n))
	}
	return right
}

// At is p at (1−γ)P₀ + γS, P₀ the centre and S the vertex that Frank–Wolfe goes to from there, solved as
// exactly as numbers allow.
func At(p *mkl.Problem, gamma float64) (pt *mkl.Point, s []float64, err error) {
	first, pt := p.NewPoint(), p.NewPoint()
	p.Set.Start(first.Theta)
	if err := first.Evaluate(nil, 1e-12); err != nil {
		return nil, nil, err
	}
	s = make([]float64, len(first.Theta))
	p.Set.Minimize(s, first.Grad())
	for i := range s {
		pt.Theta[i] = (1-gamma)*first.Theta[i] + gamma*s[i]
	}
	return pt, s, pt.Evaluate(nil, 1e-12)
}

// Race is how far the tessellated machine of degree 1 and the best of nine Gaussian ones, chosen by the
// truth, are from the function of Jump.
func Race(seed uint64) (step, gaussian float64, err error) {
	d := Jump(100, seed)
	f, _, err := Learn(Problem(d, tessellated.Family{Degree: 1, Bound: 0.1, Unit: true}, 1, 100),
		mkl.FrankWolfe{Force: true})
	if err != nil {
		return 0, 0, err
	}
	step, gaussian = Away(f), math.Inf(1)
	for _, gamma := range []float64{1, 3, 10} {
		for _, c := range []float64{1, 10, 100} {
			f, _, err := Learn(Machine(d, gamma, c), mkl.FrankWolfe{Force: true})
			if err != nil {
				return 0, 0, err
			}
			gaussian = min(gaussian, Away(f))
		}
	}
	return step, gaussian, nil
}
