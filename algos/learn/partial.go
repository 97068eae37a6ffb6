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
)

// PartialDependence is the partial dependence of a learned model on one or two columns of the file,
//
//	f̄(v) = (1/n) Σ_i f(v, rest of x_i),
//
// the mean over n points of the predictions with these columns set to v. It describes the mean prediction of the model,
// not the effect of a change. If columns are correlated, some combinations (v, rest of x_i) are unlike any point. It is
// plain data.
//
// References:
//   - J. H. Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001),
//     section 8.2.
type PartialDependence struct {
	Data    string
	Points  int          // number of points that the mean is over
	Outputs []string     // names of the outputs: the target, or each of several targets or classes
	Axes    []GridValues // the grid of each of the one or two columns
	// Mean has, for each output, one mean for each value of the only column. For two columns, it has the means for all
	// values of the second column at the first value of the first column, then at its second value, and so on. It is
	// nil if the work was stopped.
	Mean [][]float64
}

// GridValues holds the values that a column is set to.
type GridValues struct {
	Column string
	Values []float64 // of a numeric column, ascending
	Levels []string  // of a nominal column
}

// len returns the number of values or levels.
func (p GridValues) len() int { return max(len(p.Values), len(p.Levels)) }

const (
	maxAveraged   = 500 // limit of the points whose predictions are averaged
	maxGridValues = 40  // limit of the values of one numeric column
	maxPairValues = 15  // limit of the values of each of two numeric columns
)

// Partial computes the partial dependence of the model of l on one or two columns of its data, given by name. A numeric
// column is set to at most 40 values (15 for two columns) from its 5 % to its 95 % quantile. A nominal column is set to
// each of its levels. For several targets, or more than two classes, only one column is allowed. The mean is over the
// training points, or over 500 random ones if there are more. For two classes, f is the decision value, whose sign
// decides the class. The end of ctx is not an error: Mean is then nil. progress may be nil.
func Partial(ctx context.Context, l *Learned, progress func(compare.Progress), columns ...string) (*PartialDependence,
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
	if len(columns) < 1 || len(columns) > 2 {
		return nil, fmt.Errorf("learn: partial dependence on %d columns; use one or two", len(columns))
	}
	all := d.FileColumns()
	most := maxGridValues
	if len(columns) == 2 {
		most = maxPairValues
	}
	p := &PartialDependence{Data: d.Name, Outputs: outputNames(l.Model, d)}
	if len(p.Outputs) > 1 && len(columns) > 1 {
		return nil, fmt.Errorf("learn: partial dependence of %d outputs on two columns; use one column",
			len(p.Outputs))
	}
	var sets [][]int
	for k, name := range columns {
		c := slices.IndexFunc(all, func(c data.FileColumn) bool { return c.Name == name })
		if c < 0 {
			names := make([]string, len(all))
			for i, c := range all {
				names[i] = c.Name
			}
			return nil, fmt.Errorf("learn: %s has no column %q; use one of %q", d.Name, name, names)
		}
		if k == 1 && columns[0] == name {
			return nil, fmt.Errorf("learn: partial dependence on %q twice; use two different columns", name)
		}
		a := GridValues{Column: name, Levels: all[c].Levels}
		if a.Levels == nil {
			a.Values = quantileGrid(x, all[c].Features[0], most)
		}
		if a.len() < 2 {
			return nil, fmt.Errorf("learn: column %q of %s has only one value; use a column that varies", name, d.Name)
		}
		p.Axes, sets = append(p.Axes, a), append(sets, all[c].Features)
	}
	if x.N > maxAveraged {
		x = points.ToRows(x.Slice(rand.New(rand.NewPCG(l.study.Seed, 1<<35)).Perm(x.N)[:maxAveraged]))
	}
	p.Points = x.N
	err = p.computeMeans(ctx, l.Model, x, sets, progress)
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

// computeMeans sets p.Mean to the mean predictions of m for the points x. It sets the features sets[k] to the values of
// axis k: the one feature of a numeric column to a number, or the feature of a level to 1 and those of other levels to
// 0.
func (p *PartialDependence) computeMeans(ctx context.Context, m *model.Model, x points.Rows, sets [][]int,
	progress func(compare.Progress)) error {
	total := 1
	for _, a := range p.Axes {
		total *= a.len()
	}
	p.Mean = make([][]float64, len(p.Outputs))
	z := x
	for combination := range total {
		if err := ctx.Err(); err != nil {
			return err
		}
		z.Data = slices.Clone(x.Data)
		remainder := combination
		for k := len(p.Axes) - 1; k >= 0; k-- {
			a := p.Axes[k]
			valueIndex := remainder % a.len()
			remainder /= a.len()
			for i := range z.N {
				for l, j := range sets[k] {
					switch {
					case a.Levels == nil:
						z.Row(i)[j] = a.Values[valueIndex]
					case l == valueIndex:
						z.Row(i)[j] = 1
					default:
						z.Row(i)[j] = 0
					}
				}
			}
		}
		v, err := m.Values(z)
		if err != nil {
			return fmt.Errorf("learn: partial dependence: %w", err)
		}
		for j := range p.Mean {
			sum := 0.0
			for i := range z.N {
				sum += v.At(i, j)
			}
			p.Mean[j] = append(p.Mean[j], sum/float64(z.N))
		}
		if progress != nil {
			progress(compare.Progress{Done: combination + 1, Total: total})
		}
	}
	return nil
}
