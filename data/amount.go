package data

import (
	"strconv"
	"strings"
	"time"
)

// decimalComma returns s with the point in place of its only comma, where it is a number then:
// "−1,5e3" is −1.5e3.
func decimalComma(s string) (string, bool) {
	i := strings.IndexByte(s, ',')
	if i < 0 || i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' || strings.IndexByte(s, '.') >= 0 {
		return "", false
	}
	p := s[:i] + "." + s[i+1:]
	_, ok, err := number(p)
	return p, ok && err == nil
}

// numberWith is number of a file with a point or a comma before decimals.
func numberWith(decimal byte, s string) (v float64, ok bool, err error) {
	if decimal == ',' {
		if p, ok := decimalComma(s); ok {
			s = p
		}
	}
	return number(s)
}

// amount reads a number as people write money and shares: with a sign of a currency, a percent sign,
// digits in groups of three, or the brackets of accountants: "$1,234.50" is 1234.5, "12%" is 12,
// "(3.50)" is −3.5. point stands before the decimals.
func amount(s string, point byte) (float64, bool) {
	v, _, ok := amountIn(s, point)
	return v, ok
}

// amountIn is amount and the sign of its currency, or "%"; "" where there is none. Of both it is the last.
func amountIn(s string, point byte) (v float64, unit string, ok bool) {
	minus := false
	if t, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(t, ")") {
		s, minus = t[:len(t)-1], true
	}
	sign := func() {
		switch {
		case strings.HasPrefix(s, "-"), strings.HasPrefix(s, "+"):
			minus = minus != (s[0] == '-')
			s = s[1:]
		case strings.HasPrefix(s, "−"):
			minus = !minus
			s = s[len("−"):]
		}
	}
	s = strings.TrimSpace(s)
	sign()
	for _, c := range []string{"$", "€", "£", "¥"} {
		if t, ok := strings.CutPrefix(s, c); ok {
			s, unit = strings.TrimSpace(t), c
			sign()
			break
		}
	}
	for _, c := range []string{"%", "$", "€", "£", "¥"} {
		if t, ok := strings.CutSuffix(s, c); ok {
			s, unit = strings.TrimSpace(t), c
			break
		}
	}
	whole, part, _ := strings.Cut(s, string(point))
	groups := []string{whole}
	for _, sep := range []string{",", ".", " ", "\u00A0", "\u202F", "'", "’"} {
		if sep != string(point) && strings.Contains(whole, sep) {
			groups = strings.Split(whole, sep)
			break
		}
	}
	for k, g := range groups {
		// 0,346 is no group of thousands
		if len(groups) > 1 && (k > 0 && len(g) != 3 || k == 0 && (len(g) < 1 || len(g) > 3 || g[0] == '0')) {
			return 0, "", false
		}
	}
	digits := strings.Join(groups, "")
	if digits+part == "" || strings.Trim(digits+part, "0123456789") != "" {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(digits+"."+part, 64)
	if minus {
		v = -v
	}
	return v, unit, err == nil
}

// layouts are the layouts of dates that can be read in one way only.
var layouts = []string{
	"2006-01-02", "2006/01/02", "2006.01.02", "02.01.2006",
	"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05",
	"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
	"2006/01/02 15:04:05", "02.01.2006 15:04", "02.01.2006 15:04:05",
}

// days reads a date as days since 1970-01-01, in UTC where it names no zone.
func days(s string) (float64, bool) {
	for _, l := range layouts {
		if t, err := time.Parse(l, s); err == nil {
			return (float64(t.Unix()) + float64(t.Nanosecond())/1e9) / 86400, true
		}
	}
	return 0, false
}

// dateLike says whether s begins with three numbers with the same -, / or . between them, the first
// or the last of four digits.
func dateLike(s string) bool {
	if i := strings.IndexAny(s, " T"); i > 0 {
		s = s[:i]
	}
	if len(s) < 8 || len(s) > 10 {
		return false
	}
	for _, sep := range []string{"-", "/", "."} {
		p := strings.Split(s, sep)
		if len(p) != 3 || strings.Trim(strings.Join(p, ""), "0123456789") != "" {
			continue
		}
		a, b, c := len(p[0]), len(p[1]), len(p[2])
		return b >= 1 && b <= 2 && (a == 4 && c >= 1 && c <= 2 || c == 4 && a >= 1 && a <= 2)
	}
	return false
}

// suspect says what a cell is that looks like text and is a number or a date to people, and which
// options read it; else it is empty.
func suspect(s string) string {
	const how = "; Nominal takes the column for names, Leave leaves it out"
	if len(s) > shown || !strings.ContainsAny(s, "0123456789") {
		return ""
	}
	_, comma := decimalComma(s)
	_, pointed := amount(s, '.')
	switch {
	case comma && pointed:
		return "a number with a decimal comma or with groups of digits: Options.Decimal: ',' reads the one, " +
			"Amounts the other" + how
	case comma:
		return "a number with a decimal comma: Options.Decimal: ',' reads it" + how
	case pointed:
		return "a number with a sign of a currency, a percent sign or groups of digits: Options.Amounts reads the " +
			"column as numbers" + how
	}
	if _, ok := amount(s, ','); ok {
		return "a number with a decimal comma and a sign of a currency, a percent sign or groups of digits: " +
			"Options.Decimal: ',' and Amounts read it" + how
	}
	if _, ok := days(s); ok {
		return "a date: Options.Dates reads the column as days since 1970-01-01" + how
	}
	if dateLike(s) {
		return "a date, with day or month first: write it as 2006-01-02 for Options.Dates" + how
	}
	return ""
}
