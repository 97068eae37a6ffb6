// Package algos holds the source files of the packages below it. Package store makes a fingerprint of them, by which a
// program finds no results that other code computed.
package algos

import "embed"

// Sources holds the Go and assembly files of the packages below this one. The go command embeds the files that it
// compiles, so a program holds exactly the sources that it was built from, also on a machine without them. A program
// that does not call store.Key is linked without them.
//
// The patterns leave out each name that ends in "st.go" or begins with a dot, so that an edit of a test, or the lock
// file of an editor, is no reason to build all packages again. TestSources finds library files that they miss.
//
//go:embed */[^._]*[^t].go */[^._]*[^s]t.go internal/*/[^._]*[^t].go internal/*/[^._]*[^s]t.go internal/*/*.s
//go:embed kernel/tessellated/[^._]*[^t].go kernel/tessellated/[^._]*[^s]t.go linalg/openblas/[^._]*[^t].go
//go:embed kernel/blocks/[^._]*[^t].go kernel/words/[^._]*[^t].go
var Sources embed.FS
