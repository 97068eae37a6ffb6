package kernel

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// TestSweep holds images to K_kw in 200 bits: K_k are the columns that the sweep itself makes, by unit vectors, which
// sums round nowhere, and normalizing by some ε; they are symmetric, and the matrices of other evaluations to rounding.
// Tiles are small, so that all their kinds occur.
func TestSweep(t *testing.T) {
	defer func(columns int) { tileColumns = columns }(tileColumns)
	tileColumns = 40
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, 64, 110} {
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = []float64{rng.NormFloat64(), 3 * rng.NormFloat64(), float64(rng.IntN(3))}
		}
		list := List{Linear{}, RBF{Gamma: 0.1}, RBF{Gamma: 0.2}, RBF{Gamma: 0.4}, RBF{Gamma: 0.33},
			Laplacian{Gamma: 0.5},
			Laplacian{Gamma: 1, Columns: []int{1}}, Polynomial{Degree: 2, Offset: 1},
			product{Kernels: List{Linear{}, RBF{Gamma: 1}}, Exponents: []int{1, 2}}}
		for _, normal := range []Normalization{None, MeanDiagonal, Cosine} {
			g := Sum{Kernels: list, Prepare: points.Preprocessing{points.Standardize},
				Normalize: normal}.Bind(points.NewRows(rows))
			if n == 7 {
				g = g.Slice([]int{3, 1, 4, 1, 5})
			}
			few := 0.01
			if normal == None {
				few = 0
			}
			checkSweep(t, g, few, rng)
		}
	}
}

func checkSweep(t *testing.T, g Grams, few float64, rng *rand.Rand) {
	t.Helper()
	s, err := g.(Swept).Sweep()
	if err != nil {
		t.Fatal(err)
	}
	m, n := g.Dims()
	matrix := func() [][]float64 {
		a := make([][]float64, m)
		for k := range a {
			a[k] = make([]float64, n)
		}
		return a
	}
	columns := make([][][]float64, n)
	w := make([]float64, n)
	for j := range w {
		columns[j] = matrix()
		w[j] = 1
		if err := s.Products(context.Background(), columns[j], w); err != nil {
			t.Fatal(err)
		}
		w[j] = 0
	}
	diag, shifts := matrix(), make([]float64, m)
	s.StoreDiagonals(diag, shifts)
	for i := range w {
		w[i] = rng.NormFloat64()
	}
	got, e := matrix(), s.ErrorFactor()
	if err := s.Products(context.Background(), got, w); err != nil {
		t.Fatal(err)
	}
	for k := range m {
		theta := make([]float64, m)
		theta[k] = 1
		gram := g.New()
		gram.SetTheta(theta)
		size := 0.0
		for j, v := range w {
			size += math.Sqrt(diag[k][j]) * math.Abs(v)
		}
		for i := range n {
			sum := new(big.Float).SetPrec(200)
			for j, v := range w {
				a := columns[j][k][i]
				near := 1e-13 * math.Sqrt(diag[k][i]*diag[k][j])
				if b := columns[i][k][j]; !(math.Abs(a-b) <= few*near) {
					t.Fatalf("kernel %d: entry %d, %d is %g, and %g the other way", k, i, j, a, b)
				}
				if want := gram.K().At(i, j); !(math.Abs(a-want) <= near) {
					t.Fatalf("kernel %d of %d points: entry %d, %d is %g, want %g", k, n, i, j, a, want)
				}
				sum.Add(sum, new(big.Float).Mul(big.NewFloat(a).SetPrec(200), big.NewFloat(v)))
			}
			if a := columns[i][k][i]; !(math.Abs(a-diag[k][i]) <= 1e-13*diag[k][i]) {
				t.Errorf("kernel %d: diagonal %g, want %g", k, diag[k][i], a)
			}
			exact, _ := sum.Float64()
			if d := math.Abs(got[k][i] - exact); !(d <= (e+few*1e-13)*math.Sqrt(diag[k][i])*size) {
				t.Errorf("kernel %d: image %g, want %g: the error %g is above its bound", k, got[k][i], exact, d)
			}
		}
		gram.Release()
	}
}

// TestShares: an image has the same bits on any number of threads; sums are many where they cost little memory.
func TestShares(t *testing.T) {
	const n = 45*64 + 3 // more bands than shares
	rng := rand.New(rand.NewPCG(1, 2))
	x, w := points.Rows{N: n, D: 1, Data: make([]float64, n)}, make([]float64, n)
	for i := range w {
		x.Data[i], w[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	var want []float64
	for threads := 1; threads <= 3; threads++ {
		s, err := List{RBF{Gamma: 1}}.Bind(x).WithThreads(threads).(Swept).Sweep()
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, n)
		if err := s.Products(t.Context(), [][]float64{got}, w); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("other bits with %d threads", threads)
		}
	}
	if got := countPartialSums(countTiles(20_000, 64), 8*20_000); got != maxPartialSums {
		t.Errorf("of 20,000 points and 8 kernels there are %d sums, want %d", got, maxPartialSums)
	}
}

// TestSweepStops: a context that has ended ends a sweep; what cannot be swept is refused.
func TestSweepStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := List{RBF{Gamma: 1}}.Bind(points.NewRows([][]float64{{1}, {2}})).(Swept).Sweep()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Products(ctx, [][]float64{make([]float64, 2)}, []float64{1, 1}); err != context.Canceled {
		t.Errorf("error %v, want that of the context", err)
	}
	square := Sum{Kernels: List{Linear{}}, Degree: 2}.Bind(points.NewRows([][]float64{{1}, {2}}))
	if _, err := square.(Swept).Sweep(); err == nil {
		t.Error("a sweep of a square")
	}
}
