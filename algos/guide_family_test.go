package algos_test

import (
	"fmt"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// columns is one linear kernel for each column of x:
//
//	K(θ) = Σ_k θ_k x_kx_kᵀ,  wᵀ(∂K/∂θ_k)w = (x_kᵀw)²,  θ ≥ 0.
type columns struct{}

type columnGrams struct {
	kernel.Defaults // θ is a vector
	columns
	x   points.Rows
	bad error
}

type columnGram struct {
	columnGrams
	k *mat.SymDense
}

type columnCross struct{ z, x points.Rows }

func init() { registry.Register(columns{}) } // files of models can hold it

// Bind fits nothing to x.
func (f columns) Bind(x points.Points) kernel.Grams {
	rows, err := points.As[points.Rows](x)
	if err != nil {
		return columnGrams{bad: err}
	}
	return columnGrams{x: rows, bad: rows.Validate()}
}

func (g columnGrams) Validate() error                    { return g.bad }
func (g columnGrams) Dims() (m, n int)                   { return g.x.D, g.x.N }
func (g columnGrams) Label(k int) string                 { return points.FeatureName(g.x, k) }
func (g columnGrams) Degree() int                        { return 1 } // linear in θ, each K_k ⪰ 0
func (g columnGrams) WithThreads(int) kernel.Grams       { return g }
func (g columnGrams) Slice(rows []int) kernel.Grams      { return g.Bind(g.x.Slice(rows)) }
func (g columnGrams) Cross(z points.Points) kernel.Cross { return columnCross{points.ToRows(z), g.x} }
func (g columnGrams) New() kernel.Gram                   { return &columnGram{columnGrams: g} }
func (g columnGrams) Block(rows, cols []int) kernel.Cross {
	return columnCross{points.ToRows(g.x.Slice(rows)), points.ToRows(g.x.Slice(cols))}
}

func (c columnCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	for i := range c.z.N {
		for j := range c.x.N {
			dst.Set(i, j, weighted(theta, c.z.Row(i), c.x.Row(j)))
		}
	}
}

// weighted is Σ_k θ_k a_k b_k.
func weighted(theta, a, b []float64) (sum float64) {
	for k, t := range theta {
		sum += t * a[k] * b[k]
	}
	return sum
}

func (g *columnGram) SetTheta(theta []float64) {
	g.k = mat.NewSymDense(g.x.N, nil)
	for i := range g.x.N {
		for j := range i + 1 {
			g.k.SetSym(i, j, weighted(theta, g.x.Row(i), g.x.Row(j)))
		}
	}
}

func (g *columnGram) K() *kernel.Matrix { return kernel.DenseMatrix(g.k) }
func (g *columnGram) Release()          {}

func (g *columnGram) Gradient(dst, w []float64) {
	clear(dst)
	for i, v := range w { // x_kᵀw
		floats.AddScaled(dst, v, g.x.Row(i))
	}
	floats.Mul(dst, dst)
}

func TestGuideFamily(t *testing.T) {
	x, y := mkltest.RandomPoints(20, 3, 1)
	kerneltest.TestFamily(t, columns{}, x)
	r := certified(t, &mkl.Problem{Grams: columns{}.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: y},
		mkl.SPG{})
	if want := "[x1 x2 x3]"; fmt.Sprint(r.ThetaLabels) != want {
		t.Errorf("labels %v, want %s", r.ThetaLabels, want)
	}
}
