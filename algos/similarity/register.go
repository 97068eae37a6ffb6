package similarity

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Learned{})
	registry.Register(Repaired{})
	registry.Register(RepairedKernel{})
}
