package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// weightsTasks returns tasks that learn the weights of precomputed kernel matrices.
func weightsTasks() []task {
	all := []task{{name: "mkl n=600 m=50", rounds: 5, make: func(b *bench) *work { return weights(b, 600) },
		about: "linear MKL, squared loss with λ = 0.01 on ‖θ‖₂ ≤ 1, 50 RBF kernels given, to a relative gap of 1e-4; " +
			"R²: on 200 more points, simulated"}}
	for _, name := range []string{"sonar", "ionosphere"} {
		all = append(all, task{name: "mkl classify " + name, make: func(b *bench) *work { return classify(b, name) },
			about: "linear MKL, 13 kernels of half of the points given, cosine-normalised; squared loss with λ = 1/2 " +
				"on the simplex, to a relative gap of 1e-3; MKLpy minimises another objective, with SVC(C=1): " +
				"compare accuracy on the other half, weights above 1e-6, and time"})
	}
	return all
}

// matrices holds m precomputed base matrices: between n points, and between more points and these n.
type matrices struct {
	m, n, more int
	k          []float64 // m times n×n
	z          []float64 // m times more×n
}

// grams returns the base matrices as a kernel.Grams.
func (s *matrices) grams() kernel.Grams {
	var list kernel.List
	for k := range s.m {
		list = append(list, kernel.Precomputed{Name: fmt.Sprint("kernel ", k+1), N: s.n,
			Data: s.k[k*s.n*s.n : (k+1)*s.n*s.n]})
	}
	return kernel.Sum{Kernels: list}.On(points.AllIndices(s.n))
}

// input returns the arrays that peers read.
func (s *matrices) input(y []float64) map[string]array {
	return map[string]array{"K": matrix(s.m*s.n, s.n, s.k), "Z": matrix(s.m*s.more, s.n, s.z), "y": vector(y)}
}

// predicted returns θ, followed by f at the additional points.
func (s *matrices) predicted(r *mkl.Result) []float64 {
	out := append([]float64{}, r.Theta...)
	for i := range s.more {
		f := 0.0
		for k, t := range r.Theta {
			at := k*s.more + i
			f += t * floats.Dot(s.z[at*s.n:(at+1)*s.n], r.W)
		}
		out = append(out, f)
	}
	return out
}

// widths are the γ of the Gaussians on a group of d features, in units of 1/d.
var widths = []float64{0.1, 0.3, 1, 3, 10}

// weights returns a regression with 198 features in 10 groups and a kernel for each group and width. The targets depend
// on 3 of the groups.
func weights(b *bench, n int) *work {
	const more, d, groups, lambda, gap = 200, 198, 10, 0.01, 1e-4
	y := normal(n+more, 32)
	floats.Scale(0.3, y)
	s := &matrices{m: groups * len(widths), n: n, more: more}
	for g, part := range bands(correlated(n+more, d, 31), groups) {
		for i := range y {
			if g%3 == 0 && g < 7 {
				y[i] += math.Sin(0.8*part.Row(i)[0]) + 0.5*part.Row(i)[1]*part.Row(i)[2]
			}
		}
		known := rowsOf(part, 0, n)
		for _, w := range widths {
			k := rbf(w/float64(part.D), known, known)
			mirror(n, k)
			s.k, s.z = append(s.k, k...), append(s.z, rbf(w/float64(part.D), rowsOf(part, n, n+more), known)...)
		}
	}
	floats.AddConst(-stat.Mean(y[:n], nil), y)
	p := &mkl.Problem{Grams: s.grams(), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y[:n]}
	settings := mkl.Settings{Gap: gap}
	peers := bothNumpys("iia", "numpy, IIA")
	for i := range peers {
		peers[i].args = map[string]any{"lam": lambda, "gap": gap}
	}
	himalaya := map[string]any{"iterations": 5}
	return &work{
		ours: []entry{b.solved(mkl.IIA{}, settings, always(p), s.predicted),
			b.solved(mkl.SPG{}, settings, always(p), s.predicted)},
		input: s.input(y[:n]),
		peers: append(peers, peer{env: "himalaya", program: "himalaya", label: "himalaya, 5 steps, 3 folds",
			args: himalaya}),
		judge: func(r, _ []float64) Quality {
			q := Quality{}
			if !math.IsNaN(r[0]) { // himalaya minimizes another objective
				q = certified(p, r[:s.m])
			}
			q["R²"] = stat.RSquaredFrom(r[s.m:], y[n:], nil)
			return q
		},
	}
}

func classify(b *bench, name string) *work {
	const lambda, gap = 0.5, 1e-3 // λ = 1/(2C): squared errors have the same weight as hinge losses
	d := must(data.Load(name))
	split := must(compare.Halves(d.Y, 1, 41))[0]
	train, test := must(d.Slice(split.Train)), must(d.Slice(split.Test))
	features := float64(d.Dim())
	var bases kernel.List
	for _, w := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10} {
		bases = append(bases, kernel.RBF{Gamma: w / features})
	}
	for degree := 1; degree <= 3; degree++ {
		bases = append(bases, kernel.Polynomial{Degree: degree, Gamma: 1 / features, Offset: 1})
	}
	grams := kernel.Sum{Kernels: bases, Prepare: points.Preprocessing{points.Standardize},
		Normalize: kernel.Cosine}.On(train.X)
	s := &matrices{m: len(bases), n: train.Len(), more: test.Len()}
	gram, cross := grams.New(), grams.Cross(test.X)
	z := mat.NewDense(s.more, s.n, nil)
	for k := range bases {
		axis := make([]float64, s.m)
		axis[k] = 1
		gram.At(axis)
		cross.Gram(z, axis)
		s.k, s.z = append(s.k, mat.DenseCopyOf(gram.K()).RawMatrix().Data...), append(s.z, z.RawMatrix().Data...)
	}
	p := &mkl.Problem{Grams: s.grams(), Set: set.Simplex{}, Loss: loss.Squared{Lambda: lambda}, Y: train.Y}
	var equal *mkl.Result
	return &work{
		ours: []entry{b.solved(mkl.SPG{}, mkl.Settings{Gap: gap}, always(p), s.predicted),
			ours("Go, equal weights", func() (err error) {
				equal, err = mkl.EvaluateRule(b.ctx, p, mkl.Uniform{}, 0)
				return err
			}, func() []float64 { return s.predicted(equal) })},
		input: s.input(train.Y),
		args:  map[string]any{"C": 1 / (2 * lambda)},
		peers: []peer{
			{env: "mklpy", program: "mklpy", label: "MKLpy EasyMKL, SVC, another objective",
				args: map[string]any{"algorithm": "EasyMKL"}},
			{env: "mklpy", program: "mklpy", label: "MKLpy AverageMKL, SVC, another objective",
				args: map[string]any{"algorithm": "AverageMKL"}}},
		judge: func(r, _ []float64) Quality {
			q := Quality{"accuracy": 0, "weights": 0}
			for _, w := range r[:s.m] {
				if w > 1e-6 {
					q["weights"]++
				}
			}
			for i, f := range r[s.m:] {
				if f*test.Y[i] > 0 {
					q["accuracy"] += 100 / float64(s.more)
				}
			}
			return q
		},
	}
}
