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

// Multiclass is a way to divide a problem of more than two classes into problems of two. Each way has one θ, which
// belongs to the sum of the J of all problems. This sum is convex if each J is. So there is one kernel to look at, one
// matrix to factorize, and one certificate.
type Multiclass int

const (
	// ByLoss is OneVsRest for losses that are Linear (loss.Traits), such as the squared loss, and OneVsOne for others,
	// such as the hinge loss.
	//
	// With the squared loss, the value of a class estimates 2P(class | x) − 1. So the likeliest class has the largest
	// value, and one factorization serves all columns. With the hinge loss, the value estimates only the sign, which is
	// −1 for every class if none has at least half of P. The pairs of OneVsOne are small problems, and they are right
	// if a class is likelier than each other class.
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

// columns encodes labels or numbers y for a loss (TargetEncoding.EncodeAll), column after column. It subtracts an
// offset from each column, which predictions add again.
//
// For a Linear loss, if centre is set, the offset is the mean of the column. Other losses have their own bias, and
// their labels remain ±1: if all labels of a column of classes are the same, the column is set to NaN, and this label
// is its offset. If no column remains, columns returns the offsets with errOneClass.
func columns(y []float64, code model.TargetEncoding, l loss.Loss, centre bool) (targets, offsets []float64, err error) {
	c := code.Columns()
	targets, offsets = code.EncodeAll(y), make([]float64, c)
	n, left := len(targets)/c, c
	linear := l.Traits().Linear
	for j := range c {
		column := targets[j*n : (j+1)*n]
		there := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
		equal := len(there) > 0 && slices.Min(there) == slices.Max(there)
		switch {
		case len(there) == 0:
			left--
		case linear && centre:
			mean := stat.Mean(there, nil)
			if equal {
				mean = there[0] // without rounding, so that the column is exactly 0
			}
			offsets[j] = mean
			floats.AddConst(-mean, column)
		case !linear && equal && code.Classes > 0:
			offsets[j] = there[0]
			for i := range column {
				column[i] = math.NaN()
			}
			left--
		}
	}
	if left == 0 {
		return nil, offsets, errOneClass
	}
	return targets, offsets, nil
}
