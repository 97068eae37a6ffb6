package data

import "fmt"

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
