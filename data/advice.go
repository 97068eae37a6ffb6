package data

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The texts of errors state options in the syntax of Go. advisedOption finds one with its value, and advisedColumn the
// column that DropColumns or Categorical would name.
var (
	advisedOption = regexp.MustCompile(`Options\.(?:(UnitLine|NumberRepeatedNames)|(Header|Missing): (HeaderYes|Drop)|` +
		`(Comment): "(.*?)"|(Decimal|Thousands): '(.)'|(SkipRows|SkipFooter): (\d+))`)
	advisedColumn = regexp.MustCompile(`column \d+ \(([^)…]*)\).*(?:DropColumns|Categorical)`)
)

// withAdvice returns o with the options that err advises, the first of several alternatives.
func (o Options) withAdvice(err error) Options {
	text, _, _ := strings.Cut(err.Error(), ", or ")
	advised := advisedOption.FindAllStringSubmatch(text, -1)
	if m := advisedColumn.FindStringSubmatch(err.Error()); m != nil && advised == nil {
		o.Categorical = append(slices.Clip(o.Categorical), m[1])
	}
	for _, m := range advised {
		m = slices.DeleteFunc(m[1:], func(s string) bool { return s == "" })
		switch f := reflect.ValueOf(&o).Elem().FieldByName(m[0]); {
		case len(m) == 1:
			f.SetBool(true)
		case m[0] == "Comment":
			f.SetString(m[1])
		case m[0] == "Decimal" || m[0] == "Thousands":
			f.SetInt(int64([]rune(m[1])[0]))
		case m[0] == "Header" || m[0] == "Missing":
			f.SetInt(1) // HeaderYes, Drop
		default:
			n, _ := strconv.Atoi(m[1])
			f.SetInt(int64(n))
		}
	}
	return o
}

// withLaterErrors returns err, the error of reading with the options o, together with the errors that follow once the
// options that err names are set, and so on, so that a user need not find one fault after another.
func withLaterErrors(err error, o Options, read func(o Options) error) error {
	for next, count := err, 0; count < 8; count++ {
		changed := o.withAdvice(next)
		if reflect.DeepEqual(changed, o) {
			break
		}
		if o, next = changed, read(changed); next == nil {
			break
		}
		err = fmt.Errorf("%w; with that, the next fault is: %w", err, next)
	}
	return err
}
