package blocks

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// Spectra is the family of linear combinations of the projections on given eigenvectors,
//
//	K(θ) = Σ_i V_i diag(μ_i) V_iᵀ,  θ = (μ_1, …, μ_M),  M·N parameters,
//
// on points.Indices, which select rows of the V_i. It behaves like a Family of M families: family i is kernel.Features
// on the columns of V_i. loss.BlockNorm also weights the M matrices, by weights c_i that it optimizes; with
// another loss they are 1. With loss.BlockNorm, set.Product of set.Simplex, and reg.Separable of the
// reg.DistancePenalty to each given spectrum, learning is the problem REKL of Kundu et al. (14).
type Spectra struct {
	N       int         // number of all points; points.Indices are 0 … N−1
	Vectors [][]float64 // M matrices V_i of eigenvectors, N×N, row-major; μ_ij is the eigenvalue of column j of V_i
}

var _ kernel.Family = Spectra{}

// Validate returns an error for an empty list of matrices, for wrong sizes, and for entries that are not finite.
func (f Spectra) Validate() error {
	if len(f.Vectors) == 0 || f.N < 1 {
		return fmt.Errorf("blocks: Spectra has %d matrices of %d points; pass at least one of each",
			len(f.Vectors), f.N)
	}
	for i, v := range f.Vectors {
		if len(v)%f.N != 0 || len(v)/f.N != f.N {
			return fmt.Errorf("blocks: matrix %d of eigenvectors has %d numbers; pass %d rows of %[3]d",
				i+1, len(v), f.N)
		}
		for k, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("blocks: matrix %d of eigenvectors: row %d, column %d is %g; it must be finite",
					i+1, k/f.N+1, k%f.N+1, x)
			}
		}
	}
	return nil
}

// Bind binds f to x, which are points.Indices. It copies the rows of the eigenvectors V_i that x selects.
func (f Spectra) Bind(x points.Points) kernel.Grams {
	g := &blocksGrams{parameterStarts: []int{0}}
	if x != nil {
		g.n = x.Len()
	}
	if g.bindError = f.Validate(); g.bindError == nil {
		if err := points.CheckIndices(x, f.N); err != nil {
			g.bindError = fmt.Errorf("blocks: Spectra cannot use these points: %w", err)
		}
	}
	if g.bindError != nil {
		return g
	}
	for i := range f.Vectors {
		g.addGrams(spectrumGrams{kernel.Features{}.Bind(f.eigenvectorRows(i, x)), f, i}, i)
	}
	return g
}

// eigenvectorRows returns the rows p of the matrix V_i of eigenvectors as points, without copying if p is all rows.
func (f Spectra) eigenvectorRows(i int, p points.Points) points.Rows {
	vectors := points.Rows{N: f.N, D: f.N, Data: f.Vectors[i]}
	if indices := points.MustAs[points.Indices](p); !slices.Equal(indices, points.AllIndices(f.N)) {
		return points.ToRows(vectors.Slice(indices))
	}
	return vectors
}

// spectrumGrams is K(μ_i) = V_i diag(μ_i) V_iᵀ with given eigenvectors V_i and the eigenvalues μ_i as parameters.
type spectrumGrams struct {
	kernel.Grams // kernel.Features on the selected rows of the matrix V_i of eigenvectors
	f            Spectra
	i            int
}

func (g spectrumGrams) Label(k int) string           { return fmt.Sprintf("eigenvalue %d", k+1) }
func (g spectrumGrams) ThetaShape() (rows, cols int) { return 1, g.f.N }
func (g spectrumGrams) Validate() error              { return nil } // Spectra.Bind validates
func (g spectrumGrams) WithThreads(n int) kernel.Grams {
	return spectrumGrams{g.Grams.WithThreads(n), g.f, g.i}
}
func (g spectrumGrams) Slice(rows []int) kernel.Grams {
	return spectrumGrams{g.Grams.Slice(rows), g.f, g.i}
}

// Cross returns the rows z and the columns of the points of g from the N×N matrix V_i diag(μ_i) V_iᵀ.
func (g spectrumGrams) Cross(z points.Points) kernel.Cross {
	if err := points.CheckIndices(z, g.f.N); err != nil {
		panic(err)
	}
	return g.Grams.Cross(g.f.eigenvectorRows(g.i, z))
}
