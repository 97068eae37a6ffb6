package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// reading is a dataset under construction. All formats share its last steps: labels, constant columns, duplicates.
type reading struct {
	Dataset
	o       *job
	targets []*target          // the label, or several targets; none if unlabeled
	where   func(i int) string // the position of point i in the file, in words
	done    []string           // notes for Dataset.Prepared
}

// dataset adds the labels and checks columns and points. O(nd).
func (r *reading) dataset() (*Dataset, error) {
	made := r.Dataset // a copy, so that the cells of the file can be freed
	d := &made
	d.Name, d.Title = r.o.Name, r.o.Title
	for k, t := range r.targets {
		y, classes, err := t.finish()
		if err != nil {
			if slices.Contains(d.Doubts, squareSymmetric) {
				err = fmt.Errorf("%w; %s", err, squareSymmetric)
			}
			return nil, err
		}
		if k > 0 {
			d.ExtraTargets = append(d.ExtraTargets, Target{t.name, y})
			continue
		}
		d.Y, d.Classes, d.Target = y, classes, t.name
		if t.doubt != "" {
			d.Doubts, r.done = append(d.Doubts, t.doubt), append(r.done, t.doubt)
		}
	}
	d.Log = r.o.Log && d.Y != nil
	if d.Encoding != nil {
		d.Encoding.Classes = d.Classes
	}
	if r.o.like != nil {
		if err := r.o.like.keep(d); err != nil {
			return nil, err
		}
	} else if !r.o.matrix && !r.o.labels { // a kernel matrix may repeat a row
		if err := r.constants(d); err != nil {
			return nil, err
		}
		if err := r.duplicates(d); err != nil {
			return nil, err
		}
	}
	if x, err := points.As[points.Rows](d.X); err == nil && len(different(x.Names)) < len(x.Names) {
		for j, name := range x.Names {
			if slices.Contains(x.Names[:j], name) {
				return nil, fmt.Errorf("two features would be named %s: rename a column or a value", clip(name))
			}
		}
	}
	d.Prepared = strings.Join(r.done, "; ")
	if r.o.like != nil {
		return d, trim(d.check())
	}
	return d, trim(d.Validate())
}

// constants finds the columns that have one value in all points.
func (r *reading) constants(d *Dataset) error {
	if points.Is[points.Sequences](d.X) || d.Len() < 2 {
		return nil // every column of one point is constant
	}
	sparse, err := points.As[points.Sparse](d.X)
	isSparse := err == nil
	policy := r.o.Constant.or(Accept)
	if isSparse && policy == Accept {
		return nil // in LIBSVM files many indices never occur
	}
	var con []int // constant columns; only the first one if points are sparse
	var rest []int
	if isSparse {
		con, rest = constantSparse(sparse)
	} else {
		con, rest = constantRows(points.ToRows(d.X))
	}
	if len(con) == 0 {
		return nil
	}
	switch policy {
	case Refuse:
		return fmt.Errorf("column %d (%s) has one value in all %d points, and Options.Constant is Refuse", con[0]+1,
			brief(d.feature(con[0])), d.Len())
	case Drop:
		if len(rest) == 0 {
			return fmt.Errorf("all %d columns are constant, and Options.Constant is Drop", d.Dim())
		}
		gone := d.Dim() - len(rest)
		note := count(gone, "constant column") + " left out"
		if !isSparse {
			note += " (" + r.some(d, con) + ")"
		}
		d.X, d.Encoding = d.X.Columns(rest), d.Encoding.take(rest)
		r.done = append(r.done, note)
	default:
		r.done = append(r.done, fmt.Sprintf("%s kept (%s)", count(len(con), "constant column"), r.some(d, con)))
	}
	return nil
}

// some lists the names of at most five of the columns.
func (r *reading) some(d *Dataset, cols []int) string {
	const most = 5
	names := make([]string, 0, most)
	for _, j := range cols[:min(most, len(cols))] {
		names = append(names, d.feature(j))
	}
	list := some(names)
	if len(cols) > most {
		list += fmt.Sprintf(" and %d more", len(cols)-most)
	}
	return list
}

func constantRows(x points.Rows) (con, rest []int) {
	for j := range x.D {
		same := true
		for i := 1; i < x.N && same; i++ {
			same = x.Data[i*x.D+j] == x.Data[j]
		}
		if same {
			con = append(con, j)
		} else {
			rest = append(rest, j)
		}
	}
	return con, rest
}

// constantSparse returns the first constant column and all other columns that vary. Time and memory are proportional to
// the entries, not to D.
func constantSparse(x points.Sparse) (con, rest []int) {
	type seen struct {
		val    float64
		rows   int
		varies bool
	}
	cols := make(map[int]seen)
	for t, j := range x.Col {
		s, ok := cols[j]
		if !ok {
			s.val = x.Val[t]
		}
		s.rows++
		s.varies = s.varies || x.Val[t] != s.val
		cols[j] = s
	}
	varies := func(j int) bool {
		s := cols[j]
		return s.varies || s.rows > 0 && s.rows < x.Len() && s.val != 0
	}
	for j := range cols {
		if varies(j) {
			rest = append(rest, j)
		}
	}
	slices.Sort(rest)
	for j := range x.D { // at most one step beyond the columns that vary
		if !varies(j) {
			return []int{j}, rest
		}
	}
	return nil, rest
}

// duplicates finds the points equal to an earlier one, label included.
func (r *reading) duplicates(d *Dataset) error {
	n := d.Len()
	earlier, dups := make([]int, n), 0 // the first point equal to this one
	seen := make(map[string]int, n)
	var key []byte
	for i := range n {
		key = appendRow(key[:0], d.X, i)
		if d.Y != nil {
			key = appendNumbers(key, d.Y[i])
		}
		for _, t := range d.ExtraTargets {
			key = appendNumbers(key, t.Y[i])
		}
		first, again := seen[string(key)]
		if earlier[i] = first; again {
			dups++
		} else {
			earlier[i], seen[string(key)] = i, i
		}
	}
	if dups == 0 {
		return nil
	}
	switch r.o.Duplicate.or(Accept) {
	case Refuse:
		for i := range n {
			if e := earlier[i]; e != i {
				return fmt.Errorf("%s repeats %s, and Options.Duplicate is Refuse", r.where(i), r.where(e))
			}
		}
	case Drop:
		keep := make([]int, 0, n-dups)
		for i := range n {
			if earlier[i] == i {
				keep = append(keep, i)
			}
		}
		d.X = d.X.Slice(keep)
		d.takeTargets(d, keep)
		d.Group, d.Key = pick(d.Group, keep), pick(d.Key, keep)
		d.Dropped += dups
		r.done = append(r.done, count(dups, "duplicate point")+" left out")
	default:
		r.done = append(r.done, count(dups, "duplicate point")+" kept")
		if 10*dups > n {
			d.Doubts = append(d.Doubts, fmt.Sprintf("%d of %d points repeat another one (duplicates), so a test set "+
				"may hold points of the training set; Learn keeps duplicates on one side of each split, "+
				"Options.Group keeps rows with the same value of a column together, Options.Duplicate: Drop drops "+
				"duplicates", dups,
				n))
		}
	}
	return nil
}

// appendRow appends the content of point i of x: its features, the entries of a sparse row, or a sequence.
func appendRow(b []byte, x points.Points, i int) []byte {
	switch x := x.(type) {
	case points.Rows:
		return appendNumbers(b, x.Row(i)...)
	case points.Sparse:
		cols, vals := x.Row(i)
		for k, j := range cols {
			b = appendNumbers(b, float64(j), vals[k])
		}
		return b
	case points.Sequences:
		return append(b, x[i]...)
	}
	panic(fmt.Sprintf("data: points of type %T", x))
}

// appendNumbers appends 8 bytes for each number; 0 and −0 give the same bytes.
func appendNumbers(b []byte, v ...float64) []byte {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0))
	}
	return b
}
