package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

const boxes = "name,a,y\np_1,1,0\np_2,2,1\nq_1,3.5,1\n"

// door is a set that is not embedded, whose file is boxes with line ends of two bytes.
func door() *set {
	raw := []byte(strings.ReplaceAll(boxes, "\n", "\r\n"))
	return &set{Info: Info{
		Name: "boxes", Title: "Boxes", N: 3, D: 1, Classes: [2]string{"no", "yes"}, Counts: [2]int{1, 2},
		Source: "us", Licence: "any", Publisher: "the Box Society", File: "boxes.data", SHA256: hexOf(raw),
		Size: int64(len(raw)),
	}, read: Options{Group: "name"}, rename: [2]string{"0", "1"}, of: person,
		also: []int64{int64(len(boxes))}, convert: columns([]string{"name", "a", "y"}, "\r\n")}
}

// away lets no file of this machine be found.
func away(t *testing.T) (cache string) {
	cache = t.TempDir()
	t.Setenv("MKL_CACHE", cache)
	t.Setenv("MKL_DATA", "")
	return cache
}

func (s *set) find() (*Dataset, error) { return Options{}.load(s, s.kept) }

// TestAbsent: what Load says of each set whose file is not there, in one line.
func TestAbsent(t *testing.T) {
	away(t)
	doors := Doors()
	if len(doors) < 4 {
		t.Fatalf("%d sets of the reader's files, want at least 4", len(doors))
	}
	for _, info := range doors {
		if slices.Contains(Names(), info.Name) || len(info.SHA256) != 64 || info.Size <= 0 || info.File == "" ||
			info.Source == "" || info.Licence == "" {
			t.Errorf("what is known of %s is incomplete: %+v", info.Name, info)
		}
		_, err := Load(info.Name)
		if !errors.Is(err, ErrAbsent) {
			t.Errorf("%s: %v, want ErrAbsent", info.Name, err)
			continue
		}
		wantError(t, err, "data: "+info.Name+": "+info.Title, "published by "+info.Publisher, info.SHA256,
			`data.Import("`+info.Name+`", file)`, "MKL_DATA")
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %v", info.Name, err)
		}
		if strings.Contains(err.Error(), "data/fetch "+info.Name) != (info.URL != "") {
			t.Errorf("%s can be fetched from %q, and the error is %v", info.Name, info.URL, err)
		}
		if info.URL != "" && !strings.HasPrefix(info.URL, "https://") {
			t.Errorf("%s: %s, want https", info.Name, info.URL)
		}
	}
	for _, info := range List() {
		if info.Publisher != "" || info.URL != "" {
			t.Errorf("%s is embedded and has a publisher", info.Name)
		}
	}
}

// TestImport brings the file in each form it may have, and finds it again.
func TestImport(t *testing.T) {
	whole := strings.ReplaceAll(boxes, "\n", "\r\n")
	for name, content := range map[string]string{
		"boxes.data":  whole,
		"any.name":    whole,
		"packed.gz":   string(pack(t, []byte(whole))),
		"no-suffix":   string(pack(t, []byte(whole))),
		"lf.csv":      boxes,
		"lf.csv.gz":   string(pack(t, []byte(boxes))),
		"ordered.csv": "a,y,name\n1,0,p_1\n2,1,p_2\n3.5,1,q_1\n",
	} {
		cache, s := away(t), door()
		d, err := s.take(file(t, name, content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := s.find()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Digest() != again.Digest() || again.SHA256 != s.SHA256 || again.Source != "us" ||
			!slices.Equal(again.Classes, []string{"no", "yes"}) || !slices.Equal(again.Group, []string{"p", "p", "q"}) {
			t.Errorf("%s: imported %v, found %+v", name, d, again)
		}
		if entries, err := os.ReadDir(filepath.Join(cache, "data")); err != nil || len(entries) != 1 {
			t.Errorf("%s: the cache holds %v, %v, want one file", name, entries, err)
		}
	}
}

// TestImportRefuses keeps nothing of a file that is not the one expected.
func TestImportRefuses(t *testing.T) {
	cache, s := away(t), door()
	whole := strings.ReplaceAll(boxes, "\n", "\r\n")
	packed := pack(t, []byte(whole))
	for name, c := range map[string]struct{ content, want string }{
		"changed":       {strings.Replace(whole, "3.5", "3.6", 1), "want " + s.SHA256},
		"cut":           {whole[:len(whole)-3], "want " + s.SHA256},
		"empty":         {"", "cannot be converted: no rows"},
		"other columns": {"b,c\n1,2\n", `no column "name"`},
		"cut packed":    {string(packed[:len(packed)-9]), "unexpected EOF"},
		"large":         {strings.Repeat(" ", int(4*s.Size)+1), "too large"},
		"large packed":  {string(pack(t, make([]byte, 1<<20))), "too large"},
	} {
		_, err := s.take(file(t, "file", c.content))
		wantError(t, err, "data: import boxes: file: ", c.want)
		if _, err := os.Stat(filepath.Join(cache, "data")); err == nil {
			t.Errorf("%s: something was kept", name)
		}
	}
	_, err := s.take(filepath.Join(t.TempDir(), "none"))
	wantError(t, err, "cannot open it at")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	wantError(t, errorOf(Import("sonar", "x")), "sonar is part of this module")
	wantError(t, errorOf(Import("parkinson", "x")), `did you mean "parkinsons"?`)
	wantError(t, errorOf(Import("parkinsons", file(t, "x.csv", "a,b\n"))), "data: import parkinsons: x.csv: sha256 ",
		"want a36116c2", "parkinsons.data")

	// A cache folder that cannot be made.
	t.Setenv("MKL_CACHE", write(t, "taken", nil))
	wantError(t, errorOf(s.take(file(t, "boxes.data", whole))), "data: import boxes: ")
}

// TestFolders: MKL_DATA names folders in which the file is known by size and sha256 alone.
func TestFolders(t *testing.T) {
	cache, s := away(t), door()
	whole := []byte(strings.ReplaceAll(boxes, "\n", "\r\n"))
	other := slices.Clone(whole)
	other[len(other)-3] ^= 1
	first, second := t.TempDir(), t.TempDir()
	put := func(folder, name string, content []byte) string {
		t.Helper()
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	absent := func(want ...string) {
		t.Helper()
		_, err := s.find()
		if !errors.Is(err, ErrAbsent) {
			t.Fatalf("%v, want ErrAbsent", err)
		}
		wantError(t, err, want...)
	}
	put(first, "boxes.data", other) // same name and size, another file
	put(filepath.Join(first, "below"), "boxes.data", whole)
	put(second, "x.gz", []byte("not gzip, but it has a length"))
	missing := filepath.Join(second, "missing")
	t.Setenv("MKL_DATA", strings.Join([]string{first, missing, second}, string(filepath.ListSeparator)))
	absent("not in "+first, "MKL_DATA: open "+missing, "not in "+second)

	for _, c := range []struct {
		name    string
		content []byte
	}{{"whatever", whole}, {"z.gz", pack(t, whole)}, {"lf.txt", []byte(boxes)}, {"lf.GZ", pack(t, []byte(boxes))}} {
		path := put(second, c.name, c.content)
		if d, err := s.find(); err != nil || d.Len() != 3 || d.SHA256 != s.SHA256 {
			t.Errorf("%s: %v, %v", c.name, d, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		absent()
	}

	// A damaged file in the cache is said, and another one is taken all the same.
	put(filepath.Join(cache, "data"), "boxes.csv", other)
	absent("boxes.csv is damaged")
	put(second, "whatever", whole)
	if _, err := s.find(); err != nil {
		t.Error(err)
	}
	if d, err := (Options{Label: "a", Regression: true, Leave: []string{"y"}}).load(s, s.kept); err == nil {
		t.Errorf("no feature is left: %v", d)
	}
	if d, err := (Options{Label: "a", Regression: true}).load(s, s.kept); err != nil ||
		!slices.Equal(d.Y, []float64{1, 2, 3.5}) || len(d.Group) != 3 {
		t.Errorf("another label: %v, %v", d, err)
	}
}

// TestDigits: one table, whatever the file it is in.
func TestDigits(t *testing.T) {
	convert := digits([]string{"u", "v", "y"})
	const want = "u,v,y\n1.0000000e+00,-2.5000000e-02,3.3333333e-01\n0.0000000e+00,1.2345679e+05,-1.0000000e+00\n"
	for _, raw := range []string{
		want,
		"1,-0.025,0.33333333\n0,123456.79,-1\n",
		"a,b,c\n1.0,-2.5e-2,0.333333333333\n0,123456.789,-1\n",
		"  1  -0.025\t0.33333333 \n 0 123456.789 -1\n",
		"@relation r\n@attribute a numeric\n@attribute b real\n@attribute c numeric\n@DATA\n1,-.025,.33333333333\n" +
			"0,123456.789,-1\n",
	} {
		if got, err := convert([]byte(raw)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v, want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"", "1,2\n", "1,2,3,4\n", "1,2,x\n"} {
		if got, err := convert([]byte(raw)); err == nil {
			t.Errorf("%q becomes %q, want an error", raw, got)
		}
	}
}

// TestReadersFiles checks the sets that the reader has, in the cache folder or in MKL_DATA, by their digests when they
// had been compared with what was published with them: 32 persons, 8 of them healthy (the UCI page says 31, 23 ill);
// distances of mean 0.7143; 687, 313, 246 and 754 reviews of kitchen-wares with 1, 2, 4 and 5 stars, 666, 334, 320 and
// 680 of electronics.
func TestReadersFiles(t *testing.T) {
	for name, want := range map[string]struct {
		digest string
		groups int
	}{
		"electronics": {"180f638ed8009fc1", 0}, "kin-8nm": {"68546600b077eabc", 0}, "kitchen": {"e06659b00b4382ae", 0},
		"parkinsons": {"9241f1fd5ae7cbfe", 32}, "scop40": {"d9685d1f4f1d0861", 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Load(name)
			if errors.Is(err, ErrAbsent) {
				t.Skip(err)
			}
			if err != nil || d.Digest()[:16] != want.digest || len(different(d.Group)) != want.groups {
				t.Errorf("%v of digest %s and %d groups, %v, want %+v", d, d.Digest(), len(different(d.Group)), err,
					want)
			}
		})
	}
}

// unmake writes a table of reviews as the folder of a domain.
func unmake(t *testing.T, folder string, table []byte) {
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

// TestReviews imports the folder of a domain.
func TestReviews(t *testing.T) {
	away(t)
	const table = "label,rating,title,text\npositive,5.0,\"So, good\",\"It is \"\"so\"\" good. I & you " +
		"like\uFFFD\uFFFD it\"\npositive,4.0,ok,It is &lt;5\nnegative,1.0,bad,so bad it is\n"
	folder := t.TempDir()
	unmake(t, folder, []byte(strings.ReplaceAll(table, "\uFFFD\uFFFD", "\xff\xfe")))
	if got, err := reviews(folder, 1<<20); err != nil || string(got) != table {
		t.Errorf("%q, %v, want %q", got, err, table)
	}
	s := door()
	s.bigrams, s.folder, s.convert, s.also, s.rename = true, reviews, nil, nil, [2]string{}
	s.read = Options{Label: "rating", Regression: true, Sequence: "text"}
	s.N, s.D, s.Classes, s.SHA256, s.Size = 3, 11, [2]string{}, hexOf([]byte(table)), int64(len(table))
	if _, err := s.take(folder); err != nil {
		t.Error(err)
	}
	if d, err := s.find(); err != nil || !slices.Equal(d.Y, []float64{5, 4, 1}) {
		t.Errorf("%v, %v", d, err)
	}
	for name, content := range map[string]string{"no <review> in it": "x",
		"review 1 has no title": "<review><rating>1</rating></review>"} {
		if err := os.WriteFile(filepath.Join(folder, "negative.review"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		wantError(t, errorOf(s.take(folder)), "negative.review", name)
	}
	wantError(t, errorOf(s.take(t.TempDir())), "positive.review")
}

// TestGroups: a slice takes the groups of its points along.
func TestGroups(t *testing.T) {
	d := &Dataset{Name: "d", X: kernel.Rows{N: 3, D: 1, Data: []float64{1, 2, 3}}, Y: []float64{1, -1, 1},
		Group: []string{"a", "b", "a"}}
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	if s := must(d.Slice([]int{2, 1, 2})); !slices.Equal(s.Group, []string{"a", "b", "a"}) {
		t.Errorf("groups %v", s.Group)
	}
	if !strings.Contains(d.Describe(), "groups    2,") {
		t.Errorf("the description does not tell the groups: %s", d.Describe())
	}
	d.Group = d.Group[:2]
	wantError(t, d.Validate(), "groups of 2 points, but 3 points")
}
