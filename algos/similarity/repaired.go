package similarity

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Repaired is the family of repairs of similarities as base kernels,
//
//	k_θ(x,z) = Σ_k θ_k k_k(x,z),
//
// with k_k a Repair of one of the matrices Of, named by Repair.Of. It is bound to points.Indices, which are row numbers
// of these matrices. It repairs only the similarities between the bound points, each point once. This takes one
// decomposition of each matrix, about 9n³, and a few products of n×n matrices for all its repairs, when they are first
// needed. The linear rule of Repair applies to other points: to points.Indices with their similarities in Of, and to
// points.KernelRows, rows of similarities to all N points under the Name of the matrix.
//
// A slice repairs only its own points. So the held-out points of a fold are treated like new points, and scores are as
// for new points. For Flip and a small λ (TestRepairedScores) the accuracy in 4 folds of 80 points minus the accuracy
// on new points was −0.010 ± 0.010. Repairs of all points at once would have added 0.10.
type Repaired struct {
	Of        []Given
	Normalize kernel.Normalization // None or MeanDiagonal; Cosine needs k(z,z) of new points, which is not available
}

// Given is a matrix of similarities between N points, with the repairs that are base kernels.
type Given struct {
	Name    string
	N       int
	S       []float64 // N×N, row by row, symmetric, as Vec returns it
	Repairs []Repair  // see Differing
}

// Differing returns the repairs that give different kernels on S. If every eigenvalue of S is at least −1e-10 times its
// largest diagonal entry, S is a kernel; these are then Denoise, which gives S, and Linear. Otherwise they are all
// repairs.
func Differing(s *mat.SymDense) []Repair {
	if linalg.IsPSD(s, 1e-10) {
		return []Repair{Denoise, Linear}
	}
	return slices.Clone(Repairs)
}

// Validate returns an error if a size or a name is wrong, or if Learned.Validate rejects a matrix.
func (f Repaired) Validate() error {
	if len(f.Of) == 0 {
		return errors.New("similarity: no similarities to repair; give at least one matrix")
	}
	if f.Normalize != kernel.None && f.Normalize != kernel.MeanDiagonal {
		return fmt.Errorf("similarity: normalization %q of repairs; use %q or %q", f.Normalize, kernel.None,
			kernel.MeanDiagonal)
	}
	for i, s := range f.Of {
		if s.S == nil {
			return fmt.Errorf("similarity: %q has no matrix", s.Name)
		}
		if err := (Learned{N: s.N, S: s.S}).Validate(); err != nil {
			return fmt.Errorf("%w (of %q)", err, s.Name)
		}
		if s.N != f.Of[0].N {
			return fmt.Errorf("similarity: %q has %d points and %q has %d; all matrices must have the same points",
				s.Name, s.N, f.Of[0].Name, f.Of[0].N)
		}
		if slices.ContainsFunc(f.Of[:i], func(o Given) bool { return o.Name == s.Name }) {
			return fmt.Errorf("similarity: two matrices are named %q", s.Name)
		}
		if len(s.Repairs) == 0 {
			return fmt.Errorf("similarity: no repair of %q is named; use some of %v", s.Name, Repairs)
		}
		for _, r := range s.Repairs {
			if !slices.Contains(Repairs, r) {
				return fmt.Errorf("similarity: unknown repair %v of %q; use some of %v", r, s.Name, Repairs)
			}
		}
		for _, v := range s.S {
			if !(math.Abs(v) < largestEntry) {
				return fmt.Errorf("similarity: %q has the entry %.3g; scale the matrix down, below %g", s.Name, v,
					largestEntry)
			}
		}
	}
	return nil
}

// largestEntry bounds the magnitude of similarities, so that no square of an eigenvalue overflows.
const largestEntry = 1e140

// On binds f to points.Indices.
func (f Repaired) On(x points.Points) kernel.Grams {
	return f.on(x, f.Validate(), &recent{f: f})
}

// on is On with the error that was found in f itself and with the cache that slices share.
func (f Repaired) on(x points.Points, bad error, all *recent) *repaired {
	if bad == nil {
		bad = f.check(x)
	}
	if bad != nil {
		return &repaired{f.sum(x, nil, bad), f, x, bad, all, 0}
	}
	return &repaired{all.of(points.MustAs[points.Indices](x)).sum, f, x, nil, all, 0}
}

// sum returns the kernel.Sum of the repairs on x.
func (f Repaired) sum(x points.Points, fit *fitted, bad error) kernel.Grams {
	var list kernel.List
	for i, s := range f.Of {
		for k, r := range s.Repairs {
			list = append(list, &base{fitted: fit, bad: bad, of: i, repair: k, name: r.Of(s.Name)})
		}
	}
	return kernel.Sum{Kernels: list, Normalize: f.Normalize}.On(x)
}

// check returns an error if f cannot be bound to x.
func (f Repaired) check(x points.Points) error {
	p, err := points.As[points.Indices](x)
	if err != nil {
		return fmt.Errorf("similarity: repairs: %w", err)
	}
	return Learned{N: f.Of[0].N}.check(p)
}

// recent caches the repairs of the points that were bound most recently.
type recent struct {
	f    Repaired
	mu   sync.Mutex
	last []*fitted // the most recent at the end
}

// of returns the repairs between the points x. It stores the most recently used ones, in at most a quarter of
// kernel.Memory but at least one, because the methods of a study ask for the same folds one after the other.
func (a *recent) of(x points.Indices) *fitted {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := slices.IndexFunc(a.last, func(g *fitted) bool { return slices.Equal(g.x, x) })
	if k >= 0 {
		g := a.last[k]
		a.last = append(slices.Delete(a.last, k, k+1), g)
		return g
	}
	at := slices.Compact(slices.Sorted(slices.Values(x)))
	g := &fitted{f: a.f, x: slices.Clone(x), at: at, place: map[int]int{}, made: make([]madeRepairs, len(a.f.Of))}
	for i, v := range at {
		g.place[v] = i
	}
	g.sum = a.f.sum(g.x, g, nil)
	a.last = append(a.last, g)
	room := float64(kernel.Memory()) / 4
	for i := len(a.last) - 1; i >= 0; i-- {
		if room -= a.last[i].bytes(); room < 0 && i < len(a.last)-1 {
			a.last = slices.Delete(a.last, 0, i+1)
			break
		}
	}
	return g
}

// fitted holds the repairs of the similarities between some points.
type fitted struct {
	f     Repaired
	x     points.Indices
	at    []int       // the indices x, ascending, each once
	place map[int]int // the position in at of each index
	made  []madeRepairs
	sum   kernel.Grams // bound to x
}

// madeRepairs holds the repairs of one similarity matrix, which are made when first needed.
type madeRepairs struct {
	once sync.Once
	all  []*Kernel // in the order of Given.Repairs
}

// bytes returns the approximate size of g after it is made. For each repair it counts K, P, and the two packed matrices
// of the sum, before and after Normalize.
func (g *fitted) bytes() float64 {
	n, sum := float64(len(g.at)), 0
	for _, s := range g.f.Of {
		sum += 3 * len(s.Repairs)
	}
	return 8 * n * n * float64(sum)
}

// kernel returns repair k of matrix i. It panics if LAPACK finds no eigenvalues, which has not been observed for
// matrices that Validate accepts.
func (g *fitted) kernel(i, k int) *Kernel {
	m := &g.made[i]
	m.once.Do(func() {
		s, given := mat.NewSymDense(len(g.at), nil), g.f.Of[i]
		for r, p := range g.at {
			for c := r; c < len(g.at); c++ {
				s.SetSym(r, c, given.S[p*given.N+g.at[c]])
			}
		}
		spectrum, err := Decompose(s)
		if err != nil {
			panic(err)
		}
		for _, r := range given.Repairs {
			made, err := spectrum.Repair(r)
			if err != nil {
				panic(err)
			}
			m.all = append(m.all, made)
		}
	})
	return m.all[k]
}

// base is a repair as a base kernel on the points from which it was made. It is not a kernel for other pairs of points:
// the points x of Cross must be some of these points.
type base struct {
	*fitted    // nil if there is an error
	bad        error
	of, repair int
	name       string
}

var (
	_ kernel.Kernel   = (*base)(nil)
	_ kernel.Diagonal = (*base)(nil)
	_ kernel.Shifted  = (*base)(nil)
)

func (b *base) String() string              { return b.name }
func (b *base) Check(_ points.Points) error { return b.bad }
func (b *base) matrix() *Kernel             { return b.kernel(b.of, b.repair) }

// Shift returns a δ ≥ 0 such that K + δI is positive semidefinite. It accounts for the rounding of the spectrum.
func (b *base) Shift() float64 {
	return kernel.Precomputed{N: len(b.at), Data: b.matrix().K.RawSymmetric().Data}.Shift()
}

// Diag stores k(z, z) for points z that are bound.
func (b *base) Diag(dst []float64, z points.Points) {
	for i, p := range points.MustAs[points.Indices](z) {
		dst[i] = b.matrix().K.At(b.place[p], b.place[p])
	}
}

// Cross stores entries of K for points that are bound. For other points and for points.KernelRows it stores Ps.
func (b *base) Cross(dst *mat.Dense, z, x points.Points) {
	k, given := b.matrix(), &b.f.Of[b.of]
	upper := k.K.RawSymmetric()
	cols := make([]int, x.Len())
	for j, p := range points.MustAs[points.Indices](x) {
		cols[j] = b.place[p]
	}
	var fresh []int // rows of z that use the linear rule
	var s []float64 // similarities of these rows to at, row by row
	switch z := z.(type) {
	case points.Indices:
		for i, p := range z {
			if r, ok := b.place[p]; ok {
				row := dst.RawRowView(i)
				for j, c := range cols {
					row[j] = upper.Data[min(r, c)*upper.Stride+max(r, c)]
				}
				continue
			}
			fresh = append(fresh, i)
			for _, q := range b.at {
				s = append(s, given.S[p*given.N+q])
			}
		}
	case points.KernelRows:
		all := z.Data[slices.Index(z.Names, given.Name)]
		for i := range z.Len() {
			fresh = append(fresh, i)
			for _, q := range b.at {
				s = append(s, all[i*z.N+q])
			}
		}
	default:
		panic(fmt.Sprintf("similarity: points of kind %T", z))
	}
	if len(fresh) == 0 {
		return
	}
	mapped := k.cross(mat.NewDense(len(fresh), len(b.at), s))
	for r, i := range fresh {
		row, from := dst.RawRowView(i), mapped.RawRowView(r)
		for j, c := range cols {
			row[j] = from[c]
		}
	}
}

// repaired is f bound to points. It is a kernel.Sum of the repairs of their similarities.
type repaired struct {
	kernel.Grams // of the Sum
	f            Repaired
	x            points.Points
	bad          error
	all          *recent

	threads int // see Threads
}

// Validate returns the error that On found.
func (g *repaired) Validate() error { return g.bad }

// Threads returns g with at most n threads. The decomposition does not observe this limit.
func (g *repaired) Threads(n int) kernel.Grams {
	t := *g
	t.Grams, t.threads = g.Grams.Threads(n), n
	return &t
}

// Slice binds the family to a part of the points.
func (g *repaired) Slice(rows []int) kernel.Grams { return g.slice(rows) }

func (g *repaired) slice(rows []int) *repaired {
	if g.bad != nil {
		return g
	}
	s := g.f.on(g.x.Slice(rows), nil, g.all)
	s.Grams, s.threads = s.Grams.Threads(g.threads), g.threads
	return s
}

// Block returns the Cross of the points rows with the slice cols.
func (g *repaired) Block(rows, cols []int) kernel.Cross {
	return g.slice(cols).Cross(g.x.Slice(rows))
}

// CheckNew returns an error if the family cannot be evaluated at z.
func (g *repaired) CheckNew(z points.Points) (kernel.OutOfDomain, error) {
	return kernel.OutOfDomain{}, g.meets(z)
}

func (g *repaired) meets(z points.Points) error {
	if g.bad != nil {
		return g.bad
	}
	r, err := points.As[points.KernelRows](z)
	if err != nil {
		return g.f.check(z)
	}
	for _, s := range g.f.Of {
		if err := (kernel.Precomputed{Name: s.Name, N: s.N}).CheckNew(r); err != nil {
			return err
		}
	}
	return nil
}

// Freeze returns a kernel.Sum with only the data that new points need: the linear rules, for points.KernelRows, and the
// scales.
func (g *repaired) Freeze() (kernel.Family, error) {
	if g.bad != nil {
		return nil, g.bad
	}
	frozen, err := g.Grams.Freeze()
	if err != nil {
		return nil, err
	}
	kernels := kernel.KernelsOf(frozen)
	for k, b := range kernels {
		b := b.(*base)
		n := g.f.Of[b.of].N
		p := kernel.Precomputed{Name: b.name, Rows: g.f.Of[b.of].Name, N: n}
		if rule := b.matrix().p; rule != nil {
			p.Map = make([]float64, n*n) // 0 for points that are not bound
			for i, r := range b.at {
				for j, c := range b.at {
					p.Map[r*n+c] = rule.At(i, j)
				}
			}
		}
		kernels[k] = p
	}
	f, _ := kernel.WithKernels(frozen, kernels)
	return f, nil
}
