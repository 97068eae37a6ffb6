package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"
)

// FittedTransforms holds everything that a family has fitted to points, as plain data. Grams.FreezeFit creates it.
type FittedTransforms struct {
	Preprocessing points.FittedPreprocessing
	// ScaleFactors are the factors that multiply the base kernels. They are 1 with Cosine, and nil without Normalize.
	ScaleFactors    []float64
	LargestDiagonal []float64 // largest k(x_i, x_i) of each base kernel before centering; nil without Normalize
}

// preprocess returns p fitted, and the points x preprocessed with it. The fit is the one in f, or a new fit to x if f
// is nil. The caller must have checked f, p and x.
func (f *FittedTransforms) preprocess(
	p points.Preprocessing, x points.Points) (*points.FittedPreprocessing, points.Points) {
	if f != nil {
		return &f.Preprocessing, f.Preprocessing.Apply(x)
	}
	fit, err := p.Fit(x)
	if err != nil {
		panic(err)
	}
	return fit, fit.Apply(x)
}

// checkPreprocessing returns an error if f was fitted with other steps than p, or to points with another number of
// features than x. It returns nil if f is nil.
func (f *FittedTransforms) checkPreprocessing(p points.Preprocessing, x points.Points) error {
	if f == nil {
		return nil
	}
	return f.Preprocessing.Check(p, x)
}

// checkFinite returns an error if a fitted number is not finite.
func checkFinite(v []float64) error {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("kernel: FittedTransforms contains the number %g; it must be finite", x)
		}
	}
	return nil
}

// checkMatchesSum returns an error if f does not hold one scale and one largest diagonal entry for each kernel of s, or
// if s is centered. If f is nil, it returns an error if a Precomputed kernel of s has no matrix.
func (f *FittedTransforms) checkMatchesSum(s Sum) error {
	if f == nil {
		for _, b := range s.Kernels {
			if lacksMatrix(b) {
				return fmt.Errorf("kernel: %v has no matrix: Data is empty; set its numbers", b)
			}
		}
		return nil
	}
	m := len(s.Kernels)
	switch {
	case s.Center:
		return errCenter
	case s.Normalize != None && (len(f.ScaleFactors) != m || len(f.LargestDiagonal) != m),
		s.Normalize == None && (f.ScaleFactors != nil || f.LargestDiagonal != nil):
		return fmt.Errorf("kernel: FittedTransforms has %d scale factors and %d largest diagonal entries for %d "+
			"kernels normalized by %q; use the family that FreezeFit returns",
			len(f.ScaleFactors), len(f.LargestDiagonal), m, s.Normalize)
	}
	return errors.Join(checkFinite(f.ScaleFactors), checkFinite(f.LargestDiagonal))
}

var errCenter = errors.New("kernel: a centered kernel cannot be frozen, because new values need all points that it " +
	"is centered on; set Center to false")

// FreezeFit returns the Sum with the fitted preprocessing, the scales and the largest diagonal entries. It returns an
// error if Center is set, because Center needs all points.
func (g *sumGrams) FreezeFit() (Family, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	f := g.f
	if f.Center {
		return nil, errCenter
	}
	if f.FittedTransforms == nil {
		f.FittedTransforms = &FittedTransforms{Preprocessing: *g.fittedPreprocessing}
		if f.Normalize != None {
			_, normalizations := g.computeNormalizedMatrices(g.threads)
			for _, b := range normalizations {
				f.FittedTransforms.ScaleFactors = append(f.FittedTransforms.ScaleFactors, b.scale)
				f.FittedTransforms.LargestDiagonal = append(f.FittedTransforms.LargestDiagonal, b.largestDiagonal)
			}
		}
	}
	f.Kernels = append(List(nil), f.Kernels...)
	for k, b := range g.base.kernels {
		f.Kernels[k] = freeze(b)
	}
	return f, nil
}

// fittedScales returns the scale and the largest diagonal entry of base kernel k, or nil if f does not contain them.
func (f *FittedTransforms) fittedScales(k int) *scaleFit {
	if f == nil || f.ScaleFactors == nil {
		return nil
	}
	return &scaleFit{largestDiagonal: f.LargestDiagonal[k], scale: f.ScaleFactors[k]}
}

// FreezeFit returns the Features with the fitted preprocessing.
func (g *featureGrams) FreezeFit() (Family, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	f := g.f
	if f.FittedTransforms == nil {
		f.FittedTransforms = &FittedTransforms{Preprocessing: *g.fittedPreprocessing}
	}
	return f, nil
}
