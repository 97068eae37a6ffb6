package model

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/store"
)

// Input converts rows of cells into points. It holds the names of the columns, the values of categorical columns, and
// the numbers that replace missing cells. It is plain data of a registered type and is saved with the model.
// data.Encoding is an Input.
//
// For each point, unseen names the values that did not occur in the file that the input was fitted to, or is "". unseen
// is nil if there is no such value.
type Input interface {
	// PointsAndUnseen returns one point for each row of the file, or of several files side by side.
	PointsAndUnseen(paths ...string) (z points.Points, unseen []string, err error)
	// ReadPoints returns one point for each row of the text of r. format is "csv" or "json", one object for each row.
	ReadPoints(r io.Reader, format string) (z points.Points, unseen []string, err error)
	// RowPoints returns one point for each row of cells, given the names of the columns.
	RowPoints(columns []string, rows ...[]string) (z points.Points, unseen []string, err error)
}

// PredictedFile is a file of predictions.
type PredictedFile struct {
	Path        string
	Predictions []Prediction
}

// String returns the name of the file and the number of predictions. It also returns how many rows have values that did
// not occur in the training file, and how many have a feature outside the range of the training points, if there are
// any.
func (f *PredictedFile) String() string {
	unseen, outside := 0, 0
	for _, p := range f.Predictions {
		if p.Unseen != "" {
			unseen++
		}
		if p.Outside != nil {
			outside++
		}
	}
	s := fmt.Sprintf("%d predictions in %s", len(f.Predictions), filepath.Base(f.Path))
	if unseen > 0 {
		s += fmt.Sprintf("; rows with values that did not occur in training: %d (column unseen of the file)", unseen)
	}
	if outside > 0 {
		s += fmt.Sprintf("; rows with features outside the range of the training points: %d (column outside of "+
			"the file)", outside)
	}
	return s
}

// PredictFile predicts every row of a file like the file that m was learned on. Columns are matched by name; other
// columns are ignored. It writes the predictions as CSV into the folder of the file: new.predictions.csv for new.csv,
// new.npy.predictions.csv for new.npy. A model of several files takes the same number of files in the same order.
//
// The file has a header, then for each row its number from 1 and the prediction. The prediction of a model with classes
// is the name of a class. The probabilities P(class) follow. If the model has no Sigmoids, the numbers that decide
// follow instead: f for two classes, otherwise one for each class (Values). The prediction of several targets is one
// number for each, under its name. The columns lower and upper, or one pair for each target, follow if the model has
// Intervals.
//
// If rows have values that did not occur in the training file, the column unseen names them (Prediction.Unseen). If
// rows have features outside the range of the training points, the column outside names these. Numbers are read back
// bit for bit.
func (m *Model) PredictFile(paths ...string) (*PredictedFile, error) {
	p, err := m.Predictor()
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("model: no file to predict; pass a path")
	}
	all, err := p.predictInput(func(in Input) (points.Points, []string, error) { return in.PointsAndUnseen(paths...) })
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := m.writePredictions(&b, all); err != nil {
		return nil, err
	}
	out := strings.TrimSuffix(paths[0], ".csv") + ".predictions.csv"
	if err := store.WriteFile(out, b.Bytes(), 0o644); err != nil {
		return nil, fmt.Errorf("model: write predictions: %w", err)
	}
	return &PredictedFile{out, all}, nil
}

// writePredictions writes the file of PredictFile.
func (m *Model) writePredictions(w io.Writer, all []Prediction) error {
	isUnseen := slices.ContainsFunc(all, func(p Prediction) bool { return p.Unseen != "" })
	isOutside := slices.ContainsFunc(all, func(p Prediction) bool { return p.Outside != nil })
	head := m.predictionColumns()
	if isUnseen {
		head = append(head, "unseen")
	}
	if isOutside {
		head = append(head, "outside")
	}
	out := csv.NewWriter(w)
	out.Write(head) // Error returns the error of Write
	for i, p := range all {
		line := []string{strconv.Itoa(i + 1)}
		if m.Classes != nil {
			line = append(line, p.Class)
		}
		numbers := p.Probabilities
		if numbers == nil {
			if numbers = p.Values; numbers == nil {
				numbers = []float64{p.Value}
			}
		}
		for j := range p.Lower {
			numbers = append(slices.Clip(numbers), p.Lower[j], p.Upper[j])
		}
		for _, x := range numbers {
			line = append(line, strconv.FormatFloat(x, 'g', -1, 64))
		}
		if isUnseen {
			line = append(line, p.Unseen)
		}
		if isOutside {
			line = append(line, strings.Join(p.Outside, " "))
		}
		out.Write(line)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("model: write predictions: %w", err)
	}
	return nil
}

// predictionColumns returns the names of the columns of a file of predictions, without unseen and outside.
func (m *Model) predictionColumns() []string {
	head := []string{"row", "prediction"}
	targets := m.targetNames()
	switch {
	case m.Sigmoids != nil:
		for _, name := range m.Classes {
			head = append(head, fmt.Sprintf("P(%s)", name))
		}
	case len(m.Classes) == 2:
		head = append(head, "value")
	case m.Classes != nil:
		head = append(head, m.Classes...)
	case targets != nil:
		head = append(head[:1], targets...)
	}
	if m.Intervals == nil {
		return head
	}
	if targets == nil {
		return append(head, "lower", "upper")
	}
	for _, name := range targets {
		head = append(head, "lower "+name, "upper "+name)
	}
	return head
}
