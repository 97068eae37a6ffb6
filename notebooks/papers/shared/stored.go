// Package shared helps the packages of the papers' notebooks (lvx, nkrr, qnpkl, eskl, tkl): reading stored results,
// evaluating a problem at given weights, races of solvers, and derivatives by differences, with which a derivation is
// checked. Nothing else imports it.
//
//	run, err := shared.Race(ctx, problems, []mkl.Solver{mkl.SPG{}, mkl.IIA{}}, mkl.Settings{Gap: 1e-6})
//	table := shared.RaceTable("Steps", "…", names, run)
//
//	ReadStored, Result, SelectSeed, DistinctSeeds, Scores   stored results of several seeds
//	EvaluateAt, DecisionValues, CountCorrect                F at given weights; predictions of a result
//	Race, RaceTable                                         solvers on the same problems: steps, seconds, gaps
//	Derivative, SecondDerivative, ChordGap                  by differences; a probe of convexity
//	Surface, NewSurface                                     F over two weights and over t = μ^q, with its curvature
//	Hadamard, Inverse, RoundInPlace, MedianOfSorted         K∘K, (K+λI)⁻¹; numbers for a table
//	Subset, SelectRows                                      some points of a dataset
//
// A stored result is a JSON file in the folder results of a package. It is embedded because it takes minutes to days to
// compute. Package sharedtest computes such files again and checks the sentences of the notebooks about them.
package shared

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"gonum.org/v1/gonum/floats/scalar"
)

// ReadStored returns the entries of the files that match pattern, sorted by file name. Each file is a JSON list. The
// files are part of the program, so ReadStored panics if it cannot read one or finds none.
func ReadStored[R any](files fs.FS, pattern string) []R {
	names, err := fs.Glob(files, pattern)
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("shared: no file of stored results matches %q: %v", pattern, err))
	}
	var entries []R
	for _, name := range names {
		var list []R
		content, err := fs.ReadFile(files, name)
		if err == nil {
			err = json.Unmarshal(content, &list)
		}
		if err != nil {
			panic(fmt.Sprintf("shared: cannot read the stored results %s: %v", name, err))
		}
		entries = append(entries, list...)
	}
	return entries
}

// MedianOfSorted returns the median of values in ascending order.
func MedianOfSorted(ascending []float64) float64 {
	return (ascending[(len(ascending)-1)/2] + ascending[len(ascending)/2]) / 2
}

// RoundInPlace rounds values in place to the given number of decimals, and returns them.
func RoundInPlace(values []float64, decimals int) []float64 {
	for i := range values {
		values[i] = scalar.Round(values[i], decimals)
	}
	return values
}

// Result is a stored result for one seed. The points, splits and noise of the result were drawn from this seed. A draw
// is all results of one seed.
type Result interface{ SplitSeed() uint64 }

// DistinctSeeds returns the distinct seeds of results in ascending order.
func DistinctSeeds[R Result](results []R) (seeds []uint64) {
	for _, r := range results {
		seeds = append(seeds, r.SplitSeed())
	}
	slices.Sort(seeds)
	return slices.Compact(seeds)
}

// SelectSeed returns the results of one seed.
func SelectSeed[R Result](results []R, seed uint64) []R {
	return slices.DeleteFunc(slices.Clone(results), func(r R) bool { return r.SplitSeed() != seed })
}
