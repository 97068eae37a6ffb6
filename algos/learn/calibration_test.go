package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// clusters returns counts[c] points of class c around a corner of a square with sides of 6. If persons is not nil, the
// points of class c are from persons[c] persons in turn. repeated[c] states that the points of class c are equal.
func clusters(counts, persons []int, repeated []bool, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 3))
	var x [][]float64
	var names, group []string
	for c, n := range counts {
		for i := range n {
			p := []float64{6*float64(c%2) + rng.NormFloat64(), 6*float64(c/2) + rng.NormFloat64()}
			if repeated != nil && repeated[c] && i > 0 {
				p = x[len(x)-1]
			}
			x, names = append(x, p), append(names, string(rune('a'+c)))
			if persons != nil {
				group = append(group, fmt.Sprintf("%d of class %d", i%persons[c], c))
			}
		}
	}
	d := must(data.New("clusters", points.NewRows(x), names))
	d.Group = group
	return d
}

var calibrationFamily = WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}})

// If all points of a class are in one fold (one point, one group, equal points), the decision values at these points
// were learned without the class. Then there are no probabilities, and a warning names the class and the option. With
// two points or groups of each class there are, and they are right for new points.
func TestClassInOneFold(t *testing.T) {
	for name, c := range map[string]struct {
		counts, persons []int
		repeated        []bool
		class           string // the class without probabilities, or ""
	}{
		"one point of two classes":        {[]int{1, 9}, nil, nil, "a"},
		"one of many points":              {[]int{30, 1}, nil, nil, "b"},
		"one point of three classes":      {[]int{1, 30, 30}, nil, nil, "a"},
		"equal points":                    {[]int{20, 40}, nil, []bool{true, false}, "a"},
		"one person":                      {[]int{20, 50}, []int{1, 5}, nil, "a"},
		"one person of the third class":   {[]int{20, 20, 20}, []int{5, 5, 1}, nil, "c"},
		"one person each":                 {[]int{20, 20}, []int{1, 1}, nil, "a"},
		"four classes of one person each": {[]int{20, 20, 20, 20}, []int{1, 1, 1, 1}, nil, "a"},
		"two points":                      {[]int{2, 30}, nil, nil, ""},
		"two persons each":                {[]int{20, 20}, []int{2, 2}, nil, ""},
		"two persons, three classes":      {[]int{20, 20, 20}, []int{2, 4, 8}, nil, ""},
		"own class of every point":        {[]int{15, 25, 10, 30}, nil, nil, ""},
	} {
		d := clusters(c.counts, c.persons, c.repeated, 1)
		l := learn(t, d, calibrationFamily, WithSplits(nil))
		warned := slices.ContainsFunc(l.Warnings, func(w Warning) bool {
			return strings.Contains(w.Text, fmt.Sprintf("class %q", c.class)) &&
				strings.Contains(w.Text, "WithoutProbabilities")
		})
		if c.class != "" {
			if l.Model.Sigmoids != nil || l.Reliability != nil || !warned {
				t.Errorf("%s: sigmoids %v, warnings %q", name, l.Model.Sigmoids, l.Warnings)
			}
			for _, w := range learn(t, d, calibrationFamily, WithSplits(nil), WithoutProbabilities()).Warnings {
				if strings.Contains(w.Text, "WithoutProbabilities") {
					t.Errorf("%s: with the option there is still the warning %q", name, w)
				}
			}
			continue
		}
		z := clusters(slices.Repeat([]int{50}, len(c.counts)), nil, nil, 2)
		for what, points := range map[string]*data.Dataset{"training points": d, "new points": z} {
			p, right := must(l.Model.Probabilities(points.X)), 0
			for i := range points.Len() {
				if floats.MaxIdx(p.RawRowView(i)) == points.Class(i) {
					right++
				}
			}
			if what == "training points" && right < points.Len() || right < points.Len()*85/100 || warned {
				t.Errorf("%s: the largest probability is right for %d of %d %s; %q", name, right, points.Len(), what,
					l.Warnings)
			}
		}
	}
}

// Without any signal too, no sigmoid falls as the decision value rises, and the predicted class of every point has the
// largest probability, in the model, in a Predictor and at held-out points.
func TestClassHasLargestProbability(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 4))
		classes := 2 + int(seed%3)
		var x [][]float64
		var names []string
		for range 40 {
			x = append(x, []float64{rng.NormFloat64(), rng.NormFloat64()})
			names = append(names, string(rune('a'+rng.IntN(classes))))
		}
		d := must(data.New("noise", points.NewRows(x), names))
		l := learn(t, d, calibrationFamily, WithSplits(nil))
		if l.Model.Sigmoids == nil {
			t.Fatalf("seed %d: no sigmoids: %q", seed, l.Warnings)
		}
		for _, s := range l.Model.Sigmoids {
			if s.A > 0 {
				t.Errorf("seed %d: %v", seed, s)
			}
		}
		p, predicted := must(l.Model.Probabilities(d.X)), must(must(l.Model.Predictor()).Predict(d.X))
		for i, class := range must(l.Model.Classify(d.X)) {
			row := predicted[i].Probabilities
			if l.Model.Classes[floats.MaxIdx(p.RawRowView(i))] != class || predicted[i].Class != class ||
				l.Model.Classes[floats.MaxIdx(row)] != class {
				t.Errorf("seed %d: point %d is of class %s, but has %v and %+v", seed, i+1, class, p.RawRowView(i),
					predicted[i])
			}
		}
	}
}

// If 60 % of the labels are wrong, but have the weight 1e-4 in the loss, the probabilities of new points are those of a
// model of the other points only. If all weights are equal, they have no effect.
func TestProbabilitiesUseWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	var x, trusted [][]float64
	var names, trustedNames []string
	var weights []float64
	for i := range 200 {
		p := []float64{rng.NormFloat64(), rng.NormFloat64()}
		isPositive := p[0]+0.5*rng.NormFloat64() > 0
		if i < 120 {
			isPositive = p[0] <= 0
			weights = append(weights, 1e-4)
		} else {
			weights, trusted = append(weights, 1), append(trusted, p)
		}
		name := map[bool]string{true: "pos", false: "neg"}[isPositive]
		if x, names = append(x, p), append(names, name); i >= 120 {
			trustedNames = append(trustedNames, name)
		}
	}
	grid := points.NewRows([][]float64{{-2, 0}, {-1, 0}, {-0.3, 0}, {0.3, 0}, {1, 0}, {2, 0}})
	probabilities := func(x [][]float64, names []string, weights []float64) []float64 {
		d := must(data.New("weighted", points.NewRows(x), names))
		l := learn(t, d, WithLoss(fit.Losses(loss.Hinge{Weights: weights}, 1)), WithSplits(nil),
			WithFamily(kernel.List{kernel.Linear{}}))
		return mat.Col(nil, 1, must(l.Model.Probabilities(grid)))
	}
	want, got := probabilities(trusted, trustedNames, nil), probabilities(x, names, weights)
	if d := floats.Distance(got, want, math.Inf(1)); d > 0.05 {
		t.Errorf("P(pos) %.2f, of the points with weight 1 only %.2f", got, want)
	}
	if control := probabilities(x, names, nil); floats.Distance(control, want, math.Inf(1)) < 0.3 {
		t.Errorf("control: without weights the wrong labels do not matter: %.2f, %.2f", control, want)
	}
	equal := probabilities(trusted, trustedNames, slices.Repeat([]float64{1}, len(trusted)))
	if d := floats.Distance(equal, want, math.Inf(1)); d > 1e-6 {
		t.Errorf("equal weights: P(pos) %.6f, without weights %.6f", equal, want)
	}
}
