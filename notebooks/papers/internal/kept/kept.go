// Package kept reads results at full size that take long: JSON files that the packages beside it embed.
package kept

import (
	"encoding/json"
	"fmt"
	"io/fs"
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
