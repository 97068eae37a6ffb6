package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestAllFaultsAtOnce reads a file with several faults: the first error names the option of each, and these options
// together read the file. Faults of which one hides another are no later fault of a wrong guess.
func TestAllFaultsAtOnce(t *testing.T) {
	text := "Report of station 7;;;;\nday;temp;rain;note;alarm\n;°C;mm;;\n"
	for i := range 40 {
		rain := fmt.Sprintf("%d,5", i%7)
		if i%9 == 4 {
			rain = "k.A."
		}
		text += fmt.Sprintf("%02d.01.2022;%d,%d;%s;n%d;%s\n", 1+i%28, i%30, i%10, rain, i%3, []string{"yes", "no"}[i%2])
	}
	text += "Total;;120,5;;\n"
	_, err := read(CSV, Options{}, text)
	wantError(t, err, "Options.SkipRows: 1", "Options.UnitLine", "Options.SkipFooter: 1", "Options.Dates",
		"Options.Decimal: ','", "Options.MissingMarkers")
	mustRead(t, CSV, Options{SkipRows: 1, UnitLine: true, SkipFooter: 1, Dates: DateLayouts{"day": "02.01.2006"},
		Decimal: ',', MissingMarkers: []string{"k.A."}, Missing: Drop}, text)
	for text, want := range map[string]string{ // the options of an error read the file
		"when,y\n31.01.2022,1\n01.02.2022,0\n":                      `data.DateLayouts{"when":"02.01.2006"}`,
		"when,y\n1/31/2022,1\n2/1/2022,0\n":                         `data.DateLayouts{"when":"1/2/2006"}`,
		"when,y\n01/02/2022,1\n02/01/2022,0\n":                      "",
		"when,y\n31.01.22,1\n01.02.22,0\n":                          "",
		"a,y\n1,\"1,000\"\n2,\"2,000\"\n3,\"2,500\"\n4,\"3,700\"\n": "Thousands: ',', Regression: true",
		"a,y\n1,2.5\n2,1.5\n3,4.5\n4,\n":                            "Regression: true, Missing: data.Drop",
		"a;b;y\n1.000;0,25;u\n2.500;0,5;v\n1.250;0,75;u\n":          "Decimal: ',', Thousands: '.'",
	} {
		_, err := read(CSV, Options{}, text)
		e := (*OptionsError)(nil)
		if !errors.As(err, &e) {
			t.Fatalf("%q: %v", text, err)
		}
		if got := fmt.Sprintf("%#v", e.Options); !strings.Contains(got, want) || want == "" && e.Options.Dates != nil {
			t.Errorf("%q: the options are %s, expected %q", text, got, want)
		}
		if want != "" {
			mustRead(t, CSV, e.Options, text)
		}
	}
	_, err = read(CSV, Options{}, "a,y\n1,1000000\n2,2000000\n3,2.50\n")
	wantError(t, err, `"1000000"`, `"2000000"`, `"2.50"`) // as in the file
	_, err = read(CSV, Options{}, "x;y\n1,5;a\n2,5;b\n3,5;a\n")
	wantError(t, err, "Options.Decimal: ','")
	if strings.Count(err.Error(), "Options.Decimal") != 1 {
		t.Errorf("one fault is named twice: %v", err)
	}
	_, err = read(CSV, Options{}, "a;b;y\n1.5;0,25;u\n2.25;0,5;v\n") // no decimal mark reads both columns
	if strings.Count(err.Error(), `"1.5"`) != 1 || strings.Count(err.Error(), `"0,25"`) != 1 {
		t.Errorf("not each fault once: %v", err)
	}
}

// TestFaultsDiffer reads files with an identifier and two later faults: no fault is named twice, and a file with more
// values than a categorical column may have is read with the options of the error.
func TestFaultsDiffer(t *testing.T) {
	for _, n := range []int{40, 400} {
		text := "id;day;rain;y\n"
		for i := range n {
			text += fmt.Sprintf("P%d;%02d.01.2022;%d,5;%d\n", i, 1+i%28, i%7, i%2)
		}
		for _, missing := range []Policy{Refuse, Fill} {
			_, err := read(CSV, Options{Missing: missing}, text)
			e := (*OptionsError)(nil)
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			if count := strings.Count(err.Error(), "(id)"); count != 1 {
				t.Errorf("%d rows: the column id is named %d times: %v", n, count, err)
			}
			if len(e.Options.DropColumns)+len(e.Options.Categorical) != 1 {
				t.Errorf("%d rows: the options are %#v", n, e.Options)
			}
			mustRead(t, CSV, e.Options, text)
		}
	}
	e := (*OptionsError)(nil) // the advice keeps a column that could be dropped
	if _, err := read(CSV, Options{}, "a,x,y\n1,2,0\n2,3,1\n3,red,1\n"); !errors.As(err, &e) ||
		!slices.Equal(e.Options.Categorical, []string{"x"}) || e.Options.DropColumns != nil {
		t.Errorf("a word among numbers: %v", err)
	}
}

// TestCommentAtEnd reads comments at the ends of rows, which would be other classes, and texts that are none.
func TestCommentAtEnd(t *testing.T) {
	for _, mark := range []string{"#", "//"} {
		text := "x,y\n1,a\n2,b " + mark + " checked\n3,a\n4,b\n"
		_, err := read(CSV, Options{}, text)
		wantError(t, err, "line 3", fmt.Sprintf("Options.Comment: %q", mark))
		if d := mustRead(t, CSV, Options{Comment: mark}, text); len(d.Classes) != 2 {
			t.Errorf("classes %q", d.Classes)
		}
		mustRead(t, CSV, Options{Categorical: []string{"y"}}, text)
	}
	d := mustRead(t, CSV, Options{Comment: "#"}, "x,y\n1,flat #4\n2,\"flat # 5\"\n3,flat #4\n4,\"flat # 5\"\n")
	if strings.Join(d.Classes, "|") != "flat # 5|flat #4" {
		t.Errorf("classes %q", d.Classes)
	}
}

// TestFooterOfOneCell rejects a last row with one word, as in "Source: our lab", until an option decides.
func TestFooterOfOneCell(t *testing.T) {
	text := "name,h,y\nann,1,a\nann,2,b\nbob,3,a\nbob,4,b\nSource: our lab,,\n"
	_, err := read(CSV, Options{Missing: Drop}, text)
	wantError(t, err, "line 6", "Options.SkipFooter: 1")
	if d := mustRead(t, CSV, Options{SkipFooter: 1}, text); d.Len() != 4 {
		t.Errorf("%d points", d.Len())
	}
}

// TestFirstRowAlone has a doubt for a line of units above words only, and none if a cell of it occurs again.
func TestFirstRowAlone(t *testing.T) {
	rows := strings.Repeat("red,round,no\nblue,flat,yes\n", 6)
	for first, isDoubted := range map[string]bool{"shade,outline,answer": true, "red,outline,answer": false} {
		d := mustRead(t, CSV, Options{Label: "sick"}, "color,shape,sick\n"+first+"\n"+rows)
		if got := strings.Contains(strings.Join(d.Doubts, " "), "Options.UnitLine"); got != isDoubted {
			t.Errorf("%s: doubts %q", first, d.Doubts)
		}
	}
}
