package data

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// advisedColumn matches the column that DropColumns or Categorical would name.
var advisedColumn = regexp.MustCompile(`column \d+ \(([^)…]*)\).*(?:DropColumns|Categorical)`)

// withAdvice returns o with the options that err advises, if they need no choice: Categorical before DropColumns, of
// other alternatives the first.
func (o Options) withAdvice(err error) Options {
	text, _, _ := strings.Cut(err.Error(), ", or ")
	isAdvised, dates := false, maps.Clone(o.Dates)
	for _, a := range OptionsNamedIn(text) {
		switch a.Name {
		case "UnitLine", "NumberRepeatedNames", "Regression", "Comment", "Decimal", "Thousands", "SkipRows",
			"SkipFooter", "Header", "Missing", "Dates":
			if a.Value != "" && a.Value != "HeaderNo" && a.Value != "Fill" {
				isAdvised = o.SetText(a.Name, a.Value) == nil || isAdvised
			}
		}
	}
	if dates != nil {
		maps.Copy(dates, o.Dates)
		o.Dates = dates
	}
	if m := advisedColumn.FindStringSubmatch(err.Error()); m != nil && !isAdvised {
		list := &o.Categorical
		if !strings.Contains(err.Error(), "Categorical") {
			list = &o.DropColumns
		}
		if !slices.Contains(*list, m[1]) {
			*list = append(slices.Clip(*list), m[1])
		}
	}
	return o
}

// longestMessage is the number of bytes that a message of several faults may have. Later faults are then left out.
const longestMessage = 900

// OptionsError is the error of a file that options may mend. Options are those of the call with the options that the
// message advises, of several alternatives the first.
type OptionsError struct {
	error
	Options Options
}

func (e *OptionsError) Unwrap() error { return e.error }

// withLaterErrors returns err, the error of reading with the options o, together with the errors that follow once the
// options that err names are set, and so on, so that a user need not find one fault after another.
func withLaterErrors(err error, o Options, read func(o Options) error) error {
	advised, named := &OptionsError{err, o}, []string{faultOf(err)}
	for next, count := err, 0; count < 8; count++ {
		changed := advised.Options.withAdvice(next)
		if reflect.DeepEqual(changed, advised.Options) {
			break
		}
		if advised.Options, next = changed, read(changed); next == nil {
			break
		}
		longer := fmt.Errorf("%w; with that, the next fault is: %s", advised.error, brief(next))
		if slices.Contains(named, faultOf(next)) || len(longer.Error()) > longestMessage {
			break
		}
		advised.error, named = longer, append(named, faultOf(next))
	}
	return advised
}

// faultOf returns the message of an error without its explanation.
func faultOf(err error) string {
	fault := err.Error()
	for _, explanation := range []string{"; ", ", but ", ", which "} {
		fault, _, _ = strings.Cut(fault, explanation)
	}
	return fault
}

// brief returns the fault of an error and the options that its message names, if it states values of some these only.
func brief(err error) string {
	named := optionInText.FindAllString(err.Error(), -1)
	hasValue := func(s string) bool { return strings.Contains(s, ":") }
	if slices.ContainsFunc(named, hasValue) {
		named = slices.DeleteFunc(named, func(s string) bool { return !hasValue(s) })
	}
	return fmt.Sprintf("%s (%s)", faultOf(err), strings.Join(named, ", "))
}
