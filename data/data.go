package data

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/sha256"
)

// Dataset is n points with their labels or targets, and where they come from. It is plain data.
// Methods return new datasets and leave the receiver as it is.
type Dataset struct {
	Name  string // short, as Load takes it
	Title string // for people

	X points.Points // points.Rows, n×d, points.Sparse, or points.Sequences

	// Y are n labels or n real targets: of two classes −1 and +1, of K > 2 classes their numbers 0 … K−1, which are
	// names and no amounts, of real targets the numbers of the file. It is nil where there are none. Two classes and
	// real targets are a mkl.Problem's Y as they are; K > 2 classes become columns first, one for each class:
	//
	//	code := model.Code{Classes: len(d.Classes)}
	//	p := &mkl.Problem{…, Loss: loss.Repeat(loss.Hinge{C: 1}, code.Columns()), Y: code.Spread(d.Y)}
	Y []float64

	// Classes names the class behind y = −1 and the class behind y = +1, or, of K > 2 classes,
	// those behind y = 0 … K−1. It is nil where Y are real targets or there is no Y.
	Classes []string
	Target  string // name of the column that became Y

	// Log says that logarithms of the real targets are learned (Options.Log, LearnedY). Y and More are the
	// file's own numbers, above 0, and so are the predictions and scores of study.Learn.
	Log bool

	// More are the further ones of several real targets (Options.Targets), of which Y is the first; else nil.
	More []Target

	// Kernels are the base kernels of points that are given by Gram matrices (OpenGrams), which X are
	// places in; else nil.
	Kernels kernel.List

	// Similarities are the matrices of points that are given by similarities, of any sign (OpenSimilarities), of
	// which X are the rows (points.Indices); else nil.
	Similarities []Similarity

	// Views are groups of features, each of which is to have kernels of its own (View, Join); or nil.
	Views []View

	// Group names the group of each of the n points, such as the person that several recordings are
	// of; nil where points stand for themselves. A split that has a group on both sides tests on what
	// it has seen: study.ByGroup keeps groups whole.
	Group []string

	// Key identifies each of the n points (Options.Key), so that Join can match the rows of several files; or nil.
	Key []string

	// Encoding makes the same features of another file; nil where the points are not a file's.
	Encoding *Encoding

	// Prepared says what became of the file's cells (nominal attributes, missing cells, columns
	// left out) and what was found in them and kept (constant columns, duplicates).
	Prepared string

	// Doubts are what may be wrong with how the file was read: a column that counts the rows, another one
	// that is called as labels are, values that the file learned from does not have. They are in Prepared too; Learn
	// warns of them.
	Doubts []string

	// Unseen says of each of the n points of a file that was read like another one (Encoding.Open) which of its
	// values did not occur there, "colour=mauve", "" where all did; nil where all did at every point. Doubts
	// count them.
	Unseen []string

	Source  string // where the file was taken from
	Licence string // of the data; empty if unknown
	SHA256  string // of the file as read, packed if it was packed; empty if simulated
	Note    string // what a reader should know before believing a result

	// points of the file that were left out, by Options.Missing or Options.Duplicate: Join refuses such a part
	Dropped int
}

// Target is one of several real targets.
type Target struct {
	Name string
	Y    []float64 // n
}

// Targets returns the names of several real targets, "target 1" where the first has none; nil of one or none.
func (d *Dataset) Targets() []string {
	if d.More == nil {
		return nil
	}
	names := []string{cmp.Or(d.Target, "target 1")}
	for _, t := range d.More {
		names = append(names, t.Name)
	}
	return names
}

// AllY returns the targets, Y and those of More behind it: n·c numbers of c targets, column after column.
func (d *Dataset) AllY() []float64 {
	y := slices.Clone(d.Y)
	for _, t := range d.More {
		y = append(y, t.Y...)
	}
	return y
}

// LearnedY are the targets that study learns: AllY, where Log is set their natural logarithms.
func (d *Dataset) LearnedY() []float64 {
	y := d.AllY()
	if d.Log {
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

// Dim returns the number d of features, 0 where the points have none.
func (d *Dataset) Dim() int {
	if x, ok := d.X.(points.Featured); ok {
		dim, _ := x.Features()
		return dim
	}
	return 0
}

// Features returns the d names of the features, "x1" for the first where the file has no names.
func (d *Dataset) Features() []string {
	names := make([]string, d.Dim())
	for j := range names {
		names[j] = d.feature(j)
	}
	return names
}

func (d *Dataset) feature(j int) string { return points.FeatureName(d.X, j) }

// Class returns the number of the class of point i, from 0: its name is Classes[Class(i)].
func (d *Dataset) Class(i int) int {
	if len(d.Classes) > 2 {
		return int(d.Y[i])
	}
	if d.Y[i] > 0 {
		return 1
	}
	return 0
}

// Labels returns the name of each point's class; nil of real targets.
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

// Counts returns the number of points of each class; nil of real targets.
func (d *Dataset) Counts() []int {
	if d.Classes == nil {
		return nil
	}
	n := make([]int, len(d.Classes))
	for i := range d.Y {
		n[d.Class(i)]++
	}
	return n
}

// wrongLabel says why y is not a label of one of k classes, "" where it is.
func wrongLabel(y float64, k int) string {
	switch {
	case k == 2 && y != 1 && y != -1:
		return "want −1 or +1"
	case k > 2 && !(y >= 0 && y < float64(k) && y == math.Trunc(y)):
		return fmt.Sprintf("want the number of one of %d classes, from 0", k)
	}
	return ""
}

// Validate says what is wrong with the dataset: no points, a number that is not finite (by row and
// column), labels of another number than the points, a label that no class has, labels of one class
// alone.
func (d *Dataset) Validate() error {
	if err := d.check(); err != nil {
		return err
	}
	if n := d.Counts(); n != nil && slices.Max(n) == len(d.Y) {
		return fmt.Errorf("data: %s: every one of %d labels is the same class, want two classes or more", d.Name,
			len(d.Y))
	}
	return nil
}

// check is Validate but for points of one class, of which there may be some to test on.
func (d *Dataset) check() error {
	if d.X == nil {
		return fmt.Errorf("data: %s has no points: X is nil", d.Name)
	}
	if err := d.X.Validate(); err != nil {
		return fmt.Errorf("data: %s: %w", d.Name, err)
	}
	if d.Group != nil && len(d.Group) != d.X.Len() {
		return fmt.Errorf("data: %s has the groups of %d points, but %d points", d.Name, len(d.Group), d.X.Len())
	}
	if d.Key != nil && len(d.Key) != d.X.Len() {
		return fmt.Errorf("data: %s has %d keys for %d points", d.Name, len(d.Key), d.X.Len())
	}
	if d.Classes != nil && len(d.Classes) < 2 {
		return fmt.Errorf("data: %s has %d classes, want 2 or more, or nil for real targets", d.Name, len(d.Classes))
	}
	if (d.Log || d.More != nil) && (d.Y == nil || d.Classes != nil) {
		return fmt.Errorf("data: %s has Log or further targets, which want real targets Y", d.Name)
	}
	if names := d.Targets(); slices.Contains(names, "") || len(different(names)) < len(names) {
		return fmt.Errorf("data: %s has targets named %q, want a name of its own for each", d.Name, names)
	}
	if err := d.checkSimilarities(); err != nil {
		return err
	}
	if d.Y == nil {
		return nil
	}
	all := []Target{{"label", d.Y}} // by what messages call them
	for _, t := range d.More {
		all = append(all, Target{"target " + t.Name, t.Y})
	}
	for _, t := range all {
		if len(t.Y) != d.X.Len() {
			return fmt.Errorf("data: %s has %d %ss for %d points", d.Name, len(t.Y), t.Name, d.X.Len())
		}
		for i, y := range t.Y {
			want := wrongLabel(y, len(d.Classes))
			switch {
			case math.IsNaN(y) || math.IsInf(y, 0):
				want = "want a finite number"
			case d.Log && y <= 0:
				want = "want a number above 0 for Log"
			}
			if want != "" {
				return fmt.Errorf("data: %s: the %s of row %d is %g, %s", d.Name, t.Name, i+1, y, want)
			}
		}
	}
	return nil
}

// Slice returns the points of the given rows, from 0, in that order; rows may repeat. A row that is
// not there is an error.
func (d *Dataset) Slice(rows []int) (*Dataset, error) {
	for k, r := range rows {
		if r < 0 || r >= d.Len() {
			return nil, fmt.Errorf("data: %s: number %d of the rows to take is %d, want 0 to %d", d.Name, k+1, r,
				d.Len()-1)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("data: %s: no row to take, want at least one of %d", d.Name, d.Len())
	}
	s := *d
	s.X = d.X.Slice(rows)
	s.takeTargets(d, rows)
	s.Group, s.Key, s.Unseen = pick(d.Group, rows), pick(d.Key, rows), pick(d.Unseen, rows)
	s.Prepared = also(d.Prepared, fmt.Sprintf("%d of %d points taken", len(rows), d.Len()))
	return &s, nil
}

// takeTargets takes the targets of some points of d.
func (s *Dataset) takeTargets(d *Dataset, rows []int) {
	s.Y, s.More = pick(d.Y, rows), slices.Clone(d.More)
	for k := range s.More {
		s.More[k].Y = pick(s.More[k].Y, rows)
	}
}

// pick returns the values of some rows; nil of none.
func pick[T any](of []T, rows []int) []T {
	if of == nil {
		return nil
	}
	some := make([]T, len(rows))
	for i, r := range rows {
		some[i] = of[r]
	}
	return some
}

// Select returns the dataset with the named features alone, in that order. A name that is not
// there is an error with the nearest names.
func (d *Dataset) Select(features ...string) (*Dataset, error) {
	names := d.Features()
	place := make(map[string]int, len(names))
	for j, name := range names {
		place[name] = j
	}
	cols := make([]int, len(features))
	for k, f := range features {
		j, ok := place[f]
		if !ok {
			return nil, fmt.Errorf("data: %s has no feature %q%s", d.Name, f, suggest(f, names))
		}
		cols[k] = j
	}
	if len(cols) == 0 {
		return nil, fmt.Errorf("data: %s: no feature selected, want at least one of %d", d.Name, d.Dim())
	}
	return d.Columns(cols...)
}

// First returns the dataset with its first k features alone, k from 1 to d.
func (d *Dataset) First(k int) (*Dataset, error) {
	if d.Dim() == 0 {
		return nil, fmt.Errorf("data: %s has no features to select: its points are %s", d.Name, pointKind(d.X))
	}
	if k < 1 || k > d.Dim() {
		return nil, fmt.Errorf("data: %s: the first %d features, want 1 to %d", d.Name, k, d.Dim())
	}
	cols := make([]int, k)
	for j := range cols {
		cols[j] = j
	}
	return d.Columns(cols...)
}

// Columns returns the dataset with the features of the given numbers alone, from 0, in that order.
// A number that is not there is an error, and so is one given twice for sparse points.
func (d *Dataset) Columns(cols ...int) (*Dataset, error) {
	_, sparse := d.X.(points.Sparse)
	seen := make(map[int]bool, len(cols))
	for k, j := range cols {
		if j < 0 || j >= d.Dim() {
			return nil, fmt.Errorf("data: %s: number %d of the features to take is %d, want 0 to %d", d.Name, k+1, j,
				d.Dim()-1)
		}
		if sparse && seen[j] {
			return nil, fmt.Errorf("data: %s: feature %d is taken twice, which sparse points do not allow", d.Name, j)
		}
		seen[j] = true
	}
	if len(cols) == 0 {
		return nil, fmt.Errorf("data: %s: no feature to take, want at least one of %d", d.Name, d.Dim())
	}
	s := *d
	s.X, s.Encoding = d.X.(points.Featured).Columns(cols), d.Encoding.take(cols)
	s.Views = selectViews(d.Views, cols)
	s.Prepared = also(d.Prepared, fmt.Sprintf("%d of %d features taken", len(cols), d.Dim()))
	return &s, nil
}

// Digest is the sha256 of the numbers themselves: X with its kind, shape and feature names, and the targets.
// It tells apart what SHA256, which is the file's, does not: subsets, options, simulated sets.
// It is the key under which results on the dataset may be stored.
func (d *Dataset) Digest() string {
	h := sha256.New()
	d.X.Digest(h)
	points.WriteDigest(h, d.Y, d.Classes)
	for _, s := range d.Similarities {
		points.WriteDigest(h, s.S, []string{s.Name})
	}
	for _, t := range d.More {
		points.WriteDigest(h, t.Y, []string{t.Name})
	}
	if d.Log {
		points.WriteDigest(h, []string{"logarithms"})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// also joins what was done with what was done after it.
func also(done, more string) string {
	if done == "" {
		return more
	}
	return done + "; " + more
}
