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
	learned       kernel.Family // kernels of learned and of uniform weights
	singleKernels kernel.Family // kernels that are tried alone
	triedFirst    []int         // indices of the single kernels that are tried first: see compare.SingleKernels
	similar       [][]int       // groups of similar single kernels, the simplest first: see compare.SingleKernels
}

// defaultFamilies returns the default family for d: for its features, for the kernels or similarities that define it,
// or for each of its views.
func defaultFamilies(d *data.Dataset) (*family, error) {
	switch {
	case d.Kernels != nil:
		f := kernel.Sum{Kernels: d.Kernels, Normalize: kernel.MeanDiagonal}
		return &family{learned: f, singleKernels: f}, nil
	case d.Similarities != nil:
		f := similarity.Repaired{Normalize: kernel.MeanDiagonal}
		for _, s := range d.Similarities {
			r := similarity.DistinctRepairs(s.Matrix())
			f.Of = append(f.Of, similarity.Given{Name: s.Name, N: s.N, S: s.S, Repairs: r})
		}
		return &family{learned: f, singleKernels: f}, nil
	case len(d.Views) == 0:
		return defaultFamily(d.X)
	}
	x, err := points.As[points.Rows](d.X)
	if err != nil {
		return nil, errors.New("learn: views need dense features; save the points as CSV or NPY")
	}
	combined := &family{}
	var learned, singleKernels kernel.List
	for _, v := range d.Views {
		f, err := defaultFamily(x.Columns(v.Features))
		if err != nil {
			return nil, err
		}
		for _, k := range f.triedFirst {
			combined.triedFirst = append(combined.triedFirst, len(singleKernels)+k)
		}
		for _, g := range f.similar {
			g = slices.Clone(g)
			for i := range g {
				g[i] += len(singleKernels)
			}
			combined.similar = append(combined.similar, g)
		}
		if learned, err = appendRestricted(learned, kernel.KernelsOf(f.learned), v.Features); err != nil {
			return nil, err
		}
		singleKernels, err = appendRestricted(singleKernels, kernel.KernelsOf(f.singleKernels), v.Features)
		if err != nil {
			return nil, err
		}
		combined.learned, combined.singleKernels = f.learned, f.singleKernels // all views have the same preprocessing
	}
	combined.learned, _ = kernel.WithKernels(combined.learned, learned)
	combined.singleKernels, _ = kernel.WithKernels(combined.singleKernels, singleKernels)
	return combined, nil
}

// appendRestricted appends to list the added kernels, restricted to the features with the indices columns.
func appendRestricted(list, added kernel.List, columns []int) (kernel.List, error) {
	for _, k := range added {
		switch k := k.(type) {
		case kernel.Linear:
			k.Columns = columns
			list = append(list, k)
		case kernel.RBF:
			k.Columns = columns
			list = append(list, k)
		case kernel.Laplacian:
			k.Columns = columns
			list = append(list, k)
		default:
			return nil, fmt.Errorf("learn: the kernel %v cannot be restricted to a part of the features", k)
		}
	}
	return list, nil
}

// defaultFamily returns the default family for x.
func defaultFamily(x points.Points) (*family, error) {
	if s, err := points.As[points.Sequences](x); err == nil {
		return sequenceFamily(s), nil
	}
	d := points.Width(x)
	if d == 0 {
		return nil, errors.New("learn: there is no default family for points without features; choose one with " +
			"WithFamily")
	}
	// The widths are multiples of the root mean square distance, not of the median distance. For standardized points it
	// is √(2d) whatever the points, so it does not depend on test points. A column of 0 and 1 is assumed to contribute
	// √½, its value at equal shares. (For points of norm 1 with mean 0 the distance is √2.)
	//
	// Learned weights and their sum use widths from ½ to 8. With ¼, F prefers the narrowest kernel, which is nearly the
	// identity, and on sonar, ionosphere and liver the learned weights did worse than uniform weights.
	//
	// The widths of Laplacians are multiples of the mean of ‖u − v‖₁. That mean is 2/√π for a standard normal number
	// and ½ for a column of 0 and 1.
	var prepare points.Preprocessing
	var square, absolute float64
	sparse := points.Is[points.Sparse](x)
	if sparse { // standardization would fill in the zeros
		prepare, square = points.Preprocessing{points.MaxAbs, points.UnitRows}, 2
	} else {
		nominal := float64(countBinaryFeatures(x, d))
		numbers := float64(d) - nominal
		prepare = points.Preprocessing{points.StandardizeNumbers}
		square, absolute = 2*numbers+0.5*nominal, 2/math.Sqrt(math.Pi)*numbers+0.5*nominal
	}
	gaussian := func(scale float64) kernel.Kernel { return kernel.RBF{Gamma: 1 / (2 * scale * scale * square)} }
	shapes := []kernelShape{{gaussian, []float64{0.5, 1, 2, 4, 8}, []float64{1. / 16, 0.25, 1, 4}}}
	if !sparse {
		laplacian := func(scale float64) kernel.Kernel { return kernel.Laplacian{Gamma: 1 / (2 * scale * absolute)} }
		shapes = append(shapes, kernelShape{laplacian, []float64{0.5, 2, 8}, []float64{0.5, 4}})
	}
	sum, each := kernel.List{kernel.Linear{}}, kernel.List{}
	var first []int
	var alike [][]int
	for i, s := range shapes {
		for scale := 1. / 16; scale <= 8; scale *= 2 {
			k := s.kernel(scale)
			if slices.Contains(s.learned, scale) {
				sum = append(sum, k)
			}
			if slices.Contains(s.first, scale) {
				first = append(first, len(each))
			}
			each = append(each, k)
		}
		if i == 0 {
			n := len(each)
			alike, first = [][]int{{n, n - 1, n - 2}}, append(first, n)
			each = append(each, kernel.Linear{}) // the widest Gaussians are nearly linear
		}
	}
	return &family{kernel.Sum{Kernels: sum, Prepare: prepare, Normalize: kernel.MeanDiagonal},
		kernel.Sum{Kernels: each, Prepare: prepare, Normalize: kernel.MeanDiagonal}, first, alike}, nil
}

// kernelShape is a kind of kernel in several widths, 1/16 … 8 times the typical distance.
type kernelShape struct {
	kernel         func(scale float64) kernel.Kernel
	learned, first []float64 // scales of the kernels that are summed; scales of the single kernels that are tried first
}

// sequenceFamily returns the default family for sequences. It has kernels for DNA if the sequences contain only letters
// of DNA, and kernels for proteins otherwise.
func sequenceFamily(x points.Sequences) *family {
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
	return &family{learned: f, singleKernels: f}
}

// countBinaryFeatures returns the number of the d features of x that are 0 or 1 at every point.
func countBinaryFeatures(x points.Points, d int) int {
	isNumeric, row, count := make([]bool, d), make([]float64, d), 0
	for i := range x.Len() {
		x.StoreFeatures(row, i)
		for j, v := range row {
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
