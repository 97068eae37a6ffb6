package data

import (
	"fmt"

	"github.com/mklnb/mkl/algos/points"
)

// String returns name, size and classes in one line.
func (d *Dataset) String() string {
	size, labels := countText(d.Len(), "point"), "no labels"
	if d.Dim() > 0 {
		size += " of " + countText(d.Dim(), "feature")
	}
	if d.Y != nil {
		labels = countText(1+len(d.ExtraTargets), "real target")
	}
	if d.Classes != nil {
		var parts []string
		for k, n := range d.Counts() {
			parts = append(parts, fmt.Sprintf("%s %d", d.Classes[k], n))
		}
		labels = listSome(parts)
	}
	return fmt.Sprintf("%s: %s, %s", d.Name, size, labels)
}

// describePointKind describes the kind of points in words, for errors.
func describePointKind(x points.Points) string {
	switch x.(type) {
	case nil:
		return "missing"
	case points.Rows:
		return "dense rows of numbers"
	case points.Sparse:
		return "sparse rows of numbers"
	case points.Sequences:
		return "sequences"
	case points.Indices, points.KernelRows:
		return "known by matrices only"
	}
	return "of another kind"
}
