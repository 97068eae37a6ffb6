package data

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/points"
)

// Rings simulates n points on two noisy rings about 0. The classes "inner" (y = −1, radius ρ = 1) and
// "outer" (y = +1, radius ρ = 2) alternate:
//
//	x = (ρ + 0.2 ε)(cos φ, sin φ),  φ uniform on [0, 2π), ε standard normal.
//
// No line separates the classes. A Gaussian kernel does, except for the few points that noise moves to the other
// ring. The same n and seed give the same points. It panics if n < 2.
func Rings(n int, seed uint64) *Dataset {
	if n < 2 {
		panic(fmt.Sprintf("data: Rings got %d points; use at least 2", n))
	}
	rng := rand.New(rand.NewPCG(seed, 'r'))
	x := points.Rows{N: n, D: 2, Data: make([]float64, 0, 2*n), Names: []string{"x1", "x2"}}
	y := make([]float64, n)
	for i := range n {
		y[i] = float64(2*(i%2) - 1)
		rho := 1 + float64(i%2) + 0.2*rng.NormFloat64()
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		x.Data = append(x.Data, rho*cos, rho*sin)
	}
	return &Dataset{
		Name: "rings", Title: "Two noisy rings, simulated",
		X: x, Y: y, Classes: []string{"inner", "outer"}, Target: "ring",
		Prepared: "simulated numbers, nothing missing",
		Source:   fmt.Sprintf("simulated by this package, seed %d", seed),
	}
}

// Friedman simulates n points of Friedman's first problem: ten features, uniform on [0, 1), of which five matter,
//
//	y = 10 sin πx₁x₂ + 20(x₃ − ½)² + 10x₄ + 5x₅ + ε,  ε standard normal.
//
// y has standard deviation 5, so that the best predictor explains 96 % of its variance. The same n and seed give the
// same points. It panics if n < 1.
//
// References:
//   - J. H. Friedman, Multivariate adaptive regression splines, Annals of Statistics 19 (1991), section 4.3.
func Friedman(n int, seed uint64) *Dataset {
	if n < 1 {
		panic(fmt.Sprintf("data: Friedman got %d points; use at least 1", n))
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	x, y := points.Rows{N: n, D: 10, Data: make([]float64, 10*n)}, make([]float64, n)
	x.Names = numberedNames(x.D)
	for i := range y {
		p := x.Row(i)
		for j := range p {
			p[j] = rng.Float64()
		}
		y[i] = 10*math.Sin(math.Pi*p[0]*p[1]) + 20*(p[2]-0.5)*(p[2]-0.5) + 10*p[3] + 5*p[4] + rng.NormFloat64()
	}
	return &Dataset{
		Name: "friedman", Title: "Friedman's first problem, simulated",
		X: x, Y: y, Target: "y",
		Prepared: "simulated numbers, nothing missing",
		Source:   fmt.Sprintf("simulated by this package, seed %d", seed),
	}
}

// SimulatedArm simulates n points similar to the data set kin8nm (Delve, University of Toronto): eight joint angles of
// a robot arm, and the distance of its hand from a fixed place,
//
//	y = ‖p(θ + e) − t‖,  θ_i uniform on [−π/2, π/2],  e_i uniform on [−0.2, 0.2],  t = (0.1, 0.1, 0.1),
//
// where p is the end of a chain of eight revolute joints with Denavit–Hartenberg transforms T_i = Rz(θ_i) Tz(d_i)
// Tx(a_i) Rx(α_i). Their constants describe a PUMA 560 with two additional links. They were fitted to kin8nm, not taken
// from its documentation. Without noise the formula explains 95.6 % of the variance of kin8nm. The noise e is not in X.
// Because of it, the best predictor has a root mean squared error of about 0.055; the standard deviation of y is 0.26.
// The same n and seed give the same points. It panics if n < 1.
func SimulatedArm(n int, seed uint64) *Dataset {
	if n < 1 {
		panic(fmt.Sprintf("data: SimulatedArm got %d points; use at least 1", n))
	}
	rng := rand.New(rand.NewPCG(seed, 'a'))
	x := points.Rows{N: n, D: 8, Data: make([]float64, 0, 8*n)}
	for j := range 8 {
		x.Names = append(x.Names, fmt.Sprintf("theta%d", j+1))
	}
	y := make([]float64, n)
	for i := range n {
		var noisy [8]float64
		for j := range noisy {
			theta := math.Pi * (rng.Float64() - 0.5)
			x.Data = append(x.Data, theta)
			noisy[j] = theta + 0.4*(rng.Float64()-0.5)
		}
		y[i] = armDistance(noisy)
	}
	return &Dataset{
		Name: "simulated-arm", Title: "Robot arm of eight joints like kin8nm, simulated",
		X: x, Y: y, Target: "distance",
		Prepared: "simulated numbers, nothing missing",
		Source:   fmt.Sprintf("simulated by this package, seed %d", seed),
		Note:     "not kin8nm itself, but a formula fitted to it",
	}
}

// The constants of SimulatedArm: link lengths a, offsets d, and the sines and cosines of the twists
// α = (π/2, 0, −π/2, π/2, −π/2, 0, π, 0).
var (
	armA   = [8]float64{0, 0.4318, 0.0203, 0, 0, 0, 0.2, 0.3}
	armD   = [8]float64{0, 0, 0.15005, 0.4318, 0, 0, -0.1, 0}
	armSin = [8]float64{1, 0, -1, 1, -1, 0, 0, 0}
	armCos = [8]float64{0, 1, 0, 0, 0, 1, -1, 1}
)

// armDistance returns ‖p(θ) − t‖, with p and t as defined at SimulatedArm. It applies the transforms T_i to the point
// 0, from the end of the chain to its beginning: T_i x = Rz(θ_i) (Rx(α_i) x + (a_i, 0, d_i)).
func armDistance(theta [8]float64) float64 {
	var x, y, z float64
	for i := 7; i >= 0; i-- {
		y, z = armCos[i]*y-armSin[i]*z, armSin[i]*y+armCos[i]*z
		x, z = x+armA[i], z+armD[i]
		s, c := math.Sincos(theta[i])
		x, y = c*x-s*y, s*x+c*y
	}
	return math.Sqrt((x-0.1)*(x-0.1) + (y-0.1)*(y-0.1) + (z-0.1)*(z-0.1))
}
