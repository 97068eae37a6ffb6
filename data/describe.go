package data

import "fmt"

// String returns name, size and classes in one line.
func (d *Dataset) String() string {
	size, labels := formatCount(d.Len(), "point"), "no labels"
	if d.Dim() > 0 {
		size += " of " + formatCount(d.Dim(), "feature")
	}
	if d.Y != nil {
		labels = formatCount(1+len(d.ExtraTargets), "real target")
	}
	if d.Classes != nil {
		var parts []string
		for k, n := range d.Counts() {
			parts = append(parts, fmt.Sprintf("%s %d", d.Classes[k], n))
		}
		labels = listFirst(parts)
	}
	return fmt.Sprintf("%s: %s, %s", d.Name, size, labels)
}
