package loss_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Three classes, one against the others: three columns of labels ±1 share one kernel matrix. The class of a new point
// is the column with the largest value.
func ExampleRepeat() {
	x := points.Rows{N: 6, D: 2, Data: []float64{0, 0, 0, 1, 5, 0, 5, 1, 0, 6, 1, 6}}
	classes := []float64{0, 0, 1, 1, 2, 2}
	code := model.TargetEncoding{Classes: 3}

	bound := kernel.List{kernel.RBF{Gamma: 0.1}}.Bind(x)
	theta := []float64{1}
	gram := bound.New()
	gram.SetTheta(theta)

	l := loss.Repeat(loss.Hinge{C: 10}, code.Columns())
	y := code.EncodeAll(classes)
	if err := l.Validate(y); err != nil {
		fmt.Println(err)
		return
	}
	var s loss.Solution
	if err := l.Solve(context.Background(), &s, gram, y, 1e-8); err != nil {
		fmt.Println(err)
		return
	}

	fresh := points.Rows{N: 3, D: 2, Data: []float64{1, 0, 4, 1, 1, 5}}
	cross := mat.NewDense(fresh.N, x.N, nil)
	bound.Cross(fresh).StoreMatrix(cross, theta)
	for i := range fresh.N {
		best, largest := 0, 0.0
		for j, b := range s.Biases {
			value := b
			for k := range x.N {
				value += cross.At(i, k) * s.W[j*x.N+k]
			}
			if j == 0 || value > largest {
				best, largest = j, value
			}
		}
		fmt.Printf("point %v: class %d\n", fresh.Row(i), best)
	}
	// Output:
	// point [1 0]: class 0
	// point [4 1]: class 1
	// point [1 5]: class 2
}
