package fit

import (
	"errors"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// FullSolution is a model that was fitted to landmarks (Study.Landmarks), written as a feasible solution θ, w of the
// learning problem on all points. Package mkl can then bound the objective F over all points (CertifyAt). The kernel
// matrices of all points need not fit in memory.
type FullSolution struct {
	*mkl.Problem           // has all points, the landmarks first; kernel parameters are fitted to the landmarks
	Theta, W     []float64 // W: n dual coefficients for each target column, 0 except for the landmarks
}

// SolutionOnAllPoints returns the fit to landmarks as a feasible solution of the problem on all points. If a rule
// determined θ, the set Θ of the problem on all points contains only this θ, up to a relative difference of 1e-12. It
// is an error if the kernels are matrices, or have fitted parameters that cannot be frozen (kernel.ErrNotFrozen).
func (t *Fitted) SolutionOnAllPoints() (*FullSolution, error) {
	f, c, theta := t.fold, t.choice.Candidate(), t.Result.Theta
	family, err := t.problem.Grams.FreezeFit()
	if points.HasIndices(f.allPoints) || errors.Is(err, kernel.ErrNotFrozen) {
		return nil, errors.New("the kernel values of all points are unknown: the kernels are matrices, or have " +
			"parameters that were fitted to the landmarks only")
	}
	if err != nil {
		return nil, err
	}
	if c.Rule != nil {
		family, theta = activeKernels(family, theta)
		c.Set = set.Ball{Q: 1, Radius: 1e-12 * slices.Max(theta), Center: theta}
	}
	landmarksFirst, isLandmark := slices.Clone(f.landmarks), make([]bool, f.allPoints.Len())
	for _, i := range landmarksFirst {
		isLandmark[i] = true
	}
	for _, i := range f.split.Train {
		if !isLandmark[i] {
			landmarksFirst = append(landmarksFirst, i)
		}
	}
	c.Loss = c.Loss.Slice(landmarksFirst)
	y, _, err := encodeTargetColumns(f.targetsOf(landmarksFirst), f.encoding, c.Loss, f.centerTargets)
	if err != nil {
		return nil, err
	}
	n, fullW := len(landmarksFirst), make([]float64, len(y))
	for j := range len(y) / n {
		copy(fullW[j*n:], t.w[j*len(f.landmarks):(j+1)*len(f.landmarks)])
	}
	p := &mkl.Problem{Grams: family.Bind(f.allPoints.Slice(landmarksFirst)), Y: y}
	return &FullSolution{Problem: c.applyTo(p), Theta: theta, W: fullW}, nil
}

// activeKernels returns the family of the kernels of f with θ_k ≠ 0, and their weights. It returns f and theta
// unchanged if f cannot be reduced.
func activeKernels(f kernel.Family, theta []float64) (activeFamily kernel.Family, activeTheta []float64) {
	var activeIndices []int
	for k, t := range theta {
		if t != 0 {
			activeIndices = append(activeIndices, k)
		}
	}
	activeFamily, ok := kernel.SelectKernels(f, activeIndices)
	if !ok || len(activeIndices) == len(theta) {
		return f, theta
	}
	return activeFamily, points.Pick(theta, activeIndices)
}
