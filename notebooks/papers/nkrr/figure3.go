package nkrr

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// Size3 says how much of Figure 3 is computed.
type Size3 struct {
	Factors []int // subsampling factors of the training half
	Repeats int   // subsamples of each factor
	Folds   int   // to choose λ and Λ by, on the first subsample
}

// The sizes of Figure 3: of a test, of a reader who waits, and the whole figure, factors 1 to 100 as in the paper.
var (
	Quick3    = Size3{Factors: []int{50, 100}, Repeats: 2, Folds: 2}
	Standard3 = Size3{Factors: []int{5, 10, 20, 50}, Repeats: 5, Folds: 5}
	Full3     = Size3{Factors: []int{1, 2, 5, 10, 20, 50, 100}, Repeats: 5, Folds: 5}
)

// Figure3 computes the experiment of section 4.3 on regression data: the first half of the points to train
// on, subsampled by each factor, the second half to test on; polynomial kernels of degree 1 to 4 of
// features that lose their means, with a constant base kernel; weights 1 and learned on a 2-norm ball about 1.
func Figure3(ctx context.Context, d *data.Dataset, size Size3, seed uint64) ([]Result, error) {
	n := len(d.Y)
	c := *d
	c.Y = centred(d.Y)
	half, test := draw(UpTo(n), n/2, seed), []int(nil)
	in := make([]bool, n)
	for _, i := range half {
		in[i] = true
	}
	for i := range n {
		if !in[i] {
			test = append(test, i)
		}
	}
	var all []Result
	for _, factor := range size.Factors {
		var splits []study.Split
		for r := range size.Repeats {
			splits = append(splits, study.Split{Train: draw(half, len(half)/factor, seed+uint64(100*factor+r)), Test: test})
			if factor == 1 {
				break // there is one subsample of all
			}
		}
		for degree := 1; degree <= 4; degree++ {
			list, err := figure3(ctx, &c, degree, splits, size.Folds, factor, seed)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// figure3 is one degree at one factor.
func figure3(ctx context.Context, d *data.Dataset, degree int, splits []study.Split, folds, factor int, seed uint64) ([]Result, error) {
	f := kernel.Features{Degree: degree, Constant: true, Prepare: kernel.Prepare{kernel.CentreColumns}}
	s := &study.Study{Data: d, Splits: splits, Seed: seed}
	if len(splits[0].Train) > 2000 {
		s.Workers = 1 // the kernel between 4,096 points and 4,096 others is 134 MB
	}
	var how []Chosen
	lambdas := study.HalfDecades(-2, 2)
	for _, radii := range [][]float64{nil, {0.5, 2, 8}} {
		near := lambdas
		if radii != nil {
			near = around(how[0].Lambda)
		}
		m, c, err := choose(ctx, d, f, 2, radii, near, splits[0].Train, folds, seed)
		if err != nil {
			return nil, err
		}
		m.Name = fmt.Sprintf("degree %d", degree)
		if radii != nil {
			m.Name += " learned"
		}
		s.Methods, how = append(s.Methods, m), append(how, c)
	}
	list, err := repeat(ctx, s, factor, how)
	if err != nil {
		return nil, err
	}
	list[1].Steps, err = steps(ctx, d, f, 2, how[1], splits[0].Train)
	return list, err
}

// around is λ and the values a decade about it, by half decades.
func around(lambda float64) []float64 {
	var l []float64
	for _, c := range study.HalfDecades(-1, 1) {
		l = append(l, c*lambda)
	}
	return l
}

// Figure3Chart draws the error against the subsampling factor: fixed weights in points, learned ones joined.
func Figure3Chart(title, caption string, list []Result) viz.Figure {
	var lines []viz.Line
	for degree := 1; degree <= 4; degree++ {
		for _, learned := range []string{"", " learned"} {
			name := fmt.Sprintf("degree %d%s", degree, learned)
			l := viz.Line{Name: name, Mark: viz.MarkBoth}
			var p viz.Points
			for _, r := range list {
				if r.Method == name {
					p.X, p.Y = append(p.X, float64(r.X)), append(p.Y, r.Mean)
				}
			}
			l.XYs = p
			if degree > 2 {
				lines = append(lines, l)
			} else if learned == "" {
				lines = append(lines, l)
			}
		}
	}
	return viz.Lines(title, caption, lines...).WithAxes("subsampling factor", "RMSE on the test half").WithLogX()
}

// Key is what a result of this size on d depends on.
func (s Size3) Key(d *data.Dataset) []any {
	return []any{1, d.Name, d.SHA256, s.Factors, s.Repeats, s.Folds}
}
