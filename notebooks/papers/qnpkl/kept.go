package qnpkl

import (
	"embed"
	"slices"

	"github.com/mklnb/mkl/notebooks/papers/kept"
)

// Results at full size that take long, made by TestKept of this package: accuracies and times, no data.
//
//go:embed results
var results embed.FS

// Kept are the results of the experiment of this name: a block for each method, set and seed.
func Kept(name string) []Block {
	return kept.One[[]Block](results, "results/"+name+".json")
}

// Seeds are those of the blocks, ascending.
func Seeds(blocks []Block) (seeds []uint64) {
	for _, b := range blocks {
		seeds = append(seeds, b.Seed)
	}
	slices.Sort(seeds)
	return slices.Compact(seeds)
}

// OfSeed are the blocks of one seed.
func OfSeed(blocks []Block, seed uint64) []Block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b Block) bool { return b.Seed != seed })
}
