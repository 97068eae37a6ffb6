package qnpkl

import (
	"context"
	"embed"
	"encoding/hex"
	"fmt"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/sha256"
	"github.com/mklnb/mkl/notebooks/papers/kept"
)

var background = context.Background()

// Size is how much of an experiment is run: splits, folds inside each training part and the C to choose from.
type Size struct {
	Splits, Folds int
	C             []float64
}

// Experiment is one whose results at full size are kept, in results/NAME.json.
type Experiment struct {
	Name  string
	Sets  []string // embedded sets
	Size  Size
	Study func(*data.Dataset, Size, uint64) (*study.Study, error)
	Noise bool // features beyond those of the set are noise, so that R can be told
}

// Experiments are all whose results are kept.
var Experiments = []Experiment{
	{"table1", sets1, Size{20, 2, []float64{1, 10, 100}}, Table1, false},
	{"speed", []string{"sonar", "ionosphere"}, Size{1, 0, []float64{10}}, Speed, false},
	{"noise", []string{"sonar", "ionosphere"}, Size{10, 2, []float64{1, 10}}, Noise, true},
	{"simplemkl", setsSimple, Size{Splits: 20}, SimpleMKL, false},
	{"baselines", Sets8, Size{20, 2, []float64{0.1, 1, 10, 100}}, Baselines, false},
}

// On is the study of one set and seed at full size, and how many features are not noise, 0 for all.
func (e Experiment) On(name string, seed uint64) (s *study.Study, relevant int, err error) {
	d, err := Load(name)
	if err != nil {
		return nil, 0, err
	}
	if e.Noise {
		relevant = d.Dim()
	}
	s, err = e.Study(d, e.Size, seed)
	return s, relevant, err
}

func newStudy(d *data.Dataset, methods []study.Method, size Size, seed uint64) (*study.Study, error) {
	splits, err := Halves(d, size.Splits, seed)
	if err != nil {
		return nil, err
	}
	return &study.Study{Data: d, Methods: methods, Splits: splits, Seed: seed,
		Selection: study.Selection{Folds: size.Folds, By: study.ErrorRate}}, nil
}

// Protocol is a hash of all that the accuracies of method i of s are a function of, the code apart: the numbers of
// the dataset, family, solver, its bounds, grid, splits and seed, and how constants are chosen.
func Protocol(s *study.Study, i int) (string, error) {
	m := s.Methods[i]
	parts := []any{s.Data.Digest(), m.Family, m.Solver, m.Gap, m.Iterations, s.Selection.Folds,
		string(s.Selection.By), fmt.Sprint(s.Seed)}
	for _, axis := range m.Grid {
		parts = append(parts, axis)
	}
	for _, p := range s.Splits {
		parts = append(parts, p.Train, p.Test)
	}
	b, err := registry.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("qnpkl: protocol of %s: %w", m.Name, err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// Results at full size that take long, made by TestKept of this package: accuracies and times, no data.
//
//go:embed results
var results embed.FS

// Kept are the results of the experiment of this name: a block for each method, set and seed.
func Kept(name string) []Block {
	return kept.One[[]Block](results, "results/"+name+".json")
}
