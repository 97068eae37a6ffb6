package similarity_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

// gramOf draws vec K, K ⪰ 0.
func gramOf(r *rand.Rand, m int) []float64 {
	n := int(math.Round(math.Sqrt(float64(m))))
	x := mat.NewDense(n, n, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, x)
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1/float64(n), x)
	return similarity.Vec(k)
}

func TestLearned(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := similarity.Vec(draw(rng, 9, 9, 1))
	x := points.Indices{4, 0, 7, 2, 2, 8, 5}
	kerneltest.TestFamily(t, similarity.Learned{N: 9}, x, kerneltest.Draw(gramOf))
	kerneltest.TestFamily(t, similarity.Learned{Name: "s", N: 9, S: s, Rcond: 1e-3}, x, kerneltest.Draw(gramOf))
	// An inductive K is between the points bound, in their order: parts that take θ to others do not apply.
	kerneltest.TestFamily(t, similarity.Learned{N: 9, S: s, Inductive: true}, points.Indices{4, 0, 7, 2, 8, 5},
		kerneltest.Draw(gramOf), kerneltest.Without("sliced", "order", "concurrent"))
}

// TestLearnedMeets: places that are in K are read from it, others are K S⁺ s.
func TestLearnedMeets(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n, l = 8, 3
	all := draw(rng, n+l, n+l, 1)
	x := points.AllIndices(n)
	theta := gramOf(rng, n*n)
	f := similarity.Learned{Name: "score", N: n + l, S: similarity.Vec(all), Inductive: true}
	g := f.On(x)
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	train, new := mat.NewSymDense(n, nil), mat.NewDense(l, n, nil)
	for i := range n {
		for j := range i + 1 {
			train.SetSym(i, j, all.At(i, j))
		}
		for r := range l {
			new.Set(r, i, all.At(n+r, i))
		}
	}
	s := must(similarity.Decompose(train))
	rule := must(s.Map(mat.NewSymDense(n, slices.Clone(theta)), 0))
	want := must(rule.Cross(new))
	got := mat.NewDense(l+1, n, nil)
	g.Cross(points.Indices{n, 3, n + 1, n + 2}).Gram(got, theta)
	for i, r := range []int{0, -1, 1, 2} {
		for j := range n {
			w := theta[3*n+j]
			if r >= 0 {
				w = want.At(r, j)
			}
			if math.Abs(got.At(i, j)-w) > 1e-12 {
				t.Errorf("new point %d meets point %d with %g, want %g", i, j, got.At(i, j), w)
			}
		}
	}
	// the same as rows of similarities, of a family of the training points alone
	f = similarity.Learned{Name: "score", N: n, S: similarity.Vec(train)}
	z := points.KernelRows{N: n, Names: []string{"score"}, Data: [][]float64{new.RawMatrix().Data}}
	for _, f.Inductive = range []bool{true, false} {
		g = f.On(x)
		if _, err := g.CheckNew(z); err != nil {
			t.Fatal(err)
		}
		got = mat.NewDense(l, n, nil)
		g.Cross(z).Gram(got, theta)
		if d := distance(got, want); d > 1e-12 {
			t.Errorf("inductive %v: rows of similarities meet the points bound with an error of %g", f.Inductive, d)
		}
	}
	for _, c := range []struct {
		want string
		f    similarity.Learned
		z    points.Points
	}{
		{"needs S", similarity.Learned{N: n}, z},
		{"to 8 points, S is of 11", similarity.Learned{Name: "score", N: n + l, S: similarity.Vec(all)}, z},
		{`named "other"`, similarity.Learned{Name: "other", N: n, S: similarity.Vec(train)}, z},
		{"place 8", similarity.Learned{N: n}, points.Indices{0, n}},
		{"points.Rows", similarity.Learned{N: n}, points.Rows{N: 1, D: 1, Data: []float64{0}}},
	} {
		if _, err := c.f.On(x).CheckNew(c.z); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
}

func TestLearnedValidate(t *testing.T) {
	nan := []float64{0, 1, math.NaN(), 2}
	for _, c := range []struct {
		want string
		f    similarity.Learned
		x    points.Points
	}{
		{"0 points", similarity.Learned{}, points.Indices{0}},
		{"1000000000 points", similarity.Learned{N: 1e9}, points.Indices{0}},
		{"rcond = 1", similarity.Learned{N: 2, Rcond: 1}, points.Indices{0}},
		{"without S", similarity.Learned{N: 2, Inductive: true}, points.Indices{0}},
		{"3 numbers; it must have 2 rows of 2", similarity.Learned{N: 2, S: nan[:3]}, points.Indices{0}},
		{"row 2, column 1 is NaN", similarity.Learned{N: 2, S: nan}, points.Indices{0}},
		{"not symmetric: 2 in row 2, column 1, but 1", similarity.Learned{N: 2, S: []float64{0, 1, 2, 0}},
			points.Indices{0}},
		{"place 2", similarity.Learned{N: 2}, points.Indices{0, 2}},
		{"points.Rows", similarity.Learned{N: 2}, points.Rows{}},
	} {
		g := c.f.On(c.x)
		g.Dims()
		if err := g.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
	if _, err := (similarity.Learned{N: 2, S: make([]float64, 4),
		Inductive: true}).On(points.AllIndices(2)).Freeze(); err == nil {
		t.Error("an inductive kernel can do without some of its points")
	}
	if err := errors.Join(similarity.Learned{N: 1 << 15}.Validate(),
		similarity.Learned{N: 2, S: []float64{0, 1, 1 + 1e-12, 0}}.Validate()); err != nil {
		t.Error(err)
	}
}

// TestLearnedAccuracy: K + δI ⪰ 0 for a θ that is positive semidefinite to rounding.
func TestLearnedAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		v := mat.NewVecDense(12, nil)
		k := mat.NewSymDense(12, nil)
		for range 3 { // rank 3
			for i := range 12 {
				v.SetVec(i, rng.NormFloat64())
			}
			k.SymRankOne(k, 1, v)
		}
		g := similarity.Learned{N: 12}.On(points.Indices{0, 3, 3, 3, 11, 7}).New()
		g.At(similarity.Vec(k))
		u, shift, _ := g.(kernel.ErrorBounded).Bounds()
		if u != 0 || !(shift > 0) || shift > 1e-10 {
			t.Errorf("accuracy %g, shift %g", u, shift)
		}
		if l, _ := linalg.Eigen(g.K().Dense(), false); l[0] < -shift {
			t.Errorf("least eigenvalue %g, below −%g", l[0], shift)
		}
	}
}

// TestInductiveSlice: a slice is a family of its own points, and Block that family meeting others.
func TestInductiveSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	f := similarity.Learned{N: 9, S: similarity.Vec(draw(rng, 9, 9, 1)), Inductive: true}
	x := points.Indices{4, 0, 7, 2, 8, 5}
	g := f.On(x)
	rows, cols := []int{1, 2}, []int{3, 0, 5}
	theta := gramOf(rng, 9)
	for _, s := range []kernel.Grams{g.Slice(cols), f.On(points.Indices{2, 4, 5})} {
		if m, n := s.Dims(); m != 9 || n != 3 {
			t.Fatalf("%d parameters on %d points, want 9 on 3", m, n)
		}
		k := s.New()
		k.At(theta)
		if k.K().At(1, 2) != theta[5] {
			t.Errorf("K[2,3] = %g, want %g", k.K().At(1, 2), theta[5])
		}
		got, want := mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil)
		g.Block(rows, cols).Gram(got, theta)
		s.Cross(points.Indices{0, 7}).Gram(want, theta)
		if distance(got, want) != 0 {
			t.Error("Block is not Cross of the slice")
		}
	}
}
