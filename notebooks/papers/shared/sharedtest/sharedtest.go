// Package sharedtest tests what the notebooks state about stored results: it checks that a sentence stands in the
// notebook and holds for the results of every seed, and it computes the results again. The tests of the packages of the
// papers call it.
//
//	NewSentence, CheckSentences   a sentence with a function that decides whether it is true; checks all of them
//	RegenerateResults             computes the results of an experiment, and writes them to the folder results
//
// To compute results again, which takes minutes to days:
//
//	MKL_SIZE=full go test ./notebooks/papers/NAME -run TestStored/EXPERIMENT -regen -timeout 9h
//
// External datasets must be in the cache folder (datasets.Import); MKL_DATA lists the folders of fourclass.csv and
// aural-sonar.csv.
package sharedtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

var regen = flag.Bool("regen", false, "compute the stored results again and overwrite them")

// RegenerateResults computes the results of an experiment again: one for each seed from 1 to seedCount and each case,
// such as each dataset. It writes them to results/NAME.json, one per line. It skips the experiment unless MKL_SIZE is
// full and -regen is set.
func RegenerateResults[C, R any](t *testing.T, name string, seedCount uint64, cases []C,
	compute func(c C, seed uint64) (R, error)) {
	t.Run(name, func(t *testing.T) {
		if !testenv.RunsAllTests() || !*regen {
			t.Skip("MKL_SIZE is not full, or -regen is not set")
		}
		var results []R
		for seed := uint64(1); seed <= seedCount; seed++ {
			for _, c := range cases {
				r, err := compute(c, seed)
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, r)
			}
		}
		content, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.ReplaceAll(content, []byte(`{"Data"`), []byte("\n{\"Data\""))
		if err := os.WriteFile(filepath.Join("results", name+".json"), append(content, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

// inDraws matches the part of a sentence that states for how many seeds it holds.
var inDraws = regexp.MustCompile(`in (\d+) of (\d+) draws`)

// Sentence is a sentence in a notebook about the stored results of an experiment.
type Sentence[R shared.Result] struct {
	Experiment string
	Text       string // the sentence exactly as in the notebook
	// Holds reports whether the sentence is true for the results of one seed, and returns the numbers that decide this.
	Holds func(results []R) (holds bool, decisiveNumbers string)
}

// NewSentence returns a sentence of a notebook with a function that decides from stored results whether it is true.
func NewSentence[R shared.Result](experiment, text string, holds func(results []R) (bool, string)) Sentence[R] {
	return Sentence[R]{Experiment: experiment, Text: text, Holds: holds}
}

// CheckSentences checks sentences about stored results. The notebook, a file name in the folder notebooks, must contain
// each sentence word for word, and results of at least minSeeds seeds must be stored. The sentence must hold for each
// of these seeds; a sentence with "in 9 of 10 draws" must hold for exactly 9 of exactly 10 seeds. Sentence.Holds must
// return false for an empty list of results. stored returns the results of an experiment.
func CheckSentences[R shared.Result](t *testing.T, notebook string, sentences []Sentence[R], minSeeds int,
	stored func(experiment string) []R) {
	t.Helper()
	cells := markdownCells(t, filepath.Join("..", "..", notebook))
	for _, s := range sentences {
		t.Log(s.Text)
		results := stored(s.Experiment)
		seeds := shared.DistinctSeeds(results)
		if len(seeds) < minSeeds {
			t.Errorf("%s: stored seeds are %v, expected at least %d seeds", s.Experiment, seeds, minSeeds)
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return strings.Contains(cell, s.Text) }) {
			t.Errorf("the notebook %s does not contain the sentence: %s", notebook, s.Text)
		}
		holdCount, expectedCount := 0, len(seeds)
		if m := inDraws.FindStringSubmatch(s.Text); m != nil {
			expectedCount, _ = strconv.Atoi(m[1])
			if m[2] != strconv.Itoa(len(seeds)) {
				t.Errorf("%s: results of %d seeds are stored, but the sentence names another number: %s",
					s.Experiment, len(seeds), s.Text)
			}
		}
		for _, seed := range seeds {
			holds, decisiveNumbers := s.Holds(shared.SelectSeed(results, seed))
			t.Logf("    seed %d: the sentence holds: %v (%s)", seed, holds, decisiveNumbers)
			if holds {
				holdCount++
			}
		}
		if holdCount != expectedCount {
			t.Errorf("the sentence holds for %d of %d seeds, expected %d: %s", holdCount, len(seeds), expectedCount,
				s.Text)
		}
		if holds, _ := s.Holds(nil); holds {
			t.Errorf("the sentence holds without results: %s", s.Text)
		}
	}
}

// markdownCells returns the Markdown cells of a notebook, with every run of white space replaced by one space.
func markdownCells(t *testing.T, path string) (cells []string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			CellType string   `json:"cell_type"`
			Source   []string `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(content, &notebook); err != nil {
		t.Fatal(err)
	}
	for _, c := range notebook.Cells {
		if c.CellType == "markdown" {
			cells = append(cells, strings.Join(strings.Fields(strings.Join(c.Source, "")), " "))
		}
	}
	return cells
}
