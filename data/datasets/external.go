package datasets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// ErrAbsent is wrapped by the error of Load if the file of an external dataset is not in the cache folder.
var ErrAbsent = errors.New("not on this machine")

// isEmbedded reports whether this module contains the file of s.
func (s *set) isEmbedded() bool { return s.Publisher == "" }

// Import checks that file is the file of the named external dataset, and stores it in the cache folder, where Load
// finds it. The file may have any name and may be packed by gzip. Its SHA-256 must be Info.SHA256. For kitchen and
// electronics, file is the folder that contains positive.review and negative.review. If Import returns an error, it has
// stored nothing. A concurrent Load never reads a partly written file.
func Import(name, file string) (*data.Dataset, error) {
	s, err := findSet(name)
	if err != nil {
		return nil, err
	}
	if s.isEmbedded() {
		return nil, fmt.Errorf("datasets: import %s: this module contains it; call datasets.Load(%q)", s.Name, s.Name)
	}
	return s.importFile(file)
}

// importFile checks a file and stores it in the cache folder.
func (s *set) importFile(file string) (d *data.Dataset, err error) {
	raw, err := s.readImportedFile(file)
	if err != nil {
		return nil, fmt.Errorf("datasets: import %s: %s: %w", s.Name, filepath.Base(file), err)
	}
	if d, err = s.load(raw, data.Options{}); err != nil {
		return nil, err
	}
	path, err := s.cachePath()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = store.WriteFile(path, raw, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: import %s: %w", s.Name, err)
	}
	return d, nil
}

// readImportedFile reads the file that a caller of Import names, unpacks it, and checks its SHA-256.
func (s *set) readImportedFile(path string) (raw []byte, err error) {
	if info, e := os.Stat(path); e == nil && info.IsDir() && s.IsReviewFolder {
		raw, err = convertReviewsToCSV(path)
	} else if raw, err = os.ReadFile(path); err == nil {
		raw, err = unpackGzip(raw)
	}
	if err != nil {
		return nil, err
	}
	if sum := hexSHA256(raw); sum != s.SHA256 {
		return nil, fmt.Errorf("SHA-256 is %s, expected %s: the file is damaged or not %s", sum, s.SHA256, s.File)
	}
	return raw, nil
}

// unpackGzip returns the bytes of a file that may be packed by gzip.
func unpackGzip(raw []byte) ([]byte, error) {
	if !bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		return raw, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// cachePath returns the path under which Import stores the file of s.
func (s *set) cachePath() (string, error) {
	dir, err := store.CacheDir()
	return filepath.Join(dir, "data", s.Name+".csv"), err
}

// readCached reads the file that Import stored.
func (s *set) readCached() ([]byte, error) {
	path, err := s.cachePath()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return raw, err
	}
	downloadAdvice := ""
	if s.URL != "" {
		downloadAdvice = fmt.Sprintf("\"go run github.com/mklnb/mkl/data/datasets/fetch %s\" downloads it; ", s.Name)
	}
	return nil, fmt.Errorf("%s, is not part of this module and %w; %sdatasets.Import(%q, file) stores your copy; "+
		"published by %s; expected file: %s, SHA-256 %s", s.Title, ErrAbsent, downloadAdvice, s.Name, s.Publisher,
		s.File, s.SHA256)
}
