package mkl

import "github.com/mklnb/mkl/algos/registry"

func init() {
	registry.Register(PGD{})
	registry.Register(SPG{})
	registry.Register(IIA{})
	registry.Register(TrustRegion{})
	registry.Register(FrankWolfe{})
	registry.Register(Level{})
	registry.Register(Uniform{})
	registry.Register(AlignF{})
	registry.Register(EasyMKL{})
	registry.Register(ReducedGradient{})
	registry.Register(QuasiNewton{})
	registry.Register(LBFGS{})
	registry.Register(DualAscent{})
	registry.Register(MirrorDescent{})
	registry.Register(ADMM{})
}
