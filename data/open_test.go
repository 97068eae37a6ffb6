package data

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func pack(t *testing.T, b []byte) []byte {
	t.Helper()
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return z.Bytes()
}

// TestOpen reads every suffix, plain and packed; name, source and sha256 are the file's.
func TestOpen(t *testing.T) {
	csv, tsv := "a,y\n1,0\n2,1\n", "a\ty\n1\t0\n2\t1\n"
	svm, arff := "0 1:1\n1 1:2\n", "@attribute a numeric\n@attribute y {0,1}\n@data\n1,0\n2,1\n"
	mat := npyOf(2, 2, 1, 0, 2, 1)
	for name, content := range map[string]string{
		"my.set.csv": csv, "my.set.CSV": csv, "my.set.tsv": tsv, "my.set.txt": csv, "my.set.data": csv,
		"my.set.libsvm": svm, "my.set.svm": svm, "my.set.svmlight": svm, "my.set.t": svm, "my.set.arff": arff,
		"my.set.npy": mat,
	} {
		for _, z := range []bool{false, true} {
			b := []byte(content)
			stored := name
			if z {
				b, stored = pack(t, b), name+".gz"
			}
			d, err := Open(file(t, stored, string(b)))
			if err != nil {
				t.Errorf("%s: %v", stored, err)
				continue
			}
			sum := sha256.Sum256(b)
			if d.Name != "my.set" || d.Source != "file "+stored || d.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("%s: name %q, source %q, sha256 %s", stored, d.Name, d.Source, d.SHA256)
			}
			if !slices.Equal(dense(d.X), []float64{1, 2}) || !slices.Equal(d.Y, []float64{-1, 1}) {
				t.Errorf("%s: %v, %v", stored, dense(d.X), d.Y)
			}
		}
	}
	d, err := Options{Format: CSV, Name: "n"}.Open(file(t, "noname", csv))
	if err != nil || d.Name != "n" {
		t.Errorf("%v, %v", d, err)
	}
	x, err := Options{}.OpenMatrix(file(t, "k.npy.gz", string(pack(t, []byte(mat)))))
	if err != nil || !slices.Equal(x.Data, []float64{1, 0, 2, 1}) {
		t.Errorf("matrix %v, %v", x, err)
	}
}

func TestOpenErrors(t *testing.T) {
	plants := file(t, "plants.csv", "a,y\n1,0\n2,1\n")
	_, err := Open(filepath.Join(filepath.Dir(plants), "plant.csv"))
	wantError(t, err, "plant.csv: cannot open the file in the folder "+filepath.Dir(plants), `did you mean "plants.csv"?`)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	wantError(t, errorOf(Open("x.parquet")), "x.parquet: the name has no known extension", ".csv", "Options.Format")
	wantError(t, errorOf(Options{}.OpenMatrix("x")), "the name has no known extension")
	wantError(t, errorOf(Open(file(t, "a.csv", "a,y\n1,0\nx,1\n"))), "data: a.csv: csv: row 2 (line 3), column 1 (a)")
	wantError(t, errorOf(Open(file(t, "a.csv.gz", "a,y\n1,0\n"))), "a.csv.gz: not a gzip file")
	good := pack(t, []byte(strings.Repeat("1,0\n2,1\n", 5000)))
	wantError(t, errorOf(Open(file(t, "a.csv.gz", string(good[:len(good)/2])))), "unexpected EOF")
	good[len(good)-5] ^= 1 // the checksum
	wantError(t, errorOf(Open(file(t, "a.csv.gz", string(good)))), "checksum")
	wantError(t, errorOf(Open(t.TempDir()+".csv")), "cannot open")
}

// TestReadFailure: an error of the reader below arrives, and is not an end of file.
func TestReadFailure(t *testing.T) {
	boom := errors.New("the disk is gone")
	for f, s := range map[Format]string{CSV: "a,y\n1,0\n2,1\n", NPY: npyOf(2, 2, 1, 0, 2, 1)} {
		r := io.MultiReader(strings.NewReader(s), iotest.ErrReader(boom))
		if _, err := (Options{Format: f}).Read(r); !errors.Is(err, boom) {
			t.Errorf("%v: %v, want %v", f, err, boom)
		}
	}
}
