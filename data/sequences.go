package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// sequences are the sequences, or the texts, of a file while it is read.
type sequences struct {
	reading
	x    points.Sequences
	rows []record // without their cells
}

func newSequences(o *job, label string) *sequences {
	r := &sequences{reading: reading{o: o}}
	r.where = func(i int) string {
		if o.Format == CSV {
			return r.rows[i].String()
		}
		return fmt.Sprintf("sequence %d (line %d)", i+1, r.rows[i].line)
	}
	if label != "" {
		r.targets = []*target{newTarget(o, label)}
	}
	return r
}

// add takes the sequence of a row and its label.
func (r *sequences) add(row record, s, label string) error {
	i := len(r.x)
	r.rows = append(r.rows, record{number: row.number, line: row.line})
	if r.o.bigrams == 0 {
		s = strings.ToUpper(s)
		if at, err := points.CheckSequence(s); err != nil {
			return fmt.Errorf("%s: character %d is %w", r.where(i), at+1, err)
		}
	}
	r.x = append(r.x, s)
	for _, t := range r.targets {
		if err := t.add(label, func() string { return r.where(i) }); err != nil {
			return err
		}
	}
	return nil
}

// dataset makes the points, and of sequences the encoding that reads a file of the same kind.
func (r *sequences) dataset() (*Dataset, error) {
	if len(r.x) == 0 {
		return nil, fmt.Errorf("no sequences")
	}
	if r.o.bigrams > 0 {
		x := Bigrams(r.x, r.o.bigrams)
		r.X, r.done = x, []string{fmt.Sprintf("counts of the %d most frequent pairs of neighbouring words "+
			"in column %s, most frequent first, sparse", x.D, r.o.Sequence)}
		return r.reading.dataset()
	}
	e := &Encoding{Options: r.o.Options}
	for _, t := range r.targets {
		e.Label = t.name
	}
	r.Encoding = e
	least, median, most := r.x.Lengths()
	r.done = append(r.done, fmt.Sprintf("sequences of %d to %d letters, half of them at most %d", least, most, median))
	if r.Dropped > 0 {
		r.done = append(r.done, fmt.Sprintf("%s without sequence or label left out", count(r.Dropped, "row")))
	}
	r.X = r.x
	return r.reading.dataset()
}

// readFASTA reads sequences as FASTA: a line that begins with > and names the sequence, then lines of letters
// up to the next. Spaces within them, empty lines and lines that begin with ; are skipped. The label is a word
// of the first line, where Options.Label is its number, from 1; else there is none. Letters become upper case.
func readFASTA(raw []byte, o *job) (*Dataset, error) {
	word := 0
	if o.Label != "" {
		word, _ = strconv.Atoi(o.Label) // Validate has read it
	}
	name := ""
	switch {
	case o.of != nil && !o.Unlabelled && o.Label == "":
		name = "kind"
	case word > 0:
		name = "word " + o.Label
	}
	s := newSequences(o, name)
	whole, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	var body strings.Builder
	head, headLine := "", 0
	end := func() error { // of a record
		if headLine == 0 {
			return nil
		}
		if body.Len() == 0 {
			return fmt.Errorf("line %d: no sequence follows %s", headLine, clip(">"+head))
		}
		label := ""
		if words := strings.Fields(head); s.targets != nil {
			at := max(word, 1)
			if len(words) < at {
				return fmt.Errorf("line %d: %s has %s, want %d: Options.Label is the number of the word that is "+
					"the label", headLine, clip(">"+head), count(len(words), "word"), at)
			}
			if label = clean(words[at-1]); o.of != nil && word == 0 {
				label = o.of(label)
			}
		}
		text := body.String()
		body.Reset()
		return s.add(record{line: headLine}, text, label)
	}
	line := 0
	for text := range strings.Lines(whole) {
		line++
		text := strings.TrimSpace(text)
		switch {
		case text == "" || text[0] == ';':
		case text[0] == '>':
			if err := end(); err != nil {
				return nil, err
			}
			head, headLine = strings.TrimSpace(text[1:]), line
		case headLine == 0:
			return nil, fmt.Errorf("line %d: %s, want a line that begins with > and names a sequence", line, clip(text))
		default:
			for _, part := range strings.Fields(text) {
				if at, err := points.CheckSequence(part); err != nil {
					return nil, fmt.Errorf("line %d: character %d of %s is %w", line, at+1, clip(part), err)
				}
				body.WriteString(part)
			}
		}
	}
	if err := end(); err != nil {
		return nil, err
	}
	return s.dataset()
}

// readSequences reads the rows of a CSV file with a column of sequences, or of texts (Options.Sequence), and one that
// is the label, by default the last other one; further columns are left out.
func readSequences(names []string, rows []record, blank map[string]bool, o *job) (*Dataset, error) {
	at, label := slices.Index(names, o.Sequence), -1
	if at < 0 {
		return nil, fmt.Errorf("Options.Sequence: no column %q%s", o.Sequence, suggest(o.Sequence, names))
	}
	name := o.Label
	switch {
	case o.Unlabelled:
	case name == "":
		if label = len(names) - 1; label == at {
			label--
		}
		if label < 0 {
			return nil, fmt.Errorf("1 column, want the label too: Options.Unlabelled reads sequences alone")
		}
		name = names[label]
	default:
		if label = slices.Index(names, name); label < 0 {
			return nil, fmt.Errorf("Options.Label: no column %q%s", name, suggest(name, names))
		}
	}
	t := newSequences(o, name)
	var others []string
	for j, n := range names {
		if j != at && j != label {
			others = append(others, n)
		}
	}
	if others != nil {
		t.done = append(t.done, "columns left out: "+some(others))
	}
	for _, r := range rows {
		class, gap := "", -1
		if label >= 0 {
			if class = r.cells[label]; blank[class] {
				gap = label
			}
		}
		if blank[r.cells[at]] {
			gap = at
		}
		switch {
		case gap >= 0 && o.Missing == Drop:
			t.Dropped++
			continue
		case gap >= 0:
			return nil, fmt.Errorf("line %d: cell %d is missing: Options.Missing: Drop leaves such rows "+
				"out", r.line, gap+1)
		}
		if err := t.add(r, r.cells[at], class); err != nil {
			return nil, err
		}
	}
	return t.dataset()
}
