package tessellated

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// block is the set of monomials z^γ x^δ with the same exponents γ. They are the columns first … end−1 of U, the matrix
// of the monomials x^δ of the points.
type block struct{ first, end int }

func (b block) len() int { return b.end - b.first }

// basis is the list Z(z,x) of the q monomials z^γ_i x^δ_i.
type basis struct {
	q            int
	delta, gamma [][]int // exponents δ_i of x and γ_i of z in monomial i, which rows i and q+i of P belong to
	column       []int   // the column of U for monomial i; monomials with the same γ are adjacent in U
	blocks       []block
	powers       [][]int // the exponents γ of each block
	// powerSums are the different values of γ_a + γ_b for pairs of blocks a and b; the first is 0. sumIndex[a][b] is
	// the index of γ_a + γ_b in powerSums.
	powerSums [][]int
	sumIndex  [][]int
}

// newBasis returns the basis of f for points with featureCount features.
func newBasis(f Family, featureCount int) basis {
	var b basis
	if f.Basis == ZX {
		for _, e := range kernel.Exponents(2*featureCount, f.Degree) {
			b.delta, b.gamma = append(b.delta, e[:featureCount]), append(b.gamma, e[featureCount:])
		}
	} else {
		b.delta = kernel.Exponents(featureCount, f.Degree)
		zeroPowers := make([]int, featureCount)
		for range b.delta {
			b.gamma = append(b.gamma, zeroPowers)
		}
	}
	b.q = len(b.delta)
	b.column = make([]int, b.q)
	order := make([]int, b.q)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(b.gamma[i], b.gamma[j]) })
	for p, i := range order {
		b.column[i] = p
		if p == 0 || !slices.Equal(b.gamma[i], b.gamma[order[p-1]]) {
			b.blocks, b.powers = append(b.blocks, block{p, p}), append(b.powers, b.gamma[i])
		}
		b.blocks[len(b.blocks)-1].end++
	}
	indexOfSum := map[string]int{}
	for _, g := range b.powers {
		row := make([]int, len(b.powers))
		for k, h := range b.powers {
			c := make([]int, featureCount)
			for j := range c {
				c[j] = g[j] + h[j]
			}
			at, isKnown := indexOfSum[fmt.Sprint(c)]
			if !isKnown {
				at = len(b.powerSums)
				indexOfSum[fmt.Sprint(c)] = at
				b.powerSums = append(b.powerSums, c)
			}
			row[k] = at
		}
		b.sumIndex = append(b.sumIndex, row)
	}
	return b
}

// evaluateMonomials stores x^δ_i of one point x in dst[column[i]].
func (b *basis) evaluateMonomials(dst, x []float64) {
	for i, e := range b.delta {
		v := 1.0
		for j, p := range e {
			for range p {
				v *= x[j]
			}
		}
		dst[b.column[i]] = v
	}
}

// Monomial returns the name of monomial i < q of the basis.
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
	for j, p := range g.basis.delta[i] {
		addPower(points.FeatureName(g.x, j), p)
	}
	for j, p := range g.basis.gamma[i] {
		addPower(fmt.Sprintf("z%d", j+1), p)
	}
	if parts == nil {
		return "1"
	}
	return strings.Join(parts, "·")
}

// Exponents returns δ_i and γ_i of the q monomials z^γ_i x^δ_i. Each has one exponent for each feature.
func (g *Grams) Exponents() (delta, gamma [][]int) { return g.basis.delta, g.basis.gamma }
