package data

import (
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/npy"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// readNPY reads a matrix that numpy.save has written (format 1.0 to 3.0), one point a row. The label is the last column
// unless Options.Unlabeled is set. Elements are floats of 4 or 8 bytes, integers of 1 to 8 bytes or booleans, in either
// byte order, row-major or column-major. Archives, object arrays (pickles), records, text and complex numbers are
// errors. A NaN is an error, not a missing cell.
func readNPY(raw []byte, o *job) (*Dataset, error) {
	x, _, err := npy.Read(raw)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(x.Data, sheet.IsTiny); i >= 0 {
		return nil, fmt.Errorf("row %d, column %d: %g %w; write 0", i/x.D+1, i%x.D+1, x.Data[i], sheet.ErrTiny)
	}
	hasLabels := !o.Unlabeled
	if e := o.training; e != nil {
		if x.D != e.FeatureCount && (x.D != e.FeatureCount+1 || e.Label == "") {
			return nil, fmt.Errorf("%s, but the training file has %s of features", sheet.Count(x.D, "column"),
				sheet.Count(e.FeatureCount, "column"))
		}
		hasLabels = x.D > e.FeatureCount
	}
	r := datasetBuilder{Dataset: Dataset{X: x}, o: o, notes: []string{"numbers of the file, unchanged"}}
	label := ""
	if hasLabels {
		label = fmt.Sprintf("column %d", x.D)
		if x.D < 2 {
			return nil, fmt.Errorf("%s; a file needs at least one feature and the label", sheet.Count(x.D, "column"))
		}
		r.X = x.Columns(points.AllIndices(x.D - 1))
		if !o.Unlabeled {
			if err := r.addNumericLabels(points.MustAs[points.Rows](x.Columns([]int{x.D - 1})), label); err != nil {
				return nil, err
			}
		}
	}
	r.Encoding = &Encoding{Options: o.Options, FeatureCount: points.FeatureCount(r.X), Label: label}
	return r.finishDataset()
}
