package kernel

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Gaussians is the family of products of one Gaussian kernel for each feature,
//
//	k_θ(x,z) = Π_k exp(−θ_k(x_k−z_k)²) = exp(−Σ_k θ_k(x_k−z_k)²),  θ ≥ 0,
//
// also called the Gaussian kernel with automatic relevance determination: θ_k = 0 leaves feature k out.
//
// It is not a polynomial in θ, and J is not convex in it: what can be proved of a solution is first
// order. The n×n matrices of the features' distances are never built: with S = X diag(θ) Xᵀ the distance
// is S_ii + S_jj − 2S_ij, one symmetric product, O(n²m), and so is each derivative.
type Gaussians struct {
	// Prepare is applied to the points first.
	Prepare points.Preprocessing
}

var _ Family = Gaussians{}

// On binds f to x, Rows or Sparse.
func (f Gaussians) On(x points.Points) Grams {
	g := centred(Features{Prepare: f.Prepare}.On(x).(*featureGrams))
	g.validate = sync.OnceValue(g.judge) // also for slices
	return g
}

// gaussianGrams is Gaussians on fixed points for a number of threads.
type gaussianGrams struct {
	*fittedGaussians
	on linalg.Bound
}

// fittedGaussians is Gaussians on fixed points: those of Features of degree 1.
type fittedGaussians struct {
	*fittedFeatures
	design design // of these less a centre, which changes no distance
}

func centred(f *featureGrams) *gaussianGrams {
	g := &fittedGaussians{fittedFeatures: f.fittedFeatures}
	if g.bad == nil {
		g.design = f.design.minus(f.design.centre())
	}
	return &gaussianGrams{g, f.on}
}

func (g *fittedGaussians) judge() error {
	if g.bad != nil {
		return g.bad
	}
	norms := g.design.norms()
	logarithms(norms, 1)
	return checkDiagonal("‖x‖²", norms)
}

// Degree returns 0: K is no polynomial in θ.
func (g *fittedGaussians) Degree() int { return 0 }

// Threads returns g for at most n threads.
func (g *gaussianGrams) Threads(n int) Grams {
	return &gaussianGrams{g.fittedGaussians, linalg.Bound(n)}
}

// Slice equals On(x[rows]), O(nm).
func (g *gaussianGrams) Slice(rows []int) Grams {
	return centred((&featureGrams{g.fittedFeatures, g.on}).slice(rows))
}

// Block is K between x[rows] and x[cols], prepared by a fit to cols.
func (g *gaussianGrams) Block(rows, cols []int) Cross {
	g.mustEvaluate()
	return g.Slice(cols).Cross(g.x.Slice(rows))
}

// Cross prepares z by the fit of the fixed points.
func (g *gaussianGrams) Cross(z points.Points) Cross {
	a, b := designs(mustVectors(g.apply(z), nil), g.v)
	return &gaussianCross{gaussianGrams: g, z: a.minus(b.centre()), x: b.minus(b.centre())}
}

// gaussianCross is Gaussians between new points and the fixed ones.
type gaussianCross struct {
	*gaussianGrams
	z, x design
}

// Gram stores exp(−Σ_k θ_k(z_ik−x_jk)²) in dst, l×n, in O(lnm).
func (c *gaussianCross) Gram(dst *mat.Dense, theta []float64) {
	l, _ := c.z.size()
	checkCross(dst, l, c.n, theta, c.m)
	r := dst.RawMatrix()
	c.x.cross(r.Data, r.Stride, c.z, theta, &scratch{on: c.on})
	a, b := newWeighted(c.z, theta), newWeighted(c.x, theta)
	for i := range l {
		row := dst.RawRowView(i)
		for j, s := range row {
			row[j] = a.distance(b, i, j, s)
		}
		exponentials(row, row, -1)
	}
}

// weightedPoints measure the distances Σ_k θ_k(x_ik−z_jk)² between the rows of two designs.
type weightedPoints struct {
	x            design
	theta        []float64
	norm, size   []float64 // Σ_k θ_kx_ik² and Σ_k |θ_k|x_ik²
	buf, between []float64
}

func newWeighted(x design, theta []float64) *weightedPoints {
	n, m := x.size()
	w := &weightedPoints{x: x, theta: theta, norm: make([]float64, n), size: make([]float64, n),
		buf: make([]float64, m), between: make([]float64, m)}
	for i := range n {
		for k, v := range x.row(w.buf, i) {
			w.norm[i] += theta[k] * v * v
			w.size[i] += math.Abs(theta[k]) * v * v
		}
	}
	return w
}

// distance is that of row i to row j of z, whose weighted inner product is s. Where digits cancel it is
// taken by the differences, in O(m).
func (w *weightedPoints) distance(z *weightedPoints, i, j int, s float64) float64 {
	d := w.norm[i] + z.norm[j] - 2*s
	if d >= cancelled*(w.size[i]+z.size[j]) {
		return d
	}
	a, b := w.x.row(w.buf, i), z.x.row(w.between, j)
	d = 0
	for k, t := range w.theta {
		d += t * (a[k] - b[k]) * (a[k] - b[k])
	}
	return d
}

// gaussianGram is K(θ) of Gaussians.
type gaussianGram struct {
	evaluation
	g       *fittedGaussians
	t       []float64 // n×n, upper triangle
	weights distanceWeights
}

var _ Curved = (*gaussianGram)(nil)

// New returns an unevaluated Gram.
func (g *gaussianGrams) New() Gram {
	k, ok := g.released.Get().(bounded)
	if !ok {
		q := &gaussianGram{g: g.fittedGaussians}
		q.m, q.n = g.Dims()
		k = q
	}
	k.use(g.on)
	return k
}

// Release makes g the next Gram that New returns.
func (g *gaussianGram) Release() { g.g.released.Put(g) }

// At moves to θ; nothing is computed before it is asked for.
func (g *gaussianGram) At(theta []float64) {
	g.g.mustEvaluate()
	g.move(theta)
}

// K forms K(θ) when first asked for at θ, in O(n²m).
func (g *gaussianGram) K() *mat.SymDense {
	g.evaluated()
	data := g.storage()
	if g.hasK {
		return g.k
	}
	g.distances(data, g.theta)
	for i := range g.n {
		row := data[i*g.n+i : (i+1)*g.n]
		exponentials(row, row, -1)
	}
	g.hasK = true
	return g.k
}

// distances stores the upper triangle of Σ_k u_k(x_ik−x_jk)². Where digits cancel a distance is taken by the
// differences; features with u_k = 0 take no part.
func (g *gaussianGram) distances(dst, u []float64) {
	x, u := g.g.weighted(u)
	x.gram(dst, u, &g.scratch)
	w := newWeighted(x, u)
	for i := range g.n {
		row := dst[i*g.n+i : (i+1)*g.n]
		row[0] = 0
		norm, size, norms, sizes := w.norm[i], w.size[i], w.norm[i:], w.size[i:]
		for j := 1; j < len(row); j++ {
			d := norm + norms[j] - 2*row[j]
			if !(d >= cancelled*(size+sizes[j])) {
				d = w.distance(w, i, i+j, row[j])
			}
			row[j] = d
		}
	}
}

// weighted is the design without the features of weight 0, where those are many, and the weights of the
// others.
func (g *fittedGaussians) weighted(u []float64) (design, []float64) {
	x, ok := g.design.(*denseDesign)
	var at []int
	for k, v := range u {
		if v != 0 {
			at = append(at, k)
		}
	}
	if !ok || 4*len(at) > 3*len(u) || len(at) == 0 {
		return g.design, u
	}
	part, some := &denseDesign{x.n, len(at), make([]float64, x.n*len(at))}, make([]float64, len(at))
	for i := range x.n {
		from, to := x.at(i), part.at(i)
		for j, k := range at {
			to[j] = from[k]
		}
	}
	for j, k := range at {
		some[j] = u[k]
	}
	return part, some
}

// Gradient stores −Σ_ij w_iw_jK_ij(x_ik−x_jk)².
func (g *gaussianGram) Gradient(dst, w []float64) { g.Pair(dst, w, w) }

// Pair stores −Σ_ij v_iw_jK_ij(x_ik−x_jk)², in O(n²m).
func (g *gaussianGram) Pair(dst, v, w []float64) {
	g.check(v, w, dst)
	g.forms(dst, v, w, nil)
	for k := range dst {
		dst[k] = -dst[k]
	}
}

// Along stores −(K∘Σ_k u_kD_k)w, in O(n²m).
func (g *gaussianGram) Along(dst, u, w []float64) {
	g.check(dst, w, u)
	k, t, n := g.K().RawSymmetric().Data, sized(&g.t, g.n*g.n), g.n
	g.distances(t, u)
	clear(dst)
	for i := range n {
		row := t[i*n+i : (i+1)*n]
		for j := range row {
			row[j] *= -k[i*n+i+j]
		}
		linalg.UpperMulVec(dst, row, w, i)
	}
}

// Second stores Σ_ij w_iw_jK_ij(x_ik−x_jk)²Σ_l u_l(x_il−x_jl)², in O(n²m).
func (g *gaussianGram) Second(dst, u, w []float64) {
	g.check(w, w, u)
	g.check(w, w, dst)
	t := sized(&g.t, g.n*g.n)
	g.distances(t, u)
	g.forms(dst, w, w, t)
}

// forms stores Σ_ij M_ij(x_ik−x_jk)² = 2(Σ_i r_ix_ik² − x_kᵀMx_k), r the row sums of M, which has nothing on
// the diagonal, where the distance is 0. Points of weight 0, as those that are no support vectors, take no
// part.
func (g *gaussianGram) forms(dst, v, w, t []float64) {
	x, k := g.g.design, g.K().RawSymmetric().Data
	if d, ok := x.(*denseDesign); ok && t == nil {
		x, k, v, w = g.support(d, k, v, w)
	}
	g.weights = distanceWeights{v, w, k, t, make([]float64, len(v))}
	x.columnForms(dst, &g.weights, &g.scratch)
	for k := range dst {
		dst[k] *= -2
	}
	buf := make([]float64, g.m)
	for i, r := range g.weights.sums {
		if r != 0 {
			for k, x := range x.row(buf, i) {
				dst[k] += 2 * r * x * x
			}
		}
	}
}

// support is x, K, v and w without the points where both are 0, if those are many.
func (g *gaussianGram) support(x *denseDesign, k, v, w []float64) (design, []float64, []float64, []float64) {
	var at []int
	for i := range v {
		if v[i] != 0 || w[i] != 0 {
			at = append(at, i)
		}
	}
	n := len(at)
	if 8*n > 7*x.n || n == 0 {
		return x, k, v, w
	}
	part, kp := &denseDesign{n, x.d, make([]float64, n*x.d)}, sized(&g.t, n*n)
	vp, wp := make([]float64, n), make([]float64, n)
	for p, i := range at {
		copy(part.at(p), x.at(i))
		vp[p], wp[p] = v[i], w[i]
		row, to := k[i*x.n:], kp[p*n:]
		for q := p; q < n; q++ {
			to[q] = row[at[q]]
		}
	}
	return part, kp, vp, wp
}

// distanceWeights is M by rows, K_ij(v_iw_j + w_iv_j)/2 off the diagonal, times T_ij where T is given. It adds up
// the sums of its rows as they are asked for.
type distanceWeights struct{ v, w, k, t, sums []float64 }

func (m *distanceWeights) row(dst []float64, i int) {
	n, vi, wi := len(m.v), m.v[i], m.w[i]
	if vi == 0 && wi == 0 {
		clear(dst)
		return
	}
	dst[0] = 0
	for j := 1; j < n-i; j++ {
		e := m.k[i*n+i+j] * (vi*m.w[i+j] + wi*m.v[i+j])
		if m.t != nil {
			e *= m.t[i*n+i+j]
		}
		dst[j] = e
		m.sums[i] += e / 2
		m.sums[i+j] += e / 2
	}
}
