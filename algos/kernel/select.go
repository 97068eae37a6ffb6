package kernel

import "github.com/mklnb/mkl/algos/points"

// KernelsOf returns the base kernels of a List or a Sum, one for each parameter θ_k. It returns nil for other families.
func KernelsOf(f Family) List {
	switch f := f.(type) {
	case List:
		return f
	case Sum:
		return f.Kernels
	}
	return nil
}

// WithKernels returns a copy of the List or Sum f with other base kernels. It does not change Sum.FittedTransforms, so
// that a Sum with FittedTransforms needs as many kernels as before. For other families, it returns f, and ok is false.
func WithKernels(f Family, kernels List) (changed Family, ok bool) {
	switch f := f.(type) {
	case List:
		return kernels, true
	case Sum:
		f.Kernels = kernels
		return f, true
	}
	return f, false
}

// SelectKernels returns a copy of the List or Sum f with only the base kernels of the given indices, in this order, and
// their entries of Sum.FittedTransforms. For other families, it returns f, and ok is false.
func SelectKernels(f Family, indices []int) (selected Family, ok bool) {
	if s, isSum := f.(Sum); isSum && s.FittedTransforms != nil {
		fit := *s.FittedTransforms
		fit.ScaleFactors = points.Pick(fit.ScaleFactors, indices)
		fit.LargestDiagonal = points.Pick(fit.LargestDiagonal, indices)
		s.FittedTransforms = &fit
		f = s
	}
	return WithKernels(f, points.Pick(KernelsOf(f), indices))
}
