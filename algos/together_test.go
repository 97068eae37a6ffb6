package algos_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"
)

// TestTogether: solves of one family run at once, each with its own number of threads. Each finds what it finds alone,
// to the last bit. The test is for the race detector too.
func TestTogether(t *testing.T) {
	x, y := mkltest.RandomPoints(60, 3, 9)
	_, labels := labeled(60, 3, 9)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 0.1}},
		Center: true}.Bind(x)
	solves := []func(threads int) *mkl.Result{}
	for _, p := range []mkl.Problem{{Loss: loss.Squared{Lambda: 0.1}, Y: y}, {Loss: loss.Hinge{C: 1}, Y: labels}} {
		p.Grams, p.Set = g, set.Simplex{}
		solves = append(solves, func(threads int) *mkl.Result {
			r, err := mkl.Solve(ctx, &p, mkl.MirrorDescent{}, &mkl.Settings{Threads: threads, Iterations: 30})
			if err != nil {
				t.Error(err)
				return nil
			}
			for i := range r.Trace {
				r.Trace[i].Elapsed = 0
			}
			return r
		})
	}
	for threads := 1; threads <= 2; threads++ {
		alone := []*mkl.Result{solves[0](threads), solves[1](threads)}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if r := solves[i%2](threads); !reflect.DeepEqual(r, alone[i%2]) {
					t.Errorf("solve %d finds %v, alone %v", i%2, r, alone[i%2])
				}
			})
		}
		wg.Wait()
	}
}
