// Command beam runs a study on Apache Beam and prints its table: onbeam.Main. README.md says how, on which runners.
package main

import (
	"os"

	"github.com/mklnb/mkl/algos/study/beam/onbeam"
)

func main() { os.Exit(onbeam.Main()) }
