package similarity

import (
	"cmp"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// Repair is a way to make a kernel matrix K from a symmetric matrix S = VΛVᵀ of similarities. It applies a function f
// to the eigenvalues: K = V f(Λ) Vᵀ. For a new point with the similarities s to the n training points, the kernel
// values are Ps; each repair has its own n×n matrix P.
type Repair int

const (
	// Denoise sets negative eigenvalues to 0 (spectrum clip): f(λ) = max(0, λ). K is the nearest positive semidefinite
	// matrix in Frobenius norm. For new points, P = V₊V₊ᵀ, where V₊ holds the eigenvectors of the positive eigenvalues.
	Denoise Repair = iota
	// Flip replaces eigenvalues by their magnitudes: f(λ) = |λ|. For new points, P = V sign(Λ) Vᵀ.
	Flip
	// Shift adds the same amount to all eigenvalues: f(λ) = λ − min(0, λ_1), where λ_1 is the least eigenvalue. For new
	// points, P = I, because only the similarity of a point to itself changes.
	Shift
	// Linear uses the n similarities of a point as its features: f(λ) = λ²/n, K = SSᵀ/n. For new points, P = S/n.
	Linear
)

var repairNames = [...]string{Denoise: "denoise", Flip: "flip", Shift: "shift", Linear: "linear"}

// String returns the name of the repair in lower case.
func (r Repair) String() string {
	if r < 0 || int(r) >= len(repairNames) {
		return fmt.Sprintf("Repair(%d)", int(r))
	}
	return repairNames[r]
}

// Repairs lists all values of Repair.
var Repairs = []Repair{Denoise, Flip, Shift, Linear}

// KernelName returns the name of the kernel that r makes from the similarity matrix of this name.
func (r Repair) KernelName(matrixName string) string { return fmt.Sprintf("%s (%v)", matrixName, r) }

// Kernel is a kernel matrix K made from similarities, and the rule for new points: a new point with the similarities s
// to the n training points has the kernel values P·s with them, where P is an n×n matrix. A Kernel does not change
// after its construction.
type Kernel struct {
	K *mat.SymDense // kernel matrix of the training points, n×n
	p *mat.Dense    // the matrix P of the rule for new points, n×n; nil means the identity
}

// Repair returns the kernel that r makes from the similarities s.S. It takes at most two products of n×n matrices. It
// returns an error if r is not one of the constants.
func (s *Spectrum) Repair(r Repair) (*Kernel, error) {
	n := float64(len(s.Values))
	shift := math.Min(0, s.Values[0])
	var k *Kernel
	switch r {
	case Denoise:
		k = s.kernelFromSpectrum(func(l float64) float64 { return max(0, l) },
			func(l float64) float64 { return max(0, sign(l)) })
	case Flip:
		k = s.kernelFromSpectrum(math.Abs, sign)
	case Shift:
		k = &Kernel{K: mat.NewSymDense(len(s.Values), nil)}
		k.K.CopySym(s.S)
		for i := range s.Values {
			k.K.SetSym(i, i, k.K.At(i, i)-shift)
		}
	case Linear:
		k = s.kernelFromSpectrum(func(l float64) float64 { return l * (l / n) }, nil)
		k.p = mat.NewDense(len(s.Values), len(s.Values), nil)
		k.p.Scale(1/n, s.S)
	default:
		return nil, fmt.Errorf("similarity: unknown repair %v; use Denoise, Flip, Shift or Linear", r)
	}
	return k, nil
}

func sign(l float64) float64 { return float64(cmp.Compare(l, 0)) }

// kernelFromSpectrum returns the kernel whose matrices K and P have the eigenvectors of s.S and these functions of its
// eigenvalues as eigenvalues. If eigenvalueOfP is nil, P is left nil.
func (s *Spectrum) kernelFromSpectrum(eigenvalueOfK, eigenvalueOfP func(lambda float64) float64) *Kernel {
	n := len(s.Values)
	k := &Kernel{K: mat.NewSymDense(n, nil)}
	s.storeMatrixFunction(k.K, eigenvalueOfK)
	if eigenvalueOfP != nil {
		p := mat.NewSymDense(n, nil)
		s.storeMatrixFunction(p, eigenvalueOfP)
		k.p = mat.DenseCopyOf(p)
	}
	return k
}

// storeMatrixFunction stores V f(Λ) Vᵀ in dst. The result is exactly symmetric.
func (s *Spectrum) storeMatrixFunction(dst *mat.SymDense, f func(lambda float64) float64) {
	n := len(s.Values)
	scaledVectors := mat.NewDense(n, n, nil)
	scaledVectors.Apply(func(_, j int, v float64) float64 { return v * f(s.Values[j]) }, s.Vectors)
	a, b := scaledVectors.RawMatrix(), s.Vectors.RawMatrix()
	out := dst.RawSymmetric()
	linalg.ThreadLimit(0).SymGemm(n, n, a.Data, a.Stride, b.Data, b.Stride, out.Data, out.Stride)
}

// Cross returns the kernel between l new points (rows) and the n training points (columns). s is l×n: the similarities
// of the new points to the training points. They must be symmetrized in the same way as the similarities between
// training points.
func (k *Kernel) Cross(s *mat.Dense) (*mat.Dense, error) {
	l, c := s.Dims()
	n := k.K.SymmetricDim()
	if c != n {
		return nil, fmt.Errorf("similarity: new points have %d similarities each, but there are %d training points; "+
			"pass one similarity for each training point", c, n)
	}
	if k.p == nil {
		return mat.DenseCopyOf(s), nil
	}
	out := mat.NewDense(l, n, nil)
	a, b, o := s.RawMatrix(), k.p.RawMatrix(), out.RawMatrix()
	linalg.ThreadLimit(0).Gemm(false, true, l, n, n, 1, a.Data, a.Stride, b.Data, b.Stride, 0, o.Data, o.Stride)
	return out, nil
}
