package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// fileFormat is the format in the header of a study file.
const fileFormat = "mkl-study/1"

// studyFile is the JSON form of a study. Data is the name of the dataset and Digest its digest. Options are those with
// which the dataset was read, if it is one file. Groups is the SHA-256 of Dataset.Group; "" if there are no groups.
// Study is the output of registry.Marshal for everything else.
type studyFile struct {
	Format  string          `json:"format"`
	Data    string          `json:"data"`
	Digest  string          `json:"digest"`
	Options data.Options    `json:"options,omitzero"`
	Groups  string          `json:"groups,omitempty"`
	Study   json.RawMessage `json:"study"`
}

// groupsDigest returns the SHA-256 of the groups of d in hexadecimal; "" if d has none.
func groupsDigest(d *data.Dataset) string {
	if d.Group == nil {
		return ""
	}
	h := sha256.New()
	points.WriteDigest(h, d.Group)
	return hex.EncodeToString(h.Sum(nil))
}

func init() { registry.Register(Study{}) }

// Save writes s to a file, but not the numbers of its data, and not Workers and Store, which belong to this machine.
// The file contains the name of the data, their Digest, and the data.Options with which they were read, so that Open
// can read them again. The types of families, losses, sets and so on must be registered (package registry).
func (s *Study) Save(path string) error {
	if s == nil || s.Data == nil {
		return errors.New("compare: save: the study is nil or has no data; set Study.Data")
	}
	q := *s
	q.Data, q.Workers, q.Store = nil, 0, ""
	b, err := registry.Marshal(q)
	f := studyFile{Format: fileFormat, Data: s.Data.Name, Digest: s.Data.Digest(), Groups: groupsDigest(s.Data),
		Study: b}
	if e := s.Data.Encoding; e != nil && e.Parts == nil && e.Grams == nil {
		f.Options = e.Options
	}
	if err == nil {
		b, err = json.Marshal(f)
	}
	if err == nil {
		err = store.WriteFile(path, append(b, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("compare: save: %w", err)
	}
	return nil
}

// Open reads a study that Save wrote to the file at path. It reads the data from the file at numbers, with the options
// in the study. If numbers is "", the data are the dataset in known with the Digest in the study or, if there is none,
// the dataset that datasets.Load returns for the name in the study.
func Open(path, numbers string, known ...*data.Dataset) (*Study, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d *data.Dataset
	var named studyFile
	_ = json.Unmarshal(b, &named) // readStudy reports errors
	if numbers != "" {
		if d, err = named.Options.Open(numbers); err != nil {
			return nil, err
		}
	} else if i := slices.IndexFunc(known, func(d *data.Dataset) bool { return d.Digest() == named.Digest }); i >= 0 {
		d = known[i]
	}
	s, err := readStudy(b, d)
	switch {
	case err != nil && numbers != "":
		err = fmt.Errorf("%w (if the data are not one file that can be read as it is, write a program that "+
			"calls compare.Main)", err)
		path += ", -data " + numbers
	case err != nil && d == nil:
		err = fmt.Errorf("%w; name their file (-data)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, err)
	}
	return s, nil
}

// readStudy returns the study in the content b of a file, for the data d. If d is nil, the data are the dataset that
// datasets.Load returns for the name in the study. It returns an error if the digest or the groups of the data differ
// from those in the study, or if the study contains a type of a package that this program does not link.
func readStudy(b []byte, d *data.Dataset) (_ *Study, err error) {
	var f studyFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("not a study file: %w", err)
	}
	if f.Format != fileFormat {
		return nil, fmt.Errorf("not a study file that this program reads: format %q; it reads %q", f.Format, fileFormat)
	}
	if d == nil {
		if d, err = datasets.Load(f.Data); err != nil {
			return nil, fmt.Errorf("no data are given, and %w", err)
		}
	}
	if digest := d.Digest(); digest != f.Digest {
		return nil, fmt.Errorf("the data %s have the digest %.12s…, but the study was made for %s with %.12s…", d.Name,
			digest, f.Data, f.Digest)
	}
	if f.Groups != "" && groupsDigest(d) != f.Groups {
		return nil, fmt.Errorf("the data %s have other groups (Dataset.Group) than the study's, or none: folds keep "+
			"groups whole, and would be others", d.Name)
	}
	s, err := registry.Unmarshal[Study](f.Study)
	if err != nil {
		return nil, err
	}
	s.Data = d
	return &s, nil
}
