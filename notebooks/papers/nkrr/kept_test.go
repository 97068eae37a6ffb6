package nkrr

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/internal/testenv"
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
	if !testenv.Full() {
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
		return
	}
	kept, err := os.ReadFile("results/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(content, &a), json.Unmarshal(kept, &b)); err != nil {
		t.Fatal(err)
	}
	same(t, name, a, b)
}

// same compares what was read from JSON: numbers to 0.005 of their size, and errors of predictions to 0.005.
func same(t *testing.T, where string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		for k, v := range want {
			got, _ := got.(map[string]any)
			same(t, where+"."+k, got[k], v)
		}
	case []any:
		got, _ := got.([]any)
		if len(got) != len(want) {
			t.Errorf("%s has %d entries, kept are %d", where, len(got), len(want))
			return
		}
		for i, v := range want {
			same(t, fmt.Sprintf("%s[%d]", where, i), got[i], v)
		}
	case float64:
		if v, ok := got.(float64); !ok || math.Abs(v-want) > 0.005*math.Max(1, math.Abs(want)) {
			t.Errorf("%s is %v, kept is %v", where, got, want)
		}
	default:
		if got != want {
			t.Errorf("%s is %v, kept is %v", where, got, want)
		}
	}
}

// TestSame: a difference anywhere is found.
func TestSame(t *testing.T) {
	var a, b any
	if err := errors.Join(json.Unmarshal([]byte(`[{"x": [1, "a"]}]`), &a), json.Unmarshal([]byte(`[{"x": [1.02, "a"]}]`), &b)); err != nil {
		t.Fatal(err)
	}
	same(t, "itself", a, a)
	inner := new(testing.T)
	same(inner, "another", a, b)
	if !inner.Failed() {
		t.Error("1 and 1.02 are the same")
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
		for _, size := range []Size2{Full2, Centred2} {
			list, err := Figure2(t.Context(), d, size, 1)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list...)
		}
	}
	keep(t, "figure2.json", all)
}
