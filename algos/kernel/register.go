package kernel

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Linear{})
	registry.Register(Polynomial{})
	registry.Register(RBF{})
	registry.Register(Laplacian{})
	registry.Register(Precomputed{})
	registry.Register(product{}) // a stored Sum of Monomials contains kernels of this type

	registry.Register(List{})
	registry.Register(Sum{})
	registry.Register(Features{})
	registry.Register(Monomials{})
	registry.Register(Gaussians{})
}
