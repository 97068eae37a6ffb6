package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Multiclass is a way to divide a problem of more than two classes into problems of two classes, the target columns.
// All of them share one θ, which minimizes the sum of the objectives J of all columns. This sum is convex if each J is.
// So there is one kernel to interpret, one matrix to factorize, and one certificate.
type Multiclass int

const (
	// ByLoss is OneVsRest for losses that are Linear (loss.Traits), such as the squared loss, and OneVsOne for others,
	// such as the hinge loss.
	//
	// With the squared loss, the decision value of a class against the rest estimates 2P(class | x) − 1. So the
	// likeliest class has the largest value, and one factorization is enough for all columns. With the hinge loss, the
	// value estimates only the sign of this number. The sign is −1 for every class if no class has P ≥ 1/2. OneVsOne
	// solves small problems, one for each pair of classes, and decides correctly if a class is likelier than each other
	// class.
	//
	// References:
	//   - Y. Lee, Y. Lin, G. Wahba, Multicategory support vector machines, JASA 99, 2004, section 1.
	ByLoss Multiclass = iota
	OneVsRest
	OneVsOne
)

func (m Multiclass) String() string {
	if m < ByLoss || m > OneVsOne {
		return fmt.Sprintf("Multiclass(%d)", int(m))
	}
	return [...]string{"by the loss", "one against the rest", "one against one"}[m]
}

// Encoding returns c with Pairs set as m requires for the loss.
func (m Multiclass) Encoding(c model.TargetEncoding, l loss.Loss) model.TargetEncoding {
	c.Pairs = c.Classes > 2 && (m == OneVsOne || m == ByLoss && !l.Traits().Linear)
	return c
}

// encodeColumns encodes labels or numbers y as target columns for a loss (TargetEncoding.EncodeAll). It subtracts an
// offset from each column, which predictions add again.
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
		known := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
		equal := len(known) > 0 && slices.Min(known) == slices.Max(known)
		switch {
		case len(known) == 0:
			remaining--
		case linear && centerTargets:
			mean := stat.Mean(known, nil)
			if equal {
				mean = known[0] // without rounding, so that the column is exactly 0
			}
			offsets[j] = mean
			floats.AddConst(-mean, column)
		case !linear && equal && encoding.Classes > 0:
			offsets[j] = known[0]
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
