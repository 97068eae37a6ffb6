package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// PartialDependence is the partial dependence of a learned model on a column of the file,
//
//	f̄(v) = (1/n) Σ_i f(v, rest of x_i),
//
// the mean over n points of the predictions with this column set to v. It describes the mean prediction of the model,
// not the effect of a change. If columns are correlated, some combinations (v, rest of x_i) are unlike any point. It is
// plain data.
//
// References:
//   - J. H. Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001),
//     section 8.2.
type PartialDependence struct {
	Data    string
	Points  int      // number of points that the mean is over
	Outputs []string // names of the outputs: the target, or each of several targets or classes
	Column  string
	Values  []float64   // the values that a numeric column is set to, ascending
	Levels  []string    // the levels that a nominal column is set to
	Mean    [][]float64 // one mean for each value or level, for each output; nil if the work was stopped
}

const (
	maxAveraged   = 500 // limit of the points whose predictions are averaged
	maxGridValues = 40  // limit of the values of a numeric column
)

// Partial computes the partial dependence of the model of l on a column of its data, given by name. A numeric column is
// set to at most 40 values from its 5 % to its 95 % quantile. A nominal column is set to each of its levels. The mean
// is over the training points, or over 500 random ones if there are more. For two classes, f is the decision value,
// whose sign decides the class. The end of ctx is not an error: Mean is then nil. progress may be nil.
func Partial(ctx context.Context, l *Learned, progress func(compare.Progress), column string) (*PartialDependence,
	error) {
	if ctx == nil {
		return nil, errors.New("learn: the context is nil; pass context.Background()")
	}
	if l == nil || l.study == nil || l.Model == nil {
		return nil, errors.New("learn: the Learned is nil or has no model; pass a result of Learn")
	}
	d := l.study.Data
	x, err := points.As[points.Rows](d.X)
	if err != nil {
		return nil, fmt.Errorf("learn: a partial dependence of %s needs dense features; save the points "+
			"as CSV or NPY", d.Name)
	}
	all := d.FileColumns()
	c := slices.IndexFunc(all, func(c data.FileColumn) bool { return c.Name == column })
	if c < 0 {
		names := make([]string, len(all))
		for i, c := range all {
			names[i] = c.Name
		}
		return nil, fmt.Errorf("learn: %s has no column %q; use one of %q", d.Name, column, names)
	}
	features := all[c].Features
	p := &PartialDependence{Data: d.Name, Outputs: outputNames(l.Model, d), Column: column, Levels: all[c].Levels}
	if p.Levels == nil {
		p.Values = quantileGrid(x, features[0], maxGridValues)
	}
	if max(len(p.Values), len(p.Levels)) < 2 {
		return nil, fmt.Errorf("learn: column %q of %s has only one value; use a column that varies", column, d.Name)
	}
	if x.N > maxAveraged {
		x = points.ToRows(x.Slice(rand.New(rand.NewPCG(l.study.Seed, 1<<35)).Perm(x.N)[:maxAveraged]))
	}
	p.Points = x.N
	err = p.computeMeans(ctx, l.Model, x, features, progress)
	if ctx.Err() != nil {
		p.Mean, err = nil, nil
	}
	return p, err
}

// outputNames returns the names of the outputs of m, one for each column of m.Values.
func outputNames(m *model.Model, d *data.Dataset) []string {
	switch {
	case len(m.Classes) > 2:
		var names []string
		for _, class := range m.Classes {
			names = append(names, "f of "+class)
		}
		return names
	case len(m.Classes) == 2:
		return []string{"f (> 0 for " + m.Classes[1] + ")"}
	case m.Targets != nil:
		return m.Targets
	case d.Target != "":
		return []string{d.Target}
	}
	return []string{"prediction"}
}

// quantileGrid returns count values at equal distances from the 5 % to the 95 % quantile of feature j. If the feature
// has at most that many different values, it returns these. The quantile is Cunnane's, as in scikit-learn:
//
//	(1−γ)x_(k) + γx_(k+1) with k + γ = 0.4 + p(n + 0.2)
func quantileGrid(x points.Rows, j, count int) []float64 {
	v := make([]float64, x.N)
	for i := range v {
		v[i] = x.Row(i)[j]
	}
	slices.Sort(v)
	if different := slices.Compact(slices.Clone(v)); len(different) <= count {
		return different
	}
	quantile := func(p float64) float64 {
		at := 0.4 + p*(float64(x.N)+0.2)
		k := math.Floor(max(1, min(at, float64(x.N-1))))
		t := max(0, min(at-k, 1))
		return (1-t)*v[int(k)-1] + t*v[int(k)]
	}
	lo, hi := quantile(0.05), quantile(0.95)
	if !(lo < hi) {
		lo, hi = v[0], v[len(v)-1]
	}
	return floats.Span(make([]float64, count), lo, hi)
}

// computeMeans sets p.Mean to the mean predictions of m for the points x. It sets the one feature of a numeric column
// to each value. For a nominal column, it sets the feature of each level to 1 and those of the other levels to 0.
func (p *PartialDependence) computeMeans(ctx context.Context, m *model.Model, x points.Rows, features []int,
	progress func(compare.Progress)) error {
	total := max(len(p.Values), len(p.Levels))
	p.Mean = make([][]float64, len(p.Outputs))
	z := x
	z.Data = slices.Clone(x.Data)
	for k := range total {
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
		v, err := m.Values(z)
		if err != nil {
			return fmt.Errorf("learn: partial dependence: %w", err)
		}
		for j := range p.Mean {
			p.Mean[j] = append(p.Mean[j], stat.Mean(mat.Col(nil, j, v), nil))
		}
		if progress != nil {
			progress(compare.Progress{Done: k + 1, Total: total})
		}
	}
	return nil
}
