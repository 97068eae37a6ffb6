package sheet

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// LargestMagnitude is the largest magnitude of a number in a file. The smallest magnitude of a number other than 0 is
// 1/largestMagnitude. A product of three such numbers (1e±300) is in the range of a float64.
const LargestMagnitude = 1e100

// LargestInteger is 2^53, up to which a float64 holds every integer.
const LargestInteger = 1 << 53

// NumberFormat describes the numbers of a file. The zero value has a decimal point and no groups of digits.
type NumberFormat struct {
	Decimal      rune // the decimal mark, '.' or ','; 0 means '.'
	Thousands    rune // the mark between groups of three digits, ' ' for any single space; 0 for no groups
	IsPrescribed bool // the format of the file states how to write numbers; Options.Decimal has no effect
}

// GroupMarks are the marks that are used between groups of digits.
const GroupMarks = ",. \u00A0\u202F'’"

// Parse reads one cell. It returns
//
//	v, true, nil     for a number in this format;
//	0, false, nil    for other text;
//	0, false, err    for text that people read as a number, but that is not one in this format or that a
//	                 float64 does not hold; the error names the option that reads it.
func (f NumberFormat) Parse(s string) (v float64, isNumber bool, err error) {
	if !strings.ContainsAny(s, "0123456789") {
		switch strings.ToLower(strings.TrimLeft(s, "+-")) {
		case "nan", "inf", "infinity":
			return 0, false, fmt.Errorf("%s is not a finite number", Quote(s))
		}
		return 0, false, nil
	}
	sign, mantissa, exponent, ok := splitNumber(s)
	if !ok {
		return 0, false, nil
	}
	decimal := f.Decimal
	if decimal == 0 {
		decimal = '.'
	}
	whole, fraction, isValid := f.splitDigits(mantissa, decimal)
	if !isValid {
		return 0, false, f.otherFormatError(s, mantissa, decimal)
	}
	switch {
	case len(whole) > 1 && whole[0] == '0':
		return 0, false, fmt.Errorf("%s has a leading zero, as codes have, and is not read as a number", Quote(s))
	case strings.Trim(fraction, "0") == "" && exponent == "" && isAboveExactRange(whole):
		return 0, false, fmt.Errorf("%s is an integer above 2^53, which a float64 does not hold exactly; change it",
			Quote(s))
	}
	v, err = strconv.ParseFloat(sign+whole+"."+fraction+exponent, 64)
	isZero := strings.Trim(whole+fraction, "0") == ""
	if err != nil || math.Abs(v) > LargestMagnitude || !isZero && math.Abs(v) < 1/LargestMagnitude {
		if err == nil && math.Abs(v) < 1 {
			return 0, false, fmt.Errorf("%s %w", Quote(s), ErrTiny)
		}
		return 0, false, fmt.Errorf("%s is outside the range of numbers, ±1e-100 to ±1e100", Quote(s))
	}
	return v, true, nil
}

// IsTiny reports whether v is closer to 0 than 1/largestMagnitude, and not 0.
func IsTiny(v float64) bool { return v != 0 && math.Abs(v) < 1/LargestMagnitude }

// ErrTiny is wrapped by the error for a number that is closer to 0 than 1/largestMagnitude.
var ErrTiny = errors.New("is outside the range of numbers, ±1e-100 to ±1e100")

// IsNumberInAnyFormat reports whether people read the cell as a number, in this or another format.
func (f NumberFormat) IsNumberInAnyFormat(s string) bool {
	_, ok, err := f.Parse(s)
	return ok || err != nil
}

func (f NumberFormat) IsNumber(s string) bool {
	_, ok, _ := f.Parse(s)
	return ok
}

// AreNumbers reports whether every cell that is not empty is a number in this format.
func (f NumberFormat) AreNumbers(cells []string) bool {
	return !slices.ContainsFunc(cells, func(s string) bool { return s != "" && !f.IsNumber(s) })
}

// splitNumber splits s into a sign, digits with marks between them, and an exponent such as e+05. ok is false if s has
// other characters.
func splitNumber(s string) (sign, mantissa, exponent string, ok bool) {
	if rest, isMinus := strings.CutPrefix(s, "\u2212"); isMinus { // the minus sign of typography
		s = "-" + rest
	}
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[:1], s[1:]
	}
	mantissa = s
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
		power := strings.TrimLeft(exponent[1:], "+-")
		if len(exponent)-len(power) > 2 || power == "" || strings.Trim(power, "0123456789") != "" {
			return "", "", "", false
		}
	}
	ok = strings.ContainsAny(mantissa, "0123456789") && strings.Trim(mantissa, "0123456789"+GroupMarks) == "" &&
		strings.TrimSpace(mantissa) == mantissa
	return sign, mantissa, exponent, ok
}

// splitDigits returns the digits before and after the decimal mark, without the marks between groups. ok is false if
// the mantissa has other marks, or groups that do not have three digits.
func (f NumberFormat) splitDigits(mantissa string, decimal rune) (whole, fraction string, ok bool) {
	whole, fraction, _ = strings.Cut(mantissa, string(decimal))
	if f.Thousands != 0 {
		if groups, isGrouped := splitDigitGroups(whole, f.Thousands); isGrouped {
			whole = strings.Join(groups, "")
		}
	}
	return whole, fraction, strings.Trim(whole+fraction, "0123456789") == ""
}

// splitDigitGroups splits digits at a mark. ok is false if the mark does not occur, if the first group begins with 0 or
// does not have one to three digits, or if another group does not have three.
func splitDigitGroups(s string, mark rune) (groups []string, ok bool) {
	groups = strings.FieldsFunc(s, func(r rune) bool {
		return r == mark || mark == ' ' && (r == '\u00A0' || r == '\u202F')
	})
	groupLength := 0
	for k, g := range groups {
		groupLength += len(g)
		if strings.Trim(g, "0123456789") != "" || len(g) > 3 || k > 0 && len(g) < 3 {
			return nil, false
		}
	}
	return groups, len(groups) > 1 && utf8.RuneCountInString(s) == groupLength+len(groups)-1 && groups[0][0] != '0'
}

// otherFormatError returns the error for a cell that is a number in another format. It lists the options that read
// the cell. It returns nil if no format reads the cell as a number.
func (f NumberFormat) otherFormatError(s, mantissa string, decimal rune) error {
	var readings []string
	decimals := []rune{'.', ','}
	if f.Decimal == ',' { // readings with this decimal mark first: another column may need it
		slices.Reverse(decimals)
	}
	for _, d := range decimals {
		for _, mark := range []rune{0, ',', '.', ' ', '\'', '’'} {
			_, _, ok := NumberFormat{Thousands: mark}.splitDigits(mantissa, d)
			hasMark := mark == 0 || strings.ContainsRune(mantissa, mark) ||
				mark == ' ' && strings.ContainsAny(mantissa, "\u00A0\u202F")
			if !ok || !hasMark || mark == d {
				continue
			}
			option := fmt.Sprintf("Options.Thousands: %q", mark)
			switch {
			case mark == 0:
				option = fmt.Sprintf("Options.Decimal: %q", d)
			case d != decimal:
				option = fmt.Sprintf("Options.Decimal: %q with %s", d, option)
			}
			readings = append(readings, option)
		}
	}
	if readings == nil {
		return nil
	}
	if f.IsPrescribed {
		return fmt.Errorf("%s is not a number; write a decimal point, and no marks between groups of digits", Quote(s))
	}
	return fmt.Errorf("%s is not a number with the decimal mark %q and without groups of digits; to read it, set %s",
		Quote(s), decimal, strings.Join(readings, ", or "))
}

// isAboveExactRange reports whether the digits are an integer above 2^53.
func isAboveExactRange(digits string) bool {
	v, err := strconv.ParseUint(digits, 10, 64)
	return err != nil && len(digits) > 15 || v > LargestInteger
}

// BeginsLikeNumber reports whether s begins like a number, a date or an amount. Such text begins with a digit; with a
// sign, decimal mark, currency mark, <, > or ≈ before a digit; or with the name of a month before a number.
func BeginsLikeNumber(s string) bool {
	s = strings.Map(func(r rune) rune { // remove quotes and characters without width
		if strings.ContainsRune("'\"`", r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	trimmed := strings.TrimLeft(s, "+-−±.,<>=≤≥~≈( \u00A0")
	trimmed = strings.TrimLeftFunc(trimmed, func(r rune) bool { return unicode.Is(unicode.Sc, r) || r == ' ' })
	trimmed = strings.TrimLeft(trimmed, "+-−.,")
	if r, _ := utf8.DecodeRuneInString(trimmed); unicode.IsDigit(r) {
		return true
	}
	word := trimmed[:len(trimmed)-len(strings.TrimLeftFunc(trimmed, unicode.IsLetter))]
	if !monthNames[strings.ToLower(word)] {
		return false
	}
	rest := strings.TrimLeft(trimmed[len(word):], " .,-/")
	return rest != "" && BeginsLikeNumber(rest)
}

// monthNames are the English names of months, and their usual abbreviations.
var monthNames = func() map[string]bool {
	isMonthName := map[string]bool{"sept": true}
	for m := time.January; m <= time.December; m++ {
		isMonthName[strings.ToLower(m.String())] = true
		isMonthName[strings.ToLower(m.String()[:3])] = true
	}
	return isMonthName
}()

// ParseDateAsDays reads a date by a layout of package time, as the number of days since 1970-01-01. A date without a
// zone is in UTC.
func ParseDateAsDays(layout, s string) (float64, error) {
	t, err := time.Parse(layout, s)
	if err != nil {
		return 0, fmt.Errorf("%s is not a date of the layout %q in Options.Dates", Quote(s), layout)
	}
	return (float64(t.Unix()) + float64(t.Nanosecond())/1e9) / 86400, nil
}

// dateLayouts are layouts of dates, those with two digits before those with one or two.
var dateLayouts = []string{"2006-01-02", "2006/01/02", "02.01.2006", "01/02/2006", "02/01/2006", "02-01-2006",
	"01-02-2006", "02.01.06", "01/02/06", "02/01/06", "2006-1-2", "2006/1/2", "2.1.2006", "1/2/2006", "2/1/2006",
	"2 Jan 2006", "2-Jan-2006", "2-Jan-06", "Jan 2, 2006", "2 January 2006", "January 2, 2006", "2006-01",
	"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00"}

// DateLayoutsOf returns the layouts, as in package time, by which all cells are dates. Of two layouts with the same
// dates it returns the first.
func DateLayoutsOf(cells []string) (layouts []string) {
	var known [][]float64
	for _, layout := range dateLayouts {
		dates := make([]float64, 0, len(cells))
		for _, s := range cells {
			if day, err := ParseDateAsDays(layout, s); err == nil {
				dates = append(dates, day)
			}
		}
		isNew := !slices.ContainsFunc(known, func(d []float64) bool { return slices.Equal(d, dates) })
		if len(dates) == len(cells) && isNew {
			known, layouts = append(known, dates), append(layouts, layout)
		}
	}
	return layouts
}

// FormatNumber returns the shortest text that reads back as v, for a whole number of at most 15 digits without an
// exponent.
func FormatNumber(v float64) string { return string(AppendNumber(nil, v)) }

// AppendNumber appends FormatNumber(v).
func AppendNumber(b []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}
