package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

const fileFormat = "mkl-study/1"

// header is the first line of a file. All lines are JSON. The second is the list of the numbers of splits of the
// studies. A line follows for each study, a compare.Study without splits but with its data, as registry.Marshal writes
// it; and then a line for each split of the first study, of the second, and so on, a fit.Split. So a shard decodes only
// its own splits.
type header struct {
	Format string `json:"format"`
	SHA256 string `json:"sha256"` // of the lines that follow
}

// shard is the part of a study that a shard computes: the study with some of its splits, and their SplitNumbers.
type shard struct {
	*compare.Study
	splitCount int // of the whole study
}

// withSplits returns s with only the splits that have these indices.
func (s shard) withSplits(indices []int) shard {
	part := *s.Study
	part.Splits, part.SplitNumbers = points.Pick(s.Splits, indices), points.Pick(s.SplitNumbers, indices)
	return shard{&part, s.splitCount}
}

func init() { registry.Register(compare.Study{}) }

// Save writes studies to a file, with the numbers of their data. So the file alone is enough to run them anywhere:
// whoever may not see the data must not get the file. It needs 7 to 20 bytes for each number, and 0.7 µs to read one.
// It contains neither Workers nor StoreFolder, which belong to a machine. The types of families, losses, sets and so on
// must be registered (package registry). If there are several studies, their data need different names.
func Save(path string, studies ...*compare.Study) error {
	content, err := encode(studies)
	if err == nil {
		err = store.WriteFile(path, content, 0o644)
	}
	if err != nil {
		return fmt.Errorf("study: save: %w", err)
	}
	return nil
}

// encode returns the content of the file of studies.
func encode(studies []*compare.Study) ([]byte, error) {
	if err := validate(studies); err != nil {
		return nil, err
	}
	counts := make([]int, len(studies))
	values := []any{counts}
	for i, s := range studies {
		q := *s
		q.Workers, q.StoreFolder, q.Splits = 0, "", nil
		study, err := registry.Marshal(q)
		if err != nil {
			return nil, err
		}
		counts[i], values = len(s.Splits), append(values, json.RawMessage(study))
	}
	for _, s := range studies {
		for _, split := range s.Splits {
			values = append(values, split)
		}
	}
	var rest bytes.Buffer
	lines := json.NewEncoder(&rest)
	for _, v := range values {
		if err := lines.Encode(v); err != nil {
			return nil, err
		}
	}
	first, err := json.Marshal(header{fileFormat, digest(rest.Bytes())})
	return slices.Concat(first, []byte("\n"), rest.Bytes()), err
}

func digest(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// validate returns an error if there are no studies, if two have data of one name, or if a study cannot run.
func validate(studies []*compare.Study) error {
	if len(studies) == 0 {
		return errors.New("there is no study")
	}
	indices := map[string]int{}
	for i, s := range studies {
		switch {
		case s == nil || s.Data == nil:
			return fmt.Errorf("study %d is nil or has no data; set Study.Data", i+1)
		case len(s.Splits) == 0:
			return fmt.Errorf("the study of %s has no splits; set Study.Splits", s.Data.Name)
		}
		if k, ok := indices[s.Data.Name]; ok {
			return fmt.Errorf("the data of the studies %d and %d have the same name %q; set Dataset.Name", k+1, i+1,
				s.Data.Name)
		}
		indices[s.Data.Name] = i
		q := *s
		q.StoreFolder = ""
		if _, err := q.Session(nil); err != nil { // it validates the data, the methods and the splits
			return fmt.Errorf("%s: %w", s.Data.Name, err)
		}
	}
	return nil
}

// Open reads the studies that Save wrote to the file at path. It returns an error if a study contains a type of a
// package that this program does not link.
func Open(path string) (studies []*compare.Study, err error) {
	shards, err := openShard(path, 0, 1)
	for _, s := range shards {
		s.SplitNumbers = nil
		studies = append(studies, s.Study)
	}
	return studies, err
}

// openShard reads the studies at path, with every shardCount-th of all their splits, from shardIndex. It omits studies
// without such splits.
func openShard(path string, shardIndex, shardCount int) ([]shard, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	shards, err := decode(b, shardIndex, shardCount)
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", path, err)
	}
	return shards, nil
}

// decode is openShard for the content b of a file.
func decode(b []byte, shardIndex, shardCount int) (shards []shard, err error) {
	var h header
	first, rest, _ := bytes.Cut(b, []byte("\n"))
	if err := json.Unmarshal(first, &h); err != nil {
		return nil, fmt.Errorf("not a study file: %w", err)
	}
	switch {
	case h.Format != fileFormat:
		return nil, fmt.Errorf("the format of the study file is %q, but this program reads %q; save the "+
			"study again with this version of the program", h.Format, fileFormat)
	case h.SHA256 != digest(rest):
		return nil, errors.New("the file is damaged or was changed: the SHA-256 of its content differs; copy or save " +
			"it again")
	}
	var counts []int
	lines, splitCount := bytes.Split(rest, []byte("\n")), 0
	err = json.Unmarshal(lines[0], &counts)
	for _, n := range counts {
		splitCount += n
	}
	if err != nil || len(lines) != 1+len(counts)+splitCount+1 { // the last line is empty
		return nil, fmt.Errorf("the number of lines is wrong: %d; save the study again", len(lines))
	}
	studies, splits := lines[1:1+len(counts)], lines[1+len(counts):]
	next := shardIndex // of splits
	for i, n := range counts {
		s, err := registry.Unmarshal[compare.Study](studies[i])
		if err != nil {
			return nil, err
		}
		part := shard{Study: &s, splitCount: n}
		for ; next < n; next += shardCount {
			var split fit.Split
			if err := json.Unmarshal(splits[next], &split); err != nil {
				return nil, fmt.Errorf("%s, split %d: %w", s.Data.Name, next+1, err)
			}
			s.Splits, s.SplitNumbers = append(s.Splits, split), append(s.SplitNumbers, next+1)
		}
		if splits, next = splits[n:], next-n; len(s.Splits) > 0 {
			shards = append(shards, part)
		}
	}
	return shards, nil
}
