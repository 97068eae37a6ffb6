package data

import (
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
// zeros.
func readLIBSVM(raw []byte, o *job) (*Dataset, error) {
	whole, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	const most = maxIndex
	x := points.Sparse{Ptr: []int{0}} // Col holds indices of the file until their first index is known
	zero := 0                         // line of the first index 0, or 0
	serial := true                    // each row begins with the index 0 and a whole number from 1
	top := -1
	var targets []*target
	if !o.Unlabeled {
		targets = []*target{newTarget(o, "")}
	}
	var rows []record  // without their cells
	line, last := 0, 0 // the current line, and the line of the greatest index
	for text := range strings.Lines(whole) {
		line++
		text, _, _ := strings.Cut(text, "#")
		r := record{number: len(rows) + 1, line: line}
		fail := func(place, format string, args ...any) error {
			return fmt.Errorf("%v%s: %s", r, place, fmt.Sprintf(format, args...))
		}
		word, text := cutWord(text)
		if word == "" {
			continue
		}
		if strings.Contains(word, ":") {
			return nil, fail("", "it begins with %s; the first word must be the label", clip(word))
		}
		if targets != nil {
			if _, ok, _ := (numberFormat{}).parse(word); !ok {
				return nil, fail("", "the label %s is not a number", clip(word))
			}
			if err := targets[0].add(word, r.String); err != nil {
				return nil, err
			}
		}
		before := -1
		for k := 1; ; k++ {
			if word, text = cutWord(text); word == "" {
				break
			}
			place := fmt.Sprintf(", entry %d", k)
			index, value, ok := strings.Cut(word, ":")
			if !ok {
				return nil, fail(place, "%s is not of the form index:value", clip(word))
			}
			if index == "qid" {
				return nil, fail(place, "%s: files for ranking are not supported", clip(word))
			}
			j, err := strconv.Atoi(index)
			switch {
			case err != nil:
				return nil, fail(place, "the index %s is not a whole number from 1 to %d", clip(index), most)
			case j < 0 || j > most:
				return nil, fail(place, "index %d is not between 1 and %d", j, most)
			case j <= before:
				return nil, fail(place, "index %d after %d; indices must ascend", j, before)
			}
			v, ok, err := numberFormat{}.parse(value)
			switch {
			case err != nil:
				return nil, fail(fmt.Sprintf(", column %d", j), "the value is %v", err)
			case !ok:
				return nil, fail(fmt.Sprintf(", column %d", j), "the value %s is not a number", clip(value))
			}
			if before < 0 {
				serial = serial && j == 0 && v >= 1 && v == math.Trunc(v)
			}
			before = j
			if j == 0 && zero == 0 {
				zero = line
			}
			if j > top {
				top, last = j, line
			}
			if v != 0 {
				x.Col, x.Val = append(x.Col, j), append(x.Val, v)
			}
		}
		serial = serial && before >= 0
		x.Ptr = append(x.Ptr, len(x.Col))
		rows = append(rows, r)
	}
	n := len(rows)
	from := 1
	if zero > 0 || o.ZeroBased {
		from = 0
	}
	if o.like != nil && zero > 0 && !o.ZeroBased {
		return nil, fmt.Errorf("line %d: index 0, but the indices of the file learned from start at 1", zero)
	}
	switch {
	case n == 0:
		return nil, errors.New("no rows")
	case top < 0 && o.Features == 0:
		return nil, fmt.Errorf("no index:value in %s", count(n, "row"))
	case serial && zero > 0 && !o.ZeroBased && n > 1:
		return nil, errors.New("each row begins with the index 0 and a whole number, as precomputed kernels of " +
			"LIBSVM do: save kernel values as a matrix in CSV or NPY and read it with OpenGrams; if these are " +
			"features with indices from 0, set Options.ZeroBased")
	case top-from >= most:
		return nil, fmt.Errorf("line %d: index %d, counted from 0, is greater than %d", last, top, most-1)
	case o.Features > 0 && top-from >= o.Features:
		limit := "Options.Features"
		if o.like != nil {
			limit = "the greatest index of the file learned from"
		}
		return nil, fmt.Errorf("line %d: index %d is greater than %d, %s", last, top, o.Features-1+from, limit)
	}
	if x.D = o.Features; x.D == 0 {
		x.D = top + 1 - from
	}
	if from > 0 {
		for k := range x.Col {
			x.Col[k]--
		}
	}
	done := []string{"numbers as they are in the file, sparse"}
	if zero > 0 && !o.ZeroBased {
		done = append(done, fmt.Sprintf("indices start at 0, because line %d has an index 0 (set Options.ZeroBased "+
			"for a file without one)", zero))
	}
	e := &Encoding{Options: o.Options}
	e.Options.Features, e.Options.ZeroBased = x.D, from == 0
	r := reading{Dataset: Dataset{X: x, Encoding: e}, o: o, targets: targets, done: done}
	return r.dataset()
}

// looksLikeLIBSVM reports whether each of the first lines of a text is a number followed by pairs index:value, and at
// least one line has such a pair.
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
