package data

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// readFASTA reads sequences in FASTA format: a header line that begins with > and names the sequence, then lines of
// letters up to the next header. Spaces within these lines, empty lines and lines that begin with ; are skipped.
// Options.Label is the position, from 1, of the label among the words of the header. If it is empty, the points have no
// labels. The first words are Dataset.Keys if they differ. Letters become upper case.
func readFASTA(raw []byte, o *job) (*Dataset, error) {
	content, err := sheet.Decode(raw)
	if err != nil {
		return nil, err
	}
	labelPosition, _ := strconv.Atoi(o.Label) // Options.validate has checked that this is a number
	r := datasetBuilder{o: o, Dataset: Dataset{Encoding: &Encoding{Options: o.Options}}}
	if labelPosition > 0 {
		r.Encoding.Label = "word " + o.Label
		r.targets = []*target{newTarget(o, r.Encoding.Label)}
	}
	var letters [][]byte       // the letters of each sequence
	var headers []sheet.Record // the header of each sequence
	line := 0
	for text := range strings.Lines(content) {
		line++
		text := strings.TrimSpace(text)
		switch {
		case text == "" || text[0] == ';':
		case text[0] == '>':
			letters = append(letters, nil)
			headers = append(headers, sheet.Record{RowNumber: len(letters), LineNumber: line, Cells: []string{text}})
		case headers == nil:
			return nil, fmt.Errorf("line %d: got %s; the first line must begin with > and name a sequence", line,
				sheet.Quote(text))
		default:
			for _, part := range strings.Fields(text) {
				if at, err := points.CheckSequence(part); err != nil {
					return nil, fmt.Errorf("line %d: character %d of %s is %w", line, at+1, sheet.Quote(part), err)
				}
				lastSequence := &letters[len(letters)-1]
				*lastSequence = append(*lastSequence, strings.ToUpper(part)...)
			}
		}
	}
	if headers == nil {
		return nil, errors.New("the file has no sequences")
	}
	var x points.Sequences
	for i, head := range headers {
		if x = append(x, string(letters[i])); x[i] == "" {
			return nil, fmt.Errorf("line %d: no sequence follows %s", head.LineNumber, sheet.Quote(head.Cells[0]))
		}
		for _, t := range r.targets {
			words := strings.Fields(head.Cells[0][1:])
			if len(words) < labelPosition {
				return nil, fmt.Errorf("line %d: %s has %s, but the label is word %d (Options.Label)", head.LineNumber,
					sheet.Quote(head.Cells[0]), sheet.Count(len(words), "word"), labelPosition)
			}
			if err := t.addLabel(sheet.Clean(words[labelPosition-1]), sheet.NumberFormat{IsPrescribed: true},
				head.String); err != nil {
				return nil, err
			}
		}
	}
	var names []string
	for _, head := range headers {
		name, _ := cutWord(head.Cells[0][1:])
		names = append(names, sheet.Clean(name))
	}
	if i, first := sheet.FirstDuplicate(names); i < 0 {
		r.Keys = names
	} else if o.training == nil && names[i] != "" && o.Label != "1" { // word 1 may be the class
		r.Doubts = append(r.Doubts, fmt.Sprintf("the sequences of lines %d and %d are both named %s",
			headers[first].LineNumber, headers[i].LineNumber, sheet.Quote(names[i])))
	}
	r.X, r.notes = x, []string{describeSequences(x)}
	return r.finishDataset()
}

// describeSequences states the lengths of the sequences in words.
func describeSequences(x points.Sequences) string {
	shortest, median, longest := x.Lengths()
	return fmt.Sprintf("sequences of %d to %d letters, half of them at most %d", shortest, longest, median)
}

// encodeSequences makes the points r.X from the column Options.Sequence: sequences in upper case.
func (t *table) encodeSequences(r *datasetBuilder) error {
	j := slices.IndexFunc(t.columns, func(c *column) bool { return c.kind == sequence })
	x := points.Sequences(sheet.Column(t.rows, j))
	for i, s := range x {
		x[i] = strings.ToUpper(s)
		if at, err := points.CheckSequence(x[i]); err != nil {
			return fmt.Errorf("%s: character %d is %w", t.cellPosition(t.rows[i], j), at+1, err)
		}
	}
	r.X, r.notes = x, []string{describeSequences(x)}
	return nil
}
