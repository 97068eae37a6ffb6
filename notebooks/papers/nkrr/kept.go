package nkrr

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
)

// Results at full size that take long, made by TestKept… of this package: means and intervals, no data.
//
//go:embed results/*.json
var results embed.FS

// KeptTable1 is Table 1 at full size, 30 halves and 10 folds: four sets, four readings, seeds 1 to 5.
func KeptTable1() []Block { return kept[Block]("table1.json") }

// KeptFigure2 is Figure 2 of kitchen and electronics at the size Kept2.
func KeptFigure2() []Result { return kept[Result]("figure2.json") }

// KeptFigure3 is Figure 3 at full size: kin-8nm and the simulated arm.
func KeptFigure3() []Result { return kept[Result]("figure3.json") }

// kept reads a file of results, which is part of the program.
func kept[T any](name string) (list []T) {
	content, err := results.ReadFile("results/" + name)
	if err == nil {
		err = json.Unmarshal(content, &list)
	}
	if err != nil {
		panic(fmt.Sprintf("nkrr: kept results: %v", err))
	}
	return list
}

// Of returns the results of one set.
func Of(name string, list []Result) []Result {
	return slices.DeleteFunc(slices.Clone(list), func(r Result) bool { return r.Data != name })
}

// Seeds are those of the blocks, ascending.
func Seeds(list []Block) (seeds []uint64) {
	for _, b := range list {
		seeds = append(seeds, b.Seed)
	}
	slices.Sort(seeds)
	return slices.Compact(seeds)
}
