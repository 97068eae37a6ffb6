//go:build unix

package qnpkl

import (
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"

	"gonum.org/v1/gonum/floats/scalar"
)

// TestStored computes the blocks of every experiment and scaling again.
func TestStored(t *testing.T) {
	for _, e := range Experiments {
		for _, scaling := range e.Scalings {
			var cases [][2]string // a set and a method
			for _, name := range e.DatasetNames {
				for _, m := range on(t, e, scaling, name, 1).Methods {
					cases = append(cases, [2]string{name, m.Name})
				}
			}
			sharedtest.RegenerateResults(t, scaling.fileName(e.Name), 10, cases,
				func(c [2]string, seed uint64) (b Block, err error) {
					s, relevantCount, err := e.NewStudy(scaling, c[0], seed)
					if err != nil {
						return b, err
					}
					s.Methods = selectMethods(s.Methods, c[1])
					before := processor(t)
					resultBlocks, err := e.RunStudy(scaling, s, relevantCount)
					if err != nil {
						return b, err
					}
					resultBlocks[0].CPU = scalar.Round((processor(t)-before)/float64(len(s.Splits)), 4)
					return resultBlocks[0], nil
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

// on returns the study of one scaling, set and seed at full size.
func on(t *testing.T, e Experiment, scaling Scaling, name string, seed uint64) *compare.Study {
	t.Helper()
	s, _, err := e.NewStudy(scaling, name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStoredIsComplete checks that one block is stored for each experiment, scaling, seed, set and method. Of MKL and
// GMKL, which are solved to a small gap, the first seeds are stored, as many on each set, or none.
func TestStoredIsComplete(t *testing.T) {
	for _, e := range Experiments {
		for _, scaling := range e.Scalings {
			resultBlocks, count := scaling.Stored(e.Name), 0
			if len(shared.DistinctSeeds(resultBlocks)) != 10 {
				t.Errorf("%s, %s: the seeds %v are stored", e.Name, scaling.Name, shared.DistinctSeeds(resultBlocks))
			}
			for _, m := range on(t, e, scaling, e.DatasetNames[0], 1).Methods {
				isSlow := e.Name != "speed" && (strings.HasPrefix(m.Name, MKL) || m.Name == GMKL)
				seeds := 0
				for seed := range uint64(10) {
					found := 0
					for _, name := range e.DatasetNames {
						b := Find(shared.SelectSeed(resultBlocks, seed+1), name, m.Name)
						if n := len(b.Accuracy); n == e.Size.Splits {
							found++
						} else if n > 0 {
							t.Errorf("%s, %s, %s, %s: %d splits are stored", e.Name, scaling.Name, name, m.Name, n)
						}
					}
					if found == len(e.DatasetNames) && seeds == int(seed) {
						seeds++
					}
					count += found
				}
				if seeds != 10 && !isSlow {
					t.Errorf("%s, %s, %s: %d seeds are stored", e.Name, scaling.Name, m.Name, seeds)
				}
				count -= seeds * len(e.DatasetNames)
			}
			if count != 0 {
				t.Errorf("%s, %s: %d blocks of incomplete seeds are stored", e.Name, scaling.Name, count)
			}
		}
	}
}

// TestRecompute computes one split of a stored result of each experiment and scaling again, and compares accuracy
// and R.
func TestRecompute(t *testing.T) {
	for i, c := range []struct{ name, method string }{{"sonar", AsPrinted},
		{"ionosphere", methodNameAtC(ToTheEnd, 0.1)}, {"sonar", fmt.Sprintf(nameOfSteps, 4)},
		{"liver-bupa", UniformProduct}, {"ionosphere", AsPrinted}} {
		e := Experiments[i]
		for _, scaling := range e.Scalings {
			made, was, err := scaling.Recompute(e.Name, c.name, c.method, 10, 1)
			if err != nil {
				t.Fatal(err)
			}
			near := func(what string, got, want []float64, tol float64) {
				if len(got) > 0 && math.Abs(got[0]-want[0]) > tol {
					t.Errorf("%s, %s, %s, %s, first split: %s %.4g, stored %.4g", e.Name, scaling.Name, c.name,
						c.method, what, got[0], want[0])
				}
			}
			near("accuracy", made.Accuracy, was.Accuracy, 0.01)
			near("training accuracy", made.TrainAccuracy, was.TrainAccuracy, 0.01)
			near("R", made.Ratio, was.Ratio, 0.1)
		}
	}
}
