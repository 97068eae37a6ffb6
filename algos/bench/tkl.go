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

	"gonum.org/v1/gonum/mat"
)

// tessellatedTasks returns tasks that fit tessellated kernels of degree 1.
func tessellatedTasks() (all []task) {
	for _, c := range []struct {
		dataset      string
		domainMargin float64
		balanced     bool
	}{{"pima", 0.5, false}, {"ionosphere", 2, true}} {
		for _, search := range []bool{false, true} {
			fit := func(b *bench) *workload { return prepareTKLFit(b, c.dataset, c.domainMargin, c.balanced, search) }
			all = append(all, task{name: fmt.Sprintf("tkl fit %s, %s", c.dataset,
				map[bool]string{false: "open loop", true: "exact search"}[search]),
				description: "fits 300 points, hinge loss, C = 10, Frank–Wolfe (open loop: steps 2/(k+2)) to a " +
					"relative gap of 1e-2, including the time to compute the kernel's terms; Python uses " +
					"scikit-learn's SVC, tolerance 1e-4",
				prepare: fit})
		}
	}
	return all
}

// withDomainCube returns f with its integration domain set to the cube [−margin, 1 + margin]^d.
func withDomainCube(f tessellated.Family, dimension int, margin float64) tessellated.Family {
	for range dimension {
		f.Lower, f.Upper = append(f.Lower, -margin), append(f.Upper, 1+margin)
	}
	return f
}

func prepareTKLFit(b *bench, dataset string, margin float64, isBalanced, exactSearch bool) *workload {
	const n, c, gap = 300, 10., 1e-2
	d := must(datasets.Load(dataset))
	rows := make([]int, n)
	for i := range rows {
		rows[i] = (i*7 + 3) % d.Len()
	}
	d = must(d.Slice(rows))
	x := points.Rows{N: n, D: d.Dim()}
	gramsForScaling := tessellated.Family{Degree: 1, BoxMargin: margin}.Bind(d.X).(*tessellated.Grams)
	for _, row := range gramsForScaling.ScaledFeatures(d.X) {
		x.Data = append(x.Data, row...)
	}
	f := withDomainCube(tessellated.Family{Degree: 1, UnitMeanDiagonal: true}, x.D, margin)
	if isBalanced {
		f.TraceMetric = tessellated.Balanced
	}
	newProblem := func() *mkl.Problem {
		return &mkl.Problem{Grams: f.Bind(x), Set: set.Spectraplex{}, Loss: loss.Hinge{C: c}, Y: d.Y}
	}
	return &workload{
		goImplementations: []implementation{b.newSolverImplementation(mkl.FrankWolfe{ExactLineSearch: exactSearch},
			mkl.Settings{Gap: gap}, newProblem,
			func(r *mkl.Result) []float64 {
				return []float64{r.Upper, r.Lower, float64(r.Trace[len(r.Trace)-1].Evals)}
			})},
		input:    map[string]mat.Matrix{"X": mat.NewDense(n, x.D, x.Data), "y": newVector(d.Y)},
		args:     map[string]any{"C": c, "bound": margin, "gap": gap, "balanced": isBalanced, "search": exactSearch},
		peers:    []peer{{env: "numpy", program: "tkl_fit", label: "numpy, SVC"}},
		evaluate: func(r, _ []float64) Quality { return newBoundsQuality(r, "machines") },
	}
}

// newBoundsQuality returns the Quality of results: the objective F, a lower bound of its minimum, and a number of steps
// or of solved machines, in this order. countName names this number.
func newBoundsQuality(results []float64, countName string) Quality {
	f, lowerBound := results[0], results[1]
	return Quality{"F": f, "gap": (f - lowerBound) / math.Abs(f), countName: results[2]}
}
