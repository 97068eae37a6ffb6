package qnpkl

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
)

// Results at full size that take long, made by TestKept of this package: accuracies and times, no data.
//
//go:embed results
var results embed.FS

// Kept reads results of this name, "table1", "noise" or "baselines": a block for each method, set and seed.
func Kept(name string) (blocks []Block) {
	content, err := results.ReadFile("results/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(content, &blocks)
	}
	if err != nil {
		panic(fmt.Sprintf("qnpkl: kept results: %v", err))
	}
	return blocks
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
