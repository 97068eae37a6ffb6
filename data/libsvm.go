package data

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// readLIBSVM reads the text format of LIBSVM and SVMlight,
//
//	label index:value index:value …      # comment
//
// one point a line, with ascending indices. Omitted features are 0. Indices start at 1, or at 0 if an index 0 occurs or
// Options.ZeroBased is set. D is Options.Features or the greatest index. Points become points.Sparse, without explicit
// zeros, or points.Rows if Options.Dense is set.
func readLIBSVM(raw []byte, o *job) (*Dataset, error) {
	content, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	var targets []*target
	if !o.Unlabeled {
		targets = []*target{newTarget(o, "")}
	}
	x := points.Sparse{Ptr: []int{0}} // Col holds indices as in the file; firstIndex is subtracted at the end
	zeroLine := 0                     // line of the first index 0
	greatest, greatestLine := -1, 0   // the greatest index and its line
	looksPrecomputed := true          // each row begins with the index 0 and a whole number of at least 1
	isBare := false                   // the rows have no labels
	line, empty := 0, 0               // empty is the last line without any text, in rows without labels
	for text := range strings.Lines(content) {
		line++
		text, _, hasComment := strings.Cut(text, "#")
		label, entries := cutWord(text)
		if label == "" {
			if !hasComment {
				empty = line
			}
			continue
		}
		r := record{number: x.Len() + 1, line: line}
		startsBare := strings.Contains(label, ":") // the first word is an entry
		switch {
		case targets != nil:
			if err := addLIBSVMLabel(targets[0], label, r); err != nil {
				return nil, err
			}
		case r.number == 1:
			isBare = startsBare
		case startsBare != isBare:
			return nil, fmt.Errorf("%v: it begins with %s, but row 1 begins otherwise; write a label before the "+
				"entries of each row, or of none", r, quote(label))
		case isBare && empty > 0:
			return nil, fmt.Errorf("line %d has no entry; a point without entries needs a label, such as 0, and then "+
				"each row does", empty)
		}
		if isBare {
			entries, empty = text, 0
		}
		cols, vals, err := parseEntries(entries)
		if err != nil {
			return nil, fmt.Errorf("%v%w", r, err)
		}
		if len(cols) > 0 && cols[0] == 0 && zeroLine == 0 {
			zeroLine = line
		}
		looksPrecomputed = looksPrecomputed && len(cols) > 0 && cols[0] == 0 && vals[0] >= 1 &&
			vals[0] == math.Trunc(vals[0])
		if n := len(cols); n > 0 && cols[n-1] > greatest {
			greatest, greatestLine = cols[n-1], line
		}
		for k, v := range vals {
			if v != 0 {
				x.Col, x.Val = append(x.Col, cols[k]), append(x.Val, v)
			}
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	firstIndex := 1
	if zeroLine > 0 || o.ZeroBased {
		firstIndex = 0
	}
	x.D = cmp.Or(o.Features, greatest+1-firstIndex)
	switch n := x.Len(); {
	case o.training != nil && zeroLine > 0 && !o.ZeroBased:
		return nil, fmt.Errorf("line %d: index 0, but the indices of the file learned from start at 1", zeroLine)
	case n == 0:
		return nil, errors.New("no rows")
	case greatest < 0 && o.Features == 0:
		return nil, fmt.Errorf("no index:value in %s", countText(n, "row"))
	case looksPrecomputed && !o.ZeroBased && n > 1:
		return nil, errors.New("each row begins with the index 0 and a whole number, as precomputed kernels of " +
			"LIBSVM do: save kernel values as a matrix in CSV or NPY and read it with OpenGrams; if these are " +
			"features with indices from 0, set Options.ZeroBased")
	case greatest-firstIndex >= maxIndex:
		return nil, fmt.Errorf("line %d: index %d, counted from 0, is greater than %d", greatestLine, greatest,
			maxIndex-1)
	case greatest-firstIndex >= x.D && o.training != nil:
		return nil, fmt.Errorf("line %d: index %d is greater than %d, the greatest index of the file learned from",
			greatestLine, greatest, x.D-1+firstIndex)
	case greatest-firstIndex >= x.D:
		return nil, fmt.Errorf("line %d: index %d is greater than %d, Options.Features", greatestLine, greatest,
			x.D-1+firstIndex)
	}
	for k := range x.Col {
		x.Col[k] -= firstIndex
	}
	r := reading{Dataset: Dataset{X: x, Encoding: &Encoding{Options: o.Options}}, o: o, targets: targets,
		notes: []string{"numbers as they are in the file, sparse"}}
	if n := x.Len(); o.Dense {
		if x.D > 0 && n > freeNumbers/x.D && (n > maxNumbers/x.D || n*x.D/maxSpread > len(x.Col)) {
			return nil, fmt.Errorf("the matrix is too sparse for Options.Dense: %d entries in %d × %d (largest index "+
				"on line %d)", len(x.Col), n, x.D, greatestLine)
		}
		r.X, r.notes[0] = points.ToRows(x), "numbers as they are in the file"
	}
	r.Encoding.Options.Features, r.Encoding.Options.ZeroBased = x.D, firstIndex == 0
	if zeroLine > 0 && !o.ZeroBased {
		r.notes = append(r.notes, fmt.Sprintf("indices start at 0, because line %d has an index 0 (set "+
			"Options.ZeroBased for a file without one)", zeroLine))
	}
	return r.dataset()
}

// addLIBSVMLabel adds the label of a row, which must be a number.
func addLIBSVMLabel(t *target, label string, r record) error {
	if strings.Contains(label, ":") {
		return fmt.Errorf("%v: it begins with %s; the first word must be the label", r, quote(label))
	}
	if !(numberFormat{}).isNumber(label) {
		return fmt.Errorf("%v: the label %s is not a number", r, quote(label))
	}
	return t.add(label, r.String)
}

// parseEntries parses the pairs index:value of a row. Its error begins with a comma, because the caller puts the
// position of the row before it.
func parseEntries(text string) (cols []int, vals []float64, err error) {
	for k, word := range strings.Fields(text) {
		fail := func(format string, args ...any) ([]int, []float64, error) {
			return nil, nil, fmt.Errorf(", entry %d: "+format, append([]any{k + 1}, args...)...)
		}
		index, value, ok := strings.Cut(word, ":")
		if !ok {
			return fail("%s is not of the form index:value", quote(word))
		}
		if index == "qid" {
			return fail("%s: files for ranking are not supported", quote(word))
		}
		j, err := strconv.Atoi(index)
		switch {
		case err != nil:
			return fail("the index %s is not a whole number from 1 to %d", quote(index), maxIndex)
		case j < 0 || j > maxIndex:
			return fail("index %d is not between 1 and %d", j, maxIndex)
		case k > 0 && j <= cols[k-1]:
			return fail("index %d after %d; indices must ascend", j, cols[k-1])
		}
		v, ok, err := numberFormat{}.parse(value)
		switch {
		case err != nil:
			return fail("the value is %v", err)
		case !ok:
			return fail("the value %s is not a number", quote(value))
		}
		cols, vals = append(cols, j), append(vals, v)
	}
	return cols, vals, nil
}

// looksLikeLIBSVM reports whether each of the first 20 lines of a text is a number followed by pairs index:value, and
// at least one line has such a pair. Empty lines do not count.
func looksLikeLIBSVM(text string) bool {
	lines, pairs := 0, 0
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		word, rest := cutWord(line)
		if word == "" {
			continue
		}
		if _, ok, _ := (numberFormat{}).parse(word); !ok {
			return false
		}
		for word, rest = cutWord(rest); word != ""; word, rest = cutWord(rest) {
			index, value, ok := strings.Cut(word, ":")
			if _, err := strconv.Atoi(index); !ok || err != nil {
				return false
			}
			if _, ok, _ := (numberFormat{}).parse(value); !ok {
				return false
			}
			pairs++
		}
		if lines++; lines == 20 {
			break
		}
	}
	return pairs > 0
}
