package points

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Points are n points of one kind. They are read-only once a kernel family is bound to them.
type Points interface {
	// Len returns n.
	Len() int
	// Slice returns the points of the given rows, in this order. Rows may repeat.
	Slice(rows []int) Points
	// Validate returns an error that names the first invalid entry by row and column.
	Validate() error
	// Digest writes the kind of the points and everything they contain to h, each part after its length. Two different
	// sets of points never write the same bytes: see WriteDigest.
	Digest(h io.Writer)
	// Features returns the number d of features of each point, and their names. The names are nil if the features have
	// none. d is 0 for a kind of points without features.
	Features() (d int, names []string)
	// Columns returns the points with the given features only, in this order. Columns count from 0. The new features
	// have the names that FeatureName returns for the old ones. Columns panics if the points have no features.
	Columns(cols []int) Points
	// Dense stores the first len(dst) ≤ d features of point i in dst.
	Dense(dst []float64, i int)
}

var (
	_ Points = Rows{}
	_ Points = Sparse{}
)

// MaxExponent bounds the magnitudes of features and of kernel values: they lie between 1e-100 and 1e100, so that their
// products neither overflow nor vanish.
const MaxExponent = 100

const smallestUsual, largestUsual = 1e-100, 1e100 // by MaxExponent
const noFeatures = "points: this kind of points has no features; pass points.Rows or points.Sparse"

// FeatureName returns the name of feature j, counted from 0. It returns "x1" for the first feature if x has no names.
func FeatureName(x Points, j int) string {
	if x != nil {
		if _, names := x.Features(); j < len(names) {
			return names[j]
		}
	}
	return fmt.Sprintf("x%d", j+1)
}

// Width returns the number of features of each point. It returns 0 for nil and for a kind of points without features.
func Width(x Points) int {
	if x == nil {
		return 0
	}
	d, _ := x.Features()
	return d
}

// WriteDigest writes parts to h, each after its length. A part is a string, []string, []int or []float64.
func WriteDigest(h io.Writer, parts ...any) {
	var b []byte
	put := func(v uint64) {
		if b = binary.LittleEndian.AppendUint64(b, v); len(b) >= 1<<16 {
			h.Write(b)
			b = b[:0]
		}
	}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			put(uint64(len(p)))
			b = append(b, p...)
		case []string:
			put(uint64(len(p)))
			for _, s := range p {
				put(uint64(len(s)))
				b = append(b, s...)
			}
		case []int:
			put(uint64(len(p)))
			for _, v := range p {
				put(uint64(v))
			}
		case []float64:
			put(uint64(len(p)))
			for _, v := range p {
				put(math.Float64bits(v))
			}
		default:
			panic(fmt.Sprintf("points: a %T in a digest", p))
		}
	}
	h.Write(b)
}

// Vectors returns the given columns of x as Rows or Sparse, all columns if columns is nil. The result may share the
// data of x. Points without features and invalid columns are an error.
func Vectors(x Points, columns []int) (Points, error) {
	d := Width(x)
	if d == 0 {
		return nil, fmt.Errorf("points: %T has no features; use points.Rows or points.Sparse", x)
	}
	switch x.(type) {
	case Sparse, Rows:
	default:
		x = ToRows(x)
	}
	if columns == nil {
		return x, nil
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("points: the list of columns is empty; use nil for all columns")
	}
	seen := map[int]bool{}
	for _, j := range columns {
		switch {
		case j < 0 || j >= d:
			return nil, fmt.Errorf("points: column %d of points with %d features; columns count from 0", j, d)
		case seen[j]:
			return nil, fmt.Errorf("points: column %d is named twice", j)
		}
		seen[j] = true
	}
	return x.Columns(columns), nil
}

// As returns x as points of kind P. If x is of another kind, the error names both kinds.
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

// Is reports whether x is points of kind P.
func Is[P Points](x Points) bool {
	_, ok := x.(P)
	return ok
}

// MustAs is As for points of a known kind. It panics instead of returning an error.
func MustAs[P Points](x Points) P {
	p, err := As[P](x)
	if err != nil {
		panic(err)
	}
	return p
}

// ToRows returns x as Rows. It copies x unless x is Rows already. It panics if x has no features.
func ToRows(x Points) Rows {
	if r, ok := x.(Rows); ok {
		return r
	}
	d, names := x.Features()
	if d == 0 {
		panic(fmt.Sprintf("points: %T has no features; pass points.Rows or points.Sparse", x))
	}
	r := Rows{N: x.Len(), D: d, Data: make([]float64, x.Len()*d), Names: names}
	for i := range r.N {
		x.Dense(r.Row(i), i)
	}
	return r
}

// AppendConstant returns the points of x, which is Rows or Sparse, with another feature that is 1 for each point.
func AppendConstant(x Points) Points {
	if s, ok := x.(Sparse); ok {
		return s.appendConstant()
	}
	return x.(Rows).appendConstant()
}

// CheckWidth returns an error if both x and the new points z have features, but not the same number of them.
func CheckWidth(x, z Points) error {
	d := Width(x)
	if got := Width(z); got != d && got > 0 && d > 0 {
		return fmt.Errorf("points: the new points have %d features, the fixed points have %d", got, d)
	}
	return nil
}

// columnNames returns the names of the given features.
func columnNames(x Points, cols []int) []string {
	names := make([]string, len(cols))
	for k, j := range cols {
		names[k] = FeatureName(x, j)
	}
	return names
}

// isFinite reports whether v is neither NaN nor infinite.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// notFinite returns the error for entry v in row i and column j, counted from 0.
func notFinite(x Points, i, j int, v float64) error {
	return fmt.Errorf("points: row %d, column %d (%s) is %g; use a finite number", i+1, j+1, FeatureName(x, j), v)
}

// checkMagnitudes returns an error if the largest magnitude of a feature is not 0 and outside 1e±100.
func checkMagnitudes(x Points, largest []float64) error {
	for j, v := range largest {
		if v > 0 && math.Abs(math.Log10(v)) > MaxExponent {
			return fmt.Errorf("points: the largest magnitude in column %d (%s) is %.2g, outside 1e±%d: rescale it",
				j+1, FeatureName(x, j), v, MaxExponent)
		}
	}
	return nil
}
