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
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Predictor predicts with a model that is prepared only once, for many predictions of a few rows, for example in a
// server. The cost of a prediction is that of the kernels in use between the row and all points of the model. Several
// goroutines may use a Predictor at the same time. The model must not be changed meanwhile.
type Predictor struct {
	m              *Model
	trainingGrams  kernel.Grams
	foldPredictors []*Predictor // one for each fold of m.Intervals
	scratchPool    sync.Pool    // values of type *scratch
}

// Prediction is the prediction for one point.
type Prediction struct {
	// Value is the predicted number, or the first one of several targets. For two classes it is the decision value f.
	// For more than two classes it is the largest of Values.
	Value float64 `json:"value"`
	// Values holds the predicted number of each of several targets, or the decision value of each of more than two
	// classes. It is nil otherwise.
	Values []float64 `json:"values,omitempty"`
	Class  string    `json:"class,omitempty"` // name of the predicted class; "" for regression
	// Probabilities holds P(class), in the order of Model.Classes. Class has the largest. It is nil if the model has no
	// Sigmoids.
	Probabilities []float64 `json:"probabilities,omitempty"`
	// Lower and Upper hold the ends of the prediction interval of each target. They are nil if the model has no
	// Intervals.
	Lower []float64 `json:"lower,omitempty"`
	Upper []float64 `json:"upper,omitempty"`
	Level float64   `json:"level,omitempty"` // Intervals.Level, or 0
	Key   string    `json:"key,omitempty"`   // the key of the row (data.Dataset.Keys), or ""
	// Unseen names the values that did not occur in the training file, or is "". It is "all words" for a sequence that
	// shares no word with the sequences of the model, whose prediction is the bias only.
	Unseen string `json:"unseen,omitempty"`
	// Filled names the columns whose missing numbers were replaced by their means in the training file, or is "".
	Filled string `json:"filled,omitempty"`
	// Outside names the features that are below the smallest or above the largest value at the training points.
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
			return nil, fmt.Errorf("model: prediction intervals: model of fold %d: %w", k+1, err)
		}
		p.foldPredictors = append(p.foldPredictors, f)
	}
	return p, nil
}

// newPredictor returns a Predictor of m that computes no intervals.
func (m *Model) newPredictor() (*Predictor, error) {
	if err := m.validateFields(); err != nil {
		return nil, err
	}
	g := m.Family.Bind(m.X)
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if k, _ := g.Dims(); k != len(m.Theta) {
		return nil, fmt.Errorf("model: Theta has %d weights, but the family has %d kernels; give one weight per kernel",
			len(m.Theta), k)
	}
	return &Predictor{m: m, trainingGrams: g}, nil
}

// Predict returns a prediction for each of the points z. Model.Predict describes their type and features.
func (p *Predictor) Predict(z points.Points) ([]Prediction, error) {
	z, err := p.alignPoints(z)
	if err != nil {
		return nil, err
	}
	s := p.getScratch()
	defer p.scratchPool.Put(s)
	pointCount, encoding := z.Len(), p.m.TargetEncoding()
	columnCount := encoding.Columns()
	values := resizeTo(&s.values, pointCount*columnCount)
	hasZeroKernels := &s.hasZeroKernels
	if !points.Is[points.Sequences](z) {
		hasZeroKernels = nil
	}
	if err := p.predict(values, z, hasZeroKernels); err != nil {
		return nil, err
	}
	predictions, pointValues := make([]Prediction, pointCount), resizeTo(&s.pointValues, columnCount)
	for i := range predictions {
		q := &predictions[i]
		copyPointValues(pointValues, values, i)
		q.Value = pointValues[0]
		if columnCount > 1 {
			q.Values = slices.Clone(pointValues)
		}
		if encoding.Classes > 2 {
			q.Value = slices.Max(pointValues)
		}
		if encoding.Classes > 0 {
			q.Class = p.m.Classes[encoding.PredictedClass(pointValues)]
		}
		if p.m.Sigmoids != nil {
			q.Probabilities = make([]float64, encoding.Classes)
			encoding.Probabilities(q.Probabilities, p.m.Sigmoids, pointValues)
		}
		if hasZeroKernels != nil && (*hasZeroKernels)[i] {
			q.Unseen = "all words"
		}
		q.Outside = p.m.featuresOutsideRange(z, i)
		if p.m.Intervals != nil {
			q.Level = p.m.Intervals.Level
		}
	}
	return predictions, p.addIntervals(predictions, z)
}

// PredictRows predicts rows of cells, with the same checks as for a file. columns names the cells of a row; see
// data.Encoding.EncodeRows.
func (p *Predictor) PredictRows(columns []string, rows ...[]string) ([]Prediction, error) {
	return p.predictInput(func(e *data.Encoding) (*data.Dataset, error) { return e.EncodeRows(columns, rows...) })
}

// PredictRow predicts one row. The keys of row are the names of the columns. For a model of joined files, row has the
// columns of all files: see data.Encoding.EncodeRows.
func (p *Predictor) PredictRow(row map[string]string) (Prediction, error) {
	columns := slices.Sorted(maps.Keys(row))
	cells := make([]string, len(columns))
	for i, name := range columns {
		cells[i] = row[name]
	}
	predictions, err := p.PredictRows(columns, cells)
	if err != nil {
		return Prediction{}, err
	}
	return predictions[0], nil
}

// PredictFrom predicts every row of the text that r provides. format is "csv" or "json" (an object for each row, or an
// array of such objects); see data.Encoding.ReadPoints.
func (p *Predictor) PredictFrom(r io.Reader, format string) ([]Prediction, error) {
	return p.predictInput(func(e *data.Encoding) (*data.Dataset, error) { return e.ReadPoints(r, format) })
}

// predictInput predicts the points that read makes with the Input of the model.
func (p *Predictor) predictInput(read func(*data.Encoding) (*data.Dataset, error)) ([]Prediction, error) {
	if p.m.Input == nil {
		return nil, errors.New("model: the model was not learned on a file (Input is nil); use Predict with points")
	}
	d, err := read(p.m.Input)
	if err != nil {
		return nil, fmt.Errorf("model: predict: %w", err)
	}
	predictions, err := p.Predict(d.X)
	if err != nil {
		return nil, err
	}
	for i := range predictions {
		q := &predictions[i]
		if d.UnseenValues != nil {
			q.Unseen = d.UnseenValues[i]
		}
		if d.FilledColumns != nil {
			q.Filled = d.FilledColumns[i]
		}
		if d.Keys != nil {
			q.Key = d.Keys[i]
		}
	}
	return predictions, nil
}

// featuresOutsideRange returns the names of the features of one point of z that are below m.Lowest or above m.Highest.
func (m *Model) featuresOutsideRange(z points.Points, pointIndex int) (names []string) {
	x, err := points.RowsOf(z)
	if err != nil || m.Lowest == nil {
		return nil
	}
	for j, v := range x.Row(pointIndex) {
		if v < m.Lowest[j] || v > m.Highest[j] {
			names = append(names, points.FeatureName(m.X, j))
		}
	}
	return names
}

// blockSize is the number of points that are predicted together. It limits a kernel matrix to blockSize rows.
const blockSize = 1024

// scratch holds slices and a matrix for one call of Predict. Later calls reuse them.
type scratch struct {
	kernelEntries  []float64 // the numbers of kernelMatrix
	kernelMatrix   *mat.Dense
	values         []float64 // predictions f: of all points for the first column, then for the second, …
	pointValues    []float64 // predictions f for one point, one for each column
	hasZeroKernels []bool    // for each point, whether its kernel values with all points of the model are 0
}

func (p *Predictor) getScratch() *scratch {
	if s, ok := p.scratchPool.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

// kernelMatrixOfSize returns s.kernelMatrix with the given size. Its numbers are undefined.
func (s *scratch) kernelMatrixOfSize(rows, columns int) *mat.Dense {
	if s.kernelMatrix != nil {
		if r, c := s.kernelMatrix.Dims(); r == rows && c == columns {
			return s.kernelMatrix
		}
	}
	s.kernelMatrix = mat.NewDense(rows, columns, resizeTo(&s.kernelEntries, rows*columns))
	return s.kernelMatrix
}

// resizeTo sets the length of *v to n and returns *v. It allocates a new slice only if the capacity is too small.
func resizeTo(v *[]float64, n int) []float64 {
	if cap(*v) < n {
		*v = make([]float64, n)
	}
	*v = (*v)[:n]
	return *v
}

// predict stores the predictions f (exp f if the model has LogTargets) for the points z in dst: all points for the
// first column, then for the second, … z must be a result of alignPoints. If hasZeroKernels is not nil, predict stores
// in it, for each point of z, whether its kernel values with all points of the model are 0, so that f is the bias only.
func (p *Predictor) predict(dst []float64, z points.Points, hasZeroKernels *[]bool) error {
	if err := p.predictWithoutExp(dst, z, hasZeroKernels); err != nil || !p.m.LogTargets {
		return err
	}
	for i, v := range dst {
		dst[i] = math.Exp(v)
	}
	return checkFinite(dst, z.Len())
}

// checkFinite returns an error if a prediction is not finite. predictions has pointCount numbers for each target.
func checkFinite(predictions []float64, pointCount int) error {
	for i, v := range predictions {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("model: the prediction for point %d is %g, which is not finite", i%pointCount+1, v)
		}
	}
	return nil
}

// predictWithoutExp is like predict, but stores f, not exp f, even if the model has LogTargets.
func (p *Predictor) predictWithoutExp(dst []float64, z points.Points, hasZeroKernels *[]bool) error {
	m := p.m
	l, n, c := z.Len(), m.X.Len(), m.targetColumnCount()
	s := p.getScratch()
	defer p.scratchPool.Put(s)
	if hasZeroKernels != nil {
		*hasZeroKernels = (*hasZeroKernels)[:0]
	}
	for blockStart := 0; blockStart < l; blockStart += blockSize {
		block, blockEnd := z, min(blockStart+blockSize, l)
		if l > blockSize {
			rows := make([]int, blockEnd-blockStart)
			for i := range rows {
				rows[i] = blockStart + i
			}
			block = z.Slice(rows)
		}
		kernelBlock := s.kernelMatrixOfSize(blockEnd-blockStart, n)
		p.trainingGrams.Cross(block).StoreMatrix(kernelBlock, m.Theta)
		for i := range blockEnd - blockStart {
			if hasZeroKernels != nil {
				*hasZeroKernels = append(*hasZeroKernels, floats.Norm(kernelBlock.RawRowView(i), math.Inf(1)) == 0)
			}
			for j := range c {
				dst[j*l+blockStart+i] = m.addBiasAndOffset(floats.Dot(kernelBlock.RawRowView(i), m.W[j*n:(j+1)*n]), j)
			}
		}
	}
	SortQuantiles(dst, m.Quantiles)
	return checkFinite(dst, l)
}

// AreOfOneTarget reports whether taus, the quantiles of several columns, ascend: then all are of one target.
func AreOfOneTarget(taus []float64) bool { return len(taus) > 1 && taus[0] < taus[1] }

// SortQuantiles sorts the predicted quantiles of each point, so that they do not cross, if they are of one target
// (AreOfOneTarget). values has all points for the first quantile, then for the second, … The sum of the pinball
// losses of the sorted numbers is at most that of the unsorted ones.
//
// References:
//   - V. Chernozhukov, I. Fernández-Val, A. Galichon, Quantile and probability curves without crossing, Econometrica
//     78, 2010.
func SortQuantiles(values, taus []float64) {
	if !AreOfOneTarget(taus) {
		return
	}
	n, pointValues := len(values)/len(taus), make([]float64, len(taus))
	for i := range n {
		slices.Sort(copyPointValues(pointValues, values, i))
		for j, v := range pointValues {
			values[j*n+i] = v
		}
	}
}
