package similarity

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// family draws n sequences, some of them related, of different lengths, one of them empty.
func family(n int, seed uint64) points.Sequences {
	r := rand.New(rand.NewPCG(seed, 9))
	x := points.Sequences{protein(r, 150, amino), ""}
	for len(x) < n {
		if r.IntN(2) == 0 {
			x = append(x, related(r, x[0]))
		} else {
			x = append(x, protein(r, 20+r.IntN(150), amino+"XBZ"))
		}
	}
	return x
}

// TestPairs: every entry is the score of its pair, symmetric, whatever the threads, and Cross has the same.
func TestPairs(t *testing.T) {
	x, ctx := family(30, 1), context.Background()
	for _, a := range []Alignment{{}, {Global: true}, {Normalize: true},
		{Table: PAM250(), Open: 12, Extend: 2, Normalize: true}} {
		var last Progress
		calls := 0
		s := must(a.Pairs(ctx, x, Work{Threads: 2, Progress: func(p Progress) { last = p; calls++ }}))
		letters, squares := 0, 0
		for i := range x {
			letters += len(x[i])
			squares += len(x[i]) * len(x[i])
			for j := range x {
				if v, err := a.Score(x[i], x[j]); err != nil || s.At(i, j) != v {
					t.Fatalf("%v: pair %d, %d is %g, want %g (%v)", a, i, j, s.At(i, j), v, err)
				}
			}
			if own := s.At(i, i); a.Normalize && x[i] != "" && own != 1 {
				t.Errorf("%v: sequence %d has %g with itself", a, i, own)
			}
		}
		if cells := int64(letters*letters+squares) / 2; calls == 0 || last.Done != cells || last.Total != cells ||
			last.Stored != 0 || last.Left != 0 {
			t.Errorf("%d calls, the last %+v, want %d cells", calls, last, cells)
		}
		one, err := a.Pairs(ctx, x, Work{Threads: 1})
		if err != nil || !mat.Equal(one, s) {
			t.Errorf("%v: on one thread another matrix (%v)", a, err)
		}
		c, err := a.Cross(ctx, x[3:10], x, Work{})
		if err != nil || !mat.Equal(c, mat.DenseCopyOf(s).Slice(3, 10, 0, len(x))) {
			t.Errorf("%v: Cross differs from Pairs (%v)", a, err)
		}
	}
}

// TestPairsStopped: a run that is stopped goes on where it was, and nothing is computed twice but what was in
// flight; what is damaged is computed again.
func TestPairsStopped(t *testing.T) {
	defer func(cells int64) { partCells = cells }(partCells)
	partCells = 1e5
	x, folder, a := family(40, 3), t.TempDir(), Alignment{}
	ctx, cancel := context.WithCancel(context.Background())
	var first Progress
	_, err := a.Pairs(ctx, x, Work{Store: folder, Threads: 1, Progress: func(p Progress) {
		if first = p; p.Done > p.Total/3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || first.Done == first.Total || first.Left <= 0 {
		t.Fatalf("stopped at %+v: %v", first, err)
	}
	var last Progress
	s, err := a.Pairs(context.Background(), x, Work{Store: folder, Progress: func(p Progress) { last = p }})
	if err != nil || last.Done != last.Total || last.Stored != first.Done {
		t.Fatalf("stopped at %+v, gone on to %+v: %v", first, last, err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "align-*"))
	if len(files) < 3 {
		t.Fatalf("%d parts, want some", len(files))
	}
	if err := os.Truncate(files[1], 100); err != nil {
		t.Fatal(err)
	}
	again, err := a.Pairs(context.Background(), x, Work{Store: folder, Progress: func(p Progress) { last = p }})
	if err != nil || !mat.Equal(again, s) || last.Stored == last.Total || last.Stored < last.Total/2 {
		t.Errorf("with a damaged part %+v, %v", last, err)
	}
	for _, pair := range [][2]int{{0, 1}, {7, 39}, {5, 5}} {
		if v, _ := a.Score(x[pair[0]], x[pair[1]]); v != s.At(pair[0], pair[1]) {
			t.Errorf("pair %v is %g, want %g", pair, s.At(pair[0], pair[1]), v)
		}
	}
	// Other gaps, another order and other sequences have files of their own.
	other, err := Alignment{Open: 12}.Pairs(context.Background(), x[:2], Work{Store: folder})
	if v, _ := (Alignment{Open: 12}).Score(x[0], x[1]); err != nil || other.At(0, 1) != v {
		t.Errorf("with other gaps %g, %v, want %g", other.At(0, 1), err, v)
	}
}

func TestBadPairs(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a    Alignment
		x    points.Sequences
		w    Work
		want string
	}{
		{Alignment{}, nil, Work{}, "no sequences"},
		{Alignment{}, points.Sequences{"AC", "A-"}, Work{}, "sequence 2: character 2"},
		{Alignment{Open: -4}, points.Sequences{"AC"}, Work{}, "Open"},
		{Alignment{}, points.Sequences{"AC"}, Work{Threads: -1}, "threads"},
		{Alignment{}, points.Sequences{"AC"}, Work{Store: file}, "is a file"},
	} {
		if _, err := c.a.Pairs(ctx, c.x, c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error with %q", c.x, err, c.want)
		}
	}
	if _, err := (Alignment{}).Cross(ctx, nil, points.Sequences{"A"}, Work{}); err == nil {
		t.Error("no new sequences are aligned")
	}
	if _, err := (Alignment{}).Cross(ctx, points.Sequences{"?"}, points.Sequences{"A"}, Work{}); err == nil ||
		!strings.Contains(err.Error(), "new sequence 1") {
		t.Error(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := (Alignment{}).Pairs(stopped, family(5, 2), Work{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
