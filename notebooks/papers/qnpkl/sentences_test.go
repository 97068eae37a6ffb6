package qnpkl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"

	"gonum.org/v1/gonum/stat"
)

var sentence = sharedtest.NewSentence[Block]

// decision decides whether a sentence holds for the blocks of one seed.
type decision = func(resultBlocks []Block) (holds bool, numbers string)

// onEach returns a function that applies holds to a number of each of some sets.
func onEach(sets []string, holds func(v float64) bool, number func(b []Block, set string) float64) decision {
	return func(resultBlocks []Block) (bool, string) {
		all, numbers := true, []string{}
		for _, s := range sets {
			v := number(resultBlocks, s)
			all, numbers = all && holds(v), append(numbers, fmt.Sprintf("%s %.3g", s, v))
		}
		return all, strings.Join(numbers, ", ")
	}
}

// ratio returns a function that computes R of a method at a C.
func ratio(method string, c float64) func(resultBlocks []Block, set string) float64 {
	return func(resultBlocks []Block, set string) float64 {
		return stat.Mean(Find(resultBlocks, set, methodNameAtC(method, c)).Ratio, nil)
	}
}

// speed returns a function that computes the time of SimpleMKL divided by the time of a method.
func speed(method string) func(resultBlocks []Block, set string) float64 {
	return func(resultBlocks []Block, set string) float64 {
		return Find(resultBlocks, set, SimpleMKL).CPU / Find(resultBlocks, set, method).CPU
	}
}

// sentences returns the sentences of the notebook about stored results.
func sentences() []sharedtest.Sentence[Block] {
	below := func(most float64) func(float64) bool { return func(v float64) bool { return v < most } }
	above := func(least float64) func(float64) bool { return func(v float64) bool { return v > least } }
	ionosphere, pima := Sets3[1:2], Sets3[2:]
	return []sharedtest.Sentence[Block]{
		sentence("speed", "*As printed*, QN-PKL is more than five times as fast as SimpleMKL on sonar and ionosphere "+
			"in 10 of 10 draws.", onEach(Sets3[:2], above(5), speed(AsPrinted))),
		sentence("speed", "It stops early: *to the end* (by L-BFGS) is less than three times as fast on ionosphere "+
			"and slower than SimpleMKL on pima in 10 of 10 draws.", func(b []Block) (bool, string) {
			first, n := onEach(ionosphere, below(3), speed(ToTheEnd))(b)
			second, m := onEach(pima, below(1), speed(ToTheEnd))(b)
			return first && second, n + ", " + m
		}),
		sentence("table2", "With $C=0.1$ each $R$ is above 95 % in 10 of 10 draws",
			onEach(Sets3, above(95), ratio(ToTheEnd, 0.1))),
		sentence("table2", "pima is below the printed 89.9 % in 10 of 10 draws",
			onEach(pima, below(89.9), ratio(ToTheEnd, 1))),
		sentence("table2", "*As printed*, each $R$ is below 80 % at all three $C$ in 10 of 10 draws",
			func(b []Block) (bool, string) {
				all, numbers := true, ""
				for _, c := range Cs {
					ok, n := onEach(Sets3, below(80), ratio(AsPrinted, c))(b)
					all, numbers = all && ok, numbers+n+"; "
				}
				return all, numbers
			}),
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "03_qn_pkl.ipynb", sentences(), 10,
		func(experiment string) []Block { return Standardized.Stored(strings.Fields(experiment)...) })
}
