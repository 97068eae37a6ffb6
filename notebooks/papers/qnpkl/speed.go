package qnpkl

import (
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
)

// Simple is the rival of which QN-PKL is said to be faster: SimpleMKL on a sum of one Gaussian a feature.
const Simple = "MKL, reduced gradient"

// Speed is the study of the times: SimpleMKL and the methods of Table 1 that are iterations, without a choice of C.
func Speed(d *data.Dataset, size Size, seed uint64) (*study.Study, error) {
	c := study.Grid{study.Losses(loss.Hinge{}, size.C...)}
	simple := study.Method{Name: Simple, Family: Sums(d), Solver: mkl.ReducedGradient{}, Gap: 1e-2, Grid: c}
	all := append([]study.Method{simple}, only(Methods(d, size), Linear, Printed, Early, Late, Bounded)...)
	return newStudy(d, all, size, seed)
}

// TimesFaster is the processor time of SimpleMKL in times that of another method, on each of some sets.
func TimesFaster(blocks []Block, method string, sets ...string) (ratios []float64) {
	all := Pooled(blocks)
	for _, name := range sets {
		ratios = append(ratios, Of(all, name, Simple).CPU/Of(all, name, method).CPU)
	}
	return ratios
}
