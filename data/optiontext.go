package data

import (
	"encoding/csv"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// OptionText is an option with its value as a person writes it: see Options.SetText.
type OptionText struct{ Name, Value string }

// optionInText matches an option in the text of an error and the value that the text proposes in the syntax of Go, as
// in Options.SkipFooter: 1 and Options.Categorical: []string{"zip"}.
var optionInText = regexp.MustCompile(
	`Options\.([A-Z]\w+)(?::\s*([\w.\[\]]*\{[^}]*\}|(?:data\.)?[A-Z]\w+|"[^"]*"|'(?:\\.|[^'])+'|\d+|true))?`)

// OptionsNamedIn returns each option that the text of an error names, with the first value that the text proposes for
// it. An option that is true or false has the value true.
func OptionsNamedIn(text string) (named []OptionText) {
	for _, match := range optionInText.FindAllStringSubmatch(text, -1) {
		option, ok := reflect.TypeFor[Options]().FieldByName(match[1])
		if !ok {
			continue
		}
		value := textOfLiteral(match[2])
		if option.Type.Kind() == reflect.Bool {
			value = "true"
		}
		if i := slices.IndexFunc(named, func(t OptionText) bool { return t.Name == option.Name }); i < 0 {
			named = append(named, OptionText{option.Name, value})
		} else if named[i].Value == "" {
			named[i].Value = value
		}
	}
	return named
}

// quotedText matches a string or a character in Go source.
var quotedText = regexp.MustCompile(`"(?:\\.|[^"])*"|'(?:\\.|[^'])+'`)

// textOfLiteral returns a value in the syntax of Go as SetText reads it.
func textOfLiteral(literal string) string {
	literal = strings.TrimPrefix(literal, "data.")
	quoted := quotedText.FindAllString(literal, -1)
	if len(quoted) == 0 {
		return literal
	}
	for i, q := range quoted {
		if r, _, _, err := strconv.UnquoteChar(q[1:], q[0]); err == nil && q[0] == '\'' {
			q = strconv.Quote(string(r))
		}
		quoted[i], _ = strconv.Unquote(q)
	}
	switch {
	case strings.Contains(literal, `":`): // a map
		for i := 0; i+1 < len(quoted); i += 2 {
			quoted[i/2] = quoted[i] + "=" + quoted[i+1]
		}
		quoted = quoted[:len(quoted)/2]
	case !strings.Contains(literal, "{"):
		if i := slices.Index(namedMarks[:], quoted[0]); i >= 0 {
			return namedMarks[i+1]
		}
		return quoted[0]
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(quoted)
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// namedMarks are separators that cannot be seen, each before its name.
var namedMarks = [...]string{"\t", "tab", " ", "space"}

// OptionChoices returns the values that the option of this name may have: the names of its constants, or "" and "true".
// It returns none if the option has other values.
func OptionChoices(name string) []string {
	if f, _ := reflect.TypeFor[Options]().FieldByName(name); f.Type != nil && f.Type.Kind() == reflect.Bool {
		return []string{"", "true"}
	}
	return strings.Fields(constantsOf[name])
}

// SetText sets the option of this name to a value as a person writes it: text or a number without quotes, tab or space
// for these separators, true, the name of a constant such as Drop, a list such as a, b or "size, in cm", c, or, for
// Dates and Units, a list such as day=02.01.2006. An empty value is the zero value.
func (o *Options) SetText(name, value string) error {
	f := reflect.ValueOf(o).Elem().FieldByName(name)
	if !f.IsValid() {
		return badOption(name, "there is no such option")
	}
	if choices := OptionChoices(name); len(choices) > 0 {
		i := slices.Index(choices, value)
		if i < 0 && value != "" {
			return badOption(name, "%q; set one of %s", value, sheet.QuoteNames(choices, ", "))
		}
		if f.Kind() == reflect.Bool {
			f.SetBool(i > 0)
		} else {
			f.SetInt(int64(max(i, 0)))
		}
		return nil
	}
	f.SetZero()
	if value == "" {
		return nil
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString(value)
	case reflect.Int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return badOption(name, "%q; set a whole number", value)
		}
		f.SetInt(int64(n))
	case reflect.Int32:
		if i := slices.Index(namedMarks[:], value); i > 0 {
			value = namedMarks[i/2*2]
		}
		r := []rune(value)
		if len(r) != 1 {
			return badOption(name, "%q; set one character, tab or space", value)
		}
		f.SetInt(int64(r[0]))
	default:
		return o.setListText(name, f, value)
	}
	return nil
}

// setListText sets f, the option of this name, to a list, or to a map if it is one.
func (o *Options) setListText(name string, f reflect.Value, value string) error {
	r := csv.NewReader(strings.NewReader(value))
	r.TrimLeadingSpace = true
	list, err := r.Read()
	if err != nil {
		return badOption(name, "%q: %v; separate by commas, and quote a name that contains one", value, err)
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	if f.Kind() == reflect.Slice {
		f.Set(reflect.ValueOf(list))
		return nil
	}
	f.Set(reflect.MakeMap(f.Type()))
	for _, pair := range list {
		i := strings.LastIndex(pair, "=")
		if i < 0 {
			return badOption(name, "%q; write the name of the column, =, and the value", pair)
		}
		f.SetMapIndex(reflect.ValueOf(pair[:i]), reflect.ValueOf(pair[i+1:]))
	}
	return nil
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
