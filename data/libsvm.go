package data

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// readLIBSVM reads the text format of LIBSVM and SVMlight,
//
//	label index:value index:value …      # comment
//
// one point a line, with ascending indices. Omitted features are 0. Indices start at 1, or at 0 if an index 0 occurs or
// Options.ZeroBased is set. D is the greatest index. Points become points.Sparse, without explicit zeros.
func readLIBSVM(raw []byte, o *job) (*Dataset, error) {
	content, err := sheet.Decode(raw)
	if err != nil {
		return nil, err
	}
	l := libsvmRows{x: points.Sparse{Ptr: []int{0}}, greatestIndex: -1, looksPrecomputed: true}
	if !o.Unlabeled {
		l.targets = []*target{newTarget(o, "")}
	}
	if err := l.parse(content); err != nil {
		return nil, err
	}
	firstIndex := 1
	if l.lineOfIndexZero > 0 || o.ZeroBased {
		firstIndex = 0
	}
	l.x.D = l.greatestIndex + 1 - firstIndex
	if o.training != nil {
		l.x.D = o.training.FeatureCount
	}
	if err := l.checkIndexRange(o, firstIndex); err != nil {
		return nil, err
	}
	x := l.x
	for k := range x.Col {
		x.Col[k] -= firstIndex
	}
	r := datasetBuilder{Dataset: Dataset{X: x, Encoding: &Encoding{Options: o.Options}}, o: o, targets: l.targets,
		notes: []string{"numbers of the file, unchanged and sparse"}}
	r.Encoding.FeatureCount, r.Encoding.Options.ZeroBased = x.D, firstIndex == 0
	if l.lineOfIndexZero > 0 && !o.ZeroBased {
		r.notes = append(r.notes, fmt.Sprintf("indices start at 0, because line %d has an index 0 (set "+
			"Options.ZeroBased for a zero-based file without an index 0)", l.lineOfIndexZero))
	}
	return r.finishDataset()
}

type libsvmRows struct {
	x                                  points.Sparse // x.Col holds the indices as in the file, from 0 or 1
	targets                            []*target     // the labels; empty if they are not read
	lineOfIndexZero                    int           // line of the first entry with the index 0
	greatestIndex, lineOfGreatestIndex int           // the greatest index of an entry, and its line
	looksPrecomputed                   bool          // each row begins with the index 0 and a whole number above 0
}

func (l *libsvmRows) parse(content string) error {
	line := 0
	for text := range strings.Lines(content) {
		line++
		text, _, _ = strings.Cut(text, "#")
		label, entries := cutWord(text)
		if label == "" {
			continue
		}
		r := sheet.Record{RowNumber: l.x.Len() + 1, LineNumber: line}
		if strings.Contains(label, ":") {
			return fmt.Errorf("%v: it begins with %s; the first word must be the label, or 0 if there is none", r,
				sheet.Quote(label))
		}
		for _, t := range l.targets {
			if !(sheet.NumberFormat{}).IsNumber(label) {
				return fmt.Errorf("%v: the label %s is not a number", r, sheet.Quote(label))
			}
			if err := t.addLabel(label, sheet.NumberFormat{}, r.String); err != nil {
				return err
			}
		}
		if err := l.addEntries(entries, r); err != nil {
			return err
		}
	}
	return nil
}

// addEntries appends the pairs index:value of row r to l.x.
func (l *libsvmRows) addEntries(entries string, r sheet.Record) error {
	cols, vals, err := parseEntries(entries)
	if err != nil {
		return fmt.Errorf("%v%w", r, err)
	}
	startsAtZero := len(cols) > 0 && cols[0] == 0
	if startsAtZero && l.lineOfIndexZero == 0 {
		l.lineOfIndexZero = r.LineNumber
	}
	l.looksPrecomputed = l.looksPrecomputed && startsAtZero && vals[0] >= 1 && vals[0] == math.Trunc(vals[0])
	if n := len(cols); n > 0 && cols[n-1] > l.greatestIndex {
		l.greatestIndex, l.lineOfGreatestIndex = cols[n-1], r.LineNumber
	}
	for k, v := range vals {
		if v != 0 {
			l.x.Col, l.x.Val = append(l.x.Col, cols[k]), append(l.x.Val, v)
		}
	}
	l.x.Ptr = append(l.x.Ptr, len(l.x.Col))
	return nil
}

// checkIndexRange returns an error if the indices of l do not suit the options or the training file. firstIndex, the
// index of the first feature, is 0 or 1.
func (l *libsvmRows) checkIndexRange(o *job, firstIndex int) error {
	switch n := l.x.Len(); {
	case o.training != nil && l.lineOfIndexZero > 0 && !o.ZeroBased:
		return fmt.Errorf("line %d: index 0, but the indices of the training file start at 1; add 1 to each",
			l.lineOfIndexZero)
	case n == 0:
		return errors.New("no rows")
	case l.greatestIndex < 0 && o.training == nil:
		return fmt.Errorf("%s have no pair index:value; give at least one", sheet.Count(n, "row"))
	case l.looksPrecomputed && !o.ZeroBased && n > 1:
		return errors.New("each row begins with the index 0 and a whole number, as precomputed kernels of " +
			"LIBSVM do: save kernel values as a matrix in CSV or NPY and read it with OpenGrams; if these are " +
			"features with indices from 0, set Options.ZeroBased")
	case l.greatestIndex-firstIndex >= l.x.D:
		return fmt.Errorf("line %d: index %d is greater than %d, the greatest index of the training file",
			l.lineOfGreatestIndex, l.greatestIndex, l.x.D-1+firstIndex)
	}
	return nil
}

// parseEntries parses the pairs index:value of a row. Its error begins with a comma, because the caller puts the
// position of the row before it.
func parseEntries(text string) (cols []int, vals []float64, err error) {
	for k, word := range strings.Fields(text) {
		entryError := func(format string, args ...any) ([]int, []float64, error) {
			return nil, nil, fmt.Errorf(", entry %d: "+format, append([]any{k + 1}, args...)...)
		}
		indexText, valueText, ok := strings.Cut(word, ":")
		if !ok {
			return entryError("%s is not of the form index:value", sheet.Quote(word))
		}
		j, err := strconv.Atoi(indexText)
		switch {
		case err != nil:
			return entryError("the index %s is not a whole number from 1 to %d", sheet.Quote(indexText), maxIndex)
		case j < 0 || j > maxIndex:
			return entryError("index %d is not between 1 and %d", j, maxIndex)
		case k > 0 && j <= cols[k-1]:
			return entryError("index %d after %d; indices must ascend", j, cols[k-1])
		}
		v, ok, err := sheet.NumberFormat{IsPrescribed: true}.Parse(valueText)
		switch {
		case err != nil:
			return entryError("the value %v", err)
		case !ok:
			return entryError("the value %s is not a number", sheet.Quote(valueText))
		}
		cols, vals = append(cols, j), append(vals, v)
	}
	return cols, vals, nil
}

// libsvmHint returns the advice to set Options.Format if text can be read as LIBSVM with numeric labels, and ""
// otherwise.
func libsvmHint(text string) string {
	l := libsvmRows{greatestIndex: -1, targets: []*target{newTarget(&job{Options: Options{Regression: true}}, "")}}
	if l.parse(text) != nil || l.greatestIndex < 0 {
		return ""
	}
	return "; the text looks like LIBSVM: set Options.Format: data.LIBSVM"
}
