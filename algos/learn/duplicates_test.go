package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// twice is n normal points, each of them there twice with the same label, which nothing predicts.
func twice(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 26))
	x := points.Rows{N: 2 * n, D: 3, Data: make([]float64, 6*n)}
	y := make([]float64, 2*n)
	place := rng.Perm(2 * n)
	for i := range n {
		point := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		label := float64(2*(i%2) - 1)
		for _, k := range place[2*i : 2*i+2] {
			copy(x.Row(k), point)
			y[k] = label
		}
	}
	return &data.Dataset{Name: "twice", X: x, Y: y, Classes: []string{"minus", "plus"}}
}

// Labels that are noise, every row twice: the accuracy is that of no skill, and the note says why. A control that
// divides duplicates as other points finds skill.
func TestLearnDuplicates(t *testing.T) {
	skill, control := 0.0, 0.0
	const seeds = 4
	for seed := range uint64(seeds) {
		d := twice(40, seed)
		family := WithFamily(kernel.List{kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}})
		l := learn(t, d, family, WithSeed(seed))
		skill += l.Table.Summary(SelectedName, model.Accuracy).Mean / seeds
		says(t, l.DuplicateNote, "40 of 80 points repeat an earlier point. They do not leak: equal points are in the "+
			"same part of each split")
		l = learn(t, d, family, WithSplits(must(fit.Holdout(d.Y, 0.25, 4, seed))))
		control += l.Table.Summary(SelectedName, model.Accuracy).Mean / seeds
		says(t, l.DuplicateNote, "; 4 of 4 splits (WithSplits) have equal points in the training and the test part, "+
			"so the score is optimistic.")
	}
	if skill > 0.6 || control < 0.6 {
		t.Errorf("mean accuracy %.3f with repeats together, %.3f with repeats apart: want ½ and more", skill, control)
	}
}

// Equal points of every kind are duplicates: rows, dense or sparse, sequences, rows of matrices, places. Groups that
// share a point become one.
func TestGroupDuplicates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	measures := points.Rows{N: 40, D: 2, Data: make([]float64, 80)}
	for i := range measures.Data {
		measures.Data[i] = rng.NormFloat64()
	}
	copy(measures.Row(7), measures.Row(3))
	copy(measures.Row(20), measures.Row(3))
	// of rows 1 and 31, which are equal but for the sign of zero
	measures.Data[0], measures.Data[60] = 0, math.Copysign(0, -1)
	measures.Data[61] = measures.Data[1]
	sparse := points.Sparse{D: 2, Ptr: []int{0}}
	for i := range measures.N {
		for j, v := range measures.Row(i) {
			if v != 0 || i == 30 { // a zero that is there, too
				sparse.Col, sparse.Val = append(sparse.Col, j), append(sparse.Val, v)
			}
		}
		sparse.Ptr = append(sparse.Ptr, len(sparse.Col))
	}
	var sequences points.Sequences
	for i := range 40 {
		sequences = append(sequences, strings.Repeat("ACGT", 5+i%30))
	}
	gram := kernel.Precomputed{N: 40, Data: make([]float64, 1600)}
	for i := range 40 {
		for j := range 40 {
			for k, v := range measures.Row(i) {
				gram.Data[i*40+j] += v * measures.Row(j)[k]
			}
		}
	}
	places := points.AllIndices(40)
	for name, c := range map[string]struct {
		d    data.Dataset
		want int
	}{
		"dense":        {data.Dataset{X: measures}, 3},
		"sparse":       {data.Dataset{X: sparse}, 3},
		"sequences":    {data.Dataset{X: sequences}, 10},
		"grams":        {data.Dataset{X: places, Kernels: kernel.List{gram}}, 3},
		"similarities": {data.Dataset{X: places, Similarities: []data.Similarity{{N: 40, S: gram.Data}}}, 3},
		"places":       {data.Dataset{X: points.Indices{1, 2, 1, 2, 3}}, 2},
		"none":         {data.Dataset{X: places}, 0},
	} {
		c.d.Y = make([]float64, c.d.X.Len())
		d, n := fit.GroupDuplicates(&c.d)
		if n != c.want || (d.Group == nil) != (n == 0) || n > 0 && countDistinct(d.Group) != c.d.Len()-n {
			t.Errorf("%s: %d duplicates, groups %v, want %d", name, n, d.Group, c.want)
		}
	}
	d := &data.Dataset{X: measures, Y: make([]float64, 40), Group: make([]string, 40)}
	for i := range d.Group {
		// rows 4, 8 and 21 repeat: the groups of 4, 8 and 21 become one, and those of 1 and 31
		d.Group[i] = fmt.Sprint(i / 4)
	}
	d, _ = fit.GroupDuplicates(d)
	if countDistinct(d.Group) != 7 || d.Group[2] != d.Group[22] || d.Group[0] != d.Group[28] ||
		d.Group[4] != d.Group[20] {
		t.Errorf("groups %v", d.Group)
	}
}

// Points that repeat one another are right or wrong together: the interval of their rate is that of different ones.
func TestTestedCountsDifferentPoints(t *testing.T) {
	d := twice(20, 1)
	for i, row := range d.X.(points.Rows).Data { // the first feature tells the classes apart
		if i%3 == 0 {
			d.X.(points.Rows).Data[i] = row/100 + d.Y[i/3]
		}
	}
	l := learn(t, d, WithFamily(kernel.List{kernel.Linear{}}), WithLambda(1))
	if s := l.Table.Summary(SelectedName, model.Accuracy); l.Table.TestedCount > 20 || l.Table.TestedCount < 16 ||
		s.Mean < 0.99 || s.Lo > 0.86 {
		t.Errorf("of %d different points, %d rows, tested: %v", l.Table.TestedCount, len(d.Y), s)
	}
}
