package compare

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// encodeColumns encodes labels or numbers y as target columns for a loss (TargetEncoding.EncodeAll). It subtracts an
// offset from each column, which predictions add again. All columns share one θ, which minimizes the sum of the
// objectives J of all columns. This sum is convex if each J is. So there is one kernel to interpret, one matrix to
// factorize, and one certificate.
//
// For a Linear loss (loss.Traits), if centerTargets is set, the offset is the mean of the column; otherwise it is 0.
// Other losses have their own bias, and their labels remain ±1. If all labels in a column of classes are the same, the
// column is set to NaN, so that it is not fitted, and its offset is this label. If no column remains, encodeColumns
// returns the offsets with errOneClass.
func encodeColumns(y []float64, encoding model.TargetEncoding, l loss.Loss, centerTargets bool) (targets,
	offsets []float64, err error) {
	c := encoding.Columns()
	targets, offsets = encoding.EncodeAll(y), make([]float64, c)
	n, remaining := len(targets)/c, c
	linear := l.Traits().Linear
	for j := range c {
		column := targets[j*n : (j+1)*n]
		equal := slices.Min(column) == slices.Max(column)
		switch {
		case linear && centerTargets:
			mean := stat.Mean(column, nil)
			if equal {
				mean = column[0] // without rounding, so that the column is exactly 0
			}
			offsets[j] = mean
			floats.AddConst(-mean, column)
		case !linear && equal && encoding.Classes > 0:
			offsets[j] = column[0]
			for i := range column {
				column[i] = math.NaN()
			}
			remaining--
		}
	}
	if remaining == 0 {
		return nil, offsets, errOneClass
	}
	return targets, offsets, nil
}
