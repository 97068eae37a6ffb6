package tessellated

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// block is the set of monomials z^γ x^δ in the integration variable z and the point x with the same exponents γ. They
// are the columns firstCol … endCol−1 of U, the matrix of x^δ at the points.
type block struct{ firstCol, endCol int }

func (b block) len() int { return b.endCol - b.firstCol }

// monomialBasis is the list Z(z,x) of the q monomials z^γ_i x^δ_i. U is the matrix of the powers x^δ_i at the points.
type monomialBasis struct {
	q                      int
	xExponents, zExponents [][]int // exponents δ_i of x and γ_i of z in monomial i; it belongs to rows i and q+i of P
	columnOfMonomial       []int   // the column of U for monomial i; monomials with equal exponents γ of z are adjacent
	blocks                 []block
	blockExponents         [][]int // the exponents γ of z that the monomials of each block share
	// exponentSums are the distinct sums γ_a + γ_b of the exponents of z in blocks a and b; the first is 0.
	// exponentSumIndex[a][b] is the index of γ_a + γ_b in exponentSums.
	exponentSums     [][]int
	exponentSumIndex [][]int
}

func newBasis(f Family, featureCount int) monomialBasis {
	var b monomialBasis
	if f.Basis == ZX {
		for _, e := range kernel.Exponents(2*featureCount, f.Degree) {
			b.xExponents, b.zExponents = append(b.xExponents, e[:featureCount]), append(b.zExponents, e[featureCount:])
		}
	} else {
		b.xExponents = kernel.Exponents(featureCount, f.Degree)
		zeroPowers := make([]int, featureCount)
		for range b.xExponents {
			b.zExponents = append(b.zExponents, zeroPowers)
		}
	}
	b.q = len(b.xExponents)
	b.columnOfMonomial = make([]int, b.q)
	monomialOrder := make([]int, b.q)
	for i := range monomialOrder {
		monomialOrder[i] = i
	}
	slices.SortStableFunc(monomialOrder, func(i, j int) int {
		return slices.Compare(b.zExponents[i], b.zExponents[j])
	})
	for p, i := range monomialOrder {
		b.columnOfMonomial[i] = p
		if p == 0 || !slices.Equal(b.zExponents[i], b.zExponents[monomialOrder[p-1]]) {
			b.blocks, b.blockExponents = append(b.blocks, block{p, p}), append(b.blockExponents, b.zExponents[i])
		}
		b.blocks[len(b.blocks)-1].endCol++
	}
	indexOfSum := map[string]int{}
	for _, g := range b.blockExponents {
		exponentSumIndices := make([]int, len(b.blockExponents))
		for k, h := range b.blockExponents {
			c := make([]int, featureCount)
			for j := range c {
				c[j] = g[j] + h[j]
			}
			at, isKnown := indexOfSum[fmt.Sprint(c)]
			if !isKnown {
				at = len(b.exponentSums)
				indexOfSum[fmt.Sprint(c)] = at
				b.exponentSums = append(b.exponentSums, c)
			}
			exponentSumIndices[k] = at
		}
		b.exponentSumIndex = append(b.exponentSumIndex, exponentSumIndices)
	}
	return b
}

// evaluateMonomials stores the power x^δ_i of monomial i at one point x in dst[columnOfMonomial[i]].
func (b *monomialBasis) evaluateMonomials(dst, x []float64) {
	for i, e := range b.xExponents {
		v := 1.0
		for j, p := range e {
			for range p {
				v *= x[j]
			}
		}
		dst[b.columnOfMonomial[i]] = v
	}
}

// Monomial returns the name of monomial i of the q monomials of the kernel.
func (g *Grams) Monomial(i int) string {
	var parts []string
	addPower := func(name string, p int) {
		switch {
		case p == 1:
			parts = append(parts, name)
		case p > 1:
			parts = append(parts, fmt.Sprintf("%s^%d", name, p))
		}
	}
	for j, p := range g.basis.xExponents[i] {
		addPower(points.FeatureName(g.x, j), p)
	}
	for j, p := range g.basis.zExponents[i] {
		addPower(fmt.Sprintf("z%d", j+1), p)
	}
	if parts == nil {
		return "1"
	}
	return strings.Join(parts, "·")
}

// Exponents returns the exponents δ_i of x and γ_i of z of the q monomials z^γ_i x^δ_i, one number for each feature.
func (g *Grams) Exponents() (xExponents, zExponents [][]int) {
	return g.basis.xExponents, g.basis.zExponents
}
