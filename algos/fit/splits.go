package fit

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/internal/random"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Split is one division of the points into a training and a test part: indices of points, from 0, in ascending order.
type Split struct{ Train, Test []int }

// Draw states what is assigned to a part as a whole when a split is drawn: a point (the zero Draw) or a group of points
// (ByGroup).
//
// Splits are stratified: in each part, every class has the same share as in all points, rounded up or down at random.
// As far as the sizes permit, each part gets at least one point of every class with two or more points. The only point
// of a class is in the test part with the probability (size of the test part)/n. Targets are classes if all are ±1, or
// if all are whole numbers from 0 to 99. Other targets are divided at random. The classes −1 and +1 are drawn in this
// order, so pass data.Dataset.SplitLabels if splits should not depend on which class is +1.
type Draw struct {
	group []string // the group of each point
}

// ByGroup keeps the points of a group together, such as the recordings of one person: no group has points in both parts
// of a split. group[i] is the name of the group of point i (data.Dataset.Group). Groups are divided like points: shares
// and sizes count groups, and the class of a group is the label that all its points have. If any group has several
// labels, all groups are divided at random.
func ByGroup(group []string) Draw { return Draw{group: group} }

// Halves returns splitCount random divisions of the points into halves. If the number of points is odd, the training
// half has one point less. Split i depends only on the seed and on i: ten splits are the first ten of thirty.
func Halves(y []float64, splitCount int, seed uint64, draw ...Draw) ([]Split, error) {
	return Holdout(y, 0.5, splitCount, seed, draw...)
}

// Holdout returns splitCount random divisions of the points. testFraction of the points, rounded, are test points.
func Holdout(y []float64, testFraction float64, splitCount int, seed uint64, draw ...Draw) ([]Split, error) {
	u, err := newSplitUnits(y, draw)
	if err != nil {
		return nil, err
	}
	n := len(u.labels)
	testCount := int(math.Round(float64(n) * testFraction))
	switch {
	case !(testFraction > 0 && testFraction < 1):
		return nil, fmt.Errorf("fit: the test share %g must be between 0 and 1", testFraction)
	case splitCount < 1:
		return nil, fmt.Errorf("fit: %d splits; use at least 1", splitCount)
	case testCount < 1 || testCount >= n:
		return nil, fmt.Errorf("fit: a split would have %d of %d %s for testing; each part needs at least 1",
			testCount, n, u.unitNoun)
	}
	rowsByClass, err := indicesByClass(u.labels)
	if err != nil {
		return nil, err
	}
	splits := make([]Split, splitCount)
	for i := range splits {
		rng := random.New(seed, random.Holdout+random.Stream(i))
		classTestCounts := testCountsByClass(rowsByClass, testCount, n, rng.IntN(n))
		isTest := make([]bool, n)
		for c, g := range rowsByClass {
			p := slices.Clone(g)
			rng.Shuffle(len(p), func(a, b int) { p[a], p[b] = p[b], p[a] })
			for _, row := range p[:classTestCounts[c]] {
				isTest[row] = true
			}
		}
		splits[i] = u.splitByUnits(isTest)
	}
	return splits, nil
}

// SplitData divides d at random into training points and test points. fraction is the share of the test points. Groups
// (data.Options.Group) and duplicate points stay together: see Holdout and GroupDuplicates. Each class has the same
// share of the points, or of the groups, in both parts, up to rounding, unless a group has points of several classes:
// see ByGroup.
//
// If the points are given by Gram matrices or similarities, the training points keep the whole matrices, of which
// methods read only the entries between training points. The test points are points.KernelRows, as new points of a
// model are. It is an error if points have both matrices and other sources (data.Join).
func SplitData(d *data.Dataset, fraction float64, seed uint64) (train, test *data.Dataset, err error) {
	if d == nil || d.Y == nil {
		return nil, nil, errors.New("fit: split: the dataset is nil or has no labels; pass a dataset with labels")
	}
	if hasMatrices(d) && !points.Is[points.Indices](d.X) {
		return nil, nil, fmt.Errorf("fit: split: %s joins matrices with other sources and cannot be split; compare "+
			"methods on splits (learn.Learn), or put the test points into files of their own, which a model predicts "+
			"and scores (model.Model.PredictFile)", d.Name)
	}
	grouped, _ := GroupDuplicates(d)
	splits, err := Holdout(d.SplitLabels(), fraction, 1, seed, ByGroup(grouped.Group))
	if err != nil {
		return nil, nil, err
	}
	train, err = d.Slice(splits[0].Train)
	if err == nil {
		test, err = newPoints(d, splits[0].Test)
	}
	return train, test, err
}

// hasMatrices reports whether points of d are given by Gram matrices or similarities.
func hasMatrices(d *data.Dataset) bool { return d.Kernels != nil || d.Similarities != nil }

// newPoints returns the points of d with the indices rows as new points of a model: if Gram matrices or similarities
// describe them, as points.KernelRows.
func newPoints(d *data.Dataset, rows []int) (*data.Dataset, error) {
	z, err := d.Slice(rows)
	if err != nil || !hasMatrices(d) {
		return z, err
	}
	indices, err := points.As[points.Indices](z.X)
	if err != nil {
		return nil, fmt.Errorf("fit: %s joins matrices with other sources, so a Fitter of another package cannot be "+
			"scored: %w", d.Name, err)
	}
	z.Kernels, z.Similarities = nil, nil
	z.X, err = rowsOfMatrices(d, indices)
	return z, err
}

// rowsOfMatrices returns the points with these rows of the matrices of d as new points, by their values in these rows.
func rowsOfMatrices(d *data.Dataset, rows points.Indices) (z points.KernelRows, err error) {
	add := func(name string, n int, matrix []float64) {
		values := make([]float64, 0, len(rows)*n)
		for _, i := range rows {
			values = append(values, matrix[i*n:(i+1)*n]...)
		}
		z.N, z.Names, z.Data = n, append(z.Names, name), append(z.Data, values)
	}
	for _, k := range d.Kernels {
		p, isMatrix := k.(kernel.Precomputed)
		if !isMatrix || p.Data == nil || p.NewPointMap != nil {
			return z, fmt.Errorf("fit: the kernel %v of %s has no matrix of kernel values; use data.FromGrams "+
				"for the training points, and its KernelRows for the test points", k, d.Name)
		}
		add(cmp.Or(p.KernelRowsName, p.Name), p.N, p.Data)
	}
	for _, s := range d.Similarities {
		add(s.Name, s.N, s.S)
	}
	return z, z.Validate()
}

// KFold divides the points into k parts whose sizes differ by at most one. Each part is the test part of one split.
// The points of each class are distributed over the parts in turn, in random order. If groups have several labels,
// groups are then exchanged until each class that occurs in two or more groups is in two or more parts, as far as
// exchanges find such a division. So each training part has all classes, except those with one point or one group.
func KFold(y []float64, k int, seed uint64, draw ...Draw) ([]Split, error) {
	u, err := newSplitUnits(y, draw)
	if err != nil {
		return nil, err
	}
	n := len(u.labels)
	if k < 2 || k > n {
		return nil, fmt.Errorf("fit: %d folds of %d %s; use at least 2 folds, and at most one for each",
			k, n, u.unitNoun)
	}
	rowsByClass, err := indicesByClass(u.labels)
	if err != nil {
		return nil, err
	}
	rng := random.New(seed, random.Folds)
	foldOfUnit, assignedCount := make([]int, n), 0
	for _, g := range rowsByClass {
		p := slices.Clone(g)
		rng.Shuffle(len(p), func(a, b int) { p[a], p[b] = p[b], p[a] })
		for _, row := range p {
			foldOfUnit[row] = assignedCount % k
			assignedCount++
		}
	}
	u.spreadClasses(y, foldOfUnit, rng)
	splits := make([]Split, k)
	for f := range splits {
		isTest := make([]bool, n)
		for i, g := range foldOfUnit {
			isTest[i] = g == f
		}
		splits[f] = u.splitByUnits(isTest)
	}
	return splits, nil
}

// sampleStratified draws sampleSize of the targets y at random, stratified by class, and returns ascending indices.
func sampleStratified(y []float64, sampleSize int, seed uint64) (indices []int, err error) {
	s, err := Holdout(y, float64(sampleSize)/float64(len(y)), 1, seed)
	if err != nil {
		return nil, err
	}
	return s[0].Test, nil
}

// splitIntoAtMostKFolds is KFold of whole groups, with at most maxFolds folds and at most one per point or group.
func splitIntoAtMostKFolds(y []float64, group []string, maxFolds int, seed uint64) ([]Split, error) {
	u, err := newSplitUnits(y, []Draw{ByGroup(group)})
	if err != nil {
		return nil, err
	}
	return KFold(y, min(maxFolds, len(u.labels)), seed, ByGroup(group))
}

// splitUnits are the units that are assigned to a part of a split as a whole: points, or groups of points.
type splitUnits struct {
	labels      []float64 // label of each point or group; 0.5 for a group with several labels
	unitOfPoint []int     // for each point, the index of its group or, without groups, of itself
	unitNoun    string
}

// newSplitUnits returns the units that a split does not divide: the points or, if draws contains a ByGroup, the groups,
// in the order of their first points.
func newSplitUnits(y []float64, draws []Draw) (splitUnits, error) {
	var group []string
	for _, d := range draws {
		if d.group != nil {
			group = d.group
		}
	}
	u := splitUnits{labels: y, unitNoun: "points"}
	switch {
	case group == nil:
		u.unitOfPoint = points.AllIndices(len(y))
		return u, nil
	case len(group) != len(y):
		return u, fmt.Errorf("fit: ByGroup got the groups of %d points, but there are %d targets; give one group "+
			"for each target", len(group), len(y))
	}
	if _, err := indicesByClass(y); err != nil { // validate y, because some labels are replaced below
		return u, err
	}
	u = splitUnits{unitOfPoint: make([]int, len(y)), unitNoun: "groups"}
	indexOfGroup := make(map[string]int)
	for i, g := range group {
		k, ok := indexOfGroup[g]
		if !ok {
			k = len(u.labels)
			indexOfGroup[g], u.labels = k, append(u.labels, y[i])
		}
		if u.unitOfPoint[i] = k; u.labels[k] != y[i] {
			u.labels[k] = 0.5 // several labels
		}
	}
	if len(u.labels) == 1 && len(y) > 1 {
		return u, fmt.Errorf("fit: all %d points are in the group %q; name two or more groups, or split without "+
			"groups", len(y), group[0])
	}
	return u, nil
}

// spreadClasses exchanges units between folds, at random, until no class with two or more units has all in one fold. An
// exchange never increases the number of such classes. It gives up after 20 exchanges for each class.
func (u splitUnits) spreadClasses(y []float64, foldOfUnit []int, rng *rand.Rand) {
	rowsByClass, _ := indicesByClass(y)
	var unitsOfClass [][]int
	for _, rows := range rowsByClass {
		units := slices.Compact(slices.Sorted(slices.Values(points.Pick(u.unitOfPoint, rows))))
		if len(units) > 1 {
			unitsOfClass = append(unitsOfClass, units)
		}
	}
	isInOneFold := func(units []int) bool {
		return !slices.ContainsFunc(units, func(k int) bool { return foldOfUnit[k] != foldOfUnit[units[0]] })
	}
	countInOneFold := func() (count int) {
		for _, units := range unitsOfClass {
			if isInOneFold(units) {
				count++
			}
		}
		return count
	}
	for range 20 * len(unitsOfClass) {
		c := slices.IndexFunc(unitsOfClass, isInOneFold)
		if c < 0 {
			return
		}
		units, count := unitsOfClass[c], countInOneFold()
		moved := units[rng.IntN(len(units))]
		for _, other := range rng.Perm(len(foldOfUnit)) {
			foldOfUnit[moved], foldOfUnit[other] = foldOfUnit[other], foldOfUnit[moved]
			if !isInOneFold(units) && countInOneFold() <= count {
				break
			}
			foldOfUnit[moved], foldOfUnit[other] = foldOfUnit[other], foldOfUnit[moved]
		}
	}
}

// splitByUnits returns the split whose test part consists of the points of the units k with isTest[k].
func (u splitUnits) splitByUnits(isTest []bool) Split {
	var s Split
	for i, k := range u.unitOfPoint {
		if isTest[k] {
			s.Test = append(s.Test, i)
		} else {
			s.Train = append(s.Train, i)
		}
	}
	return s
}

// maxLabels limits class labels: targets that are whole numbers from 0 to maxLabels−1 count as labels.
const maxLabels = 100

// indicesByClass returns the indices of the points of each class, or one list of all indices if the targets are not
// classes.
func indicesByClass(y []float64) ([][]int, error) {
	if len(y) == 0 {
		return nil, errors.New("fit: there are no targets to split; pass one number per point")
	}
	areSigns, areClassIndices := true, true
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("fit: target %d is %g; it must be finite", i+1, v)
		}
		areSigns = areSigns && (v == -1 || v == 1)
		areClassIndices = areClassIndices && v >= 0 && v < maxLabels && v == math.Trunc(v)
	}
	if !areSigns && !areClassIndices {
		return [][]int{points.AllIndices(len(y))}, nil
	}
	groups := make([][]int, maxLabels)
	for i, v := range y {
		groups[max(int(v), 0)] = append(groups[max(int(v), 0)], i)
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return len(g) == 0 }), nil
}

// testCountsByClass returns the number of test points of each class. rowsByClass contains the points of each class. Of
// all pointCount points, testCount are test points, so a class of c points should have c·testCount/pointCount of them.
// testCountsByClass rounds this number down and adds one with a probability equal to the remainder, by systematic
// sampling from randomOffset, a number in 0 … pointCount−1. So each point is a test point with probability
// testCount/pointCount. If a class of two or more points then has none in the training or in the test part, it gets one
// there, in exchange for a point of a class that has two or more in that part.
func testCountsByClass(rowsByClass [][]int, testCount, pointCount, randomOffset int) []int {
	counts := make([]int, len(rowsByClass))
	for c, g := range rowsByClass {
		counts[c] = len(g) * testCount / pointCount
		if randomOffset += len(g) * testCount % pointCount; randomOffset >= pointCount {
			counts[c]++
			randomOffset -= pointCount
		}
	}
	for c, g := range rowsByClass {
		for o, h := range rowsByClass {
			if o == c || len(g) < 2 {
				continue
			}
			if counts[c] == 0 && counts[o] >= 2 {
				counts[c], counts[o] = 1, counts[o]-1
			}
			if counts[c] == len(g) && len(h)-counts[o] >= 2 {
				counts[c], counts[o] = counts[c]-1, counts[o]+1
			}
		}
	}
	return counts
}

// Validate returns an error if a part of s is empty, if s contains an index outside 0 … pointCount−1, or if s contains
// a point twice. splitIndex is the index of s in the study, for the error.
func (s Split) Validate(splitIndex, pointCount int) error {
	isUsed := make([]bool, pointCount)
	for _, part := range [][]int{s.Train, s.Test} {
		if len(part) == 0 {
			return fmt.Errorf("fit: split %d has %d training and %d test points; each part needs at least 1",
				splitIndex+1, len(s.Train), len(s.Test))
		}
		for _, r := range part {
			if r < 0 || r >= pointCount {
				return fmt.Errorf("fit: split %d contains point %d, but there are %d points, numbered "+
					"from 0", splitIndex+1, r, pointCount)
			}
			if isUsed[r] {
				return fmt.Errorf("fit: split %d contains point %d twice; use each point once, in one part",
					splitIndex+1, r)
			}
			isUsed[r] = true
		}
	}
	return nil
}

// Seed returns the seed for the random choices inside the training part: folds, the sample of Selection.MaxPoints, and
// landmarks. It is the sum of the study's seed and a number from the SHA-256 of the training part, so it does not
// depend on the number of the split or on the test part.
func (s Split) Seed(studySeed uint64) uint64 {
	h, b := sha256.New(), binary.LittleEndian.AppendUint64(nil, uint64(len(s.Train)))
	for _, row := range s.Train {
		b = binary.LittleEndian.AppendUint64(b, uint64(row))
	}
	h.Write(b)
	return studySeed + binary.LittleEndian.Uint64(h.Sum(nil))
}
