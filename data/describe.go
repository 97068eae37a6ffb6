package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// String returns name, size and classes in one line.
func (d *Dataset) String() string {
	return fmt.Sprintf("%s: %s, %s", d.Name, d.describeSize(), d.describeLabels())
}

// describeSize returns the number and the kind of the points in words.
func (d *Dataset) describeSize() string {
	if x, err := points.As[points.Sequences](d.X); err == nil {
		shortest, _, longest := x.Lengths()
		return fmt.Sprintf("%d sequences of %d to %d letters", len(x), shortest, longest)
	}
	if d.Similarities != nil {
		return fmt.Sprintf("%d points, known by %s of similarities", d.Len(), matrixCountText(len(d.Similarities)))
	}
	if d.Kernels != nil {
		return fmt.Sprintf("%d points, known by %d Gram matrices", d.Len(), len(d.Kernels))
	}
	return fmt.Sprintf("%d points of %d features", d.Len(), d.Dim())
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

// describeLabels returns the classes with their numbers of points, or the range of the real targets, in words.
func (d *Dataset) describeLabels() string {
	switch {
	case len(d.Y) == 0:
		return "no labels"
	case len(d.Classes) == 2:
		n := d.Counts()
		return fmt.Sprintf("%s (−1) %d, %s (+1) %d", d.Classes[0], n[0], d.Classes[1], n[1])
	case d.Classes != nil:
		var parts []string
		for k, n := range d.Counts() {
			parts = append(parts, fmt.Sprintf("%s %d", d.Classes[k], n))
		}
		return fmt.Sprintf("%d classes: %s", len(d.Classes), strings.Join(parts, ", "))
	case d.ExtraTargets != nil:
		parts := []string{d.Targets()[0] + " " + rangeAndMean(d.Y)}
		for _, t := range d.ExtraTargets {
			parts = append(parts, t.Name+" "+rangeAndMean(t.Y))
		}
		return fmt.Sprintf("%d real targets: %s%s", len(parts), strings.Join(parts, "; "), d.logNote())
	}
	return "real targets " + rangeAndMean(d.Y) + d.logNote()
}

// logNote returns a note if the logarithms of the targets are learned, and "" otherwise.
func (d *Dataset) logNote() string {
	if d.Log {
		return "; their logarithms are learned"
	}
	return ""
}

// rangeAndMean returns range and mean of targets in words.
func rangeAndMean(y []float64) string {
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	return fmt.Sprintf("from %.4g to %.4g, mean %.4g", slices.Min(y), slices.Max(y), mean)
}
