package learn_test

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/data/datasets"
)

// Learning on 70 % of the points, and the score of the model at the others.
func Example() {
	d, err := datasets.Load("sonar")
	if err != nil {
		panic(err)
	}
	train, test, err := fit.SplitData(d, 0.3, 1)
	if err != nil {
		panic(err)
	}
	l, err := learn.Learn(context.Background(), train, learn.WithSplits(nil)) // without the comparison
	if err != nil {
		panic(err)
	}
	s, err := l.Model.Score(test)
	if err != nil {
		panic(err)
	}
	classes, err := l.Model.Classify(test.X.Slice([]int{0, 30, 60}))
	if err != nil {
		panic(err)
	}
	fmt.Printf("accuracy %.2f on %d points; three of them: %v\n", s.Accuracy, s.N, classes)
	// Output: accuracy 0.90 on 62 points; three of them: [R M M]
}
