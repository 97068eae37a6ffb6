package similarity

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
		if err := s.validate(); err != nil {
			return err
		}
		if s.N != f.Of[0].N {
			return fmt.Errorf("similarity: %q has %d points and %q has %d; all matrices must have the same points",
				s.Name, s.N, f.Of[0].Name, f.Of[0].N)
		}
		if slices.ContainsFunc(f.Of[:i], func(o Given) bool { return o.Name == s.Name }) {
			return fmt.Errorf("similarity: two matrices are named %q; give each another name", s.Name)
		}
	}
	return nil
}

// validate returns an error if the matrix or the repairs of s are wrong.
func (s Given) validate() error {
	if s.S == nil {
		return fmt.Errorf("similarity: %q has no matrix; set S", s.Name)
	}
	if err := s.validateMatrix(); err != nil {
		return fmt.Errorf("%w (of %q)", err, s.Name)
	}
	if len(s.Repairs) == 0 {
		return fmt.Errorf("similarity: %q has no repairs; set Repairs to some of %v", s.Name, Repairs)
	}
	for _, r := range s.Repairs {
		if !slices.Contains(Repairs, r) {
			return fmt.Errorf("similarity: unknown repair %v of %q; choose from %v", r, s.Name, Repairs)
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

// Bind returns the Grams of f at the points x, which must be points.Indices: row numbers of the matrices. They are
// those of the kernel.Sum of Kernels.
func (f Repaired) Bind(x points.Points) kernel.Grams {
	if err := f.Validate(); err != nil {
		return kernel.Sum{Kernels: kernel.List{invalidKernel{err: err}}}.Bind(x)
	}
	return kernel.Sum{Kernels: f.Kernels(), Normalize: f.Normalize}.Bind(x)
}

// Kernels returns the base kernels of f: the repairs of the first matrix, then of the second, …
func (f Repaired) Kernels() (list kernel.List) {
	for _, s := range f.Of {
		for _, r := range s.Repairs {
			s.Repairs = []Repair{r}
			list = append(list, RepairedKernel{s})
		}
	}
	return list
}

// invalidKernel is a kernel of an invalid family. Its method Check returns the reason.
type invalidKernel struct {
	RepairedKernel
	err error
}

func (k invalidKernel) Check(points.Points) error { return k.err }

// RepairedKernel is one repair of similarities as a base kernel of kernel.Sum: see Repaired. Given has this one repair.
// kernel.Sum fits it to the points of Bind, so that it repairs the similarities between these points only.
type RepairedKernel struct{ Given Given }

var (
	_ kernel.Fitted  = RepairedKernel{}
	_ kernel.Kernel  = fittedRepair{}
	_ kernel.Shifted = fittedRepair{}
)

// String returns the name of the matrix and of the repair.
func (k RepairedKernel) String() string { return k.Given.Repairs[0].KernelName(k.Given.Name) }

// Check returns an error if the matrix or the repair is wrong, or if x is not points.Indices of rows of the matrix.
func (k RepairedKernel) Check(x points.Points) error {
	if err := k.Given.validate(); err != nil {
		return err
	}
	if len(k.Given.Repairs) != 1 {
		return fmt.Errorf("similarity: RepairedKernel has the repairs %v of %q; set one", k.Given.Repairs, k.Given.Name)
	}
	return k.checkIndices(x)
}

// checkIndices returns an error if x is not points.Indices of rows of the matrix.
func (k RepairedKernel) checkIndices(x points.Points) error {
	if err := points.CheckIndices(x, k.Given.N); err != nil {
		return fmt.Errorf("similarity: the repaired similarities cannot use these points: %w", err)
	}
	return nil
}

// Cross stores the kernel that is fitted to x.
func (k RepairedKernel) Cross(dst *mat.Dense, z, x points.Points) { k.FitTo(x).Cross(dst, z, x) }

// FitTo returns the kernel that repairs the similarities between the points x. A repeated point counts once.
func (k RepairedKernel) FitTo(x points.Points) kernel.Kernel {
	f := fittedRepair{RepairedKernel: k, repairedRowOfPoint: map[int]int{},
		distinctIndices: slices.Compact(slices.Sorted(slices.Values(points.MustAs[points.Indices](x))))}
	s := mat.NewSymDense(len(f.distinctIndices), nil)
	for r, p := range f.distinctIndices {
		f.repairedRowOfPoint[p] = r
		for c := r; c < len(f.distinctIndices); c++ {
			s.SetSym(r, c, k.Given.S[p*k.Given.N+f.distinctIndices[c]])
		}
	}
	f.matrix = recentRepairs.of(s)
	return f
}

// fittedRepair is a RepairedKernel for some points. Its method Cross requires points x among these points, because
// there is no rule for the kernel between two other points.
type fittedRepair struct {
	RepairedKernel
	distinctIndices    []int       // the distinct indices of the points, ascending
	repairedRowOfPoint map[int]int // row of each index in the repaired matrix
	matrix             *matrixRepairs
}

// Check accepts all points: RepairedKernel.Check has checked them.
func (k fittedRepair) Check(points.Points) error { return nil }

// CheckNewPoints returns an error unless z are points.Indices of rows of the matrix, or points.KernelRows with
// similarities of this matrix.
func (k fittedRepair) CheckNewPoints(z points.Points) error {
	if points.Is[points.KernelRows](z) {
		return kernel.Precomputed{Name: k.Given.Name, N: k.Given.N}.CheckNewPoints(z)
	}
	return k.checkIndices(z)
}

func (k fittedRepair) repaired() *repairedMatrix { return k.matrix.repaired(k.Given.Repairs[0]) }

// DiagonalShift returns a δ ≥ 0 such that K + δI is positive semidefinite. δ allows for the rounding errors of the
// eigenvalues and eigenvectors.
func (k fittedRepair) DiagonalShift() float64 { return k.repaired().diagonalShift() }

// Freeze returns a kernel without the similarities. It has the matrix P that maps the similarities of new points
// (points.KernelRows) to kernel values.
func (k fittedRepair) Freeze() kernel.Kernel {
	n := k.Given.N
	p := kernel.Precomputed{Name: k.String(), KernelRowsName: k.Given.Name, N: n}
	if newPointMatrix := k.repaired().kernel.p; newPointMatrix != nil {
		p.NewPointMap = make([]float64, n*n) // entries are 0 for points that are not among those of the repair
		for i, r := range k.distinctIndices {
			for j, c := range k.distinctIndices {
				p.NewPointMap[r*n+c] = newPointMatrix.At(i, j)
			}
		}
	}
	return p
}

// Cross stores the kernel between z (rows) and the points x (columns). For points z among those of the repair these are
// entries of K. For other points and for points.KernelRows they are P·s, where s are the similarities of the point and
// P is the matrix of the repair.
func (k fittedRepair) Cross(dst *mat.Dense, z, x points.Points) {
	repairedKernel, givenMatrix := k.repaired().kernel, &k.Given
	matrixOfK := repairedKernel.K.RawSymmetric()
	repairedRowsOfX := make([]int, x.Len())
	for j, p := range points.MustAs[points.Indices](x) {
		repairedRowsOfX[j] = k.repairedRowOfPoint[p]
	}
	var newPointRows []int // indices in z of the points that are not among the repaired points
	var s []float64        // similarities of these points to the distinct points of the repair, row by row
	switch z := z.(type) {
	case points.Indices:
		for i, p := range z {
			if r, ok := k.repairedRowOfPoint[p]; ok {
				row := dst.RawRowView(i)
				for j, c := range repairedRowsOfX {
					row[j] = matrixOfK.Data[min(r, c)*matrixOfK.Stride+max(r, c)]
				}
				continue
			}
			newPointRows = append(newPointRows, i)
			for _, q := range k.distinctIndices {
				s = append(s, givenMatrix.S[p*givenMatrix.N+q])
			}
		}
	case points.KernelRows:
		similarities := z.Data[slices.Index(z.Names, givenMatrix.Name)]
		for i := range z.Len() {
			newPointRows = append(newPointRows, i)
			for _, q := range k.distinctIndices {
				s = append(s, similarities[i*z.N+q])
			}
		}
	default:
		panic(fmt.Sprintf("similarity: the new points are %T; pass points.Indices or points.KernelRows", z))
	}
	if len(newPointRows) == 0 {
		return
	}
	kernelValues, err := repairedKernel.Cross(mat.NewDense(len(newPointRows), len(k.distinctIndices), s))
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
