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
type Input interface {
	// PointsAndUnseen returns one point for each row of the file at a path. unseen[i] names the values of row i that
	// did not occur in the training file, or is ""; unseen is nil if every value did. If there are several paths, the
	// files have the same rows, and each has a part of the columns.
	PointsAndUnseen(paths ...string) (z points.Points, unseen []string, err error)
	// ReadPoints returns one point for each row of the text that r provides. format is "csv" or "json" (one object for
	// each row).
	ReadPoints(r io.Reader, format string) (z points.Points, unseen []string, err error)
	// EncodeRows returns one point for each row of cells, and the values unseen in training, for each row.
	// columns are the names of the columns.
	EncodeRows(columns []string, rows ...[]string) (z points.Points, unseen []string, err error)
}

// PredictedFile is a file that PredictFile wrote, with its predictions.
type PredictedFile struct {
	Path        string
	Predictions []Prediction
}

// String returns the name of the file and the number of predictions. If there are any, it also states how many rows
// have values that did not occur in the training file, and how many have a feature outside the range of the training
// points.
func (f *PredictedFile) String() string {
	unseenCount, outsideCount := 0, 0
	for _, p := range f.Predictions {
		if p.Unseen != "" {
			unseenCount++
		}
		if p.Outside != nil {
			outsideCount++
		}
	}
	s := fmt.Sprintf("%d predictions in %s", len(f.Predictions), filepath.Base(f.Path))
	if unseenCount > 0 {
		s += fmt.Sprintf("; rows with values that did not occur in training: %d (column unseen of the file)",
			unseenCount)
	}
	if outsideCount > 0 {
		s += fmt.Sprintf("; rows with features outside the range of the training points: %d (column outside of "+
			"the file)", outsideCount)
	}
	return s
}

// PredictFile predicts every row of a file like the file that m was learned on. Columns are matched by name; other
// columns are ignored. It writes the predictions as CSV into the folder of the file: new.predictions.csv for new.csv,
// new.npy.predictions.csv for new.npy. A model of several files takes the same number of files in the same order.
//
// The file has a header, then for each row its number from 1 and the prediction. The prediction of a model with classes
// is the name of a class. The probabilities P(class) follow, of which this class has the largest. If the model has no
// Sigmoids, the numbers that decide follow instead: f for two classes, otherwise one for each class (Values). The
// prediction of several targets is one number for each, under its name. The columns lower and upper, or one pair for
// each target, follow if the model has Intervals.
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
		return nil, errors.New("model: PredictFile got no path; pass one")
	}
	predictions, err := p.predictInput(func(in Input) (points.Points, []string, error) {
		return in.PointsAndUnseen(paths...)
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := m.writePredictions(&b, predictions); err != nil {
		return nil, err
	}
	outputPath := strings.TrimSuffix(paths[0], ".csv") + ".predictions.csv"
	if err := store.WriteFile(outputPath, b.Bytes(), 0o644); err != nil {
		return nil, fmt.Errorf("model: write predictions: %w", err)
	}
	return &PredictedFile{outputPath, predictions}, nil
}

// writePredictions writes the predictions as the CSV file that PredictFile describes.
func (m *Model) writePredictions(w io.Writer, predictions []Prediction) error {
	hasUnseen := slices.ContainsFunc(predictions, func(p Prediction) bool { return p.Unseen != "" })
	hasOutside := slices.ContainsFunc(predictions, func(p Prediction) bool { return p.Outside != nil })
	header := m.predictionHeader()
	if hasUnseen {
		header = append(header, "unseen")
	}
	if hasOutside {
		header = append(header, "outside")
	}
	writer := csv.NewWriter(w)
	writer.Write(header) // writer.Error below returns the error of every Write
	for i, p := range predictions {
		record := []string{strconv.Itoa(i + 1)}
		if m.Classes != nil {
			record = append(record, p.Class)
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
			record = append(record, strconv.FormatFloat(x, 'g', -1, 64))
		}
		if hasUnseen {
			record = append(record, p.Unseen)
		}
		if hasOutside {
			record = append(record, strings.Join(p.Outside, " "))
		}
		writer.Write(record)
	}
	writer.Flush()
	if err := writer.Error(); err != nil {
		return fmt.Errorf("model: write predictions: %w", err)
	}
	return nil
}

// predictionHeader returns the names of the columns of a file of predictions, without the optional columns "unseen" and
// "outside".
func (m *Model) predictionHeader() []string {
	header := []string{"row", "prediction"}
	targetNames := m.targetNames()
	switch {
	case m.Sigmoids != nil:
		for _, name := range m.Classes {
			header = append(header, fmt.Sprintf("P(%s)", name))
		}
	case len(m.Classes) == 2:
		header = append(header, "value")
	case m.Classes != nil:
		header = append(header, m.Classes...)
	case targetNames != nil:
		header = append(header[:1], targetNames...)
	}
	if m.Intervals == nil {
		return header
	}
	if targetNames == nil {
		return append(header, "lower", "upper")
	}
	for _, name := range targetNames {
		header = append(header, "lower "+name, "upper "+name)
	}
	return header
}
