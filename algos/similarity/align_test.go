package similarity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// textbook fills three matrices by the definitions, with gaps opened from any state: another road than Gotoh's
// recurrence by columns.
func textbook(a Alignment, x, y string) int {
	a = a.filled()
	score := func(c, d byte) int {
		at := func(c byte) int {
			i := strings.IndexByte(a.Table.Letters, strings.ToUpper(string(c))[0])
			if i < 0 {
				i = strings.IndexByte(a.Table.Letters, 'X')
			}
			return i
		}
		return a.Table.Scores[at(c)*len(a.Table.Letters)+at(d)]
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

const amino = "ACDEFGHIKLMNPQRSTVWY"

// protein draws n residues of an alphabet.
func protein(r *rand.Rand, n int, alphabet string) string {
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
			b.WriteString(protein(r, 1+r.IntN(5), amino))
		case v < 5:
			b.WriteString(protein(r, 1, amino))
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

var alignments = []Alignment{
	{}, {Global: true}, {Table: PAM250(), Open: 12, Extend: 2}, {Table: PAM250(), Global: true, Open: 10, Extend: 10},
	{Open: 40, Extend: 1}, {Open: 1, Extend: 1, Global: true}, {Open: 2, Extend: 1}, {Open: 120,
		Extend: 3}, {Open: 1000, Extend: 1000, Global: true},
}

// compare aligns x with all of ys, in lanes and alone, and compares with the textbook.
func compare(t *testing.T, a Alignment, x string, ys ...string) {
	t.Helper()
	s := a.scorer()
	l := &lanes{scorer: s}
	encode := func(text string) []byte {
		c := must(s.encode(text))
		return c
	}
	coded := make([][]byte, len(ys))
	for k, y := range ys {
		coded[k] = encode(y)
	}
	got := make([]int32, len(ys))
	l.scores(got, encode(x), coded)
	for k, y := range ys {
		want := textbook(a, x, y)
		alone := must(a.Score(x, y))
		if int(got[k]) != want || alone != float64(want) {
			t.Fatalf("%v of %d and %d residues: %d in lanes, %g alone, want %d\n%s\n%s", a, len(x), len(y), got[k],
				alone, want, x, y)
		}
	}
}

// TestAlignment: the scores in lanes and alone are those of the textbook's three matrices, for pairs far and near,
// long ones whose scores leave 8 bits, and lengths that differ.
func TestAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, a := range alignments {
		for range 12 {
			x := protein(r, r.IntN(90), amino+"BZX*UOJ")
			var ys []string
			for range 1 + r.IntN(20) {
				if y := protein(r, r.IntN(120), amino+"bzx*uoj"); r.IntN(2) == 0 {
					ys = append(ys, y)
				} else {
					ys = append(ys, related(r, x))
				}
			}
			compare(t, a, x, ys...)
		}
		compare(t, a, "", "", "A", "ACD")
		compare(t, a, "WWW", "", "W", "WWW", "www", "CCC")
	}
	// Scores beyond 16 bits: lanes give way to whole numbers.
	w := strings.Repeat("W", 3000)
	long := Alignment{Table: PAM250()}
	if v, err := long.Score(w, w); err != nil || v != 17*3000 {
		t.Errorf("3000 W with themselves: %g, %v, want 51000", v, err)
	}
	s := long.scorer()
	c, _ := s.encode(w)
	got := make([]int32, 3)
	(&lanes{scorer: s}).scores(got, c, [][]byte{c, c[:100], c[:2000]})
	if fmt.Sprint(got) != "[51000 1700 34000]" {
		t.Errorf("in lanes %v, want [51000 1700 34000]", got)
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
		ys := []string{y, x, related(r, x), protein(r, r.IntN(30), amino), related(r, y)}
		compare(t, alignments[int(which)%len(alignments)], x, append(ys, related(r, related(r, x)), y+x, x+x, y)...)
	})
}

// TestAlignmentByHand: scores counted by hand; Open is the cost of a gap's first residue.
func TestAlignmentByHand(t *testing.T) {
	for _, c := range []struct {
		a    Alignment
		x, y string
		want float64
	}{
		{Alignment{}, "AWA", "AWA", 4 + 11 + 4},
		{Alignment{}, "A", "W", 0}, // nothing is better than −3
		{Alignment{Global: true}, "A", "W", -3},
		{Alignment{Global: true}, "A", "", -11},                                   // a gap of one is Open
		{Alignment{Global: true}, "ACD", "", -11 - 2},                             // of three Open + 2 Extend
		{Alignment{Global: true, Open: 5, Extend: 2}, "AWWWA", "AA", 8 - 5 - 2*2}, // a gap within
		{Alignment{Open: 5, Extend: 2}, "AWWWA", "AA", 4},                         // which no local alignment takes
		{Alignment{Open: 5, Extend: 2}, "WWAAWW", "WWWW", 44 - 5 - 2},             // this one does
		{Alignment{}, "awa", "AWA", 19},                                           // lower case is upper case
		{Alignment{}, "WWUWW", "WWXWW", 4*11 - 1},                                 // U is not in the table: X
		{Alignment{}, "WWBWW", "WWDWW", 4*11 + 4},                                 // B has a row of its own
		{Alignment{Global: true}, "*", "*", 1},
		{Alignment{Global: true, Table: PAM250()}, "WC", "WC", 17 + 12},
		{Alignment{Normalize: true}, "AWA", "AWA", 1},
		{Alignment{Normalize: true}, "AW", "W", 11 / math.Sqrt(15*11)},
		{Alignment{Normalize: true}, "", "", 0}, // no positive number to divide by
		{Alignment{Normalize: true, Global: true}, "A", "", 0},
		{Alignment{Normalize: true}, "X", "X", 0},
	} {
		for _, pair := range [][2]string{{c.x, c.y}, {c.y, c.x}} {
			if got, err := c.a.Score(pair[0], pair[1]); err != nil || math.Abs(got-c.want) > 1e-15 {
				t.Errorf("%v of %q and %q: %g, %v, want %g", c.a, pair[0], pair[1], got, err, c.want)
			}
		}
	}
}

// TestBadAlignments: what is wrong is said before any work.
func TestBadAlignments(t *testing.T) {
	few := &Substitution{Name: "few", Letters: "AC", Scores: []int{1, -1, -1, 1}}
	for _, c := range []struct {
		a    Alignment
		x, y string
		want string
	}{
		{Alignment{Open: 1, Extend: 2}, "A", "A", "Open ≥ Extend"},
		{Alignment{Open: -1}, "A", "A", "Open ≥ Extend"},
		{Alignment{Open: 2000}, "A", "A", "1000 ≥ Open"},
		{Alignment{}, "A-C", "A", "sequence 1: character 2 is '-', a gap"},
		{Alignment{}, "A", "AC1", "sequence 2: character 3"},
		{Alignment{}, "A", "É", "sequence 2: character 1"},
		{Alignment{Table: few}, "ACW", "A", "character 3 is 'W'"},
		{Alignment{Table: &Substitution{Letters: "AC", Scores: []int{1, 2, 3, 4}}}, "A", "A", "equal numbers"},
		{Alignment{Table: &Substitution{Letters: "AA", Scores: make([]int, 4)}}, "A", "A", "different letters"},
		{Alignment{Table: &Substitution{}}, "A", "A", "1 to 32 letters"},
		{Alignment{Table: &Substitution{Letters: "A", Scores: []int{2000}}}, "A", "A", "−1000 to 1000"},
	} {
		if _, err := c.a.Score(c.x, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v of %q and %q: %v, want an error with %q", c.a, c.x, c.y, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"":                      "0 scores",
		"A C\nA 1 -1\n":         "2 scores of 2 letters",
		"A C\nC 1 -1\nA -1 1\n": "line 2",
		"A C\nA 1 x\nC -1 1\n":  "line 2: \"x\"",
		"A C\nA 1\nC -1 1\n":    "line 2: 2 words",
		"AB C\n":                "single letters",
		"A\nA 1\nA 1\n":         "line 3",
		"A C\nA 1 0\nC -1 1\n":  "equal numbers",
		"# x\n\nA\nA 99999\n":   "−1000 to 1000",
	} {
		if _, err := ParseSubstitution("t", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

// TestTables: each amino acid scores most with itself, so that no local score passes that with itself, and the
// tables are those distributed: sums over all pairs of letters counted from the published files.
func TestTables(t *testing.T) {
	for _, s := range []*Substitution{BLOSUM62(), PAM250()} {
		if err := s.Validate(); err != nil || s.Letters != "ARNDCQEGHILKMFPSTWYVBZX*" {
			t.Errorf("%s: %v, letters %s", s.Name, err, s.Letters)
		}
		l := len(s.Letters)
		for i := range 20 {
			for j := range 20 {
				if s.Scores[i*l+j] > s.Scores[i*l+i] {
					t.Errorf("%s: %c scores more with %c than with itself", s.Name, s.Letters[i], s.Letters[j])
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, a := range []Alignment{{}, {Table: PAM250(), Open: 10, Extend: 2}} {
		for range 50 {
			x := protein(r, 1+r.IntN(60), amino)
			own, _ := a.Score(x, x)
			for _, y := range []string{protein(r, 40, amino), related(r, x), x + x, strings.ToLower(x)} {
				if v, _ := a.Score(x, y); v > own {
					t.Errorf("%v: %s has %g with %s, with itself %g", a, x, v, y, own)
				}
			}
		}
	}
}

func BenchmarkAlignment(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, a := range []Alignment{{}, {Global: true}} {
		b.Run(a.String(), func(b *testing.B) {
			s := a.scorer()
			l := &lanes{scorer: s}
			x, _ := s.encode(protein(r, 200, amino))
			var ys [][]byte
			for range 64 {
				y, _ := s.encode(protein(r, 200, amino))
				ys = append(ys, y)
			}
			dst := make([]int32, len(ys))
			for b.Loop() {
				l.scores(dst, x, ys)
			}
			b.ReportMetric(float64(b.N)*64*200*200/b.Elapsed().Seconds()/1e6, "Mcells/s")
		})
	}
	b.Run("alone", func(b *testing.B) {
		s := Alignment{}.scorer()
		x, _ := s.encode(protein(r, 200, amino))
		y, _ := s.encode(protein(r, 200, amino))
		for b.Loop() {
			s.plain(x, y)
		}
		b.ReportMetric(float64(b.N)*200*200/b.Elapsed().Seconds()/1e6, "Mcells/s")
	})
}
