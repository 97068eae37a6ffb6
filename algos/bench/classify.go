package main

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// classifyTasks learn kernel weights for classification, each side by its own objective.
func classifyTasks() (all []task) {
	for _, name := range []string{"sonar", "ionosphere"} {
		all = append(all, task{name: "mkl classify " + name, make: func(ctx context.Context, b *bench) (*work, error) { return classify(ctx, b, name) },
			about: "linear MKL, 13 kernels of half of the points given, cosine-normalised; squared loss with λ = 1/2 on the simplex, to a relative gap of 1e-3; " +
				"MKLpy minimises another objective, with SVC(C=1): compare accuracy on the other half, weights above 1e-6, and time"})
	}
	return all
}

func classify(ctx context.Context, b *bench, name string) (*work, error) {
	const lambda, gap = 0.5, 1e-3 // λ = 1/(2C): errors weigh as much as hinges
	d, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	splits, err := study.Halves(d.Y, 1, 41)
	if err != nil {
		return nil, err
	}
	train, err := d.Slice(splits[0].Train)
	if err != nil {
		return nil, err
	}
	test, err := d.Slice(splits[0].Test)
	if err != nil {
		return nil, err
	}
	n, more, features := train.Len(), test.Len(), float64(d.Dim())
	var bases kernel.List
	for _, w := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10} {
		bases = append(bases, kernel.RBF{Gamma: w / features})
	}
	for degree := 1; degree <= 3; degree++ {
		bases = append(bases, kernel.Polynomial{Degree: degree, Gamma: 1 / features, Offset: 1})
	}
	m := len(bases)
	grams := kernel.Sum{Kernels: bases, Prepare: kernel.Prepare{kernel.Standardize}, Normalize: kernel.Cosine}.On(train.X)
	if err := grams.Validate(); err != nil {
		return nil, err
	}
	ks, zs := mat.NewDense(m*n, n, nil), mat.NewDense(m*more, n, nil)
	gram, cross := grams.New(), grams.Cross(test.X)
	var given kernel.List
	for k := range bases {
		axis := make([]float64, m)
		axis[k] = 1
		gram.At(axis)
		ks.Slice(k*n, (k+1)*n, 0, n).(*mat.Dense).Copy(gram.K())
		cross.Gram(zs.Slice(k*more, (k+1)*more, 0, n).(*mat.Dense), axis)
		given = append(given, kernel.Precomputed{Name: fmt.Sprint(bases[k]), N: n, Data: ks.RawMatrix().Data[k*n*n : (k+1)*n*n]})
	}
	all := zs.RawMatrix().Data
	files, err := b.save("classify", map[string]array{"K": matrix(m*n, n, ks.RawMatrix().Data), "Z": matrix(m*more, n, all), "y": vector(train.Y)})
	if err != nil {
		return nil, err
	}
	p := &mkl.Problem{Grams: kernel.Sum{Kernels: given}.On(kernel.AllPlaces(n)), Set: set.Simplex{}, Loss: loss.Squared{Lambda: lambda}, Y: train.Y}
	var learned, equal *mkl.Result
	return &work{
		sides: append([]entry{
			ours("Go, SPG", func() (err error) {
				learned, err = mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: gap})
				if err == nil && !(learned.RelativeGap() <= gap) {
					err = fmt.Errorf("bench: a relative gap of %g, want %g", learned.RelativeGap(), gap)
				}
				return err
			}, func() []float64 { return predicted(learned, all) }),
			ours("Go, equal weights", func() (err error) {
				equal, err = mkl.Weigh(ctx, p, mkl.Uniform{}, 0)
				return err
			}, func() []float64 { return predicted(equal, all) }),
		}, b.against(files, map[string]any{"C": 1 / (2 * lambda)},
			peer{env: "mklpy", program: "mklpy", label: "MKLpy EasyMKL, SVC, another objective", args: map[string]any{"algorithm": "EasyMKL"}},
			peer{env: "mklpy", program: "mklpy", label: "MKLpy AverageMKL, SVC, another objective", args: map[string]any{"algorithm": "AverageMKL"}})...),
		judge: func(r, _ []float64) Quality {
			if len(r) != m+more {
				return nil
			}
			q := Quality{"accuracy": 0, "weights": 0}
			for _, w := range r[:m] {
				if w > 1e-6 {
					q["weights"]++
				}
			}
			for i, f := range r[m:] {
				if f*test.Y[i] > 0 {
					q["accuracy"] += 100 / float64(more)
				}
			}
			return q
		},
	}, nil
}
