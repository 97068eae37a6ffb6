package main

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// esklTasks learn a kernel matrix from indefinite similarities.
func esklTasks() (all []task) {
	const about = "C = 1, trace n, Gaussian similarities exp(−‖x−z‖²/d) with symmetric normal noise of 0.1, to a certified relative gap of 1e-2 or the limit of steps; cpu: seconds of all threads"
	for _, c := range []struct {
		name     string
		balanced bool
	}{{"sonar", false}, {"sonar", true}, {"ionosphere", true}, {"pima", true}} {
		for _, d := range []reg.Distance{reg.L3, reg.L2, reg.L1} {
			what := c.name
			if c.balanced {
				what += ", balanced"
			}
			all = append(all, task{name: fmt.Sprintf("eskl %s, %v", what, d), about: about, rounds: 3,
				make: func(ctx context.Context, b *bench) (*work, error) { return eskl(ctx, b, c.name, c.balanced, d) }})
		}
	}
	return all
}

// noisySimilarities are of the points of a data set, standardized; balanced, of as many of each class.
func noisySimilarities(name string, balanced bool) (s *mat.SymDense, y []float64, err error) {
	d, err := data.Load(name)
	if err != nil {
		return nil, nil, err
	}
	if balanced {
		var rows []int
		count, most := map[float64]int{}, 0
		for _, v := range d.Y {
			count[v]++
		}
		if most = d.Len(); len(count) == 2 {
			for _, k := range count {
				most = min(most, k)
			}
		}
		taken := map[float64]int{}
		for i, v := range d.Y {
			if taken[v] < most {
				taken[v]++
				rows = append(rows, i)
			}
		}
		if d, err = d.Slice(rows); err != nil {
			return nil, nil, err
		}
	}
	fit, err := kernel.Prepare{kernel.Standardize}.Fit(d.X)
	if err != nil {
		return nil, nil, err
	}
	x := fit.Apply(d.X).(kernel.Rows)
	n := x.N
	k := rbf(1/float64(x.D), x, x)
	noise := normal(n*n, 41)
	s = mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(j, i, k[i*n+j]+0.1*(noise[i*n+j]+noise[j*n+i])/2)
		}
	}
	return s, d.Y, nil
}

func eskl(ctx context.Context, b *bench, name string, balanced bool, distance reg.Distance) (*work, error) {
	const c, gap = 1., 1e-2
	rho := map[reg.Distance]float64{reg.L1: 1e-2, reg.L2: 3, reg.L3: 0.1}[distance]
	s, y, err := noisySimilarities(name, balanced)
	if err != nil {
		return nil, err
	}
	n := len(y)
	files, err := b.save("eskl", map[string]array{"S": matrix(n, n, similarity.Vec(s)), "y": vector(y)})
	if err != nil {
		return nil, err
	}
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.On(kernel.AllPlaces(n)), Set: set.Spectraplex{Trace: float64(n)},
		Reg: reg.Near{Rho: rho, Distance: distance, Targets: [][]float64{similarity.Vec(s)}}, Loss: loss.Hinge{C: c}, Y: y}
	solved := func(s mkl.Solver) entry {
		var r *mkl.Result
		spent := 0.0
		return ours("Go, "+s.String(), func() (err error) {
			begun := cpuSeconds()
			r, err = mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Iterations: 300})
			spent = cpuSeconds() - begun
			return err
		}, func() []float64 { return []float64{r.Upper, r.Lower, float64(len(r.Trace) - 1), spent} })
	}
	numpy := func(program, label string, limit int) entry {
		args := map[string]any{"C": c, "rho": rho, "tau": float64(n), "gap": gap, "limit": limit}
		if program != "learned_fista" {
			args["distance"] = distance.String()
		}
		all := b.against(files, args, peer{env: "numpy", program: program, label: label})
		if all == nil {
			return entry{}
		}
		return all[0]
	}
	var sides []entry
	switch distance {
	case reg.L3:
		sides = []entry{solved(mkl.DualAscent{}), solved(mkl.ADMM{}), numpy("learned_fista", "numpy, FISTA", 400)}
	case reg.L2:
		sides = []entry{solved(mkl.DualAscent{}), solved(mkl.ADMM{}), numpy("learned_mirror_prox", "numpy, mirror-prox", 3000)}
	case reg.L1:
		sides = []entry{solved(mkl.ADMM{}), numpy("learned_mirror_prox", "numpy, mirror-prox", 1000)}
	}
	if balanced { // ours alone: the peers take minutes
		sides = sides[:1]
	} else {
		sides = append(sides, solved(mkl.MirrorDescent{}), numpy("learned_mirror_descent", "numpy, mirror descent", 300))
	}
	w := &work{calls: 1, judge: func(r, _ []float64) Quality {
		if len(r) != 4 {
			return nil
		}
		return Quality{"F": r[0], "gap": (r[0] - r[1]) / math.Abs(r[0]), "steps": r[2], "cpu": r[3]}
	}}
	for _, e := range sides {
		if e.start != nil {
			w.sides = append(w.sides, e)
		}
	}
	return w, nil
}
