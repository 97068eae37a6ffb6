package kernel

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// TestStoredTriangleCount: StoredTriangleCount counts the memory that a Gram with K(θ) occupies, 4n² bytes each.
func TestStoredTriangleCount(t *testing.T) {
	const n = 700
	x, rng := points.Rows{N: n, D: 2, Data: make([]float64, 2*n)}, rand.New(rand.NewPCG(1, 2))
	for i := range x.Data {
		x.Data[i] = rng.Float64()
	}
	used := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // empties every sync.Pool
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	kernels := List{RBF{Gamma: 1}, RBF{Gamma: 2}}
	for name, f := range map[string]Family{"list": kernels, "sum": Sum{Kernels: kernels, Degree: 2},
		"centered": Sum{Kernels: kernels, Center: true}, "Gaussians": Gaussians{}} {
		before := used()
		grams := f.Bind(x)
		gram := grams.New()
		gram.SetTheta([]float64{0.5, 0.5})
		gram.K().Dense()
		triangles := (used() - before) / (4 * n * n)
		if want := float64(grams.StoredTriangleCount()); math.Abs(triangles-want) > 0.2 {
			t.Errorf("%s: %.2f triangles are stored, StoredTriangleCount returns %g", name, triangles, want)
		}
		runtime.KeepAlive(grams)
		runtime.KeepAlive(gram)
	}
}
