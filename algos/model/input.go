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

	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// PredictedFile is a file that PredictFile wrote, with its predictions.
type PredictedFile struct {
	Path        string
	Predictions []Prediction
}

// String returns the name of the file and the number of predictions. If there are any, it also states how many rows
// have values that did not occur in the training file, how many have missing numbers that were filled, and how many
// have a feature outside the range of the training points.
func (f *PredictedFile) String() string {
	s := fmt.Sprintf("%d predictions in %s", len(f.Predictions), filepath.Base(f.Path))
	for _, note := range predictionNotes {
		n := 0
		for _, p := range f.Predictions {
			if note.text(p) != "" {
				n++
			}
		}
		if n > 0 {
			s += fmt.Sprintf("; rows with %s: %d (column %s of the file)", note.meaning, n, note.column)
		}
	}
	return s
}

// predictionNotes are the columns of a file of predictions that it has only if a row has a text in them.
var predictionNotes = []struct {
	column, meaning string
	text            func(Prediction) string
}{
	{"unseen", "values that did not occur in training", func(p Prediction) string { return p.Unseen }},
	{"filled", "missing numbers, filled with means of the training file",
		func(p Prediction) string { return p.Filled }},
	{"outside", "features outside the range of the training points",
		func(p Prediction) string { return strings.Join(p.Outside, " ") }},
}

// PredictFile predicts every row of a file like the file that m was learned on. Columns are matched by name; other
// columns are ignored. It writes the predictions as CSV into the folder of the file: new.predictions.csv for new.csv,
// new.npy.predictions.csv for new.npy. A model of several files takes the same number of files in the same order.
//
// The file has a header, then for each row its number from 1, its key and the prediction. The column of the key has the
// name data.Options.Key, or is named key if the names of the rows are the keys. It is absent if there are no keys. The
// keys of joined files are those of the first file. The prediction of a model with classes is the name of a class. The
// probabilities P(class) follow, of which this class has the largest. If the model has no Sigmoids, the numbers that
// decide follow instead: f for two classes, otherwise one for each class (Values). The prediction of several targets is
// one number for each, under its name. If the model has Intervals, the columns lower and upper follow, or one pair for
// each target, then the column level, which has Intervals.Level, such as 0.9, in each row.
//
// If rows have values that did not occur in the training file, the column unseen names them (Prediction.Unseen). If
// rows have missing numbers, the column filled names their columns (Prediction.Filled). If rows have features outside
// the range of the training points, the column outside names these. Numbers are read back bit for bit.
func (m *Model) PredictFile(paths ...string) (*PredictedFile, error) {
	p, err := m.Predictor()
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("model: PredictFile got no path; pass one")
	}
	predictions, err := p.predictInput(func(e *data.Encoding) (*data.Dataset, error) { return e.OpenPoints(paths...) })
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
	header := m.predictionHeader()
	hasKeys := slices.ContainsFunc(predictions, func(p Prediction) bool { return p.Key != "" })
	if hasKeys {
		header = slices.Insert(header, 1, m.keyName(header))
	}
	notes := slices.Clone(predictionNotes) // without those that are empty for all predictions
	for k := len(notes) - 1; k >= 0; k-- {
		if !slices.ContainsFunc(predictions, func(p Prediction) bool { return notes[k].text(p) != "" }) {
			notes = slices.Delete(notes, k, k+1)
		}
	}
	for _, n := range notes {
		header = append(header, n.column)
	}
	writer := csv.NewWriter(w)
	writer.Write(header) // writer.Error below returns the error of every Write
	for i, p := range predictions {
		record := []string{strconv.Itoa(i + 1)}
		if hasKeys {
			record = append(record, p.Key)
		}
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
		if p.Lower != nil {
			numbers = append(numbers, p.Level)
		}
		for _, x := range numbers {
			record = append(record, strconv.FormatFloat(x, 'g', -1, 64))
		}
		for _, note := range notes {
			record = append(record, note.text(p))
		}
		writer.Write(record)
	}
	writer.Flush()
	if err := writer.Error(); err != nil {
		return fmt.Errorf("model: write predictions: %w", err)
	}
	return nil
}

// keyName returns the name of the column of keys in a file of predictions whose other columns are named in header.
func (m *Model) keyName(header []string) string {
	e := m.Input
	if e.Parts != nil {
		e = &e.Parts[0].Encoding
	}
	if name := e.Options.Key; name != "" && !slices.Contains(header, name) {
		return name
	}
	return "key"
}

// predictionHeader returns the names of the columns of a file of predictions, without the key and predictionNotes.
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
		return append(header, "lower", "upper", "level")
	}
	for _, name := range targetNames {
		header = append(header, "lower "+name, "upper "+name)
	}
	return append(header, "level")
}
