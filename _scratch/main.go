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

func cell5() {
draws := lvx.Kept("figures")
nb.Show(lvx.Gains("Learned weights gain nothing over equal ones: every mean interval holds 0", draws))
nb.Show(nb.Must(study.RankScores(lvx.Sets, lvx.Methods, lvx.RMSE(draws), false)))
s := nb.Must(lvx.Verdict(nb.Load("sonar"), lvx.Halves, 3, 3)) // one draw again
again := lvx.Summarise(nb.Run(s), func(i int) int { return i%2 + 2 })
nb.Check("kept for sonar, seed 3: RMSE learned less uniform", lvx.Of(draws, "sonar", 3).Scores[0].Less[0], again[0].Less[0], 2e-3)
}

func cell9() {
r := nb.Solve(lvx.Hand(), mkl.SPG{}, &mkl.Settings{Gap: 1e-12})
nb.Check("by hand: μ₁ of the minimum", r.Theta[0], 0.8, 1e-6)
nb.Check("by hand: F at the minimum", 2*r.F, 12, 1e-9)
}

func cell12() {
p := lvx.On(nb.Load("sonar"), 1, 1, 1, 2)
pt := nb.Must(lvx.At(p, lvx.Constant(1, 60)))
nb.Check("(1) = (3): primal value at w = Σα_iφ_i", 2*pt.Primal, 2*pt.Dual(), 1e-9*pt.Primal)
for d := 1; d <= 2; d++ {
	q := lvx.On(nb.Load("sonar"), d, 1, 1, 2)
	first, second := nb.Must(check.Gradient(q, 7)), nb.Must(check.Hessian(q, 7))
	nb.CheckTrue(fmt.Sprintf("(4), degree %d: the error of the expansion falls like h^%.2f", d, first.Slope), first.Right())
	nb.CheckTrue(fmt.Sprintf("Hessian, degree %d: like h^%.2f", d, second.Slope), second.Right())
}
}

func cell14() {
for _, name := range []string{"sonar", "ionosphere"} {
	p := lvx.On(nb.Load(name), 1, 1, 1, 2)
	r := nb.Solve(p, mkl.SPG{}, &mkl.Settings{Gap: 1e-12}) // knows nothing of the theorem
	pt := nb.Must(lvx.At(p, r.Theta))
	v := make([]float64, len(r.Theta))
	pt.Gram.Gradient(v, pt.W) // v_k = αᵀK_kα
	floats.Scale(2/floats.Norm(v, 2), v)
	floats.AddConst(1, v)
	off := floats.Distance(v, r.Theta, math.Inf(1)) // of the order √gap
	nb.Check("Theorem 2.1 at the minimum SPG finds: largest difference, "+name, off, 0, 1e-4)
}
}

func cell16() {
p := lvx.On(nb.Load("ionosphere"), 1, 1e-2, 0, 1)
best := nb.Solve(p, mkl.SPG{}, &mkl.Settings{Gap: 1e-12})
var lines []viz.Line
for _, eta := range []float64{0, 0.2, 1. / 3, 0.5, 0.8} {
	r := nb.Solve(p, mkl.IIA{Eta: eta, Force: true}, &mkl.Settings{Gap: 1e-10, Iterations: 60})
	var c viz.Points
	for _, row := range r.Trace {
		c.X, c.Y = append(c.X, float64(row.Iter)), append(c.Y, 2*(row.F-best.Lower))
	}
	lines = append(lines, viz.Line{Name: fmt.Sprintf("η = %.2f", eta), XYs: c})
}
nb.Show(viz.LogLines("IIA with η = 0 does not converge; with the paper's η = ½ it is the fastest of five",
	"F of IIA over min F (bounded by SPG) against the step; ionosphere, d = 1, λ = 0.01, μ₀ = 0, Λ = 1. The library refuses η < ⅓ without Force.",
	lines...).WithAxes("step", "F − min F"))
}

func cell18() {
d := lvx.Random(6, 3, 1, 0.7, 4) // points, kernels, degree, λ, seed
d.Beta = 0.3
mu, u := []float64{0.5, 1.1, 0.3}, []float64{1, -0.5, 0.7}
a, v, ku := d.Alpha(mu), d.Inverse(mu), d.Sum(u)
read := 2*lvx.Sandwich(a, ku, v, ku) + 2*d.Beta*floats.Dot(u, u) // αᵀK_u V K_u α
nb.Check("uᵀ∇²F u of (7) as read, against a second difference", read, d.Second(mu, u), 1e-4)
}

func cell21() {
ball := func(v []float64) { // Algorithm 3, line 6: μ₀ + Λv/‖v‖, here μ₀ = 1, Λ = 2
	floats.Scale(2/floats.Norm(v, 2), v)
	floats.AddConst(1, v)
}
d := lvx.Random(6, 3, 1, 0.7, 4)
mu := iia(d, lvx.Constant(1, 3), ball)
r := nb.Solve(d.Problem(set.Ball{Q: 2, Radius: 2, Center: lvx.Constant(1, 3)}), mkl.IIA{}, &mkl.Settings{Gap: 1e-12})
nb.Check("Algorithm 3: distance of the plain code's μ from the library's", floats.Distance(mu, r.Theta, 2), 0, 1e-5)
d.Beta = 0.3
mu = iia(d, lvx.Constant(1, 3), func(v []float64) { floats.Scale(1/(2*d.Beta), v) }) // Algorithm 4, line 5
r = nb.Solve(d.Problem(set.Orthant{At: 0.1}), mkl.IIA{}, &mkl.Settings{Gap: 1e-12})
nb.Check("Algorithm 4: distance of the plain code's μ from the library's", floats.Distance(mu, r.Theta, 2), 0, 1e-5)
}

func cell23() {
d := lvx.Random(6, 3, 2, 0.7, 4)
mu, u := []float64{0.5, 1.1, 0.3}, []float64{1, -0.5, 0.7}
a, v, s := d.Alpha(mu), d.Inverse(mu), d.Sum(mu)
su, slopes := lvx.Hadamard(s, d.Sum(u)), make([]float64, 3) // Σu_kU_k; differences of F
for k := range mu {
	slopes[k] = d.First(mu, k)
	nb.Check("∂F/∂μ of degree 2 against a difference", -2*lvx.Form(a, lvx.Hadamard(s, d.K[k])), slopes[k], 1e-5)
}
read := 8*lvx.Sandwich(a, su, v, su) - 2*lvx.Form(a, lvx.Hadamard(d.Sum(u), d.Sum(u)))
nb.Check("uᵀ∇²F u of degree 2 against a second difference", read, d.Second(mu, u), 1e-3)
nb.Check("(5) Euler: μᵀ∇F = −2αᵀKα", floats.Dot(mu, slopes), -2*lvx.Form(a, lvx.Hadamard(s, s)), 1e-5)
}

func cell25() {
d := lvx.Random(6, 3, 2, 0.7, 4)
top, least := mat.Dot(d.Y, d.Y)/d.Lambda, math.Inf(1)
nb.Check("2.1: largest slope at μ = 0", floats.Norm(d.Gradient(make([]float64, 3)), math.Inf(1)), 0, 1e-12)
one := mat.NewSymDense(2, []float64{1, 1, 1, 1})
c := &lvx.Dense{K: []*mat.SymDense{one, one}, Y: mat.NewVecDense(2, []float64{1, -1}), Lambda: 0.7, Degree: 2}
apart := 0.0
for _, mu := range lvx.Corners(3) { // all μ of 0, ½, 1, but for 0
	least = min(least, top-d.F(mu))
	apart = max(apart, math.Abs(c.F(mu[:2])-2/0.7))
}
nb.CheckTrue(fmt.Sprintf("2.1: F(0) is above F at every other point, by %.3f or more", least), least > 1e-3)
nb.Check("2.2: F differs from ‖y‖²/λ by at most", apart, 0, 1e-12)
}

func cell29() {
for _, a := range []struct {
	number, degree int
	beta           float64
	set            set.Set
	project        func(mu []float64)
}{{2, 1, 0, ball, normalise}, {5, 2, 0, ball, normalise}, {6, 2, 0.05, set.Orthant{At: 0.5}, cut}} {
	d := lvx.Random(6, 3, a.degree, 0.7, 4)
	d.Beta = a.beta
	mu := descend(d, 0.3, d.Alpha, a.project)
	r := nb.Solve(d.Problem(a.set), mkl.SPG{}, &mkl.Settings{Gap: 1e-12})
	nb.Check(fmt.Sprintf("Algorithm %d: distance of the plain code's μ from the library's", a.number), floats.Distance(mu, r.Theta, 2), 0, 1e-4)
}
}

func cell30() {
d := lvx.Random(6, 3, 2, 0.7, 4)
for i := range 6 {
	d.Y.SetVec(i, math.Copysign(1, d.Y.AtVec(i)))
}
p := lvx.Margin(d.Problem(ball))
mu := descend(d, 0.3, func(mu []float64) *mat.VecDense { // line 5: any solver of the SVM
	return mat.NewVecDense(6, nb.Must(lvx.At(p, mu)).W) // W = Yα
}, normalise)
r := nb.Solve(p, mkl.PGD{}, &mkl.Settings{Gap: 1e-10})
nb.Check("Algorithm 7: distance of the plain code's μ from the library's", floats.Distance(mu, r.Theta, 2), 0, 1e-3)
}

func cell32() {
var names []string
var steps []float64
for _, c := range nb.Must(lvx.Cases()) {
	r := nb.Solve(c.Problem, mkl.PGD{Rule: mkl.ShrinkOnIncrease}, &mkl.Settings{Gap: 1e-4, Iterations: 300})
	names, steps = append(names, c.Name), append(steps, float64(len(r.Trace)-1))
}
title := fmt.Sprintf("The paper's rule needs %g to %g steps; the paper says 10 to 50", slices.Min(steps), slices.Max(steps))
nb.Show(viz.Dots(title, "Steps of PGD with η = 1, × 0.8 when F increased, to a certified relative gap of 1e-4.", names,
	viz.Bar{Name: "steps", Values: steps}).WithAxes("", "steps").WithBaseline("10", 10).WithBaseline("50", 50))
}

func cell34() {
five := nb.Must(nb.Load("sonar").Select("V1", "V2", "V3", "V4", "V5"))
holds := true
for _, q := range []float64{1.5, 2, 3} {
	p := lvx.On(five, 1, 1, 1, 2)
	p.Set = set.Ball{Q: q, Radius: 2, Center: lvx.Constant(1, 5)}
	printed := mkl.PGD{Rule: mkl.ShrinkOnIncrease, Normalize: true}
	scaled := nb.Solve(p, printed, &mkl.Settings{Iterations: 400, Gap: 1e-10})
	exact := nb.Solve(p, mkl.SPG{}, &mkl.Settings{Gap: 1e-10})
	fmt.Printf("q = %g: scaling F = %.6f, projection F = %.6f\n", q, 2*scaled.F, 2*exact.F)
	holds = holds && exact.RelativeGap() < 1e-9 && (scaled.F > exact.F*(1+1e-8)) == (q != 2)
}
nb.CheckTrue("the projection is certified; the scaling is as good only for q = 2", holds)
}

func cell37() {
show := func(title, label string, power float64, y []float64, k [2][]float64) viz.Figure {
	c := nb.Must(lvx.Curvature(y, k, power, lvx.Decades(-6, 4, 4)))
	return viz.Lines(title, "", viz.Line{Name: label, XYs: c}).WithAxes("λ", "over its largest size").WithLogX().WithBaseline("0", 0)
}
nb.Show(viz.Multiples("Small λ: F can bend down (left); large λ: F can bend up (right)",
	"Second derivative of F at μ = (½, ½) along u = (1, −1), right times λ², over its largest size; two pairs of positive definite 2×2 matrices.", 2,
	show("below 0 for small λ", "uᵀ∇²F u", 0, []float64{4, 21}, lvx.NotConvex),
	show("above 0 for large λ", "λ² uᵀ∇²F u", 2, []float64{1, -1}, lvx.NotConcave)))
left := nb.Must(lvx.Along(lvx.Two(1e-9, []float64{4, 21}, lvx.NotConvex)))
nb.Check("small λ: second derivative, by another program's differences", left, -4.59, 0.01)
h := nb.Must(check.Curvature(lvx.Two(1e7, []float64{1, -1}, lvx.NotConcave), []float64{0.5, 0.5}))
off := max(math.Abs(1e14*h.At(0, 0)+0.38), math.Abs(1e14*h.At(1, 1)+0.38), math.Abs(1e14*h.At(0, 1)+3.62))
nb.Check("large λ: largest difference of λ²∇²F/2 from −Q by hand", off, 0, 1e-3)
}

func cell40() {
lambdas, count := []float64{1e-3, 1e-2, 0.1, 1, 10, 100}, nb.Size(2, 5, 20)
inMu, inT := viz.Points{X: lambdas}, viz.Points{X: lambdas}
for _, lambda := range lambdas {
	mu, t, err := lvx.Bottoms(lvx.On(nb.Load("sonar"), 2, lambda, 0, 1), 2, count, 7)
	nb.Try(err)
	inMu.Y, inT.Y = append(inMu.Y, mu), append(inT.Y, t)
}
nb.Show(viz.Lines("In μ negative eigenvalues appear as λ grows; in t there are none at any λ", fmt.Sprintf("Least of smallest over largest "+
	"eigenvalue of ∇²F at %d random points; sonar, n = 208, d = 2, μ₀ = 0, seed 7.", count), viz.Line{Name: "in μ", XYs: inMu},
	viz.Line{Name: "in t = μ²", XYs: inT}).WithAxes("λ", "smallest over largest eigenvalue").WithLogX().WithBaseline("0", 0))
nb.CheckTrue("in μ the same probe refutes convexity for λ ≥ 1", slices.Max(inMu.Y[3:]) < -1e-3)
nb.CheckTrue("in t it refutes nothing at any λ", slices.Min(inT.Y) > -1e-9)
}

func cell41() {
five := nb.Must(nb.Load("sonar").Select("V10", "V11", "V12", "V20", "V30"))
_, cubic, err := lvx.Bottoms(lvx.On(five, 3, 10, 0, 1), 2, 20, 7)
nb.Try(err)
nb.CheckTrue(fmt.Sprintf("control, degree 3 > q = 2: not convex in t, %.2f", cubic), cubic < -0.01)
r := nb.Solve(lvx.On(nb.Load("sonar"), 2, 100, 1, 2), mkl.PGD{Rule: mkl.ShrinkOnIncrease}, &mkl.Settings{Gap: 1e-8, Iterations: 3000})
nb.CheckTrue(fmt.Sprintf("λ = 100, Algorithm 5: global, gap %.0e", r.RelativeGap()), r.Kind == mkl.Global && r.RelativeGap() < 1e-7)
}

func cell43() {
worst := 0.0
for _, degree := range []int{1, 2, 3} {
	for _, center := range []float64{0, 1} {
		p := lvx.On(nb.Load("sonar"), degree, 1, center, 1+center)
		runs := nb.Must(lvx.Starts(context.Background(), p, mkl.TrustRegion{}, nb.Size(3, 8, 30), 1e-9, 7))
		f := lvx.Spread(runs)
		fmt.Printf("d = %d, μ₀ = %g: min F = %.6g (%v); over starts F differs by %.0e of it\n", degree, center, 2*runs[0].F, runs[0].Kind, f)
		if degree <= 2 {
			worst = max(worst, f)
		}
	}
}
nb.Check("d ≤ 2: over starts F differs at most by, relative", worst, 0, 1e-8)
}

func cell45() {
times := []float64{0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.05, 1.2, 1.5}
beta, inside, zero, err := lvx.Norms(context.Background(), nb.Load("ionosphere"), 10, times)
nb.Try(err)
nb.Show(viz.Lines("From β₀ on the regularised quadratic problem learns nothing",
	fmt.Sprintf("‖μ*‖ of Algorithm 6's problem against β/β₀; ionosphere, n = 351, λ = 10, where β₀ = %.2g; to a gap of 1e-8, from inside and from 0.", beta),
	viz.Line{Name: "start inside", XYs: inside}, viz.Line{Name: "start at 0", XYs: zero, Mark: viz.MarkPoints},
	viz.Line{Name: "β₀", XYs: viz.Pairs{{1, 0}, {1, inside.Y[0]}}}).WithAxes("β/β₀", "‖μ*‖").WithLogX())
apart, right := 0.0, true
for i, t := range times {
	apart, right = max(apart, math.Abs(inside.Y[i]-zero.Y[i])), right && (inside.Y[i] < 2e-3) == (t > 1)
}
nb.CheckTrue("μ* is 0 at every β above β₀, and at none below", right)
nb.Check("the library leaves 0: largest difference of ‖μ*‖ from two starts", apart, 0, 1e-2)
}

func cell49() {
d, mu, delta := lvx.Random(6, 3, 2, 0.7, 4), []float64{2, 2, 1 + math.Sqrt2}, 1.0
for step := range 4 {
	next, rho := try(d, mu, delta)
	fmt.Printf("step %d: F = %.12f, ρ = %.3f\n", step, d.F(next), rho)
	if rho < 0.25 { // lines 5 to 13
		delta /= 4
	} else if mu = next; rho > 0.75 { // line 14: accept
		delta *= 2
	}
}
r := nb.Solve(d.Problem(ball), mkl.TrustRegion{}, &mkl.Settings{Gap: 1e-12})
nb.Check("Algorithm 8: distance of the plain code's μ from the library's", floats.Distance(mu, r.Theta, 2), 0, 1e-5)
}

func cell51() {
d, mu := lvx.Random(6, 3, 2, 20, 4), []float64{2, 2, 1 + math.Sqrt(2)}
w, xi := []float64{1, 1, math.Sqrt(2)}, []float64{1, -1, 0} // ξ is tangent
speed, h := floats.Norm(xi, 2)/2, 1e-3
f := func(t float64) float64 {
	at := lvx.Constant(1, 3)
	floats.AddScaled(at, math.Cos(t*speed), w)
	floats.AddScaled(at, math.Sin(t*speed)/speed, xi)
	return d.F(at)
}
_, hess := riemann(d, mu)
v := mat.NewVecDense(3, xi)
nb.Check("(36) against a second difference along a great circle", 1e3*mat.Inner(v, hess, v), 1e3*(f(h)-2*f(0)+f(-h))/(h*h), 1e-2)
flat := mat.Inner(v, d.Hessian(mu), v)
nb.CheckTrue(fmt.Sprintf("without the curvature term: %.4f instead of %.4f", flat, mat.Inner(v, hess, v)), flat < 0)
}

func cell53() {
laps := nb.Must(lvx.Race(context.Background(), nb.Must(lvx.Cases()), 1e-9, 3))
nb.Show(lvx.Evaluations(laps))
nb.Show(lvx.Gaps(laps, "sonar d=1 λ=0.1 μ₀=0", "ionosphere d=2 λ=0.1 μ₀=0"))
most, done := 0, true
for _, l := range laps {
	if l.Solver == (mkl.TrustRegion{}).String() {
		most = max(most, l.Evaluations)
	}
	done = done && (l.Done() && l.Gap < 1e-8)
}
nb.CheckTrue("every run reaches its gap, or what rounding allows", done)
nb.CheckTrue(fmt.Sprintf("Algorithm 8 takes %d evaluations of F at most", most), most <= 12)
}

func cell57() {
mean, n := 0.0, 10 // K = 11ᵀ: σᵀKσ = (Σσ)², over all 2¹⁰ signs
for bits := range 1 << n {
	sum := 0.0
	for i := range n {
		sum += float64(2*(bits>>i&1) - 1)
	}
	mean += sum * sum * sum * sum / float64(int(1)<<n)
}
nb.Check("E(σᵀKσ)² for K = 11ᵀ, n = 10, by the formula of 2", mean, 100+2*90, 1e-9)
nb.CheckTrue(fmt.Sprintf("3(tr K)² bounds it, 2.7(tr K)² would not: %.0f", mean), mean <= 3*100 && mean > 2.7*100)
}

func cell58() {
var panels []viz.Figure
least, most, holds := math.Inf(1), 0.0, true
for d := 1; d <= 2; d++ {
	lines, list, err := lvx.Complexities(nb.Load("sonar"), d, []int{2, 4, 8, 16, 32, 60}, nb.Size(50, 200, 1000), 7)
	nb.Try(err)
	panels = append(panels, viz.LogLines(fmt.Sprintf("d = %d", d), "", lines...).WithAxes("base kernels p", "Rademacher average").WithLogX())
	for _, r := range list {
		holds = holds && r.Holds() // mean and its error below both bounds
		least, most = min(least, r.Bound/r.Mean), max(most, r.Bound/r.Mean)
	}
}
nb.CheckTrue("every average is below its bounds", holds)
nb.Show(viz.Multiples(fmt.Sprintf("Theorem 2.3 is %.0f to %.0f times too large; the bound by traces is close", least, most),
	"Rademacher averages of the first p features of sonar, n = 208; Monte Carlo over signs, seed 7.", 2, panels...))
}

func cell60() {
rhos := []float64{0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1}
linear := nb.Must(lvx.Risk(context.Background(), nb.Load("sonar"), 1, 10, rhos))
square := nb.Must(lvx.Risk(context.Background(), nb.Load("sonar"), 2, 10, rhos))
single := nb.Must(lvx.Risk(context.Background(), nb.Must(nb.Load("breast-wisconsin").Select("Cell.size")), 1, 10, rhos))
nb.Show(viz.LogLines("On sonar the bound of Theorem 2.3 is above 1 at every margin; with one feature of 683 points it is not",
	"Right-hand side, a bound of the share of errors, δ = 0.05, against ρ in units of the largest |h(x)|; λ = 10. Sonar: n = 208, "+
		"p = 60; breast-wisconsin: n = 683, p = 1.", viz.Line{Name: "sonar, d = 1", XYs: linear}, viz.Line{Name: "sonar, d = 2", XYs: square},
	viz.Line{Name: "one feature, d = 1", XYs: single}).WithAxes("margin ρ", "bound").WithLogX().WithBaseline("1", 1))
least := slices.Min(append(linear.Y, square.Y...))
nb.CheckTrue(fmt.Sprintf("on sonar the least bound is %.1f, no statement on a share", least), least > 1)
nb.CheckTrue(fmt.Sprintf("control: with one feature it is %.2f", slices.Min(single.Y)), slices.Min(single.Y) < 0.9)
}

func cell62() {
d := lvx.Random(6, 3, 2, 0.7, 4)
for i := range 6 {
	d.Y.SetVec(i, math.Copysign(1, d.Y.AtVec(i)))
}
p := lvx.Margin(d.Problem(ball))
mu, h := []float64{1.5, 1.1, 1.3}, 1e-4
pt := nb.Must(lvx.At(p, mu))
yalpha := mat.NewVecDense(6, pt.W) // Yα, of length n
read := -lvx.Form(yalpha, d.Slope(mu, 0))
difference := (lvx.Value(p, mu[0]+h, mu[1], mu[2]) - lvx.Value(p, mu[0]-h, mu[1], mu[2])) / (2 * h)
nb.Check("∂F/∂μ₁ of (8) as read, against a difference", read, difference, 1e-3*math.Abs(difference))
}

func cell63() {
var panels []viz.Figure
largest, lambdas := 0.0, lvx.Decades(-2, 3, nb.Size(1, 2, 2))
for _, d := range []int{1, 2} {
	list := nb.Must(lvx.Relaxations(context.Background(), nb.Load("ionosphere"), d, lambdas...))
	panels = append(panels, lvx.Ratios(fmt.Sprintf("d = %d", d), list))
	worse := 0.0
	for _, r := range list {
		largest, worse = max(largest, r.Uniform, r.Ridge, r.Margin), max(worse, r.RidgeKernel/r.MarginBound-1)
	}
	fmt.Printf("d = %d: (8) at the kernel learned for KRR is at most %.1f %% above its minimum\n", d, 100*worse)
}
nb.Show(viz.Multiples("The SVM's optimum is below the bound by KRR everywhere, and far below it for small λ", "Optimum of the SVM (8) over that of KRR (3); "+
	"ionosphere, n = 351, y = ±1 not centred, μ₀ = 1, Λ = 2. Limit for λ → ∞: 1 − ȳ² = 0.92.", 2, panels...))
nb.CheckTrue(fmt.Sprintf("(8)/(3) is at most %.2f", largest), largest <= 1)
}

func cell65() {
for _, name := range lvx.Sets[:2] {
	d, folds := nb.Load(name), nb.Size(2, 5, 10)
	cv := nb.Must(lvx.Validated(context.Background(), d, folds, 1))          // Tables 1 and 3
	table := nb.Run(nb.Must(lvx.Protocol(d, folds, nb.Size(2, 10, 30), 1))) // Tables 2 and 4
	nb.Show(lvx.Compare(table, cv))
	nb.CheckTrue("every solve is certified: "+name, table.Certified())
}
nb.Show(lvx.AsPrinted("Printed and found agree on sonar but for equal weights; on ionosphere every printed error is larger", lvx.Kept("tables")))
}

func cell68() {
nb.Show(lvx.Regression("Degree 2 loses for want of a constant: with one (the fourth line) its least error falls on every set", lvx.Kept("figures")))
}

func cell69() {
nb.Show(lvx.Training("The higher the degree and the smaller λ, the better the half learned from is fitted, on most sets", lvx.Kept("figures")))
}

func cell70() {
nb.Show(lvx.Classification("Where λ is small the SVM errs less than ridge regression with the same kernel of degree 2", lvx.Kept("figures")))
}

func cell72() {
draws := lvx.Kept("figures")
nb.Show(lvx.Leasts("A constant lowers the least error of degree 2 on every set; SVM and ridge regression end close", draws))
splits := nb.Must(study.Halves(nb.Load("sonar").Y, lvx.Halves, 3))
again := nb.Must(lvx.Learn(context.Background(), nb.Load("sonar"), 2, true, splits)) // one draw again
kept := lvx.Of(draws, "sonar", 3).Of(2, true)
nb.Check("kept for sonar, seed 3, d = 2 with constant: largest difference of RMSE", floats.Distance(again.Test, kept.Test, math.Inf(1)), 0, 2e-3)
nb.Check("kept for sonar, seed 3: largest difference of the SVM's errors", floats.Distance(again.SVM, kept.SVM, math.Inf(1)), 0, 2e-3)
}

func main() {
	fmt.Println("=== 3 idea0002"); t3 := time.Now(); cell3(); fmt.Println("    took", time.Since(t3).Round(time.Millisecond))
	fmt.Println("=== 5 verdict2"); t5 := time.Now(); cell5(); fmt.Println("    took", time.Since(t5).Round(time.Millisecond))
	fmt.Println("=== 9 cf967a06"); t9 := time.Now(); cell9(); fmt.Println("    took", time.Since(t9).Round(time.Millisecond))
	fmt.Println("=== 12 8452acd7"); t12 := time.Now(); cell12(); fmt.Println("    took", time.Since(t12).Round(time.Millisecond))
	fmt.Println("=== 14 4942798e"); t14 := time.Now(); cell14(); fmt.Println("    took", time.Since(t14).Round(time.Millisecond))
	fmt.Println("=== 16 956b648d"); t16 := time.Now(); cell16(); fmt.Println("    took", time.Since(t16).Round(time.Millisecond))
	fmt.Println("=== 18 d050e442"); t18 := time.Now(); cell18(); fmt.Println("    took", time.Since(t18).Round(time.Millisecond))
	fmt.Println("=== 21 ebb9c403"); t21 := time.Now(); cell21(); fmt.Println("    took", time.Since(t21).Round(time.Millisecond))
	fmt.Println("=== 23 16c94c69"); t23 := time.Now(); cell23(); fmt.Println("    took", time.Since(t23).Round(time.Millisecond))
	fmt.Println("=== 25 71d2a9ab"); t25 := time.Now(); cell25(); fmt.Println("    took", time.Since(t25).Round(time.Millisecond))
	fmt.Println("=== 29 loop0004"); t29 := time.Now(); cell29(); fmt.Println("    took", time.Since(t29).Round(time.Millisecond))
	fmt.Println("=== 30 83eeefcb"); t30 := time.Now(); cell30(); fmt.Println("    took", time.Since(t30).Round(time.Millisecond))
	fmt.Println("=== 32 5e7a0614"); t32 := time.Now(); cell32(); fmt.Println("    took", time.Since(t32).Round(time.Millisecond))
	fmt.Println("=== 34 ffd20df6"); t34 := time.Now(); cell34(); fmt.Println("    took", time.Since(t34).Round(time.Millisecond))
	fmt.Println("=== 37 a83c17ac"); t37 := time.Now(); cell37(); fmt.Println("    took", time.Since(t37).Round(time.Millisecond))
	fmt.Println("=== 40 d10afc2f"); t40 := time.Now(); cell40(); fmt.Println("    took", time.Since(t40).Round(time.Millisecond))
	fmt.Println("=== 41 true0003"); t41 := time.Now(); cell41(); fmt.Println("    took", time.Since(t41).Round(time.Millisecond))
	fmt.Println("=== 43 a5bdc606"); t43 := time.Now(); cell43(); fmt.Println("    took", time.Since(t43).Round(time.Millisecond))
	fmt.Println("=== 45 2700d186"); t45 := time.Now(); cell45(); fmt.Println("    took", time.Since(t45).Round(time.Millisecond))
	fmt.Println("=== 49 6ae813a1"); t49 := time.Now(); cell49(); fmt.Println("    took", time.Since(t49).Round(time.Millisecond))
	fmt.Println("=== 51 6871d785"); t51 := time.Now(); cell51(); fmt.Println("    took", time.Since(t51).Round(time.Millisecond))
	fmt.Println("=== 53 58664902"); t53 := time.Now(); cell53(); fmt.Println("    took", time.Since(t53).Round(time.Millisecond))
	fmt.Println("=== 57 rad00003"); t57 := time.Now(); cell57(); fmt.Println("    took", time.Since(t57).Round(time.Millisecond))
	fmt.Println("=== 58 df92b443"); t58 := time.Now(); cell58(); fmt.Println("    took", time.Since(t58).Round(time.Millisecond))
	fmt.Println("=== 60 risk0002"); t60 := time.Now(); cell60(); fmt.Println("    took", time.Since(t60).Round(time.Millisecond))
	fmt.Println("=== 62 8c3b0f94"); t62 := time.Now(); cell62(); fmt.Println("    took", time.Since(t62).Round(time.Millisecond))
	fmt.Println("=== 63 8476e79e"); t63 := time.Now(); cell63(); fmt.Println("    took", time.Since(t63).Round(time.Millisecond))
	fmt.Println("=== 65 94a7ad60"); t65 := time.Now(); cell65(); fmt.Println("    took", time.Since(t65).Round(time.Millisecond))
	fmt.Println("=== 68 d08513cc"); t68 := time.Now(); cell68(); fmt.Println("    took", time.Since(t68).Round(time.Millisecond))
	fmt.Println("=== 69 6b4fc593"); t69 := time.Now(); cell69(); fmt.Println("    took", time.Since(t69).Round(time.Millisecond))
	fmt.Println("=== 70 6932cce7"); t70 := time.Now(); cell70(); fmt.Println("    took", time.Since(t70).Round(time.Millisecond))
	fmt.Println("=== 72 627b436f"); t72 := time.Now(); cell72(); fmt.Println("    took", time.Since(t72).Round(time.Millisecond))

_ = nb.Size[int]
}
