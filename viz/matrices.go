package viz

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// maxSide is the largest number of rows and of columns of a matrix that is drawn. It is limited because the file of a
// notebook stores every cell.
const maxSide = 100

// Matrix returns z as colors of a sequential map. Use it for values of one sign, such as the entries of a Gram matrix.
// Its axes are called column and row unless WithAxes names them. If z has more than 100 rows or columns, the figure
// stores the means of square blocks, and the caption states their size.
func Matrix(title, caption string, z Grid) Figure {
	c := &Cells{}
	if c.Z, c.Block = blockMeans(z); c.Block == 1 {
		c.Block = 0
	}
	if caption != "" {
		caption += c.blockNote()
	}
	f := Figure{Kind: KindMatrix, Title: title, Caption: caption, Cells: c, X: Axis{Label: "column"},
		Y: Axis{Label: "row"}}
	return f.withDescription()
}

// blockNote returns the sentence of a caption that states the size of the blocks whose means are shown, or "" if all
// values are shown.
func (c *Cells) blockNote() string {
	if c.Block == 0 {
		return ""
	}
	return fmt.Sprintf(" Shown are the means of %d×%[1]d blocks.", c.Block)
}

// Signed returns Matrix with a diverging color map symmetric about 0. Use it for values of both signs, such as the
// entries of a centered Gram matrix.
func Signed(title, caption string, z Grid) Figure {
	f := Matrix(title, caption, z)
	f.Cells.Diverging = true
	return f.withDescription()
}

// Sorted returns a figure of symmetric matrices between the same points, with one panel for each matrix. If there is
// one matrix, it returns the figure of that matrix alone. class holds the class of each point as a number; rows and
// columns are sorted by it in ascending order. If class is nil, the order does not change. A similarity that is useful
// for learning shows a block for each class. If some entry is negative, the colors are symmetric about 0.
func Sorted[G Grid](title, caption string, class []float64, names []string, ms ...G) Figure {
	var panels []Figure
	signed := false
	for k, m := range ms {
		axis := "point"
		n, _ := m.Dims()
		s := permutedGrid{m, make([]int, n)}
		for i := range s.order {
			s.order[i] = i
		}
		if len(class) == n {
			axis = "point, sorted by class"
			slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(class[a], class[b]) })
		}
		for i := range n {
			for j := range n {
				signed = signed || m.At(i, j) < 0
			}
		}
		panels = append(panels, Matrix(nameOrNumber(names, k), "", s).WithColour("entry").WithAxes(axis, axis))
	}
	for k := range panels {
		panels[k].Cells.Diverging = signed
	}
	if len(panels) > 0 {
		caption += panels[0].Cells.blockNote()
	}
	if len(panels) == 1 {
		return panels[0].applyToCopy(func(f *Figure) { f.Title, f.Caption = title, caption })
	}
	return Multiples(title, caption, 3, panels...)
}

// permutedGrid is a square matrix with its rows and columns in a different order.
type permutedGrid struct {
	Grid
	order []int
}

// At returns entry (i, j) of the permuted matrix.
func (p permutedGrid) At(i, j int) float64 { return p.Grid.At(p.order[i], p.order[j]) }

// Spectrum returns a figure of the eigenvalues of a matrix: each eigenvalue against its number. The values must ascend;
// there must be at least one. An eigenvalue counts as negative if it is below 0 by more than rounding, 1e-10 times the
// largest |eigenvalue|. Negative eigenvalues have a different color and mark.
//
// Very large eigenvalues would hide negative ones. Therefore, if there are negative eigenvalues, the figure omits the
// eigenvalues above 5·|λ|, where λ is the least one, provided that these are at most a tenth of all eigenvalues. The
// caption states how many it omits.
func Spectrum(title, caption string, values []float64) Figure {
	n := len(values)
	least, greatest := values[0], values[n-1]
	negative, _ := slices.BinarySearch(values, -1e-10*math.Max(math.Abs(least), math.Abs(greatest)))
	shown, _ := slices.BinarySearch(values, math.Nextafter(-5*least, math.Inf(1)))
	if negative == 0 || 10*(n-shown) > n {
		shown = n
	}
	if shown < n {
		caption += fmt.Sprintf(" Left out: %d above %s, up to %s.", n-shown, FormatNumber(-5*least),
			FormatNumber(greatest))
	}
	var lines []Line
	add := func(name string, from, to int) { // the eigenvalues from, …, to − 1
		var p Points
		for i := from; i < to; i++ {
			p.X, p.Y = append(p.X, float64(i+1)), append(p.Y, values[i])
		}
		l := Line{Name: name, XYs: p}
		if to-from <= 40 {
			l.Mark = MarkPoints
		}
		if from < to {
			lines = append(lines, l)
		}
	}
	add("0 or more", negative, shown)
	add("negative", 0, negative)
	f := Lines(title, caption, lines...).WithAxes("number of the eigenvalue", "eigenvalue")
	if negative > 0 {
		f = f.WithBaseline("0", 0)
	}
	return f
}

// blockMeans divides z into square blocks and returns the mean of each block, and the side of the blocks. The side is
// the smallest one with at most maxSide rows and columns of blocks. Blocks at the right and lower ends may be smaller.
func blockMeans(z Grid) (means [][]float64, side int) {
	r, c := z.Dims()
	side = max(1, (max(r, c)+maxSide-1)/maxSide)
	for i := 0; i < r; i += side {
		row := make([]float64, 0, (c+side-1)/side)
		for j := 0; j < c; j += side {
			var sum float64
			h, w := min(side, r-i), min(side, c-j)
			for a := range h {
				for b := range w {
					sum += z.At(i+a, j+b)
				}
			}
			row = append(row, sum/float64(h*w))
		}
		means = append(means, row)
	}
	return means, side
}
