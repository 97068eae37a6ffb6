// Package kept is what the packages beside it share: results at full size that take long, embedded as JSON files, and
// the sentences of a notebook that they decide. Package kepttest makes such files again.
package kept

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"gonum.org/v1/gonum/floats/scalar"
)

// Read is what the files that match pattern hold, in the order of their names; nothing where none does. They are
// part of the program, so it panics where one cannot be read.
func Read[T any](files fs.FS, pattern string) (all []T) {
	names, err := fs.Glob(files, pattern)
	for _, name := range names {
		var v T
		content, e := fs.ReadFile(files, name)
		if e == nil {
			e = json.Unmarshal(content, &v)
		}
		if e != nil {
			err = e
			break
		}
		all = append(all, v)
	}
	if err != nil {
		panic(fmt.Sprintf("kept: %s: %v", pattern, err))
	}
	return all
}

// One is what a file holds. It panics where there is none, too.
func One[T any](files fs.FS, name string) T {
	all := Read[T](files, name)
	if len(all) != 1 {
		panic(fmt.Sprintf("kept: %s: %d files, want one", name, len(all)))
	}
	return all[0]
}

// Round rounds v, in its place, to so many decimals: those that a file of results has.
func Round(v []float64, decimals int) []float64 {
	for i := range v {
		v[i] = scalar.Round(v[i], decimals)
	}
	return v
}

// Drawn is a result of one draw of points, splits and noise: that of DrawSeed.
type Drawn interface{ DrawSeed() uint64 }

// Seeds are the seeds that results are of, ascending, each once.
func Seeds[R Drawn](results []R) (seeds []uint64) {
	for _, r := range results {
		seeds = append(seeds, r.DrawSeed())
	}
	slices.Sort(seeds)
	return slices.Compact(seeds)
}

// OfSeed are the results of one seed.
func OfSeed[R Drawn](results []R, seed uint64) []R {
	return slices.DeleteFunc(slices.Clone(results), func(r R) bool { return r.DrawSeed() != seed })
}

// Conclusion is a sentence of a notebook about the kept results of an experiment, word for word, and what decides
// whether it holds for those of one seed; numbers are what it was decided by, for people.
type Conclusion[R Drawn] struct {
	Experiment, Text string
	Holds            func(results []R) (holds bool, numbers string)
}

// Say is a Conclusion.
func Say[R Drawn](experiment, text string, holds func(results []R) (holds bool, numbers string)) Conclusion[R] {
	return Conclusion[R]{Experiment: experiment, Text: text, Holds: holds}
}
