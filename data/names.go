package data

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// suggestionText returns the end of an error about an unknown name: the nearest known names, or at most ten known names
// if none is near.
func suggestionText(name string, known []string) string {
	if nearest := nearestNames(name, known); len(nearest) > 0 {
		return fmt.Sprintf(": did you mean %s?", quoteNames(nearest, " or "))
	}
	const limit = 10
	if len(known) > limit {
		return fmt.Sprintf(": there are %s and %d more", quoteNames(known[:limit], ", "), len(known)-limit)
	}
	return fmt.Sprintf(": there are %s", quoteNames(known, ", "))
}

func quoteNames(names []string, sep string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, sep)
}

// nearestNames returns at most three known names that begin like name: with at least half of its letters, in upper or
// lower case.
func nearestNames(name string, known []string) (near []string) {
	beginning := strings.ToLower(name[:(len(name)+1)/2])
	for _, s := range known {
		if beginning != "" && len(near) < 3 && strings.HasPrefix(strings.ToLower(s), beginning) {
			near = append(near, s)
		}
	}
	return near
}

// formatCount formats a number with its noun: "1 point", "2 points", "2 classes".
func formatCount(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// listFirstNames returns at most five names, separated by commas, and the number of the others.
func listFirstNames(names []string) string {
	const limit = 5
	shortened := make([]string, min(limit, len(names)))
	for i := range shortened {
		shortened[i] = shorten(names[i])
	}
	s := strings.Join(shortened, ", ")
	if len(names) > limit {
		s += fmt.Sprintf(" and %d more", len(names)-limit)
	}
	return s
}

// numberedNames returns the names x1, x2, … of nameCount columns without names.
func numberedNames(nameCount int) []string {
	names := make([]string, nameCount)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j+1)
	}
	return names
}

func sortedUniqueNames(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// quote returns s in quotes for an error, shortened to at most maxShown bytes.
func quote(s string) string {
	if len(s) > maxShown {
		return strconv.Quote(strings.ToValidUTF8(s[:maxShown], "")) + "…"
	}
	return strconv.Quote(s)
}

// shorten returns a name as one line of at most maxShown bytes, for an error or a note.
func shorten(s string) string {
	s = cleanText(s)
	if len(s) > maxShown {
		return strings.ToValidUTF8(s[:maxShown], "") + "…"
	}
	return s
}

// controlInNumber matches a control character between two digits.
var controlInNumber = regexp.MustCompile(`(\d)[\p{Cc}\x{2028}\x{2029}](\d)`)

const maxShown = 40 // most bytes of a name or cell in a message

// cleanText returns s as one readable line: control characters become spaces, bytes that are not UTF-8 become U+FFFD,
// and spaces at both ends are removed. Between two digits, a control character becomes two spaces, because one space
// may be a mark between groups of digits (Options.Thousands).
func cleanText(s string) string {
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
