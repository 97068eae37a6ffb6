package reg

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Ridge{})
	registry.Register(ElasticNet{})
	registry.Register(Groups{})
	registry.Register(DistancePenalty{})
	registry.Register(Separable{})
}
