package nkrr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// Size2 says how much of Figure 2 is computed.
type Size2 struct {
	Bigrams []int // how many of the most frequent pairs of words
	Points  int   // of the set
	Choice  int   // points that λ and Λ are chosen on
	Folds   int
	Halves  int
	Centre  bool // the targets lose their mean
}

// The sizes of Figure 2: of a test, of a reader who waits, of the paper, and the same without the targets' mean.
var (
	Quick2    = Size2{Bigrams: []int{50, 100}, Points: 200, Choice: 100, Folds: 2, Halves: 2}
	Standard2 = Size2{Bigrams: []int{250, 500, 1000}, Points: 800, Choice: 400, Folds: 3, Halves: 4}
	Full2     = Size2{Bigrams: []int{500, 1000, 2000, 3600}, Points: 2000, Choice: 1000, Folds: 10, Halves: 20}
	Centred2  = Size2{Bigrams: []int{500}, Points: 2000, Choice: 1000, Folds: 10, Halves: 20, Centre: true}
)

// Reviews returns the reviews of the paper of which the reader has the file (kitchen, electronics), or the
// embedded stand-in, whose targets are two classes: its errors have another scale.
func Reviews() (sets []*data.Dataset, err error) {
	for _, name := range []string{"kitchen", "electronics"} {
		d, err := data.Load(name)
		if errors.Is(err, data.ErrAbsent) {
			continue
		} else if err != nil {
			return nil, err
		}
		sets = append(sets, d)
	}
	if sets != nil {
		return sets, nil
	}
	d, err := standIn()
	return []*data.Dataset{d}, err
}

// standIn is the embedded reviews, their two classes as the numbers −1 and +1.
func standIn() (*data.Dataset, error) {
	d, err := data.Load("finefoods")
	if err != nil {
		return nil, err
	}
	d.Classes = nil
	return d, nil
}

// Figure2 computes the experiment of section 4.2: quadratic kernels of counts of pairs of words, not centred,
// with a constant base kernel; weights 1, and learned on the 1-norm and the 2-norm ball about 1.
func Figure2(ctx context.Context, d *data.Dataset, size Size2, seed uint64) ([]Result, error) {
	d, err := d.Slice(draw(kernel.AllPlaces(len(d.Y)), size.Points, seed))
	if err != nil {
		return nil, err
	}
	if size.Centre {
		d = centred(d)
		d.Name += ", targets centred"
	}
	halves, err := study.Halves(d.Y, size.Halves, seed, study.AtRandom)
	if err != nil {
		return nil, err
	}
	choice := draw(kernel.AllPlaces(len(d.Y)), size.Choice, seed)
	var all []Result
	for _, k := range size.Bigrams {
		part, err := d.First(k)
		if err != nil {
			return nil, err
		}
		e := experiment{Study: study.Study{Data: part, Splits: halves, Seed: seed}, x: k}
		for _, c := range []candidate{
			{name: "baseline", lambdas: study.HalfDecades(0, 3)}, {name: "ℓ1", q: 1, radii: []float64{5, 25, 125}},
			{name: "ℓ2", q: 2, radii: []float64{2, 8, 32}},
		} {
			if c.family = (kernel.Features{Degree: 2, Constant: true}); c.radii != nil {
				c.lambdas = []float64{e.chosen[0].Lambda * math.Sqrt(10), e.chosen[0].Lambda}
			}
			if err := e.add(ctx, c, choice, size.Folds); err != nil {
				return nil, fmt.Errorf("%d bigrams: %w", k, err)
			}
		}
		list, err := e.results(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Figure2Chart draws the error of each method against the number of pairs, with a band of one standard deviation.
func Figure2Chart(title, caption string, list []Result) viz.Figure {
	var lines []viz.Line
	for _, name := range []string{"baseline", "ℓ1", "ℓ2"} {
		l := line(list, name)
		l.Band = "± sd of halves"
		for _, r := range list {
			if r.Method == name {
				l.Lo, l.Hi = append(l.Lo, r.Mean-r.SD), append(l.Hi, r.Mean+r.SD)
			}
		}
		lines = append(lines, l)
	}
	return viz.Lines(title, caption, lines...).WithAxes("pairs of words", "RMSE")
}

// line is the error of a method.
func line(list []Result, method string) viz.Line {
	var p viz.Points
	for _, r := range list {
		if r.Method == method {
			p.X, p.Y = append(p.X, float64(r.X)), append(p.Y, r.Mean)
		}
	}
	return viz.Line{Name: method, XYs: p, Mark: viz.MarkBoth}
}

// Key is what a result of this size on d depends on.
func (s Size2) Key(d *data.Dataset) []any {
	return []any{1, d.Name, d.SHA256, s.Bigrams, s.Points, s.Choice, s.Folds, s.Halves, s.Centre}
}

// Largest prints the k largest weights with the names of their features.
func Largest(r *mkl.Result, k int) string {
	order := kernel.AllPlaces(len(r.Theta))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Theta[b], r.Theta[a]) })
	var list []string
	for _, i := range order[:min(k, len(order))] {
		list = append(list, fmt.Sprintf("%s %.1f", r.Labels[i], r.Theta[i]))
	}
	return strings.Join(list, ", ")
}
