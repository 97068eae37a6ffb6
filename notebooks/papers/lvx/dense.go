package lvx

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Dense is a problem of p small n×n matrices, in which the paper's formulas are computed as they are printed.
type Dense struct {
	K      []*mat.SymDense
	Y      *mat.VecDense
	Lambda float64
	Degree int // 1 or 2
	Beta   float64
}

// Random is a Dense of p random positive definite n×n matrices.
func Random(n, p, degree int, lambda float64, seed uint64) *Dense {
	r := rand.New(rand.NewPCG(seed, 8))
	d := &Dense{Lambda: lambda, Degree: degree, Y: mat.NewVecDense(n, nil)}
	for i := range n {
		d.Y.SetVec(i, r.NormFloat64())
	}
	for range p {
		x := mat.NewDense(n, n, nil)
		x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
		k := mat.NewSymDense(n, nil)
		k.SymOuterK(1/float64(n), x)
		d.K = append(d.K, k)
	}
	return d
}

// Sum is Σ_k u_kK_k.
func (d *Dense) Sum(u []float64) *mat.Dense {
	n := d.Y.Len()
	s := mat.NewDense(n, n, nil)
	for k, a := range d.K {
		var t mat.Dense
		t.Scale(u[k], a)
		s.Add(s, &t)
	}
	return s
}

// Hadamard is A∘B.
func Hadamard(a, b mat.Matrix) *mat.Dense {
	var c mat.Dense
	c.MulElem(a, b)
	return &c
}

// Inverse is V = (K_μ+λI)⁻¹, K_μ the sum or its elementwise square.
func (d *Dense) Inverse(mu []float64) *mat.Dense {
	a := d.Sum(mu)
	if d.Degree == 2 {
		a = Hadamard(a, a)
	}
	for i := range d.Y.Len() {
		a.Set(i, i, a.At(i, i)+d.Lambda)
	}
	var v mat.Dense
	if err := v.Inverse(a); err != nil {
		panic(err) // positive definite by construction
	}
	return &v
}

// Alpha is Vy.
func (d *Dense) Alpha(mu []float64) *mat.VecDense {
	var a mat.VecDense
	a.MulVec(d.Inverse(mu), d.Y)
	return &a
}

// F is yᵀVy + β‖μ‖².
func (d *Dense) F(mu []float64) float64 {
	return mat.Dot(d.Y, d.Alpha(mu)) + d.Beta*floats.Dot(mu, mu)
}

// Form is αᵀAα.
func Form(alpha *mat.VecDense, a mat.Matrix) float64 { return mat.Inner(alpha, a, alpha) }

// Sandwich is αᵀAVBα.
func Sandwich(alpha *mat.VecDense, a, v, b mat.Matrix) float64 {
	var t mat.Dense
	t.Product(a, v, b)
	return mat.Inner(alpha, &t, alpha)
}

// Second is the second difference of F at μ along u: an independent road to uᵀ∇²F u.
func (d *Dense) Second(mu, u []float64) float64 {
	const h = 1e-4
	at := func(c float64) float64 { return d.F(floats.AddScaledTo(make([]float64, len(mu)), mu, c, u)) }
	return (at(h) - 2*at(0) + at(-h)) / (h * h)
}

// First is the central difference of F at μ in coordinate k.
func (d *Dense) First(mu []float64, k int) float64 {
	const h = 1e-6
	at := func(c float64) float64 {
		x := slices.Clone(mu)
		x[k] += c
		return d.F(x)
	}
	return (at(h) - at(-h)) / (2 * h)
}
