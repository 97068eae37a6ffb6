package set

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Simplex{})
	registry.Register(Ball{})
	registry.Register(Orthant{})
	registry.Register(PSD{})
	registry.Register(Spectraplex{})
	registry.Register(Product{})
}
