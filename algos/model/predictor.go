package model

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Predictor predicts with a model that is prepared once, for many predictions of a few rows, for example in a server. A
// prediction costs the evaluation of the kernels in use between the row and the n points of the model. Goroutines may
// use a Predictor at the same time. The model must not be changed while they do.
type Predictor struct {
	m         *Model
	grams     kernel.Grams
	folds     []*Predictor // one for each fold of m.Intervals
	scratches sync.Pool    // values of type *scratch
}

// Prediction is the prediction of one point.
type Prediction struct {
	// Value is the predicted number, or the first of them for several targets. For two classes it is f. For more than
	// two classes it is the largest of Values.
	Value float64 `json:"value"`
	// Values holds the predicted number of each of several targets, or one number for each of more than two classes. It
	// is nil otherwise.
	Values []float64 `json:"values,omitempty"`
	Class  string    `json:"class,omitempty"` // "" if the model predicts numbers
	// Probabilities holds P(class), in the order of Model.Classes. It is nil if the model has no Sigmoids.
	Probabilities []float64 `json:"probabilities,omitempty"`
	// Lower and Upper hold the ends of the prediction interval of each target. They are nil if the model has no
	// Intervals.
	Lower []float64 `json:"lower,omitempty"`
	Upper []float64 `json:"upper,omitempty"`
	// Unseen names the values that did not occur in the training file, or is "". It is "all words" for a sequence that
	// shares no word with the sequences of the model, whose prediction is the bias only.
	Unseen string `json:"unseen,omitempty"`
	// Outside names the features beyond the smallest or the largest value at the training points.
	Outside []string `json:"outside,omitempty"`
}

// Predictor returns a Predictor of m.
func (m *Model) Predictor() (*Predictor, error) {
	p, err := m.newPredictor()
	if err != nil || m.Intervals == nil {
		return p, err
	}
	for k := range m.Intervals.Folds {
		f, err := m.Intervals.Folds[k].Model.newPredictor()
		if err != nil {
			return nil, fmt.Errorf("model: fold %d of the intervals: %w", k+1, err)
		}
		p.folds = append(p.folds, f)
	}
	return p, nil
}

// newPredictor returns a Predictor of m without intervals.
func (m *Model) newPredictor() (*Predictor, error) {
	if err := m.validateFields(); err != nil {
		return nil, err
	}
	g := m.Family.Bind(m.X)
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if k, _ := g.Dims(); k != len(m.Theta) {
		return nil, fmt.Errorf("model: %d weights θ for a family of %d kernels; Theta needs one for each",
			len(m.Theta), k)
	}
	return &Predictor{m: m, grams: g}, nil
}

// Predict predicts each of the points z: see Model.Predict about their type and features.
func (p *Predictor) Predict(z points.Points) ([]Prediction, error) {
	z, err := p.alignPoints(z)
	if err != nil {
		return nil, err
	}
	s := p.getScratch()
	defer p.scratches.Put(s)
	pointCount, encoding := z.Len(), p.m.TargetEncoding()
	columnCount := encoding.Columns()
	values := resizeTo(&s.f, pointCount*columnCount)
	isUnrelated := &s.isUnrelated
	if !points.Is[points.Sequences](z) {
		isUnrelated = nil
	}
	if err := p.predict(values, z, isUnrelated); err != nil {
		return nil, err
	}
	all, column := make([]Prediction, pointCount), resizeTo(&s.column, columnCount)
	for i := range all {
		q := &all[i]
		copyPointValues(column, values, i)
		q.Value = column[0]
		if columnCount > 1 {
			q.Values = slices.Clone(column)
		}
		if encoding.Classes > 2 {
			q.Value = slices.Max(column)
		}
		if encoding.Classes > 0 {
			q.Class = p.m.Classes[encoding.Decide(column)]
		}
		if p.m.Sigmoids != nil {
			q.Probabilities = make([]float64, encoding.Classes)
			encoding.Probabilities(q.Probabilities, p.m.Sigmoids, column)
		}
		if isUnrelated != nil && (*isUnrelated)[i] {
			q.Unseen = "all words"
		}
		q.Outside = p.m.featuresOutside(z, i)
	}
	return all, p.addIntervals(all, z)
}

// PredictRows predicts rows of cells, with the checks of a file like the one that the model was learned on. columns
// names the cells; see data.Encoding.RowPoints.
func (p *Predictor) PredictRows(columns []string, rows ...[]string) ([]Prediction, error) {
	return p.predictInput(func(in Input) (points.Points, []string, error) { return in.RowPoints(columns, rows...) })
}

// PredictRow is PredictRows for one row, given by its columns.
func (p *Predictor) PredictRow(row map[string]string) (Prediction, error) {
	columns := slices.Sorted(maps.Keys(row))
	cells := make([]string, len(columns))
	for i, name := range columns {
		cells[i] = row[name]
	}
	all, err := p.PredictRows(columns, cells)
	if err != nil {
		return Prediction{}, err
	}
	return all[0], nil
}

// PredictFrom predicts every row that r provides, with the checks of a file. format is "csv" or "json", which is one
// object for each row; see data.Encoding.ReadPoints.
func (p *Predictor) PredictFrom(r io.Reader, format string) ([]Prediction, error) {
	return p.predictInput(func(in Input) (points.Points, []string, error) { return in.ReadPoints(r, format) })
}

// predictInput predicts the points that read returns for the Input of the model.
func (p *Predictor) predictInput(read func(Input) (points.Points, []string, error)) ([]Prediction, error) {
	if p.m.Input == nil {
		return nil, errors.New("model: it was not learned on a file (Input is nil); use Predict on points")
	}
	z, unseen, err := read(p.m.Input)
	if err != nil {
		return nil, fmt.Errorf("model: predict: %w", err)
	}
	all, err := p.Predict(z)
	if err != nil {
		return nil, err
	}
	for i, s := range unseen {
		all[i].Unseen = s
	}
	return all, nil
}

// featuresOutside returns the names of the features of point i of z that are below the smallest or above the largest
// value at the training points.
func (m *Model) featuresOutside(z points.Points, i int) (names []string) {
	x, err := points.As[points.Rows](z)
	if err != nil || m.Lowest == nil {
		return nil
	}
	for j, v := range x.Row(i) {
		if v < m.Lowest[j] || v > m.Highest[j] {
			names = append(names, points.FeatureName(m.X, j))
		}
	}
	return names
}

// blockSize is the number of points that are predicted together. It bounds the memory to blockSize·n numbers.
const blockSize = 1024

// scratch is the storage of one prediction. Later predictions reuse it.
type scratch struct {
	k           []float64 // the numbers of dense
	dense       *mat.Dense
	f, column   []float64
	isUnrelated []bool
}

// getScratch returns scratch storage from the pool, or new storage.
func (p *Predictor) getScratch() *scratch {
	if s, ok := p.scratches.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

// resizedMatrix returns an l×n matrix of undefined numbers.
func (s *scratch) resizedMatrix(l, n int) *mat.Dense {
	if s.dense != nil {
		if r, c := s.dense.Dims(); r == l && c == n {
			return s.dense
		}
	}
	s.dense = mat.NewDense(l, n, resizeTo(&s.k, l*n))
	return s.dense
}

// resizeTo sets the length of *v to n and returns *v. It allocates only if the capacity is too small.
func resizeTo(v *[]float64, n int) []float64 {
	if cap(*v) < n {
		*v = make([]float64, n)
	}
	*v = (*v)[:n]
	return *v
}

// predict stores f, or exp f (Log), at the aligned points z in dst, column after column. If isUnrelated is not nil, it
// receives for each sequence of z whether its kernel with all points of the model is 0, so that f is the bias only.
func (p *Predictor) predict(dst []float64, z points.Points, isUnrelated *[]bool) error {
	if err := p.computeValues(dst, z, isUnrelated); err != nil || !p.m.Log {
		return err
	}
	for i, v := range dst {
		dst[i] = math.Exp(v)
	}
	return checkFinite(dst, z.Len())
}

// checkFinite returns an error if a value in f is not finite. f has the values of l points, column after column.
func checkFinite(f []float64, l int) error {
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("model: the prediction for point %d is %g, which is not finite", i%l+1, v)
		}
	}
	return nil
}

// computeValues is like predict, but it stores f and not exp f if the model has Log.
func (p *Predictor) computeValues(dst []float64, z points.Points, isUnrelated *[]bool) error {
	m := p.m
	l, n, c := z.Len(), m.X.Len(), m.columnCount()
	s := p.getScratch()
	defer p.scratches.Put(s)
	if isUnrelated != nil {
		*isUnrelated = (*isUnrelated)[:0]
	}
	for from := 0; from < l; from += blockSize {
		part, to := z, min(from+blockSize, l)
		if l > blockSize {
			rows := make([]int, to-from)
			for i := range rows {
				rows[i] = from + i
			}
			part = z.Slice(rows)
		}
		k := s.resizedMatrix(to-from, n)
		p.grams.Cross(part).Gram(k, m.Theta)
		for i := range to - from {
			if isUnrelated != nil {
				*isUnrelated = append(*isUnrelated, floats.Norm(k.RawRowView(i), math.Inf(1)) == 0)
			}
			for j := range c {
				dst[j*l+from+i] = m.addBias(floats.Dot(k.RawRowView(i), m.W[j*n:(j+1)*n]), j)
			}
		}
	}
	return checkFinite(dst, l)
}
