package points

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Points are n points of one kind. Nothing may change them after a kernel family is bound to them.
type Points interface {
	// Len returns the number n of points.
	Len() int
	// Slice returns the points of the given rows, in this order. Rows may repeat.
	Slice(rows []int) Points
	// Validate returns an error if the points are invalid. The error names the first invalid entry by row and column.
	Validate() error
	// HashInto writes the kind of the points and everything that they contain to h. Two different sets of points never
	// write the same bytes: see WriteDigest.
	HashInto(h io.Writer)
	// Features returns the number d of features of each point, and the names of the features. names is nil if the
	// features have no names. d is 0 for a kind of points without features.
	Features() (d int, names []string)
	// Columns returns the points with only the given features, in this order. Columns count from 0. The features have
	// the names that FeatureName returns for the features of the receiver. Columns panics if the points have no
	// features.
	Columns(cols []int) Points
	// StoreFeatures stores the first len(dst) ≤ d features of point i in dst.
	StoreFeatures(dst []float64, i int)
}

var (
	_ Points = Rows{}
	_ Points = Sparse{}
)

// MaxExponent limits the magnitudes of features and of kernel values to the range from 1e-100 to 1e100, so that their
// products neither overflow nor underflow.
const MaxExponent = 100

const minUsual, maxUsual = 1e-100, 1e100 // by MaxExponent
const noFeatures = "points: this kind of points has no features; pass points.Rows or points.Sparse"

// FeatureName returns the name of feature j of x, counted from 0. If x is nil or has no names, it returns "x1" for the
// first feature, "x2" for the second, and so on.
func FeatureName(x Points, j int) string {
	if x != nil {
		if _, names := x.Features(); j < len(names) {
			return names[j]
		}
	}
	return fmt.Sprintf("x%d", j+1)
}

// FeatureCount returns the number of features of each point, or 0 for nil and for a kind of points without features.
func FeatureCount(x Points) int {
	if x == nil {
		return 0
	}
	d, _ := x.Features()
	return d
}

// WriteDigest writes parts to h. It writes the length of each part before the part, so that different parts never give
// the same bytes. A part is a string, []string, []int or []float64.
func WriteDigest(h io.Writer, parts ...any) {
	var b []byte
	putUint64 := func(v uint64) {
		if b = binary.LittleEndian.AppendUint64(b, v); len(b) >= 1<<16 {
			h.Write(b)
			b = b[:0]
		}
	}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			putUint64(uint64(len(p)))
			b = append(b, p...)
		case []string:
			putUint64(uint64(len(p)))
			for _, s := range p {
				putUint64(uint64(len(s)))
				b = append(b, s...)
			}
		case []int:
			putUint64(uint64(len(p)))
			for _, v := range p {
				putUint64(uint64(v))
			}
		case []float64:
			putUint64(uint64(len(p)))
			for _, v := range p {
				putUint64(math.Float64bits(v))
			}
		default:
			panic(fmt.Sprintf("points: WriteDigest got a %T; pass a string, []string, []int or []float64", p))
		}
	}
	h.Write(b)
}

// SelectColumns returns the given columns of x as Rows, or all columns if columns is nil. The result may share the data
// of x. It returns an error if x has no features, or if columns is empty, has a duplicate, or has a column that x does
// not have.
func SelectColumns(x Points, columns []int) (Rows, error) {
	d := FeatureCount(x)
	if d == 0 {
		return Rows{}, fmt.Errorf("points: %T has no features; use points.Rows or points.Sparse", x)
	}
	if columns == nil {
		return ToRows(x), nil
	}
	if len(columns) == 0 {
		return Rows{}, fmt.Errorf("points: the list of columns is empty; use nil for all columns")
	}
	seen := map[int]bool{}
	for _, j := range columns {
		switch {
		case j < 0 || j >= d:
			return Rows{}, fmt.Errorf("points: no column %d in points with %d features; columns count from 0", j, d)
		case seen[j]:
			return Rows{}, fmt.Errorf("points: column %d is listed twice", j)
		}
		seen[j] = true
	}
	return ToRows(x.Columns(columns)), nil
}

// As returns x as the kind of points P, such as Rows. If x is of another kind, it returns an error that names both
// kinds.
func As[P Points](x Points) (P, error) {
	p, ok := x.(P)
	switch {
	case x == nil:
		return p, fmt.Errorf("points: got no points (nil); pass %T", p)
	case !ok:
		return p, fmt.Errorf("points: got %T; pass %T", x, p)
	}
	return p, nil
}

// Is reports whether x is of the kind of points P, such as Rows.
func Is[P Points](x Points) bool {
	_, ok := x.(P)
	return ok
}

// MustAs returns x as the kind of points P. It panics if x is of another kind.
func MustAs[P Points](x Points) P {
	p, err := As[P](x)
	if err != nil {
		panic(err)
	}
	return p
}

// ToRows returns the features of x as Rows. It copies them unless x is Rows or Parts. It panics if x has no features.
func ToRows(x Points) Rows {
	if r, err := RowsOf(x); err == nil {
		return r
	}
	d, names := x.Features()
	if d == 0 {
		panic(fmt.Sprintf("points: %T has no features; pass points.Rows or points.Sparse", x))
	}
	r := Rows{N: x.Len(), D: d, Data: make([]float64, x.Len()*d), Names: names}
	for i := range r.N {
		x.StoreFeatures(r.Row(i), i)
	}
	return r
}

// CheckFeatureCounts returns an error if the points x and the new points z both have features, but unequal numbers.
func CheckFeatureCounts(x, z Points) error {
	d := FeatureCount(x)
	if newFeatureCount := FeatureCount(z); newFeatureCount != d && newFeatureCount > 0 && d > 0 {
		return fmt.Errorf("points: the new points have %d features, the training points have %d", newFeatureCount, d)
	}
	return nil
}

// columnNames returns the names of the given features of x, or x1, x2, … if they have no names.
func columnNames(x Points, cols []int) []string {
	names := make([]string, len(cols))
	for k, j := range cols {
		names[k] = FeatureName(x, j)
	}
	return names
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// nonFiniteError returns an error for the entry v of x in row i and column j, counted from 0.
func nonFiniteError(x Points, i, j int, v float64) error {
	return fmt.Errorf("points: row %d, column %d (%s) is %g; use a finite number", i+1, j+1, FeatureName(x, j), v)
}

// checkMagnitudes returns an error if largest[j], the largest magnitude of feature j of x, is not 0 and lies outside
// the range from 1e-100 to 1e100.
func checkMagnitudes(x Points, largest []float64) error {
	for j, v := range largest {
		if v > 0 && math.Abs(math.Log10(v)) > MaxExponent {
			return fmt.Errorf("points: the largest magnitude in column %d (%s) is %.2g, outside 1e±%d; rescale it",
				j+1, FeatureName(x, j), v, MaxExponent)
		}
	}
	return nil
}
