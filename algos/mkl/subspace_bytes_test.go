package mkl

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

// sampling is a kernel that looks now and then, as it is computed, how many bytes are in use.
type sampling struct {
	kernel.Kernel
	calls, most *atomic.Int64
}

func (s sampling) Cross(dst *mat.Dense, z, x kernel.Points) {
	if s.Kernel.Cross(dst, z, x); s.calls.Add(1)%500 == 0 {
		s.most.Store(max(s.most.Load(), inUse()))
	}
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSubspaceBytes: what is in use in the passes of several columns, of normalised kernels, is at most what is told,
// and not far from it.
func TestSubspaceBytes(t *testing.T) {
	const n, columns = 8000, 10
	rng := rand.New(rand.NewPCG(6, 3))
	x, y := normal(rng, n, 2), normal(rng, n, columns).Data
	var calls, most atomic.Int64
	list := kernel.List{kernel.RBF{Gamma: 20}, sampling{kernel.Linear{}, &calls, &most}}
	p := &Problem{Grams: kernel.Sum{Kernels: list, Normalize: kernel.Cosine}.On(x), Set: set.Simplex{},
		Loss: loss.In(loss.Squared{Lambda: 1e-3}, columns), Y: y}
	s, before := Subspace{Landmarks: 50}, inUse()
	if _, err := Solve(t.Context(), p, s, &Settings{Iterations: 3}); err != nil {
		t.Fatal(err)
	}
	if used, told := float64(most.Load()-before), s.Bytes(p); !(used <= told && used >= 0.7*told) {
		t.Errorf("%.4g bytes in use after %d strips of kernels, told %.4g", used, calls.Load(), told)
	}
	if (Subspace{}).Bytes(p) != (Subspace{Landmarks: 250}).Bytes(p) ||
		(Subspace{Landmarks: n}).Bytes(p) != (Subspace{Landmarks: 2 * n}).Bytes(p) {
		t.Error("the default is not that of 250 landmarks of 8,000 points, or more landmarks are counted than points")
	}
}
