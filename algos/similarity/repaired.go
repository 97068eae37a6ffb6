package similarity

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/internal/memory"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Repaired is the family that combines repairs of similarities as base kernels,
//
//	k_θ(x,z) = Σ_k θ_k k_k(x,z),
//
// where k_k is a Repair of one of the matrices in Of; Repair.KernelName returns its name. The family is bound to
// points.Indices, which are row numbers of these matrices. It repairs only the similarities between the bound points; a
// repeated point counts once. The repairs are computed when they are first needed. This takes one eigendecomposition of
// each matrix, about 9n³ operations, and a few products of n×n matrices for each repair. The kernel values of another
// point are a matrix P of the Repair times its similarities. Other points are points.Indices, whose similarities are in
// Of, or points.KernelRows, which hold for each matrix, under its name, the similarities to all N points.
//
// Slice returns a family that repairs only the similarities between its own points. So the held-out points of a fold of
// cross-validation are treated like new points, and their scores estimate the scores of new points. For Flip and the
// regularization parameter λ = 0.03 (TestRepairedScores), the accuracy in 4 folds of 80 points minus the accuracy on
// new points was −0.010 ± 0.010. If all points had been repaired at once, this difference would be larger by 0.10.
type Repaired struct {
	Of        []Given
	Normalize kernel.Normalization // None or MeanDiagonal; Cosine would need k(z,z) of new points, which is not known
}

// Given is a matrix of similarities between N points, and the repairs of it that are base kernels of Repaired.
type Given struct {
	Name    string // name of the matrix, which points.KernelRows and the names of the base kernels contain
	N       int
	S       []float64 // N×N, row by row, symmetric, both triangles stored
	Repairs []Repair  // one base kernel for each; DistinctRepairs returns repairs with different kernels
}

// DistinctRepairs returns the repairs that give different kernels on S. If every eigenvalue of S is at least −1e-10
// times its largest diagonal entry, S is a valid kernel, and DistinctRepairs returns Denoise, which does not change S,
// and Linear. Otherwise it returns all repairs.
func DistinctRepairs(s *mat.SymDense) []Repair {
	if linalg.ThreadLimit(0).IsPSD(s, 1e-10) {
		return []Repair{Denoise, Linear}
	}
	return slices.Clone(Repairs)
}

// Validate returns an error if a size, a name, a repair or an entry of a matrix in f is wrong. The error names the
// first such entry.
func (f Repaired) Validate() error {
	if len(f.Of) == 0 {
		return errors.New("similarity: no similarities to repair; give at least one matrix")
	}
	if f.Normalize != kernel.None && f.Normalize != kernel.MeanDiagonal {
		return fmt.Errorf("similarity: unknown normalization %q of Repaired; use %q or %q", f.Normalize, kernel.None,
			kernel.MeanDiagonal)
	}
	for i, s := range f.Of {
		if s.S == nil {
			return fmt.Errorf("similarity: %q has no matrix; set S", s.Name)
		}
		if err := s.validateMatrix(); err != nil {
			return fmt.Errorf("%w (of %q)", err, s.Name)
		}
		if s.N != f.Of[0].N {
			return fmt.Errorf("similarity: %q has %d points and %q has %d; all matrices must have the same points",
				s.Name, s.N, f.Of[0].Name, f.Of[0].N)
		}
		if slices.ContainsFunc(f.Of[:i], func(o Given) bool { return o.Name == s.Name }) {
			return fmt.Errorf("similarity: two matrices are named %q; give each another name", s.Name)
		}
		if len(s.Repairs) == 0 {
			return fmt.Errorf("similarity: %q has no repairs; set Repairs to some of %v", s.Name, Repairs)
		}
		for _, r := range s.Repairs {
			if !slices.Contains(Repairs, r) {
				return fmt.Errorf("similarity: unknown repair %v of %q; choose from %v", r, s.Name, Repairs)
			}
		}
	}
	return nil
}

// validateMatrix returns an error unless S is N×N, its entries are finite and below maxEntry in magnitude, and each
// differs from its mirror image by at most 1e-8 of the largest magnitude.
func (s Given) validateMatrix() error {
	if err := (Learned{N: s.N}).Validate(); err != nil {
		return err
	}
	if len(s.S) != s.N*s.N {
		return fmt.Errorf("similarity: S has %d numbers; it must have %d rows of %[2]d", len(s.S), s.N)
	}
	largestEntry := 0.0
	for i, v := range s.S {
		if !(math.Abs(v) < maxEntry) {
			return fmt.Errorf("similarity: row %d, column %d is %g; it must be finite and below %g, so scale "+
				"the matrix down", i/s.N+1, i%s.N+1, v, maxEntry)
		}
		largestEntry = max(largestEntry, math.Abs(v))
	}
	for i := range s.N {
		for j := range i {
			if a, b := s.S[i*s.N+j], s.S[j*s.N+i]; !(math.Abs(a-b) <= 1e-8*largestEntry) {
				return fmt.Errorf("similarity: S is not symmetric: %g in row %d, column %d, but %g in row %[3]d, "+
					"column %[2]d; use the mean of the two entries", a, i+1, j+1, b)
			}
		}
	}
	return nil
}

// Bind returns the Grams of f at the points x, which must be points.Indices: row numbers of the matrices.
func (f Repaired) Bind(x points.Points) kernel.Grams {
	return f.bindTo(x, f.Validate(), &repairCache{f: f})
}

// bindTo returns the Grams of f at x. bindError is an error that was found in f itself, or nil; Validate of the result
// returns it. The method Slice of the result uses the same cache.
func (f Repaired) bindTo(x points.Points, bindError error, cache *repairCache) *repairedGrams {
	if bindError == nil {
		bindError = f.checkPoints(x)
	}
	if bindError != nil {
		return &repairedGrams{f.newSumOfRepairs(x, nil, bindError), f, x, bindError, cache, 0}
	}
	return &repairedGrams{cache.repairsOfPoints(points.MustAs[points.Indices](x)).sumOfRepairs, f, x, nil, cache, 0}
}

// newSumOfRepairs returns the kernel.Sum of the base kernels of f at the points x. They take their matrices from
// repairs. If binding failed, bindError is the reason; Check of every base kernel then returns it.
func (f Repaired) newSumOfRepairs(x points.Points, repairs *pointRepairs, bindError error) kernel.Grams {
	var list kernel.List
	for i, s := range f.Of {
		for k, r := range s.Repairs {
			list = append(list, &repairKernel{pointRepairs: repairs, bindError: bindError, matrixIndex: i,
				repairIndex: k,
				name:        r.KernelName(s.Name)})
		}
	}
	return kernel.Sum{Kernels: list, Normalize: f.Normalize}.Bind(x)
}

// checkPoints returns an error if f cannot be bound to x.
func (f Repaired) checkPoints(x points.Points) error {
	if err := points.CheckIndices(x, f.Of[0].N); err != nil {
		return fmt.Errorf("similarity: Repaired cannot use these points: %w", err)
	}
	return nil
}

// repairCache stores the repairs of similarities for the lists of points to which f was most recently bound.
type repairCache struct {
	f             Repaired
	mu            sync.Mutex
	recentRepairs []*pointRepairs // in the order of their last use, the most recent at the end
}

// repairsOfPoints returns the repairs of the similarities between the points x. It stores the most recently used
// results, because the methods of a study use the same folds one after the other. It stores as many as fit into a
// sixteenth of memory.Available, but at least one.
func (a *repairCache) repairsOfPoints(x points.Indices) *pointRepairs {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := slices.IndexFunc(a.recentRepairs, func(g *pointRepairs) bool { return slices.Equal(g.x, x) })
	if k >= 0 {
		g := a.recentRepairs[k]
		a.recentRepairs = append(slices.Delete(a.recentRepairs, k, k+1), g)
		return g
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(x)))
	g := &pointRepairs{f: a.f, x: slices.Clone(x), distinctIndices: distinct, repairedRowOfPoint: map[int]int{},
		matrices: make([]matrixRepairs, len(a.f.Of))}
	for i, v := range distinct {
		g.repairedRowOfPoint[v] = i
	}
	g.sumOfRepairs = a.f.newSumOfRepairs(g.x, g, nil)
	a.recentRepairs = append(a.recentRepairs, g)
	byteLimit := float64(memory.Available()) / 16
	for i := len(a.recentRepairs) - 1; i >= 0; i-- {
		if byteLimit -= a.recentRepairs[i].sizeInBytes(); byteLimit < 0 && i < len(a.recentRepairs)-1 {
			a.recentRepairs = slices.Delete(a.recentRepairs, 0, i+1)
			break
		}
	}
	return g
}

// pointRepairs holds the repairs of the similarities between the points x.
type pointRepairs struct {
	f                  Repaired
	x                  points.Indices
	distinctIndices    []int           // the distinct indices in x, ascending
	repairedRowOfPoint map[int]int     // row of each index in the repaired matrices
	matrices           []matrixRepairs // the repairs of each similarity matrix of the family, in the order of f.Of
	sumOfRepairs       kernel.Grams    // the weighted sum of the repaired kernels on the points x
}

// matrixRepairs holds the repairs of one similarity matrix. They are computed when first needed.
type matrixRepairs struct {
	computeOnce sync.Once
	kernels     []*Kernel // one kernel for each repair of this matrix, in the order of Given.Repairs
}

// sizeInBytes returns the approximate size of g in bytes after all repairs are computed. Each repair has about 3n²
// numbers of 8 bytes: n² in K, n² in the matrix P for new points, and n²/2 in each of two triangles that kernel.Sum
// stores, K before and after Normalize.
func (g *pointRepairs) sizeInBytes() float64 {
	n, matrixCount := float64(len(g.distinctIndices)), 0
	for _, s := range g.f.Of {
		matrixCount += 3 * len(s.Repairs)
	}
	return 8 * n * n * float64(matrixCount)
}

// repairedKernel returns the kernel that repair repairIndex makes from similarity matrix matrixIndex. It panics if
// LAPACK finds no eigenvalues. This has not been observed for matrices that Validate accepts.
func (g *pointRepairs) repairedKernel(matrixIndex, repairIndex int) *Kernel {
	m := &g.matrices[matrixIndex]
	m.computeOnce.Do(func() {
		s, given := mat.NewSymDense(len(g.distinctIndices), nil), g.f.Of[matrixIndex]
		for r, p := range g.distinctIndices {
			for c := r; c < len(g.distinctIndices); c++ {
				s.SetSym(r, c, given.S[p*given.N+g.distinctIndices[c]])
			}
		}
		spectrum, err := Decompose(s)
		if err != nil {
			panic(err)
		}
		for _, r := range given.Repairs {
			repairedKernel, err := spectrum.Repair(r)
			if err != nil {
				panic(err)
			}
			m.kernels = append(m.kernels, repairedKernel)
		}
	})
	return m.kernels[repairIndex]
}

// repairKernel is the base kernel whose matrix is a repaired similarity matrix of some points. Its method Cross
// requires points x among these points, because there is no rule for the kernel between two other points.
type repairKernel struct {
	*pointRepairs            // nil if bindError is not nil
	bindError                error
	matrixIndex, repairIndex int // indices of the similarity matrix in f.Of and of the repair in its Repairs
	name                     string
}

var (
	_ kernel.Kernel  = (*repairKernel)(nil)
	_ kernel.Shifted = (*repairKernel)(nil)
)

func (b *repairKernel) String() string              { return b.name }
func (b *repairKernel) Check(_ points.Points) error { return b.bindError }
func (b *repairKernel) computeKernelOnce() *Kernel {
	return b.repairedKernel(b.matrixIndex, b.repairIndex)
}

// DiagonalShift returns a δ ≥ 0 such that K + δI is positive semidefinite. δ allows for the rounding errors of the
// eigenvalues and eigenvectors.
func (b *repairKernel) DiagonalShift() float64 {
	repairedMatrix := b.computeKernelOnce().K.RawSymmetric().Data
	return kernel.Precomputed{N: len(b.distinctIndices), Data: repairedMatrix}.DiagonalShift()
}

// Cross stores the kernel between z (rows) and the points x (columns). For points z among those of the repair these are
// entries of K. For other points and for points.KernelRows they are P·s, where s are the similarities of the point and
// P is the matrix of the repair.
func (b *repairKernel) Cross(dst *mat.Dense, z, x points.Points) {
	k, givenMatrix := b.computeKernelOnce(), &b.f.Of[b.matrixIndex]
	matrixOfK := k.K.RawSymmetric()
	repairedRowsOfX := make([]int, x.Len())
	for j, p := range points.MustAs[points.Indices](x) {
		repairedRowsOfX[j] = b.repairedRowOfPoint[p]
	}
	var newPointRows []int // indices in z of the points that are not among the repaired points
	var s []float64        // similarities of these points to the distinct points of the repair, row by row
	switch z := z.(type) {
	case points.Indices:
		for i, p := range z {
			if r, ok := b.repairedRowOfPoint[p]; ok {
				row := dst.RawRowView(i)
				for j, c := range repairedRowsOfX {
					row[j] = matrixOfK.Data[min(r, c)*matrixOfK.Stride+max(r, c)]
				}
				continue
			}
			newPointRows = append(newPointRows, i)
			for _, q := range b.distinctIndices {
				s = append(s, givenMatrix.S[p*givenMatrix.N+q])
			}
		}
	case points.KernelRows:
		similarities := z.Data[slices.Index(z.Names, givenMatrix.Name)]
		for i := range z.Len() {
			newPointRows = append(newPointRows, i)
			for _, q := range b.distinctIndices {
				s = append(s, similarities[i*z.N+q])
			}
		}
	default:
		panic(fmt.Sprintf("similarity: the new points are %T; pass points.Indices or points.KernelRows", z))
	}
	if len(newPointRows) == 0 {
		return
	}
	kernelValues, err := k.Cross(mat.NewDense(len(newPointRows), len(b.distinctIndices), s))
	if err != nil { // cannot happen: each row of s has one similarity for each distinct point
		panic(err)
	}
	for r, i := range newPointRows {
		row, kernelRow := dst.RawRowView(i), kernelValues.RawRowView(r)
		for j, c := range repairedRowsOfX {
			row[j] = kernelRow[c]
		}
	}
}
