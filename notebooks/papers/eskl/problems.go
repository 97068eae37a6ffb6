package eskl

import (
	"slices"

	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/mat"
)

// N returns the number of points.
func (s Set) N() int { return len(s.Y) }

// Labels returns the labels of the points with the given indices.
func (s Set) Labels(rows []int) []float64 { return points.Pick(s.Y, rows) }

// Submatrix returns the first similarity matrix of s, restricted to the given rows and columns.
func (s Set) Submatrix(rows, columns []int) *mat.Dense {
	m := mat.NewDense(len(rows), len(columns), nil)
	m.Apply(func(i, j int, _ float64) float64 { return s.S[0].At(rows[i], columns[j]) }, m)
	return m
}

// vectorizeSimilarities returns the n² entries of each similarity matrix, row by row.
func (s Set) vectorizeSimilarities() (vectors [][]float64) {
	for _, m := range s.S {
		vectors = append(vectors, similarity.Vec(m))
	}
	return vectors
}

// ESKLProblem returns problem (4) of the paper, ESKL: a kernel matrix K of trace N is learned for all N points of s. c
// is C of the SVM, rho the weight of the distances of K from the similarities. labeled: training points, nil for all.
func ESKLProblem(s Set, labeled []int, distance reg.Distance, c, rho float64) *mkl.Problem {
	labeled = s.rowsOrAll(labeled)
	return &mkl.Problem{
		Grams: similarity.Learned{N: s.N()}.Bind(points.Indices(labeled)), Y: s.Labels(labeled), Loss: loss.Hinge{C: c},
		Set: set.Spectraplex{Trace: float64(s.N())},
		Reg: reg.DistancePenalty{Rho: rho, Distance: distance, Targets: s.vectorizeSimilarities()},
	}
}

// rowsOrAll returns rows, or the indices of all points if rows is nil.
func (s Set) rowsOrAll(rows []int) []int {
	if rows == nil {
		return points.AllIndices(s.N())
	}
	return rows
}

// IndSVMProblem returns problem (2) of the paper, by Luss and d'Aspremont. It penalizes the squared distance of K from
// the mean of the similarity matrices and does not constrain the trace of K.
func IndSVMProblem(s Set, labeled []int, c, rho float64) *mkl.Problem {
	p := ESKLProblem(s, labeled, reg.SquaredNorm, c, rho/float64(len(s.S)))
	p.Set = set.PSD{}
	return p
}

// EMKLProblem returns problem (6) of the paper, EMKL, which is ESKL with one kernel matrix K_i of trace N for each
// similarity matrix. Its support vector machine, problem (10), fits one function for each K_i.
func EMKLProblem(s Set, labeled []int, distance reg.Distance, c, rho float64) *mkl.Problem {
	p := ESKLProblem(s, labeled, distance, c, rho)
	var f blocks.Family
	var r reg.Separable
	for _, t := range s.vectorizeSimilarities() {
		f.Families = append(f.Families, similarity.Learned{N: s.N()})
		r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: distance, Targets: [][]float64{t}})
	}
	p.Grams, p.Reg = f.Bind(points.Indices(s.rowsOrAll(labeled))), r
	p.Set = set.Product{Factor: set.Spectraplex{Trace: float64(s.N())}, Count: len(s.S)}
	p.Loss = loss.BlockNorm{Loss: loss.Hinge{C: c}}
	return p
}

// REKLProblem returns problem (7) of the paper, REKL, which is EMKL with fixed eigenvectors: K_i has the eigenvectors
// of the i-th similarity matrix, and only its eigenvalues are learned. Their sum is N, the number of points.
func REKLProblem(s Set, labeled []int, distance reg.Distance, c, rho float64) *mkl.Problem {
	p := EMKLProblem(s, labeled, distance, c, rho)
	f := blocks.Spectra{N: s.N()}
	var r reg.Separable
	for _, m := range s.S {
		e := Spectrum(m)
		f.Vectors = append(f.Vectors, mat.DenseCopyOf(e.Vectors).RawMatrix().Data)
		r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: distance, Targets: [][]float64{e.Values}})
	}
	p.Grams, p.Reg = f.Bind(points.Indices(s.rowsOrAll(labeled))), r
	p.Set = set.Product{Factor: set.Simplex{Sum: float64(s.N())}, Count: len(s.S)}
	return p
}

// Solver returns the solver for a distance of the kernel matrix from a similarity matrix: DualAscent for L3 (the
// squared Frobenius norm), and for L2 (the Frobenius norm) if only one matrix is learned; ADMM otherwise.
func Solver(distance reg.Distance, severalMatrices bool) mkl.Solver {
	if distance == reg.SquaredNorm || distance == reg.TwoNorm && !severalMatrices {
		return mkl.DualAscent{}
	}
	return mkl.ADMM{}
}

// SymmetricMatrix returns the mean of θ and its transpose as a symmetric matrix. θ holds an n×n matrix row by row.
func SymmetricMatrix(theta []float64, n int) *mat.SymDense {
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, (theta[i*n+j]+theta[j*n+i])/2)
		}
	}
	return k
}

// Mean returns the mean of the similarity matrices.
func (s Set) Mean() *mat.SymDense {
	m := mat.NewSymDense(s.N(), nil)
	for _, a := range s.S {
		m.AddSym(m, a)
	}
	m.ScaleSym(1/float64(len(s.S)), m)
	return m
}

// Median returns the matrix of the medians of the entries of the similarity matrices. Of all matrices it has the
// smallest sum of L1 distances from them.
func (s Set) Median() *mat.SymDense {
	m := mat.NewSymDense(s.N(), nil)
	for i := range s.N() {
		for j := i; j < s.N(); j++ {
			var entries []float64
			for _, a := range s.S {
				entries = append(entries, a.At(i, j))
			}
			slices.Sort(entries)
			m.SetSym(i, j, shared.MedianOfSorted(entries))
		}
	}
	return m
}
