package data

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// suggest returns the end of an error about an unknown name: the nearest names, or at most ten names if none is near.
func suggest(name string, from []string) string {
	if near := nearest(name, from); len(near) > 0 {
		return fmt.Sprintf(": did you mean %s?", list(near, " or "))
	}
	const most = 10
	if len(from) > most {
		return fmt.Sprintf(": there are %s and %d more", list(from[:most], ", "), len(from)-most)
	}
	return fmt.Sprintf(": there are %s", list(from, ", "))
}

func list(names []string, sep string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = clip(n)
	}
	return strings.Join(quoted, sep)
}

// nearest returns at most three names, nearest first: names that contain name or are contained in it, and names at an
// edit distance of at most 1 or a third of its length. Case is ignored.
func nearest(name string, from []string) []string {
	if name == "" || len(name) > 100 {
		return nil
	}
	type near struct {
		name string
		d    int
	}
	var found []near
	low := strings.ToLower(name)
	for _, f := range from {
		if len(f) > 100 {
			continue
		}
		g := strings.ToLower(f)
		d := distance(low, g)
		held := len(low) >= 3 && len(g) >= 3 && (strings.Contains(g, low) || strings.Contains(low, g))
		if held || d <= max(1, len(low)/3) && d < len(low) {
			found = append(found, near{f, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.d, b.d) })
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// distance returns the Levenshtein distance between the bytes of a and b. O(|a||b|).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := last
			if a[i] != b[j] {
				d++
			}
			last = row[j+1]
			row[j+1] = min(d, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// count formats a number with its noun: "1 point", "2 points", "2 classes".
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// some lists at most five names.
func some(names []string) string {
	const most = 5
	short := make([]string, min(most, len(names)))
	for i := range short {
		short[i] = brief(names[i])
	}
	s := strings.Join(short, ", ")
	if len(names) > most {
		s += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return s
}

// different returns the distinct names, sorted.
func different(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// clip quotes s for an error and shortens it.
func clip(s string) string {
	if len(s) > shown {
		return strconv.Quote(strings.ToValidUTF8(s[:shown], "")) + "…"
	}
	return strconv.Quote(s)
}

// brief shortens a name for an error or a note, and makes it one line.
func brief(s string) string {
	s = clean(s)
	if len(s) > shown {
		return strings.ToValidUTF8(s[:shown], "") + "…"
	}
	return s
}

const shown = 40 // bytes of a name or cell

// clean returns s as one readable line: control characters become spaces, bytes that are not UTF-8 become U+FFFD, and
// spaces at both ends are removed.
func clean(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && ' ' <= s[i] && s[i] <= '~'
	}
	if !plain {
		s = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(s, "\uFFFD"))
	}
	return strings.TrimSpace(s)
}
