package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// readLIBSVM reads the text format of LIBSVM and SVMlight,
//
//	label index:value index:value …      # comment
//
// one point a line, indices ascending; what is not written is 0. Indices are from 1, or from 0 where
// one of them is 0 or Options.ZeroBased says so. D is Options.Features, or the greatest index that
// occurs. Points become points.Sparse, without explicit zeros, or points.Rows with Options.Dense.
func readLIBSVM(raw []byte, o *job) (*Dataset, error) {
	whole, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	most := o.index()
	x := points.Sparse{Ptr: []int{0}} // Col as in the file, until it is known where they start
	zero := 0                         // line of the first index 0
	serial := true                    // each row begins with the index 0 and a whole number from 1
	top := -1
	var targets []*target
	if !o.Unlabelled {
		targets = []*target{newTarget(o, "")}
	}
	var rows []record  // without their cells
	line, last := 0, 0 // of the greatest index
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
			return nil, fail("", "it begins with %s, want the label", clip(word))
		}
		if targets != nil {
			if _, ok, _ := (numberFormat{}).parse(word); !ok {
				return nil, fail("", "the label %s is not a number, want one", clip(word))
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
				return nil, fail(place, "%s, want index:value", clip(word))
			}
			if index == "qid" {
				return nil, fail(place, "%s: a file for ranking, want two classes or targets", clip(word))
			}
			j, err := strconv.Atoi(index)
			switch {
			case err != nil:
				return nil, fail(place, "the index %s is not a whole number, want 1 to %d", clip(index), most)
			case j < 0 || j > most:
				return nil, fail(place, "index %d, want 1 to %d: Options.MaxIndex allows more", j, most)
			case j <= before:
				return nil, fail(place, "index %d after %d, want them ascending", j, before)
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
		return nil, fmt.Errorf("line %d: index 0, but those of the file learned from are from 1", zero)
	}
	switch {
	case n == 0:
		return nil, errors.New("no rows")
	case top < 0 && o.Features == 0:
		return nil, fmt.Errorf("no index:value in %s", count(n, "row"))
	case serial && zero > 0 && !o.ZeroBased && n > 1:
		return nil, errors.New("each row begins with the index 0 and a whole number, as precomputed kernels of LIBSVM do: " +
			"save kernel values as a matrix in CSV or NPY and read it with OpenGrams; if these are features with " +
			"indices from 0, set Options.ZeroBased")
	case top-from >= most:
		return nil, fmt.Errorf("line %d: index %d, counted from 0, want at most %d: Options.MaxIndex allows more",
			last, top, most-1)
	case o.Features > 0 && top-from >= o.Features:
		return nil, fmt.Errorf("line %d: index %d, want at most %d, as Options.Features says", last, top,
			o.Features-1+from)
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
		done = append(done, fmt.Sprintf("indices from 0, as on line %d (Options.ZeroBased says so of a file "+
			"without one)", zero))
	}
	p := points.Points(x)
	if o.Dense {
		if n > freeNumbers/x.D && (n > maxNumbers/x.D || n*x.D/maxSpread > len(x.Col)) {
			return nil, fmt.Errorf("%d points of %d features (the greatest index, on line %d) with %d entries: "+
				"too thin for Options.Dense", n, x.D, last, len(x.Col))
		}
		p, done[0] = densify(x), "numbers as they are in the file"
	}
	e := &Encoding{Options: o.Options}
	e.Options.Features, e.Options.ZeroBased = x.D, from == 0
	var doubts []string
	if !o.Dense && o.like == nil && x.D > 0 && n >= fullRows && len(x.Col)/n >= (x.D+1)/2 {
		doubts = []string{fmt.Sprintf("%.0f %% of the entries are not 0: Options.Dense reads dense points, whose "+
			"features can be standardized", 100*float64(len(x.Col))/float64(n)/float64(x.D))}
		done = append(done, doubts...)
	}
	rd := reading{Dataset: Dataset{X: p, Doubts: doubts, Encoding: e}, o: o, targets: targets, done: done,
		where: func(i int) string { return rows[i].String() }}
	return rd.dataset()
}

// fullRows is the number of rows from which entries that are mostly not 0 say something.
const fullRows = 20

// densify returns the same points with their zeros written out.
func densify(x points.Sparse) points.Rows {
	r := points.Rows{N: x.Len(), D: x.D, Data: make([]float64, x.Len()*x.D), Names: slices.Clone(x.Names)}
	for i := range r.N {
		row := r.Row(i)
		cols, vals := x.Row(i)
		for t, j := range cols {
			row[j] = vals[t]
		}
	}
	return r
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
		if lines++; lines == fullRows {
			break
		}
	}
	return pairs > 0
}
