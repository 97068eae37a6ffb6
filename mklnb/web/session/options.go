package session

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/data"
)

// Field is an input of the page for one option of data.Options.
type Field struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // that of Go: string, bool, int, int32 (a character), slice or map; or choice
	Choices []string `json:"choices,omitempty"`
	Value   string   `json:"value"` // that the message of an error proposes
}

// choices names the constants of the options of kind choice, in their order.
var choices = map[string][]string{
	"Missing": {"Refuse", "Drop", "Fill"},
	"Header":  {"HeaderAuto", "HeaderYes", "HeaderNo"},
}

// optionInMessage matches an option that an error names, and the value that it proposes, as in Options.SkipFooter: 1
// and Options.Categorical: []string{"zip"}.
var optionInMessage = regexp.MustCompile(
	`Options\.([A-Z]\w+)(?::\s*((?:data\.)?[A-Z]\w+|"[^"]*"|'(?:\\.|[^'])+'|\d+|true|[\w.\[\]]*\{[^}]*\}))?`)

// fieldsOfMessage returns a field for each option of data.Options that the message of an error names.
func fieldsOfMessage(message string) (fields []Field) {
	for _, match := range optionInMessage.FindAllStringSubmatch(message, -1) {
		option, ok := reflect.TypeFor[data.Options]().FieldByName(match[1])
		if !ok {
			continue
		}
		f := Field{Name: option.Name, Kind: option.Type.Kind().String(), Choices: choices[option.Name],
			Value: plainValue(match[2])}
		if f.Choices != nil {
			f.Kind = "choice"
		}
		if i := slices.IndexFunc(fields, func(g Field) bool { return g.Name == f.Name }); i < 0 {
			fields = append(fields, f)
		} else if fields[i].Value == "" {
			fields[i].Value = f.Value
		}
	}
	return fields
}

// quoted matches a string or a character in Go source.
var quoted = regexp.MustCompile(`"[^"]*"|'(?:\\.|[^'])+'`)

// plainValue returns a Go literal as a person types it into a field: without quotes, braces and names of types.
func plainValue(literal string) string {
	literal = strings.TrimPrefix(literal, "data.")
	if _, inBraces, ok := strings.Cut(literal, "{"); ok {
		literal = strings.ReplaceAll(strings.TrimSuffix(inBraces, "}"), `": "`, "=")
	}
	return quoted.ReplaceAllStringFunc(literal, func(s string) string {
		if r, _, _, err := strconv.UnquoteChar(s[1:], s[0]); err == nil && s[0] == '\'' {
			return string(r)
		}
		return s[1 : len(s)-1]
	})
}
