package session

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/data"
)

// field is an input of the page for one option of data.Options.
type field struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // "flag", "text", "list" (separated by commas), "pairs" (column=value, …) or "choice"
	Choices []string `json:"choices,omitempty"`
	Value   string   `json:"value"`
}

// choices names the values of the options that are numbers in Go, in the order of their constants.
var choices = map[string][]string{
	"Missing": {"Refuse", "Drop", "Fill"},
	"Header":  {"HeaderAuto", "HeaderYes", "HeaderNo"},
	"Format":  {"Auto", "CSV", "LIBSVM", "ARFF", "NPY", "FASTA"},
}

// optionInMessage matches an option that an error names, and the value that it proposes, such as
// Options.SkipFooter: 1 or Options.Categorical: []string{"zip"}.
var optionInMessage = regexp.MustCompile(`Options\.([A-Z]\w+)(?::\s*((?:data\.)?[A-Z]\w+|"[^"]*"|'(?:\\.|[^'])+'|\d+|true|[\w.\[\]]*\{[^}]*\}))?`)

// fieldsOfMessage returns a field for each option of data.Options that the message of an error names. The value of the
// field is the value that the message proposes.
func fieldsOfMessage(message string) (fields []field) {
	for _, match := range optionInMessage.FindAllStringSubmatch(message, -1) {
		option, ok := reflect.TypeFor[data.Options]().FieldByName(match[1])
		if !ok {
			continue
		}
		f := field{Name: option.Name, Kind: fieldKind(option.Type), Choices: choices[option.Name], Value: plainValue(match[2])}
		if f.Choices != nil {
			f.Kind = "choice"
		}
		if i := slices.IndexFunc(fields, func(g field) bool { return g.Name == f.Name }); i < 0 {
			fields = append(fields, f)
		} else if fields[i].Value == "" {
			fields[i].Value = f.Value
		}
	}
	return fields
}

func fieldKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "flag"
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "pairs"
	}
	return "text"
}

// quoted matches a string or a character in Go source.
var quoted = regexp.MustCompile(`"[^"]*"|'(?:\\.|[^'])+'`)

// plainValue returns a Go literal as a person types it into a field: without quotes, braces and names of types.
func plainValue(literal string) string {
	literal = strings.TrimPrefix(literal, "data.")
	if i := strings.IndexByte(literal, '{'); i >= 0 {
		literal = strings.NewReplacer(`": "`, "=", `":"`, "=").Replace(literal[i+1 : len(literal)-1])
	}
	return quoted.ReplaceAllStringFunc(literal, func(s string) string {
		if text, err := strconv.Unquote(s); err == nil {
			return text
		}
		return s[1 : len(s)-1] // a character of several letters cannot be unquoted
	})
}

// parseOptions returns the options that the fields of the page hold. values maps names of options to texts; an empty text
// is the default.
func parseOptions(values map[string]string) (o data.Options, err error) {
	v := reflect.ValueOf(&o).Elem()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] == "" {
			continue
		}
		option := v.FieldByName(name)
		if !option.IsValid() {
			return o, fmt.Errorf("there is no option %q", name)
		}
		if err := setOption(option, name, values[name]); err != nil {
			return o, fmt.Errorf("Options.%s: %w", name, err)
		}
	}
	return o, nil
}

// setOption sets one option to the value of its field.
func setOption(option reflect.Value, name, text string) error {
	switch {
	case choices[name] != nil:
		i := slices.Index(choices[name], text)
		if i < 0 {
			return fmt.Errorf("%q is not one of %s", text, strings.Join(choices[name], ", "))
		}
		option.SetInt(int64(i))
	case option.Type() == reflect.TypeFor[rune]():
		r := []rune(strings.NewReplacer("tab", "\t", `\t`, "\t", "space", " ", "blank", " ").Replace(text))
		if len(r) != 1 {
			return fmt.Errorf("%q is not one character; write tab or space for these", text)
		}
		option.SetInt(int64(r[0]))
	case option.Kind() == reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		option.SetInt(int64(n))
	case option.Kind() == reflect.Bool:
		option.SetBool(text == "true")
	case option.Kind() == reflect.Slice:
		option.Set(reflect.ValueOf(splitList(text)))
	case option.Kind() == reflect.Map:
		option.Set(reflect.MakeMap(option.Type()))
		for _, pair := range splitList(text) {
			column, value, ok := strings.Cut(pair, "=")
			if !ok {
				return fmt.Errorf("%q is not of the form column=value", pair)
			}
			option.SetMapIndex(reflect.ValueOf(strings.TrimSpace(column)), reflect.ValueOf(strings.TrimSpace(value)))
		}
	default:
		option.SetString(text)
	}
	return nil
}

func splitList(text string) []string {
	parts := strings.Split(text, ",")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return parts
}

// literal returns the Go source of options, such as data.Options{Label: "height", Regression: true}.
func literal(o data.Options) string {
	var parts []string
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Name, v.Field(i)
		switch {
		case value.IsZero():
		case choices[name] != nil:
			parts = append(parts, name+": data."+choices[name][value.Int()])
		case value.Type() == reflect.TypeFor[rune]():
			parts = append(parts, fmt.Sprintf("%s: %q", name, rune(value.Int())))
		default:
			parts = append(parts, fmt.Sprintf("%s: %#v", name, value.Interface()))
		}
	}
	return "data.Options{" + strings.Join(parts, ", ") + "}"
}
