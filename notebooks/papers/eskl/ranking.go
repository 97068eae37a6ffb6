package eskl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// The numbers of the methods of Single.
const (
	Denoise = iota
	Flip
	Shift
	IndSVM
	L2
	L1
	L3
)

// The numbers of the methods of Multiple: of the mean of the similarities, and of all of them.
const (
	MeanLinear = iota
	MeanDenoise
	MeanIndSVM
	SimpleMKL
	ESKLL1
	EMKLL1
	EMKLL2
	REKLL2
)

// Difference is a paired difference of accuracies in points.
type Difference struct{ Mean, SE float64 }

// Z is the mean in standard errors.
func (d Difference) Z() float64 { return d.Mean / math.Max(d.SE, 1e-9) }

// cell marks a difference beyond two standard errors.
func (d Difference) cell() viz.Cell {
	mark := ""
	switch {
	case d.Z() > 2:
		mark = " ▲"
	case d.Z() < -2:
		mark = " ▼"
	}
	return viz.Cell{Text: strings.Replace(fmt.Sprintf("%+.1f ± %.1f", d.Mean, d.SE), "-", "−", 1) + mark, Value: &d.Mean}
}

// Best is the method of the highest mean accuracy among some.
func (s *Scores) Best(methods []int) int {
	best, top := methods[0], math.Inf(-1)
	for _, m := range methods {
		x, _ := s.Column(m)
		if mean := stat.Mean(x, nil); mean > top {
			best, top = m, mean
		}
	}
	return best
}

// less are the differences of method a less b, one for each split.
func (s *Scores) less(a, b int) []float64 {
	x, _ := s.Column(a)
	y, _ := s.Column(b)
	floats.Sub(x, y)
	return x
}

// Less is the mean paired difference of method a less b.
func (s *Scores) Less(a, b int) Difference { return difference(s.less(a, b)) }

func difference(d []float64) Difference {
	mean, sd := stat.MeanStdDev(d, nil)
	return Difference{mean, sd / math.Sqrt(float64(len(d)))}
}

// Ranking is, for each set and draw, the paired differences of each learned kernel less the repair that is best on average in
// that draw, and of a set of several draws over all their splits; ▲ and ▼ mark those beyond two standard errors. pooled
// are the latter, or of one draw that: the paper's ranking is that they are not below 0. learned and repairs are numbers of methods.
func Ranking(title, caption string, learned, repairs []int, all ...*Scores) (f viz.Figure, pooled []Difference) {
	header := []string{"set", "points", "splits", "the best"}
	for _, m := range learned {
		header = append(header, all[0].Methods[m])
	}
	var names []string
	for _, s := range all {
		if !slices.Contains(names, s.Data) {
			names = append(names, s.Data)
		}
	}
	var rows [][]any
	for _, name := range names {
		splits, draws, together := 0, 0, make([][]float64, len(learned))
		for _, s := range all {
			if s.Data != name {
				continue
			}
			best := s.Best(repairs)
			row := []any{name, s.N, len(s.Splits), s.Methods[best]}
			for k, m := range learned {
				d := s.less(m, best)
				together[k] = append(together[k], d...)
				row = append(row, difference(d).cell())
			}
			rows = append(rows, row)
			splits, draws = splits+len(s.Splits), draws+1
		}
		row := []any{name, "all", splits, ""}
		for k := range learned {
			d := difference(together[k])
			pooled = append(pooled, d)
			row = append(row, viz.Strong(d.cell()))
		}
		if draws > 1 {
			rows = append(rows, row)
		}
	}
	return viz.Table(title, caption, header, rows...), pooled
}

// Clear counts differences beyond two standard errors, on either side.
func Clear(all []Difference) (above, below int) {
	for _, d := range all {
		switch z := d.Z(); {
		case z > 2:
			above++
		case z < -2:
			below++
		}
	}
	return above, below
}
