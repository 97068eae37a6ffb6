package data

import (
	"fmt"
	"strings"
	"testing"
)

// TestWordsAmongQuantities: a column of dates, amounts, percentages or numbers with a unit in which two cells are a
// word is an error that names the options, for each spelling and each word. With the options it is read, or it is an
// error that names Categorical. One such cell among words is a doubt.
func TestWordsAmongQuantities(t *testing.T) {
	for _, spelling := range []string{"%d kg", "%d%%", "$%d", "%d €", "(%d)", "<%d", "~%d", "%d/min", "%d°C", "%d/7",
		"10-%d", "%d,5,000", "%d.5D+01", "2021-03-%02d", "%02d.03.2021", "%d/3/21", "%d-Mar-21", "10:%02d",
		"2021-03-%02dT10:00:00", "%d-Mar", "%d Sep", "EUR %d", "%dkg"} {
		for _, word := range []string{"unknown", "-", "n.a.", "none", "*", ".", "missing", "—", "TBD", "low"} {
			text := "v,b,y\n"
			for i := range 24 {
				cell := fmt.Sprintf(spelling, 1+i%8)
				if i == 5 || i == 16 {
					cell = word
				}
				text += fmt.Sprintf("%q,%d,%d\n", cell, i*i%11, i%2)
			}
			_, err := read(CSV, Options{IndependentRows: true}, text)
			wantError(t, err, "(v)", "Options.MissingMarkers", "Options.Categorical", "Options.Dates")
			o := Options{IndependentRows: true, Missing: Drop, MissingMarkers: []string{word}}
			if _, unit, ok := strings.Cut(fmt.Sprint(errorOf(read(CSV, o, text))), `data.Units{"v": "`); ok {
				unit, _, _ = strings.Cut(unit, `"`)
				o.Units = Units{"v": unit}
				if d := mustRead(t, CSV, o, text); d.Len() != 22 || dense(d.X)[2] != 2 {
					t.Errorf("%s with the unit %s: %v", spelling, unit, dense(d.X)[:4])
				}
			}
			o.Units, o.MissingMarkers, o.Categorical = nil, nil, []string{"v"}
			mustRead(t, CSV, o, text)
		}
	}
	for _, cell := range []string{"2020-01-05", "5 kg", "1-Mar", "5%"} {
		text := "v,y\n" + cell + ",1\n"
		for i := range 20 {
			text += fmt.Sprintf("w%d,%d\n", i%4, i*i%7)
		}
		d := mustRead(t, CSV, Options{Regression: true}, text)
		if !strings.Contains(fmt.Sprint(d.Doubts), cell) {
			t.Errorf("%s among words: doubts %q", cell, d.Doubts)
		}
	}
}

// TestOrdinaryWords: names that begin with a number are neither errors nor doubts.
func TestOrdinaryWords(t *testing.T) {
	for _, levels := range []string{"1Story,2Story,1.5Fin,SLvl", "10th,11th,9th,HS-grad,Bachelors,1st-4th",
		"4wd,fwd,rwd",
		"<0,0<=X<200,>=200,no checking", "1st,2nd,crew", "1Fam,2fmCon,Duplex", "3D,2D,flat"} {
		words, text := strings.Split(levels, ","), "v,b,y\n"
		for i := range 40 {
			text += fmt.Sprintf("%s,%d,%d\n", words[i%len(words)], i*i%7, i%2)
		}
		d, err := read(CSV, Options{}, text)
		if err != nil || len(d.Doubts) > 0 {
			t.Errorf("%s: %v, %+v", levels, err, d)
		}
	}
}

// meaningCase is a file that people understand at once. Without the option it is an error that names it, and with it,
// the file is read.
type meaningCase struct {
	name, text string
	without    Options
	names      string // in the error
	with       Options
	points     int
	features   string
	first      string // the numbers of the first point
}

// TestOptionsOfPeople: each oddity that programs and people write is an error that names an option, and the option
// reads it.
func TestOptionsOfPeople(t *testing.T) {
	for _, c := range []meaningCase{
		{name: "comments", text: "# by hand\na,y\n1,2\n2,3\n# later\n3,5\n", names: `Options.Comment: "#"`,
			with: Options{Comment: "#", Regression: true}, points: 3, features: "a", first: "1"},
		{name: "comments of %", text: "% by hand\na,b,y\n1,2,0\n2,3,1\n3,5,1\n", names: `Options.Comment: "%"`,
			with: Options{Comment: "%"}, points: 3, features: "a b", first: "1 2"},
		{name: "comments of //, with commas", text: "// a, b, c, d\na,b,y\n1,2,0\n2,3,1\n3,5,1\n",
			names: `Options.Comment: "//"`, with: Options{Comment: "//"}, points: 3, features: "a b", first: "1 2"},
		{name: "a title", text: "Report 2020\na,b,y\n1,2,0\n2,3,1\n3,5,1\n", names: "Options.SkipRows: 1",
			with: Options{SkipRows: 1}, points: 3, features: "a b", first: "1 2"},
		{name: "a title above two columns", text: "Report 2020\na,y\n1,2\n2,3\n3,5\n", names: "Options.SkipRows: 1",
			with: Options{SkipRows: 1, Regression: true}, points: 3, features: "a", first: "1"},
		{name: "a title and the label", text: "Report 2020\na,y\n1,2\n2,3\n3,5\n", without: Options{Label: "y"},
			names: "Options.SkipRows: 1", with: Options{SkipRows: 1, Label: "y", Regression: true}, points: 3,
			features: "a", first: "1"},
		{name: "a title with empty cells", text: "Report,,\na,b,y\n1,2,0\n2,3,1\n3,5,1\n", names: "Options.SkipRows: 1",
			with: Options{SkipRows: 1}, points: 3, features: "a b", first: "1 2"},
		{name: "a title and a blank line", text: "Report 2020\n\na,b,y\n1,2,0\n2,3,1\n3,5,1\n",
			names: "Options.SkipRows: 1",
			with:  Options{SkipRows: 1}, points: 3, features: "a b", first: "1 2"},
		{name: "a source", text: "a,b,y\n1,2,0\n2,3,1\n3,5,1\nSource: us\n", names: "Options.SkipFooter: 1",
			with: Options{SkipFooter: 1}, points: 3, features: "a b", first: "1 2"},
		{name: "two last lines", text: "a;b;y\n1;2;0\n2;3;1\n3;5;1\n---\n(3 rows affected)\n\n",
			names: "Options.SkipFooter: 2", with: Options{SkipFooter: 2}, points: 3, features: "a b", first: "1 2"},
		{name: "title, comment and source", text: "Report\n# x\na,b,y\n1,2,0\n2,3,1\n3,5,1\nSource: us\n",
			names: `Options.Comment: "#" and Options.SkipRows: 1 and Options.SkipFooter: 1`,
			with:  Options{Comment: "#", SkipRows: 1, SkipFooter: 1}, points: 3, features: "a b", first: "1 2"},
		{name: "a total among words", text: "region,x,y\nN,1,2\nS,3,4\nE,5,1\nTotal,9,7\n",
			names: "Options.SkipFooter: 1",
			with:  Options{SkipFooter: 1, Regression: true}, points: 3, features: "region=E region=N region=S x",
			first: "0 1 0 1"},
		{name: "a mean among words", text: "region,x,y\nN,1,2\nS,3,4\nE,5,1\nMean,3,2.3\n",
			names: "Options.SkipFooter: 1",
			with:  Options{SkipFooter: 1, Regression: true}, points: 3, features: "region=E region=N region=S x",
			first: "0 1 0 1"},
		{name: "a total among classes", text: "x,sick\n1,no\n3,yes\n5,no\n9,Total\n", names: "Options.SkipFooter: 1",
			with: Options{SkipFooter: 1}, points: 3, features: "x", first: "1"},
		{name: "a level Total", text: "region,x,y\nN,1,2\nS,3,4\nE,5,1\nTotal,9,7\n",
			names: `Categorical: []string{"region"}`,
			with:  Options{Categorical: []string{"region"}, Regression: true}, points: 4,
			features: "region=E region=N region=S region=Total x", first: "0 1 0 0 1"},
		{name: "units above numbers", text: "w,h,sick\ncm,kg,y/n\n1,2,no\n2,3,yes\n3,4,no\n", names: "Options.UnitLine",
			with: Options{UnitLine: true}, points: 3, features: "w h", first: "1 2"},
		{name: "units above amounts", without: Options{Label: "sick"},
			text:  "price,when,sick\nEUR,date,y/n\n$10,01/02/2020,no\n$20,02/02/2020,yes\n$10,03/02/2020,no\n",
			names: "Options.UnitLine", with: Options{UnitLine: true, Units: Units{"price": "$"},
				Dates: DateLayouts{"when": "02/01/2006"}}, points: 3, features: "price when", first: "10 18293"},
		{name: "types above words",
			text:    "color,shape,sick\n(text),(text),(y/n)\nred,round,no\nblue,flat,yes\nred,flat,no\n",
			without: Options{Label: "sick"}, names: "Options.UnitLine", with: Options{UnitLine: true}, points: 3,
			features: "color=blue color=red shape=flat shape=round", first: "0 1 0 1"},
		{name: "two columns of one name", text: "a,a,y\n1,2,0\n2,3,1\n3,5,1\n", names: "Options.NumberRepeatedNames",
			with: Options{NumberRepeatedNames: true}, points: 3, features: "a a.1", first: "1 2"},
		{name: "decimal commas in quotes", text: "a,y\n\"1,5\",\"2,5\"\n\"2,5\",\"3,5\"\n\"3,5\",\"4,5\"\n",
			names: "Options.Decimal: ','", with: Options{Decimal: ',', Regression: true}, points: 3, features: "a",
			first: "1.5"},
		{name: "the same, both stated", text: "a,y\n\"1,5\",\"2,5\"\n\"2,5\",\"3,5\"\n\"3,5\",\"4,5\"\n",
			names: "Options.Decimal: ','", with: Options{Decimal: ',', Comma: ',', Regression: true}, points: 3,
			features: "a", first: "1.5"},
		{name: "kilograms", text: "w,y\n5 kg,1\n6 kg,2\n7 kg,1\n", names: `Options.Units: data.Units{"w": "kg"}`,
			with: Options{Units: Units{"w": "kg"}}, points: 3, features: "w", first: "5"},
		{name: "amounts with a code", text: "w,y\nEUR 5,1\nEUR 6.5,2\nEUR -7,1\n", names: `data.Units{"w": "EUR"}`,
			with: Options{Units: Units{"w": "EUR"}}, points: 3, features: "w", first: "5"},
		{name: "percentages", text: "w,y\n5%,1\n-6.5%,2\n7%,1\n", names: `Options.Units: data.Units{"w": "%"}`,
			with: Options{Units: Units{"w": "%"}}, points: 3, features: "w", first: "5"},
		{name: "euros", text: "w;y\n1.355,90€;1\n-6,5€;2\n7,00€;1\n", names: `Options.Units: data.Units{"w": "€"}`,
			with: Options{Units: Units{"w": "€"}, Decimal: ',', Thousands: '.'}, points: 3, features: "w",
			first: "1355.9"},
		{name: "a target in percent", without: Options{Regression: true}, text: "w,y\n1,5%\n2,6%\n3,7%\n",
			names: "Options.Units", with: Options{Regression: true, Units: Units{"y": "%"}}, points: 3, features: "w",
			first: "1"},
		{name: "a minus sign of typography", text: "w,y\n\u22125,0\n2,1\n", names: "", with: Options{}, points: 2,
			features: "w", first: "-5"},
		{name: "years above decimals", text: "2010,2020\n1.5,2.5\n2.5,3.5\n4.5,1.5\n", names: "Options.Header",
			with: Options{Header: HeaderYes, Regression: true}, points: 3, features: "2010", first: "1.5"},
		{name: "an error of a spreadsheet", text: "w,y\nlow,0\n#DIV/0!,1\nhigh,1\n", names: "Options.MissingMarkers",
			with: Options{MissingMarkers: []string{"#DIV/0!"}, Missing: Drop, Regression: true}, points: 2,
			features: "w=high w=low", first: "0 1"},
		{name: "genes that a spreadsheet spoilt", text: "gene,x,y\n1-Mar,1,2\n2-Sep,2,3\nTP53,3,4\n1-Mar,4,5\n",
			without: Options{Regression: true}, names: "Options.Categorical",
			with: Options{Regression: true, Categorical: []string{"gene"}}, points: 4,
			features: "gene=1-Mar gene=2-Sep gene=TP53 x", first: "1 0 0 1"},
	} {
		_, err := read(CSV, c.without, c.text)
		if c.names != "" && (err == nil || !strings.Contains(err.Error(), c.names)) {
			t.Errorf("%s: error %v, want one that names %s", c.name, err, c.names)
		}
		d, err := read(CSV, c.with, c.text)
		if err != nil {
			t.Errorf("%s: with %s: %v", c.name, c.names, err)
			continue
		}
		first := strings.Trim(fmt.Sprint(dense(d.X)[:d.Dim()]), "[]")
		if d.Len() != c.points || strings.Join(d.Features(), " ") != c.features || first != c.first {
			t.Errorf("%s: %d points of %q, the first %s; want %d of %q, %s", c.name, d.Len(), d.Features(), first,
				c.points,
				c.features, c.first)
		}
	}
}

// TestLookAlikes: levels, classes and groups that look the same on a screen are doubted.
func TestLookAlikes(t *testing.T) {
	for _, pair := range []string{"yes|yes\u200b", "café|cafe\u0301", "very high|very\u00a0high", "very high|very  " +
		"high",
		"True|1", "'yes'|yes", "<=50K|<=50K.", "TRUE|True", "Red|red", "P1|p1"} {
		a, b, _ := strings.Cut(pair, "|")
		for _, o := range []Options{{Label: "y", Categorical: []string{"v"}}, {Label: "v", Categorical: []string{"v"}},
			{Label: "y", Group: "v"}} {
			text := "v,x,y\n"
			for i := range 20 {
				text += fmt.Sprintf("%s,%d,%d\n", []string{a, "other", b}[i%3], i*i%13, i%2)
			}
			d := mustRead(t, CSV, o, text)
			if !strings.Contains(fmt.Sprint(d.Doubts), "look alike") {
				t.Errorf("%q with %+v: doubts %q", pair, o, d.Doubts)
			}
		}
	}
	for _, pair := range []string{"1|1.0", "01|1"} {
		a, b, _ := strings.Cut(pair, "|")
		d := mustRead(t, CSV, Options{Group: "v"}, "v,x,y\n"+a+",1,0\n"+b+",2,1\n3,3,1\n")
		if !strings.Contains(fmt.Sprint(d.Doubts), "look alike") {
			t.Errorf("groups %q: doubts %q", pair, d.Doubts)
		}
	}
	for _, pair := range []string{"Männer|Manner", "a|b", "resume|résumé"} {
		a, b, _ := strings.Cut(pair, "|")
		d := mustRead(t, CSV, Options{}, "v,x,y\n"+a+",1,0\n"+b+",2,1\n"+a+",3,1\n")
		if len(d.Doubts) > 0 {
			t.Errorf("%q: doubts %q", pair, d.Doubts)
		}
	}
}

// TestHiddenDates: numbers that may be dates are doubted.
func TestHiddenDates(t *testing.T) {
	for text, doubted := range map[string]bool{
		"day,y\n20200131,1\n20200201,2\n20200229,3\n": true, "date,y\n43831,1\n43832,2\n43840,3\n": true,
		"day,y\n20200131,1\n20200201,2\n20200230,3\n": false, "n,y\n43831,1\n43832,2\n43840,3\n": false,
	} {
		d := mustRead(t, CSV, Options{Regression: true}, text)
		if got := strings.Contains(fmt.Sprint(d.Doubts), "may be "); got != doubted {
			t.Errorf("%q: doubts %q", text, d.Doubts)
		}
	}
	o := Options{Regression: true, Dates: DateLayouts{"date": "2006-01-02"}}
	if d := mustRead(t, CSV, o, "date,y\n2025-01-02,1\n2025-01-03,2\n2025-01-05,3\n"); len(d.Doubts) > 0 {
		t.Errorf("declared dates: doubts %q", d.Doubts)
	}
	wantError(t, errorOf(read(CSV, o, "date,y\n2025-01-02,1\n12/03/2025,2\n")), "row 2 (line 3)",
		"Options.MissingMarkers")
}

// TestJoinWithOneKey: a key that an option names counts, even if it is 1, 2, 3.
func TestJoinWithOneKey(t *testing.T) {
	for _, ids := range []string{"1 2 3", "p1 p2 p3", "7 2 3"} {
		id := strings.Fields(ids)
		a := must(Options{Name: "a", Key: "id", Regression: true, Format: CSV}.Read(strings.NewReader(fmt.Sprintf(
			"id,a,y\n%s,1,10\n%s,2,20\n%s,3,30\n", id[0], id[1], id[2]))))
		o := Options{Name: "b", Unlabeled: true, DropColumns: []string{"id"}, Format: CSV}
		b := must(o.Read(strings.NewReader(fmt.Sprintf("id,b\n%s,33\n%s,11\n%s,22\n", id[2], id[0], id[1]))))
		wantError(t, errorOf(Join(a, b)), "Options.Key")
		wantError(t, errorOf(Join(b, a)), "Options.Key")
		o.Key, o.DropColumns = "id", nil
		b = must(o.Read(strings.NewReader(fmt.Sprintf("id,b\n%s,33\n%s,11\n%s,22\n", id[2], id[0], id[1]))))
		same(t, "[1 11 2 22 3 33]", dense(must(Join(a, b)).X))
	}
}

// TestMarksAndNames: byte order marks are no part of a name, and an unknown name that looks like a known one is shown
// with its codes.
func TestMarksAndNames(t *testing.T) {
	d := mustRead(t, CSV, Options{}, "\uFEFF\uFEFFa,y\n1,0\n2,1\n")
	same(t, "[a]", d.Features())
	wantError(t, errorOf(read(CSV, Options{Label: "gro\u0308ße"}, "a,größe\n1,0\n2,1\n")), `\u0308`)
	wantError(t, errorOf(read(CSV, Options{}, "a,v,y\n1,2,0\n2,3,1\n3,1,0\nTotal,6,1\n")), "line 5")
}

// TestSkippedLinesOfNewFiles: no row of a new file is skipped because the training file had a title or a footer.
func TestSkippedLinesOfNewFiles(t *testing.T) {
	named := mustRead(t, CSV, Options{SkipFooter: 1}, "region,x,y\nN,1,0\nS,3,1\nTotal,4,1\n")
	unnamed := mustRead(t, CSV, Options{SkipRows: 1, Header: HeaderNo}, "Report\n1.5,2,u\n3,4,v\n")
	for _, c := range []struct {
		d       *Dataset
		in      string
		points  int
		skipped string // what the error names
	}{
		{named, "region,x\nN,5\nS,6\nTotal,11\n", 2, ""}, {named, "region,x\nN,5\nS,6\nSource: us\n", 2, ""},
		{named, "region,x\nN,5\nS,6\n", 0, "line 3"}, {unnamed, "Report\n1,2\n", 1, ""},
		{unnamed, "3,4\n1,2\n", 0, "line 1"},
	} {
		z, err := pointsIn(c.d.Encoding, file(t, "new.csv", c.in))
		if c.skipped != "" {
			wantError(t, err, c.skipped, "SkipFooter")
		} else if err != nil || z.Len() != c.points {
			t.Errorf("%q: %v, %v", c.in, z, err)
		}
	}
}

// TestQuotesInSkippedLines: a quote in a comment, a title or a footer opens no cell, so that no row is lost.
func TestQuotesInSkippedLines(t *testing.T) {
	for text, o := range map[string]Options{
		"a,b,y\n# a 5\" pipe\n1,2,0\n2,3,1\n3,5,1\n# a 6\" pipe\n4,5,0\n": {Comment: "#"},
		"All 5\" pipes\n(by hand)\na,b,y\n1,2,0\n2,3,1\n3,5,1\n4,5,0\n":   {SkipRows: 2},
		"a,b,y\n1,2,0\n2,3,1\n3,5,1\n4,5,0\nof 5\" pipes\n":               {SkipFooter: 1},
		"a,b,y\n1,2,0\n\"2\",\"3\",1\n3,5,1\n4,5,0\n":                     {},
	} {
		if d, err := read(CSV, o, text); err != nil || d.Len() != 4 {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
}
