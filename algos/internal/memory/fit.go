package memory

import (
	"fmt"
	"math"
)

// Fit describes a fit by the large arrays that it stores.
type Fit struct {
	Points    int // n
	Triangles int // what kernel.Grams.StoredTriangleCount returns
	// NeedsEntries reports that the loss reads the entries of K(θ). K is then stored, also if Triangles is 0.
	NeedsEntries bool
	Grams        int // number of θ whose K(θ) is stored: 2 in a run of a solver, 1 for fixed θ
	Parameters   int // m
	// ParameterMatrices is the number of m×m matrices that the solver stores.
	ParameterMatrices int
}

// Sizes in triangles of n×n matrices, of which each matrix in full storage counts as two.
const (
	trianglesOfOneGram = 3 // K(θ), and Σθ_kK_k in a triangle, which each Gram stores for itself
	trianglesOfLoss    = 4 // factors of K(θ) + λI at two θ, or the Newton matrix of the free points and its factor
)

// Bytes returns the memory that the matrices of the fit occupy. It is 0 if the fit stores no n×n matrix. Vectors
// of n numbers are not counted.
func (f Fit) Bytes() float64 {
	triangles, m := f.Triangles, float64(f.Parameters)
	if f.NeedsEntries {
		triangles = max(triangles, 2)
	}
	bytes := 8*m*m*float64(f.ParameterMatrices) + 8*m*4*float64(f.Grams)
	if triangles > 0 {
		triangles += min(triangles, trianglesOfOneGram)*(f.Grams-1) + trianglesOfLoss
		bytes += 4 * float64(f.Points) * float64(f.Points) * float64(triangles)
	}
	return bytes
}

// MaxPoints returns the largest number of points for which the fit needs at most the given memory.
func (f Fit) MaxPoints(availableBytes float64) int {
	f.Points = 0
	parameterBytes := f.Bytes()
	f.Points = 1
	return int(math.Sqrt(max(availableBytes-parameterBytes, 0) / (f.Bytes() - parameterBytes)))
}

// Check returns a *ShortageError if the fit needs more than the given memory. advice returns the end of its message for
// the result of MaxPoints.
func (f Fit) Check(availableBytes float64, advice func(maxPoints int) string) error {
	if needed := f.Bytes(); needed > availableBytes {
		return &ShortageError{Fit: f, Needed: needed, Available: availableBytes,
			Advice: advice(f.MaxPoints(availableBytes))}
	}
	return nil
}

// ShortageError reports a fit that needs more memory than the process may use. The fit was not started.
type ShortageError struct {
	Fit
	Needed, Available float64 // bytes
	Advice            string  // which option or argument to change
}

func (e *ShortageError) Error() string {
	return fmt.Sprintf("the matrices of a fit to %d points with %d parameters need about %.2g GB, more than the "+
		"%.2g GB that this process may use (the least of memory, limit of the control group, and GOMEMLIMIT): %s",
		e.Points, e.Parameters, e.Needed/1e9, e.Available/1e9, e.Advice)
}
