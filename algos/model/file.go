package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

// Format is what a file says it is. Another number is another form of the whole. Within a number a Model may
// gain fields; those that are zero are not written. A program from before such a field reads the files that do
// not use it, and refuses the others with the name of the unknown field: it never reads part of a model.
const (
	kind    = "mkl-model/"
	version = 2
	Format  = kind + "2"
)

// file is a model as JSON. What registry.Marshal writes for a Model lies behind its checksum, CRC-32
// (IEEE) of its JSON without white space, in hexadecimal: a file may be indented anew, but a digit
// that changed is found. Kept are values of its kernel (Model.kept), which a family known by its name alone must
// give again; a file without any, as earlier ones are, is read as it is.
type file struct {
	Format  string          `json:"format"`
	CRC     string          `json:"crc32"`
	Model   json.RawMessage `json:"model"`
	KeptCRC string          `json:"kept_crc32,omitempty"`
	Kept    json.RawMessage `json:"kept,omitempty"`
}

func init() { registry.Register(Model{}) }

// checksum returns the checksum that a file of this model holds, "" of what is no JSON.
func checksum(model []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, model) != nil {
		return ""
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b.Bytes()))
}

// Save writes m to a file, by way of a temporary file beside it that is renamed at the end: a
// reader finds the old file or the new one, whole. See Encode for what it holds.
func (m *Model) Save(path string) error {
	if _, name := filepath.Split(path); name == "" || name == "." || name == ".." {
		return fmt.Errorf("model: save to %q: want the name of a file", path)
	}
	b, err := m.Encode()
	if err != nil {
		return err
	}
	if err := store.WriteFile(path, b, 0o644); err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	return nil
}

// Encode returns what Save writes: m as JSON. The types of family and points must be registered (package registry). A
// few values of the kernel are kept with it, by which Decode sees that the code of a kernel has changed.
func (m *Model) Encode() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	b, err := registry.Marshal(*m)
	if err != nil {
		return nil, fmt.Errorf("model: save: %w", err)
	}
	f := file{Format: Format, CRC: checksum(b), Model: b}
	if _, v, _, err := m.kept(); err == nil {
		if f.Kept, err = json.Marshal(registry.Floats(v)); err != nil {
			return nil, fmt.Errorf("model: save: %w", err)
		}
		f.KeptCRC = checksum(f.Kept)
	}
	b, err = json.MarshalIndent(f, "", " ")
	return append(b, '\n'), err
}

// Load reads a model that Save wrote: see Decode.
func Load(path string) (*Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("model: load: %w", err)
	}
	m, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("model: load %s: %w", filepath.Base(path), err)
	}
	return m, nil
}

// Decode reads what Encode wrote. Every other file is an error that says what it is: not a
// model, cut off, of a later version, with a family this program does not know, with numbers that
// do not fit together, with a kernel that has other values than when it was saved.
func Decode(b []byte) (*Model, error) {
	// the head alone first: a later version may differ in everything else
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		var cut *json.SyntaxError
		if errors.As(err, &cut) && strings.Contains(cut.Error(), "unexpected end") {
			return nil, fmt.Errorf("the file is cut off after %d bytes", len(b))
		}
		return nil, fmt.Errorf("not a model file: %w", err)
	}
	number, ok := strings.CutPrefix(head.Format, kind)
	if !ok {
		return nil, fmt.Errorf("not a model file: format %q, want %q", head.Format, Format)
	}
	v, err := strconv.Atoi(number)
	var m *Model
	switch {
	case err != nil || v < 1:
		err = fmt.Errorf("not a model file: format %q, want %q", head.Format, Format)
	case v == 1:
		m, err = decode1(b)
	case v == version:
		m, err = decode2(b)
	default:
		err = fmt.Errorf("written by a later version of this module: format %q, this one reads up to %q", head.Format,
			Format)
	}
	if err != nil {
		return nil, err
	}
	return m, m.check()
}

func decode2(b []byte) (*Model, error) {
	var f file
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	if f.Model == nil {
		return nil, errors.New("the file has no model in it")
	}
	for _, part := range []struct {
		json json.RawMessage
		crc  string
	}{{f.Model, f.CRC}, {f.Kept, f.KeptCRC}} {
		if part.json == nil && part.crc == "" { // nothing is kept
			continue
		}
		if sum := checksum(part.json); sum != part.crc {
			return nil, fmt.Errorf("the file is damaged: its numbers have the checksum %s, not %s as when they "+
				"were written", sum, part.crc)
		}
	}
	m, err := registry.Unmarshal[Model](f.Model)
	if err != nil || f.Kept == nil {
		return &m, err
	}
	var kept registry.Floats
	if err := json.Unmarshal(f.Kept, &kept); err != nil {
		return nil, fmt.Errorf("kept values of the kernel: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return &m, m.compare(kept)
}

// decode1 reads a file of version 1, which has no checksum and gives types short names.
func decode1(b []byte) (*Model, error) {
	var f struct {
		Name, Note      string
		Classes, Labels []string
		Family, Points  json.RawMessage
		Theta, W        registry.Floats
		Bias, Offset    registry.Floats // one each
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	if len(f.Bias) != 1 || len(f.Offset) != 1 {
		return nil, fmt.Errorf("%d numbers for the bias and %d for the offset, want one each", len(f.Bias),
			len(f.Offset))
	}
	family, err := registry.Unmarshal[kernel.Family](f.Family)
	if err != nil {
		return nil, fmt.Errorf("family: %w", err)
	}
	x, err := registry.Unmarshal[kernel.Points](f.Points)
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	return &Model{Name: f.Name, Note: f.Note, Family: family, X: x, Theta: f.Theta, Labels: f.Labels, W: f.W,
		Bias: f.Bias[0], Offset: f.Offset[0], Classes: f.Classes}, nil
}
