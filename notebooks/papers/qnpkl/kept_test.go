package qnpkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/notebooks/papers/kept/kepttest"
)

// TestKept makes the kept results of an experiment and seed again (-run 'TestKept/table1_1' -regen): blocks that are
// there with the protocol of today stay.
func TestKept(t *testing.T) {
	kepttest.Regen(t)
	for _, e := range Experiments {
		blocks := Kept(e.Name)
		for seed := uint64(1); seed <= 10; seed++ {
			t.Run(fmt.Sprint(e.Name, " ", seed), func(t *testing.T) {
				first := on(t, e, e.Sets[0], seed)
				for i, m := range first.Methods { // the last ones take longest
					for _, name := range e.Sets {
						s, relevant, err := e.On(name, seed)
						if err != nil {
							t.Fatal(err)
						}
						s.Methods = s.Methods[i : i+1]
						protocol, err := Protocol(s, 0)
						if err != nil {
							t.Fatal(err)
						}
						same := func(b Block) bool { return b.Data == name && b.Method == m.Name && b.Seed == seed }
						if slices.ContainsFunc(blocks,
							func(b Block) bool { return same(b) && b.Protocol == protocol }) {
							continue
						}
						before := processor(t)
						made, err := Run(s, relevant)
						if err != nil {
							t.Fatal(err)
						}
						made[0].CPU = (processor(t) - before) / float64(len(s.Splits))
						blocks = append(slices.DeleteFunc(blocks, same), made...)
						e.sorted(t, blocks)
						kepttest.Write(t, e.Name, rounded(blocks))
						mean, sd := made[0].Mean()
						t.Logf("%s, %s: %.1f ± %.1f, %.2f s of processor time a split", name, m.Name, mean, sd,
							made[0].CPU)
					}
				}
			})
		}
	}
}

// on is the study of one set and seed at full size.
func on(t *testing.T, e Experiment, name string, seed uint64) *study.Study {
	t.Helper()
	s, _, err := e.On(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sorted puts blocks in the order of seeds, sets and methods of the experiment.
func (e Experiment) sorted(t *testing.T, blocks []Block) {
	at := map[string]int{}
	for i, m := range on(t, e, e.Sets[0], 1).Methods {
		at[m.Name] = i
	}
	slices.SortStableFunc(blocks, func(a, b Block) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), slices.Index(e.Sets, a.Data)-slices.Index(e.Sets, b.Data),
			at[a.Method]-at[b.Method])
	})
}

// rounded keeps four digits.
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

// TestProtocol: every kept block is of the protocol of today, every method of it is kept for every set and seed, and
// the protocol is another one where anything that it hashes is.
func TestProtocol(t *testing.T) {
	for _, e := range Experiments {
		blocks := Kept(e.Name)
		if len(kept.Seeds(blocks)) == 0 {
			t.Errorf("%s: nothing is kept", e.Name)
		}
		count := 0
		for _, seed := range kept.Seeds(blocks) {
			for _, name := range e.Sets {
				s := on(t, e, name, seed)
				for i, m := range s.Methods {
					b := Of(kept.OfSeed(blocks, seed), name, m.Name)
					if p, err := Protocol(s, i); err != nil || p != b.Protocol {
						t.Errorf("%s, %s, seed %d, %s: protocol %q, kept is %q (%v): TestKept makes it again", e.Name,
							name, seed, m.Name, p, b.Protocol, err)
					}
					count++
				}
			}
		}
		if count != len(blocks) {
			t.Errorf("%s: %d blocks are kept, expected %d", e.Name, len(blocks), count)
		}
	}

	s := on(t, Experiments[0], "sonar", 1)
	was, err := Protocol(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	m := s.Methods[2]
	for what, change := range map[string]func(s *study.Study){
		"gap":     func(s *study.Study) { s.Methods[2].Gap *= 2 },
		"steps":   func(s *study.Study) { s.Methods[2].Iterations++ },
		"solver":  func(s *study.Study) { s.Methods[2].Solver = s.Methods[4].Solver },
		"family":  func(s *study.Study) { s.Methods[2].Family = s.Methods[1].Family },
		"grid":    func(s *study.Study) { s.Methods[2].Grid = m.Grid[:1] },
		"folds":   func(s *study.Study) { s.Selection.Folds++ },
		"metric":  func(s *study.Study) { s.Selection.By = study.RMSE },
		"seed":    func(s *study.Study) { s.Seed++ },
		"splits":  func(s *study.Study) { s.Splits = s.Splits[1:] },
		"dataset": func(s *study.Study) { s.Data, _ = Noisy(s.Data, 1, 1) },
	} {
		c := *s
		c.Methods = slices.Clone(s.Methods)
		change(&c)
		if p, err := Protocol(&c, 2); err != nil || p == was {
			t.Errorf("another %s: protocol %q as before (%v)", what, p, err)
		}
	}
}

// TestRecompute makes one split of a drawn entry of each kept table again: accuracy, number of weights and R are those
// kept.
func TestRecompute(t *testing.T) {
	for i, c := range []struct{ name, method string }{{"sonar", Printed}, {"liver-bupa", Plain},
		{"sonar", fmt.Sprintf(steps, 4)}, {"ionosphere", at(Bounded, 0.1)}, {"ionosphere", Printed}} {
		e := Experiments[i]
		made, was, err := Again(e.Name, c.name, c.method, 10)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want []float64, tol float64) {
			if len(got) > 0 && math.Abs(got[0]-want[0]) > tol {
				t.Errorf("%s, %s, %s, first split: %s %.4g, kept is %.4g", e.Name, c.name, c.method, what,
					got[0], want[0])
			}
		}
		near("accuracy", made.Correct, was.Correct, 0.01)
		near("weights", made.Kernels, was.Kernels, 1)
		near("R", made.Ratio, was.Ratio, 0.1)
	}
}
