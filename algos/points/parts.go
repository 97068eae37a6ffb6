package points

import (
	"fmt"
	"io"
	"slices"
)

// Parts are n points that several sources describe: features, and for each further source a part of another kind, such
// as Sequences, or Indices of the rows of Gram matrices. Features, Columns and StoreFeatures return those of Rows.
type Parts struct {
	Rows   Rows // the features; D is 0 if there are none
	Others []Part
}

// Part is one part of points, with a name that differs from the names of the other parts.
type Part struct {
	Name   string
	Points Points
}

var _ Points = Parts{}

// Of returns the part of x with this name. x must be Parts.
func Of(x Points, part string) (Points, error) {
	p, err := As[Parts](x)
	if err != nil {
		return nil, err
	}
	for _, o := range p.Others {
		if o.Name == part {
			return o.Points, nil
		}
	}
	return nil, fmt.Errorf("points: the points have no part %q; add it", part)
}

// RowsOf returns the dense features of x, which is Rows, or Parts with features.
func RowsOf(x Points) (Rows, error) {
	if p, ok := x.(Parts); ok && p.Rows.D > 0 {
		return p.Rows, nil
	}
	return As[Rows](x)
}

// WithRows returns x, which is Rows or Parts, with other features.
func WithRows(x Points, rows Rows) Points {
	if p, ok := x.(Parts); ok {
		p.Rows = rows
		return p
	}
	return rows
}

// HasIndices reports whether x, or a part of x, is Indices: then its kernel values are known from a matrix only.
func HasIndices(x Points) bool {
	p, ok := x.(Parts)
	return Is[Indices](x) || ok && slices.ContainsFunc(p.Others, func(o Part) bool { return Is[Indices](o.Points) })
}

// Len returns the number of points.
func (x Parts) Len() int {
	if len(x.Others) == 0 {
		return x.Rows.Len()
	}
	return x.Others[0].Points.Len()
}

// mapOthers returns x with each part except the features replaced by f of it.
func (x Parts) mapOthers(f func(Part) Points) Parts {
	x.Others = slices.Clone(x.Others)
	for k, o := range x.Others {
		x.Others[k].Points = f(o)
	}
	return x
}

// WithPart returns x with the points of one part replaced.
func (x Parts) WithPart(name string, points Points) Parts {
	return x.mapOthers(func(o Part) Points {
		if o.Name == name {
			return points
		}
		return o.Points
	})
}

// Slice returns the points of the given rows, copied.
func (x Parts) Slice(rows []int) Points {
	s := x.mapOthers(func(o Part) Points { return o.Points.Slice(rows) })
	if x.Rows.D > 0 {
		s.Rows = x.Rows.Slice(rows).(Rows)
	}
	return s
}

// Validate returns an error if a part is invalid, or if the parts have different numbers of points or the same name.
func (x Parts) Validate() error {
	if x.Rows.D > 0 {
		if err := x.Rows.Validate(); err != nil {
			return err
		}
	}
	if len(x.Others) == 0 {
		return fmt.Errorf("points: Parts has no part besides features; use points.Rows")
	}
	for k, o := range x.Others {
		if o.Points == nil {
			return fmt.Errorf("points: the part %q has no points; set Points", o.Name)
		}
		if err := o.Points.Validate(); err != nil {
			return fmt.Errorf("points: part %q: %w", o.Name, err)
		}
		if o.Points.Len() != x.Len() || x.Rows.D > 0 && x.Rows.N != x.Len() {
			return fmt.Errorf("points: the part %q has %d points, and another part has not; give all parts the same "+
				"points", o.Name, o.Points.Len())
		}
		if slices.ContainsFunc(x.Others[:k], func(p Part) bool { return p.Name == o.Name }) {
			return fmt.Errorf("points: two parts are named %q; give them different names", o.Name)
		}
	}
	return nil
}

// HashInto writes the features, the names of the other parts and their points to h.
func (x Parts) HashInto(h io.Writer) {
	WriteDigest(h, "parts", []int{len(x.Others)})
	x.Rows.HashInto(h)
	for _, o := range x.Others {
		WriteDigest(h, o.Name)
		o.Points.HashInto(h)
	}
}

// Features returns the number of features and their names.
func (x Parts) Features() (d int, names []string) { return x.Rows.Features() }

// Columns returns the points with only the given features, and with all other parts.
func (x Parts) Columns(cols []int) Points {
	if x.Rows.D == 0 {
		panic(noFeatures)
	}
	x.Rows = x.Rows.Columns(cols).(Rows)
	return x
}

// StoreFeatures copies the first len(dst) features of point i to dst.
func (x Parts) StoreFeatures(dst []float64, i int) {
	if len(dst) > 0 {
		x.Rows.StoreFeatures(dst, i)
	}
}
