package nkrr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept/kepttest"
)

// TestKept makes the results of Figures 2 and 3 and of Table 1 again and compares them with those kept.
func TestKept(t *testing.T) {
	kepttest.Full(t)
	load := func(t *testing.T, name string) *data.Dataset {
		d, err := data.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for name, again := range map[string]func(t *testing.T) (any, error){
		"table1": func(t *testing.T) (any, error) {
			var all []Block
			for seed := uint64(1); seed <= 5; seed++ {
				for _, name := range Sets {
					for _, r := range Readings() {
						s, err := Table1(load(t, name), r, Full, seed)
						if err != nil {
							return nil, err
						}
						table, err := s.Run(t.Context(), nil)
						if err != nil {
							return nil, err
						}
						all = append(all, Summarise(table, r))
					}
				}
			}
			return all, nil
		},
		"figure2": func(t *testing.T) (any, error) {
			var lists []Result
			for _, name := range []string{"kitchen", "electronics"} {
				for _, size := range []Size2{Full2, Centred2} {
					list, err := Figure2(t.Context(), load(t, name), size, 1)
					if err != nil {
						return nil, err
					}
					lists = append(lists, list...)
				}
			}
			return lists, nil
		},
		"figure3": func(t *testing.T) (any, error) {
			a, err := Figure3(t.Context(), load(t, "kin-8nm"), Full3, 1)
			if err != nil {
				return nil, err
			}
			b, err := Figure3(t.Context(), data.SimulatedArm(8192, 1), Full3, 1)
			return append(a, b...), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := again(t)
			if err != nil {
				t.Fatal(err)
			}
			before, err1 := os.ReadFile("results/" + name + ".json")
			kepttest.Write(t, name, made)
			text, err2 := json.Marshal(made)
			var got, want any
			if err := errors.Join(err1, err2, json.Unmarshal(text, &got), json.Unmarshal(before, &want)); err != nil {
				t.Fatal(err)
			}
			same(t, name, got, want)
		})
	}
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
