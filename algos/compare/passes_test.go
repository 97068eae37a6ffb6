package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/store"

	"gonum.org/v1/gonum/floats"
)

// rough is a problem of points on a wave, with θ and w of which nothing is optimal.
func rough(n int) (f kernel.Family, x points.Rows, p mkl.Problem, theta, w []float64) {
	rng := rand.New(rand.NewPCG(5, 1))
	x, w = points.Rows{N: n, D: 2, Data: make([]float64, 2*n)}, make([]float64, n)
	p = mkl.Problem{Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: make([]float64, n)}
	for i := range n {
		x.Row(i)[0], x.Row(i)[1] = rng.NormFloat64(), rng.NormFloat64()
		p.Y[i] = math.Sin(3 * x.Row(i)[0])
		w[i] = rng.NormFloat64()
	}
	f = kernel.List{kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 4}, kernel.Linear{}}
	p.Grams = f.On(x)
	return f, x, p, []float64{0.5, 0.25, 0.25}, w
}

// Three shards with a folder each, merged after each round, prove what one process does, and the last round computes
// nothing. What the first of two passes has proved is there when the second lacks parts.
func TestPasses(t *testing.T) {
	f, x, p, theta, w := rough(150)
	want := must(p.CertifyAt(t.Context(), theta, w))
	folders := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for round := range 3 {
		for i, folder := range folders {
			p.Grams = Passes{Family: f, Parts: 7, Store: folder, Shard: i, Shards: len(folders)}.On(x)
			got, err := p.CertifyAt(t.Context(), theta, w)
			switch {
			case round < 2 && !errors.Is(err, ErrParts), round == 2 && err != nil:
				t.Errorf("round %d, shard %d: %v", round, i, err)
			case round == 0 && got != mkl.Certificate{}:
				t.Errorf("without a pass %v is proved", got)
			case round == 1 && !(got.Kind == mkl.Global && got.Lower < want.Lower),
				round == 2 && !(math.Abs(got.Lower-want.Lower) <= 1e-12*want.Upper),
				round > 0 && !(math.Abs(got.Upper-want.Upper) <= 1e-12*want.Upper):
				t.Errorf("round %d, shard %d: %v, want %v", round, i, got, want)
			}
		}
		for _, to := range folders {
			s := must(store.Open(to))
			copied, bad, err := s.Merge(t.Context(), folders...)
			if err != nil || len(bad) > 0 {
				t.Fatal(bad, err)
			}
			if round == 2 && copied > 0 {
				t.Errorf("%d results were made when all were there", copied)
			}
		}
	}
}

// TestPassesStopped: a process that ends in the middle of a pass has kept the parts that were finished, which are not
// made again.
func TestPassesStopped(t *testing.T) {
	f, x, p, theta, w := rough(700) // eleven bands of rows
	folder := t.TempDir()
	files := func() (all []string) {
		for _, f := range must(os.ReadDir(folder)) {
			all = append(all, f.Name())
		}
		return all
	}
	g := Passes{Family: f, Parts: 5, Store: folder}.On(x)
	sweep := must(g.Sweep())
	dst := [][]float64{make([]float64, 700), make([]float64, 700), make([]float64, 700)}
	for j := range 3 { // what a process makes until it is killed
		if err := sweep.Images(t.Context(), dst, w, j, 5); err != nil {
			t.Fatal(err)
		}
	}
	had, before := files(), map[string]os.FileInfo{}
	for _, name := range had {
		before[name] = must(os.Stat(folder + "/" + name))
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	p.Grams = g
	if _, err := p.CertifyAt(stopped, theta, w); !errors.Is(err, context.Canceled) || !slices.Equal(files(), had) {
		t.Errorf("stopped: %v, %q, had %q", err, files(), had)
	}
	if _, err := p.CertifyAt(t.Context(), theta, w); err != nil || len(had) != 3 || len(files()) != 10 {
		t.Errorf("%d files, then %d: %v", len(had), len(files()), err)
	}
	for name, info := range before {
		if !os.SameFile(info, must(os.Stat(folder+"/"+name))) {
			t.Errorf("part %s was made again", name)
		}
	}
	r, err := mkl.Solve(t.Context(), &p, mkl.Subspace{Landmarks: 60}, &mkl.Settings{Gap: 0.01, Threads: 1})
	if err != nil || r.Status != mkl.Certified || len(files()) != 10+5*(len(r.Trace)-1) {
		t.Errorf("%v, %v: %d files", r, err, len(files()))
	}
}

// TestPassesWrong: of parts of which one is of another pass, is twice what it should be, or lacks kernels, points or
// numbers, nothing is proved.
func TestPassesWrong(t *testing.T) {
	f, x, p, theta, w := rough(700)
	folder := t.TempDir()
	passes := Passes{Family: f, Parts: 5, Store: folder}
	p.Grams = passes.On(x)
	want := must(p.CertifyAt(t.Context(), theta, w))
	if c := must(p.CertifyAt(t.Context(), theta, w)); c != want {
		t.Errorf("%v, then %v", want, c)
	}
	kept, key := must(store.Open(folder)), must(passes.Key(x, w))
	scale := func(by float64) func(part [][]float64) [][]float64 {
		return func(part [][]float64) [][]float64 {
			for k := range part {
				floats.Scale(by, part[k])
			}
			return part
		}
	}
	for what, wrong := range map[string]func(part [][]float64) [][]float64{
		"zeros": scale(0), "twice": scale(2), "of −w": scale(-1),
		"not numbers": scale(math.NaN()), "infinite": scale(math.Inf(1)),
		"a number that is none": func(part [][]float64) [][]float64 { part[1][77] = math.NaN(); return part },
		"a kernel twice":        func(part [][]float64) [][]float64 { part[0] = part[1]; return part },
		"two kernels":           func(part [][]float64) [][]float64 { return part[:2] },
		"four kernels":          func(part [][]float64) [][]float64 { return append(part, part[0]) },
		"few points":            func(part [][]float64) [][]float64 { part[2] = part[2][:699]; return part },
	} {
		for j := range passes.Parts {
			var part, right [][]float64
			name := fmt.Sprintf("%s-%d", key, j)
			if err := errors.Join(kept.Read(name, &part), kept.Read(name, &right)); err != nil {
				t.Fatal(err)
			}
			if err := kept.Put(name, wrong(part)); err != nil {
				t.Fatal(err)
			}
			p.Grams = Passes{Family: f, Parts: 5, Store: folder, Shard: 5, Shards: 6}.On(x) // makes none
			if c, err := p.CertifyAt(t.Context(), theta, w); err == nil || c != (mkl.Certificate{}) {
				t.Errorf("part %d, %s: %v, %v", j, what, c, err)
			}
			if err := kept.Put(name, right); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPassesSay: what a sum of parts may be off by; parts of another family, points, w and number have other names; and
// passes of no parts, of shards that there are not, of families
// that cannot be swept and of folders that are files.
func TestPassesSay(t *testing.T) {
	f, x, p, theta, w := rough(20)
	here := must(p.Grams.Sweep())
	g := Passes{Family: f, Parts: 5, Store: t.TempDir()}.On(x).Threads(1)
	if s := must(g.Sweep()); !(s.Error() >= here.Error()+4*linalg.Epsilon) {
		t.Errorf("the error %g of a sum of 5 parts, %g of one", s.Error(), here.Error())
	}
	if err := must(g.Sweep()).Images(t.Context(), nil, w, 0, 0); err == nil {
		t.Error("part 0 of 0 is made")
	}
	names := map[string]bool{}
	for _, key := range []string{must(Passes{Family: f, Parts: 5}.Key(x, w)),
		must(Passes{Family: f.(kernel.List)[:2], Parts: 5}.Key(x, w)), must(Passes{Family: f, Parts: 6}.Key(x, w)),
		must(Passes{Family: f, Parts: 5}.Key(x.Slice(points.AllIndices(19)), w)), must(Passes{Family: f,
			Parts: 5}.Key(x, p.Y))} {
		names[key] = true
	}
	if len(names) != 5 {
		t.Errorf("names of five different passes: %v", names)
	}
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	centred := kernel.Sum{Kernels: f.(kernel.List), Centre: true}
	for want, f := range map[string]Passes{
		"a pass of 0 parts":          {Family: f, Store: t.TempDir()},
		"shard 3 of 3":               {Family: f, Parts: 7, Store: t.TempDir(), Shard: 3, Shards: 3},
		"shard -1 of 3":              {Family: f, Parts: 7, Store: t.TempDir(), Shard: -1, Shards: 3},
		"shard 1 of 0":               {Family: f, Parts: 7, Store: t.TempDir(), Shard: 1},
		"shard 0 of -2":              {Family: f, Parts: 7, Store: t.TempDir(), Shards: -2},
		"centred":                    {Family: centred, Parts: 1, Store: t.TempDir()},
		"is a file":                  {Family: f, Parts: 1, Store: file},
		"7 of 7 " + ErrParts.Error(): {Family: f, Parts: 7, Store: t.TempDir(), Shard: 7, Shards: 8},
	} {
		p.Grams = f.On(x)
		if c, err := p.CertifyAt(t.Context(), theta, w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not said: %v, %v", want, c, err)
		}
	}
}
