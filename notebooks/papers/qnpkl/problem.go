package qnpkl

import (
	"fmt"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
)

// scaled are standardized features, as Varma and Babu have them.
var scaled = kernel.Prepare{kernel.Standardize}

// Products is the family of products of one Gaussian a feature, on standardized features.
func Products() kernel.Family { return kernel.Gaussians{Prepare: scaled} }

// Sums is the family of sums of one Gaussian exp(−½(x_m−z_m)²) a feature, on standardized features.
func Sums(d *data.Dataset) kernel.Family {
	var list kernel.List
	for m := range d.Dim() {
		list = append(list, kernel.RBF{Gamma: 0.5, Columns: []int{m}})
	}
	return kernel.Sum{Kernels: list, Prepare: scaled}
}

// Start is γ ≥ 0 with runs that start at 1/M, as Algorithm 1 does.
func Start(d *data.Dataset) set.Set { return set.Orthant{At: 1 / float64(d.Dim())} }

// Problem is (5) on all points of d: a support vector machine on a product of Gaussians.
func Problem(d *data.Dataset, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: Products().On(d.X), Set: Start(d), Loss: loss.Hinge{C: c}, Y: d.Y}
}

// Sum is SimpleMKL's problem on all points of d: a sum of Gaussians, weights of sum 1.
func Sum(d *data.Dataset, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: Sums(d).On(d.X), Set: set.Simplex{}, Loss: loss.Hinge{C: c}, Y: d.Y}
}

// Varying is d without the features that have the same value at every point.
func Varying(d *data.Dataset) (*data.Dataset, error) {
	x, ok := d.X.(kernel.Rows)
	if !ok {
		return nil, fmt.Errorf("qnpkl: points of %s are %T, want rows", d.Name, d.X)
	}
	var keep []int
	for j := range x.D {
		for i := range x.N {
			if x.Row(i)[j] != x.Row(0)[j] {
				keep = append(keep, j)
				break
			}
		}
	}
	return d.Columns(keep...)
}

// Noisy is d with k more features drawn from the normal distribution.
func Noisy(d *data.Dataset, k int, seed uint64) (*data.Dataset, error) {
	x, ok := d.X.(kernel.Rows)
	if !ok {
		return nil, fmt.Errorf("qnpkl: points of %s are %T, want rows", d.Name, d.X)
	}
	r := rand.New(rand.NewPCG(seed, 'n'))
	more := kernel.Rows{N: x.N, D: x.D + k}
	for i := range x.N {
		more.Data = append(more.Data, x.Row(i)...)
		for range k {
			more.Data = append(more.Data, r.NormFloat64())
		}
	}
	c := *d
	c.Name, c.X = fmt.Sprintf("%s + %d", d.Name, k), more
	return &c, nil
}

// Ratio is R of Table 2: the share of the first m weights in the sum of all.
func Ratio(theta []float64, m int) float64 {
	some, all := 0.0, 0.0
	for k, v := range theta {
		if all += v; k < m {
			some += v
		}
	}
	return some / all
}

// Halves are splits of 70 % to learn on and 30 % to test on, by class.
func Halves(d *data.Dataset, count int, seed uint64) ([]study.Split, error) {
	return study.Holdout(d.Y, 0.3, count, seed)
}

// Load is an embedded dataset without constant features.
func Load(name string) (*data.Dataset, error) {
	d, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	return Varying(d)
}
