// Package comparetest helps tests of packages that learn and compare: it simulates small datasets whose answer is
// known, and checks texts, tables and stored results. Programs do not import it.
//
//	NoisySine                            numbers, of which one feature determines the mean
//	OverlappingClasses, ClassClusters    two classes; any number of classes
//	TwoViewDataset                       two classes, two views, of which only one is useful
//	NormalPoints                         features alone
//	CheckContains, CompareTables         the text has these words; two CSV tables agree up to a tolerance
//	StoredResultTimes                    which results a run has written again
package comparetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// NormalPoints returns n points of d standard normal features.
func NormalPoints(n, d int, rng *rand.Rand) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

// OverlappingClasses returns n points of two normal classes in d dimensions. Their means differ by 3 in feature 0.
func OverlappingClasses(n, d int, seed uint64) *data.Dataset {
	x, y := NormalPoints(n, d, rand.New(rand.NewPCG(seed, 0))), make([]float64, n)
	for i := range y {
		y[i] = float64(2*(i%2) - 1)
		x.Data[i*d] += 1.5 * y[i]
	}
	return &data.Dataset{Name: "clouds", X: x, Y: y, Classes: []string{"left", "right"}}
}

// ClassClusters returns a dataset of classCount classes in d dimensions. Each class has pointsPerClass points around a
// random center. Coordinates have standard deviation 1 within a class; coordinates of the centers have standard
// deviation centerSD.
func ClassClusters(classCount, pointsPerClass, d int, centerSD float64, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	centers := make([]float64, classCount*d)
	for i := range centers {
		centers[i] = centerSD * rng.NormFloat64()
	}
	x := points.Rows{N: classCount * pointsPerClass, D: d, Data: make([]float64, classCount*pointsPerClass*d)}
	s := &data.Dataset{Name: "clusters", X: x}
	for i := range x.N {
		c := i % classCount
		for j := range d {
			x.Data[i*d+j] = centers[c*d+j] + rng.NormFloat64()
		}
		s.Y = append(s.Y, float64(c))
	}
	for c := range classCount {
		s.Classes = append(s.Classes, fmt.Sprint("class ", c))
	}
	return s
}

// TwoViewDataset returns n points of two classes with five features. Only the first two depend on the class.
func TwoViewDataset(n int) *data.Dataset {
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

// NoisySine returns n points of two features with the targets y = 10 + sin(2x_1) + 0.1ε, ε standard normal.
func NoisySine(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := points.Rows{N: n, D: 2, Data: make([]float64, 2*n)}
	y := make([]float64, n)
	for i := range n {
		x.Data[2*i], x.Data[2*i+1] = 3*rng.Float64(), rng.Float64()
		y[i] = 10 + math.Sin(2*x.Data[2*i]) + 0.1*rng.NormFloat64()
	}
	return &data.Dataset{Name: "wave", X: x, Y: y}
}
