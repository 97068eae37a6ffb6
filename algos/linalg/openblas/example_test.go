package openblas_test

import (
	"fmt"

	"github.com/mklnb/mkl/algos/linalg"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // without this line: pure Go
)

// The import is all that a program needs. Backend reports what it uses and, if that is pure Go, the reason.
func Example() {
	fmt.Println(linalg.Backend())
}
