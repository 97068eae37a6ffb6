package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const weather = `% the weather
@RELATION weather

@attribute outlook {sunny, overcast, 'light rain'}
@attribute temperature numeric
@attribute 'is windy' {yes,no}
@attribute play {no, yes}

@data
sunny, 29.5, no, no
overcast, 28, yes, yes
% a comment
'light rain', 20, no, yes
`

// TestARFF reads quoted names and values, comments after a declaration, escapes, and attributes that are dropped.
func TestARFF(t *testing.T) {
	for _, c := range []struct {
		options Options
		text    string
		want    string
	}{
		{Options{}, weather, `["outlook=light rain" "outlook=overcast" "outlook=sunny" "temperature" "is windy=no" ` +
			`"is windy=yes"] [0 0 1 29.5 1 0 0 1 0 28 0 1 1 0 0 20 1 0] ["no" "yes" "yes"]`},
		{Options{}, "@attribute \"it's\" {'a\\'b', '?', c}\n@attribute y {0,1}\n@data\n'a\\'b',0\n'?',1\n",
			`["it's=?" "it's=a'b"] [0 1 1 0] ["0" "1"]`},
		{Options{DropColumns: []string{"s"}}, "@attribute s string\n@attribute a numeric\n@attribute y numeric\n" +
			"@data\n'x y',1,0\n?,2,1\n", `["a"] [1 2] ["0" "1"]`},
		{Options{Categorical: []string{"y"}}, "@attribute a numeric\n@attribute y {1,1.0,01}\n@data\n1,1\n2,1.0\n" +
			"3,01\n4,1\n5,1.0\n6,01\n", `["a"] [1 2 3 4 5 6] ["1" "1.0" "01" "1" "1.0" "01"]`},
		{Options{}, "@attribute a numeric\n@attribute y {other,1,2}\n@data\n0,other\n1,1\n3,2\n5,1\n7,2\n",
			`["a"] [0 1 3 5 7] ["other" "1" "2" "1" "2"]`},
		{Options{}, field("r30.arff"), `["a"] [1 2] ["-1" "1"]`},
		{Options{}, field("r31.arff"), `["a"] [1 2] ["u" "v"]`},
		{Options{}, field("r34.arff"), `["a=A\nB" "a=B\nC"] [1 0 0 1] ["class A" "class B"]`},
		{Options{}, field("r5.arff"), `["a=a\tb" "a=atb" "a=it's"] [0 0 1 1 0 0 0 1 0] ["u" "v" "u"]`},
	} {
		var d *Dataset
		if strings.HasPrefix(c.text, "testdata") {
			d = must(c.options.Open(c.text))
		} else {
			d = mustRead(t, ARFF, c.options, c.text)
		}
		if got := fmt.Sprintf("%q %v %q", d.Features(), dense(d.X), d.Labels()); got != c.want {
			t.Errorf("%.40q: %s, expected %s", c.text, got, c.want)
		}
	}
	d := mustRead(t, ARFF, Options{Label: "y", Regression: true},
		"@attribute y numeric\n@attribute a integer\n@data\n1.5,3\n0,0\n")
	if !slices.Equal(d.Y, []float64{1.5, 0}) || !slices.Equal(dense(d.X), []float64{3, 0}) {
		t.Errorf("%v: %v %v", d, dense(d.X), d.Y)
	}
	wantError(t, errorOf(Options{Missing: Fill}.Open(field("r18.arff"))), `two features would be named "a=?"`)
}

func TestARFFErrors(t *testing.T) {
	const head = "@attribute a {u,v}\n@attribute y {0,1}\n@data\n"
	for text, want := range map[string]string{
		"":                           "the file ends before @data",
		"@relation r\n@data\n":       `line 2: got "@data"; the header consists of`,
		"@attribute a\n":             `line 1: attribute 1: "a" has no name or no type`,
		"@attribute 'a b numeric":    "line 1: attribute 1: the quote ' is not closed",
		"@attribute a {x,y\n":        `"a": the list of values is not closed`,
		"@attribute a {x,x}\n":       `"a": the value "x" is empty or declared twice`,
		"@attribute a {u,v} w\n":     `"a": "w" follows the list of values`,
		"@attribute s date\n" + head: `attribute 1 (s) has the type "date"`,
		head:                         "no rows",
		head + "u\n":                 "row 1 (line 4): 1 cell for 2 attributes",
		head + "u,2\n":               `row 1 (line 4), column 2 (y): "2" is not among the declared values 0, 1`,
		head + ",1\n":                "row 1 (line 4), column 1 (a): the cell is empty; write ?",
		head + "'u' 2,1\n":           `row 1 (line 4): "2,1" follows the quoted "u"`,
		head + "{0 u}\n":             "row 1 (line 4): sparse rows are not read",
	} {
		wantError(t, errorOf(read(ARFF, Options{}, text)), want)
	}
}
