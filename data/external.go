package data

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mklnb/mkl/algos/store"
)

// ErrAbsent is wrapped by the error of Load if the file of an external dataset is not in the cache folder.
var ErrAbsent = errors.New("not on this machine")

// ExternalDatasets returns the datasets that Load knows but this module does not contain, sorted by name. Their terms
// forbid their distribution in this module, or do not state that they permit it. Import stores a file that you have.
// The program data/fetch downloads a file that has a public address.
func ExternalDatasets() []Info {
	var list []Info
	for _, s := range sets() {
		if !s.isEmbedded() {
			list = append(list, s.Info)
		}
	}
	return list
}

// isEmbedded reports whether this module contains the file of s.
func (s *set) isEmbedded() bool { return s.Publisher == "" }

// Import checks that file is the file of the named external dataset, and stores it in the cache folder, where Load
// finds it. The file may have any name and may be packed by gzip. Its SHA-256 must be Info.SHA256. For kitchen and
// electronics, file is the folder that contains positive.review and negative.review. If Import returns an error, it has
// stored nothing. A concurrent Load never reads a partly written file.
func Import(name, file string) (*Dataset, error) {
	s, err := findSet(name)
	if err != nil {
		return nil, err
	}
	if s.isEmbedded() {
		return nil, fmt.Errorf("data: import %s: this module contains it; call data.Load(%q)", s.Name, s.Name)
	}
	return s.importFile(file)
}

// importFile checks a file and stores it in the cache folder.
func (s *set) importFile(file string) (*Dataset, error) {
	raw, err := s.readImport(file)
	if err != nil {
		return nil, fmt.Errorf("data: import %s: %s: %w", s.Name, filepath.Base(file), err)
	}
	d, err := Options{}.load(s, raw)
	if err != nil {
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
		return nil, fmt.Errorf("data: import %s: %w", s.Name, err)
	}
	return d, nil
}

// readImport reads the file that a caller of Import names, unpacks it, and compares its SHA-256 with the known one.
func (s *set) readImport(path string) ([]byte, error) {
	var raw []byte
	var err error
	if info, e := os.Stat(path); e == nil && info.IsDir() && s.reviews {
		raw, err = convertReviews(path, 4*s.Size) // the files are larger than the table, which has fewer fields
	} else if raw, err = readFile(path, s.Size, tooLarge); err == nil && isPacked(raw) {
		raw, err = gunzip(raw, s.Size, tooLarge)
	}
	if err != nil {
		return nil, err
	}
	if sum := hexSHA256(raw); sum != s.SHA256 {
		return nil, fmt.Errorf("SHA-256 is %s, expected %s: the file is damaged or not %s", sum, s.SHA256, s.File)
	}
	return raw, nil
}

// tooLarge is the error for a file that exceeds its limit, in bytes.
const tooLarge = "the file has more than %d bytes; it is not the expected file"

// isPacked reports whether raw begins with the first two bytes of a gzip file.
func isPacked(raw []byte) bool { return bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) }

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
	raw, err := readFile(path, s.Size, tooLarge)
	if !errors.Is(err, fs.ErrNotExist) {
		return raw, err
	}
	download := ""
	if s.URL != "" {
		download = fmt.Sprintf("\"go run github.com/mklnb/mkl/data/fetch %s\" downloads it; ", s.Name)
	}
	return nil, fmt.Errorf("%s, is not part of this module and %w; %sdata.Import(%q, file) stores your copy; "+
		"published by %s; expected file: %s, SHA-256 %s", s.Title, ErrAbsent, download, s.Name, s.Publisher, s.File,
		s.SHA256)
}
