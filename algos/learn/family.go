package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/words"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
)

// family holds the kernels that Learn uses for a dataset.
type family struct {
	sumFamily           kernel.Family // sum of kernels; each is also tried alone
	similarKernelGroups [][]int       // lists of indices of kernels that are nearly the same
	linearFamily        kernel.Family // the linear kernel alone, or those of all views; nil if some part has none
}

// kernelsForData returns the default kernels for d: those of each view if d has views, otherwise those of its Gram
// matrices, its similarities, its features or its sequences.
func kernelsForData(d *data.Dataset) (*family, error) {
	switch {
	case len(d.Views) > 0:
		return kernelsForViews(d)
	case d.Kernels != nil:
		return &family{sumFamily: kernel.Sum{Kernels: d.Kernels, Normalize: kernel.MeanDiagonal}}, nil
	case d.Similarities != nil:
		f := similarity.Repaired{Normalize: kernel.MeanDiagonal}
		for _, s := range d.Similarities {
			r := similarity.DistinctRepairs(s.Matrix())
			f.Of = append(f.Of, similarity.Given{Name: s.Name, N: s.N, S: s.S, Repairs: r})
		}
		return &family{sumFamily: f}, nil
	}
	return kernelsForPoints(d.X)
}

// kernelsForViews returns the default kernels of each view of d: kernels of its features, or of its part of the points.
func kernelsForViews(d *data.Dataset) (*family, error) {
	x, err := points.RowsOf(d.X)
	if err != nil && !points.Is[points.Parts](d.X) {
		return nil, errors.New("learn: views need dense features; save the points as CSV or NPY")
	}
	all := &family{}
	sum, linear := kernel.Sum{Normalize: kernel.MeanDiagonal}, kernel.Sum{Normalize: kernel.MeanDiagonal}
	hasLinear := true
	for _, v := range d.Views {
		source := d.Part(v.Name)
		if v.Features != nil {
			source.X = x.Columns(v.Features)
		}
		f, err := kernelsForData(source)
		if err != nil {
			return nil, err
		}
		for _, g := range f.similarKernelGroups {
			g = slices.Clone(g)
			for i := range g {
				g[i] += len(sum.Kernels)
			}
			all.similarKernelGroups = append(all.similarKernelGroups, g)
		}
		if hasLinear = hasLinear && f.linearFamily != nil; hasLinear {
			if err := addKernelsOfView(&linear, f.linearFamily, v); err != nil {
				return nil, err
			}
		}
		if err := addKernelsOfView(&sum, f.sumFamily, v); err != nil {
			return nil, err
		}
	}
	if all.sumFamily = sum; hasLinear {
		all.linearFamily = linear
	}
	return all, nil
}

// addKernelsOfView adds the kernels of f, the family of one view, to sum, each restricted to the features or the part
// of the view. All views of features have the same preprocessing.
func addKernelsOfView(sum *kernel.Sum, f kernel.Family, v data.View) error {
	if r, ok := f.(similarity.Repaired); ok {
		f = kernel.Sum{Kernels: r.Kernels(), Normalize: r.Normalize}
	}
	added := f.(kernel.Sum)
	for _, k := range added.Kernels {
		if v.Features == nil {
			onPart := kernel.OnPart{Part: v.Name, Kernel: k}
			if added.Normalize != sum.Normalize {
				onPart.Normalize = added.Normalize
			}
			sum.Kernels = append(sum.Kernels, onPart)
			continue
		}
		sum.Prepare = added.Prepare
		switch b := k.(type) {
		case kernel.Linear:
			b.Columns = v.Features
			k = b
		case kernel.RBF:
			b.Columns = v.Features
			k = b
		case kernel.Laplacian:
			b.Columns = v.Features
			k = b
		default:
			return fmt.Errorf("learn: the kernel %v cannot be restricted to some features; learn without views", k)
		}
		sum.Kernels = append(sum.Kernels, k)
	}
	return nil
}

func kernelsForPoints(x points.Points) (*family, error) {
	if s, err := points.As[points.Sequences](x); err == nil {
		return kernelsForSequences(s), nil
	}
	d := points.FeatureCount(x)
	if d == 0 {
		return nil, errors.New("learn: there is no default family for points without features; choose one with " +
			"WithFamily")
	}
	// The widths of Gaussians are multiples of the root mean square distance of points. For d standardized features
	// this distance is √(2d) for any points, so it does not depend on test points, as a median would. A column of 0 and
	// 1 is assumed to have as many zeros as ones, and adds ½ to the mean square distance. For points of norm 1 with
	// mean 0 the distance is √2.
	//
	// The kernels have scales from ½ to 8. If the scale ¼ is added, the objective F prefers this narrowest kernel,
	// which is nearly the identity. On sonar, ionosphere and liver, learned weights then did worse than uniform
	// weights. Single kernels are the same, so that a comparison of methods compares weights. Narrower ones had no
	// smaller mean error on 17 datasets, nor on simulated ones with narrow structure, for which the narrowest
	// Laplacian suffices.
	//
	// The widths of Laplacians are multiples of the mean of ‖u − v‖₁ for two points u and v. A standard normal feature
	// adds 2/√π to this mean, a column of 0 and 1 adds ½.
	var prepare points.Preprocessing
	var squaredDistance, absoluteDistance float64
	isSparse := points.Is[points.Sparse](x)
	if isSparse { // standardization would make the zeros nonzero
		prepare, squaredDistance = points.Preprocessing{points.MaxAbs, points.UnitRows}, 2
	} else {
		binaryCount := float64(countBinaryFeatures(x, d))
		numericCount := float64(d) - binaryCount
		prepare = points.Preprocessing{points.StandardizeNumbers}
		squaredDistance = 2*numericCount + 0.5*binaryCount
		absoluteDistance = 2/math.Sqrt(math.Pi)*numericCount + 0.5*binaryCount
	}
	kernels := kernel.List{kernel.Linear{}}
	for _, scale := range []float64{0.5, 1, 2, 4, 8} {
		kernels = append(kernels, kernel.RBF{Gamma: 1 / (2 * scale * scale * squaredDistance)})
	}
	widest := len(kernels) - 1
	if !isSparse {
		for _, scale := range []float64{0.5, 2, 8} {
			kernels = append(kernels, kernel.Laplacian{Gamma: 1 / (2 * scale * absoluteDistance)})
		}
	}
	sumOf := func(kernels kernel.List) kernel.Family {
		return kernel.Sum{Kernels: kernels, Prepare: prepare, Normalize: kernel.MeanDiagonal}
	}
	// a wide Gaussian is nearly linear
	return &family{sumOf(kernels), [][]int{{0, widest, widest - 1}}, sumOf(kernels[:1])}, nil
}

// kernelsForSequences returns the default kernels for sequences: for DNA if they contain only letters of DNA, for
// proteins otherwise.
func kernelsForSequences(x points.Sequences) *family {
	kernels := []words.Spectrum{{K: 1}, {K: 2}, {K: 3}, {K: 4}, {K: 4, Mismatches: 1}}
	if !slices.ContainsFunc(x, func(s string) bool { return strings.Trim(s, "ACGTNacgtn") != "" }) {
		kernels = []words.Spectrum{{K: 2}, {K: 4}, {K: 6}, {K: 8}, {K: 6, Mismatches: 1}}
		for i := range kernels {
			kernels[i].Alphabet = "ACGT"
		}
	}
	var list kernel.List
	for _, k := range kernels {
		list = append(list, k)
	}
	f := kernel.Sum{Kernels: list, Normalize: kernel.Cosine}
	return &family{sumFamily: f}
}

// countBinaryFeatures returns the number of the featureCount features of x that are 0 or 1 at every point.
func countBinaryFeatures(x points.Points, featureCount int) int {
	isNumeric, values, count := make([]bool, featureCount), make([]float64, featureCount), 0
	for i := range x.Len() {
		x.StoreFeatures(values, i)
		for j, v := range values {
			isNumeric[j] = isNumeric[j] || v != 0 && v != 1
		}
	}
	for _, n := range isNumeric {
		if !n {
			count++
		}
	}
	return count
}
