package eskl

import "github.com/mklnb/mkl/viz"

// ExcessLine returns the line of values[t]/minimum − 1 against the step t + 1.
func ExcessLine(lineName string, values []float64, minimum float64) viz.Line {
	var c viz.Pairs
	for t, v := range values {
		c = append(c, [2]float64{float64(t + 1), v/minimum - 1})
	}
	return viz.Line{Name: lineName, XYs: c}
}
