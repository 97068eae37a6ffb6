// Command keys prints the keys of stored results: of a type of the library and of a type that the program declares.
package main

import (
	"fmt"
	"os"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

type own struct{ Gamma float64 }

func init() { registry.Register(own{}) }

func main() {
	for _, part := range []any{kernel.RBF{Gamma: 0.5}, own{0.5}} {
		key, err := store.Key(part)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(key)
	}
}
