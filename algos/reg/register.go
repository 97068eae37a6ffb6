package reg

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Ridge{})
	registry.Register(Lasso{})
	registry.Register(DistancePenalty{})
	registry.Register(Separable{})
}
