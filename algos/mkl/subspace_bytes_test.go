package mkl

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

// sampling is a kernel that looks now and then, as it is computed, how many bytes are in use.
type sampling struct {
	kernel.Kernel
	calls, most *atomic.Int64
}

func (s sampling) Cross(dst *mat.Dense, z, x points.Points) {
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

// TestSubspaceBytes: what is in use in sixteen passes of several columns, of normalized kernels, is at most what is
// told, and not far from it, whether coordinates take most of it or what each column has of its own.
func TestSubspaceBytes(t *testing.T) {
	const n, columns = 3000, 6
	rng := rand.New(rand.NewPCG(6, 3))
	x, y := normal(rng, n, 2), normal(rng, n, columns).Data
	for m := 1; m <= 3; m += 2 {
		var calls, most atomic.Int64
		list := kernel.List{sampling{kernel.RBF{Gamma: 9}, &calls, &most}, kernel.RBF{Gamma: 20}, kernel.RBF{Gamma: 99}}
		p := &Problem{Grams: kernel.Sum{Kernels: list[:m], Normalize: kernel.Cosine}.On(x), Set: set.Simplex{},
			Loss: loss.Repeat(loss.Squared{Lambda: 1e-3}, columns), Y: y}
		inUse() // pools take two to be empty
		s, before := Subspace{Landmarks: 20}, inUse()
		if _, err := Solve(t.Context(), p, s, &Settings{Iterations: 16}); err != nil {
			t.Fatal(err)
		}
		if used, told := float64(most.Load()-before), s.Bytes(p); !(used <= told && used >= 0.6*told) {
			t.Errorf("%d kernels: %.4g bytes in use after %d strips, told %.4g", m, used, calls.Load(), told)
		}
	}
	p := &Problem{Grams: kernel.List{kernel.Linear{}}.On(normal(rng, 8000, 1)), Loss: loss.Squared{}}
	if (Subspace{}).Bytes(p) != (Subspace{Landmarks: 250}).Bytes(p) ||
		(Subspace{Landmarks: 8000}).Bytes(p) != (Subspace{Landmarks: 16000}).Bytes(p) {
		t.Error("the default is not that of 250 landmarks of 8,000 points, or more landmarks are counted than points")
	}
}
