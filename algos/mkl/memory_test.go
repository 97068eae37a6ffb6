package mkl_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/mklnb/mkl/algos/internal/memory"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"
)

// TestFitSize compares FitSize with the memory that runs occupy after two steps: with losses that are solved by a
// factorization or iteratively, and with families that store n×n matrices or none.
func TestFitSize(t *testing.T) {
	const n = 800
	x, y := mkltest.RandomPoints(n, 5, 1)
	kernels := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 1}}
	for _, f := range []kernel.Family{kernels, kernel.Sum{Kernels: kernels, Normalize: kernel.Cosine, Center: true},
		kernel.Features{}, kernel.Gaussians{}} {
		for _, l := range []loss.Loss{loss.Squared{Lambda: 1}, loss.SquaredHinge{Lambda: 1}, loss.Hinge{C: 1},
			loss.EpsilonInsensitive{C: 1, Epsilon: 0.1}} {
			before := testenv.HeapBytes()
			p := &mkl.Problem{Grams: f.Bind(x), Set: set.Orthant{At: 0.1}, Loss: l, Y: signs(y)}
			estimated := mkl.FitSize(p.Grams, l).Bytes()
			for it, err := range mkl.Steps(ctx, p, mkl.SPG{AllowNonsmooth: true}, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if it.K == 2 {
					bytes := testenv.HeapBytes() - before
					t.Logf("%v, %T: %.3g bytes, estimate %.3g", f, l, bytes, estimated)
					const otherBytes = 2e6 // vectors, and features
					if bytes > estimated+otherBytes || bytes < estimated/2-otherBytes {
						t.Errorf("%v, %T: a run occupies %.3g bytes, FitSize states %.3g", f, l, bytes, estimated)
					}
					break
				}
			}
		}
	}
}

// TestTooLittleMemory runs itself in a process with GOMEMLIMIT. There, nothing that stores n×n matrices begins if they
// do not fit, and as many points as the error states do fit.
func TestTooLittleMemory(t *testing.T) {
	if os.Getenv("GOMEMLIMIT") != "60MiB" {
		c := exec.Command(os.Args[0], "-test.run=^TestTooLittleMemory$", "-test.v")
		c.Env = append(os.Environ(), "GOMEMLIMIT=60MiB")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	kernels := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}
	run := func(n int, l loss.Loss, step string) error {
		x, y := mkltest.RandomPoints(n, 2, 1)
		p := &mkl.Problem{Grams: kernels.Bind(x), Set: set.Simplex{}, Loss: l, Y: signs(y)}
		var err error
		switch step {
		case "a run":
			_, err = mkl.Solve(ctx, p, mkl.Level{}, &mkl.Settings{Iterations: 1})
		case "a rule":
			_, err = mkl.EvaluateRule(ctx, p, mkl.Uniform{}, 0.1)
		case "a point":
			pt := p.NewPoint()
			copy(pt.Theta, []float64{0.5, 0.5})
			err = pt.Evaluate(nil, 0.1)
		case "an evaluation":
			_, err = p.EvaluateAt(ctx, []float64{0.5, 0.5}, make([]float64, n))
		}
		return err
	}
	for _, l := range []loss.Loss{loss.Squared{Lambda: 1}, loss.Hinge{C: 1}} {
		for _, step := range []string{"a run", "a rule", "a point", "an evaluation"} {
			var shortage *memory.ShortageError
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := run(4000, l, step)
			runtime.ReadMemStats(&after)
			if !errors.As(err, &shortage) || after.TotalAlloc-before.TotalAlloc > 4000*4000 {
				t.Errorf("%s with %T of 4000 points: %v, after %d bytes", step, l, err,
					after.TotalAlloc-before.TotalAlloc)
				continue
			}
			if n := shortage.MaxPoints(shortage.Available); n > 4000 || math.Abs(shortage.Available-60<<20) > 1 {
				t.Errorf("%s with %T: %d points fit in %g bytes", step, l, n, shortage.Available)
			} else if err := run(n, l, step); err != nil {
				t.Errorf("%s with %T of %d points: %v", step, l, n, err)
			}
		}
	}
}
