package nkrr

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/data"
)

// Results at full size are computed by
//
//	MKL_SIZE=full go test ./notebooks/papers/nkrr -run TestKept -regen -timeout 3h
//
// with MKL_DATA naming the folder of the files that are not embedded. Without -regen the results are
// computed and compared with those kept.
var regen = flag.Bool("regen", false, "write the results kept in results/")

// full skips the test where not the full size is asked for.
func full(t *testing.T) {
	t.Helper()
	if os.Getenv("MKL_SIZE") != "full" {
		t.Skip("MKL_SIZE is not full")
	}
}

// keep writes results, or compares them with those kept.
func keep(t *testing.T, name string, got any) {
	t.Helper()
	content, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	content = bytes.ReplaceAll(content, []byte(`{"Data"`), []byte("\n{\"Data\""))
	if *regen {
		if err := os.WriteFile("results/"+name, append(content, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKeptTable1 computes Table 1 for seeds 1 to 5.
func TestKeptTable1(t *testing.T) {
	full(t)
	var all []Block
	for seed := uint64(1); seed <= 5; seed++ {
		for _, name := range Sets {
			d, err := data.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range Readings() {
				s, err := Table1(d, r, Full, seed)
				if err != nil {
					t.Fatal(err)
				}
				table, err := s.Run(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, Summarise(table, r))
			}
		}
	}
	keep(t, "table1.json", all)
}

// TestKeptFigure3 computes Figure 3 on the reader's file and on the simulated arm.
func TestKeptFigure3(t *testing.T) {
	full(t)
	kin, err := data.Load("kin-8nm")
	if err != nil {
		t.Fatal(err)
	}
	var all []Result
	for _, d := range []*data.Dataset{kin, data.SimulatedArm(8192, 1)} {
		list, err := Figure3(t.Context(), d, Full3, 1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	keep(t, "figure3.json", all)
}

// TestKeptFigure2 computes Figure 2 on the reader's files.
func TestKeptFigure2(t *testing.T) {
	full(t)
	sets, err := Reviews()
	if err != nil {
		t.Fatal(err)
	}
	if len(sets) != 2 {
		t.Fatal("kitchen and electronics are not on this machine")
	}
	var all []Result
	for _, d := range sets {
		for _, size := range []Size2{Kept2, Centred2} {
			list, err := Figure2(t.Context(), d, size, 1)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list...)
		}
	}
	keep(t, "figure2.json", all)
}
