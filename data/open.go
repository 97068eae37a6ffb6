package data

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Open reads the file at path with the default options: see Options.Open.
func Open(path string) (*Dataset, error) { return Options{}.Open(path) }

// Open reads the file at path. It unpacks the file if its name ends in .gz. The suffix decides the format, unless the
// options name one. The label is the last column, unless the options name one. Errors name row, line and column. Open
// reads the whole file into memory.
func (o Options) Open(path string) (*Dataset, error) { return o.openLike(path, nil) }

// openLike reads the file at path with the features of an encoding. If the encoding is nil, it is Open.
func (o Options) openLike(path string, encoding *Encoding) (*Dataset, error) {
	if o.Name == "" {
		o.Name = baseName(path)
	}
	o = o.withFormatOf(path)
	var d *Dataset
	err := o.readPath(path, func(raw, packed []byte) (err error) {
		if d, err = (&job{Options: o, training: encoding}).read(raw); err == nil {
			d.SHA256 = hexSHA256(packed)
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

// Read reads a dataset from r. Options.Format names the format. Read does not unpack gzip. Dataset.SHA256 is the sum of
// the bytes read.
func (o Options) Read(r io.Reader) (*Dataset, error) {
	if r == nil {
		return nil, errors.New("data: the reader is nil")
	}
	raw, err := readAtMost(r, maxBytes, tooMany)
	if err != nil {
		return nil, fmt.Errorf("data: %v: %w", o.Format, err)
	}
	d, err := (&job{Options: o}).read(raw)
	if err != nil {
		return nil, err
	}
	d.SHA256 = hexSHA256(raw)
	return d, nil
}

// tooMany is the format of the error for a file of more than maxBytes bytes, before or after it is unpacked.
const tooMany = "the file holds more than %d bytes"

// readAtMost reads r to its end. More than limit bytes are an error; message is its format, for the limit.
func readAtMost(r io.Reader, limit int64, message string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = fmt.Errorf(message, limit)
	}
	return raw, err
}

// readFile reads the file at path. More than limit bytes are an error, as in readAtMost.
func readFile(path string, limit int64, message string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	return readAtMost(f, limit, message)
}

// openError returns the error for a file that os.Open cannot open. If it does not exist, the error names the folder
// that was searched and the files with a similar name.
func openError(path string, err error) error {
	e := (*os.PathError)(nil)
	if !errors.As(err, &e) {
		return err
	}
	folder, absErr := filepath.Abs(filepath.Dir(path))
	entries, readErr := os.ReadDir(folder)
	if !errors.Is(err, fs.ErrNotExist) || absErr != nil || readErr != nil {
		return fmt.Errorf("cannot open it at %s: %w", path, e.Err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	similar := ""
	if near := nearestNames(filepath.Base(path), names); len(near) > 0 {
		similar = fmt.Sprintf("; did you mean %s?", quoteNames(near, " or "))
	}
	return fmt.Errorf("cannot open it in the folder %s: %w%s", folder, e.Err, similar)
}

// gunzip unpacks a gzip file. More than limit unpacked bytes are an error, as in readAtMost.
func gunzip(raw []byte, limit int64, message string) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("not a gzip file: %w", err)
	}
	return readAtMost(z, limit, message)
}

// read reads a file of the format that the options name.
func (j *job) read(raw []byte) (*Dataset, error) {
	if j.Format == Auto {
		return nil, fmt.Errorf("data: the format is unknown; set Options.Format to %s", quoteNames(formats[1:],
			", "))
	}
	kind, err := j.inputKind(j.Format)
	if err != nil {
		return nil, err
	}
	if err := j.validate(kind); err != nil {
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

// withFormatOf returns o with the format that the suffix of the path implies, unless o names a format. The suffix .tsv
// also sets Comma to a tab if it is 0. An unknown suffix leaves Format at Auto.
func (o Options) withFormatOf(path string) Options {
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

// readPath passes the unpacked bytes of the file at path, and its bytes before unpacking, to read. All errors, also
// errors of read, begin with the name of the package and the name of the file.
func (o Options) readPath(path string, read func(raw, packed []byte) error) error {
	file := filepath.Base(path)
	if o.Format == Auto {
		return fmt.Errorf("data: %s: the name has no known extension; use .csv, .tsv, .txt, .dat, .data, "+
			".libsvm, .svm, .arff, .npy, .npz, .fa or .fasta, each also with .gz, or Options.Format", file)
	}
	packed, err := readFile(path, maxBytes, tooMany)
	raw := packed
	if err == nil && strings.HasSuffix(strings.ToLower(path), ".gz") {
		raw, err = gunzip(packed, maxBytes, tooMany)
	}
	if err == nil {
		err = read(raw, packed)
	}
	if err != nil {
		return fmt.Errorf("data: %s: %w", file, trimPrefix(err))
	}
	return nil
}

// trimPrefix removes the prefix "data: " from the text of an error. The caller adds the prefix again.
func trimPrefix(err error) error {
	if err == nil {
		return nil
	}
	if s, ok := strings.CutPrefix(err.Error(), "data: "); ok {
		return &trimmedError{s, err}
	}
	return err
}

// trimmedError is the error err with another text.
type trimmedError struct {
	text string
	err  error
}

func (t *trimmedError) Error() string { return t.text }
func (t *trimmedError) Unwrap() error { return t.err }

// baseName returns the name of a file without folder, .gz and suffix.
func baseName(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".gz") {
		name = strings.TrimSuffix(name, ext)
	}
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}
