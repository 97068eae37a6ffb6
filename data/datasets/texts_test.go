package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// TestBigrams: fewer columns are the first of more, and rows go with their texts. ExampleBigrams has the counts.
func TestBigrams(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts, moved, perm := make([]string, 20), make([]string, 20), r.Perm(20)
	for i := range texts {
		for range i % 7 {
			texts[i] += []string{"a", "Bee", "c's", "ä", "D4"}[r.IntN(5)] + []string{" ", ". ", "\n", "<br />", " — ",
				", ' "}[r.IntN(6)]
		}
	}
	all := Bigrams(texts, 1000)
	if err := all.Validate(); err != nil || all.Len() != len(texts) || all.D < 10 {
		t.Fatalf("%d rows of %d pairs, %v", all.Len(), all.D, err)
	}
	for _, cols := range [][]int{{0}, {0, 1, 2, 3, 4, 5, 6}} {
		if got, want := fmt.Sprint(Bigrams(texts, len(cols))), fmt.Sprint(all.Columns(cols)); got != want {
			t.Errorf("the first %d are %s, want %s", len(cols), got, want)
		}
	}
	for i, p := range perm {
		moved[i] = texts[p]
	}
	if got, want := fmt.Sprint(Bigrams(moved, 1000)), fmt.Sprint(all.Slice(perm)); got != want {
		t.Errorf("moved texts give %s, want %s", got, want)
	}
	if x := Bigrams([]string{"", "one"}, 5); x.D != 0 || x.Len() != 2 {
		t.Errorf("no pairs: %v", x)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"It isn't <b>BAD</b>, 5<6": {"it", "isn't", "bad", "5", "6"},
		"'quoted' a<<br>b":         {"quoted", "a", "b"},
		"<never closed":            {"never", "closed"},
		"«Süß» 3.5":                {"süß", "3", "5"},
		"<>' ' ''":                 {},
		"a\xffb":                   {"a", "b"},
	} {
		if got := splitWords(text); !slices.Equal(got, want) {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
}

// TestFineFoods: columns are in the order of their frequency; some counts are known, by a count in Python.
func TestFineFoods(t *testing.T) {
	x := must(Load("finefoods")).X.(points.Sparse)
	sum := make([]float64, x.D)
	for k, j := range x.Col {
		sum[j] += x.Val[k]
	}
	if !slices.IsSortedFunc(sum, func(a, b float64) int { return int(b - a) }) {
		t.Error("columns are not in the order of their frequency")
	}
	for pair, want := range map[string]float64{"highly recommend": 118, "peanut butter": 55, "not good": 21} {
		if j := slices.Index(x.Names, pair); j < 0 || sum[j] != want {
			t.Errorf("%q is column %d of sum %g, want %g", pair, j, sum[max(j, 0)], want)
		}
	}
}
