package nkrr

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"
)

// Reading is one reading of the protocol of section 4.1: "features were scaled to lie in the interval
// [0, 1]. Then, both labels and features were centered".
type Reading struct {
	Name     string
	Whole    kernel.Prepare // of all points beforehand, as in the paper
	Inside   kernel.Prepare // fitted to the training points alone
	Constant bool           // one more base kernel, 1·1ᵀ
}

// Readings are the four readings that the notebook compares; the first reproduces most of the table.
func Readings() []Reading {
	rows := kernel.Prepare{kernel.MinMax, kernel.CentreRows}
	columns := kernel.Prepare{kernel.MinMax, kernel.CentreColumns}
	return []Reading{
		{Name: "per example", Whole: rows},
		{Name: "per feature, as written", Whole: columns},
		{Name: "per feature + constant", Whole: columns, Constant: true},
		{Name: "leak-free", Inside: columns},
	}
}

// LeakFree reports whether everything is fitted and chosen inside the training part.
func (r Reading) LeakFree() bool { return r.Whole == nil }

// Size says how much of the protocol is computed; the paper's own is 30 halves and 10 folds.
type Size struct{ Halves, Folds int }

// The sizes of Table 1: of a test, of a reader who waits, and of the paper.
var (
	Quick    = Size{Halves: 2, Folds: 3}
	Standard = Size{Halves: 10, Folds: 10}
	Full     = Size{Halves: 30, Folds: 10}
)

// Columns are the columns of Table 1 in the order of the paper.
var Columns = []string{"linear base", "linear ℓ1", "linear ℓ2", "quadratic base", "quadratic ℓ1", "quadratic ℓ2"}

// Sets are the rows of Table 1; the file of the last one is the reader's.
var Sets = []string{"ionosphere", "sonar", "breast-wisconsin", "parkinsons"}

// Printed is Table 1 of the paper: mean and standard deviation of the RMSE.
var Printed = map[string][6][2]float64{
	"parkinsons":       {{.70, .03}, {.70, .04}, {.70, .03}, {.65, .03}, {.66, .03}, {.64, .03}},
	"ionosphere":       {{.82, .03}, {.81, .04}, {.81, .03}, {.62, .05}, {.62, .05}, {.60, .05}},
	"sonar":            {{.90, .02}, {.92, .03}, {.90, .04}, {.84, .03}, {.80, .04}, {.80, .04}},
	"breast-wisconsin": {{.70, .02}, {.71, .02}, {.70, .02}, {.70, .02}, {.70, .01}, {.70, .01}},
}

// The radii Λ that are tried.
var radii = map[float64][]float64{1: {1, 5, 25, 125}, 2: {0.5, 2, 8, 32}}

// Table1 is the study behind one row of Table 1: linear and quadratic combinations, each with weights
// 1 (base) and learned on the 1-norm and 2-norm ball about 1; λ and Λ by cross-validation, on all the
// data as in the paper, or of the reading leak-free inside each training half. λ of the base is searched
// from 1e-3 to 1e4 by half decades, of learned weights within 1.3 decades of it; both searches go on
// beyond an end that is chosen, by up to 4 decades.
//
// Groups are looked at by leak-free alone: there no person is on both sides of a split or fold.
func Table1(d *data.Dataset, r Reading, size Size, seed uint64) (*study.Study, error) {
	var draw []study.Draw
	if d.Group != nil && r.LeakFree() {
		draw = append(draw, study.ByGroup(d.Group))
	}
	halves, err := study.Halves(d.Y, size.Halves, seed, draw...)
	if err != nil {
		return nil, err
	}
	if d, err = r.apply(d); err != nil {
		return nil, err
	}
	s := &study.Study{
		Data: d, Splits: halves, Seed: seed, CentreTargets: r.LeakFree(),
		Selection: study.Selection{Once: !r.LeakFree(), Folds: size.Folds},
	}
	lambdas := study.Ridge(study.HalfDecades(-3, 4)...).Growing(4)
	for degree := 1; degree <= 2; degree++ {
		f := kernel.Features{Degree: degree, Prepare: r.Inside, Constant: r.Constant}
		name := Columns[3*(degree-1):]
		base := study.Method{Name: name[0], Family: f,
			Grid: study.Grid{lambdas, study.Sets(set.Orthant{}), study.Rules(mkl.Uniform{})}} // θ = 1
		s.Methods = append(s.Methods, base)
		for q := 1; q <= 2; q++ {
			balls := study.Balls(float64(q), 1, radii[float64(q)]...)
			learned := study.Method{Name: name[q], Family: f, Grid: study.Grid{lambdas.Near(base.Name, 1.3), balls}}
			s.Methods = append(s.Methods, learned)
		}
	}
	return s, nil
}

// apply prepares all the points, where the reading does.
func (r Reading) apply(d *data.Dataset) (*data.Dataset, error) {
	if r.LeakFree() {
		return d, nil
	}
	fit, err := r.Whole.Fit(d.X)
	if err != nil {
		return nil, err
	}
	c := centred(d)
	c.X, c.Classes, c.Group = fit.Apply(d.X), nil, nil
	return c, nil
}

// Block is one row of Table 1 under one reading and one seed.
type Block struct {
	Data    string
	Reading string
	Seed    uint64
	Halves  int
	Columns [6]Column
}

// DrawSeed is the seed of halves and folds.
func (b Block) DrawSeed() uint64 { return b.Seed }

// Column is one column of it: the error over the halves, what was chosen, what is proved, and the
// paired difference to the base column of the same degree.
type Column struct {
	Mean, SD     float64 // of the RMSE; SD is 0 of one half
	Lambda       float64 // median of what was chosen
	Radius       string  // "Λ=2", chosen most often; "" of the base
	Edge         int     // halves whose λ is at an end of its grid
	Proof        string  // of the worst solve
	Diff, Lo, Hi float64 // mean difference to the base and its 95 % interval, 0 of the base
}

// Summarise makes a Block of a finished study.
func Summarise(t *study.Table, r Reading) Block {
	b := Block{Data: t.Data, Reading: r.Name, Seed: t.Seed, Halves: t.Splits}
	for k, row := range t.Rows {
		s := t.Summary(row.Method, study.RMSE)
		c := Column{Mean: round(s.Mean), SD: round(s.SD), Proof: kept.Proof(&row)}
		c.Lambda, _, _ = row.Value()
		c.Radius, _ = row.Label()
		for _, run := range row.Runs {
			if run.Edge {
				c.Edge++
			}
		}
		if base := 3 * (k / 3); k != base {
			d := t.Compare(row.Method, Columns[base], study.RMSE)
			c.Diff, c.Lo, c.Hi = round(d.Mean), round(d.Lo), round(d.Hi)
		}
		b.Columns[k] = c
	}
	return b
}

// Within counts the columns whose mean lies within so many printed standard deviations of the printed mean.
func (b Block) Within(sds float64) (n int) {
	for k, c := range b.Columns {
		if p := Printed[b.Data][k]; math.Abs(c.Mean-p[0]) <= sds*p[1] {
			n++
		}
	}
	return n
}
