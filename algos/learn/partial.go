package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/internal/random"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// PartialDependence is plain data: the partial dependence of a learned model on a column of the file,
//
//	f̄(v) = (1/n) Σ_i f(v, rest of x_i),
//
// the mean over n points of the predictions with this column set to v. It describes the mean prediction of the model,
// not the effect of a change. If columns are correlated, some combinations (v, rest of x_i) are unlike any point.
// Weights of points in the loss do not weight the mean.
//
// References:
//   - J. H. Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001),
//     section 8.2.
type PartialDependence struct {
	Data        string   // name of the dataset
	Points      int      // number of points over which predictions are averaged
	OutputNames []string // names of the predicted numbers: the target, or each of several targets or classes
	Column      string
	Values      []float64   // values of a numeric column, in ascending order
	Levels      []string    // levels of a nominal column
	Dates       []string    // for a column of dates: Values as in the file
	Mean        [][]float64 // for each output, its mean f̄ at each of Values or Levels; nil if the work was stopped
}

const (
	maxAveraged   = 500 // largest number of points over which predictions are averaged
	maxGridValues = 40  // largest number of values to which a numeric column is set
)

// PartialDependenceOf computes the partial dependence of the model of l on a named column of its data. A numeric column
// is set to at most 40 values from its 5 % to its 95 % quantile. A nominal column is set to each of its levels. The
// mean is over the training points, or over 500 random ones if there are more. The predictions of classes are their
// probabilities, for two classes that of the second; of a model without probabilities, decision values. The end of ctx
// is not an error: Mean is then nil. progress may be nil.
func PartialDependenceOf(ctx context.Context, l *Learned, progress func(compare.Progress),
	column string) (*PartialDependence, error) {
	if err := argument.CheckContext(ctx, "learn"); err != nil {
		return nil, err
	}
	if l == nil || l.study == nil || l.Model == nil {
		return nil, errors.New("learn: the argument of type *Learned is nil or has no model; pass a result of Learn")
	}
	d := l.study.Data
	x, err := points.As[points.Rows](d.X)
	if err != nil {
		return nil, fmt.Errorf("learn: partial dependence needs dense features, which %s does not have; save the "+
			"points as CSV or NPY", d.Name)
	}
	fileColumns := d.FileColumns()
	c := slices.IndexFunc(fileColumns, func(c data.FileColumn) bool { return c.Name == column })
	if c < 0 {
		names := make([]string, len(fileColumns))
		for i, c := range fileColumns {
			names[i] = c.Name
		}
		return nil, fmt.Errorf("learn: %s has no column %q; use one of %q", d.Name, column, names)
	}
	features := fileColumns[c].Features
	p := &PartialDependence{Data: d.Name, OutputNames: outputNames(l.Model, d), Column: column,
		Levels: fileColumns[c].Levels}
	if p.Levels == nil {
		p.Values = quantileGrid(x, features[0], maxGridValues)
		for _, v := range p.Values {
			if fileColumns[c].DateLayout != "" {
				p.Dates = append(p.Dates, fileColumns[c].FormatDate(v))
			}
		}
	}
	if max(len(p.Values), len(p.Levels)) < 2 {
		return nil, fmt.Errorf("learn: column %q of %s has only one value; use a column that varies", column, d.Name)
	}
	if x.N > maxAveraged {
		x = points.ToRows(x.Slice(random.New(l.study.Seed, random.Average).Perm(x.N)[:maxAveraged]))
	}
	p.Points = x.N
	err = p.computeMeanPredictions(ctx, l.Model, x, features, progress)
	if ctx.Err() != nil {
		p.Mean, err = nil, nil
	}
	return p, err
}

// outputNames returns names for the columns of the matrix that predictions returns.
func outputNames(m *model.Model, d *data.Dataset) []string {
	output := "f of "
	if m.Sigmoids != nil {
		output = "probability of "
	}
	switch {
	case len(m.Classes) > 2:
		var names []string
		for _, class := range m.Classes {
			names = append(names, output+class)
		}
		return names
	case m.Sigmoids != nil:
		return []string{output + m.Classes[1]}
	case len(m.Classes) == 2:
		return []string{"f (> 0 for " + m.Classes[1] + ")"}
	case m.Targets != nil:
		return m.Targets
	case d.Target != "":
		return []string{d.Target}
	}
	return []string{"prediction"}
}

// predictions returns the probabilities of the classes, without that of the first of two, or m.Values if the model has
// no probabilities.
func predictions(m *model.Model, z points.Points) (mat.Matrix, error) {
	if m.Sigmoids == nil {
		return m.Values(z)
	}
	p, err := m.Probabilities(z)
	if err != nil || len(m.Classes) > 2 {
		return p, err
	}
	return p.Slice(0, z.Len(), 1, 2), nil
}

// quantileGrid returns valueCount values at equal distances from the 5 % to the 95 % quantile of a feature. If the
// feature has at most valueCount different values, it returns these. Of n sorted values x_(1) … x_(n), the p quantile
// (Cunnane's, as in scikit-learn) is
//
//	(1−γ)x_(k) + γx_(k+1) with k + γ = 0.4 + p(n + 0.2)
func quantileGrid(x points.Rows, featureIndex, valueCount int) []float64 {
	v := make([]float64, x.N)
	for i := range v {
		v[i] = x.Row(i)[featureIndex]
	}
	slices.Sort(v)
	if distinctValues := slices.Compact(slices.Clone(v)); len(distinctValues) <= valueCount {
		return distinctValues
	}
	quantile := func(p float64) float64 {
		position := 0.4 + p*(float64(x.N)+0.2)
		k := math.Floor(max(1, min(position, float64(x.N-1))))
		t := max(0, min(position-k, 1))
		return (1-t)*v[int(k)-1] + t*v[int(k)]
	}
	lo, hi := quantile(0.05), quantile(0.95)
	if !(lo < hi) {
		lo, hi = v[0], v[len(v)-1]
	}
	return floats.Span(make([]float64, valueCount), lo, hi)
}

// computeMeanPredictions sets p.Mean to the mean predictions of m at the points x, with one column of the file changed.
// features are the indices of its features: one for a numeric column, which is set to each of p.Values, or one for each
// level of a nominal column, which is set to 1 for this level and to 0 for the others.
func (p *PartialDependence) computeMeanPredictions(ctx context.Context, m *model.Model, x points.Rows, features []int,
	progress func(compare.Progress)) error {
	valueCount := max(len(p.Values), len(p.Levels))
	p.Mean = make([][]float64, len(p.OutputNames))
	z := x
	z.Data = slices.Clone(x.Data)
	for k := range valueCount {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range z.N {
			for level, j := range features {
				switch {
				case p.Levels == nil:
					z.Row(i)[j] = p.Values[k]
				case level == k:
					z.Row(i)[j] = 1
				default:
					z.Row(i)[j] = 0
				}
			}
		}
		v, err := predictions(m, z)
		if err != nil {
			return fmt.Errorf("learn: partial dependence: %w", err)
		}
		for j := range p.Mean {
			p.Mean[j] = append(p.Mean[j], stat.Mean(mat.Col(nil, j, v), nil))
		}
		if progress != nil {
			progress(compare.Progress{Done: k + 1, Total: valueCount})
		}
	}
	return nil
}
