package lvx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Complexities estimates the Rademacher average of the first m features of d by Monte Carlo, for several m. It draws
// the averages together with the bounds of Theorem 2.3: as printed, and, for degree 1, by traces with the constant 3
// instead of (23/11)².
func Complexities(d *data.Dataset, degree int, ms []int, draws int, seed uint64) (f viz.Figure, all []Rademacher,
	err error) {
	var mean, sharp, bound viz.Pairs
	for _, m := range ms {
		x, err := d.Columns(points.AllIndices(m)...)
		if err != nil {
			return f, nil, err
		}
		r, err := Complexity(Family(degree).On(x.X), draws, seed)
		if err != nil {
			return f, nil, err
		}
		r.Sharper *= math.Pow(3, 0.25) / math.Sqrt(23./11)
		p := float64(m)
		all = append(all, r)
		mean, sharp, bound = append(mean, [2]float64{p, r.Mean}), append(sharp, [2]float64{p, r.Sharper}),
			append(bound, [2]float64{p, r.Bound})
	}
	lines := []viz.Line{{Name: "Monte Carlo", XYs: mean}, {Name: "Theorem 2.3", XYs: bound}}
	if degree == 1 {
		lines = append(lines, viz.Line{Name: "by traces, √3", XYs: sharp})
	}
	return viz.LogLines(fmt.Sprintf("d = %d", degree), "", lines...).WithAxes("base kernels m",
		"Rademacher average").WithLogX(), all, nil
}

// Margins holds the quantities of Theorem 2.3 for a predictor h with ‖w‖ = 1, in units of the largest |h(x_i)|.
type Margins struct {
	Values     []float64 // y_i·h(x_i), ascending
	Complexity float64   // the theorem's bound of the Rademacher complexity
}

// NormalizedMargins returns the margins of the predictor that ridge regression learns on all points of d with ‖μ‖₂ = 1.
func NormalizedMargins(ctx context.Context, d *data.Dataset, degree int, lambda float64) (*Margins, error) {
	p, _ := on(Family(degree), d, lambda, 0, 1)
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
	if err != nil {
		return nil, err
	}
	pt, e1 := shared.At(p, r.Theta, 1e-12)
	c, e2 := Complexity(p.Grams, 2, 1) // for its bound
	if err := errors.Join(e1, e2); err != nil {
		return nil, err
	}
	n := len(d.Y)
	h := mat.NewVecDense(n, nil)
	h.MulVec(pt.Gram.K(), mat.NewVecDense(n, pt.W))
	norm, top := math.Sqrt(floats.Dot(pt.W, h.RawVector().Data)), mat.Norm(h, math.Inf(1)) // ‖w‖² = αᵀKα
	m := &Margins{floats.ScaleTo(make([]float64, n), 1/top, h.RawVector().Data), c.Bound * norm / top}
	floats.Mul(m.Values, d.Y)
	slices.Sort(m.Values)
	return m, nil
}
