package similarity

import (
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// repairedGrams is the family f bound to the points x. Its Grams is the kernel.Sum of the repairs of their
// similarities.
type repairedGrams struct {
	kernel.Grams // the kernel.Sum of the repairs
	f            Repaired
	x            points.Points
	bindError    error
	cache        *repairCache

	threads int // largest number of threads, set by Threads
}

// Validate returns the error that Bind found.
func (g *repairedGrams) Validate() error { return g.bindError }

// Threads returns g with at most n threads. The eigendecomposition ignores this limit.
func (g *repairedGrams) Threads(n int) kernel.Grams {
	t := *g
	t.Grams, t.threads = g.Grams.Threads(n), n
	return &t
}

// Slice returns the family bound to the points with the given rows.
func (g *repairedGrams) Slice(rows []int) kernel.Grams { return g.sliceRepaired(rows) }

// sliceRepaired is Slice with the concrete type of its result.
func (g *repairedGrams) sliceRepaired(rows []int) *repairedGrams {
	if g.bindError != nil {
		return g
	}
	s := g.f.bindTo(g.x.Slice(rows), nil, g.cache)
	s.Grams, s.threads = s.Grams.Threads(g.threads), g.threads
	return s
}

// Block returns the Cross between the points rows and the family bound to the points cols.
func (g *repairedGrams) Block(rows, cols []int) kernel.Cross {
	return g.sliceRepaired(cols).Cross(g.x.Slice(rows))
}

// CheckNew returns an error if the family cannot be evaluated at z.
func (g *repairedGrams) CheckNew(z points.Points) (kernel.OutOfDomain, error) {
	return kernel.OutOfDomain{}, g.checkNewPoints(z)
}

// checkNewPoints returns an error if the family cannot be evaluated at z.
func (g *repairedGrams) checkNewPoints(z points.Points) error {
	if g.bindError != nil {
		return g.bindError
	}
	r, err := points.As[points.KernelRows](z)
	if err != nil {
		return g.f.checkPoints(z)
	}
	for _, s := range g.f.Of {
		if err := (kernel.Precomputed{Name: s.Name, N: s.N}).CheckNew(r); err != nil {
			return err
		}
	}
	return nil
}

// Freeze returns a kernel.Sum with only the data that new points need: the matrices P of the linear rule, which is
// applied to points.KernelRows, and the scales of the kernels.
func (g *repairedGrams) Freeze() (kernel.Family, error) {
	if g.bindError != nil {
		return nil, g.bindError
	}
	frozen, err := g.Grams.Freeze()
	if err != nil {
		return nil, err
	}
	kernels := kernel.KernelsOf(frozen)
	for k, b := range kernels {
		b := b.(*repairKernel)
		n := g.f.Of[b.matrixIndex].N
		p := kernel.Precomputed{Name: b.name, Rows: g.f.Of[b.matrixIndex].Name, N: n}
		if matrixP := b.computedKernel().p; matrixP != nil {
			p.Map = make([]float64, n*n) // entries are 0 for points that are not bound
			for i, r := range b.distinctIndices {
				for j, c := range b.distinctIndices {
					p.Map[r*n+c] = matrixP.At(i, j)
				}
			}
		}
		kernels[k] = p
	}
	f, _ := kernel.WithKernels(frozen, kernels)
	return f, nil
}
