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

// Multiclass says how more than two classes become problems of two. Either way there is one θ, that
// of the sum of all problems' J, which is convex where they are: one kernel to look at, one matrix to
// factorise, one certificate.
type Multiclass int

const (
	// ByLoss is OneVsRest for losses that are Linear (loss.Traits), as the squared loss, and OneVsOne for
	// others, as the hinge.
	//
	// The value of a class by squared loss estimates 2P(class | x) − 1, so that the largest is that
	// of the likeliest class, and one factorisation serves all columns. That of the hinge estimates
	// the sign alone, which is −1 for every class where none has half of P; its pairs are small
	// problems and right where a class is likelier than each other one.
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

// Encoding is c, so many classes or targets, with Pairs as for a loss.
func (m Multiclass) Encoding(c model.TargetEncoding, l loss.Loss) model.TargetEncoding {
	c.Pairs = c.Classes > 2 && (m == OneVsOne || m == ByLoss && !l.Traits().Linear)
	return c
}

// columns encodes labels or numbers y for a loss (TargetEncoding.EncodeAll), column after column, less an offset each,
// which predictions get back.
//
// Of a Linear loss and centre that is the mean of the column. Other losses have a bias of their own,
// and labels that stay ±1: a column of classes in which all are the same is left out, as NaN, and
// that label is its offset. Where none is left, there are the offsets with errOneClass.
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
				mean = there[0] // no rounding: the rest is 0 exactly
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
