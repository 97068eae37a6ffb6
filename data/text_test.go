package data

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

// prose is random text of few words, with marks between them.
func prose(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		b.WriteString([]string{"a", "Bee", "c's", "ä", "D4"}[r.IntN(5)])
		b.WriteString([]string{" ", ". ", "\n", "<br />", " — ", ", ' "}[r.IntN(6)])
	}
	return b.String()
}

// TestBigrams compares with counting pair by pair.
func TestBigrams(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = prose(r, i%7)
	}
	all := Bigrams(texts, 1000)
	if err := all.Validate(); err != nil || all.Len() != len(texts) {
		t.Fatalf("%d rows, %v", all.Len(), err)
	}
	plain := strings.NewReplacer(".", " ", "<br />", " ", "—", " ", ",", " ", " ' ", " ")
	total := make(map[string]float64)
	for i, text := range texts {
		want := make(map[string]float64)
		words := strings.Fields(strings.ToLower(plain.Replace(text)))
		for k := 1; k < len(words); k++ {
			want[words[k-1]+" "+words[k]]++
			total[words[k-1]+" "+words[k]]++
		}
		cols, vals := all.Row(i)
		if len(cols) != len(want) {
			t.Errorf("text %d: %d pairs, want %d", i, len(cols), len(want))
		}
		for k, j := range cols {
			if want[all.Names[j]] != vals[k] {
				t.Errorf("text %d: %q %g times, want %g", i, all.Names[j], vals[k], want[all.Names[j]])
			}
		}
	}
	if len(total) != all.D || all.D < 10 {
		t.Errorf("%d pairs, want %d", all.D, len(total))
	}
	for j := 1; j < all.D; j++ {
		a, b := all.Names[j-1], all.Names[j]
		if total[a] < total[b] || total[a] == total[b] && a >= b {
			t.Errorf("%q (%g) stands before %q (%g)", a, total[a], b, total[b])
		}
	}
	// Fewer columns are the first of more, and rows go with their texts.
	for _, k := range []int{1, 7} {
		cols := make([]int, k)
		for j := range cols {
			cols[j] = j
		}
		if got, want := fmt.Sprint(Bigrams(texts, k)), fmt.Sprint(all.Columns(cols)); got != want {
			t.Errorf("the first %d are %s, want %s", k, got, want)
		}
	}
	perm := r.Perm(len(texts))
	moved := make([]string, len(texts))
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
		if got := wordsOf(text); !slices.Equal(got, want) {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
}

// TestFineFoods counts some pairs of the embedded reviews in another way.
func TestFineFoods(t *testing.T) {
	d := must(Load("finefoods"))
	b := must(files.ReadFile("sets/finefoods.csv.gz"))
	z := must(gzip.NewReader(bytes.NewReader(b)))
	rows := must(csv.NewReader(z).ReadAll())
	x := d.X.(kernel.Sparse)
	for i, row := range rows[1:] {
		if (row[3] == "great") != (d.Y[i] == 1) {
			t.Fatalf("review %d is %s, label %g", i+1, row[3], d.Y[i])
		}
	}
	sum := make([]float64, x.D)
	for k, j := range x.Col {
		sum[j] += x.Val[k]
	}
	if !slices.IsSortedFunc(sum, func(a, b float64) int { return int(b - a) }) {
		t.Error("columns are not in the order of their frequency")
	}
	for _, pair := range []string{"highly recommend", "peanut butter", "not good"} { // none can overlap itself
		want := 0
		for _, row := range rows[1:] {
			want += strings.Count(" "+strings.Join(wordsOf(row[2]), " ")+" ", " "+pair+" ")
		}
		j := slices.Index(x.Names, pair)
		if want < 20 || j < 0 || sum[j] != float64(want) {
			t.Errorf("%q is column %d of sum %g, want %d", pair, j, sum[max(j, 0)], want)
		}
	}

	plain, err := Options{Unlabelled: true}.Load("finefoods")
	if err != nil || plain.Y != nil || plain.Len() != 5000 {
		t.Errorf("without labels: %v, %v", plain, err)
	}
	wantError(t, errorOf(Options{Label: "stars"}.Load("finefoods")), `no column "stars"`, "score")
	wantError(t, errorOf(Options{Regression: true}.Load("finefoods")), "row 1", `"other" is not a number`)
	_, err = Options{Leave: []string{"product"}}.Load("finefoods")
	wantError(t, err, "Leave")
	if d, err := (Options{Duplicate: Drop}).Load("finefoods"); err != nil || d.Len() >= 5000 || d.Len() < 4900 {
		t.Errorf("without duplicates: %v, %v", d, err)
	}
}
