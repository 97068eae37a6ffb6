package compare

import (
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// twoViews has two groups of features, of which the first alone tells the classes apart.
func twoViews(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(2, 2))
	d := &data.Dataset{Name: "two views", Classes: []string{"a", "b"}}
	x := points.Rows{N: n, D: 5, Names: []string{"s1", "s2", "s3", "age", "rest"}}
	for i := range n {
		y := float64(i%2)*2 - 1
		x.Data = append(x.Data, 2*y+rng.NormFloat64(), -1.5*y+rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(),
			rng.NormFloat64())
		d.Y = append(d.Y, y)
	}
	d.X = x
	return d
}
