package model

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/store"

	"gonum.org/v1/gonum/mat"
)

// Input makes points of a file: it knows the names of the columns, the values of categorical columns, and the numbers
// for missing cells. It is plain data of a registered type and is saved with the model. data.Encoding is an Input.
type Input interface {
	// PointsAndUnseen returns one point for each row of the file, or of several files side by side. For each point,
	// unseen names the values that did not occur in the file that the input was fitted to, or is ""; unseen is nil if
	// there is no such value.
	PointsAndUnseen(paths ...string) (z points.Points, unseen []string, err error)
}

// PredictFile predicts every row of a file like the file that m was learned on. Columns are matched by name; other
// columns are ignored. It writes the predictions as CSV into the folder of the file and returns the path:
// new.predictions.csv for new.csv, new.npy.predictions.csv for new.npy. See WritePredictions for the content. If rows
// have values that did not occur in the file of the model, a last column, unseen, names them. It is "all words" for a
// sequence that shares no word with the sequences of the model, whose prediction is the bias only. A model of several
// files takes the same number of files in the same order; data.Options.OpenGrams describes when another order is
// detected.
func (m *Model) PredictFile(paths ...string) (string, error) {
	if err := m.check(); err != nil {
		return "", err
	}
	if m.Input == nil {
		return "", errors.New("model: it was not learned on a file (Input is nil); use Predict or Classify on points")
	}
	if len(paths) == 0 {
		return "", errors.New("model: no file to predict; pass a path")
	}
	z, unseen, err := m.Input.PointsAndUnseen(paths...)
	if err != nil {
		return "", fmt.Errorf("model: predict: %w", err)
	}
	var b bytes.Buffer
	if err := m.writePredictions(&b, z, unseen); err != nil {
		return "", err
	}
	out := strings.TrimSuffix(paths[0], ".csv") + ".predictions.csv"
	if err := store.WriteFile(out, b.Bytes(), 0o644); err != nil {
		return "", fmt.Errorf("model: write predictions: %w", err)
	}
	return out, nil
}

// WritePredictions writes CSV: a header, then for each point of z the row number from 1 and the prediction. The
// prediction of a model with classes is the name of a class. It is followed by the numbers that decide (f for two
// classes, otherwise one for each class, see Values) and, if the model has them, the probabilities P(class). The
// prediction of several targets is one number for each, under its name. Numbers are read back bit for bit. Sequences
// that share no word with the sequences of the model are marked in a last column, as in PredictFile.
func (m *Model) WritePredictions(w io.Writer, z points.Points) error {
	return m.writePredictions(w, z, nil)
}

// writePredictions is WritePredictions with a column of unseen values, unless unseen is nil.
func (m *Model) writePredictions(w io.Writer, z points.Points, unseen []string) error {
	f, unrelated, err := m.predictUnrelated(z)
	if err != nil {
		return err
	}
	if slices.Contains(unrelated, true) {
		unseen = make([]string, len(unrelated))
		for i := range unseen {
			if unrelated[i] {
				unseen[i] = "all words"
			}
		}
	}
	v := m.values(f)
	var names []string
	if m.Classes != nil {
		names = m.classNames(f)
	}
	l, c := v.Dims()
	var p *mat.Dense
	if m.Sigmoids != nil {
		p = m.probabilities(f)
	}
	head := []string{"row", "prediction"}
	switch {
	case len(m.Classes) == 2:
		head = append(head, "value")
	case m.Classes != nil:
		head = append(head, m.Classes...)
	case c > 1:
		head = append(head[:1], m.targetNames()...)
	}
	if p != nil {
		for _, name := range m.Classes {
			head = append(head, fmt.Sprintf("P(%s)", name))
		}
	}
	if unseen != nil {
		head = append(head, "unseen")
	}
	out := csv.NewWriter(w)
	out.Write(head) // Error returns the error of Write
	for i := range l {
		line := []string{strconv.Itoa(i + 1)}
		if names != nil {
			line = append(line, names[i])
		}
		numbers := v.RawRowView(i)
		if p != nil {
			numbers = slices.Concat(numbers, p.RawRowView(i))
		}
		for _, x := range numbers {
			line = append(line, strconv.FormatFloat(x, 'g', -1, 64))
		}
		if unseen != nil {
			line = append(line, unseen[i])
		}
		out.Write(line)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("model: write predictions: %w", err)
	}
	return nil
}
