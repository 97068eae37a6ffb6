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

// emklTasks learn a kernel matrix, or a spectrum, for each of three similarities.
func emklTasks() (all []task) {
	for _, restricted := range []bool{false, true} {
		for _, d := range []reg.Distance{reg.L3, reg.L2, reg.L1} {
			name, about := "emkl", "three bands of features of ionosphere, 252 points, as three similarities with noise as in eskl; C = 1, traces n, ρ = 0.01 (L1), 3 (L2) or 0.1 (L3), block norm, to a certified relative gap of 1e-2; cpu: seconds of all threads"
			if restricted {
				name, about = "rekl", "the same on the eigenvectors of the similarities; their decomposition included"
			}
			all = append(all, task{name: fmt.Sprintf("%s ionosphere, balanced, %v", name, d), about: about, rounds: 3,
				make: func(ctx context.Context, b *bench) (*work, error) { return emkl(ctx, b, d, restricted) }})
		}
	}
	return all
}

func emkl(ctx context.Context, b *bench, distance reg.Distance, restricted bool) (*work, error) {
	const c, gap, blocks = 1., 1e-2, 3
	rho := map[reg.Distance]float64{reg.L1: 1e-2, reg.L2: 3, reg.L3: 0.1}[distance]
	ss, y, err := noisySimilarities("ionosphere", true, blocks)
	if err != nil {
		return nil, err
	}
	n := len(y)
	var stacked []float64
	for _, s := range ss {
		stacked = append(stacked, similarity.Vec(s)...)
	}
	files, err := b.save("emkl", map[string]array{"S": matrix(blocks*n, n, stacked), "y": vector(y)})
	if err != nil {
		return nil, err
	}
	problem := func() (*mkl.Problem, error) {
		p := &mkl.Problem{Loss: loss.BlockNorm{Of: loss.Hinge{C: c}}, Y: y, Set: set.Product{Of: set.Spectraplex{Trace: float64(n)}, Count: blocks}}
		var matrices kernel.Blocks
		spectra, r := kernel.Spectra{N: n}, reg.Separable{}
		for _, s := range ss {
			target := similarity.Vec(s)
			if restricted {
				e, err := similarity.Decompose(s)
				if err != nil {
					return nil, err
				}
				target = e.Values
				spectra.Vectors = append(spectra.Vectors, e.Vectors.RawMatrix().Data)
			}
			matrices.Of = append(matrices.Of, similarity.Learned{N: n})
			r.Of = append(r.Of, reg.Near{Rho: rho, Distance: distance, Targets: [][]float64{target}})
		}
		p.Reg, p.Grams = r, matrices.On(kernel.AllPlaces(n))
		if restricted {
			p.Grams, p.Set = spectra.On(kernel.AllPlaces(n)), set.Product{Of: set.Simplex{Sum: float64(n)}, Count: blocks}
		}
		return p, nil
	}
	const limit = 100 // steps
	solved := func(s mkl.Solver) entry {
		var r *mkl.Result
		spent := 0.0
		return ours("Go, "+s.String(), func() error {
			begun := cpuSeconds()
			p, err := problem()
			if err == nil {
				r, err = mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Iterations: limit})
			}
			spent = cpuSeconds() - begun
			return err
		}, func() []float64 { return []float64{r.Upper, r.Lower, float64(len(r.Trace) - 1), spent} })
	}
	w := &work{calls: 1, judge: learnedQuality, sides: []entry{solved(mkl.ADMM{})}}
	switch distance {
	case reg.L3:
		w.sides = []entry{solved(mkl.DualAscent{}), solved(mkl.ADMM{}), solved(mkl.SPG{Force: true})}
	case reg.L2:
		w.sides = append(w.sides, solved(mkl.DualAscent{}), solved(mkl.SPG{Force: true}))
	}
	w.sides = append(w.sides, solved(mkl.MirrorDescent{}))
	w.sides = append(w.sides, b.against(files, map[string]any{"C": c, "rho": rho, "tau": float64(n), "gap": gap, "limit": limit, "distance": distance.String(), "restricted": restricted},
		peer{env: "numpy", program: "several_mirror_descent", label: "numpy, mirror descent"})...)
	return w, nil
}

// learnedQuality judges value, bound, steps and seconds.
func learnedQuality(r, _ []float64) Quality {
	if len(r) != 4 {
		return nil
	}
	return Quality{"F": r[0], "gap": (r[0] - r[1]) / math.Abs(r[0]), "steps": r[2], "cpu": r[3]}
}

// noisySimilarities are of the points of a data set, standardized, one of each of so many bands of features; balanced, of
// as many of each class.
func noisySimilarities(name string, balanced bool, bands int) (ss []*mat.SymDense, y []float64, err error) {
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
	noise := normal(bands*n*n, 41)
	for b := range bands {
		lo, hi := b*x.D/bands, (b+1)*x.D/bands
		part := kernel.Rows{N: n, D: hi - lo}
		for i := range n {
			part.Data = append(part.Data, x.Row(i)[lo:hi]...)
		}
		k, e := rbf(1/float64(part.D), part, part), noise[b*n*n:]
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				s.SetSym(j, i, k[i*n+j]+0.1*(e[i*n+j]+e[j*n+i])/2)
			}
		}
		ss = append(ss, s)
	}
	return ss, d.Y, nil
}

func eskl(ctx context.Context, b *bench, name string, balanced bool, distance reg.Distance) (*work, error) {
	const c, gap = 1., 1e-2
	rho := map[reg.Distance]float64{reg.L1: 1e-2, reg.L2: 3, reg.L3: 0.1}[distance]
	ss, y, err := noisySimilarities(name, balanced, 1)
	if err != nil {
		return nil, err
	}
	s, n := ss[0], len(y)
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
	w := &work{calls: 1, judge: learnedQuality}
	for _, e := range sides {
		if e.start != nil {
			w.sides = append(w.sides, e)
		}
	}
	return w, nil
}
