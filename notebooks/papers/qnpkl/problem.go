package qnpkl

import (
	"fmt"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// Scaling is a scaling of the features, computed on the training points. The paper states none.
type Scaling struct {
	Name      string // "standardized", "[0, 1]" or "[−1, 1]"
	fileStart string // start of the names of the files with stored results
	step      points.Step
	// stretch is the length of the feature's range after the scaling, divided by its length after step. The square of a
	// difference of features is then stretch² times that after step.
	stretch float64
	stepsC  map[string]float64 // C of the experiment "steps" by dataset
}

// Standardized, UnitInterval and SymmetricInterval are three usual scalings: mean 0 and variance 1 (as the rest of the
// library), and linear maps of each feature to [0, 1] and to [−1, 1] (the latter is that of the programs of LIBSVM).
var (
	Standardized = Scaling{"standardized", "standardized", points.Standardize, 1,
		map[string]float64{"sonar": 10, "ionosphere": 1, "pima": 1}}
	UnitInterval = Scaling{"[0, 1]", "unit", points.MinMax, 1,
		map[string]float64{"sonar": 100, "ionosphere": 100, "pima": 10}}
	SymmetricInterval = Scaling{"[−1, 1]", "symmetric", points.MinMax, 2,
		map[string]float64{"sonar": 100, "ionosphere": 10, "pima": 3}}
	Scalings = []Scaling{Standardized, UnitInterval, SymmetricInterval}
)

// Products returns the kernels Π_m exp(−γ_m(x_m−z_m)²/stretch²) on scaled features, for weights γ that contain the
// factor stretch².
func (s Scaling) Products() kernel.Family {
	return kernel.Gaussians{Prepare: points.Preprocessing{s.step}}
}

// GaussianSums returns the kernels Σ_m θ_m exp(−½(x_m−z_m)²) with weights θ, on scaled features.
func (s Scaling) GaussianSums(d *data.Dataset) kernel.Family {
	var list kernel.List
	for m := range d.Dim() {
		list = append(list, kernel.RBF{Gamma: 0.5 * s.stretch * s.stretch, Columns: []int{m}})
	}
	return kernel.Sum{Kernels: list, Prepare: points.Preprocessing{s.step}}
}

// WidthSet returns the set γ ≥ 0. Its start is γ = 1/M for M features, as in Algorithm 1, times stretch².
func (s Scaling) WidthSet(d *data.Dataset) set.Set {
	return set.Orthant{At: s.stretch * s.stretch / float64(d.Dim())}
}

// Problem returns problem (5) of the paper on all points of d: an SVM with a product of Gaussians of learned widths.
func (s Scaling) Problem(d *data.Dataset, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: s.Products().Bind(d.X), Set: s.WidthSet(d), Loss: loss.Hinge{C: c}, Y: d.Y}
}

// SumProblem returns the problem of SimpleMKL on all points of d: an SVM with a sum of Gaussians, whose weights have
// sum 1.
func (s Scaling) SumProblem(d *data.Dataset, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: s.GaussianSums(d).Bind(d.X), Set: set.Simplex{}, Loss: loss.Hinge{C: c}, Y: d.Y}
}

// DropConstant returns d without the features that have the same value at all points.
func DropConstant(d *data.Dataset) (*data.Dataset, error) {
	x, err := points.As[points.Rows](d.X)
	if err != nil {
		return nil, fmt.Errorf("qnpkl: %s: %w", d.Name, err)
	}
	var varying []int
	for j := range x.D {
		for i := range x.N {
			if x.Row(i)[j] != x.Row(0)[j] {
				varying = append(varying, j)
				break
			}
		}
	}
	return d.Columns(varying...)
}

// AddNoiseFeatures returns d with featureCount additional features of standard normal noise.
func AddNoiseFeatures(d *data.Dataset, featureCount int, seed uint64) (*data.Dataset, error) {
	x, err := points.As[points.Rows](d.X)
	if err != nil {
		return nil, fmt.Errorf("qnpkl: %s: %w", d.Name, err)
	}
	r := rand.New(rand.NewPCG(seed, 'n'))
	extended := points.Rows{N: x.N, D: x.D + featureCount}
	for i := range x.N {
		extended.Data = append(extended.Data, x.Row(i)...)
		for range featureCount {
			extended.Data = append(extended.Data, r.NormFloat64())
		}
	}
	c := *d
	c.Name, c.X = fmt.Sprintf("%s + %d", d.Name, featureCount), extended
	return &c, nil
}

// RelevantWeightShare returns R of Table 2: the share of the first relevantCount weights in the sum of all weights.
func RelevantWeightShare(theta []float64, relevantCount int) float64 {
	relevantSum, totalSum := 0.0, 0.0
	for k, v := range theta {
		if totalSum += v; k < relevantCount {
			relevantSum += v
		}
	}
	return relevantSum / totalSum
}

// Splits returns stratified splits with 70 % training and 30 % test points.
func Splits(d *data.Dataset, splitCount int, seed uint64) ([]fit.Split, error) {
	return fit.Holdout(d.Y, 0.3, splitCount, seed)
}

// Load returns an embedded dataset without constant features.
func Load(name string) (*data.Dataset, error) {
	d, err := datasets.Load(name)
	if err != nil {
		return nil, err
	}
	return DropConstant(d)
}
