package nkrr

import (
	"embed"
	"slices"

	"github.com/mklnb/mkl/notebooks/papers/kept"
)

// Results at full size that take long, made by TestKept… of this package: means and intervals, no data.
//
//go:embed results/*.json
var results embed.FS

// KeptTable1 is Table 1 at full size, 30 halves and 10 folds: four sets, four readings, seeds 1 to 5.
func KeptTable1() []Block { return kept.One[[]Block](results, "results/table1.json") }

// KeptFigure2 is Figure 2 of kitchen and electronics at the paper's size, Full2, and with 500 pairs without the
// targets' mean.
func KeptFigure2() []Result { return kept.One[[]Result](results, "results/figure2.json") }

// KeptFigure3 is Figure 3 at full size: kin-8nm and the simulated arm.
func KeptFigure3() []Result { return kept.One[[]Result](results, "results/figure3.json") }

// Of returns the results of one set.
func Of(name string, list []Result) []Result {
	return slices.DeleteFunc(slices.Clone(list), func(r Result) bool { return r.Data != name })
}
