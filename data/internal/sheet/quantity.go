package sheet

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var (
	numberRun = regexp.MustCompile(`\d+(?:[.,'’]\d+)*`)
	amount    = regexp.MustCompile(`^(EUR|USD|GBP|CHF|JPY)[ \x{A0}]?[+-]?\d`)
	letterRun = regexp.MustCompile(`\p{L}+`)
)

// units are the words that may follow a number directly, as in 5kg or 10:05Z.
var units = wordSet("kg g mg µg ug t lb lbs oz m cm mm km µm um nm in ft yd mi l L ml mL dl cl s ms min h hr hrs y " +
	"yr yrs Hz kHz MHz GHz W kW MW kWh V mV A mA J kJ Pa hPa kPa bar psi K C F mol mmol kB KB MB GB TB EUR USD GBP " +
	"CHF JPY Mio Mrd k M bn px dB ppm ppb bpm mmHg kcal cal x T Z am pm AM PM IU")

// typeWords stand below names of columns for the types of their cells.
var typeWords = wordSet("text string str char word words number numeric int integer float double date datetime bool " +
	"boolean factor categorical category y/n yes/no %")

// wordSet returns the set of the words of a text. _ stands for a blank inside a word.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}

// QuantityForm returns the form of a text that looks like a date, an amount, a percentage or a number with a unit, with
// 9 for each number and _ for the letters of a month: "9 kg", "9-9-9", "9-___", "$9", "<9". It returns "" for words,
// ordinals such as 1st, and numbers followed by letters that are no unit, such as 2Story. Plain numbers have the form
// 9.
func QuantityForm(s string) string {
	if !BeginsLikeNumber(s) && !amount.MatchString(s) {
		return ""
	}
	form := numberRun.ReplaceAllString(s, "9")
	for _, at := range letterRun.FindAllStringIndex(form, -1) {
		word, before, after := form[at[0]:at[1]], form[:at[0]], form[at[1]:]
		isExponent := len(word) == 1 && strings.ContainsAny(word, "eEdD") && strings.HasSuffix(before, "9") &&
			strings.HasPrefix(strings.TrimLeft(after, "+-"), "9")
		isSeparate := before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\u00A0")
		if monthNames[strings.ToLower(word)] {
			form = before + strings.Repeat("_", len(word)) + after
		} else if !units[word] && !isExponent && !(isSeparate && len(word) <= 4) {
			return ""
		}
	}
	return form
}

// UnitOf returns the unit that each of the cells has before or after its number, and "" if there is no such unit.
func UnitOf(cells []string) (unit string) {
	for i, s := range cells {
		form := strings.NewReplacer("-9", "9", "+9", "9", "−9", "9").Replace(QuantityForm(s))
		u := strings.TrimSpace(strings.Replace(form, "9", "", 1))
		if u == "" || strings.Contains(u, "9") || i > 0 && u != unit || strings.ContainsAny(u, "()<>≤≥~≈−-+_") {
			return ""
		}
		unit = u
	}
	return unit
}

// CutUnit removes the unit before or after a number, and reports whether it was there.
func CutUnit(s, unit string) (number string, ok bool) {
	digits := strings.TrimLeft(s, "+-−")
	sign := s[:len(s)-len(digits)]
	if rest, ok := strings.CutSuffix(digits, unit); ok {
		return sign + strings.TrimSpace(rest), true
	}
	if rest, ok := strings.CutPrefix(digits, unit); ok {
		return sign + strings.TrimSpace(rest), true
	}
	return s, false
}

// summaryWords begin a last line that is computed from the lines above it.
var summaryWords = wordSet("total totals grand_total subtotal sub_total overall sum mean average avg median count " +
	"min max std sd summe gesamt mittelwert mittel somme moyenne suma media promedio totale totaal")

// isSummary reports whether a cell names a summary, such as Total.
func isSummary(cell string) bool { return summaryWords[strings.ToLower(strings.Trim(cell, ": \r"))] }

// FooterCell returns the column of a cell in the last row that names a summary, such as Total, or is a word and the
// only cell of three or more that is not empty, if it occurs nowhere else in its column. It returns −1 if there is
// none.
func FooterCell(rows []Record) int {
	if len(rows) < 3 {
		return -1
	}
	last := len(rows) - 1
	cells := rows[last].Cells
	isAlone := len(cells) > 2 && len(cells)-len(slices.DeleteFunc(slices.Clone(cells),
		func(s string) bool { return s == "" })) == len(cells)-1
	for j, s := range cells {
		isRepeated := func(r Record) bool { return r.Cells[j] == s }
		mayBeFooter := isSummary(s) || isAlone && s != "" && !BeginsLikeNumber(s)
		if mayBeFooter && !slices.ContainsFunc(rows[:last], isRepeated) {
			return j
		}
	}
	return -1
}

// UnitLineColumn returns a column that shows that the first of three or more rows below a header probably holds units
// or types of the columns, and −1 if there is none. The row then has no number, and has a word in a column in which all
// other cells begin like numbers, or most of its cells are units or types, and none occurs again in its column. isNames
// reports for a column that its cells are names even if they look like numbers.
func UnitLineColumn(rows []Record, isMissing map[string]bool, isNames func(j int) bool) int {
	if len(rows) < 3 || slices.ContainsFunc(rows[0].Cells, BeginsLikeNumber) {
		return -1
	}
	unitColumn, unitCount, wordCount, isRepeated := -1, 0, 0, false
	for j, s := range rows[0].Cells {
		if isMissing[s] {
			continue
		}
		if wordCount++; isUnitOrType(s) {
			unitColumn, unitCount = j, unitCount+1
		}
		numberCount, hasWord := 0, false
		for _, r := range rows[1:] {
			if below := r.Cells[j]; BeginsLikeNumber(below) {
				numberCount++
			} else {
				hasWord = hasWord || !isMissing[below]
				isRepeated = isRepeated || below == s
			}
		}
		if !isNames(j) && numberCount > 1 && !hasWord {
			return j
		}
	}
	if unitColumn >= 0 && 2*unitCount >= wordCount && !isRepeated && !isNames(unitColumn) {
		return unitColumn
	}
	return -1
}

// IsFirstRowAlone reports whether the first row below a header, which has no number, has no cell that occurs again in
// its column, although the cells below repeat each other in two columns or more. It may then be a second line of names.
func IsFirstRowAlone(rows []Record) bool {
	if len(rows) < 4 || slices.ContainsFunc(rows[0].Cells, BeginsLikeNumber) {
		return false
	}
	repeatingColumns := 0
	for j, s := range rows[0].Cells {
		below := Column(rows[1:], j)
		if slices.Contains(below, s) {
			return false
		}
		if 3*len(SortedUnique(below)) <= len(below) {
			repeatingColumns++
		}
	}
	return repeatingColumns > 1
}

// isUnitOrType reports whether a cell is in brackets, a unit, several units such as mg/l, or the name of a type.
func isUnitOrType(s string) bool {
	end := len(s) - 1
	if s[0] == '(' && s[end] == ')' || s[0] == '[' && s[end] == ']' || typeWords[strings.ToLower(s)] {
		return true
	}
	return !slices.ContainsFunc(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/*·^23-1", r) }),
		func(word string) bool { return !units[word] })
}

// accented are letters with marks, each after the letter without the mark.
const accented = "aáàâäãåāăą cçćč dď eéèêëēėęě gğ iíìîïī lł nñńň oóòôöõőō rř sśšş tťţ uúùûüůűū yýÿ zźżž"

var letterWithoutMark = func() map[rune]rune {
	m := map[rune]rune{}
	for _, word := range strings.Fields(accented) {
		letters := []rune(word)
		for _, r := range letters[1:] {
			m[r] = letters[0]
		}
	}
	return m
}()

// appearance returns what remains of s without case, characters without width, the kind and number of blanks, quotes, a
// point at the end, and with one spelling of numbers and truth values; without accents if withoutAccents is set.
func appearance(s string, withoutAccents bool) string {
	s = strings.Map(func(r rune) rune {
		switch base, hasBase := letterWithoutMark[unicode.ToLower(r)]; {
		case unicode.Is(unicode.Cf, r) || withoutAccents && unicode.Is(unicode.Mn, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case withoutAccents && hasBase:
			return base
		}
		return unicode.ToLower(r)
	}, s)
	s = strings.TrimRight(strings.Trim(strings.Join(strings.Fields(s), " "), "'\"`’"), ".")
	switch v, isNumber, _ := (NumberFormat{}).Parse(strings.TrimLeft(s, "0")); {
	case isNumber:
		return FormatNumber(v)
	case s == "true" || s == "00" || strings.Trim(s, "0") == "" && s != "":
		return map[bool]string{true: "1", false: "0"}[s == "true"]
	case s == "false":
		return "0"
	}
	return s
}

// LookAlikes returns two of the values that people hardly tell apart, such as Yes and yes, or 1 and 1.0. Both are empty
// if there are none.
func LookAlikes(values []string) (a, b string) {
	hasMark := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Mn, r) })
	}
	seen := make(map[string]string, len(values))
	for _, s := range values {
		key := appearance(s, true)
		other, isSeen := seen[key]
		if isSeen && other != s && (hasMark(other) || hasMark(s) || appearance(other, false) == appearance(s, false)) {
			return other, s
		}
		seen[key] = s
	}
	return "", ""
}

// QuoteAlike returns a text in quotes with a code for each character that is not ASCII, so that texts that look the
// same differ.
func QuoteAlike(s string) string {
	if len(s) > maxShown {
		return Quote(s)
	}
	return strconv.QuoteToASCII(s)
}
