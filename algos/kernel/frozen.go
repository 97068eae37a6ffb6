package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"
)

// Fitted holds everything that a family has fitted to points, as plain data. Grams.FreezeFit creates it.
type Fitted struct {
	Prepare         points.FittedPreprocessing
	Scale           []float64 // the factor that multiplies each base kernel; 1 with Cosine; nil without Normalize
	LargestDiagonal []float64 // largest k(x_i, x_i) of each base kernel before centering; nil without Normalize
}

// preprocess returns p fitted, and the points x preprocessed with it. The fit is the one in f, or a new fit to x if f
// is nil. The caller must have checked f, p and x.
func (f *Fitted) preprocess(p points.Preprocessing, x points.Points) (*points.FittedPreprocessing, points.Points) {
	if f != nil {
		return &f.Prepare, f.Prepare.Apply(x)
	}
	fit, err := p.Fit(x)
	if err != nil {
		panic(err)
	}
	return fit, fit.Apply(x)
}

// checkPreprocessing returns an error if f was fitted with other steps than p, or to points with another number of
// features than x. It returns nil if f is nil.
func (f *Fitted) checkPreprocessing(p points.Preprocessing, x points.Points) error {
	if f == nil {
		return nil
	}
	return f.Prepare.Check(p, x)
}

// checkFinite returns an error if a fitted number is not finite.
func checkFinite(v []float64) error {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("kernel: Fitted has the scale or diagonal entry %g; it must be finite", x)
		}
	}
	return nil
}

// checkMatchesSum returns an error if f does not hold one scale and one largest diagonal entry for each kernel of s, or
// if s is centered. If f is nil, it returns an error if a Precomputed kernel of s has no matrix.
func (f *Fitted) checkMatchesSum(s Sum) error {
	if f == nil {
		for _, b := range s.Kernels {
			if p, ok := b.(Precomputed); ok && len(p.Data) == 0 {
				return fmt.Errorf("kernel: %v has no matrix: Data is empty; set its %d×%[2]d numbers", p, p.N)
			}
		}
		return nil
	}
	m := len(s.Kernels)
	switch {
	case s.Center:
		return errCenter
	case s.Normalize != None && (len(f.Scale) != m || len(f.LargestDiagonal) != m),
		s.Normalize == None && (f.Scale != nil || f.LargestDiagonal != nil):
		return fmt.Errorf("kernel: Fitted has %d scales and %d largest diagonal entries for %d kernels normalized by "+
			"%q; use the family that FreezeFit returns", len(f.Scale), len(f.LargestDiagonal), m, s.Normalize)
	}
	return errors.Join(checkFinite(f.Scale), checkFinite(f.LargestDiagonal))
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
	if f.Fitted == nil {
		f.Fitted = &Fitted{Prepare: *g.fittedPreprocessing}
		if f.Normalize != None {
			_, normalizations := g.computeNormalizedMatrices(g.threads)
			for _, b := range normalizations {
				f.Fitted.Scale = append(f.Fitted.Scale, b.scale)
				f.Fitted.LargestDiagonal = append(f.Fitted.LargestDiagonal, b.largestDiagonal)
			}
		}
	}
	f.Kernels = append(List(nil), f.Kernels...)
	for k, b := range f.Kernels {
		if p, ok := b.(Precomputed); ok {
			p.Data = nil
			f.Kernels[k] = p
		}
	}
	return f, nil
}

// fittedScales returns the scale and the largest diagonal entry of base kernel k, or nil if f does not contain them.
func (f *Fitted) fittedScales(k int) *scaleFit {
	if f == nil || f.Scale == nil {
		return nil
	}
	return &scaleFit{largestDiagonal: f.LargestDiagonal[k], scale: f.Scale[k]}
}

// FreezeFit returns the Features with the fitted preprocessing.
func (g *featureGrams) FreezeFit() (Family, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	f := g.f
	if f.Fitted == nil {
		f.Fitted = &Fitted{Prepare: *g.fittedPreprocessing}
	}
	return f, nil
}
