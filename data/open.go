package data

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Open reads the file at path with the default options: see Options.Open.
func Open(path string) (*Dataset, error) { return Options{}.Open(path) }

// Open reads the file at path. It unpacks the file if its name ends in .gz. The suffix decides the format, unless the
// options name one. The label is the last column, unless the options name one. Errors name row, line and column. Open
// reads the whole file into memory. Options.MaxBytes limits its size.
func (o Options) Open(path string) (*Dataset, error) { return o.openLike(path, nil) }

// openLike opens a file like the one that like was fitted to. If like is nil, it is Open.
func (o Options) openLike(path string, like *Encoding) (*Dataset, error) {
	if o.Name == "" {
		o.Name = base(path)
	}
	o = o.suffix(path)
	if o.Format == NPY && o.Labels == "" && !o.Unlabeled {
		o.Labels = labelsBeside(path)
	}
	var d *Dataset
	err := o.with(path, func(raw []byte, sum string) (err error) {
		if d, err = (&job{Options: o, like: like}).read(raw); err == nil {
			d.SHA256 = sum
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if d.Source = "file " + filepath.Base(path); o.Labels != "" {
		d.Source += ", labels from " + filepath.Base(o.Labels)
	}
	return d, nil
}

// labelsBeside returns y.npy for X.npy and y_train.npy for X_train.npy, if there is such a file.
func labelsBeside(path string) string {
	dir, name := filepath.Split(path)
	if len(name) < 2 || name[0] != 'X' && name[0] != 'x' || strings.IndexByte("._-", name[1]) < 0 {
		return ""
	}
	y := dir + "y" + name[1:]
	if _, err := os.Stat(y); err != nil {
		return ""
	}
	return y
}

// Read reads a dataset from r. Options.Format names the format. Read does not unpack. Dataset.SHA256 is the sum of the
// bytes read.
func (o Options) Read(r io.Reader) (*Dataset, error) {
	if r == nil {
		return nil, errors.New("data: the reader is nil")
	}
	raw, err := atMost(r, o.bytes(), tooMany)
	if err != nil {
		return nil, fmt.Errorf("data: %v: %w", o.Format, err)
	}
	d, err := (&job{Options: o}).read(raw)
	if err != nil {
		return nil, err
	}
	d.SHA256 = hexOf(raw)
	return d, nil
}

const tooMany = "the file holds more than %d bytes: Options.MaxBytes allows more"

// atMost reads r to its end. More than most bytes are an error with these words.
func atMost(r io.Reader, most int64, words string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(raw)) > most {
		err = fmt.Errorf(words, most)
	}
	return raw, err
}

// readFile reads the file at path, which may hold at most most bytes.
func readFile(path string, most int64, words string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		if e := (*os.PathError)(nil); errors.As(err, &e) {
			return nil, fmt.Errorf("cannot open it at %s: %w", path, e.Err)
		}
		return nil, err
	}
	defer f.Close()
	return atMost(f, most, words)
}

// gunzip unpacks a gzip file, which may hold at most most unpacked bytes.
func gunzip(raw []byte, most int64, words string) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("not a gzip file: %w", err)
	}
	return atMost(z, most, words)
}

// read reads a file of the format that the options name.
func (j *job) read(raw []byte) (*Dataset, error) {
	if j.Format == Auto {
		return nil, fmt.Errorf("data: the format is not named: want Options.Format to be %s", list(formats[1:], ", "))
	}
	if err := j.Validate(j.Format); err != nil {
		return nil, err
	}
	j.Name = cmp.Or(j.Name, "unnamed")
	read := map[Format]func([]byte, *job) (*Dataset, error){CSV: readCSV, LIBSVM: readLIBSVM, ARFF: readARFF,
		NPY: readNPY, FASTA: readFASTA}
	d, err := read[j.Format](raw, j)
	if err != nil {
		return nil, fmt.Errorf("data: %v: %w", j.Format, err)
	}
	return d, nil
}

// suffix sets the format by the suffix of the path if the options do not name it.
func (o Options) suffix(path string) Options {
	ext := strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")))
	if o.Format == Auto {
		switch ext {
		case ".csv", ".tsv", ".txt", ".dat", ".data":
			o.Format = CSV
		case ".libsvm", ".svm", ".svmlight", ".t":
			o.Format = LIBSVM
		case ".arff":
			o.Format = ARFF
		case ".npy", ".npz":
			o.Format = NPY
		case ".fa", ".fasta", ".faa":
			o.Format = FASTA
		}
	}
	if o.Format == CSV && ext == ".tsv" && o.Comma == 0 {
		o.Comma = '\t'
	}
	return o
}

// with passes the unpacked bytes of the file at path, and the sha256 of the file itself, to read. All errors, also
// errors of read, name the file.
func (o Options) with(path string, read func(raw []byte, sum string) error) error {
	file := filepath.Base(path)
	if o.Format == Auto {
		return fmt.Errorf("data: %s: the name does not say the format: want .csv, .tsv, .txt, .dat, .data, "+
			".libsvm, .svm, .arff, .npy, .npz, .fa or .fasta, each also with .gz, or Options.Format", file)
	}
	most, packed := o.bytes(), strings.HasSuffix(strings.ToLower(path), ".gz")
	if packed { // packing can make a small file larger
		most = max(most, maxBytes)
	}
	raw, err := readFile(path, most, tooMany)
	sum := hexOf(raw)
	if err == nil && packed {
		most, words := o.unpacked(len(raw))
		raw, err = gunzip(raw, most, words)
	}
	if err == nil {
		err = read(raw, sum)
	}
	if err != nil {
		return fmt.Errorf("data: %s: %w", file, trim(err))
	}
	return nil
}

func (o *Options) bytes() int64 { return cmp.Or(o.MaxBytes, maxBytes) }

// unpacked returns the maximum number of unpacked bytes for a packed size, and the words of the error for more.
// The maximum is Options.MaxBytes. If this is 0, it is the default of MaxBytes and at most maxRatio times the packed
// size, but at least freeBytes.
func (o *Options) unpacked(packed int) (most int64, words string) {
	if most = max(freeBytes, maxRatio*int64(packed)); o.MaxBytes == 0 && most < maxBytes {
		return most, fmt.Sprintf("it unpacks to more than %d times its packed size, %%d bytes: Options.MaxBytes "+
			"allows more", maxRatio)
	}
	return o.bytes(), "it unpacks to more than %d bytes: Options.MaxBytes allows more"
}

// trim removes the prefix of this package from an error that will get it again.
func trim(err error) error {
	if err == nil {
		return nil
	}
	if s, ok := strings.CutPrefix(err.Error(), "data: "); ok {
		return &trimmed{s, err}
	}
	return err
}

type trimmed struct {
	s   string
	err error
}

func (t *trimmed) Error() string { return t.s }
func (t *trimmed) Unwrap() error { return t.err }

// base returns the name of a file without folder, .gz and suffix.
func base(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".gz") {
		name = strings.TrimSuffix(name, ext)
	}
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}
