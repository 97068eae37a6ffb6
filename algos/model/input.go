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

// Input makes points of a file: columns by their names, values of nominal ones, what fills a missing
// cell. It is plain data of a registered type, and is saved with the model; data.Encoding is one.
type Input interface {
	// PointsUnseen returns one point for each row of the file, or of several files side by side, and for each point
	// the values that did not occur where the input was fitted, "" of none; nil where there are none at all.
	PointsUnseen(paths ...string) (z points.Points, unseen []string, err error)
}

// PredictFile predicts every row of a file like the one that m was learned on: columns are matched by
// their names, others are ignored. It writes the predictions as CSV beside the file, as
// new.predictions.csv for new.csv and new.npy.predictions.csv for new.npy (see WritePredictions), and
// returns the path of what it wrote. If rows have values that did not occur in the file learned on, a last column,
// unseen, names them. It is "all words" for a sequence that shares no word with the sequences of the model, whose
// prediction is the bias only. A model of several files takes as many, in the same order: see data.Options.OpenGrams for when
// another one is seen.
func (m *Model) PredictFile(paths ...string) (string, error) {
	if err := m.check(); err != nil {
		return "", err
	}
	if m.Input == nil {
		return "", errors.New("model: it was not learned on a file (Input is nil): use Predict or Classify on points")
	}
	if len(paths) == 0 {
		return "", errors.New("model: no file to predict")
	}
	z, unseen, err := m.Input.PointsUnseen(paths...)
	if err != nil {
		return "", fmt.Errorf("model: predict: %w", err)
	}
	var b bytes.Buffer
	if err := m.write(&b, z, unseen); err != nil {
		return "", err
	}
	out := strings.TrimSuffix(paths[0], ".csv") + ".predictions.csv"
	if err := store.WriteFile(out, b.Bytes(), 0o644); err != nil {
		return "", fmt.Errorf("model: write predictions: %w", err)
	}
	return out, nil
}

// WritePredictions writes a line of CSV for each point of z, after a header: its number from 1, and the
// prediction. Of classes this is a name, followed by the value that decides: f of two classes, else one
// for each class (Values), and by the probabilities P(class) where the model has them. Of several targets it is one
// number each, under their names. Numbers read back bit for bit. Sequences that share no word with the sequences of the
// model are marked in a last column, as in PredictFile.
func (m *Model) WritePredictions(w io.Writer, z points.Points) error { return m.write(w, z, nil) }

// write is WritePredictions with what of each point is unseen, if anything is.
func (m *Model) write(w io.Writer, z points.Points, unseen []string) error {
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
		names = m.names(f)
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
		head = append(head[:1], m.targets()...)
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
	out.Write(head) // an error stays until Flush
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
