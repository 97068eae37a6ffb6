package tkl

import (
	"embed"

	"github.com/mklnb/mkl/notebooks/papers/internal/kept"
)

//go:embed results
var results embed.FS

// Kept are the comparisons at full size by the name of the set: 20 or 30 splits, seed 1, made by
// MKL_SIZE=full MKL_OUT=results go test -run TestAccuracy.
func Kept() map[string]*Scores {
	all := map[string]*Scores{}
	for _, s := range kept.Read[*Scores](results, "results/*.json") {
		all[s.Data] = s
	}
	return all
}
