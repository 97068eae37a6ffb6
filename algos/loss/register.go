package loss

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Squared{})
	registry.Register(Hinge{})
	registry.Register(SquaredHinge{})
	registry.Register(EpsilonInsensitive{})
	registry.Register(Pinball{})
	registry.Register(BlockNorm{})
	registry.Register(Columns{})
}
