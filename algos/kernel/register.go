package kernel

import "github.com/mklnb/mkl/algos/registry"

// The short names are those of files of the first version.
func init() {
	registry.Register(Rows{}, "rows")
	registry.Register(Sparse{}, "sparse")
	registry.Register(Places{}, "places")
	registry.Register(Related{})
	registry.Register(Sequences{})

	registry.Register(Linear{}, "linear")
	registry.Register(Polynomial{}, "polynomial")
	registry.Register(RBF{}, "rbf")
	registry.Register(Laplacian{}, "laplacian")
	registry.Register(Precomputed{}, "precomputed")
	registry.Register(product{}) // of frozen Monomials
	registry.Register(Spectrum{})

	registry.Register(List{}, "list")
	registry.Register(Sum{}, "sum")
	registry.Register(Features{}, "features")
	registry.Register(Monomials{})
	registry.Register(Gaussians{})
	registry.Register(Spectra{})
	registry.Register(Blocks{})
}
