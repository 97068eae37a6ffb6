package similarity

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/internal/memory"
	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/mat"
)

// recentRepairs stores repairs of the most recently used matrices of similarities, because the methods of a study use
// the same folds one after the other. It stores as many as fit into a sixteenth of memory.Available, but at least one.
var recentRepairs = &repairCache{seed: maphash.MakeSeed()}

type repairCache struct {
	mu       sync.Mutex
	seed     maphash.Seed
	matrices []*matrixRepairs // in the order of their last use, the most recent at the end
}

// of returns the repairs of s. Two matrices with the same 64-bit hash count as equal.
func (a *repairCache) of(s *mat.SymDense) *matrixRepairs {
	var h maphash.Hash
	h.SetSeed(a.seed)
	n, buffer := s.SymmetricDim(), []byte(nil)
	for i := range n {
		buffer = buffer[:0]
		for _, v := range s.RawSymmetric().Data[i*n+i : (i+1)*n] {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
		}
		h.Write(buffer)
	}
	hash := h.Sum64()
	a.mu.Lock()
	defer a.mu.Unlock()
	k := slices.IndexFunc(a.matrices, func(m *matrixRepairs) bool { return m.hash == hash && m.n == n })
	if k >= 0 {
		m := a.matrices[k]
		a.matrices = append(slices.Delete(a.matrices, k, k+1), m)
		return m
	}
	m := newMatrixRepairs(s)
	m.hash = hash
	a.matrices = append(a.matrices, m)
	byteLimit := float64(memory.Available()) / 16
	for i := len(a.matrices) - 1; i >= 0; i-- {
		if byteLimit -= a.matrices[i].sizeInBytes(); byteLimit < 0 && i < len(a.matrices)-1 {
			a.matrices = slices.Delete(a.matrices, 0, i+1)
			break
		}
	}
	return m
}

// matrixRepairs holds the repairs of one matrix of similarities. They are computed when first needed.
type matrixRepairs struct {
	hash    uint64
	n       int
	repairs []func() *repairedMatrix // one for each of Repairs
}

// repairedMatrix is a repair of a matrix. diagonalShift returns a δ ≥ 0 such that K + δI is positive semidefinite.
type repairedMatrix struct {
	kernel        *Kernel
	diagonalShift func() float64
}

// newMatrixRepairs returns the repairs of s. They panic if LAPACK finds no eigenvalues. This has not been observed for
// matrices that Given.validate accepts.
func newMatrixRepairs(s *mat.SymDense) *matrixRepairs {
	m := &matrixRepairs{n: s.SymmetricDim()}
	spectrum := sync.OnceValue(func() *Spectrum {
		spectrum, err := Decompose(s)
		if err != nil {
			panic(err)
		}
		return spectrum
	})
	for _, r := range Repairs {
		m.repairs = append(m.repairs, sync.OnceValue(func() *repairedMatrix {
			k, err := spectrum().Repair(r)
			if err != nil {
				panic(err)
			}
			return &repairedMatrix{k, sync.OnceValue(kernel.Precomputed{N: m.n,
				Data: k.K.RawSymmetric().Data}.DiagonalShift)}
		}))
	}
	return m
}

func (m *matrixRepairs) repaired(r Repair) *repairedMatrix {
	return m.repairs[slices.Index(Repairs, r)]()
}

// sizeInBytes returns the approximate size of m in bytes after all repairs are computed: n² numbers of 8 bytes for K
// and for the matrix P of new points, for each repair, and for the eigenvectors.
func (m *matrixRepairs) sizeInBytes() float64 {
	return 8 * float64(m.n) * float64(m.n) * float64(2*len(m.repairs)+1)
}
