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

// failure is what an error says; "" where there is none.
func failure[T any](_ T, err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var says = comparetest.CheckContains
