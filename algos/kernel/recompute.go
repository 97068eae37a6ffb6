package kernel

import (
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/points"
)

// entryComputer computes base matrices on the preprocessed points x, one tile at a time, and stores no matrix.
type entryComputer struct {
	kernels   List
	x         points.Points
	once      sync.Once
	groups    []kernelGroup
	exponents []int // p if a kernel is computed as the power p of another kernel, else 1
}

// kernelGroup has the kernels that are functions of the same number t for each pair of points: an inner product or a
// distance, such as ‖x_i − x_j‖². A kernel that is not a function of such a number is a group of its own, with x = nil.
type kernelGroup struct {
	kernelPlans  []kernelPlan
	t            pairKind
	x, centered  *design.Matrix // the features used by the kernels, before and after subtracting center
	center       []float64      // the means of the features; nil if t is not squaredDistance
	squaredNorms []float64      // ‖x_i‖² of the centered points
}

// groupByProductOrDistance returns groups of kernel indices. Kernels of one group share an inner product or distance.
func (list List) groupByProductOrDistance() (groups [][]int) {
	groupIndex := map[string]int{} // the index in groups; the key has a pairKind and a list of features
	for k, f := range list {
		if g, ok := asPairwise(f); ok {
			key := fmt.Sprintln(g.pairKindAndColumns())
			if i, ok := groupIndex[key]; ok {
				groups[i] = append(groups[i], k)
				continue
			}
			groupIndex[key] = len(groups)
		}
		groups = append(groups, []int{k})
	}
	return groups
}

func acceptAllKernels(int) bool { return true }

// kernelGroups returns the kernels in groups that share an inner product or distance. It computes the groups once.
func (r *entryComputer) kernelGroups() []kernelGroup {
	r.once.Do(func() {
		r.exponents = make([]int, len(r.kernels))
		for _, group := range r.kernels.groupByProductOrDistance() {
			var q kernelGroup
			if g, ok := asPairwise(r.kernels[group[0]]); ok {
				t, columns := g.pairKindAndColumns()
				q = newKernelGroup(t, design.FromPoints(r.x, columns))
			}
			q.kernelPlans = r.kernels.planKernels(group)
			for _, m := range q.kernelPlans {
				r.exponents[m.k] = m.exponent
			}
			r.groups = append(r.groups, q)
		}
	})
	return r.groups
}

// fillTile stores in dst, row by row, the inner products or distances of q between the points firstRow ≤ i < endRow and
// firstColumn ≤ j < endColumn, or the values of the only kernel of q if q.x is nil. Only entries with i ≤ j are valid.
func (r *entryComputer) fillTile(q *kernelGroup, dst []float64, firstRow, endRow, firstColumn, endColumn int,
	s *design.Scratch) {
	width := endColumn - firstColumn
	switch {
	case q.x == nil:
		r.kernels[q.kernelPlans[0].k].Cross(mat.NewDense(endRow-firstRow, width, dst),
			r.x.Slice(points.AllIndices(endRow)[firstRow:]), r.x.Slice(points.AllIndices(endColumn)[firstColumn:]))
	case q.t == innerProduct:
		q.x.RowRange(firstColumn, endColumn).Cross(dst, width, q.x.RowRange(firstRow, endRow), nil, s)
	case q.t == squaredDistance:
		q.centered.RowRange(firstColumn, endColumn).Cross(dst, width, q.centered.RowRange(firstRow, endRow), nil, s)
		for i := firstRow; i < endRow; i++ {
			j := max(firstColumn, i)
			r := dst[(i-firstRow)*width+j-firstColumn : (i-firstRow+1)*width]
			if j == i {
				r[0], r, j = 0, r[1:], j+1
			}
			design.ToSquaredDistances(r, q.squaredNorms[i], q.squaredNorms[j:endColumn], func(l int) float64 {
				return q.x.SquaredDistance(q.x, i, j+l)
			})
		}
	case q.t == absoluteDistance:
		q.x.RowRange(firstColumn, endColumn).L1Distances(dst, width, q.x.RowRange(firstRow, endRow), s)
	}
}

// storeNewPointValues stores in part, for each base kernel k, its values between l new points z and the n points of r,
// l×n. z are the points after preprocessing. It omits a kernel if θ_k = 0 or l = 0.
func (r *entryComputer) storeNewPointValues(part *crossPart, z points.Points, theta []float64) {
	l, n := z.Len(), r.x.Len()
	if l == 0 {
		return
	}
	groups := r.kernelGroups()
	for i := range groups {
		q := &groups[i]
		fillPairValues := func(dst []float64) {
			if q.x == nil {
				r.kernels[q.kernelPlans[0].k].Cross(mat.NewDense(l, n, dst), z, r.x)
				return
			}
			_, featureColumns := r.kernels[q.kernelPlans[0].k].(pairwiseKernel).pairKindAndColumns()
			q.storeProductsOrDistances(dst, n, design.FromPoints(z, featureColumns), &part.Scratch)
		}
		isWanted := func(k int) bool { return theta[k] != 0 }
		visit := func(k int, a []float64) { copy(part.resizeBlockOfKernel(k, l*n), a) }
		r.visitKernelsOfGroup(q, l*n, isWanted, &part.tileScratch, fillPairValues, visit)
	}
}

// newKernelGroup returns a group without kernels for the inner product or distance t of the points x.
func newKernelGroup(t pairKind, x *design.Matrix) kernelGroup {
	q := kernelGroup{t: t, x: x}
	if t == squaredDistance {
		q.center = x.ColumnMeans()
		q.centered = x.SubtractFromRows(q.center)
		q.squaredNorms = q.centered.SquaredRowNorms()
	}
	return q
}

// storeProductsOrDistances stores the inner products or distances between l points z and the n points of q in dst, l×n.
// Row i begins at dst[i·stride]. It panics if z has another number of features.
func (q *kernelGroup) storeProductsOrDistances(dst []float64, stride int, z *design.Matrix, s *design.Scratch) {
	if z.D != q.x.D {
		panic(fmt.Sprintf("kernel: the new points have %d features; the fixed points have %d", z.D, q.x.D))
	}
	switch q.t {
	case innerProduct:
		q.x.Cross(dst, stride, z, nil, s)
	case squaredDistance:
		design.SquaredDistances(dst, stride, z, q.x, q.center, q.centered, q.squaredNorms, s)
	case absoluteDistance:
		q.x.L1Distances(dst, stride, z, s)
	}
}

// tileScratch is working storage for the values of kernels, and for the inner products or distances in pairValues.
type tileScratch struct {
	design.Scratch
	pairValues, baseKernelValues, valuesOfPowers []float64
}

var tileScratches = sync.Pool{New: func() any { return &tileScratch{Scratch: design.Scratch{Threads: 1}} }}

// visitKernelsOfTile calls visitValues once for each kernel k for which isWanted(k) is true. values has the entries of
// K_k in rows firstRow … endRow−1 and columns firstColumn … endColumn−1. firstColumn is firstRow or at least endRow.
// Entries below the diagonal of K_k are undefined. visitValues may read values only before it returns. It must not
// modify them, because other kernels are computed from them. The computed distance of a point to itself is exactly 0.
func (r *entryComputer) visitKernelsOfTile(firstRow, endRow, firstColumn, endColumn int, isWanted func(k int) bool,
	s *tileScratch, visitValues func(k int, values []float64)) {
	groups := r.kernelGroups()
	for i := range groups {
		fillPairValues := func(dst []float64) {
			r.fillTile(&groups[i], dst, firstRow, endRow, firstColumn, endColumn, &s.Scratch)
		}
		r.visitKernelsOfGroup(&groups[i], (endRow-firstRow)*(endColumn-firstColumn), isWanted, s, fillPairValues,
			visitValues)
	}
}

// visitKernelsOfGroup calls visitValues once for each kernel k of q for which isWanted(k) is true, with valueCount
// values. fillPairValues stores inner products or distances in dst, or values of the only kernel of q if q.x is nil.
func (r *entryComputer) visitKernelsOfGroup(q *kernelGroup, valueCount int, isWanted func(k int) bool, s *tileScratch,
	fillPairValues func(dst []float64), visitValues func(k int, values []float64)) {
	values := design.Resize(&s.pairValues, valueCount)
	// If pairValuesAreComputed, values holds what fillPairValues stores. s.baseKernelValues holds the values of kernel
	// storedBaseKernelIndex, and s.valuesOfPowers those values raised to each of appliedPowers.
	pairValuesAreComputed, storedBaseKernelIndex, appliedPowers := false, -1, []int(nil)
	for _, m := range q.kernelPlans {
		if !isWanted(m.k) {
			continue
		}
		if !pairValuesAreComputed {
			fillPairValues(values)
			pairValuesAreComputed = true
		}
		src, appliedPowerCount := values, 0
		if q.x != nil && storedBaseKernelIndex != m.baseKernelIndex {
			f, _ := asPairwise(r.kernels[m.baseKernelIndex])
			f.storeKernelValues(design.Resize(&s.baseKernelValues, valueCount), values)
			storedBaseKernelIndex, appliedPowers = m.baseKernelIndex, nil
		}
		if q.x != nil {
			src = s.baseKernelValues
		}
		if l := len(appliedPowers); l > 0 && l < len(m.successivePowers) &&
			slices.Equal(appliedPowers, m.successivePowers[:l]) {
			src, appliedPowerCount = s.valuesOfPowers, l
		}
		for _, p := range m.successivePowers[appliedPowerCount:] {
			elementwise.RaiseToPower(design.Resize(&s.valuesOfPowers, valueCount), src, p)
			src = s.valuesOfPowers
		}
		appliedPowers = m.successivePowers
		visitValues(m.k, src)
	}
}

// newSliceEntryComputer returns the entryComputer for the points of g, which may be some of the points of g.base.
func (g *fittedSum) newSliceEntryComputer() *entryComputer {
	if g.rows == nil {
		return &g.base.entryComputer
	}
	g.sliceEntryComputerOnce.Do(func() {
		g.sliceEntryComputer = &entryComputer{kernels: g.base.kernels, x: g.base.x.Slice(g.rows)}
	})
	return g.sliceEntryComputer
}
