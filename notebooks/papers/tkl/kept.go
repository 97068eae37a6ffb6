package tkl

import (
	"embed"
	"encoding/json"
	"io/fs"
)

//go:embed results
var results embed.FS

// Kept are the comparisons at full size by the name of the set: 20 or 30 splits, seed 1, made by
// MKL_SIZE=full MKL_OUT=results go test -run TestAccuracy.
func Kept() map[string]*Scores {
	kept := map[string]*Scores{}
	files, _ := fs.Glob(results, "results/*.json")
	for _, f := range files {
		b, err := results.ReadFile(f)
		var s Scores
		if err == nil {
			err = json.Unmarshal(b, &s)
		}
		if err != nil {
			panic(err) // they are compiled in
		}
		kept[s.Data] = &s
	}
	return kept
}
