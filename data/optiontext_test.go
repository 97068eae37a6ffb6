package data

import (
	"fmt"
	"reflect"
	"testing"
)

// TestOptionTexts sets options as a person writes them, reads them back from the text of an error in the syntax of Go,
// and gets the same. Names with commas, quotes and equals signs are among them.
func TestOptionTexts(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        Options
	}{
		{"Label", "a, b", Options{Label: "a, b"}},
		{"Comma", "tab", Options{Comma: '\t'}},
		{"Comma", "space", Options{Comma: ' '}},
		{"Decimal", ",", Options{Decimal: ','}},
		{"SkipRows", "12", Options{SkipRows: 12}},
		{"UnitLine", "true", Options{UnitLine: true}},
		{"Missing", "Fill", Options{Missing: Fill}},
		{"Header", "HeaderNo", Options{Header: HeaderNo}},
		{"Format", "LIBSVM", Options{Format: LIBSVM}},
		{"Categorical", `"a, b",c`, Options{Categorical: []string{"a, b", "c"}}},
		{"DropColumns", `"5"" pipe"`, Options{DropColumns: []string{`5" pipe`}}},
		{"MissingMarkers", `"",k.A.`, Options{MissingMarkers: []string{"", "k.A."}}},
		{"Units", `"a, b=kg",x=y=m`, Options{Units: Units{"a, b": "kg", "x=y": "m"}}},
	} {
		var o Options
		if err := o.SetText(c.name, c.value); err != nil || !reflect.DeepEqual(o, c.want) {
			t.Errorf("SetText(%q, %q) = %v; got %#v, want %#v", c.name, c.value, err, o, c.want)
			continue
		}
		literal := fmt.Sprintf("%#v", o)
		text := "set Options." + literal[len("data.Options{"):len(literal)-1] + "; with that, …"
		named := OptionsNamedIn(text)
		var read Options
		if len(named) != 1 || read.SetText(named[0].Name, named[0].Value) != nil || !reflect.DeepEqual(read, c.want) {
			t.Errorf("%s names %q, which sets %#v, want %#v", text, named, read, c.want)
		}
	}
	for name, value := range map[string]string{"Missing": "drop", "SkipRows": "two", "Comma": ";;", "Dates": "day",
		"Nothing": "x", "Categorical": `a "b`} {
		var o Options
		if err := o.SetText(name, value); err == nil {
			t.Errorf("SetText(%q, %q) sets %#v", name, value, o)
		}
	}
}
