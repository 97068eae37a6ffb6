package data

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The texts of errors state options in the syntax of Go. advisedOption finds one that can be set as it is there,
// namedOption each one, and advisedColumn the column that DropColumns or Categorical would name.
var (
	advisedOption = regexp.MustCompile(`Options\.(?:(UnitLine|NumberRepeatedNames|Regression)|` +
		`(Header|Missing): (HeaderYes|Drop)|(Comment): "(.*?)"|(Decimal|Thousands): '(.)'|` +
		`(SkipRows|SkipFooter): (\d+)|(Dates): data\.DateLayouts\{"([^"]*)": "([^"]*)"\})`)
	namedOption   = regexp.MustCompile(`Options\.\w+(?:: (?:'.'|"[^"]*"|[\w.]+\{[^}]*\}|\w+))?`)
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
		case m[0] == "Dates":
			o.Dates = maps.Clone(o.Dates)
			if o.Dates == nil {
				o.Dates = DateLayouts{}
			}
			o.Dates[m[1]] = m[2]
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
	advised := &OptionsError{err, o}
	for next, count := err, 0; count < 8; count++ {
		changed := advised.Options.withAdvice(next)
		if reflect.DeepEqual(changed, advised.Options) {
			break
		}
		if advised.Options, next = changed, read(changed); next == nil {
			break
		}
		longer := fmt.Errorf("%w; with that, the next fault is: %s", advised.error, brief(next))
		if len(longer.Error()) > longestMessage {
			break
		}
		advised.error = longer
	}
	return advised
}

// brief returns the message of an error without its explanation: the fault, and the options that the message names, if
// it states values of some these only.
func brief(err error) string {
	fault := err.Error()
	for _, explanation := range []string{"; ", ", but ", ", which "} {
		fault, _, _ = strings.Cut(fault, explanation)
	}
	named := namedOption.FindAllString(err.Error(), -1)
	hasValue := func(s string) bool { return strings.Contains(s, ":") }
	if slices.ContainsFunc(named, hasValue) {
		named = slices.DeleteFunc(named, func(s string) bool { return !hasValue(s) })
	}
	return fmt.Sprintf("%s (%s)", fault, strings.Join(named, ", "))
}

// GoString returns the Go source of options, such as data.Options{Label: "height", Regression: true}.
func (o Options) GoString() string {
	var parts []string
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Name, v.Field(i)
		switch constants := constantsOf[name]; {
		case value.IsZero():
		case constants != "":
			parts = append(parts, name+": data."+strings.Fields(constants)[value.Int()])
		case value.Kind() == reflect.Int32:
			parts = append(parts, fmt.Sprintf("%s: %q", name, rune(value.Int())))
		default:
			parts = append(parts, fmt.Sprintf("%s: %#v", name, value.Interface()))
		}
	}
	return "data.Options{" + strings.Join(parts, ", ") + "}"
}

// constantsOf contains the names of the values of an option, in their order.
var constantsOf = map[string]string{"Format": "Auto CSV LIBSVM ARFF NPY FASTA",
	"Header": "HeaderAuto HeaderYes HeaderNo", "Missing": "Refuse Drop Fill"}
