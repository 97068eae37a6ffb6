package datasets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

const boxes = "name,a,y\r\np_1,1,0\r\np_2,2,1\r\nq_1,3.5,1\r\n"

// boxSet returns an external dataset whose file is boxes, and makes an empty cache folder.
func boxSet(t *testing.T) (s *set, cache string) {
	cache = t.TempDir()
	t.Setenv("MKL_CACHE", cache)
	return &set{Info: Info{
		Name: "boxes", Title: "Boxes", N: 3, D: 1, Classes: [2]string{"no", "yes"},
		Source: "us", License: "any", Publisher: "the Box Society", File: "boxes.data",
		SHA256: hexSHA256([]byte(boxes)), FileSize: int64(len(boxes)),
	}, ReadOptions: data.Options{Group: "name"}, FileClasses: [2]string{"0", "1"}, NameReplacement: "recordings"}, cache
}

// loadCached loads s as Load does.
func (s *set) loadCached() (*data.Dataset, error) {
	raw, err := s.readCached()
	if err != nil {
		return nil, err
	}
	return s.load(raw, data.Options{})
}

// TestAbsent compares the error of Load for each external dataset whose file is absent: one line that names the file.
func TestAbsent(t *testing.T) {
	boxSet(t)
	if len(External()) < 4 {
		t.Fatalf("%q are external, expected at least 4", Names(External()))
	}
	for _, info := range External() {
		if len(info.SHA256) != 64 || info.FileSize <= 0 || info.File == "" || info.Source == "" || info.License == "" ||
			info.URL != "" && !strings.HasPrefix(info.URL, "https://") {
			t.Errorf("the description of %s is incomplete: %+v", info.Name, info)
		}
		err := errorOf(Load(info.Name))
		if !errors.Is(err, ErrAbsent) || strings.Contains(err.Error(), "fetch "+info.Name) != (info.URL != "") {
			t.Errorf("%s: %v, expected ErrAbsent and the command that downloads from %q", info.Name, err, info.URL)
		}
		wantError(t, err, "datasets: "+info.Name+": "+info.Title, "published by "+info.Publisher, info.SHA256,
			`datasets.Import("`+info.Name+`", file)`)
	}
}

// TestImport imports the file under any name, packed or not, and loads it.
func TestImport(t *testing.T) {
	for name, content := range map[string][]byte{"boxes.data": []byte(boxes), "packed": pack([]byte(boxes))} {
		s, cache := boxSet(t)
		d := must(s.importFile(write(t, name, content)))
		again := must(s.loadCached())
		if d.Digest() != again.Digest() || again.SHA256 != s.SHA256 || again.Source != "us" ||
			!slices.Equal(again.Classes, []string{"no", "yes"}) || !slices.Equal(again.Group, []string{"p", "p", "q"}) {
			t.Errorf("%s: imported %v, loaded %+v", name, d, again)
		}
		if entries, err := os.ReadDir(filepath.Join(cache, "data")); err != nil || len(entries) != 1 {
			t.Errorf("%s: the cache folder holds %v, %v, expected one file", name, entries, err)
		}
		bad := strings.Replace(boxes, "3.5", "3.6", 1)
		if err := os.WriteFile(filepath.Join(cache, "data", "boxes.csv"), []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		wantError(t, errorOf(s.loadCached()), "the stored file is damaged", s.SHA256, "import it again")
	}
}

// TestImportRefuses imports files that are not the expected one: each is an error, and nothing is stored.
func TestImportRefuses(t *testing.T) {
	s, cache := boxSet(t)
	packed := pack([]byte(boxes))
	for want, content := range map[string][]byte{
		"expected " + s.SHA256: []byte(strings.Replace(boxes, "3.5", "3.6", 1)),
		"unexpected EOF":       packed[:len(packed)-9],
	} {
		wantError(t, errorOf(s.importFile(write(t, "file", content))), "datasets: import boxes: file: ", want)
		if _, err := os.Stat(filepath.Join(cache, "data")); err == nil {
			t.Errorf("%s: something was stored", want)
		}
	}
	wantError(t, errorOf(Import("sonar", "x")), `import sonar: this module contains it; call datasets.Load("sonar")`)
	wantError(t, errorOf(Import("parkinsons", write(t, "x.csv", []byte("a,b\n")))), "import parkinsons: x.csv: SHA-256",
		"expected a36116c2", "parkinsons.data")
	wantError(t, errorOf(s.importFile(t.TempDir())), "is a directory")

	// The cache folder cannot be created.
	t.Setenv("MKL_CACHE", write(t, "taken", nil))
	wantError(t, errorOf(s.importFile(write(t, "boxes.data", []byte(boxes)))), "datasets: import boxes: ")
}

// TestExternalDigests compares the external datasets in the cache folder with their digests. The digests were computed
// after a comparison with published numbers: 32 persons, 8 of them healthy (the UCI page states 31, 23 of them ill);
// distances with the mean 0.7143; 687, 313, 246 and 754 reviews of kitchenware with 1, 2, 4 and 5 stars, and 666, 334,
// 320 and 680 reviews of electronics.
func TestExternalDigests(t *testing.T) {
	for name, want := range map[string]string{"electronics": "180f638ed8009fc1", "kin-8nm": "68546600b077eabc",
		"kitchen": "e06659b00b4382ae", "parkinsons": "9241f1fd5ae7cbfe", "scop40": "d9685d1f4f1d0861"} {
		t.Run(name, func(t *testing.T) {
			d, err := Load(name)
			if errors.Is(err, ErrAbsent) {
				t.Skip(err)
			}
			persons := map[string]bool{}
			if err == nil {
				for _, g := range d.Group {
					persons[g] = true
				}
			}
			if err != nil || d.Digest()[:16] != want || (name == "parkinsons") != (len(persons) == 32) {
				t.Errorf("%v of %d groups, %v, expected the digest %s", d, len(persons), err, want)
			}
		})
	}
}

// writeReviews writes a table of reviews as the published folder.
func writeReviews(t *testing.T, folder string, table []byte) {
	t.Helper()
	rows := must(csv.NewReader(bytes.NewReader(table)).ReadAll())
	files := make(map[string]string)
	for _, r := range rows[1:] {
		files[r[0]] += "<review>\n<unique_id>\n1\n</unique_id>\n<rating>\n" + r[1] + "\n</rating>\n<title>\n" + r[2] +
			"\n</title>\n<review_text>\n" + strings.ReplaceAll(r[3], ". ", ".  \n\n") + "\n</review_text>\n</review>\n"
	}
	for label, content := range files {
		if err := os.WriteFile(filepath.Join(folder, label+".review"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReviews imports the published folder of reviews.
func TestReviews(t *testing.T) {
	const table = "label,rating,title,text\npositive,5.0,\"So, good\",\"It is \"\"so\"\" good. I & you " +
		"like\uFFFD\uFFFD it\"\npositive,4.0,ok,It is &lt;5\nnegative,1.0,bad,so bad it is\n"
	folder := t.TempDir()
	writeReviews(t, folder, []byte(strings.ReplaceAll(table, "\uFFFD\uFFFD", "\xff\xfe")))
	if got, err := convertReviewsToCSV(folder); err != nil || string(got) != table {
		t.Errorf("%q, %v, want %q", got, err, table)
	}
	s, _ := boxSet(t)
	s.HasTextColumn, s.IsReviewFolder, s.FileClasses = true, true, [2]string{}
	s.ReadOptions = data.Options{Label: "rating", Regression: true, Sequence: "text"}
	s.D, s.Classes, s.SHA256, s.FileSize = 11, [2]string{}, hexSHA256([]byte(table)), int64(len(table))
	must(s.importFile(folder))
	if d, err := s.loadCached(); err != nil || !slices.Equal(d.Y, []float64{5, 4, 1}) {
		t.Errorf("%v, %v", d, err)
	}
	for name, content := range map[string]string{"contains no <review>": "x",
		"review 1 has no <title>": "<review><rating>1</rating></review>"} {
		if err := os.WriteFile(filepath.Join(folder, "negative.review"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		wantError(t, errorOf(s.importFile(folder)), "negative.review", name)
	}
	wantError(t, errorOf(s.importFile(t.TempDir())), "positive.review")
}

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
