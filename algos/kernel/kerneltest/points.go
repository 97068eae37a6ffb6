package kerneltest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
)

func (s *suite) checkCross() {
	_, err := s.g.CheckNewPoints(s.x)
	if !s.expect(err == nil, "CheckNewPoints returns an error for the bound points: %v", err) {
		return
	}
	theta := s.randomTheta()
	k := denseMatrixAt(s.g, theta)
	s.expectNear("Cross at the bound points = K", crossEntries(s.g.Cross(s.x), theta, s.n, s.n), k, 0)
	rows := []int{3, 0, 3, s.n - 1}
	var expected []float64
	for _, r := range rows {
		expected = append(expected, k[r*s.n:(r+1)*s.n]...)
	}
	cross := s.g.Cross(s.x.Slice(rows))
	s.expectNear("Cross at some of the bound points = rows of K", crossEntries(cross, theta, len(rows), s.n), expected,
		maxAbs(k))
	cross.StoreMatrix(mat.NewDense(len(rows), s.n, nil), s.randomTheta())
	s.expectNear("Cross at θ, after a call at another θ, = rows of K(θ)", crossEntries(cross, theta, len(rows), s.n),
		expected, maxAbs(k))
	s.expectNear("Cross at bound point 2 = row 2 of K", crossEntries(s.g.Cross(s.x.Slice([]int{2})), theta, 1, s.n),
		k[2*s.n:3*s.n], maxAbs(k))
}

// crossEntries returns the l×n numbers of c at theta, row by row.
func crossEntries(c kernel.Cross, theta []float64, l, n int) []float64 {
	// A view with a longer stride: dst need not be contiguous.
	d := mat.NewDense(l, n+3, nil)
	c.StoreMatrix(d.Slice(0, l, 1, n+1).(*mat.Dense), theta)
	entries := make([]float64, 0, l*n)
	for i := range l {
		entries = append(entries, d.RawRowView(i)[1:n+1]...)
	}
	return entries
}

func (s *suite) checkSlices() {
	theta := s.randomTheta()
	for _, rows := range [][]int{{4, 1, 0, 5}, {0, 2, 2, 3, 1}, points.AllIndices(s.n)[1:]} {
		t := s.g.Slice(rows)
		u := s.f.Bind(s.x.Slice(rows))
		m, n := t.Dims()
		s.expect(m == s.m && n == len(rows), "after Slice of %d rows, Dims returns %d parameters and %d points",
			len(rows), m, n)
		s.expect(t.Label(m-1) == s.g.Label(m-1), "Slice has the label %q, want %q", t.Label(m-1), s.g.Label(m-1))
		want := denseMatrixAt(u, theta)
		s.expectNear("K of Slice = K of Bind(x[rows])", denseMatrixAt(t, theta), want, 0)
		w := s.randomVector(n)
		s.expectNear("Gradient of Slice = Gradient of Bind(x[rows])", formGradientAt(t, theta, w),
			formGradientAt(u, theta, w), 0)
		s.expect(t.Degree() == s.g.Degree() && t.Validate() == nil, "Slice has degree %d, want %d; its Validate "+
			"returns %v",
			t.Degree(), s.g.Degree(), t.Validate())
		subrows := []int{2, 0, 1}
		directGrams := s.f.Bind(s.x.Slice(points.Pick(rows, subrows)))
		s.expectNear("K of a Slice of a Slice", denseMatrixAt(t.Slice(subrows), theta),
			denseMatrixAt(directGrams, theta), maxAbs(want))
		s.checkBlockEqualsCross("Block of a Slice", t, rows, []int{0, 3, 1}, subrows, theta)
	}
	s.checkBlockEqualsCross("Block", s.g, points.AllIndices(s.n), []int{5, 0, 2}, []int{1, 3, 4, 2}, theta)
}

// checkBlockEqualsCross checks that g.Block(rows, cols) equals Cross of the family when Bind gets only the points cols.
// rows and cols index the points of g, which are the points pointIndices of the suite.
func (s *suite) checkBlockEqualsCross(label string, g kernel.Grams, pointIndices, rows, cols []int, theta []float64) {
	got := crossEntries(g.Block(rows, cols), theta, len(rows), len(cols))
	columnGrams := s.f.Bind(s.x.Slice(points.Pick(pointIndices, cols)))
	s.expectNear(label+" = Cross after Bind(x[cols])", got,
		crossEntries(columnGrams.Cross(s.x.Slice(points.Pick(pointIndices, rows))), theta, len(rows), len(cols)),
		maxAbs(got))
}

func (s *suite) checkPointOrder() {
	p := s.random.Perm(s.n)
	theta := s.randomTheta()
	want := submatrix(denseMatrixAt(s.g, theta), s.n, p)
	s.expectNear("K of permuted points", denseMatrixAt(s.f.Bind(s.x.Slice(p)), theta), want, 0)
}

func (s *suite) checkValidation() {
	s.expect(s.g.Validate() == nil, "%v", s.g.Validate())
	for _, bad := range damagedCopies(s.x) {
		g := s.f.Bind(bad)
		g.Dims()
		s.expect(g.Validate() != nil, "accepts %v", bad)
	}
	theta := s.drawTheta(rand.New(rand.NewPCG(4, 8)), s.m)
	if isConstant(denseMatrixAt(s.g, theta)) {
		return
	}
	words := points.Sequences(strings.Fields(strings.Repeat("ACGT GATTACA TTA ", s.n)))[:s.n]
	for _, other := range []points.Points{points.AllIndices(s.n), words} {
		g := s.f.Bind(other)
		if reflect.TypeOf(other) == reflect.TypeOf(s.x) || g.Validate() != nil {
			continue
		}
		m, _ := g.Dims()
		s.expect(m != s.m || !isConstant(denseMatrixAt(g, theta)), "accepts %T, which have no features, but all "+
			"entries of K are equal there; refuse points of which the family uses nothing (points.FeatureCount)", other)
	}
}

// isConstant reports whether all numbers are equal up to rounding.
func isConstant(k []float64) bool { return floats.Max(k)-floats.Min(k) <= tolerance*maxAbs(k) }

// damagedCopies returns copies of x that are changed so that no family may accept them, and nil.
func damagedCopies(x points.Points) []points.Points {
	var out []points.Points
	switch x := clonePoints(x).(type) {
	case points.Rows:
		x.Data[len(x.Data)/2] = math.NaN()
		out = append(out, x, points.Rows{D: x.D})
	case points.Sparse:
		if len(x.Val) > 0 {
			x.Val[len(x.Val)/2] = math.NaN()
			out = append(out, x)
		}
		out = append(out, points.Sparse{D: x.D, Ptr: []int{0}})
	case points.Indices:
		x[len(x)/2] = -1
		out = append(out, x, points.Indices{})
	case points.Sequences:
		x[len(x)/2] = "A-C"
		out = append(out, x, points.Sequences{})
	}
	return append(out, nil)
}

func (s *suite) checkMarshaledCopies() {
	f, isFamilyRestored := marshalAndUnmarshal(s, s.f)
	x, arePointsRestored := marshalAndUnmarshal(s, s.x)
	if !isFamilyRestored || !arePointsRestored {
		return
	}
	s.expect(reflect.DeepEqual(f, s.f), "package registry restored %#v, want %#v", f, s.f)
	theta := s.randomTheta()
	s.expect(slices.Equal(denseMatrixAt(f.Bind(x), theta), denseMatrixAt(s.g, theta)),
		"K(θ) of the restored family differs")
}

// marshalAndUnmarshal stores v as text and returns what package registry reads from it. ok is false after an error.
func marshalAndUnmarshal[T any](s *suite, v T) (restored T, ok bool) {
	encoded, err := registry.Marshal(v)
	if err == nil {
		restored, err = registry.Unmarshal[T](encoded)
	}
	return restored, s.expect(err == nil, "%v", err)
}
