package nkrr

import (
	"math"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// RowMeans returns, for each point, the mean of its features after scaling to [0, 1]. Centering per example removes
// this mean.
func RowMeans(d *data.Dataset) ([]float64, error) {
	x, err := FeatureMatrix(d, points.MinMax)
	if err != nil {
		return nil, err
	}
	n, m := x.Dims()
	means := make([]float64, n)
	for i := range means {
		means[i] = floats.Sum(x.RawRowView(i)) / float64(m)
	}
	return means, nil
}

// LineError returns the root mean squared error of the least-squares line through the points (x_i, y_i).
func LineError(x, y []float64) float64 {
	a, b := stat.LinearRegression(x, y, nil, false)
	r := make([]float64, len(y))
	for i := range r {
		r[i] = y[i] - a - b*x[i]
	}
	return floats.Norm(r, 2) / math.Sqrt(float64(len(y)))
}
