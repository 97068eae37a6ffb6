package viz

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
)

// Kind is the type of a figure. It determines how the data are drawn.
type Kind string

// The kinds of figures.
const (
	KindLines     Kind = "lines"
	KindBars      Kind = "bars"
	KindHeat      Kind = "heat"
	KindMatrix    Kind = "matrix"
	KindTable     Kind = "table"
	KindMultiples Kind = "multiples"
)

// Figure is one figure as plain data. It can be printed, compared and hashed; a figure that is stored as JSON and read
// back equals the original. A constructor (Lines, Bars, Heat …) makes a figure. The With methods refine it; each
// returns a changed copy.
type Figure struct {
	Kind       Kind   `json:"kind"`
	Title      string `json:"title"`               // a sentence that states what the figure shows
	Caption    string `json:"caption"`             // how to read it: data, n, seeds, the meaning of a band
	Details    string `json:"details,omitempty"`   // more of the caption, which a page folds
	Alt        string `json:"alt"`                 // a description for a reader who cannot see the figure
	X          Axis   `json:"x,omitzero"`          // the x axis, or the axis of the groups of bars
	Y          Axis   `json:"y,omitzero"`          // the y axis, or the axis of the values of bars
	Z          Axis   `json:"z,omitzero"`          // values of a heat map or a matrix: its label explains the colors
	Horizontal bool   `json:"horizontal,omitzero"` // horizontal bars, for groups with long names or for many groups

	ShowsValues bool `json:"values,omitzero"` // each dot, and each mark of a line, has its value as a text above it
	IsSquare    bool `json:"square,omitzero"` // small, with equal scales of x and y, for two measures of one quantity

	Series    []Series   `json:"series,omitempty"`    // the lines or bars, or the curves over a heat map
	Groups    []string   `json:"groups,omitempty"`    // for bars: the name of each group
	Baselines []Baseline `json:"baselines,omitempty"` // reference values of lines and bars
	Cells     *Cells     `json:"cells,omitempty"`     // the values of a heat map or a matrix
	Sheet     *Sheet     `json:"sheet,omitempty"`     // for tables
	Panels    []Figure   `json:"panels,omitempty"`    // for multiples
	Columns   int        `json:"columns,omitzero"`    // for multiples: number of panels in a row, 1 to 6
}

// ID returns a short name computed from the content of f. Equal figures have equal names, on every machine.
func (f Figure) ID() string {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(f); err != nil { // JSON cannot hold NaN; Validate returns an error for it
		fmt.Fprintf(h, "%+v", f)
	}
	return fmt.Sprintf("mkl-%016x", h.Sum64())
}

// Axis is one axis: its label with the unit, its scale, and its ends and ticks if the data do not determine them.
type Axis struct {
	Label string      `json:"label,omitempty"`
	Log   bool        `json:"log,omitzero"`    // the scale is logarithmic
	Range *[2]float64 `json:"range,omitempty"` // the ends of the axis, the lower first; if nil, the data determine them
	Ticks []float64   `json:"ticks,omitempty"` // the values that are labeled, ascending; if nil, round numbers
}

// Mark is the way in which a series of points is drawn.
type Mark string

// The ways to draw a series of points.
const (
	MarkLine   Mark = ""       // a line through the points
	MarkPoints Mark = "points" // points without a line
	MarkBoth   Mark = "both"   // points joined by a line
)

// Series is one named set of points or of bars. X and Y have equal lengths. Lo and Hi are empty or have that length
// too. They hold the ends of a band or of error bars, not the distances to the ends.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x,omitempty"` // empty for bars
	Y    []float64 `json:"y"`
	Lo   []float64 `json:"lo,omitempty"`
	Hi   []float64 `json:"hi,omitempty"`
	Band string    `json:"band,omitempty"` // the meaning of Lo and Hi: "quartiles of 20 splits"
	Mark Mark      `json:"mark,omitempty"`
}

// Baseline is a reference value. It is drawn as a dashed line across the figure at this y.
type Baseline struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // position on the axis of values
}

// Cells are the values of a surface on a grid or of a matrix.
type Cells struct {
	// X and Y are the coordinates of the grid of a surface, in ascending order: one x for each column of Z, one y for
	// each row. They are empty for a matrix.
	X []float64 `json:"x,omitempty"`
	Y []float64 `json:"y,omitempty"`
	// Z[i][j] is the value at (X[j], Y[i]) or, in a matrix, in row i from the top and column j.
	Z [][]float64 `json:"z"`
	// ContourLevels are the values at which a contour is drawn.
	ContourLevels []float64 `json:"levels,omitempty"`
}

// Sheet is the content of a table.
type Sheet struct {
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"` // each row has as many cells as there are columns
}

// Column is the header of a column of a table.
type Column struct {
	Name         string `json:"name"`
	AlignedRight bool   `json:"right,omitzero"` // the entries are aligned at the right, as numbers are
	Help         string `json:"help,omitempty"` // an explanation, shown if the pointer is over the header in HTML
}

// Cell is one entry of a table.
type Cell struct {
	Text         string   `json:"text"`
	Value        *float64 `json:"value,omitempty"`  // the unrounded number if Text is a number
	IsEmphasized bool     `json:"strong,omitempty"` // for example the best entry of its row
}

// Picture is a drawn figure.
type Picture struct {
	Width  int             `json:"width,omitzero"`   // in CSS pixels
	Height int             `json:"height,omitzero"`  // in CSS pixels
	SVG    string          `json:"svg,omitempty"`    // an SVG document
	PNG    []byte          `json:"png,omitempty"`    // a PNG file, base64 in JSON
	Option json.RawMessage `json:"option,omitempty"` // an ECharts 5 option, safe in a script element
	Error  string          `json:"error,omitempty"`  // the reason if the figure could not be drawn
}
