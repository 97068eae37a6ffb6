package mkl

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// TestSubspaceRounding holds f and its norm to Σ_kθ_kK_kv_k and Σ_kθ_kv_kᵀK_kv_k in 512 bits, K_k the columns that the
// sweep makes: of one landmark and of many, points that repeat, kernels of different scale, enrichments that nearly
// depend on earlier ones, small λ.
func TestSubspaceRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	const n = 150
	for _, landmarks := range []int{1, 30} {
		for _, lambda := range []float64{1e-6, 1} {
			x, y := points.Rows{N: n, D: 2, Data: make([]float64, 2*n)}, make([]float64, n)
			for i := range n {
				copy(x.Row(i), []float64{rng.NormFloat64(), 30 * rng.NormFloat64()})
				if i%5 == 4 {
					copy(x.Row(i), x.Row(i-1))
				}
				y[i] = math.Sin(3*x.Row(i)[0]) + rng.NormFloat64()
			}
			list := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Polynomial{Degree: 2, Offset: 1},
				kernel.Laplacian{Gamma: 0.05}}
			p := &Problem{Grams: list.Bind(x), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
			checkRounding(t, must(p.MatrixFree()), landmarks, lambda, rng)
		}
	}
}

func checkRounding(t *testing.T, p *Problem, landmarks int, lambda float64, rng *rand.Rand) {
	g := p.Grams.(*matrixFree)
	m, n := g.Dims()
	columns := sweptColumns(g)
	run := Subspace{Landmarks: landmarks}.Start(p).(*subspace)
	v := must(newSpaces(context.Background(), g, run.landmarks, 1, lambda, 0))
	theta := make([]float64, m)
	p.Set.Start(theta)
	of := newRestricted(p, v, theta)
	c := of.columns[0]
	for step := range 6 {
		if err := of.solve(context.Background(), 1e-9); err != nil {
			t.Fatal(err)
		}
		of.computeResiduals(c)
		f := c.f
		norm, normOff, off := of.functionNorm(c)
		checkSizes(t, v)
		left, form := make([]*big.Float, n), wide(-norm)
		for i := range left {
			left[i] = wide(-f[i])
		}
		for k, s := range of.theta {
			if s == 0 {
				continue
			}
			u, _, _ := of.combineCoordinates(c, k)
			all := make([]*big.Float, n)
			for i := range all {
				all[i] = wide(0)
				for a, alpha := range v.alphas {
					all[i].Add(all[i], wide(0).Mul(wide(u[landmarks+a]), wide(alpha[i])))
				}
			}
			for j, z := range v.landmarks {
				all[z].Add(all[z], wide(u[j]))
			}
			for i := range left {
				value := wide(0)
				for j, a := range all {
					value.Add(value, wide(0).Mul(wide(columns[j][k][i]), a))
				}
				value.Mul(value, wide(s))
				left[i].Add(left[i], value)
				form.Add(form, value.Mul(value, all[i]))
			}
		}
		for i, d := range left {
			if d, _ := d.Float64(); !(math.Abs(d) <= off[i]) {
				t.Errorf("%d landmarks, λ = %g, step %d: value %d is off by %g, bound %g", landmarks, lambda, step, i,
					d, off[i])
			}
		}
		if d, _ := form.Float64(); !(math.Abs(d) <= normOff) {
			t.Errorf("%d landmarks, λ = %g, step %d: norm is off by %g, bound %g", landmarks, lambda, step, d, normOff)
		}
		alpha := make([]float64, n)
		for i, y := range p.Y {
			if alpha[i] = (y - f[i]) / lambda; step == 2 {
				alpha[i] = v.alphas[0][i] * (1 + 1e-3*rng.NormFloat64())
			}
		}
		gram := g.New().(*matrixFreeGram)
		gram.At(of.theta)
		v.addImages(alpha, gram.storedImages(alpha))
	}
}

// checkSizes holds sizes and errors of coordinates to those of the images that they are sums of.
func checkSizes(t *testing.T, v *spaces) {
	t.Helper()
	g := v.g
	r := len(v.landmarks)
	for l, k := range v.kernelOf {
		size := 0.0 // of Σ_j|v_j||K_k,·j|, over √K_k,ii
		for j, a := range v.v[l] {
			if j < r {
				size += math.Abs(a) * math.Sqrt(g.diagonals[k][v.landmarks[j]])
			} else {
				size += math.Abs(a) * g.diagonalNorms(v.alphas[j-r])[k]
			}
		}
		least := size * (1 - 1e-9)
		if !(v.size[l] >= least && v.valueErr[l] >= (g.sweep.Error()+4*linalg.Epsilon)*least) {
			t.Errorf("coordinate %d: size %g and error %g, of images of size %g", l, v.size[l], v.valueErr[l], size)
		}
	}
}

// TestRestricted holds gradient and Hessian of the restricted problem to differences, before and after an enrichment,
// of one and two columns, and the step on its model to the least of it on a simplex. Coordinates are orthonormal, and
// the same image adds none.
func TestRestricted(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	const n, lambda = 40, 0.1
	x, y := normal(rng, n, 2), make([]float64, 2*n)
	for i := range y {
		y[i] = math.Sin(3*x.Row(i % n)[0]+float64(i/n)) + rng.NormFloat64()
	}
	list := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 2}, kernel.Laplacian{Gamma: 1}}
	p := &Problem{Grams: list.Bind(x), Set: set.Simplex{}}
	for columns := 1; columns <= 2; columns++ {
		p.Loss, p.Y = loss.Repeat(loss.Squared{Lambda: lambda}, columns), y[:columns*n]
		checkRestricted(t, p)
	}
}

func checkRestricted(t *testing.T, p *Problem) {
	t.Helper()
	p = must(p.MatrixFree())
	g := p.Grams.(*matrixFree)
	lambda, _ := ridgeLambda(p.Loss)
	v := must(newSpaces(context.Background(), g, []int{3, 1, 4, 15, 9, 2, 6}, p.columnCount(), lambda, 0))
	theta := []float64{0.5, 0.2, 0.3}
	of := newRestricted(p, v, theta)
	at := func(k int, by float64) (value float64, grad []float64) {
		near := []float64{theta[0], theta[1], theta[2]}
		near[k] += by
		if err := of.solveAt(near); err != nil {
			t.Fatal(err)
		}
		return of.value, of.gradient()
	}
	for range 2 {
		name := fmt.Sprintf("%v, %d coordinates", p.Loss, len(v.kernelOf))
		if err := of.addCoordinates(t.Context()); err != nil {
			t.Fatal(err)
		}
		value, grad := at(0, 0)
		h := of.hessian()
		const by = 1e-5
		for k := range theta {
			above, gradAbove := at(k, by)
			below, gradBelow := at(k, -by)
			if d := (above - below) / (2 * by); !(math.Abs(d-grad[k]) <= 1e-7*math.Abs(grad[k])) {
				t.Errorf("%s: derivative %d is %g, want %g", name, k, grad[k], d)
			}
			for j := range theta {
				d := (gradAbove[j] - gradBelow[j]) / (2 * by)
				if !(math.Abs(d-h.At(j, k)) <= 1e-7*math.Abs(h.At(k, k))) {
					t.Errorf("%s: second derivative %d, %d is %g, want %g", name, j, k, h.At(j, k), d)
				}
			}
		}
		d, slope := newtonStep(p.Set, theta, grad, h), make([]float64, len(theta))
		linalg.SymMulVec(slope, h, d)
		least, here := math.Inf(1), 0.0
		for k := range slope {
			slope[k] += grad[k]
			least = math.Min(least, slope[k])
			here += (theta[k] + d[k]) * slope[k]
		}
		if !(here-least <= 1e-9*math.Abs(least)) { // ⟨slope, θ + d⟩ is the least on the simplex
			t.Errorf("%s: the step leaves %g", name, here-least)
		}
		at(0, 0)
		sum, alphas := 0.0, []float64(nil)
		for _, c := range of.columns {
			of.computeResiduals(c)
			sum += floats.Dot(c.u, c.u)/2 + floats.Dot(c.residuals, c.residuals)/(2*lambda)
			for _, r := range c.residuals {
				alphas = append(alphas, r/lambda)
			}
		}
		if !(math.Abs(sum-value) <= 1e-12*value) {
			t.Errorf("%s: value %g, at u %g", name, value, sum)
		}
		for l, k := range v.kernelOf {
			all := append(slices.Clone(v.v[l]), make([]float64, len(v.landmarks)+len(v.alphas)-len(v.v[l]))...)
			if norm := v.quadraticForm(k, all); !(math.Abs(norm-1) <= 1e-9) {
				t.Errorf("%s: coordinate %d has norm %g", name, l, norm)
			}
		}
		images := g.New().(*matrixFreeGram).storedImages(alphas)
		added := v.addImages(alphas, images)
		if want := 3 * len(of.columns); added != want {
			t.Errorf("%s: %d coordinates joined, want %d", name, added, want)
		}
		if again := v.addImages(alphas, images); again != 0 {
			t.Errorf("%s: %d coordinates joined a second time", name, again)
		}
	}
}

// soon is a context that ends when it has been asked so many times whether it has.
type soon struct {
	context.Context
	left int
}

func (s *soon) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSubspaceHears: the end of the context is heard within ΦᵀΦ, which for many points takes minutes.
func TestSubspaceHears(t *testing.T) {
	const n = 3000 // three blocks
	x := points.Rows{N: n, D: 1, Data: make([]float64, n)}
	for i := range x.Data {
		x.Data[i] = float64(i % 97)
	}
	p := &Problem{Grams: kernel.List{kernel.RBF{Gamma: 1}}.Bind(x),
		Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-9},
		Y: x.Data}
	p = must(p.MatrixFree())
	v := must(newSpaces(t.Context(), p.Grams.(*matrixFree), []int{1, 2, 3}, 1, 1e-9, 0))
	of := newRestricted(p, v, []float64{1})
	if err := of.addCoordinates(&soon{t.Context(), 2}); err != context.Canceled {
		t.Errorf("stopped at look 3, error %v", err)
	}
}

// normal are n points of d normal features.
func normal(rng *rand.Rand, n, d int) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

// must is for what cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func wide(v float64) *big.Float { return new(big.Float).SetPrec(512).SetFloat64(v) }

// sweptColumns returns the columns of the base matrices that the sweep makes: entry [j][k][i] is K_k,ij.
func sweptColumns(g *matrixFree) [][][]float64 {
	m, n := g.Dims()
	columns, unit := make([][][]float64, n), make([]float64, n)
	for j := range unit {
		unit[j], columns[j] = 1, zeroRows(m, n)
		if err := g.sweep.Images(context.Background(), columns[j], unit); err != nil {
			panic(err)
		}
		unit[j] = 0
	}
	return columns
}
