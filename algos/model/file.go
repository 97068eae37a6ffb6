package model

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
)

// Format is what a file says it is. A later version that this one could not read has another
// number.
const (
	kind    = "mkl-model/"
	version = 1
	Format  = kind + "1"
)

// file is a model as JSON. Family and points are as kernel.Marshal writes them; numbers are blocks,
// "f8:" and the base64 of 8 bytes each, little-endian, so that they are read back bit for bit.
type file struct {
	Format  string          `json:"format"`
	Name    string          `json:"name,omitempty"`
	Note    string          `json:"note,omitempty"`
	Classes []string        `json:"classes,omitempty"`
	Labels  []string        `json:"labels,omitempty"`
	Family  json.RawMessage `json:"family"`
	Points  json.RawMessage `json:"points"`
	Theta   numbers         `json:"theta"`
	W       numbers         `json:"w"`
	Bias    numbers         `json:"bias"`   // one
	Offset  numbers         `json:"offset"` // one
}

// numbers is a block.
type numbers []float64

const prefix = "f8:"

// MarshalText writes the block.
func (x numbers) MarshalText() ([]byte, error) {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return append([]byte(prefix), base64.StdEncoding.EncodeToString(b)...), nil
}

// UnmarshalText reads a block.
func (x *numbers) UnmarshalText(s []byte) error {
	text, ok := strings.CutPrefix(string(s), prefix)
	if !ok {
		return fmt.Errorf("a block of numbers that does not begin with %q", prefix)
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return fmt.Errorf("a block of numbers: %w", err)
	}
	if len(b)%8 != 0 {
		return fmt.Errorf("a block of %d bytes, want a multiple of 8", len(b))
	}
	*x = make(numbers, len(b)/8)
	for i := range *x {
		(*x)[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return nil
}

// Save writes m to a file, by way of a temporary file beside it that is renamed at the end: a
// reader finds the old file or the new one, whole.
func (m *Model) Save(path string) error {
	if err := m.check(); err != nil {
		return err
	}
	dir, name := filepath.Split(path)
	if name == "" || name == "." || name == ".." {
		return fmt.Errorf("model: save to %q: want the name of a file", path)
	}
	b, err := m.encode()
	if err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	if dir == "" {
		dir = "."
	}
	t, err := os.CreateTemp(dir, ".mkl-model-*.tmp") // nothing of the model's own name: it may be any text
	if err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	defer os.Remove(t.Name()) // gone already, unless something fails
	_, err = t.Write(b)
	err = errors.Join(err, t.Chmod(0o644), t.Sync(), t.Close())
	if err == nil {
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	return nil
}

func (m *Model) encode() ([]byte, error) {
	family, err := kernel.Marshal(m.Family)
	if err != nil {
		return nil, err
	}
	points, err := kernel.Marshal(m.X)
	if err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(file{Format: Format, Name: m.Name, Note: m.Note, Classes: m.Classes,
		Labels: m.Labels, Family: family, Points: points, Theta: m.Theta, W: m.W,
		Bias: numbers{m.Bias}, Offset: numbers{m.Offset}}, "", " ")
	return append(b, '\n'), err
}

// Load reads a model that Save wrote. Every other file is an error that says what it is: not a
// model, cut off, of a later version, with a family this program does not know, with numbers that
// do not fit together.
func Load(path string) (*Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("model: load: %w", err)
	}
	m, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("model: load %s: %w", filepath.Base(path), err)
	}
	return m, nil
}

func decode(b []byte) (*Model, error) {
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
	if v, err := strconv.Atoi(number); err != nil || v < 1 {
		return nil, fmt.Errorf("not a model file: format %q, want %q", head.Format, Format)
	} else if v > version {
		return nil, fmt.Errorf("written by a later version of this module: format %q, this one reads up to %q", head.Format, Format)
	}
	var f file
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	if len(f.Bias) != 1 || len(f.Offset) != 1 {
		return nil, fmt.Errorf("%d numbers for the bias and %d for the offset, want one each", len(f.Bias), len(f.Offset))
	}
	m := &Model{Name: f.Name, Note: f.Note, Classes: f.Classes, Labels: f.Labels,
		Theta: f.Theta, W: f.W, Bias: f.Bias[0], Offset: f.Offset[0]}
	if err := kernel.Unmarshal(f.Family, &m.Family); err != nil {
		return nil, fmt.Errorf("family: %w", err)
	}
	if err := kernel.Unmarshal(f.Points, &m.X); err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	return m, m.check()
}
