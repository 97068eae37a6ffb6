package blocks

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Family{})
	registry.Register(Spectra{})
}
