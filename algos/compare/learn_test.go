package compare

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// wave is y = sin(2x_1) + noise, of two features.
func wave(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := points.Rows{N: n, D: 2, Data: make([]float64, 2*n)}
	y := make([]float64, n)
	for i := range n {
		x.Data[2*i], x.Data[2*i+1] = 3*rng.Float64(), rng.Float64()
		y[i] = 10 + math.Sin(2*x.Data[2*i]) + 0.1*rng.NormFloat64()
	}
	return &data.Dataset{Name: "wave", X: x, Y: y}
}

func ExampleStudy() {
	d := data.Rings(60, 7)
	halves, err := Halves(d.Y, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	bases := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}
	s := &Study{Data: d, Splits: halves, CentreTargets: true, Selection: Selection{Folds: 5}, Methods: []Method{
		{Name: "uniform", Family: bases, Grid: Grid{Rules(mkl.Uniform{})}},
		{Name: "learned", Family: bases},
	}}
	table, err := s.Run(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range table.Rows {
		fmt.Printf("%-8s accuracy %.2f\n", r.Method, table.Summary(r.Method, Accuracy).Mean)
	}
	// Output:
	// uniform  accuracy 0.91
	// learned  accuracy 0.93
}
