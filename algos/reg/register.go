package reg

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(Ridge{})
	registry.Register(Elastic{})
	registry.Register(Groups{})
	registry.Register(Near{})
	registry.Register(Separable{})
}
