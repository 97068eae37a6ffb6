package data

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// sequences collects the sequences, or the texts, of a file.
type sequences struct {
	reading
	x       points.Sequences
	unnamed int // number of columns of a CSV file that does not name them
}

// newSequences returns an empty collection. label is the name of the column of labels, or "" without labels.
func newSequences(o *job, label string) *sequences {
	r := &sequences{reading: reading{o: o}}
	if label != "" {
		r.targets = []*target{newTarget(o, label)}
	}
	return r
}

// add appends the sequence s of a row, and its label if there are labels. A character that cannot be in a sequence is
// an error. Texts, which become counts of bigrams, may have any character.
func (r *sequences) add(row record, s, label string) error {
	if r.o.bigrams == 0 {
		s = strings.ToUpper(s)
		if at, err := points.CheckSequence(s); err != nil {
			return fmt.Errorf("%v: character %d is %w", row, at+1, err)
		}
	}
	r.x = append(r.x, s)
	for _, t := range r.targets {
		if err := t.add(label, row.String); err != nil {
			return err
		}
	}
	return nil
}

// dataset returns the dataset: counts of bigrams, without an encoding, or sequences with an encoding that reads another
// file of sequences.
func (r *sequences) dataset() (*Dataset, error) {
	if len(r.x) == 0 {
		return nil, errors.New("the file has no sequences")
	}
	if r.o.bigrams > 0 {
		x := Bigrams(r.x, r.o.bigrams)
		r.X, r.notes = x, append(r.notes, fmt.Sprintf("counts of the %d most frequent pairs of adjacent words in "+
			"column %s, most frequent first, sparse", x.D, r.o.Sequence))
		return r.reading.dataset()
	}
	e := &Encoding{Options: r.o.Options, Unnamed: r.unnamed}
	for _, t := range r.targets {
		e.Label = t.name
	}
	r.Encoding = e
	shortest, median, longest := r.x.Lengths()
	r.notes = append(r.notes, fmt.Sprintf("sequences of %d to %d letters, half of them at most %d", shortest, longest,
		median))
	if r.Dropped > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s without sequence or label left out", countText(r.Dropped, "row")))
	}
	r.X = r.x
	return r.reading.dataset()
}

// readFASTA reads sequences in FASTA format: a header line that begins with > and names the sequence, then lines of
// letters up to the next header. Spaces within these lines, empty lines and lines that begin with ; are skipped.
// Options.Label is the number, from 1, of the word of the header that is the label. If it is empty, the points have no
// labels. Letters become upper case.
func readFASTA(raw []byte, o *job) (*Dataset, error) {
	word := 0
	if o.Label != "" {
		word, _ = strconv.Atoi(o.Label) // checked by Validate
	}
	name := ""
	switch {
	case o.nameToClass != nil && !o.Unlabeled && o.Label == "":
		name = "kind"
	case word > 0:
		name = "word " + o.Label
	}
	s := newSequences(o, name)
	content, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	var body strings.Builder
	head, headLine := "", 0
	endRecord := func() error { // adds the sequence that was read
		if headLine == 0 {
			return nil
		}
		if body.Len() == 0 {
			return fmt.Errorf("line %d: no sequence follows %s", headLine, quote(">"+head))
		}
		label := ""
		if words := strings.Fields(head); s.targets != nil {
			at := max(word, 1)
			if len(words) < at {
				return fmt.Errorf("line %d: %s has %s, but the label is word %d (Options.Label)", headLine,
					quote(">"+head), countText(len(words), "word"), at)
			}
			if label = cleanText(words[at-1]); o.nameToClass != nil && word == 0 {
				label = o.nameToClass(label)
			}
		}
		text := body.String()
		body.Reset()
		return s.add(record{number: len(s.x) + 1, line: headLine}, text, label)
	}
	line := 0
	for text := range strings.Lines(content) {
		line++
		text := strings.TrimSpace(text)
		switch {
		case text == "" || text[0] == ';':
		case text[0] == '>':
			if err := endRecord(); err != nil {
				return nil, err
			}
			head, headLine = strings.TrimSpace(text[1:]), line
		case headLine == 0:
			return nil, fmt.Errorf("line %d: got %s; the first line must begin with > and name a sequence", line,
				quote(text))
		default:
			for _, part := range strings.Fields(text) {
				if at, err := points.CheckSequence(part); err != nil {
					return nil, fmt.Errorf("line %d: character %d of %s is %w", line, at+1, quote(part), err)
				}
				body.WriteString(part)
			}
		}
	}
	if err := endRecord(); err != nil {
		return nil, err
	}
	return s.dataset()
}

// readSequences reads the rows of a CSV file with a column of sequences or texts (Options.Sequence) and a column of
// labels, by default the last other column. Further columns are dropped.
func readSequences(names []string, g *grid, blank map[string]bool, unnamed bool, o *job) (*Dataset, error) {
	sequenceColumn, labelColumn := slices.Index(names, o.Sequence), -1
	if sequenceColumn < 0 {
		return nil, fmt.Errorf("Options.Sequence: no column %q%s", o.Sequence, suggestionText(o.Sequence, names))
	}
	name := o.Label
	if o.training != nil && name == "" { // the column of the training file, if this file has it
		if name = o.training.Label; !slices.Contains(names, name) {
			o.Unlabeled = true
		}
	}
	switch {
	case o.Unlabeled:
		name = ""
	case name == "":
		if labelColumn = len(names) - 1; labelColumn == sequenceColumn {
			labelColumn--
		}
		if labelColumn < 0 {
			return nil, errors.New("1 column and no label: set Options.Unlabeled to read sequences without labels")
		}
		name = names[labelColumn]
	default:
		if labelColumn = slices.Index(names, name); labelColumn < 0 {
			return nil, fmt.Errorf("Options.Label: no column %q%s", name, suggestionText(name, names))
		}
	}
	t := newSequences(o, name)
	t.notes = g.notes
	if unnamed {
		t.unnamed = len(names)
	}
	var others []string
	for j, n := range names {
		if j != sequenceColumn && j != labelColumn {
			others = append(others, n)
		}
	}
	if others != nil {
		t.notes = append(t.notes, "columns left out: "+listSome(others))
	}
	for _, r := range g.rows {
		class, missingColumn := "", -1
		if labelColumn >= 0 {
			if class = r.cells[labelColumn]; blank[class] {
				missingColumn = labelColumn
			}
		}
		if blank[r.cells[sequenceColumn]] {
			missingColumn = sequenceColumn
		}
		switch {
		case missingColumn >= 0 && o.Missing == Drop:
			t.Dropped++
			continue
		case missingColumn >= 0:
			return nil, fmt.Errorf("line %d: cell %d is missing; set Options.Missing to Drop to drop such rows", r.line,
				missingColumn+1)
		}
		for _, target := range t.targets {
			var err error
			if class, err = target.normalize(class, o.format()); err != nil {
				return nil, fmt.Errorf("line %d: %w", r.line, err)
			}
		}
		if err := t.add(r, r.cells[sequenceColumn], class); err != nil {
			return nil, err
		}
	}
	return t.dataset()
}
