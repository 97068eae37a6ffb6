package qnpkl

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
)

// TestKept makes the kept results again with MKL_SIZE=full, of the experiments and seeds that
// MKL_KEEP names ("table1 1 2", "baselines 1"), adding to what is there.
func TestKept(t *testing.T) {
	words := strings.Fields(os.Getenv("MKL_KEEP"))
	if os.Getenv("MKL_SIZE") != "full" || len(words) < 2 {
		t.Skip("MKL_SIZE=full MKL_KEEP=\"table1 1 2\" makes kept results")
	}
	name := words[0]
	make := map[string]func(*data.Dataset, Size, uint64) (*study.Study, error){"table1": Table1, "noise": Noise, "baselines": Baselines}[name]
	size := map[string]Size{"table1": {20, 2, []float64{1, 10, 100}}, "noise": {10, 2, []float64{1, 10}}, "baselines": {20, 2, []float64{0.1, 1, 10, 100}}}[name]
	sets := []string{"sonar", "ionosphere", "pima"}
	if name == "baselines" {
		sets = Sets8
	}
	file := "results/" + name + ".json"
	var blocks []Block
	if content, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(content, &blocks); err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range words[1:] {
		seed, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range sets {
			if _, ok := Of(OfSeed(blocks, seed), set, Bounded); ok {
				continue
			}
			d, err := Load(set)
			if err != nil {
				t.Fatal(err)
			}
			s, err := make(d, size, seed)
			if err != nil {
				t.Fatal(err)
			}
			table, err := s.Run(background, nil)
			if err != nil {
				t.Fatal(err)
			}
			relevant := 0
			if name == "noise" {
				relevant = d.Dim()
			}
			blocks = append(blocks, Summarise(table, relevant)...)
			content, err := json.MarshalIndent(rounded(blocks), "", " ")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, append(content, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
			fmt.Printf("%s seed %d %s: %.0f s\n%v\n", name, seed, set, table.Seconds, table)
		}
	}
}

// rounded keeps four digits of numbers that are shown with one.
func rounded(blocks []Block) []Block {
	for _, b := range blocks {
		for _, x := range [][]float64{b.Correct, b.Seconds, b.Ratio} {
			for i, v := range x {
				x[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
			}
		}
	}
	return blocks
}
