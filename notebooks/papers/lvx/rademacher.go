package lvx

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// RademacherBound returns the bound of Theorem 2.3 for m base kernels (kernelCount) with k(x,x) ≤ R² (squaredRadius) on
// n points (pointCount):
//
//	√(23/11) m^{d/4} R^d / √n,  d = degree
//
// For degree 1 it is from Cortes, Mohri and Rostamizadeh, ICML 2010. It extends to degree d, as such a family is part
// of the linear family of the m^d products of d base kernels.
func RademacherBound(kernelCount, pointCount, degree int, squaredRadius float64) float64 {
	d := float64(degree)
	return math.Sqrt(23./11) * math.Pow(float64(kernelCount), d/4) * math.Pow(squaredRadius, d/2) /
		math.Sqrt(float64(pointCount))
}

// Rademacher holds an estimate of the empirical Rademacher complexity and two upper bounds.
type Rademacher struct {
	Mean          float64 // Monte Carlo estimate of the Rademacher complexity (see EstimateRademacher)
	StandardError float64 // standard error of Mean
	Bound         float64 // upper bound of Theorem 2.3, from the number of base kernels
	TraceBound    float64 // upper bound √(√3 ‖(tr K_k)_k‖₂)/n for degree 1; +Inf for degree 2
}

// Holds reports whether Mean plus its standard error is at most each of the two bounds.
func (r Rademacher) Holds() bool { return r.Mean+r.StandardError <= min(r.Bound, r.TraceBound) }

// EstimateRademacher estimates the empirical Rademacher complexity, and returns upper bounds of it, for the functions
// x ↦ ⟨w, Φ_θ(x)⟩ with ‖w‖ ≤ 1, θ ≥ 0 and ‖θ‖₂ = 1. Φ_θ is the feature map of K(θ), the kernel matrix on n points with
// the weights θ. The complexity is the mean over random sign vectors σ (here signCount ≥ 2 of them) of
//
//	sup_{θ ≥ 0, ‖θ‖₂ = 1} √(σᵀK(θ)σ)/n = √‖v‖₂/n, v_k = σᵀK_kσ          degree 1
//	                                    = √λ_max(Q(σ))/n                  degree 2
//
// K_k is base kernel matrix k, and σᵀK(θ)σ = θᵀQ(σ)θ. Without ‖w‖ ≤ 1, missing in the paper, no supremum is finite.
func EstimateRademacher(grams kernel.Grams, signCount int, seed uint64) Rademacher {
	c := Rademacher{TraceBound: math.Inf(1)}
	m, n := grams.Dims()
	gram, degree := grams.New(), grams.Degree()
	theta, traces, r2, diagonal := make([]float64, m), make([]float64, m), 0.0, make([]float64, n)
	for k := range m {
		theta[k] = 1
		gram.SetTheta(theta)
		gram.K().Diagonal(diagonal)
		for _, v := range diagonal {
			v = math.Pow(v, 1/float64(degree)) // the value of base kernel k at the pair (x_i, x_i)
			r2 = math.Max(r2, v)
			traces[k] += v
		}
		theta[k] = 0
	}
	r := rand.New(rand.NewPCG(seed, 3))
	sigma, v, q := make([]float64, n), make([]float64, m), mat.NewSymDense(m, nil)
	var suprema []float64
	gram.SetTheta(theta)
	for range signCount {
		for i := range sigma {
			sigma[i] = float64(2*r.IntN(2) - 1)
		}
		var supremum float64
		if degree == 1 {
			gram.Gradient(v, sigma)
			supremum = floats.Norm(v, 2)
		} else {
			gram.(kernel.SecondOrder).QuadraticFormInTheta(q, sigma)
			eigenvalues, _ := linalg.ThreadLimit(0).Eigen(q, false)
			supremum = eigenvalues[m-1]
		}
		suprema = append(suprema, math.Sqrt(supremum)/float64(n))
	}
	mean, sd := stat.MeanStdDev(suprema, nil)
	c.Mean, c.StandardError, c.Bound = mean, stat.StdErr(sd, float64(signCount)), RademacherBound(m, n, degree, r2)
	if degree == 1 {
		c.TraceBound = math.Sqrt(math.Sqrt(3)*floats.Norm(traces, 2)) / float64(n)
	}
	return c
}

// Complexities estimates the Rademacher complexity of the kernels with one base kernel for each of the first m features
// of d, for each m in featureCounts. It draws the estimates and their bounds.
func Complexities(d *data.Dataset, degree int, featureCounts []int, signCount int, seed uint64) (figure viz.Figure,
	estimates []Rademacher, err error) {
	var mean, sharp, bound viz.Pairs
	for _, m := range featureCounts {
		x, err := d.Columns(points.AllIndices(m)...)
		if err != nil {
			return figure, nil, err
		}
		r := EstimateRademacher(Family(degree, false).Bind(x.X), signCount, seed)
		p := float64(m)
		estimates = append(estimates, r)
		mean, sharp, bound = append(mean, [2]float64{p, r.Mean}), append(sharp, [2]float64{p, r.TraceBound}),
			append(bound, [2]float64{p, r.Bound})
	}
	lines := []viz.Line{{Name: "Monte Carlo", XYs: mean}, {Name: "Theorem 2.3", XYs: bound}}
	if degree == 1 {
		lines = append(lines, viz.Line{Name: "bound from traces tr K_k", XYs: sharp})
	}
	return viz.LogLines(fmt.Sprintf("d = %d", degree), "", lines...).WithAxes("number of base kernels",
		"Rademacher average").WithLogX(), estimates, nil
}
