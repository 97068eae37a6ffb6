package data

import (
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data/sha256"
)

// Open reads the file at path with the default options: see Options.Open.
func Open(path string) (*Dataset, error) { return Options{}.Open(path) }

// Open reads the file at path, unpacked if its name ends in .gz. The format follows the suffix
// unless the options name one; the label is the last column unless they name one. Errors name row,
// line and column. Memory is proportional to the file.
func (o Options) Open(path string) (*Dataset, error) { return o.openLike(path, nil) }

// openLike is Open of a file that is to be read like another one.
func (o Options) openLike(path string, like *Encoding) (*Dataset, error) {
	if o.Name == "" {
		o.Name = base(path)
	}
	o = o.suffix(path)
	if o.Format == NPY && o.Labels == "" && !o.Unlabelled {
		o.Labels = labelsBeside(path)
	}
	var d *Dataset
	sum, err := o.with(path, func(r io.Reader) (err error) {
		d, err = o.read(r, like)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.SHA256, d.Source = sum, "file "+filepath.Base(path)
	if o.Labels != "" {
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

// Read reads a dataset of the given format, which has to be named in the options, from r. It does
// not unpack. The SHA256 of the dataset is that of the bytes read.
func (o Options) Read(r io.Reader) (*Dataset, error) {
	if r == nil {
		return nil, errors.New("data: nothing to read from: the reader is nil")
	}
	h := sha256.New()
	t := io.TeeReader(r, h)
	d, err := o.read(t, nil)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, t); err != nil {
		return nil, fmt.Errorf("data: %v: %w", o.Format, err)
	}
	d.SHA256 = hexSum(h)
	return d, nil
}

func (o Options) read(r io.Reader, like *Encoding) (*Dataset, error) { return o.readAs(r, like, nil) }

// readAs is read of a file whose sequences are named after their classes.
func (o Options) readAs(r io.Reader, like *Encoding, class func(string) string) (*Dataset, error) {
	if o.Format == Auto {
		return nil, fmt.Errorf("data: the format is not named: want Options.Format to be %s", list(formats[1:], ", "))
	}
	if err := o.Validate(o.Format); err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = "unnamed"
	}
	r = o.cap(r)
	j := &job{Options: o, like: like, class: class}
	switch o.Format {
	case CSV:
		return readCSV(r, j)
	case LIBSVM:
		return readLIBSVM(r, j)
	case ARFF:
		return readARFF(r, j)
	case NPY:
		return readNPY(r, j)
	case FASTA:
		return readFASTA(r, j)
	}
	return nil, fmt.Errorf("data: unknown %v: want %s", o.Format, list(formats[1:], ", "))
}

// OpenMatrix reads a matrix of numbers, such as a kernel or similarity matrix, with the default
// options: see Options.OpenMatrix.
func OpenMatrix(path string) (kernel.Rows, error) { return Options{}.OpenMatrix(path) }

// OpenMatrix reads all columns of a CSV or NPY file as one matrix, N×D, row-major; Leave leaves
// columns out. Nothing is said of symmetry or definiteness: who uses it as a kernel checks that. A
// missing cell, or one that is not a finite number, is an error. A vector of NumPy is one column.
func (o Options) OpenMatrix(path string) (kernel.Rows, error) {
	x, _, _, err := o.openMatrix(path)
	return x, err
}

// openMatrix is OpenMatrix, the names of the columns of a CSV file, and the unit roundoff of the numbers: see
// kernel.Precomputed.Mend.
func (o Options) openMatrix(path string) (x kernel.Rows, names []string, u float64, err error) {
	o = o.suffix(path)
	_, err = o.with(path, func(r io.Reader) (err error) {
		x, names, u, err = o.readMatrix(r)
		return err
	})
	return x, names, u, err
}

// ReadMatrix is OpenMatrix from a reader, of the format named in the options.
func (o Options) ReadMatrix(r io.Reader) (kernel.Rows, error) {
	x, _, _, err := o.readMatrix(r)
	return x, err
}

func (o Options) readMatrix(r io.Reader) (x kernel.Rows, names []string, u float64, err error) {
	if r == nil {
		return kernel.Rows{}, nil, 0, errors.New("data: nothing to read from: the reader is nil")
	}
	o.Unlabelled = true
	if o.Missing == Drop || o.Missing == Fill || len(o.Nominal) > 0 {
		return kernel.Rows{}, nil, 0, errors.New("data: a matrix is read whole: Options.Missing and Nominal do not apply")
	}
	if err := o.Validate(o.Format); err != nil {
		return kernel.Rows{}, nil, 0, err
	}
	r = o.cap(r)
	switch o.Format {
	case CSV:
		o.Constant, o.Duplicate = Accept, Accept
		d, err := readCSV(r, &job{Options: o, matrix: true})
		if err != nil {
			return kernel.Rows{}, nil, 0, err
		}
		return d.X.(kernel.Rows), columnsNamed(d), 0, nil
	case NPY:
		x, u, err := o.array(r)
		if err == nil {
			err = finiteNPY(x)
		}
		if err != nil {
			return kernel.Rows{}, nil, 0, fmt.Errorf("data: npy: %w", err)
		}
		return x, nil, u, nil
	}
	return kernel.Rows{}, nil, 0, fmt.Errorf("data: %v: a matrix is read from csv or npy", o.Format)
}

// suffix takes the format from the end of the path, where the options do not name it.
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

// with opens the file at path, unpacks it if need be, and lets read read it. It returns the sha256
// of the file; errors name the file.
func (o Options) with(path string, read func(io.Reader) error) (sum string, err error) {
	if o.Format == Auto {
		return "", fmt.Errorf("data: %s: the name does not say the format: want .csv, .tsv, .txt, .dat, .data, .libsvm, .svm, .arff, .npy, .npz, .fa or .fasta, each also with .gz, or Options.Format", filepath.Base(path))
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("data: %s: %w", filepath.Base(path), trim(err))
		}
	}()
	f, err := os.Open(path)
	if err != nil {
		if e := (*os.PathError)(nil); errors.As(err, &e) {
			return "", fmt.Errorf("cannot open it at %s: %w", path, e.Err)
		}
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	t := io.TeeReader(f, h)
	r := t
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		packed := &counted{r: t}
		z, err := gzip.NewReader(packed)
		if err != nil {
			return "", fmt.Errorf("not a gzip file: %w", err)
		}
		r = o.unpacked(z, &packed.n)
	}
	if err := read(r); err != nil {
		return "", err
	}
	if r != t { // what is left of the packed stream carries its checksum
		if _, err := io.Copy(io.Discard, r); err != nil {
			return "", err
		}
	}
	if _, err := io.Copy(io.Discard, t); err != nil {
		return "", err
	}
	return hexSum(h), nil
}

func (o *Options) bytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return maxBytes
}

// cap bounds what is read from r.
func (o *Options) cap(r io.Reader) io.Reader {
	return &capped{r: r, left: o.bytes(), most: o.bytes(), what: "the file holds"}
}

// unpacked bounds what is unpacked from so many packed bytes.
func (o *Options) unpacked(r io.Reader, packed *int64) io.Reader {
	c := &capped{r: r, left: o.bytes(), most: o.bytes(), what: "it unpacks to"}
	if o.MaxBytes == 0 {
		c.packed = packed
	}
	return c
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// capped refuses to read more than it may, and to unpack more than its source justifies.
type capped struct {
	r          io.Reader
	left, most int64
	packed     *int64 // bytes that it was unpacked from; nil if that does not bound it
	what       string
}

func (c *capped) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		n, c.left = int(c.left), 0
		return n, fmt.Errorf("%s more than %d bytes: Options.MaxBytes allows more", c.what, c.most)
	}
	c.left -= int64(n)
	if got := c.most - c.left; c.packed != nil && got > freeBytes && got > maxRatio**c.packed {
		return n, fmt.Errorf("%s more than %d times its packed size: Options.MaxBytes, as %d, allows it", c.what, maxRatio, c.most)
	}
	return n, err
}

// trim takes the package's own prefix off an error that gets it again.
func trim(err error) error {
	if s, ok := strings.CutPrefix(err.Error(), "data: "); ok {
		return &trimmed{s, err}
	}
	return err
}

// about is err with the name of the file before it, unless it is there already.
func about(path string, err error) error {
	if file := filepath.Base(path); !strings.HasPrefix(err.Error(), file+": ") {
		return fmt.Errorf("%s: %w", file, err)
	}
	return err
}

type trimmed struct {
	s   string
	err error
}

func (t *trimmed) Error() string { return t.s }
func (t *trimmed) Unwrap() error { return t.err }

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// base is the file's name without folder, .gz and suffix.
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
