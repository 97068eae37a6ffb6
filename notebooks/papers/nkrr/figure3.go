package nkrr

import (
	"context"
	"fmt"
	"slices"

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
	d, all := centred(d), kernel.AllPlaces(len(d.Y))
	half := draw(all, len(all)/2, seed)
	test := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return slices.Contains(half, i) })
	var list []Result
	for _, factor := range size.Factors {
		var splits []study.Split
		for r := range size.Repeats {
			splits = append(splits, study.Split{Train: draw(half, len(half)/factor, seed+uint64(100*factor+r)),
				Test: test})
			if factor == 1 {
				break // there is one subsample of all
			}
		}
		for degree := 1; degree <= 4; degree++ {
			e := experiment{Study: study.Study{Data: d, Splits: splits, Seed: seed}, x: factor}
			if len(splits[0].Train) > 2000 {
				e.Workers = 1 // the kernel between 4,096 points and 4,096 others is 134 MB
			}
			f := kernel.Features{Degree: degree, Constant: true, Prepare: kernel.Prepare{kernel.CentreColumns}}
			fixed := candidate{name: fmt.Sprintf("degree %d", degree), family: f, lambdas: study.HalfDecades(-2, 2)}
			if err := e.add(ctx, fixed, splits[0].Train, size.Folds); err != nil {
				return nil, err
			}
			learned := candidate{name: fixed.name + " learned", family: f, q: 2, radii: []float64{0.5, 2, 8},
				lambdas: around(e.chosen[0].Lambda)}
			if err := e.add(ctx, learned, splits[0].Train, size.Folds); err != nil {
				return nil, err
			}
			more, err := e.results(ctx)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
	}
	return list, nil
}

// around is λ and the values a decade about it, by half decades.
func around(lambda float64) []float64 {
	var l []float64
	for _, c := range study.HalfDecades(-1, 1) {
		l = append(l, c*lambda)
	}
	return l
}

// Figure3Chart draws the error against the subsampling factor: of every degree with fixed weights, of 3 and 4 with
// learned ones too.
func Figure3Chart(title, caption string, list []Result) viz.Figure {
	var lines []viz.Line
	for degree := 1; degree <= 4; degree++ {
		name := fmt.Sprintf("degree %d", degree)
		if lines = append(lines, line(list, name)); degree > 2 {
			lines = append(lines, line(list, name+" learned"))
		}
	}
	return viz.Lines(title, caption, lines...).WithAxes("subsampling factor", "RMSE on the test half").WithLogX()
}

// Key is what a result of this size on d depends on.
func (s Size3) Key(d *data.Dataset) []any {
	return []any{1, d.Name, d.SHA256, s.Factors, s.Repeats, s.Folds}
}
