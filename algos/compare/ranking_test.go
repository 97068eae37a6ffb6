package compare

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRanking: ranks, the test of Friedman, Wilcoxon's signed ranks with Holm's adjustment,
// with and without ties are those of scipy: see testdata/scipy_ranks.py.
func TestRanking(t *testing.T) {
	text := must(os.ReadFile("testdata/scipy_ranks.json"))
	type of struct {
		Scores   [][]float64
		Means    []float64
		Friedman [2]float64
		Pairs    [][5]float64 // a, b, W, p, adjusted p
	}
	var want struct {
		Plain, Ties of
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("%s is %.12g, of scipy %.12g", what, got, want)
		}
	}
	sets, methods := strings.Split("abcdefghijkl", ""), strings.Split("0123", "")
	for name, w := range map[string]of{"plain": want.Plain, "ties": want.Ties} {
		r := must(RankScores(sets, methods, w.Scores, true))
		for j, m := range w.Means {
			near(name+": a mean rank", r.Means[j], m)
		}
		near(name+": Friedman", r.Friedman.Statistic, w.Friedman[0])
		near(name+": p of Friedman", r.Friedman.P, w.Friedman[1])
		if len(r.Pairs) != len(w.Pairs) {
			t.Fatalf("%d pairs, want %d", len(r.Pairs), len(w.Pairs))
		}
		for _, v := range w.Pairs {
			a, b := methods[int(v[0])], methods[int(v[1])]
			for _, p := range r.Pairs {
				if p.A == a && p.B == b || p.A == b && p.B == a {
					near(name+": W", p.W, v[2])
					near(name+": p of Wilcoxon", p.P, v[3])
					near(name+": p of Holm", p.AdjustedP, v[4])
				}
			}
		}
	}
	// the order turned round is that of a score of which less is better; all equal is no difference
	r := must(RankScores(sets, methods, want.Plain.Scores, false))
	for j, m := range want.Plain.Means {
		near("a mean rank of the smallest", r.Means[j], 5-m)
	}
	if r = must(RankScores(sets[:2], methods[:2], [][]float64{{1, 1}, {2, 2}}, true)); r.Friedman.P != 1 ||
		r.Pairs[0].P != 1 {
		t.Errorf("equal methods: %+v", r)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := RankScores(sets[:2], methods[:2], [][]float64{{v, v}, {2, 2}}, true); err == nil {
			t.Errorf("%g is ranked", v)
		}
	}
	if _, err := RankScores([]string{"a", "a"}, methods[:2], [][]float64{{1, 2}, {2, 1}}, true); err == nil {
		t.Error("a dataset is ranked twice")
	}
	for n := 2; n < 12; n++ { // the smallest p of n sets
		r, err := RankScores(sets[:n], methods[:2], slices.Repeat([][]float64{{1, 2}}, n), true)
		if err != nil || r.Pairs[0].P != 2/math.Ldexp(1, n) {
			t.Errorf("%d sets: p = %g, %v, %v", n, r.Pairs[0].P, r, err)
		}
	}
}

// TestSignedRanks: sets on which two methods are equal count for neither.
func TestSignedRanks(t *testing.T) {
	if w, p := wilcoxonTest([]float64{0, 1, 2, 3, 0, -4, 5, 6, 0}); w != 4 || p != 14./64 {
		t.Errorf("W = %g, p = %g, want 4 and 14/64", w, p)
	}
}
