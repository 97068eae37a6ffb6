package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

const fileFormat = "mkl-study/1"

// studyFile is the JSON form of a study. Options are the options with which the dataset was read, if it is one file.
// GroupsDigest is the SHA-256 of Dataset.Group; "" if there are no groups. Study is the rest of the study, as
// registry.Marshal writes it.
type studyFile struct {
	Format       string          `json:"format"`
	DataName     string          `json:"data"`
	DataDigest   string          `json:"digest"`
	Options      data.Options    `json:"options,omitzero"`
	GroupsDigest string          `json:"groups,omitempty"`
	Study        json.RawMessage `json:"study"`
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

func init() { registry.Register(compare.Study{}) }

// Save writes s to a file. In place of the data, the file contains their name, their Digest, and the data.Options with
// which they were read, so that Open can read them again. It contains neither Workers nor StoreFolder, which
// belong to this machine. The types of families, losses, sets and so on must be registered (package registry).
func Save(path string, s *compare.Study) error {
	if s == nil || s.Data == nil {
		return errors.New("study: save: the study is nil or has no data; set Study.Data")
	}
	q := *s
	q.Data, q.Workers, q.StoreFolder = nil, 0, ""
	b, err := registry.Marshal(q)
	f := studyFile{Format: fileFormat, DataName: s.Data.Name, DataDigest: s.Data.Digest(),
		GroupsDigest: groupsDigest(s.Data),
		Study:        b}
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
		return fmt.Errorf("study: save: %w", err)
	}
	return nil
}

// Open reads a study that Save wrote to the file at path. It reads the data from the file at dataPath, with the
// options in the study. If dataPath is "", it takes the one of ownDatasets that has the digest in the study. If none
// has it, it calls datasets.Load with the name in the study.
func Open(path, dataPath string, ownDatasets ...*data.Dataset) (*compare.Study, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d *data.Dataset
	var header studyFile
	_ = json.Unmarshal(b, &header) // if this fails, so does readStudy below, which returns the error
	if dataPath != "" {
		if d, err = header.Options.Open(dataPath); err != nil {
			return nil, err
		}
	} else if i := slices.IndexFunc(ownDatasets, func(d *data.Dataset) bool {
		return d.Digest() == header.DataDigest
	}); i >= 0 {
		d = ownDatasets[i]
	}
	s, err := readStudy(b, d)
	switch {
	case err != nil && dataPath != "":
		err = fmt.Errorf("%w (if data.Options cannot read the data from one file, write a program that passes the "+
			"dataset to study.Main)", err)
		path += ", -data " + dataPath
	case err != nil && d == nil:
		err = fmt.Errorf("%w; give the file of the data by -data", err)
	}
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", path, err)
	}
	return s, nil
}

// readStudy returns the study in the content b of a file, with the data d. If d is nil, datasets.Load loads the data by
// the name in the study. It returns an error if the digest or the groups of the data differ from those in the study, or
// if the study contains a type of a package that this program does not link.
func readStudy(b []byte, d *data.Dataset) (_ *compare.Study, err error) {
	var f studyFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("not a study file: %w", err)
	}
	if f.Format != fileFormat {
		return nil, fmt.Errorf("the format of the study file is %q, but this program reads %q; save the "+
			"study again with this version of the program", f.Format, fileFormat)
	}
	if d == nil {
		if d, err = datasets.Load(f.DataName); err != nil {
			return nil, fmt.Errorf("no dataset is given, and the dataset %q cannot be loaded: %w", f.DataName, err)
		}
	}
	if digest := d.Digest(); digest != f.DataDigest {
		return nil, fmt.Errorf("the data %s have the digest %.12s…, but the study was made for %s with the digest "+
			"%.12s…; pass the data of the study", d.Name, digest, f.DataName, f.DataDigest)
	}
	if f.GroupsDigest != "" && groupsDigest(d) != f.GroupsDigest {
		return nil, fmt.Errorf("the groups of %s (Dataset.Group) differ from the groups in the study file, and so "+
			"would the folds; use the dataset for which the study was made", d.Name)
	}
	s, err := registry.Unmarshal[compare.Study](f.Study)
	if err != nil {
		return nil, err
	}
	s.Data = d
	return &s, nil
}
