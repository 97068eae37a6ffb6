package similarity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
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

const amino = "ACDEFGHIKLMNPQRSTVWY"

// textbook fills three matrices by the definitions, with gaps opened from any state. It is independent of Gotoh's
// recurrence by columns.
func textbook(a Alignment, x, y string) int {
	a = a.withDefaults()
	score := func(c, d byte) int {
		index := func(c byte) int {
			i := strings.IndexByte("ARNDCQEGHILKMFPSTWYVBZX*", strings.ToUpper(string(c))[0])
			if i < 0 {
				i = 22 // X
			}
			return i
		}
		row := strings.Fields(strings.Split(blosum62Text, "\n")[1+index(c)])
		v, err := strconv.Atoi(row[1+index(d)])
		if err != nil {
			panic(err)
		}
		return v
	}
	const low = -1 << 30
	m, n := len(x), len(y)
	grid := func() [][]int {
		g := make([][]int, m+1)
		for i := range g {
			g[i] = make([]int, n+1)
			for j := range g[i] {
				g[i][j] = low
			}
		}
		return g
	}
	M, X, Y := grid(), grid(), grid() // ends in two residues, in a gap in y, in a gap in x
	M[0][0] = 0
	best := 0
	for i := range m + 1 {
		for j := range n + 1 {
			if i > 0 {
				X[i][j] = max(M[i-1][j]-a.Open, Y[i-1][j]-a.Open, X[i-1][j]-a.Extend)
			}
			if j > 0 {
				Y[i][j] = max(M[i][j-1]-a.Open, X[i][j-1]-a.Open, Y[i][j-1]-a.Extend)
			}
			if i > 0 && j > 0 {
				from := max(M[i-1][j-1], X[i-1][j-1], Y[i-1][j-1])
				if !a.Global {
					from = max(from, 0)
				}
				M[i][j] = from + score(x[i-1], y[j-1])
				best = max(best, M[i][j])
			}
		}
	}
	if a.Global {
		return max(M[m][n], X[m][n], Y[m][n])
	}
	return best
}

// drawn draws n residues of an alphabet.
func drawn(r *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// related is s with some residues exchanged, taken out and put in.
func related(r *rand.Rand, s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch v := r.IntN(20); {
		case v == 0:
		case v == 1:
			b.WriteString(drawn(r, 1+r.IntN(5), amino))
		case v < 5:
			b.WriteString(drawn(r, 1, amino))
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

var alignments = []Alignment{
	{}, {Global: true}, {Open: 12, Extend: 2}, {Global: true, Open: 10, Extend: 10}, {Open: 40, Extend: 1},
	{Open: 1, Extend: 1, Global: true}, {Open: 2, Extend: 1}, {Open: 120, Extend: 3},
	{Open: 1000, Extend: 1000, Global: true},
}

// align returns the score of two sequences.
func align(a Alignment, x, y string) (float64, error) {
	s, err := a.Cross(context.Background(), points.Sequences{x}, points.Sequences{y})
	if err != nil {
		return 0, err
	}
	return s.At(0, 0), nil
}

// compare aligns x with all of ys and compares the scores with the textbook's.
func compare(t *testing.T, a Alignment, x string, ys ...string) {
	t.Helper()
	for _, y := range ys {
		if got, want := must(align(a, x, y)), textbook(a, x, y); got != float64(want) {
			t.Fatalf("%v of %d and %d residues: %g, want %d\n%s\n%s", a, len(x), len(y), got, want, x, y)
		}
	}
}

// TestAlignment tests that the scores equal those of the textbook's three matrices, for related and unrelated pairs of
// different lengths.
func TestAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, a := range alignments {
		for range 6 {
			x := drawn(r, r.IntN(60), amino+"BZX*UOJ")
			compare(t, a, x, drawn(r, r.IntN(80), amino+"bzx*uoj"), related(r, x), related(r, related(r, x)))
		}
		compare(t, a, "", "", "A", "ACD")
		compare(t, a, "WWW", "", "W", "WWW", "www", "CCC")
	}
}

func FuzzAlignment(f *testing.F) {
	f.Add("HEAGAWGHEE", "PAWHEAE", byte(0), uint64(1))
	f.Add("WWWWWWWWWWWWWWWW", "WWWWWWWWCWWWWWWW", byte(2), uint64(2))
	f.Add("", "A*", byte(1), uint64(3))
	f.Fuzz(func(t *testing.T, x, y string, which byte, seed uint64) {
		letters := func(s string) string {
			b := []byte(s[:min(len(s), 40)])
			for i := range b {
				b[i] = "ARNDCQEGHILKMFPSTWYVBZX*JOU"[b[i]%27]
			}
			return string(b)
		}
		x, y = letters(x), letters(y)
		r := rand.New(rand.NewPCG(seed, 4))
		compare(t, alignments[int(which)%len(alignments)], x, y, x, related(r, x), related(r, y), y+x, x+x)
	})
}

// TestAlignmentByHand compares scores with those counted by hand; Open is the cost of the first residue of a gap.
func TestAlignmentByHand(t *testing.T) {
	for _, c := range []struct {
		a    Alignment
		x, y string
		want float64
	}{
		{Alignment{}, "AWA", "AWA", 4 + 11 + 4},
		{Alignment{Global: true}, "A", "W", -3},
		{Alignment{Global: true}, "A", "", -11},                                   // a gap of one is Open
		{Alignment{Global: true}, "ACD", "", -11 - 2},                             // of three Open + 2 Extend
		{Alignment{Global: true, Open: 5, Extend: 2}, "AWWWA", "AA", 8 - 5 - 2*2}, // a gap within
		{Alignment{Open: 5, Extend: 2}, "AWWWA", "AA", 4},                         // which no local alignment takes
		{Alignment{Open: 5, Extend: 2}, "WWAAWW", "WWWW", 44 - 5 - 2},             // this one does
		{Alignment{}, "awa", "AWA", 19},                                           // lower case is upper case
		{Alignment{}, "WWUWW", "WWXWW", 4*11 - 1},                                 // U is not in the table: X
		{Alignment{}, "WWBWW", "WWDWW", 4*11 + 4},                                 // B has a row of its own
		{Alignment{Normalize: true}, "AWA", "AWA", 1},
		{Alignment{Normalize: true}, "AW", "W", 11 / math.Sqrt(15*11)},
		{Alignment{Normalize: true}, "", "", 0}, // no positive number to divide by
		{Alignment{Normalize: true}, "X", "X", 0},
	} {
		for _, pair := range [][2]string{{c.x, c.y}, {c.y, c.x}} {
			if got, err := align(c.a, pair[0], pair[1]); err != nil || math.Abs(got-c.want) > 1e-15 {
				t.Errorf("%v of %q and %q: %g, %v, want %g", c.a, pair[0], pair[1], got, err, c.want)
			}
		}
	}
}

// TestPairs tests that every entry is the score of its pair, Cross has the same scores, and progress ends with all
// pairs.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	x := points.Sequences{drawn(r, 90, amino), ""}
	for range 6 {
		x = append(x, related(r, x[0]), drawn(r, 20+r.IntN(90), amino+"XBZ"))
	}
	for _, a := range []Alignment{{Global: true}, {Open: 12, Extend: 2, Normalize: true}} {
		last := 0
		s := must(a.Pairs(t.Context(), x, func(done, total int) {
			if done <= last || total != 105 {
				t.Errorf("%v: %d of %d pairs after %d, want 105 in all", a, done, total, last)
			}
			last = done
		}))
		if last != 105 {
			t.Errorf("%v: progress ended with %d pairs, want 105", a, last)
		}
		for i := range x {
			for j := range x {
				if v := must(align(a, x[i], x[j])); s.At(i, j) != v {
					t.Fatalf("%v: pair %d, %d is %g, want %g", a, i, j, s.At(i, j), v)
				}
			}
		}
		if c := must(a.Cross(t.Context(), x[3:10], x)); !mat.Equal(c, mat.DenseCopyOf(s).Slice(3, 10, 0, len(x))) {
			t.Errorf("%v: Cross differs from Pairs", a)
		}
	}
}

// TestBadAlignments tests that invalid costs and sequences are errors that name them, and so is the end of the context.
func TestBadAlignments(t *testing.T) {
	for _, c := range []struct {
		a    Alignment
		z, x points.Sequences
		want string
	}{
		{Alignment{Open: 1, Extend: 2}, points.Sequences{"A"}, points.Sequences{"A"}, "Open ≥ Extend"},
		{Alignment{Open: 2000}, points.Sequences{"A"}, points.Sequences{"A"}, "1000 ≥ Open"},
		{Alignment{}, points.Sequences{"A"}, points.Sequences{"A", "A-C"}, ": sequence 2: character 2 is '-', a gap"},
		{Alignment{}, points.Sequences{"AC", "AC1"}, points.Sequences{"A"}, "new sequence 2: character 3"},
		{Alignment{}, nil, points.Sequences{"A"}, "no new sequences"},
		{Alignment{}, points.Sequences{"A"}, nil, "no sequences"},
	} {
		if _, err := c.a.Cross(t.Context(), c.z, c.x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v of %q and %q: %v, want an error with %q", c.a, c.z, c.x, err, c.want)
		}
	}
	if _, err := (Alignment{}).Pairs(nil, points.Sequences{"A"}, nil); err == nil {
		t.Error("a nil context is accepted")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Alignment{}).Pairs(stopped, points.Sequences{"A", "C"}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
