package kerneltest_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
)

// cloud is points of a kind that package kernel does not know.
type cloud [][]float64

func (c cloud) Len() int { return len(c) }

func (c cloud) Digest(h io.Writer) {
	for _, p := range c {
		kernel.WriteDigest(h, p)
	}
}

func (c cloud) Slice(rows []int) kernel.Points {
	var s cloud
	for _, r := range rows {
		s = append(s, slices.Clone(c[r]))
	}
	return s
}

func (c cloud) Validate() error {
	for _, p := range c {
		if len(p) != 2 {
			return errors.New("newcomer: not a point of the plane")
		}
	}
	return nil
}

// bilinear is K = Σ_b c_b X P_b Xᵀ of two blocks, θ = (vec P_1, vec P_2), P_b ⪰ 0: linear in θ, though no
// single K_k is positive semidefinite. Fault names the one thing that is wrong with it.
type bilinear struct{ Fault string }

type bilinearGrams struct {
	bilinear
	x   cloud
	bad error
}

type bilinearGram struct {
	bilinearGrams
	theta, c []float64
	k        *mat.SymDense
}

func (f bilinear) On(x kernel.Points) kernel.Grams {
	c, ok := x.(cloud)
	if !ok {
		return bilinearGrams{f, nil, errors.New("newcomer: not a cloud")}
	}
	return bilinearGrams{f, c, c.Validate()}
}

func (g bilinearGrams) Dims() (m, n int)   { return 8, len(g.x) }
func (g bilinearGrams) Label(k int) string { return "P" + string(rune('0'+k)) }
func (g bilinearGrams) Degree() int        { return 1 }
func (g bilinearGrams) Validate() error    { return g.bad }

func (g bilinearGrams) Shape() (rows, cols int) {
	if g.Fault == "shape" {
		return 4, 4
	}
	return 4, 2
}

func (g bilinearGrams) Threads(int) kernel.Grams {
	if g.Fault == "threads" {
		return bilinearGrams{g.bilinear, append(slices.Clone(g.x[1:]), g.x[0]), nil}
	}
	return g
}

func (g bilinearGrams) Slice(rows []int) kernel.Grams { return g.On(g.x.Slice(rows)) }

func (g bilinearGrams) Block(rows, cols []int) kernel.Cross {
	return bilinearCross{g.x.Slice(cols).(cloud), g.x.Slice(rows).(cloud)}
}

func (g bilinearGrams) Cross(z kernel.Points) kernel.Cross { return bilinearCross{g.x, z.(cloud)} }

type bilinearCross struct{ x, z cloud }

func (c bilinearCross) Gram(dst *mat.Dense, theta []float64) {
	for i, z := range c.z {
		for j, x := range c.x {
			dst.Set(i, j, form(theta, z, x)+form(theta[4:], z, x))
		}
	}
}

// form is xᵀPz, P the first four numbers, symmetrised.
func form(p, x, z []float64) float64 {
	return p[0]*x[0]*z[0] + (p[1]+p[2])/2*(x[0]*z[1]+x[1]*z[0]) + p[3]*x[1]*z[1]
}

func (g bilinearGrams) New() kernel.Gram { return &bilinearGram{bilinearGrams: g} }

func (g *bilinearGram) At(theta []float64) {
	g.theta = theta
	if g.Fault == "spoils theta" {
		g.theta[0]++
	}
	g.Weigh([]float64{1, 1})
}

func (g *bilinearGram) Release() {}

func (g *bilinearGram) Blocks() []int { return []int{0, 4, 8} }

func (g *bilinearGram) Weigh(c []float64) {
	g.c, g.k = slices.Clone(c), nil
	if g.Fault == "weigh" {
		g.c[1] = 1
	}
}

func (g *bilinearGram) K() *mat.SymDense {
	if g.k == nil {
		g.k = mat.NewSymDense(len(g.x), nil)
		for i, x := range g.x {
			for j, z := range g.x[:i+1] {
				g.k.SetSym(i, j, g.c[0]*form(g.theta, x, z)+g.c[1]*form(g.theta[4:], x, z))
			}
		}
	}
	return g.k
}

func (g *bilinearGram) Gradient(dst, w []float64) {
	g.GradientPart(dst[:4], w, 0)
	g.GradientPart(dst[4:], w, 1)
}

func (g *bilinearGram) GradientPart(dst, w []float64, i int) {
	v, c := [2]float64{}, g.c[i]
	for j, x := range g.x {
		v[0] += w[j] * x[0]
		v[1] += w[j] * x[1]
	}
	if g.Fault == "gradient without c" {
		c = 1
	}
	for k := range dst {
		dst[k] = c * v[k/2] * v[k%2]
	}
}

func (g *bilinearGram) ErrorPart(dst, _ []float64, _ int) { clear(dst) }

func (g *bilinearGram) Forms(dst, w []float64) {
	for b := range dst {
		dst[b] = 0
		for i, x := range g.x {
			for j, z := range g.x {
				dst[b] += w[i] * form(g.theta[4*b:], x, z) * w[j]
			}
		}
		if g.Fault == "weighted forms" {
			dst[b] *= g.c[b]
		}
	}
}

func (g *bilinearGram) Scaled(dst, theta []float64) {
	for k, t := range theta {
		dst[k] = t
		if g.Fault != "not scaled" {
			dst[k] *= g.c[k/4]
		}
	}
}

// psd draws two positive semidefinite matrices, the first of rank one.
func psd(r *rand.Rand, _ int) []float64 {
	a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
	return []float64{a * a, a * b, a * b, b * b, a*a + c*c, b * c, b * c, b*b + c*c}
}

// TestNewcomer: a family of another package, with a domain and points of its own, passes, and each fault
// is found in its part. It has no file form.
func TestNewcomer(t *testing.T) {
	var x cloud
	r := rand.New(rand.NewPCG(4, 4))
	for range 9 {
		x = append(x, []float64{1 + r.NormFloat64(), r.NormFloat64()})
	}
	options := []kerneltest.Option{kerneltest.Draw(psd), kerneltest.Damaged(cloud{{1}}, nil), kerneltest.Without("stored")}
	for fault, part := range map[string]string{
		"": "", "spoils theta": "matrix: ", "shape": "shaped: ", "threads": "threaded: ", "weigh": "blocked: ",
		"gradient without c": "blocked: ", "weighted forms": "blocked: ", "not scaled": "blocked: ",
	} {
		rec := &recorder{TB: t}
		kerneltest.TestFamily(rec, bilinear{fault}, x, options...)
		found := slices.ContainsFunc(rec.said, func(s string) bool { return strings.HasPrefix(s, part) })
		if fault == "" && len(rec.said) > 0 || fault != "" && !found {
			t.Errorf("fault %q: want an error that begins with %q, the suite says %q", fault, part, rec.said)
		}
	}
	rec := &recorder{TB: t}
	if kerneltest.TestFamily(rec, bilinear{}, x, options[:2]...); !slices.ContainsFunc(rec.said, func(s string) bool { return strings.HasPrefix(s, "stored: ") }) {
		t.Error("Without is not what leaves \"stored\" out")
	}
}
