package learn

import (
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data"
)

// View is the weight that a group of features has in a learned kernel.
type View struct {
	Name     string
	Features int     // number of features
	Weight   float64 // Σθ_k over the kernels of the view; default kernels have mean diagonal 1 on the training points
	Share    float64 // Weight divided by the sum of the weights of all views
}

// viewShares returns the share of each view in the weights. It returns nil if a kernel does not belong to exactly one
// view.
func viewShares(views []data.View, f kernel.Family, theta []float64) []View {
	kernels := kernel.KernelsOf(f)
	if len(views) == 0 || len(theta) != len(kernels) {
		return nil
	}
	out := make([]View, len(views))
	for v, w := range views {
		out[v].Name, out[v].Features = w.Name, len(w.Features)
	}
	total := 0.0
	for k, t := range theta {
		v := compare.ViewOf(views, kernels[k])
		if v < 0 {
			return nil
		}
		out[v].Weight += t
		total += t
	}
	for v := range out {
		if out[v].Share = out[v].Weight / total; math.IsNaN(out[v].Share) {
			out[v].Share = 0
		}
	}
	return out
}
