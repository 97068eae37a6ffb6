package main
import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	nb "github.com/mklnb/mkl/mklnb"
	"github.com/mklnb/mkl/notebooks/papers/lvx"
	"github.com/mklnb/mkl/viz"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)
import "time"







// iia is Algorithms 3 and 4 with η = ½; weigh is the line in which they differ.
func iia(d *lvx.Dense, mu []float64, weigh func(v []float64)) []float64 {
	mu = slices.Clone(mu)
	alpha := d.Alpha(mu) // line 2
	for range 200 {
		for k := range mu {
			mu[k] = lvx.Form(alpha, d.K[k]) // line 5: v
		}
		weigh(mu)
		alpha.AddVec(alpha, d.Alpha(mu))
		alpha.ScaleVec(0.5, alpha) // line 7 of Algorithm 3: α' = ½α + ½(K_μ+λI)⁻¹y
	}
	return mu
}



// descend is Algorithm 1 with a fixed η; solve is its line 5, project its line 8.
func descend(d *lvx.Dense, eta float64, solve func(mu []float64) *mat.VecDense, project func(mu []float64)) []float64 {
	mu := lvx.Constant(1.5, len(d.K)) // line 1
	for range 3000 {
		alpha := solve(mu) // line 5: (K_μ+λI)⁻¹y
		g := make([]float64, len(mu))
		for k := range mu {
			h := d.Slope(mu, k)                        // line 6: ∂K/∂μ_k, K_k or 2U_k
			g[k] = 2*d.Beta*mu[k] - lvx.Form(alpha, h) // line 7: ∂F/∂μ_k
		}
		floats.AddScaled(mu, -eta, g)
		project(mu) // line 8
	}
	return mu
}
// normalise is line 7 of Algorithms 2 and 5, for μ₀ = 1, Λ = 2, q = 2.
func normalise(mu []float64) {
	floats.AddConst(-1, mu)
	floats.Scale(2/floats.Norm(mu, 2), mu)
	floats.AddConst(1, mu)
}

// cut is line 7 of Algorithm 6.
func cut(mu []float64) {
	for k := range mu {
		mu[k] = math.Max(mu[k], 0)
	}
}

var ball = set.Ball{Q: 2, Radius: 2, Center: []float64{1, 1, 1}}









// riemann is the gradient (32) and the Hessian (36) on the sphere about 1; n nᵀ, n = w/Λ, makes the latter invertible.
func riemann(d *lvx.Dense, mu []float64) (grad *mat.VecDense, hess *mat.Dense) {
	n, g := mat.NewVecDense(3, []float64{mu[0] - 1, mu[1] - 1, mu[2] - 1}), mat.NewVecDense(3, d.Gradient(mu))
	n.ScaleVec(0.5, n) // Λ = 2
	p, nn := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}), new(mat.Dense)
	nn.Outer(1, n, n)
	p.Sub(p, nn) // (28)
	grad, hess = new(mat.VecDense), new(mat.Dense)
	grad.MulVec(p, g)
	hess.Product(p, d.Hessian(mu), p)
	p.Scale(-mat.Dot(n, g)/2, p) // −(wᵀ∇F/Λ²) P
	hess.Add(hess, p)
	hess.Add(hess, nn) // 0 on tangent vectors
	return grad, hess
}
// try is lines 3 and 4 of Algorithm 8: Newton's step ξ cut to ‖ξ‖ ≤ Δ, its retraction, and ρ.
func try(d *lvx.Dense, mu []float64, delta float64) (next []float64, rho float64) {
	grad, hess := riemann(d, mu)
	xi := new(mat.VecDense)
	nb.Try(xi.SolveVec(hess, grad))
	xi.ScaleVec(-math.Min(1, delta/mat.Norm(xi, 2)), xi) // line 3
	next = retract(mu, xi.RawVector().Data)
	return next, (d.F(mu) - d.F(next)) / (-mat.Dot(grad, xi) - mat.Inner(xi, hess, xi)/2) // line 4
}

// retract is (37) as read, for μ₀ = 1, Λ = 2; normalise is that of section 7.
func retract(mu, xi []float64) []float64 {
	next := floats.AddTo(make([]float64, 3), mu, xi)
	normalise(next)
	return next
}













var _ = context.Background
var _ = slices.Max[[]float64]
var _ check.Constants
var _ study.Cell
var _ mat.Dense
var _ = floats.Sum
var _ = math.Abs
var _ mkl.SPG
var _ set.Ball
var _ viz.Line
var _ = lvx.Grid

func cell3() {
p := lvx.On(nb.Must(nb.Load("sonar").Select("V1", "V45")), 2, 1, 0, 1)
g := lvx.Grid(41)
inMu := viz.Tabulate(g, g, func(a, b float64) float64 { return lvx.Value(p, a, b) })
inT := viz.Tabulate(g, g, func(a, b float64) float64 { return lvx.Value(p, math.Sqrt(a), math.Sqrt(b)) })
share, most := lvx.Below(lvx.Bend(inMu))
_, none := lvx.Below(lvx.Bend(inT))
title := fmt.Sprintf("One function twice: in μ it bends down on %.0f %% of the square, in t = μ² nowhere", 100*share)
nb.Show(lvx.Beside(title, "F of degree 2, two features of sonar (V1, V45), 208 points, λ = 1, Λ = 1; 41 × 41 values. "+
	"Shaded: along its row, column or a diagonal F bends down.", g, inMu, inT, nb.Solve(p, mkl.SPG{}, nil).Theta))
nb.CheckTrue("in μ the probe finds F bending down", most < -0.01)
nb.Check("in t the least second difference that is negative", none, 0, 1e-9)
}

func cell37() {
show := func(title, label string, power float64, y []float64, k [2][]float64) viz.Figure {
	c := nb.Must(lvx.Curvature(y, k, power, lvx.Decades(-6, 4, 4)))
	return viz.Lines(title, "", viz.Line{Name: label, XYs: c}).WithAxes("λ", "over its largest size").WithLogX().WithBaseline("0", 0)
}
nb.Show(viz.Multiples("Small λ: F can bend down (left); large λ: F can bend up (right)",
	"Second derivative of F at μ = (½, ½) along u = (1, −1), right times λ², over its largest size; two pairs of positive definite 2×2 matrices.", 2,
	show("below 0 for small λ", "second derivative", 0, []float64{4, 21}, lvx.NotConvex),
	show("above 0 for large λ", "λ² × second derivative", 2, []float64{1, -1}, lvx.NotConcave)))
left := nb.Must(lvx.Along(lvx.Two(1e-9, []float64{4, 21}, lvx.NotConvex)))
nb.Check("small λ: second derivative, by another program's differences", left, -4.59, 0.01)
h := nb.Must(check.Curvature(lvx.Two(1e7, []float64{1, -1}, lvx.NotConcave), []float64{0.5, 0.5}))
off := max(math.Abs(1e14*h.At(0, 0)+0.38), math.Abs(1e14*h.At(1, 1)+0.38), math.Abs(1e14*h.At(0, 1)+3.62))
nb.Check("large λ: largest difference of λ²∇²F/2 from −Q by hand", off, 0, 1e-3)
}

func cell53() {
laps := nb.Must(lvx.Race(context.Background(), nb.Must(lvx.Cases()), 1e-9, 3))
nb.Show(lvx.Evaluations(laps))
nb.Show(lvx.Gaps("On both problems Algorithm 8 needs the fewest evaluations of F, the paper's rule dozens", laps,
	"sonar d=1 λ=0.1 μ₀=0", "ionosphere d=2 λ=0.1 μ₀=0"))
most, done := 0, true
for _, l := range laps {
	if l.Solver == (mkl.TrustRegion{}).String() {
		most = max(most, l.Evaluations)
	}
	done = done && l.Gap < 1e-8
}
nb.CheckTrue("every run reaches its gap, or what rounding allows", done)
nb.CheckTrue(fmt.Sprintf("Algorithm 8 takes %d evaluations of F at most", most), most <= 12)
}

func cell63() {
var panels []viz.Figure
top := 0.0
for _, d := range []int{1, 2} {
	f, largest, excess, err := lvx.Relaxations(context.Background(), nb.Load("ionosphere"), d, lvx.Decades(-2, 3, nb.Size(1, 2, 2))...)
	nb.Try(err)
	panels, top = append(panels, f), max(top, largest)
	fmt.Printf("d = %d: (8) at the kernel learned for KRR is at most %.1f %% above its minimum\n", d, 100*excess)
}
nb.Show(viz.Multiples("The SVM's optimum is below the bound by KRR everywhere, and far below it for small λ",
	"Optimum of the SVM (8) over that of KRR (3); ionosphere, n = 351, y = ±1 not centred, μ₀ = 1, Λ = 2. Limit for λ → ∞: 1 − ȳ² = 0.92.",
	2, panels...))
nb.CheckTrue(fmt.Sprintf("(8)/(3) is at most %.2f", top), top <= 1)
}

func main() {
	fmt.Println("=== 3 idea0002"); t3 := time.Now(); cell3(); fmt.Println("    took", time.Since(t3).Round(time.Millisecond))
	fmt.Println("=== 37 a83c17ac"); t37 := time.Now(); cell37(); fmt.Println("    took", time.Since(t37).Round(time.Millisecond))
	fmt.Println("=== 53 58664902"); t53 := time.Now(); cell53(); fmt.Println("    took", time.Since(t53).Round(time.Millisecond))
	fmt.Println("=== 63 8476e79e"); t63 := time.Now(); cell63(); fmt.Println("    took", time.Since(t63).Round(time.Millisecond))

_ = nb.Size[int]
}
