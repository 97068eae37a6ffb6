package eskl

import "github.com/mklnb/mkl/viz"

// ExcessLine returns the line of f/minimum − 1 against the step. f[t] is the value at step t+1.
func ExcessLine(name string, f []float64, minimum float64) viz.Line {
	var c viz.Pairs
	for t, v := range f {
		c = append(c, [2]float64{float64(t + 1), v/minimum - 1})
	}
	return viz.Line{Name: name, XYs: c}
}
