package algos_test

import (
	"context"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Learned kernel matrices, schema svm_family/1.

// esklInput is a problem: of indsvm S is one matrix, and several else.
type esklInput struct {
	Y, Alpha []float64
	C, Rho   float64
	Tau      *float64
	Loss     string
}

func (g *golden) learned(in *esklInput, similarities ...[][]float64) *mkl.Problem {
	r := reg.Near{Rho: in.Rho, Distance: map[string]reg.Distance{"L1": reg.L1, "L2": reg.L2, "L3": reg.L3, "": reg.L3}[in.Loss]}
	for _, s := range similarities {
		S, err := similarity.Symmetric(rows(s))
		if err != nil {
			g.Fatal(err)
		}
		r.Targets = append(r.Targets, similarity.Vec(S))
	}
	n := len(in.Y)
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.On(kernel.AllPlaces(n)), Set: set.PSD{}, Reg: r, Loss: loss.Hinge{C: in.C}, Y: in.Y}
	if in.Tau != nil {
		p.Set = set.Spectraplex{Trace: *in.Tau}
	}
	return p
}

// spectrum is the eigenvalues of θ, ascending.
func spectrum(theta []float64) []float64 {
	n := int(math.Sqrt(float64(len(theta))))
	l, _ := linalg.Eigen(mat.NewSymDense(n, slices.Clone(theta)), false)
	return l
}

// indSVM is one similarity matrix and L3, with a trace or without.
func (g *golden) indSVM(input, expected []byte, tol map[string]float64) {
	var in struct {
		esklInput
		S [][]float64
	}
	var want struct {
		Objective float64
		Row       []float64 `json:"K_row0"`
		Values    []float64 `json:"K_eigenvalues"`
	}
	if !g.read(input, expected, &in, &want) {
		return
	}
	p := g.learned(&in.esklInput, in.S)
	r, err := mkl.Solve(context.Background(), p, mkl.DualAscent{}, &mkl.Settings{Gap: 1e-8})
	if err != nil || r.Status != mkl.Certified {
		g.Errorf("%s: %v, %v", g.id, r, err)
		return
	}
	slack := tol["objective"] * want.Objective
	if r.Lower > want.Objective+slack || r.Upper < want.Objective-slack {
		g.Errorf("%s: [%.12g, %.12g] does not hold %.12g", g.id, r.Lower, r.Upper, want.Objective)
	}
	g.num("objective", r.F, want.Objective, tol["objective"])
	g.near("first row of K", r.Theta[:len(in.Y)], want.Row, tol["K_row0"])
	g.near("eigenvalues of K", spectrum(r.Theta), want.Values, tol["K_eigenvalues"])
}

// dualFunction is φ(α), its minimiser and its slope.
func (g *golden) dualFunction(input, expected []byte, tol map[string]float64) {
	var in struct {
		esklInput
		S [][]float64
	}
	var want struct {
		Value    float64
		Gradient []float64
		Values   []float64 `json:"Kstar_eigenvalues"`
	}
	if !g.read(input, expected, &in, &want) {
		return
	}
	p := g.learned(&in.esklInput, in.S)
	pt, w := p.NewPoint(), unsigned(in.Alpha, in.Y)
	a, c, _, _ := p.Reg.(reg.Quadratic).Quadratic(len(pt.Theta))
	pt.Gram.Gradient(pt.Theta, w)
	floats.AddScaledTo(pt.Theta, c, 1/(4*a), pt.Theta)
	p.Set.Project(pt.Theta, pt.Theta)
	pt.Gram.At(pt.Theta)
	pt.Judge(w)
	g.num("value", pt.F(), want.Value, tol["value"])
	if lower := p.Certify(pt, false).Lower; lower > want.Value || lower < want.Value-1e-8 {
		g.Errorf("%s: a bound of %.12g by α, want %.12g", g.id, lower, want.Value)
	}
	g.near("eigenvalues of K*", spectrum(pt.Theta), want.Values, tol["Kstar_eigenvalues"])
	kw, slope := make([]float64, len(w)), make([]float64, len(w))
	linalg.SymMulVec(kw, pt.Gram.K(), w)
	for i, v := range kw {
		slope[i] = 1 - in.Y[i]*v
	}
	g.near("gradient", slope, want.Gradient, tol["gradient"])
}
