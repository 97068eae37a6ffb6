package data

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The texts of errors state options in the syntax of Go. advisedOption finds one that can be set as it is there,
// namedOption each one, and advisedColumn the column that DropColumns or Categorical would name.
var (
	advisedOption = regexp.MustCompile(`Options\.(?:(UnitLine|NumberRepeatedNames)|(Header|Missing): (HeaderYes|Drop)|` +
		`(Comment): "(.*?)"|(Decimal|Thousands): '(.)'|(SkipRows|SkipFooter): (\d+))`)
	namedOption   = regexp.MustCompile(`Options\.\w+(?:: (?:'.'|"[^"]*"|\w+))?`)
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

// longestMessage is the number of bytes that a message of several faults may have. Later faults are then left out.
const longestMessage = 900

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
		longer := fmt.Errorf("%w; with that, the next fault is: %s", err, brief(next))
		if len(longer.Error()) > longestMessage {
			break
		}
		err = longer
	}
	return err
}

// brief returns the message of an error without its explanation: the fault, and the options that the message names.
func brief(err error) string {
	fault := err.Error()
	for _, explanation := range []string{"; ", ", but ", ", which "} {
		fault, _, _ = strings.Cut(fault, explanation)
	}
	return fmt.Sprintf("%s (%s)", fault, strings.Join(namedOption.FindAllString(err.Error(), -1), ", "))
}
