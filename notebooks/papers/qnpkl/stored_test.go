//go:build unix

package qnpkl

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/mkl"
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
				b := Find(Pooled(resultBlocks), e.DatasetNames[0], m.Name)
				if n := len(b.HasEnded); e.Name == "table1" && m.Name == ToTheEnd && n != len(b.Accuracy) {
					t.Errorf("%s: for %d splits it is stored whether the run has ended", scaling.Name, n)
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
// and R. The penalties of GMKL differ on sonar and pima, so both are computed.
func TestRecompute(t *testing.T) {
	for _, c := range []struct {
		experiment   int
		name, method string
	}{{0, "sonar", AsPrinted}, {0, "sonar", GMKL}, {0, "pima", GMKL}, {1, "ionosphere", methodNameAtC(ToTheEnd, 0.1)},
		{2, "sonar", fmt.Sprintf(nameOfSteps, 4)}, {3, "liver-bupa", UniformProduct},
		{4, "sonar", methodNameAtC(ToTheEnd, 0.2)}, {5, "ionosphere", AsPrinted}} {
		e := Experiments[c.experiment]
		for _, scaling := range e.Scalings {
			if c.method == GMKL && scaling.Name != Standardized.Name { // not stored
				continue
			}
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

// TestEachSolveStartsAgain checks that no method with learned widths is one fit.Search over C: each of its solves would
// start from the γ of the C before, which the penalty of GMKL sets to 0 for a small C. From γ ≈ 0 the solver does not
// leave: the first-order residual is relative to γ. From γ = 1/M it finds a much smaller J.
func TestEachSolveStartsAgain(t *testing.T) {
	d, err := Load("sonar")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Table1Methods(Standardized, d, Experiments[0].Size) {
		if s, isSearch := m.Fitter.(fit.Search); isSearch && s.Solver != nil && m.Name != MKL {
			t.Errorf("%s is one search over C", m.Name)
		}
	}
	p := Standardized.Problem(d, 10)
	p.Reg = newGMKLPenalty(Standardized, d, 1)
	fromEqual, err := Solve(p, mkl.LBFGS{}, tightGap, 1000)
	if err != nil {
		t.Fatal(err)
	}
	fromZero, err := mkl.Solve(background, p, mkl.LBFGS{}, &mkl.Settings{Gap: tightGap, Iterations: 1000,
		Start: &mkl.Result{Theta: slices.Repeat([]float64{1e-11}, d.Dim())}})
	if err != nil {
		t.Fatal(err)
	}
	if !(fromEqual.F < fromZero.F/10) {
		t.Errorf("F is %g from γ = 1/M and %g from γ ≈ 0; expected a much smaller F from 1/M", fromEqual.F, fromZero.F)
	}
}
