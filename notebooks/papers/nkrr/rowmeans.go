package nkrr

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// RowMeans returns the mean of the features of each point after scaling to [0, 1]. Centering per example removes it.
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

// Histogram draws the share of each class in bins of x ∈ [0, 1].
func Histogram(title, caption string, d *data.Dataset, x []float64) viz.Figure {
	const bins = 20
	var lines []viz.Line
	for c, name := range d.Classes {
		label := float64(2*c - 1)
		count := make([]float64, bins)
		n := 0.0
		for i, v := range x {
			if d.Y[i] == label {
				count[min(int(v*bins), bins-1)]++
				n++
			}
		}
		var p viz.Points
		for b, k := range count {
			p.X, p.Y = append(p.X, float64(b)/bins), append(p.Y, k/n)
		}
		p.X, p.Y = append(p.X, 1), append(p.Y, p.Y[bins-1])
		lines = append(lines, viz.Line{Name: fmt.Sprintf("%s (%g points)", name, n), XYs: p, Mark: viz.MarkStep})
	}
	return viz.Lines(title, caption, lines...).WithAxes("mean of the features of a point", "share of its class")
}
