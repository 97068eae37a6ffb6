package data

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// Open reads the file at path with the default options: see Options.Open.
func Open(path string) (*Dataset, error) { return Options{}.Open(path) }

// Open reads the file at path. It unpacks the file if its name ends in .gz. The suffix decides the format, unless the
// options name one. The label is the last column, unless the options name one. Errors name row, line and column. Open
// reads the whole file into memory.
func (o Options) Open(path string) (*Dataset, error) {
	d, err := o.openWithEncoding(path, nil)
	if e := (*OptionsError)(nil); errors.As(err, &e) { // without what the path says
		e.Options.Name, e.Options.Format, e.Options.Comma = o.Name, o.Format, o.Comma
	}
	return prefixError(d, err)
}

// openWithEncoding reads the file at path with the features of an encoding. A nil encoding makes new features.
func (o Options) openWithEncoding(path string, encoding *Encoding) (*Dataset, error) {
	o.Name = cmp.Or(o.Name, baseName(path))
	o = o.withFormatOf(path)
	var d *Dataset
	content, rawBytes, err := o.readPath(path)
	if err == nil {
		d, err = (&job{Options: o, training: encoding}).read(content)
	}
	if err != nil {
		return nil, fileError(path, err)
	}
	d.SHA256, d.Source = hexSHA256(rawBytes), "file "+filepath.Base(path)
	return d, nil
}

// Read reads a dataset from r. Options.Format names the format. Read does not unpack gzip. Dataset.SHA256 is the sum of
// the bytes read.
func (o Options) Read(r io.Reader) (*Dataset, error) {
	return prefixError((&job{Options: o}).readAll(r))
}

func (j *job) readAll(r io.Reader) (*Dataset, error) {
	raw, err := readAtMost(r, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", j.Format, err)
	}
	d, err := j.read(raw)
	if err == nil {
		d.SHA256 = hexSHA256(raw)
	}
	return d, err
}

// prefixError returns v, or err with "data: " before its text. Every exported reader calls it once.
func prefixError[T any](v T, err error) (T, error) {
	if err != nil {
		var none T
		return none, fmt.Errorf("data: %w", err)
	}
	return v, nil
}

// fileError puts the name of the file at path before err.
func fileError(path string, err error) error { return fmt.Errorf("%s: %w", filepath.Base(path), err) }

func hexSHA256(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// readAtMost reads r to its end. More than limit bytes are an error.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	if r == nil {
		return nil, errors.New("the reader is nil; pass an open file")
	}
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = fmt.Errorf("the file holds more than %d bytes", limit)
	}
	return raw, err
}

// readFile reads the file at path. More than limit bytes are an error, as in readAtMost.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	return readAtMost(f, limit)
}

// openError returns the error for a file that os.Open cannot open. It names the folder and, if the file does not exist,
// files with a similar name.
func openError(path string, err error) error {
	folder, _ := filepath.Abs(filepath.Dir(path))
	entries, _ := os.ReadDir(folder)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	advice := ""
	similarNames := sheet.NearestNames(filepath.Base(path), names)
	if len(similarNames) > 0 && errors.Is(err, fs.ErrNotExist) {
		advice = fmt.Sprintf("; did you mean %s?", sheet.QuoteNames(similarNames, " or "))
	}
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		err = e.Err // the cause without the path
	}
	return fmt.Errorf("cannot open the file in the folder %s: %w%s", folder, err, advice)
}

// gunzip unpacks a gzip file. More than limit unpacked bytes are an error, as in readAtMost.
func gunzip(raw []byte, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("not a gzip file: %w", err)
	}
	return readAtMost(z, limit)
}

// read reads a file of the format that the options name.
func (j *job) read(raw []byte) (d *Dataset, err error) {
	kind, ok := fileKinds[j.Format]
	if !ok {
		return nil, fmt.Errorf("unknown format (%v); set Options.Format to %s", j.Format, sheet.QuoteNames(formats[1:],
			", "))
	}
	if err := j.validate(kind); err != nil {
		return nil, err
	}
	j.Name = cmp.Or(j.Name, "unnamed")
	switch j.Format {
	case CSV:
		o, training := j.Options, j.training
		if d, err = readCSV(raw, j); err != nil && training == nil && len(raw) < 1<<24 {
			err = withLaterErrors(err, o, func(o Options) error {
				_, err := readCSV(raw, &job{Options: o})
				return err
			})
		}
	case LIBSVM:
		d, err = readLIBSVM(raw, j)
	case ARFF:
		d, err = readARFF(raw, j)
	case NPY:
		d, err = readNPY(raw, j)
	case FASTA:
		d, err = readFASTA(raw, j)
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w", j.Format, err)
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
		case ".npy":
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

// readPath returns the unpacked content of the file at path, and its raw bytes, which are compressed if the name ends
// in .gz. The caller adds the name of the file to an error.
func (o Options) readPath(path string) (content, rawBytes []byte, err error) {
	if o.Format == Auto {
		return nil, nil, errors.New("the name has no known extension; save a spreadsheet as .csv; other " +
			"extensions are .tsv, .txt, .dat, .data, .libsvm, .svm, .arff, .npy, .fa and .fasta, each also with .gz; " +
			"or set Options.Format")
	}
	if rawBytes, err = readFile(path, maxBytes); err == nil && strings.HasSuffix(strings.ToLower(path), ".gz") {
		content, err = gunzip(rawBytes, maxBytes)
		return content, rawBytes, err
	}
	return rawBytes, rawBytes, err
}

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

// cutWord returns the first word of s, which ends at white space, and the text after it.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r\n\v\f")
	if i := strings.IndexAny(s, " \t\r\n\v\f"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}
