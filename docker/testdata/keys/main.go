// Command keys prints the keys under which results are kept: of what is the library's, of a type of a program or a
// cell, and of a function of it.
package main

import (
	"fmt"
	"os"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

type own struct{ Gamma float64 }

func (o own) twice() float64 { return 2 * o.Gamma }

func init() { registry.Register(own{}) }

func main() {
	value := func() float64 { return own{3}.twice() }
	for _, made := range []func() (string, error){
		func() (string, error) { return store.Key(kernel.RBF{Gamma: 0.5}, []float64{1, 2}) },
		func() (string, error) { return store.Key(own{0.5}) },
		func() (string, error) { return store.FuncKey(value) },
	} {
		key, err := made()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(key)
	}
}
