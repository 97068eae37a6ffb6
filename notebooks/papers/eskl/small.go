package eskl

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// RandomSet returns a Set of points in two classes with matrixCount indefinite similarity matrices. A similarity is
// 0.2·y_iy_j plus symmetric noise off the diagonal, and 1 plus noise on the diagonal.
func RandomSet(pointCount, matrixCount int, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 8))
	s := Set{Name: "random"}
	for i := range pointCount {
		s.Y = append(s.Y, float64(1-2*(i%2)))
	}
	for range matrixCount {
		a := mat.NewSymDense(pointCount, nil)
		for i := range pointCount {
			a.SetSym(i, i, 1+0.3*r.NormFloat64())
			for j := range i {
				a.SetSym(j, i, 0.2*s.Y[i]*s.Y[j]+0.5*r.NormFloat64())
			}
		}
		s.S, s.Names = append(s.S, a), append(s.Names, "random")
	}
	return s
}

// RandomDefinite returns a random positive definite n×n matrix of trace n.
func RandomDefinite(n int, seed uint64) *mat.SymDense {
	r := rand.New(rand.NewPCG(seed, 9))
	a := mat.NewDense(n, n, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, a)
	k.ScaleSym(float64(n)/mat.Trace(k), k)
	return k
}

// IndSVMKernel returns the kernel matrix K* that IndSVM learns, equation (3) of Kundu et al.: S + wwᵀ/4ρ with negative
// eigenvalues set to 0. S is the similarity matrix; w_i is the label y_i times dual coefficient i.
func IndSVMKernel(similarityMatrix *mat.SymDense, w []float64, rho float64) *mat.SymDense {
	n := len(w)
	x := mat.NewSymDense(n, nil)
	x.SymRankOne(similarityMatrix, 1/(4*rho), mat.NewVecDense(n, w))
	return projectOntoSet(set.PSD{}, x)
}

func projectOntoSet(matrices set.Set, matrix *mat.SymDense) *mat.SymDense {
	theta := similarity.Vec(matrix)
	matrices.Project(theta, theta)
	return SymmetricMatrix(theta, matrix.SymmetricDim())
}

// Distance returns the Frobenius norm ‖K−S‖ for a kernel matrix K and a similarity matrix S, and its gradient by K.
func Distance(kernelMatrix, similarityMatrix *mat.SymDense) (norm float64, gradient *mat.SymDense) {
	gradient = mat.NewSymDense(kernelMatrix.SymmetricDim(), nil)
	gradient.ScaleSym(-1, similarityMatrix)
	gradient.AddSym(kernelMatrix, gradient)
	norm = mat.Norm(gradient, 2)
	gradient.ScaleSym(1/norm, gradient)
	return norm, gradient
}

// AddStep adds gradientFactor·gradient − ½·outerProductFactor·wwᵀ to g.
func AddStep(g, gradient *mat.SymDense, gradientFactor float64, w []float64, outerProductFactor float64) {
	var step mat.SymDense
	step.ScaleSym(gradientFactor, gradient)
	step.SymRankOne(&step, -outerProductFactor/2, mat.NewVecDense(len(w), w))
	g.AddSym(g, &step)
}

// IndSVMDual returns the dual objective of IndSVM, the minimum of yᵀw − ½wᵀKw + ρ‖K−S‖² over the positive semidefinite
// matrices K. S is the first similarity matrix of s; w_i is the label y_i times dual coefficient i.
func IndSVMDual(s Set, w []float64, rho float64) (dualObjective float64) {
	k, v := IndSVMKernel(s.S[0], w, rho), mat.NewVecDense(len(w), w)
	distance, _ := Distance(k, s.S[0])
	return floats.Dot(w, s.Y) - mat.Inner(v, k, v)/2 + rho*distance*distance
}

// MulVec returns the product of a square matrix, stored row by row, and the vector w.
func MulVec(matrix, w []float64) []float64 {
	product := make([]float64, len(w))
	for i := range product {
		product[i] = floats.Dot(matrix[i*len(w):(i+1)*len(w)], w)
	}
	return product
}

// Derivative returns the directional derivative at theta of F, the objective of p, by a central difference.
func Derivative(p *mkl.Problem, theta, direction []float64) float64 {
	evaluateAt := func(h float64) float64 {
		pt := p.NewPoint()
		floats.AddScaledTo(pt.Theta, theta, h, direction)
		if err := pt.Evaluate(nil, 1e-12); err != nil {
			panic(err)
		}
		return pt.F()
	}
	const h = 1e-5
	return (evaluateAt(h) - evaluateAt(-h)) / (2 * h)
}

// Spectrum returns the eigenvalues of a matrix of finite numbers, ascending, and its eigenvectors.
func Spectrum(matrix *mat.SymDense) *similarity.Spectrum { return must(similarity.Decompose(matrix)) }

// SolveBlock solves problem (10) of the paper, the support vector machine with the block norm, for fixed kernel
// matrices to a relative gap of 1e-10.
func SolveBlock(matrices []*mat.SymDense, y []float64, c float64) loss.Solution {
	var f blocks.Family
	for _, k := range matrices {
		f.Families = append(f.Families, kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}})
	}
	return must(solveWithUnitWeights(f, loss.BlockNorm{Loss: loss.Hinge{C: c}}, len(matrices), y))
}

// solveWithUnitWeights solves the inner problem of lossFunction, such as the support vector machine for loss.Hinge,
// with the kernels of a family, all with weight 1, to a relative gap of 1e-10.
func solveWithUnitWeights(family kernel.Family, lossFunction loss.Loss, matrixCount int, targets []float64) (
	solution loss.Solution, err error) {
	g := family.Bind(points.AllIndices(len(targets))).New()
	g.SetTheta(slices.Repeat([]float64{1}, matrixCount))
	err = lossFunction.Solve(context.Background(), &solution, g, targets, 1e-10)
	return solution, err
}

// RandomDirection returns matrixCount random symmetric n×n matrices of trace 0, one after the other, each row by row.
func RandomDirection(n, matrixCount int, seed uint64) (direction []float64) {
	for b := range matrixCount {
		k := RandomDefinite(n, seed+uint64(b))
		for i := range n {
			k.SetSym(i, i, k.At(i, i)-1)
		}
		for diagonalMean, i := mat.Trace(k)/float64(n), 0; i < n; i++ { // make the trace 0 in spite of rounding
			k.SetSym(i, i, k.At(i, i)-diagonalMean)
		}
		direction = append(direction, similarity.Vec(k)...)
	}
	return direction
}

// Lipschitz returns a Lipschitz constant of the objective F of ESKL (Proposition 3.1) for matrices of trace n. It is
// ½nC² plus ρ Σ_i l_i, where l_i is the Lipschitz constant of the distance from the similarity matrix S_i: n for L1, 1
// for L2, and 2(n + ‖S_i‖) for L3.
func Lipschitz(s Set, d reg.Distance, c, rho float64) (lipschitzConstantOfF float64) {
	n, penaltyLipschitz := float64(s.N()), 0.0
	for _, t := range s.vectorizeSimilarities() {
		penaltyLipschitz += map[reg.Distance]float64{reg.OneNorm: n, reg.TwoNorm: 1,
			reg.SquaredNorm: 2 * (n + floats.Norm(t, 2))}[d]
	}
	return n*c*c/2 + rho*penaltyLipschitz
}

// WeightedSum returns Σ_i K_i/γ_i for the given matrices K_i.
func WeightedSum(matrices []*mat.SymDense, gamma []float64) *mat.SymDense {
	weightedSum := mat.NewSymDense(matrices[0].SymmetricDim(), nil)
	for i, k := range matrices {
		var part mat.SymDense
		part.ScaleSym(1/gamma[i], k)
		weightedSum.AddSym(weightedSum, &part)
	}
	return weightedSum
}

// HardSet returns a set that is hard for solvers: from the start K_i = I of all learned matrices they need many steps.
// It has 8 points and m = matrixCount equal similarity matrices S_i = 2vvᵀ − yyᵀ, where v is orthogonal to the labels
// y, so y is an eigenvector of the smallest eigenvalue. For C ≤ 1/(8m²) in the hinge loss and a negligible weight ρ of
// the penalty, all dual coefficients equal C, and the objective F decreases linearly from K_i = I to K_i = yyᵀ.
func HardSet(matrixCount int) Set {
	s := Set{Name: "worst", Y: []float64{1, -1, 1, -1, 1, -1, 1, -1}}
	for range matrixCount {
		k := mat.NewSymDense(8, nil)
		k.SymRankOne(k, 2, mat.NewVecDense(8, []float64{1, 1, -1, -1, 1, 1, -1, -1}))
		k.SymRankOne(k, -1, mat.NewVecDense(8, s.Y))
		s.S, s.Names = append(s.S, k), append(s.Names, "worst")
	}
	return s
}

// Add returns a + factor·b.
func Add(a *mat.SymDense, factor float64, b *mat.SymDense) *mat.SymDense {
	sum := mat.NewSymDense(a.SymmetricDim(), nil)
	sum.ScaleSym(factor, b)
	sum.AddSym(a, sum)
	return sum
}

// MoveTo moves each entry of a toward that of the target, by at most distance. It returns the Z that minimizes
// distance·Σ|Z − target| + ½‖Z − a‖².
func MoveTo(target, a *mat.SymDense, distance float64) *mat.SymDense {
	z := mat.NewSymDense(a.SymmetricDim(), nil)
	for i := range a.SymmetricDim() {
		for j := i; j < a.SymmetricDim(); j++ {
			x := a.At(i, j) - target.At(i, j)
			z.SetSym(i, j, target.At(i, j)+math.Copysign(max(math.Abs(x)-distance, 0), x))
		}
	}
	return z
}

// KeepEigenvectors returns the part V diag(VᵀAV) Vᵀ of a matrix A that has the eigenvectors V of a spectrum.
func KeepEigenvectors(a *mat.SymDense, e *similarity.Spectrum) *mat.SymDense {
	part := mat.NewSymDense(len(e.Values), nil)
	for j := range e.Values {
		v := e.Vectors.ColView(j)
		part.SymRankOne(part, mat.Inner(v, a, v), v)
	}
	return part
}

// SmallestF returns the smallest objective F after one of the first stepCount steps of a run.
func SmallestF(r *mkl.Result, stepCount int) float64 {
	f := math.Inf(1)
	for _, row := range r.Trace[1:min(stepCount+1, len(r.Trace))] {
		f = min(f, row.F)
	}
	return f
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// SolveSVM returns the optimum ω(K) of the support vector machine with the kernel matrix K, solved to a relative gap of
// 1e-10, and w, the labels times the dual coefficients.
func SolveSVM(kernelMatrix *mat.SymDense, y []float64, c float64) (optimum float64, w []float64) {
	f := kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(kernelMatrix)}}
	s := must(solveWithUnitWeights(f, loss.Hinge{C: c}, 1, y))
	return s.Dual(), s.W
}

// ScaledIdentities returns one n×n identity matrix times scale for each similarity matrix of s.
func ScaledIdentities(s Set, scale float64) (matrices []*mat.SymDense) {
	for range s.S {
		k := mat.NewSymDense(s.N(), nil)
		for i := range s.Y {
			k.SetSym(i, i, scale)
		}
		matrices = append(matrices, k)
	}
	return matrices
}

// LowerBound returns yᵀw + Σ_i (n·λ_min(Z_i − wwᵀ/2γ_i) − ⟨Z_i,S_i⟩), a lower bound of F of EMKL if all n points have
// labels, and of ESKL if there is one S with γ = 1. The y_iw_i are dual coefficients, λ_min is the smallest eigenvalue.
// For distance L1 with weight ρ, the entries of the symmetric Z_i must be in [−ρ, ρ]; for L2 the Frobenius norm must be
// at most ρ.
func LowerBound(s Set, zs []*mat.SymDense, w, gamma []float64) (boundOfF float64) {
	boundOfF = floats.Dot(w, s.Y)
	for i, z := range zs {
		var m mat.SymDense
		m.SymRankOne(z, -0.5/gamma[i], mat.NewVecDense(len(w), w))
		boundOfF += float64(s.N())*Spectrum(&m).Values[0] -
			floats.Dot(similarity.Vec(z), similarity.Vec(s.S[i]))
	}
	return boundOfF
}

// ChordGap returns the largest f at a midpoint minus the mean of f at the two ends, over pairCount pairs of random
// positive definite n×n matrices of trace n. It is not positive if f is convex.
func ChordGap(n, pairCount int, f func(*mat.SymDense) float64) (largestExcess float64) {
	largestExcess = math.Inf(-1)
	for seed := range uint64(pairCount) {
		a, b := similarity.Vec(RandomDefinite(n, 2*seed)), similarity.Vec(RandomDefinite(n, 2*seed+1))
		fOfVector := func(v []float64) float64 { return f(SymmetricMatrix(v, n)) }
		largestExcess = max(largestExcess, shared.ChordGap(fOfVector, a, b))
	}
	return largestExcess
}
