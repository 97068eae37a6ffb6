package kernel

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/mat"
)

// normalPoints returns n points of d standard normal features.
func normalPoints(r *rand.Rand, n, d int) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	return x
}

// TestSumGram checks derivatives of degree 1 by the base matrices, for w with zeros and without, and Mix.
func TestSumGram(t *testing.T) {
	const n, d, m = 521, 3, 4
	r := rand.New(rand.NewPCG(8, 9))
	x := normalPoints(r, n, d)
	list := List{RBF{Gamma: 40}, RBF{Gamma: 80}, Laplacian{Gamma: 9}, Linear{}}
	grams := list.Bind(x).(*sumGrams)
	at := func() *sumGram {
		g := grams.New().(*sumGram)
		g.SetTheta([]float64{0.7, 0, 1.3, 0.2})
		return g
	}
	a, b := at(), at()
	if !b.Mix(2, a, -1, a) || !mat.EqualApprox(b.K(), a.K(), 1e-14) {
		t.Error("2K − K is not K")
	}
	v, w := make([]float64, n), make([]float64, n)
	for i := range n {
		v[i] = r.NormFloat64()
		if w[i] = r.NormFloat64(); i%3 > 0 {
			w[i] = 0
		}
	}
	g, got, bound := at(), make([]float64, m), make([]float64, m)
	for _, p := range [][2][]float64{{w, w}, {v, v}, {v, w}, {w, v}, {w, slices.Clone(w)}} {
		g.BilinearGradient(got, p[0], p[1])
		g.GradientErrorBound(bound, w)
		for k := range m {
			full := unpackMatrix(grams.k[k], n)
			kw := make([]float64, n)
			linalg.SymMulVec(kw, full, p[1])
			want, size := linalg.Dot(p[0], kw), 0.0
			for i := range n {
				size += math.Abs(p[0][i]) * math.Abs(p[1][i]) * full.At(i, i)
			}
			if e := math.Abs(got[k] - want); e > 1e-12*(size+math.Abs(want)) || &p[0][0] == &w[0] &&
				&p[1][0] == &w[0] && e > 2*bound[k] {
				t.Errorf("kernel %d: vᵀKw = %g, want %g", k, got[k], want)
			}
		}
	}
}

// TestSmallSlice tests that a slice and a block of many points compute no base matrices of all points, which would take
// gigabytes, and that a slice of few points uses the matrices of all points.
func TestSmallSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n, isLarge := range map[int]bool{6000: true, 60: false} {
		x, rows, list := normalPoints(r, n, 3), make([]int, 30), List{}
		for i := range rows {
			rows[i] = n - 2*i - 1
		}
		for k := range 8 {
			list = append(list, RBF{Gamma: float64(k) + 0.5})
		}
		theta := []float64{1, 2, 3, 4, 5, 6, 7, 8}
		all := list.Bind(x).(*sumGrams)
		got, want := all.Slice(rows).New(), list.Bind(x.Slice(rows)).New()
		got.SetTheta(theta)
		want.SetTheta(theta)
		if !mat.EqualApprox(got.K(), want.K(), 1e-12) {
			t.Errorf("%d points: a slice is not that of these points alone", n)
		}
		block, wantBlock := mat.NewDense(10, 20, nil), mat.NewDense(10, 20, nil)
		all.Block(rows[:10], rows[10:]).StoreMatrix(block, theta)
		wantBlock.Copy(mat.DenseCopyOf(want.K()).Slice(0, 10, 10, 30))
		if !mat.EqualApprox(block, wantBlock, 1e-12) {
			t.Errorf("%d points: a block is not that of these points alone", n)
		}
		if areComputed := all.base.k != nil; areComputed == isLarge {
			t.Errorf("%d points: base matrices of all points are computed: %v", n, areComputed)
		}
	}
}

// TestStoredTriangleCount tests that StoredTriangleCount counts the memory that a Gram with K(θ) occupies, 4n² bytes
// each.
func TestStoredTriangleCount(t *testing.T) {
	const n = 700
	x := normalPoints(rand.New(rand.NewPCG(1, 2)), n, 2)
	kernels := List{RBF{Gamma: 1}, RBF{Gamma: 2}}
	for name, f := range map[string]Family{"list": kernels, "sum": Sum{Kernels: kernels, Degree: 2},
		"centered": Sum{Kernels: kernels, Center: true}, "Gaussians": Gaussians{}} {
		before := testenv.HeapBytes()
		grams := f.Bind(x)
		gram := grams.New()
		gram.SetTheta([]float64{0.5, 0.5})
		gram.K().Dense()
		triangles := (testenv.HeapBytes() - before) / (4 * n * n)
		if want := float64(grams.StoredTriangleCount()); math.Abs(triangles-want) > 0.2 {
			t.Errorf("%s: %.2f triangles are stored, StoredTriangleCount returns %g", name, triangles, want)
		}
		runtime.KeepAlive(grams)
		runtime.KeepAlive(gram)
	}
}

// TestFactors compares gradients by factors with doubled precision on the stored matrices: of kernels of one
// feature most are of low rank, and each error is within what GradientErrorBound says. The Gaussians of eight
// features have none.
func TestFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, d = 80, 8
	x := normalPoints(r, n, d)
	var kernels List
	for j := range d {
		for _, width := range []float64{0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20} {
			kernels = append(kernels, RBF{Gamma: 1 / (2 * width * width), Columns: []int{j}})
		}
		kernels = append(kernels, RBF{Gamma: 1 / float64(j+1)}, Polynomial{Degree: 3, Offset: 1, Columns: []int{j}})
	}
	rows := make([]int, 70)
	for i := range rows {
		rows[i] = (3 * i) % n
	}
	for name, f := range map[string]Sum{
		"list":       {Kernels: kernels},
		"normalized": {Kernels: kernels, Normalize: MeanDiagonal},
		"centered":   {Kernels: kernels, Center: true, Normalize: Cosine},
	} {
		for _, g := range []*sumGrams{f.Bind(x).(*sumGrams), f.Bind(x).(*sumGrams).slice(rows)} {
			m := len(f.Kernels)
			gram := g.New().(*sumGram)
			gram.SetTheta(slices.Repeat([]float64{1}, m))
			low := g.lowRankFactors(linalg.ThreadLimit(1))
			if low == nil {
				t.Fatalf("%s: no factors", name)
			}
			if have := m - len(low.unfactoredKernels); have == 0 || have == m {
				t.Errorf("%s: %d of %d have factors", name, have, m)
			}
			got, exact, bound := make([]float64, m), make([]float64, m), make([]float64, m)
			for range 5 {
				w := make([]float64, g.x.Len())
				for i := range w {
					w[i] = r.NormFloat64()
				}
				gram.Gradient(got, w)
				gram.EvaluateInDoubledPrecision(make([]float64, len(w)), exact, w)
				gram.GradientErrorBound(bound, w)
				other := append([]float64{}, w...)
				again := make([]float64, m)
				gram.BilinearGradient(again, other, w)
				for k := range got {
					if !(math.Abs(got[k]-exact[k]) <= bound[k]) || !(math.Abs(again[k]-exact[k]) <= bound[k]) {
						t.Errorf("%s: %s: %g and %g, exactly %g, within %.2g", name, g.Label(k), got[k], again[k],
							exact[k], bound[k])
					}
				}
			}
		}
	}
}

// TestPowers compares base matrices with exp(−γt) of the same t, in doubled precision as far as p·ε needs it, and asks
// for the same bits if a kernel is computed again alone. Whole ratios leave one exponential.
func TestPowers(t *testing.T) {
	const n, d = 150, 5
	r := rand.New(rand.NewPCG(5, 6))
	x := normalPoints(r, n, d)
	copy(x.Row(7), x.Row(90)) // a distance of 0
	for _, c := range []struct {
		exponentials int
		gammas       []float64
	}{
		{1, []float64{1. / 19, 0.3 / 19, 0.1 / 19, 10. / 19, 3. / 19}}, {4, []float64{1, math.Sqrt2, math.Pi, math.E}},
		{1, []float64{0.8, 0.1, 0.8, 0.1}}, {2, []float64{0.3, 0.6, math.Pi, 2 * math.Pi, 4 * math.Pi}},
	} {
		for _, absolute := range []bool{false, true} {
			var list List
			for _, g := range c.gammas {
				if absolute {
					list = append(list, Laplacian{Gamma: g / 3})
				} else {
					list = append(list, RBF{Gamma: g / 3})
				}
			}
			made := &entryComputer{kernels: list, x: x}
			s := &tileScratch{Scratch: design.Scratch{Threads: 1}}
			q := made.kernelGroups()[0]
			count := 0
			for _, m := range q.kernelPlans {
				if len(m.successivePowers) == 0 {
					count++
				}
			}
			if count != c.exponentials {
				t.Errorf("%v: %d exponentials, want %d", list, count, c.exponentials)
			}
			distances := make([]float64, n*n)
			made.fillTile(&q, distances, 0, n, 0, n, &s.Scratch)
			b := &baseMatrices{entryComputer: entryComputer{kernels: list, x: x}}
			for k, a := range b.packedMatrices(1) {
				lo, hi := bandRows, 2*bandRows
				made.visitKernelsOfTile(lo, hi, lo, n, func(l int) bool { return l == k }, s, func(_ int,
					tile []float64) {
					rows := packBand(make([]float64, packedOffset(n, hi)-packedOffset(n, lo)), tile, n, lo, hi)
					if !slices.Equal(rows, a[packedOffset(n, lo):packedOffset(n, hi)]) {
						t.Errorf("%v: other bits if kernel %d is computed alone", list, k)
					}
				})
				gamma, p := c.gammas[k]/3, made.exponents[k]
				worst := 0.0
				for i := range n {
					for j := i; j < n; j++ {
						x := gamma * distances[i*n+j]
						want := math.Exp(-x)
						want -= want * math.FMA(gamma, distances[i*n+j], -x) // what the product lost
						worst = max(worst, math.Abs(a[packedIndex(n, i, j)]-want))
					}
				}
				if !(worst <= float64(2*p+2)*linalg.Epsilon) {
					t.Errorf("%v: kernel %d, a power %d, is off by %.3gε", list, k, p, worst/linalg.Epsilon)
				}
			}
		}
	}
}

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

// TestShares tests that an image has the same bits on any number of threads; sums are many where they cost little
// memory.
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

// TestSweepStops tests that a context that has ended ends a sweep; what cannot be swept is refused.
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
