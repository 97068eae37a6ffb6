package nkrr

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"
)

// short are the columns as the paper heads them.
var short = []string{"lin. base", "lin. ℓ1", "lin. ℓ2", "quad. base", "quad. ℓ1", "quad. ℓ2"}

// Compared is one row of Table 1, printed and under every reading.
func Compared(blocks []Block) viz.Figure {
	name := blocks[0].Data
	rows := [][]any{printed(name)}
	for _, b := range blocks {
		row := []any{fmt.Sprintf("%s, %d halves", b.Reading, b.Halves)}
		for k, c := range b.Columns {
			cell := viz.Spread(c.Mean, spread(c.SD), 3)
			if p := Printed[name][k]; math.Abs(c.Mean-p[0]) <= p[1] {
				cell = viz.Strong(cell)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	title := fmt.Sprintf("Table 1, %s: centred per example, %d of 6 columns come within one printed sd", name,
		blocks[0].Within(1))
	return viz.Table(title, "Root mean squared error, mean ± sd over random halves, seed "+fmt.Sprint(blocks[0].Seed)+
		". Bold: within one printed sd of the printed mean.", append([]string{"reading"}, short...), rows...)
}

// printed is the row of the paper.
func printed(name string) []any {
	row := []any{"printed"}
	for _, p := range Printed[name] {
		row = append(row, viz.Spread(p[0], p[1], 2))
	}
	return row
}

// spread is a standard deviation for viz.Spread, which leaves NaN out: of one half there is none.
func spread(sd float64) float64 {
	if sd == 0 {
		return math.NaN()
	}
	return sd
}

// Details is what was chosen and proved for every column of a block, and what learning brought.
func Details(b Block) viz.Figure {
	var rows [][]any
	ends := 0
	for k, c := range b.Columns {
		diff, radius := "–", c.Radius
		if c.Lo != 0 || c.Hi != 0 {
			diff = minus(fmt.Sprintf("%+.3f [%+.3f, %+.3f]", c.Diff, c.Lo, c.Hi))
		}
		if radius == "" {
			radius = "–"
		}
		ends += c.Edge
		rows = append(rows, []any{short[k], viz.Number(c.Mean, 3), fmt.Sprintf("%.3g", c.Lambda), radius,
			fmt.Sprintf("%d of %d", c.Edge, b.Halves), c.Proof, diff})
	}
	title := fmt.Sprintf("%s, %s: λ is at an end of its grid nowhere", b.Data, b.Reading)
	if ends > 0 {
		title = fmt.Sprintf("%s, %s: λ is at an end of its grid in %d fits", b.Data, b.Reading, ends)
	}
	return viz.Table(title, "What was chosen and what is proved of the worst solve. Differences are paired by half; "+
		"95 % intervals of Nadeau and Bengio.",
		[]string{"column", "RMSE", "λ", "Λ", "λ at an end", "proved", "learned − base [95 %]"}, rows...)
}

// Spreads is Table 1 of one set over several seeds: the least and the largest mean.
func Spreads(name string, list []Block) viz.Figure {
	rows := [][]any{printed(name)}
	for _, r := range Readings() {
		row := []any{r.Name}
		for k := range short {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, seed := range kept.Seeds(list) {
				v := find(kept.OfSeed(list, seed), name, r.Name).Columns[k].Mean
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
			row = append(row, decimal(lo)+" to "+decimal(hi))
		}
		rows = append(rows, row)
	}
	return viz.Table("Table 1 at full size, five seeds: "+name,
		fmt.Sprintf("Least and largest mean RMSE of seeds %v; each seed draws other halves and other folds for λ and "+
			"Λ. 30 halves, 10 folds; kept with the notebook.", kept.Seeds(list)),
		append([]string{"reading"}, short...), rows...)
}

// Held shows every conclusion with its number for each seed.
func Held(list []Block) viz.Figure {
	header := []string{"conclusion"}
	for _, s := range kept.Seeds(list) {
		header = append(header, fmt.Sprintf("seed %d", s))
	}
	var rows [][]any
	failed := 0
	for _, c := range Conclusions() {
		row := []any{c.Text}
		for _, s := range kept.Seeds(list) {
			ok, number := c.Holds(kept.OfSeed(list, s))
			if !ok {
				failed++
				number = "✗ " + number
			}
			row = append(row, number)
		}
		rows = append(rows, row)
	}
	title := "Every conclusion holds for every seed"
	if failed > 0 {
		title = fmt.Sprintf("Conclusions fail in %d cases", failed)
	}
	return viz.Table(title, "The number that decides each sentence of section 8, by seed; at full size.", header,
		rows...)
}
