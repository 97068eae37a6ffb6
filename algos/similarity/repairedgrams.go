package similarity

import (
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// repairedGrams is the family f at the points x. Its base kernels are repairs of the similarities between these points.
type repairedGrams struct {
	kernel.Grams // the weighted sum of the base kernels
	f            Repaired
	x            points.Points
	bindError    error
	cache        *repairCache

	threads int // largest number of threads, set by WithThreads
}

// Validate returns the error that Bind found.
func (g *repairedGrams) Validate() error { return g.bindError }

// StoredTriangleCount adds to the triangles of the sum two n×n matrices for each repair: the repaired matrix, and the
// matrix P for new points.
func (g *repairedGrams) StoredTriangleCount() int {
	m, _ := g.Dims()
	return g.Grams.StoredTriangleCount() + 4*m
}

// Sweep returns the Sweep of the sum.
func (g *repairedGrams) Sweep() (kernel.Sweep, error) { return g.Grams.(kernel.Swept).Sweep() }

// WithThreads returns g with at most n threads. The eigendecomposition ignores this limit.
func (g *repairedGrams) WithThreads(n int) kernel.Grams {
	t := *g
	t.Grams, t.threads = g.Grams.WithThreads(n), n
	return &t
}

// Slice returns the Grams at the points x[rows], which repair only the similarities between these points.
func (g *repairedGrams) Slice(rows []int) kernel.Grams { return g.slicePoints(rows) }

func (g *repairedGrams) slicePoints(rows []int) *repairedGrams {
	if g.bindError != nil {
		return g
	}
	s := g.f.bindTo(g.x.Slice(rows), nil, g.cache)
	s.Grams, s.threads = s.Grams.WithThreads(g.threads), g.threads
	return s
}

// Block returns the kernel between x[rows] and x[cols]. Only x[cols] are repaired; other points in x[rows] count as
// new.
func (g *repairedGrams) Block(rows, cols []int) kernel.Cross {
	return g.slicePoints(cols).Cross(g.x.Slice(rows))
}

// CheckNewPoints returns an error if the family cannot be evaluated at z. The OutOfDomain is always empty.
func (g *repairedGrams) CheckNewPoints(z points.Points) (kernel.OutOfDomain, error) {
	return kernel.OutOfDomain{}, g.checkNewPoints(z)
}

func (g *repairedGrams) checkNewPoints(z points.Points) error {
	if g.bindError != nil {
		return g.bindError
	}
	r, err := points.As[points.KernelRows](z)
	if err != nil {
		return g.f.checkPoints(z)
	}
	for _, s := range g.f.Of {
		if err := (kernel.Precomputed{Name: s.Name, N: s.N}).CheckNewPoints(r); err != nil {
			return err
		}
	}
	return nil
}

// FreezeFit returns the kernel.Sum of a stored model: only the scales of the kernels, and the matrices P that map the
// similarities of new points (points.KernelRows) to kernel values.
func (g *repairedGrams) FreezeFit() (kernel.Family, error) {
	if g.bindError != nil {
		return nil, g.bindError
	}
	frozenFamily, err := g.Grams.FreezeFit()
	if err != nil {
		return nil, err
	}
	kernels := kernel.KernelsOf(frozenFamily)
	for k, b := range kernels {
		b := b.(*repairKernel)
		n := g.f.Of[b.matrixIndex].N
		p := kernel.Precomputed{Name: b.name, KernelRowsName: g.f.Of[b.matrixIndex].Name, N: n}
		if newPointMatrix := b.computeKernelOnce().p; newPointMatrix != nil {
			p.NewPointMap = make([]float64, n*n) // entries are 0 for points that are not in x
			for i, r := range b.distinctIndices {
				for j, c := range b.distinctIndices {
					p.NewPointMap[r*n+c] = newPointMatrix.At(i, j)
				}
			}
		}
		kernels[k] = p
	}
	f, _ := kernel.WithKernels(frozenFamily, kernels)
	return f, nil
}

// KeptForm returns g as a kernel.Bound.
func (g *repairedGrams) KeptForm() any {
	return kernel.Bound{Family: g.f, Points: g.x, Threads: g.threads}
}
