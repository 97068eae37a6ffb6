// Package sheet turns the text of a CSV file or a similar table into a grid of cells, and cells into numbers, without a
// guess: if two readings fit, its error names both. Package data makes typed columns and datasets from grids. Its files
// follow the way of a file:
//
//	decode.go  bytes → text                               Decode
//	text.go    text → rows of cells (Record), without comments and skipped lines   Dialect
//	grid.go    rows → Grid, by the only separator that fits
//	header.go  Grid → is the first row a header?          IsHeaderRow, IsFirstRowAlone
//	number.go  cell → number, in a NumberFormat           ParseNumbers, IsNumericColumn, UnitOf
//	names.go   names and cells in messages                Suggest, NearestNames, Quote, List, Count
package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Suggest returns the end of an error about an unknown name: the nearest known names, or at most ten known names
// if none is near.
func Suggest(name string, known []string) string {
	for _, s := range known {
		if _, alike := LookAlikes([]string{name, s}); alike != "" && !strings.EqualFold(name, s) {
			return fmt.Sprintf(": did you mean %s, which looks like %s?", QuoteAlike(s), QuoteAlike(name))
		}
	}
	if nearest := NearestNames(name, known); len(nearest) > 0 {
		return fmt.Sprintf(": did you mean %s?", QuoteNames(nearest, " or "))
	}
	const limit = 10
	if len(known) > limit {
		return fmt.Sprintf(": there are %s and %d more", QuoteNames(known[:limit], ", "), len(known)-limit)
	}
	return fmt.Sprintf(": there are %s", QuoteNames(known, ", "))
}

// QuoteNames returns the names in quotes, with sep between them.
func QuoteNames(names []string, sep string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Quote(n)
	}
	return strings.Join(quoted, sep)
}

// NearestNames returns at most three known names that begin like name: with at least half of its letters, in upper or
// lower case.
func NearestNames(name string, known []string) (near []string) {
	beginning := strings.ToLower(name[:(len(name)+1)/2])
	for _, s := range known {
		if beginning != "" && len(near) < 3 && strings.HasPrefix(strings.ToLower(s), beginning) {
			near = append(near, s)
		}
	}
	return near
}

// Count formats a number with its noun: "1 point", "2 points", "2 classes".
func Count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// List returns at most five names, separated by commas, and the number of the others.
func List(names []string) string {
	const limit = 5
	shortened := make([]string, min(limit, len(names)))
	for i := range shortened {
		shortened[i] = Shorten(names[i])
	}
	s := strings.Join(shortened, ", ")
	if len(names) > limit {
		s += fmt.Sprintf(" and %d more", len(names)-limit)
	}
	return s
}

// SortedUnique returns the names in ascending order, each once.
func SortedUnique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// Quote returns s in quotes for an error, shortened to at most maxShown bytes.
func Quote(s string) string {
	if len(s) > maxShown {
		return strconv.Quote(strings.ToValidUTF8(s[:maxShown], "")) + "…"
	}
	return strconv.Quote(s)
}

// Shorten returns a name as one line of at most maxShown bytes, for an error or a note.
func Shorten(s string) string {
	s = Clean(s)
	if len(s) > maxShown {
		return strings.ToValidUTF8(s[:maxShown], "") + "…"
	}
	return s
}

// controlInNumber matches a control character between two digits.
var controlInNumber = regexp.MustCompile(`(\d)[\p{Cc}\x{2028}\x{2029}](\d)`)

const maxShown = 40 // most bytes of a name or cell in a message

// Clean returns s as one readable line: control characters become spaces, bytes that are not UTF-8 become U+FFFD,
// and spaces at both ends are removed. Between two digits, a control character becomes two spaces, because one space
// may be a mark between groups of digits (Options.Thousands).
func Clean(s string) string {
	isPrintableASCII := true
	for i := range len(s) {
		isPrintableASCII = isPrintableASCII && ' ' <= s[i] && s[i] <= '~'
	}
	if !isPrintableASCII {
		s = controlInNumber.ReplaceAllString(s, "$1  $2")
		s = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(s, "\uFFFD"))
	}
	return strings.TrimSpace(s)
}

// NumberRepeatedNames renames the second of two names a to a.1, the third to a.2.
func NumberRepeatedNames(names []string) {
	count := map[string]int{}
	for j, name := range names {
		for slices.Contains(names[:j], names[j]) {
			count[name]++
			names[j] = fmt.Sprintf("%s.%d", name, count[name])
		}
	}
}

// DistinctiveWords returns, for each name, its words in lower case, without those that all names have.
func DistinctiveWords(names []string) []string {
	count := map[string]int{} // of the names that have the word
	words := make([][]string, len(names))
	isSeparator := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for k, name := range names {
		words[k] = strings.FieldsFunc(strings.ToLower(name), isSeparator)
		for _, w := range SortedUnique(words[k]) {
			count[w]++
		}
	}
	distinctive := make([]string, len(names))
	for k := range names {
		isCommon := func(w string) bool { return count[w] == len(names) }
		distinctive[k] = strings.Join(slices.DeleteFunc(words[k], isCommon), " ")
	}
	return distinctive
}
