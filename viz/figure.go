package viz

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
)

// Kind says how a figure's data are to be drawn.
type Kind string

// The kinds of figures.
const (
	KindLines     Kind = "lines"
	KindScatter   Kind = "scatter"
	KindBars      Kind = "bars"
	KindHeat      Kind = "heat"
	KindMatrix    Kind = "matrix"
	KindTable     Kind = "table"
	KindMultiples Kind = "multiples"
)

// Figure is one figure as plain data: it can be printed, compared, hashed, and stored as JSON and
// read back equal. Make one by a constructor (Lines, Bars, Heat …), refine it by the With methods,
// each of which returns a changed copy.
type Figure struct {
	Kind    Kind   `json:"kind"`
	Title   string `json:"title"`         // a sentence saying what the figure shows
	Caption string `json:"caption"`       // how to read it: data, n, seeds, what a band is
	Alt     string `json:"alt"`           // what a reader who cannot see it needs
	X       Axis   `json:"x,omitzero"`    // of lines, scatter, heat; of bars the groups' axis
	Y       Axis   `json:"y,omitzero"`    // of lines, scatter, heat; of bars the values' axis
	Z       Axis   `json:"z,omitzero"`    // what a colour means, of heat and matrix
	Flipped bool   `json:"flip,omitzero"` // bars that lie, for groups with long names

	Series    []Series   `json:"series,omitempty"`    // lines, scatter, bars; of heat what lies over it
	Groups    []string   `json:"groups,omitempty"`    // of bars: the name of each group
	Baselines []Baseline `json:"baselines,omitempty"` // of lines, scatter, bars
	Cells     *Cells     `json:"cells,omitempty"`     // heat, matrix
	Sheet     *Sheet     `json:"sheet,omitempty"`     // table
	Panels    []Figure   `json:"panels,omitempty"`    // multiples
	Columns   int        `json:"columns,omitzero"`    // of multiples: panels in a row; 0 is as many as fit
}

// ID returns a short name made of f's content: equal figures have equal names, on every machine.
func (f Figure) ID() string {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(f); err != nil { // NaN: Validate says so
		fmt.Fprintf(h, "%+v", f)
	}
	return fmt.Sprintf("mkl-%016x", h.Sum64())
}

// Axis is one axis: its label with the unit, its scale, and where it ends if not at the data.
type Axis struct {
	Label string   `json:"label,omitempty"`
	Log   bool     `json:"log,omitzero"`
	Min   *float64 `json:"min,omitempty"` // nil: the data decide
	Max   *float64 `json:"max,omitempty"`
}

// Mark says what is drawn of a series of points.
type Mark string

// What is drawn of a series.
const (
	MarkLine   Mark = ""       // a line through the points
	MarkPoints Mark = "points" // the points alone
	MarkBoth   Mark = "both"   // line and points
	MarkStep   Mark = "step"   // a staircase: a value holds until the next point
)

// Series is one named set of points, or of bars. X and Y have equal lengths; Lo and Hi are empty or
// of that length too and hold the ends of a band or of error bars, not the distances to them.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x,omitempty"` // empty for bars
	Y    []float64 `json:"y"`
	Lo   []float64 `json:"lo,omitempty"`
	Hi   []float64 `json:"hi,omitempty"`
	Band string    `json:"band,omitempty"` // what Lo and Hi are: "quartiles of 20 splits"
	Mark Mark      `json:"mark,omitempty"`
}

// Baseline is a value to compare with, drawn as a dashed line across the figure, at y = Value.
type Baseline struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Cells are the values of a surface on a grid or of a matrix.
type Cells struct {
	// X (length c) and Y (length r) are the grid of a surface, ascending. Empty for a matrix.
	X []float64 `json:"x,omitempty"`
	Y []float64 `json:"y,omitempty"`
	// Rows (length r) and Cols (length c) name the rows and columns of a matrix. May be empty.
	Rows []string `json:"rows,omitempty"`
	Cols []string `json:"cols,omitempty"`
	// Z is r×c: the value at (X[j], Y[i]), or of row i from the top and column j.
	Z [][]float64 `json:"z"`
	// Block is the side of the square blocks whose means Z holds, 0 or 1 if it holds the values.
	Block int `json:"block,omitzero"`
	// Diverging colours Z by a map symmetric about 0.
	Diverging bool `json:"diverging,omitzero"`
	// Levels are the values at which a contour is drawn, ascending.
	Levels []float64 `json:"levels,omitempty"`
	// Classes name the values 0, 1, … of a surface that takes no others: the legend has the colour of each,
	// nothing is drawn between two, and there is no colour bar. May be empty.
	Classes []string `json:"classes,omitempty"`
	// Regions are hatched.
	Regions []Region `json:"regions,omitempty"`
}

// Region is the part {V ≥ 0} of a surface's grid, V given at its points (r×c): for example the
// least eigenvalue of a Hessian, so that the region is where the Hessian is positive semidefinite.
type Region struct {
	Name string      `json:"name"`
	V    [][]float64 `json:"v"`
}

// Sheet is the content of a table.
type Sheet struct {
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`            // as many cells as columns in each
	Notes   []string `json:"notes,omitempty"` // footnotes, below the table
}

// Column is the head of a table's column.
type Column struct {
	Name  string `json:"name"`
	Right bool   `json:"right,omitzero"` // its text stands to the right, as numbers do
}

// Cell is one entry of a table.
type Cell struct {
	Text   string   `json:"text"`
	Value  *float64 `json:"value,omitempty"`  // the number that Text rounds, if it is one
	Strong bool     `json:"strong,omitempty"` // emphasised: the best of its row, say
}

// Picture is a drawn figure.
type Picture struct {
	Width  int             `json:"width,omitzero"`   // in CSS pixels
	Height int             `json:"height,omitzero"`  // in CSS pixels
	SVG    string          `json:"svg,omitempty"`    // an SVG document
	PNG    []byte          `json:"png,omitempty"`    // a PNG file, base64 in JSON
	Option json.RawMessage `json:"option,omitempty"` // an ECharts 5 option, script-safe
	Error  string          `json:"error,omitempty"`  // why there is no picture
}
