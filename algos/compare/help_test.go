package compare

import (
	"github.com/mklnb/mkl/algos/compare/comparetest"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var says = comparetest.CheckContains
