package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// The slow way to everything: rows of numbers, loops, textbook formulas. It shares no code with the
// package, and it looks at new points (z) by what it learns of the fixed ones (x).

func toRows(x points.Rows) [][]float64 {
	out := make([][]float64, x.N)
	for i := range out {
		out[i] = append([]float64{}, x.Row(i)...)
	}
	return out
}

func column(x [][]float64, j int) []float64 {
	c := make([]float64, len(x))
	for i := range x {
		c[i] = x[i][j]
	}
	return c
}

func moments(v []float64) (mean, sd, low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, e := range v {
		mean += e / float64(len(v))
		low, high = min(low, e), max(high, e)
	}
	for _, e := range v {
		sd += (e - mean) * (e - mean) / float64(len(v))
	}
	return mean, math.Sqrt(sd), low, high
}

// slowPrepare fits p to x and returns x and z prepared.
func slowPrepare(p points.Preprocessing, x, z [][]float64) (_, _ [][]float64) {
	for _, step := range p {
		shift, scale := make([]float64, len(x[0])), make([]float64, len(x[0]))
		for j := range shift {
			mean, sd, low, high := moments(column(x, j))
			scale[j] = 1
			flat := high-low < 1e-12
			switch step {
			case points.MinMax:
				shift[j], scale[j] = low, 1/(high-low)
			case points.MaxAbs:
				scale[j] = 1 / max(high, -low)
				flat = high == 0 && low == 0
			case points.CenterColumns:
				shift[j] = mean
			case points.Standardize:
				shift[j], scale[j] = mean, 1/sd
			default:
				flat = false
			}
			if flat {
				scale[j] = 0
			}
		}
		f := func(rows [][]float64) [][]float64 {
			out := make([][]float64, len(rows))
			for i, row := range rows {
				out[i] = make([]float64, len(row))
				mean, _, low, high := moments(row)
				norm := 0.0
				for _, v := range row {
					norm += v * v
				}
				for j, v := range row {
					switch step {
					case points.CenterRows:
						if high-low > 1e-12 {
							out[i][j] = v - mean
						}
					case points.UnitRows:
						if norm > 0 {
							out[i][j] = v / math.Sqrt(norm)
						}
					default:
						out[i][j] = (v - shift[j]) * scale[j]
					}
				}
			}
			return out
		}
		x, z = f(x), f(z)
	}
	return x, z
}

func slowKernel(k kernel.Kernel, a, b []float64) float64 {
	var columns []int
	switch k := k.(type) {
	case kernel.Linear:
		columns = k.Columns
	case kernel.Polynomial:
		columns = k.Columns
	case kernel.RBF:
		columns = k.Columns
	case kernel.Laplacian:
		columns = k.Columns
	}
	if columns == nil {
		for j := range a {
			columns = append(columns, j)
		}
	}
	dot, square, absolute := 0.0, 0.0, 0.0
	for _, j := range columns {
		dot += a[j] * b[j]
		square += (a[j] - b[j]) * (a[j] - b[j])
		absolute += math.Abs(a[j] - b[j])
	}
	switch k := k.(type) {
	case kernel.Linear:
		return dot
	case kernel.Polynomial:
		return math.Pow(k.Gamma*dot+k.Offset, float64(k.Degree))
	case kernel.RBF:
		return math.Exp(-k.Gamma * square)
	case kernel.Laplacian:
		return math.Exp(-k.Gamma * absolute)
	}
	panic("unknown kernel")
}

// slowSum centers in feature space by the definition ⟨φ(z) − φ̄, φ(x) − φ̄⟩, φ̄ the mean over x.
func slowSum(f kernel.Sum, x, z [][]float64, theta []float64) [][]float64 {
	x, z = slowPrepare(f.Prepare, x, z)
	out := make([][]float64, len(z))
	for i := range z {
		out[i] = make([]float64, len(x))
	}
	n := float64(len(x))
	for t, k := range f.Kernels {
		grandMean := 0.0
		for _, c := range x {
			for _, d := range x {
				grandMean += slowKernel(k, c, d) / (n * n)
			}
		}
		centered := func(a, b []float64) float64 {
			v := slowKernel(k, a, b)
			if f.Center {
				v += grandMean
				for _, c := range x {
					v -= (slowKernel(k, a, c) + slowKernel(k, c, b)) / n
				}
			}
			return v
		}
		mean := 0.0
		for _, c := range x {
			mean += centered(c, c) / n
		}
		for i := range z {
			for j := range x {
				v := centered(z[i], x[j])
				switch f.Normalize {
				case kernel.Cosine:
					if a, b := centered(z[i], z[i]), centered(x[j], x[j]); a < 1e-10 || b < 1e-10 {
						v = 0
					} else {
						v /= math.Sqrt(a * b)
					}
				case kernel.MeanDiagonal:
					if mean < 1e-10 {
						v = 0
					} else {
						v /= mean
					}
				}
				out[i][j] += theta[t] * v
			}
		}
	}
	for i := range out {
		for j, v := range out[i] {
			out[i][j] = math.Pow(v, float64(max(f.Degree, 1)))
		}
	}
	return out
}

// against compares K and Cross of f with slowSum.
func against(t *testing.T, f kernel.Sum) {
	t.Helper()
	x, z := dense(9, 4, 1), dense(5, 4, 2)
	z.Data[0] = 7
	r := rand.New(rand.NewPCG(1, 1))
	g := f.Bind(x)
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	m, n := g.Dims()
	theta := make([]float64, m)
	for k := range theta {
		theta[k] = r.Float64()
	}
	k := g.New()
	k.SetTheta(theta)
	compare(t, fmt.Sprintf("%+v: K", f), k.K(), slowSum(f, toRows(x), toRows(x), theta))
	c := mat.NewDense(5, n, nil)
	g.Cross(z).StoreMatrix(c, theta)
	compare(t, fmt.Sprintf("%+v: Cross", f), c, slowSum(f, toRows(x), toRows(z), theta))
}

func compare(t *testing.T, what string, got mat.Matrix, want [][]float64) {
	t.Helper()
	top := 1.0
	for _, row := range want {
		for _, v := range row {
			top = max(top, math.Abs(v))
		}
	}
	for i, row := range want {
		for j, v := range row {
			if d := math.Abs(got.At(i, j) - v); !(d <= 1e-11*top) {
				t.Errorf("%s: [%d,%d] is %.15g, want %.15g", what, i, j, got.At(i, j), v)
				return
			}
		}
	}
}

// TestFeaturesAreASum tests that Features are the Sum of one linear kernel for each feature.
func TestFeaturesAreASum(t *testing.T) {
	x, z := dense(9, 4, 1), dense(5, 4, 2)
	theta := []float64{0.3, 0, 1.2, 0.7}
	var list kernel.List
	for k := range theta {
		list = append(list, kernel.Linear{Columns: []int{k}})
	}
	for d := range 5 {
		for _, p := range preparations {
			want := cross(t, kernel.Sum{Kernels: list, Degree: d, Prepare: p}, x, z, theta)
			got := cross(t, kernel.Features{Degree: d, Prepare: p}, x, z, theta)
			if !mat.EqualApprox(got, want, 1e-11*(1+mat.Norm(want, math.Inf(1)))) {
				t.Errorf("degree %d, %v: %v, want %v", d, p, mat.Formatted(got), mat.Formatted(want))
			}
		}
	}
}

func TestSumAgainstTheFormula(t *testing.T) {
	bases := kernel.List{
		kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.Linear{Columns: []int{2, 1}},
		kernel.Polynomial{Degree: 3, Gamma: 0.5, Offset: 1}, kernel.Laplacian{Gamma: 0.4}, kernel.RBF{Gamma: 2},
		kernel.Laplacian{Gamma: 1, Columns: []int{3}},
	}
	for d := range 5 {
		for _, p := range preparations {
			for _, center := range []bool{false, true} {
				for _, normal := range []kernel.Normalization{kernel.None, kernel.Cosine, kernel.MeanDiagonal} {
					against(t, kernel.Sum{Kernels: bases, Degree: d, Prepare: p, Center: center, Normalize: normal})
				}
			}
		}
	}
}
