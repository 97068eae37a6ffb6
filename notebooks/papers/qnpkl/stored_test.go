//go:build unix

package qnpkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

// TestStored computes the blocks of an experiment and seed again (-run 'TestStored/table1_1$' -regen).
func TestStored(t *testing.T) {
	sharedtest.RequireRegen(t)
	for _, e := range Experiments {
		for seed := uint64(1); seed <= 10; seed++ {
			t.Run(fmt.Sprint(e.Name, " ", seed), func(t *testing.T) {
				blocks := slices.DeleteFunc(Stored(e.Name), func(b Block) bool { return b.Seed == seed })
				for _, name := range e.Sets {
					for i := range on(t, e, name, seed).Methods {
						s, relevant, err := e.Study(name, seed)
						if err != nil {
							t.Fatal(err)
						}
						s.Methods = s.Methods[i : i+1]
						before := processor(t)
						made, err := Run(s, relevant)
						if err != nil {
							t.Fatal(err)
						}
						made[0].CPU = (processor(t) - before) / float64(len(s.Splits))
						blocks = append(blocks, made...)
					}
				}
				slices.SortStableFunc(blocks, func(a, b Block) int { return cmp.Compare(a.Seed, b.Seed) })
				sharedtest.Write(t, e.Name, rounded(blocks))
			})
		}
	}
}

// processor returns the processor time of this process in seconds.
func processor(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// on returns the study of one set and seed at full size.
func on(t *testing.T, e Experiment, name string, seed uint64) *compare.Study {
	t.Helper()
	s, _, err := e.Study(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rounded rounds the numbers of blocks to four digits in place.
func rounded(blocks []Block) []Block {
	for k, b := range blocks {
		blocks[k].CPU = digits(b.CPU)
		for _, x := range [][]float64{b.Correct, b.Gap, b.Ratio} {
			for i, v := range x {
				x[i] = digits(v)
			}
		}
	}
	return blocks
}

func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return v
}

// TestStoredIsComplete checks that exactly one block is stored for each experiment, seed, set and method.
func TestStoredIsComplete(t *testing.T) {
	for _, e := range Experiments {
		blocks, expected := Stored(e.Name), 0
		for seed := uint64(1); seed <= 10; seed++ {
			for _, name := range e.Sets {
				for _, m := range on(t, e, name, seed).Methods {
					if expected++; Find(shared.OfSeed(blocks, seed), name, m.Name).Method != m.Name {
						t.Errorf("%s, %s, seed %d: nothing is stored for %s", e.Name, name, seed, m.Name)
					}
				}
			}
		}
		if len(blocks) != expected {
			t.Errorf("%s: %d blocks are stored, expected %d", e.Name, len(blocks), expected)
		}
	}
}

// TestRecompute computes one split of a stored result of each experiment again, and compares accuracy, number of
// weights and R.
func TestRecompute(t *testing.T) {
	for i, c := range []struct{ name, method string }{{"sonar", Printed}, {"liver-bupa", Plain},
		{"sonar", fmt.Sprintf(nameOfSteps, 4)}, {"ionosphere", methodAtC(Bounded, 0.1)}, {"ionosphere", Printed}} {
		e := Experiments[i]
		made, was, err := Recompute(e.Name, c.name, c.method, 10)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want []float64, tol float64) {
			if len(got) > 0 && math.Abs(got[0]-want[0]) > tol {
				t.Errorf("%s, %s, %s, first split: %s %.4g, stored %.4g", e.Name, c.name, c.method, what,
					got[0], want[0])
			}
		}
		near("accuracy", made.Correct, was.Correct, 0.01)
		near("weights", made.Kernels, was.Kernels, 1)
		near("R", made.Ratio, was.Ratio, 0.1)
	}
}
