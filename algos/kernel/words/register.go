package words

import "github.com/mklnb/mkl/algos/registry"

func init() { registry.Register(Spectrum{}) }
