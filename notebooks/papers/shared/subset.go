package shared

import "github.com/mklnb/mkl/data"

// Subset returns evenly spaced points of d, size in number, or all points if d has fewer.
func Subset(d *data.Dataset, size int) *data.Dataset {
	rows := make([]int, min(size, d.Len()))
	for i := range rows {
		rows[i] = i * d.Len() / len(rows)
	}
	return SelectRows(d, rows)
}

// SelectRows returns the given points of d. It panics if a point does not exist.
func SelectRows(d *data.Dataset, rows []int) *data.Dataset {
	s, err := d.Slice(rows)
	if err != nil {
		panic(err)
	}
	return s
}
