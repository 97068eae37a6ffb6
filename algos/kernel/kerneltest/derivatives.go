package kerneltest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
)

func (s *suite) checkGradient() {
	sparseW := s.randomVector(s.n) // w of a model with few support vectors
	for i := range sparseW {
		if i%3 != 0 {
			sparseW[i] = 0
		}
	}
	for _, w := range [][]float64{s.randomVector(s.n), sparseW} {
		theta, directions := s.randomTheta(), [][]float64{s.randomTheta()}
		if s.isOrthant {
			e := make([]float64, s.m)
			e[s.m-1] = 1
			directions = append(directions, e)
		}
		grad, repeatedGradient := formGradientAt(s.g, theta, w), make([]float64, s.m)
		for _, u := range directions {
			s.expectDerivative("Gradient", func(t []float64) []float64 {
				return []float64{floats.Dot(w, mulVec(denseMatrixAt(s.g, t), w))}
			}, theta, u, []float64{floats.Dot(grad, u)})
		}
		g := newGramAt(s.g, theta)
		g.Gradient(repeatedGradient, s.randomVector(s.n))
		g.K()
		g.Gradient(repeatedGradient, w)
		s.expect(slices.Equal(grad, repeatedGradient), "Gradient depends on earlier calls")
	}
}

// expectDerivative checks the derivative of f at θ in a direction u: E(h) = ‖f(θ+hu) − f(θ) − h·derivative‖ must
// decrease like h², until it is as small as rounding errors.
func (s *suite) expectDerivative(label string, f func(theta []float64) []float64, theta, u, derivative []float64) {
	s.Helper()
	f0 := f(theta)
	scale := max(maxAbs(f0), maxAbs(derivative))
	var last float64
	steps := []float64{1e-1, 1e-2, 1e-3}
	passedCount, worstOrder := 0, 0.0
	for i, h := range steps {
		f1 := f(addScaled(theta, u, h))
		e := 0.0
		for j := range f1 {
			e = max(e, math.Abs(f1[j]-f0[j]-h*derivative[j]))
		}
		if e <= tolerance*scale {
			passedCount++
		} else if i > 0 && last > 0 {
			if p := math.Log10(last / e); p > 1.8 {
				passedCount++
			} else {
				worstOrder = p
			}
		}
		last = e
	}
	s.expect(passedCount >= len(steps)-1, "%s: the Taylor error decreases like h^%.2f, want h²", label, worstOrder)
}

func (s *suite) checkPolynomialDegree() {
	d := s.g.Degree()
	if !s.expect(d >= 1, "Degree is %d, want 1 or more", d) {
		return
	}
	theta, u := s.randomTheta(), s.randomTheta()
	vanishingDifference, largestTerm := s.finiteDifference(theta, u, d+1) // 0 for a polynomial of degree d
	s.expectNear(fmt.Sprintf("K(θ+iu) for i = 0, 1, …: difference of order %d", d+1), vanishingDifference,
		make([]float64, s.n*s.n), largestTerm)
	// K is a polynomial in θ whose coefficients are positive semidefinite. Its differences along u ≥ 0 of order up to d
	// are sums of these coefficients with weights ≥ 0, and therefore positive semidefinite. For d = 1 they are K(u).
	for differenceOrder := 1; differenceOrder <= d; differenceOrder++ {
		k, largestTerm := s.finiteDifference(theta, u, differenceOrder)
		s.expectPSD(fmt.Sprintf("K(θ+iu) for i = 0, 1, …: difference of order %d", differenceOrder), k, largestTerm)
	}
	if d == 1 {
		w := s.randomVector(s.n)
		s.expectNear("⟨θ, Gradient⟩ = wᵀKw", []float64{floats.Dot(theta, formGradientAt(s.g, theta, w))},
			[]float64{floats.Dot(w, mulVec(denseMatrixAt(s.g, theta), w))}, floats.Dot(w, w))
	}
}

// finiteDifference returns Σ_i (−1)^{order−i} binomial(order, i) K(θ+iu), and the largest absolute entry of a term.
func (s *suite) finiteDifference(theta, u []float64, order int) (difference []float64, largestTerm float64) {
	difference = make([]float64, s.n*s.n)
	c := 1.0
	for i := order; i >= 0; i-- {
		for j, v := range denseMatrixAt(s.g, addScaled(theta, u, float64(i))) {
			difference[j] += c * v
			largestTerm = max(largestTerm, math.Abs(c*v))
		}
		c *= -float64(i) / float64(order-i+1)
	}
	return difference, largestTerm
}

func (s *suite) checkSecondDerivatives() {
	theta, u, v, w := s.randomTheta(), s.randomTheta(), s.randomVector(s.n), s.randomVector(s.n)
	g := newGramAt(s.g, theta).(kernel.SecondOrder)
	directionalProduct, productOfSecondCall := make([]float64, s.n), make([]float64, s.n)
	bilinearGradient, bilinearGradientOfSwappedVectors := make([]float64, s.m), make([]float64, s.m)
	hessianProduct := make([]float64, s.m)
	g.MulDirectionalDerivative(directionalProduct, u, w)
	g.BilinearGradient(bilinearGradient, v, w)
	s.expectNear("⟨u, BilinearGradient(v,w)⟩ = vᵀMulDirectionalDerivative(u,w)",
		[]float64{floats.Dot(u, bilinearGradient)}, []float64{floats.Dot(v, directionalProduct)},
		maxAbs(directionalProduct)*maxAbs(v))
	g.BilinearGradient(bilinearGradientOfSwappedVectors, w, v)
	s.expectNear("BilinearGradient(v,w) = BilinearGradient(w,v)", bilinearGradient, bilinearGradientOfSwappedVectors, 0)
	g.BilinearGradient(bilinearGradient, w, slices.Clone(w))
	s.expectNear("BilinearGradient(w,w) = Gradient", bilinearGradient, formGradientAt(s.g, theta, w), 0)
	g.HessianVectorProduct(hessianProduct, u, w)
	s.expectDerivative("MulDirectionalDerivative",
		func(t []float64) []float64 { return mulVec(denseMatrixAt(s.g, t), w) }, theta, u, directionalProduct)
	s.expectDerivative("HessianVectorProduct",
		func(t []float64) []float64 { return formGradientAt(s.g, t, w) }, theta, u, hessianProduct)
	g.MulDirectionalDerivative(productOfSecondCall, u, w)
	s.expect(slices.Equal(directionalProduct, productOfSecondCall), "MulDirectionalDerivative depends on earlier calls")
}

func (s *suite) checkQuadraticForm() {
	theta, w := s.randomTheta(), s.randomVector(s.n)
	q := mat.NewSymDense(s.m, nil)
	q.SetSym(0, s.m-1, 5) // QuadraticFormInTheta must overwrite this entry
	if _, ok := newGramAt(s.g, theta).(kernel.SecondOrder).QuadraticFormInTheta(q, w); !ok {
		s.expect(true, "")
		return
	}
	var qTheta mat.VecDense
	qTheta.MulVec(q, mat.NewVecDense(s.m, theta))
	s.expectNear("θᵀQθ = wᵀKw for the Q of QuadraticFormInTheta", []float64{floats.Dot(theta, qTheta.RawVector().Data)},
		[]float64{floats.Dot(w, mulVec(denseMatrixAt(s.g, theta), w))}, 0)
	qTheta.ScaleVec(2, &qTheta)
	s.expectNear("2Qθ = Gradient", formGradientAt(s.g, theta, w), qTheta.RawVector().Data, 0)
	s.expect(mat.Min(q) >= -tolerance*mat.Max(q), "the matrix Q of wᵀKw = θᵀQθ has the negative entry %g", mat.Min(q))
}

func (s *suite) checkBlockMethods() {
	theta, w := s.randomTheta(), s.randomVector(s.n)
	g := newGramAt(s.g, theta)
	b := g.(kernel.Blocked)
	starts := b.BlockStarts()
	m := len(starts) - 1
	if !s.expect(m >= 1 && starts[0] == 0 && starts[m] == s.m &&
		slices.IsSorted(starts), "BlockStarts is %v, want ascending numbers from 0 to %d", starts, s.m) {
		return
	}
	c, blockForms, blockFormsAfterSetWeights := make([]float64, m), make([]float64, m), make([]float64, m)
	unweightedK := denseEntries(g)
	b.BlockQuadraticForms(blockForms, w)
	sumOfForms := 0.0
	for i, v := range blockForms {
		sumOfForms += v
		c[i] = 0.2 + 2*s.random.Float64()
	}
	s.expectNear("with block weights 1, Σ_i wᵀK_iw = wᵀKw",
		[]float64{sumOfForms}, []float64{floats.Dot(w, mulVec(unweightedK, w))}, 0)
	b.SetBlockWeights(slices.Clone(c))
	k := denseEntries(g)
	s.expectPSD("K with block weights c > 0", k, 0)
	s.expectNear("with block weights c_i, Σ_i c_i wᵀK_iw = wᵀKw", []float64{floats.Dot(c, blockForms)},
		[]float64{floats.Dot(w, mulVec(k, w))}, 0)
	b.BlockQuadraticForms(blockFormsAfterSetWeights, w)
	s.expectNear("BlockQuadraticForms after SetBlockWeights = BlockQuadraticForms before it", blockFormsAfterSetWeights,
		blockForms, 0)
	grad, u := make([]float64, s.m), s.randomTheta()
	g.Gradient(grad, w)
	s.expectDerivative("Gradient with block weights c", func(t []float64) []float64 {
		g.SetTheta(t)
		b.SetBlockWeights(c)
		return []float64{floats.Dot(w, mulVec(denseEntries(g), w))}
	}, theta, u, []float64{floats.Dot(grad, u)})
	scaledTheta := make([]float64, s.m)
	b.ScaleThetaByBlockWeights(scaledTheta, theta)
	s.expectNear("K at the θ of ScaleThetaByBlockWeights = K with block weights c",
		denseMatrixAt(s.g, scaledTheta), k, 0)
	g.SetTheta(theta)
	s.expectNear("SetTheta resets the block weights: K = K with weights 1", denseEntries(g), unweightedK, 0)
}
