package data

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSerialNumbers: a feature that numbers the rows is doubted, also if some rows occur twice.
func TestSerialNumbers(t *testing.T) {
	for last, doubted := range map[int]bool{10: true, 12: false} {
		for _, repeated := range [][]int{nil, {3}, {3, 5, 9}} {
			var rows []string
			for i := 1; i < 10; i++ {
				rows = append(rows, fmt.Sprintf("%d,%d,%d\n", i, i*i, i%2))
			}
			rows = append(rows, fmt.Sprintf("%d,0,1\n", last))
			for _, i := range repeated {
				rows = append(rows, rows[i])
			}
			d := mustRead(t, CSV, Options{}, "id,a,y\n"+strings.Join(rows, ""))
			got := strings.Contains(fmt.Sprint(d.Doubts), `DropColumns: []string{"id"}`)
			if got != doubted || len(d.Doubts) > 1 {
				t.Errorf("last row %d, repeated %v: doubts %q", last, repeated, d.Doubts)
			}
		}
	}
}

// TestConstantColumns: a feature with one value is doubted by name, in ten rows or more and unless it is 0.
func TestConstantColumns(t *testing.T) {
	for _, c := range []struct {
		cell    string
		n       int
		doubted bool
	}{{"2020", 10, true}, {"DE", 10, true}, {"2020", 9, false}, {"0", 10, false}} {
		text := "a,where,y\n"
		for i := range c.n {
			text += fmt.Sprintf("%d,%s,%d\n", i*i%7, c.cell, i%2)
		}
		d := mustRead(t, CSV, Options{}, text)
		if got := strings.Contains(fmt.Sprint(d.Doubts), "where"); got != c.doubted || len(d.Doubts) > 1 {
			t.Errorf("%+v: doubts %q", c, d.Doubts)
		}
	}
}

// personRows returns a table of several rows for each of the names, with a measurement and a label that differs between
// names only.
func personRows(rng *rand.Rand, names []string, isRegression bool) string {
	var rows []string
	for _, name := range names {
		y := fmt.Sprint(rng.IntN(2))
		if isRegression {
			y = fmt.Sprintf("%.2f", rng.NormFloat64())
		}
		for range 3 + rng.IntN(6) {
			rows = append(rows, fmt.Sprintf("%s,%.3f,%s\n", name, rng.Float64(), y))
		}
	}
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return "who,a,y\n" + strings.Join(rows, "")
}

// TestRowsOfOnePerson: a table in which all rows of each person have the same label is an error that names the column
// and the options, for names and for numbers of persons, classes and targets. With the options it is read.
func TestRowsOfOnePerson(t *testing.T) {
	for _, pattern := range []string{"%d", "P%02d", "P%d", "ann %d smith", "%03d"} {
		for _, isRegression := range []bool{false, true} {
			var names []string
			for i := range 40 {
				names = append(names, fmt.Sprintf(pattern, 100+i))
			}
			text := personRows(rand.New(rand.NewPCG(1, 1)), names, isRegression)
			o := Options{Regression: isRegression, Categorical: []string{"who"}}
			if pattern == "%d" {
				o.Categorical = nil
			}
			wantError(t, errorOf(read(CSV, o, text)), "(who)", "Options.Group", "Options.IndependentRows")
			o.IndependentRows = true
			if d := mustRead(t, CSV, o, text); strings.Contains(fmt.Sprint(d.Doubts), "amounts") {
				t.Errorf("%s: names of persons are no amounts: %q", pattern, d.Doubts)
			}
			o.Categorical, o.IndependentRows, o.Group = nil, false, "who"
			mustRead(t, CSV, o, text)
		}
	}
	// persons in the order of the file, and of the label
	text := "who,a,y\n"
	for i := range 120 {
		text += fmt.Sprintf("%d,%d,%d\n", 1+i/4, i*i%17, i/60)
	}
	wantError(t, errorOf(read(CSV, Options{}, text)), "Options.Group")
	wantError(t, errorOf(read(CSV, Options{DropColumns: []string{"who"}}, text)), "Options.Group")
	wantError(t, errorOf(read(CSV, Options{Group: "who", IndependentRows: true}, text)), "Options.IndependentRows")
}

// TestOrdinaryColumnsAreNoPersons: columns that predict the label well, and repeated rows, are accepted.
func TestOrdinaryColumnsAreNoPersons(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for name, row := range map[string]func(i int) string{
		"eight levels that determine the label": func(int) string {
			k := rng.IntN(8)
			return fmt.Sprintf("c%d,%d", k, k%2)
		},
		"a measurement that determines the label": func(int) string {
			v := rng.NormFloat64()
			return fmt.Sprintf("%.1f,%d", v, map[bool]int{true: 1}[v > 0])
		},
		"whole numbers that determine the label": func(int) string {
			age := 20 + rng.IntN(60)
			return fmt.Sprintf("%d,%d", age, age/40)
		},
		"a level with other labels": func(i int) string {
			k := rng.IntN(40)
			return fmt.Sprintf("city %d,%d", k, map[bool]int{true: k % 2, false: rng.IntN(2)}[k > 9])
		},
		"each row twice": func(i int) string { return fmt.Sprintf("%d,%d", i/2*7919%1000, i/2*31%5%2) },
	} {
		text := "v,b,y\n"
		for i := range 300 {
			v, y, _ := strings.Cut(row(i), ",")
			text += fmt.Sprintf("%s,%d,%s\n", v, i/2%2, y)
		}
		if _, err := read(CSV, Options{}, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
