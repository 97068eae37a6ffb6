package data

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// Dataset holds n points with their labels or targets, and their source. It is plain data. Methods return new datasets
// and do not change the receiver.
type Dataset struct {
	Name  string // short name; datasets.Load finds a dataset by it
	Title string // human-readable

	X points.Points // points.Rows (n×d), points.Sparse, points.Sequences, points.Indices or points.Parts

	// Y holds n labels or n real targets: −1 and +1 for two classes, class indices 0 … K−1 for K > 2 classes, the
	// numbers of the file for real targets. It is nil if there are none. Class indices are not quantities. Two classes
	// and real targets can be used as Y of an mkl.Problem; K > 2 classes must first become one column for each class:
	//
	//	code := model.TargetEncoding{Classes: len(d.Classes)}
	//	p := &mkl.Problem{…, Loss: loss.Repeat(loss.Hinge{C: 1}, code.Columns()), Y: code.EncodeAll(d.Y)}
	Y []float64

	// Classes names the classes y = −1 and y = +1, or the K > 2 classes y = 0 … K−1. It is nil for real targets and
	// without Y.
	Classes []string
	// ClassesExchanged states that Options.PositiveClass exchanged the two classes, which would otherwise have the
	// other signs: see SplitLabels.
	ClassesExchanged bool
	Target           string // name of the column that became Y

	// LogTargets states that logarithms of the real targets are learned (Options.LogTargets, TransformedY). Y and
	// ExtraTargets hold the numbers of the file, which are above 0. Predictions and scores of learn.Learn are in the
	// unit of the file.
	LogTargets bool

	// ExtraTargets holds the second and later real targets (Options.Targets), after the first in Y. It is nil if there
	// is one target.
	ExtraTargets []Target

	// Kernels are the base kernels of points that are given by Gram matrices (OpenGrams), or nil. X, or a part of X
	// (Join), then holds the indices of their rows.
	Kernels kernel.List

	// Similarities are the matrices of points that are given by similarities of any sign (OpenSimilarities), or nil. X
	// or a part of X are the indices of their rows (points.Indices).
	Similarities []Similarity

	// Views are groups of features, which have separate kernels (View, Join); or nil.
	Views []View

	// Group names the group of each of the n points, such as the person of several recordings; or nil. If a group has
	// points in both the training and the test set, a test does not measure generalization: fit.ByGroup keeps each
	// group on one side of a split.
	Group []string

	// Keys identify each of the n points, so that Join can match the rows of several files: Options.Key, or the names
	// of the rows of a CSV file, if all differ; or nil.
	Keys []string

	// Encoding states how the columns of the file became features, and reads another file as the same features. It is
	// nil if the points are not from a file.
	Encoding *Encoding

	// Preparation describes how the cells of the file were handled (nominal attributes, missing cells, dropped columns)
	// and counts duplicates.
	Preparation string

	// Doubts describe possible faults in how the file was read, such as values that did not occur in the training file.
	// Learn reports them as warnings.
	Doubts []string

	// UnseenValues is for a file that was read with the Encoding of a training file (Encoding.Open). For each of the n
	// points, it lists the values that did not occur in the training file, such as "color=mauve", or is "". It is nil
	// if there are no such values.
	UnseenValues []string

	// FilledColumns is for a file that was read with the Encoding of a training file. For each of the n points, it
	// lists the columns whose missing numbers were filled (Options.Missing: Fill), such as "age, size", or is "". It is
	// nil if there are none.
	FilledColumns []string

	Source  string // where the file comes from
	License string // license of the data; empty if unknown
	SHA256  string // SHA-256 of the file as stored, packed or not; empty if simulated
	Note    string // what to know before trusting a result on the dataset

	// DroppedPoints is the number of points of the file that Options.Missing or Options.DropDuplicates dropped.
	DroppedPoints int
}

// Target is one of several real targets.
type Target struct {
	Name string
	Y    []float64 // n
}

// Targets returns the names of several real targets, "target 1" if the first has no name. It returns nil if there are
// fewer than two targets.
func (d *Dataset) Targets() []string {
	if d.ExtraTargets == nil {
		return nil
	}
	names := []string{cmp.Or(d.Target, "target 1")}
	for _, t := range d.ExtraTargets {
		names = append(names, t.Name)
	}
	return names
}

// AllY returns the targets in Y and ExtraTargets: all n values of the first target, then of the second, …
func (d *Dataset) AllY() []float64 {
	y := slices.Clone(d.Y)
	for _, t := range d.ExtraTargets {
		y = append(y, t.Y...)
	}
	return y
}

// TransformedY returns the targets that learn.Learn fits: AllY, or its natural logarithms if LogTargets is set.
func (d *Dataset) TransformedY() []float64 {
	y := d.AllY()
	if d.LogTargets {
		for i, v := range y {
			y[i] = math.Log(v)
		}
	}
	return y
}

// Len returns the number n of points.
func (d *Dataset) Len() int {
	if d.X == nil {
		return 0
	}
	return d.X.Len()
}

// Dim returns the number d of features, 0 if the points have none.
func (d *Dataset) Dim() int {
	return points.FeatureCount(d.X)
}

// Features returns the d names of the features. If the file has no names, the first is "x1".
func (d *Dataset) Features() []string {
	names := make([]string, d.Dim())
	for j := range names {
		names[j] = points.FeatureName(d.X, j)
	}
	return names
}

// Class returns the index of the class of point i, from 0. The name of the class is Classes[Class(i)].
func (d *Dataset) Class(i int) int {
	if len(d.Classes) > 2 {
		return int(d.Y[i])
	}
	if d.Y[i] > 0 {
		return 1
	}
	return 0
}

// Labels returns the name of the class of each point, nil for real targets.
func (d *Dataset) Labels() []string {
	if d.Classes == nil {
		return nil
	}
	names := make([]string, len(d.Y))
	for i := range names {
		names[i] = d.Classes[d.Class(i)]
	}
	return names
}

// ClassCounts returns the number of points of each class, nil for real targets.
func (d *Dataset) ClassCounts() []int {
	if d.Classes == nil {
		return nil
	}
	n := make([]int, len(d.Classes))
	for i := range d.Y {
		n[d.Class(i)]++
	}
	return n
}

// Validate returns an error if the dataset has no points, a number that is not finite (with row and column), a wrong
// number of labels, a label without a class, or labels of a single class.
func (d *Dataset) Validate() error {
	_, err := prefixError(d, d.validate())
	return err
}

// validate is Validate without the prefix of its errors.
func (d *Dataset) validate() error {
	if err := d.checkContent(); err != nil {
		return err
	}
	if n := d.ClassCounts(); n != nil && slices.Max(n) == len(d.Y) {
		return fmt.Errorf("%s: all %d labels are the same class; at least two classes are needed", d.Name, len(d.Y))
	}
	return nil
}

// checkContent returns the errors of Validate, except that it accepts labels of a single class, because a test set may
// have them.
func (d *Dataset) checkContent() error {
	if d.X == nil {
		return fmt.Errorf("%s has no points: X is nil", d.Name)
	}
	err, n, names := d.X.Validate(), d.X.Len(), d.Targets()
	switch {
	case err != nil:
	case d.Group != nil && len(d.Group) != n:
		err = fmt.Errorf("%d groups for %d points", len(d.Group), n)
	case d.Keys != nil && len(d.Keys) != n:
		err = fmt.Errorf("%d keys for %d points", len(d.Keys), n)
	case d.Y != nil && len(d.Y) != n:
		err = fmt.Errorf("%d labels for %d points", len(d.Y), n)
	case d.Classes != nil && len(d.Classes) < 2:
		err = fmt.Errorf("Classes is %q; use labels of two or more classes, or numbers", d.Classes)
	case slices.Contains(d.Classes, ""):
		err = fmt.Errorf("a class of %q has no name; name it, or leave its points out", d.Classes)
	case (d.LogTargets || d.ExtraTargets != nil) && (d.Y == nil || d.Classes != nil):
		err = errors.New("LogTargets or several targets need numbers as targets, not classes")
	case slices.Contains(names, "") || len(sheet.SortedUnique(names)) < len(names):
		err = fmt.Errorf("targets named %q; names must differ", names)
	default:
		if err = d.checkSimilarities(); err == nil && d.Y != nil {
			err = d.checkTargets(Target{"label", d.Y})
		}
		for _, t := range d.ExtraTargets {
			err = cmp.Or(err, d.checkTargets(Target{"target " + t.Name, t.Y}))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	return nil
}

// checkTargets returns an error unless t has one valid label or target for each point. The error names t.Name.
func (d *Dataset) checkTargets(t Target) error {
	if len(t.Y) != d.X.Len() {
		return fmt.Errorf("%d %ss for %d points", len(t.Y), t.Name, d.X.Len())
	}
	k := len(d.Classes)
	for i, y := range t.Y {
		fault := ""
		switch {
		case math.IsNaN(y) || math.IsInf(y, 0):
			fault = "labels and targets must be finite"
		case d.LogTargets && y <= 0:
			fault = "targets must be above 0, because Dataset.LogTargets is set"
		case k == 2 && y != 1 && y != -1:
			fault = "labels of two classes are −1 or +1"
		case k > 2 && !(y >= 0 && y < float64(k) && y == math.Trunc(y)):
			fault = fmt.Sprintf("labels of %d classes are whole numbers from 0 to %d", k, k-1)
		}
		if fault != "" {
			return fmt.Errorf("the %s of row %d is %g; %s", t.Name, i+1, y, fault)
		}
	}
	return nil
}

// Slice returns the points of the given rows, from 0, in this order. Rows may repeat. A row out of range is an error.
func (d *Dataset) Slice(rows []int) (*Dataset, error) {
	if err := d.checkIndices("row", rows, d.Len()); err != nil {
		return nil, err
	}
	s := *d
	s.X = d.X.Slice(rows)
	s.copyTargetsFrom(d, rows)
	s.Group, s.Keys = points.Pick(d.Group, rows), points.Pick(d.Keys, rows)
	s.UnseenValues, s.FilledColumns = points.Pick(d.UnseenValues, rows), points.Pick(d.FilledColumns, rows)
	note := fmt.Sprintf("%d of %d points selected", len(rows), d.Len())
	s.Preparation = strings.TrimPrefix(d.Preparation+"; "+note, "; ")
	return &s, nil
}

// checkIndices returns an error if there are no indices, or one is not in 0 … indexCount−1. noun is "row" or "feature".
func (d *Dataset) checkIndices(noun string, indices []int, indexCount int) error {
	for k, i := range indices {
		if i < 0 || i >= indexCount {
			return fmt.Errorf("data: %s: %s %d (entry %d of the indices) is not between 0 and %d", d.Name, noun, i, k+1,
				indexCount-1)
		}
	}
	if len(indices) == 0 {
		return fmt.Errorf("data: %s: no %s selected; pass at least one of %s", d.Name, noun,
			sheet.Count(indexCount, noun))
	}
	return nil
}

// copyTargetsFrom sets the targets of s to the targets of d in the given rows.
func (s *Dataset) copyTargetsFrom(d *Dataset, rows []int) {
	s.Y, s.ExtraTargets = points.Pick(d.Y, rows), slices.Clone(d.ExtraTargets)
	for k := range s.ExtraTargets {
		s.ExtraTargets[k].Y = points.Pick(s.ExtraTargets[k].Y, rows)
	}
}

// Select returns the dataset with only the named features, in this order. An unknown name is an error with the nearest
// names.
func (d *Dataset) Select(features ...string) (*Dataset, error) {
	names := d.Features()
	featureIndex := make(map[string]int, len(names))
	for j, name := range names {
		featureIndex[name] = j
	}
	columnIndices := make([]int, len(features))
	for k, f := range features {
		j, ok := featureIndex[f]
		if !ok {
			return nil, fmt.Errorf("data: %s has no feature %q%s", d.Name, f, sheet.Suggest(f, names))
		}
		columnIndices[k] = j
	}
	return d.Columns(columnIndices...)
}

// FirstFeatures returns the dataset with only its first featureCount features, at least 1 and at most Dim().
func (d *Dataset) FirstFeatures(featureCount int) (*Dataset, error) {
	return d.Columns(points.AllIndices(max(featureCount, 0))...)
}

// Columns returns the dataset with only the features of the given indices, from 0, in this order. An index out of range
// is an error, and so is a repeated index if points are sparse. A new file that Encoding reads must still have all
// columns.
func (d *Dataset) Columns(cols ...int) (*Dataset, error) {
	if err := d.checkIndices("feature", cols, d.Dim()); err != nil {
		return nil, err
	}
	if sortedIndices := slices.Sorted(slices.Values(cols)); points.Is[points.Sparse](d.X) &&
		len(slices.Compact(sortedIndices)) < len(cols) {
		return nil, fmt.Errorf("data: %s: a feature is selected twice, which sparse points do not allow: %v", d.Name,
			cols)
	}
	s := *d
	s.X, s.Encoding = d.X.Columns(cols), d.Encoding.selectFeatures(cols)
	s.Views = selectViews(d.Views, cols)
	note := fmt.Sprintf("%d of %d features selected", len(cols), d.Dim())
	s.Preparation = strings.TrimPrefix(d.Preparation+"; "+note, "; ")
	return &s, nil
}

// Digest returns the SHA-256 of the content: X with its type, shape and feature names, Gram matrices, similarities, and
// targets. Unlike the SHA-256 of the file, it differs between subsets, options and simulated datasets. Results on the
// dataset are stored under this digest.
func (d *Dataset) Digest() string {
	h := sha256.New()
	d.X.HashInto(h)
	points.WriteDigest(h, d.Y, d.Classes)
	for _, k := range d.Kernels {
		if k, ok := k.(kernel.Precomputed); ok {
			points.WriteDigest(h, k.Data, []string{k.Name})
		}
	}
	for _, s := range d.Similarities {
		points.WriteDigest(h, s.S, []string{s.Name})
	}
	for _, t := range d.ExtraTargets {
		points.WriteDigest(h, t.Y, []string{t.Name})
	}
	if d.LogTargets {
		points.WriteDigest(h, []string{"logarithms"})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// String returns name, size and classes in one line.
func (d *Dataset) String() string {
	sizeText, labelText := sheet.Count(d.Len(), "point"), "no labels"
	if d.Dim() > 0 {
		sizeText += " of " + sheet.Count(d.Dim(), "feature")
	}
	if d.Y != nil {
		labelText = sheet.Count(1+len(d.ExtraTargets), "real target")
	}
	if d.Classes != nil {
		var parts []string
		for k, n := range d.ClassCounts() {
			parts = append(parts, fmt.Sprintf("%s %d", d.Classes[k], n))
		}
		labelText = sheet.List(parts)
	}
	return fmt.Sprintf("%s: %s, %s", d.Name, sizeText, labelText)
}
