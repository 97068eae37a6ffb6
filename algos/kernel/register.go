package kernel

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Linear{})
	registry.Register(Polynomial{})
	registry.Register(RBF{})
	registry.Register(Laplacian{})
	registry.Register(Precomputed{})
	registry.Register(OnPart{})
	registry.Register(product{}) // Monomials without Tied products is stored as a Sum of these

	registry.Register(List{})
	registry.Register(Sum{})
	registry.Register(Features{})
	registry.Register(Monomials{})
	registry.Register(Gaussians{})
}
