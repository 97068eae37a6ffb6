package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"
)

// tklTasks returns tasks that fit tessellated kernels of degree 1.
func tklTasks() (all []task) {
	for _, c := range []struct {
		set      string
		bound    float64
		balanced bool
	}{{"pima", 0.5, false}, {"ionosphere", 2, true}} {
		for _, exactSearch := range []bool{false, true} {
			all = append(all, task{name: fmt.Sprintf("tkl fit %s, %s", c.set,
				map[bool]string{false: "open loop", true: "exact search"}[exactSearch]),
				description: "fits 300 points, hinge loss, C = 10, Frank–Wolfe (open loop: steps 2/(k+2)) to a " +
					"relative gap of 1e-2, with the computation of the array V; the peer uses scikit-learn's SVC, " +
					"tolerance 1e-4",
				newWork: func(b *bench) *work { return tklFitWork(b, c.set, c.bound, c.balanced, exactSearch) }})
		}
	}
	return all
}

// withCube returns f with its integration domain set to the cube [−bound, 1 + bound]^d.
func withCube(f tessellated.Family, dimension int, bound float64) tessellated.Family {
	for range dimension {
		f.Lower, f.Upper = append(f.Lower, -bound), append(f.Upper, 1+bound)
	}
	return f
}

func tklFitWork(b *bench, name string, bound float64, balanced, exactSearch bool) *work {
	const n, c, gap = 300, 10., 1e-2
	d := must(datasets.Load(name))
	rows := make([]int, n)
	for i := range rows {
		rows[i] = (i*7 + 3) % d.Len()
	}
	d = must(d.Slice(rows))
	x := points.Rows{N: n, D: d.Dim()}
	scaling := tessellated.Family{Degree: 1, Bound: bound}.Bind(d.X).(*tessellated.Grams)
	for _, row := range scaling.ScaledFeatures(d.X) {
		x.Data = append(x.Data, row...)
	}
	f := withCube(tessellated.Family{Degree: 1, Unit: true}, x.D, bound)
	if balanced {
		f.Metric = tessellated.Balanced
	}
	problem := func() *mkl.Problem {
		return &mkl.Problem{Grams: f.Bind(x), Set: set.Spectraplex{}, Loss: loss.Hinge{C: c}, Y: d.Y}
	}
	return &work{
		goImplementations: []implementation{b.goSolver(mkl.FrankWolfe{Exact: exactSearch}, mkl.Settings{Gap: gap},
			problem,
			func(r *mkl.Result) []float64 {
				return []float64{r.Upper, r.Lower, float64(r.Trace[len(r.Trace)-1].Evals)}
			})},
		input:    map[string]array{"X": newMatrix(n, x.D, x.Data), "y": newVector(d.Y)},
		args:     map[string]any{"C": c, "bound": bound, "gap": gap, "balanced": balanced, "search": exactSearch},
		peers:    []peer{{env: "numpy", program: "tkl_fit", label: "numpy, SVC"}},
		evaluate: func(r, _ []float64) Quality { return boundsQuality(r, "machines") },
	}
}

// boundsQuality returns the Quality of results, which are F, a lower bound of the minimum of F, and a count with the
// name countName.
func boundsQuality(results []float64, countName string) Quality {
	f, lowerBound, count := results[0], results[1], results[2]
	return Quality{"F": f, "gap": (f - lowerBound) / math.Abs(f), countName: count}
}
