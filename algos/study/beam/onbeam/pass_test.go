package onbeam

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// family has elements with trouble.
var family = troubled{kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.05}, kernel.RBF{Gamma: 0.5}, kernel.Linear{}},
	Prepare: points.Preprocessing{points.Standardize}, Normalize: kernel.MeanDiagonal}}

// sine is a problem of 300 points, and a function that certifies θ and w that are off its minimum, of a family.
func sine() (x points.Points, p *mkl.Problem, certify func(context.Context, kernel.Family) (mkl.Certificate, error)) {
	const n = 300
	x = normal(n, 4).X
	rng := rand.New(rand.NewPCG(3, 4))
	p = &mkl.Problem{Grams: family.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: make([]float64, n)}
	for i := range p.Y {
		p.Y[i] = math.Sin(x.(points.Rows).Row(i)[0]) + 0.1*rng.NormFloat64()
	}
	solved := must(mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-3}))
	for i := range solved.W {
		solved.W[i] *= 1 + 0.2*float64(i%3)
	}
	return x, p, func(ctx context.Context, f kernel.Family) (mkl.Certificate, error) {
		q := *p
		q.Grams = f.On(x)
		return q.CertifyAt(ctx, solved.Theta, solved.W)
	}
}

// TestPasses: a certificate whose passes are made on Beam is that of one process that makes the same parts, bit for
// bit, and that of passes of one part to rounding; its bracket holds the minimum, which another solver finds. What Beam
// has kept it needs no element for, and shards find it.
func TestPasses(t *testing.T) {
	const parts = 5
	_, p, certify := sine()
	solved := must(mkl.Solve(t.Context(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-8}))
	whole, near := must(certify(t.Context(), compare.Passes{Family: family, Parts: parts, Store: t.TempDir()})),
		must(certify(t.Context(), family))
	if !(whole.Lower <= solved.F && solved.Lower <= whole.Upper && whole.Upper-whole.Lower < solved.F) ||
		math.Abs(whole.Lower-near.Lower)+math.Abs(whole.Upper-near.Upper) > 1e-9*solved.F {
		t.Errorf("%v, of passes of one part %v, the minimum is %v", whole, near, solved.F)
	}
	folder := t.TempDir()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, store := range []string{folder, "memfs://passes"} {
		f := Passes{family, parts, store}
		_, err := certify(canceled, f)
		says(t, err, "canceled")
		if far := must(certify(t.Context(), f)); far != whole {
			t.Errorf("%s: %v, want %v", store, far, whole)
		}
		last := here.ctx
		if again, err := certify(t.Context(), f); err != nil || again != whole || here.ctx != last {
			t.Errorf("%s: of what is kept %v, %v; by another pipeline: %v", store, again, err, here.ctx != last)
		}
	}
	shard := compare.Passes{Family: family, Parts: parts, Store: folder, Shard: parts, Shards: parts + 1} // makes none
	if again, err := certify(t.Context(), shard); err != nil || again != whole {
		t.Errorf("of a shard %v, %v", again, err)
	}
}

// TestPassesAgain: of a pipeline that failed the parts that were finished are kept, and are not made again.
func TestPassesAgain(t *testing.T) {
	_, _, certify := sine()
	f := Passes{family, 5, t.TempDir()}
	var began atomic.Int64
	during(t, func() {
		if began.Add(1) > 2 {
			panic("an element's own")
		}
	})
	_, err := certify(t.Context(), f)
	says(t, err, "of 5 of a pass: panic: an element's own")
	trouble.Store(nil)
	had, before := files(t, f.Store), map[string]os.FileInfo{}
	for _, name := range had {
		before[name] = must(os.Stat(filepath.Join(f.Store, name)))
	}
	if _, err := certify(t.Context(), f); err != nil || len(had) != 2 || len(files(t, f.Store)) != 10 {
		t.Errorf("%d files, then %d: %v", len(had), len(files(t, f.Store)), err)
	}
	for name, info := range before {
		if !os.SameFile(info, must(os.Stat(filepath.Join(f.Store, name)))) {
			t.Errorf("part %s was made again", name)
		}
	}
}

// TestTwoPipelines: of two in a process the second waits for its turn, and its end does not end the first.
func TestTwoPipelines(t *testing.T) {
	_, _, certify := sine()
	first, second := Passes{family, 30, t.TempDir()}, Passes{family, 1, t.TempDir()}
	var began sync.Once
	var wg sync.WaitGroup
	short := func() {
		if _, err := certify(t.Context(), second); err != nil {
			t.Errorf("the second: %v", err)
		}
	}
	during(t, func() {
		began.Do(func() { wg.Go(short) })
		time.Sleep(20 * time.Millisecond)
	})
	if _, err := certify(t.Context(), first); err != nil {
		t.Errorf("the first: %v", err)
	}
	wg.Wait()
}

// TestPassesSay: what cannot be swept, a pass of no parts, a folder that is a file are refused before an element
// begins, workers are told the whole path of a folder, and those of another program refuse.
func TestPassesSay(t *testing.T) {
	x, _, certify := sine()
	during(t, func() { t.Error("an element began") })
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	centred := family
	centred.Sum.Centre = true
	for want, f := range map[string]Passes{
		"centred":           {centred, 3, t.TempDir()},
		"a pass of 0 parts": {family, 0, t.TempDir()},
		"is a file":         {family, 3, file},
	} {
		_, err := certify(t.Context(), f)
		says(t, err, want)
	}
	s := sweep{f: Passes{family, 3, "passes"}, x: x}
	q := must(s.ask(make([]float64, 300)))
	if !filepath.IsAbs(q.Store) {
		t.Errorf("workers are told %s", q.Store)
	}
	q.Store, q.Key = t.TempDir(), "of another program"
	says(t, run(t.Context(), q.pipeline()), "other keys")
	if left := files(t, q.Store); len(left) > 0 {
		t.Errorf("a worker with other keys has kept %v", left)
	}
}
