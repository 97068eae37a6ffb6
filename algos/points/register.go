package points

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Rows{})
	registry.Register(Sparse{})
	registry.Register(Indices{})
	registry.Register(KernelRows{})
	registry.Register(Sequences{})
	registry.Register(Parts{})
}
