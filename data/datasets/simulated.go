package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Rings simulates n points on two noisy rings about 0. The classes "inner" (y = −1, radius ρ = 1) and
// "outer" (y = +1, radius ρ = 2) alternate:
//
//	x = (ρ + 0.2 ε)(cos φ, sin φ),  φ uniform on [0, 2π), ε standard normal.
//
// No line separates the classes. A Gaussian kernel does, except for the few points that noise moves to the other
// ring. The same n and seed give the same points. It panics if n < 2.
func Rings(n int, seed uint64) *data.Dataset {
	d := data.Dataset{Name: "rings", Title: "Two noisy rings, simulated", Target: "ring",
		Classes: []string{"inner", "outer"}}
	return simulate(d, n, seed, 'r', []string{"x1", "x2"}, func(rng *rand.Rand, i int, x []float64) float64 {
		rho := 1 + float64(i%2) + 0.2*rng.NormFloat64()
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		x[0], x[1] = rho*cos, rho*sin
		return float64(2*(i%2) - 1)
	})
}

// simulate returns d with n points of the given features. draw sets the features x of point i, and returns its label or
// target. stream distinguishes the random numbers of the simulations.
func simulate(d data.Dataset, n int, seed, stream uint64, features []string,
	draw func(rng *rand.Rand, i int, x []float64) float64) *data.Dataset {
	if n < 2 {
		panic(fmt.Sprintf("datasets: the simulation %s got %d points; use at least 2", d.Name, n))
	}
	rng := rand.New(rand.NewPCG(seed, stream))
	x := points.Rows{N: n, D: len(features), Data: make([]float64, n*len(features)), Names: features}
	d.Y = make([]float64, n)
	for i := range n {
		d.Y[i] = draw(rng, i, x.Row(i))
	}
	d.X, d.Preparation = x, "simulated numbers, nothing missing"
	d.Source = fmt.Sprintf("simulated by this package, seed %d", seed)
	return &d
}

// Friedman simulates n points of Friedman's first problem: ten features, uniform on [0, 1), of which five matter,
//
//	y = 10 sin πx₁x₂ + 20(x₃ − ½)² + 10x₄ + 5x₅ + ε,  ε standard normal.
//
// y has standard deviation 5, so that the best predictor explains 96 % of its variance. The same n and seed give the
// same points. It panics if n < 2.
//
// References:
//   - J. H. Friedman, Multivariate adaptive regression splines, Annals of Statistics 19 (1991), section 4.3.
func Friedman(n int, seed uint64) *data.Dataset {
	d := data.Dataset{Name: "friedman", Title: "Friedman's first problem, simulated", Target: "y"}
	features := []string{"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10"}
	return simulate(d, n, seed, 1, features, func(rng *rand.Rand, _ int, x []float64) float64 {
		for j := range x {
			x[j] = rng.Float64()
		}
		return 10*math.Sin(math.Pi*x[0]*x[1]) + 20*(x[2]-0.5)*(x[2]-0.5) + 10*x[3] + 5*x[4] + rng.NormFloat64()
	})
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
// The same n and seed give the same points. It panics if n < 2.
func SimulatedArm(n int, seed uint64) *data.Dataset {
	d := data.Dataset{Name: "simulated-arm", Title: "Robot arm of eight joints like kin8nm, simulated",
		Target: "distance", Note: "not kin8nm itself, but a formula fitted to it"}
	features := []string{"theta1", "theta2", "theta3", "theta4", "theta5", "theta6", "theta7", "theta8"}
	return simulate(d, n, seed, 'a', features, func(rng *rand.Rand, _ int, x []float64) float64 {
		var noisy [8]float64
		for j := range x {
			x[j] = math.Pi * (rng.Float64() - 0.5)
			noisy[j] = x[j] + 0.4*(rng.Float64()-0.5)
		}
		return armDistance(noisy)
	})
}

// The constants of SimulatedArm: link lengths a, offsets d, and the sines and cosines of the twists
// α = (π/2, 0, −π/2, π/2, −π/2, 0, π, 0).
var (
	armA   = [8]float64{0, 0.4318, 0.0203, 0, 0, 0, 0.2, 0.3}
	armD   = [8]float64{0, 0, 0.15005, 0.4318, 0, 0, -0.1, 0}
	armSin = [8]float64{1, 0, -1, 1, -1, 0, 0, 0}
	armCos = [8]float64{0, 1, 0, 0, 0, 1, -1, 1}
)

// armDistance returns ‖p(θ) − t‖ for the angles θ, with p and t as defined at SimulatedArm. It applies the transforms
// T_i to the point 0, from the end of the chain to its beginning: T_i x = Rz(θ_i) (Rx(α_i) x + (a_i, 0, d_i)).
func armDistance(jointAngles [8]float64) float64 {
	var x, y, z float64
	for i := 7; i >= 0; i-- {
		y, z = armCos[i]*y-armSin[i]*z, armSin[i]*y+armCos[i]*z
		x, z = x+armA[i], z+armD[i]
		s, c := math.Sincos(jointAngles[i])
		x, y = c*x-s*y, s*x+c*y
	}
	return math.Sqrt((x-0.1)*(x-0.1) + (y-0.1)*(y-0.1) + (z-0.1)*(z-0.1))
}
