package eskl

import (
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

// N returns the number of points.
func (s Set) N() int { return len(s.Y) }

// Labels returns the labels of the given rows.
func (s Set) Labels(rows []int) []float64 { return points.Pick(s.Y, rows) }

// Submatrix returns the first similarity matrix of s, restricted to the given rows and columns.
func (s Set) Submatrix(rows, columns []int) *mat.Dense {
	m := mat.NewDense(len(rows), len(columns), nil)
	m.Apply(func(i, j int, _ float64) float64 { return s.S[0].At(rows[i], columns[j]) }, m)
	return m
}

// targetVectors returns each similarity matrix as a vector, the form of reg.DistancePenalty.Targets.
func (s Set) targetVectors() (t [][]float64) {
	for _, m := range s.S {
		t = append(t, similarity.Vec(m))
	}
	return t
}

// ESKLProblem returns ESKL, problem (4): one matrix K of trace N between all N points of s is learned from all
// similarities. Only the points rows have labels; if rows is nil, all have.
func ESKLProblem(s Set, rows []int, d reg.Distance, c, rho float64) *mkl.Problem {
	rows = s.labeledRows(rows)
	return &mkl.Problem{
		Grams: similarity.Learned{N: s.N()}.Bind(points.Indices(rows)), Y: s.Labels(rows), Loss: loss.Hinge{C: c},
		Set: set.Spectraplex{Trace: float64(s.N())},
		Reg: reg.DistancePenalty{Rho: rho, Distance: d, Targets: s.targetVectors()},
	}
}

// labeledRows returns rows, or all rows if rows is nil.
func (s Set) labeledRows(rows []int) []int {
	if rows == nil {
		return points.AllIndices(s.N())
	}
	return rows
}

// IndSVMProblem returns problem (2), of Luss and d'Aspremont. It has the squared distance of K from the mean of the
// similarities, and no constraint on the trace of K.
func IndSVMProblem(s Set, rows []int, c, rho float64) *mkl.Problem {
	p := ESKLProblem(s, rows, reg.L3, c, rho/float64(len(s.S)))
	p.Set = set.PSD{}
	return p
}

// EMKLProblem returns EMKL, problem (6): one matrix K_i of trace N is learned for each similarity. The machine has the
// block norm of (10).
func EMKLProblem(s Set, rows []int, d reg.Distance, c, rho float64) *mkl.Problem {
	p := ESKLProblem(s, rows, d, c, rho)
	var f blocks.Family
	var r reg.Separable
	for _, t := range s.targetVectors() {
		f.Families = append(f.Families, similarity.Learned{N: s.N()})
		r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: d, Targets: [][]float64{t}})
	}
	p.Grams, p.Reg = f.Bind(points.Indices(s.labeledRows(rows))), r
	p.Set = set.Product{Factor: set.Spectraplex{Trace: float64(s.N())}, Count: len(s.S)}
	p.Loss = loss.BlockNorm{Loss: loss.Hinge{C: c}}
	return p
}

// REKLProblem returns REKL, problem (7). Each K_i has the eigenvectors of the i-th similarity matrix; its eigenvalues
// μ_i, with sum N, are learned.
func REKLProblem(s Set, rows []int, d reg.Distance, c, rho float64) (*mkl.Problem, error) {
	p := EMKLProblem(s, rows, d, c, rho)
	f := blocks.Spectra{N: s.N()}
	var r reg.Separable
	for _, m := range s.S {
		e, err := similarity.Decompose(m)
		if err != nil {
			return nil, err
		}
		f.Vectors = append(f.Vectors, mat.DenseCopyOf(e.Vectors).RawMatrix().Data)
		r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: d, Targets: [][]float64{e.Values}})
	}
	p.Grams, p.Reg = f.Bind(points.Indices(s.labeledRows(rows))), r
	p.Set = set.Product{Factor: set.Simplex{Sum: float64(s.N())}, Count: len(s.S)}
	return p, nil
}

// Solver returns the solver for a distance: DualAscent for L3, and for L2 if one matrix is learned; ADMM otherwise.
// severalMatrices reports whether several matrices are learned.
func Solver(d reg.Distance, severalMatrices bool) mkl.Solver {
	if d == reg.L3 || d == reg.L2 && !severalMatrices {
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

// Mean returns the mean of the similarities.
func (s Set) Mean() *mat.SymDense {
	m := mat.NewSymDense(s.N(), nil)
	for _, a := range s.S {
		m.AddSym(m, a)
	}
	m.ScaleSym(1/float64(len(s.S)), m)
	return m
}
