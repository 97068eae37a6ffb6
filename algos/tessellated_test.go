package algos_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"
)

// TestTessellatedMemory: a fit of n points takes at most 4n² numbers and a few of the size of θ.
func TestTessellatedMemory(t *testing.T) {
	const n = 1500
	x, y := mkltest.RandomPoints(n, 8, 9)
	for i, v := range y {
		y[i] = math.Copysign(1, v)
	}
	p := &mkl.Problem{Grams: tessellated.Family{Degree: 1, UnitMeanDiagonal: true}.Bind(x), Set: set.Spectraplex{},
		Loss: loss.Hinge{C: 1}, Y: y}
	if numbers := maxLive(t, p, mkl.FrankWolfe{}, mkl.Settings{Gap: 5e-2, Iterations: 6}); numbers > 4*n*n {
		t.Errorf("%.2f n² numbers", numbers/n/n)
	}
}

// maxLive returns the largest amount of memory, in numbers of 8 bytes, that a solve holds between its steps in addition
// to the memory in use before it. Pooled work space is not counted, because other solves can use it.
func maxLive(t *testing.T, p *mkl.Problem, s mkl.Solver, settings mkl.Settings) float64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // a second collection empties the pools too
	runtime.ReadMemStats(&before)
	largest := before.HeapAlloc
	settings.Watch = func(*mkl.Iterate) bool {
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		largest = max(largest, after.HeapAlloc)
		return false
	}
	if _, err := mkl.Solve(t.Context(), p, s, &settings); err != nil {
		t.Fatal(err)
	}
	return float64(largest-before.HeapAlloc) / 8
}
