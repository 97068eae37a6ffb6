package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
)

// simulate returns a dataset of a shape: n points to learn from, and fresh points of the same distribution. Fresh
// points of groups are of fresh groups.
func simulate(shape string, n, fresh int, seed uint64) (train, test *data.Dataset) {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	d := map[string]int{"smooth": 5, "noise by x": 3, "groups": 4, "p > n": 2 * n}[shape]
	draw := func(n, firstGroup int) *data.Dataset {
		x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
		s := &data.Dataset{Name: shape, Y: make([]float64, n)}
		effect := map[int]float64{}
		for i := range n {
			row := x.Row(i)
			for j := range row {
				row[j] = rng.NormFloat64()
			}
			e := rng.NormFloat64()
			switch shape {
			case "smooth":
				s.Y[i] = 3*math.Sin(2*row[0]) + row[1]*row[2] + e
			case "noise by x":
				s.Y[i] = 2*row[0] + math.Cos(2*row[1]) + e*(0.2+math.Abs(row[2]))
			case "groups":
				g := firstGroup + i/5
				if i%5 == 0 {
					effect[g] = rng.NormFloat64()
				}
				s.Y[i] = 2*math.Sin(row[0]) + row[1] + effect[g] + 0.5*e
				s.Group = append(s.Group, fmt.Sprint("g", g))
			case "p > n":
				s.Y[i] = 2*row[0] - row[1] + 0.5*row[2] + e
			}
		}
		s.X = x
		return s
	}
	return draw(n, 0), draw(fresh, n)
}

// Intervals cover fresh points of four shapes of data about as often as their level says. Two sets of a shape have a
// standard error of about 4 points.
func TestIntervalCoverage(t *testing.T) { testCoverage(t, []int{60, 90}, 0.12, 0.12) }

// Over 50 sets of each shape, the mean coverage is at most 2 points below the level and 5 above it.
func TestMeanIntervalCoverage(t *testing.T) {
	testenv.SkipUnlessLong(t)
	var sizes []int
	for range 10 {
		sizes = append(sizes, 60, 100, 150, 250, 400)
	}
	sizes[49] = 1000
	testCoverage(t, sizes, 0.02, 0.05)
}

// testCoverage learns from sets of the given sizes of each shape.
func testCoverage(t *testing.T, sizes []int, below, above float64) {
	for _, shape := range []string{"smooth", "noise by x", "groups", "p > n"} {
		levels := []float64{0.8, 0.9, 0.95}
		if shape == "groups" {
			levels = levels[:2] // 60 points have 12 groups
		}
		covered, width := make([]float64, len(levels)), make([]float64, len(levels))
		for seed, n := range sizes {
			train, test := simulate(shape, n, 500, uint64(seed))
			l := must(Learn(t.Context(), train, WithIntervals(0.9), WithSplits(nil), WithSeed(uint64(seed))))
			for k, level := range levels {
				l.Model.Intervals.Level = level
				c, w := coverage(must(must(l.Model.Predictor()).Predict(test.X)), test.Y)
				covered[k] += c / float64(len(sizes))
				width[k] += w / float64(len(sizes))
			}
		}
		t.Logf("%s: coverage %.3f, mean width %.3f at levels %v", shape, covered, width, levels)
		for k, level := range levels {
			if c := covered[k]; !(c >= level-below && c <= level+above) {
				t.Errorf("%s: intervals of level %g cover %.3f of the fresh points", shape, level, c)
			}
		}
	}
}

// coverage returns the share of the targets y inside their intervals, and the mean width of the intervals.
func coverage(all []model.Prediction, y []float64) (inside, width float64) {
	for i, p := range all {
		if p.Lower[0] <= y[i] && y[i] <= p.Upper[0] {
			inside += 1 / float64(len(y))
		}
		width += (p.Upper[0] - p.Lower[0]) / float64(len(y))
	}
	return inside, width
}

// Intervals are those of the definition, for landmarks, logarithms and several targets too, and come back from a file.
func TestIntervals(t *testing.T) {
	train, test := simulate("smooth", 60, 20, 1)
	logs := *train
	logs.Y, logs.LogTargets = make([]float64, 60), true
	several := *train
	several.ExtraTargets = []data.Target{{Name: "second", Y: make([]float64, 60)}}
	for i, y := range train.Y {
		logs.Y[i], several.ExtraTargets[0].Y[i] = math.Exp(y), 100*y
	}
	for name, c := range map[string]struct {
		d    *data.Dataset
		opts []Option
	}{"all points": {train, nil}, "landmarks": {train, []Option{WithLandmarks(30)}}, "logarithms": {&logs, nil},
		"two targets": {&several, nil}} {
		l := learn(t, c.d, append(c.opts, WithIntervals(0.9), WithSplits(nil))...)
		m := reloaded(t, l.Model)
		says(t, m.Note, "90 % prediction intervals by CV+ of 10 folds")
		n := 0
		for _, f := range m.Intervals.Folds {
			n += len(f.Residuals)
			if f.Model.X.Len() > 54 || c.opts != nil && f.Model.X.Len() != 30 {
				t.Errorf("%s: the model of a fold has %d points", name, f.Model.X.Len())
			}
		}
		if n != 60*max(1, len(m.Targets)) || len(l.HeldOut) != n {
			t.Errorf("%s: %d residuals, %d held-out predictions", name, n, len(l.HeldOut))
		}
		at := 0
		for _, f := range m.Intervals.Folds { // the predictions behind the residuals, in the units of the file
			for _, r := range f.Residuals {
				h := l.HeldOut[at]
				at++
				if isInFile := slices.Contains(c.d.Y, h.Target); m.LogTargets {
					h = fit.HeldOut{Target: math.Log(h.Target), Prediction: math.Log(h.Prediction)}
				} else if !isInFile && m.Targets == nil {
					t.Errorf("%s: %g is no target", name, h.Target)
				}
				if math.Abs(math.Abs(h.Target-h.Prediction)-r) > 1e-9*(1+r) {
					t.Errorf("%s: target %g and prediction %g, but the residual %g", name, h.Target, h.Prediction, r)
				}
			}
		}
		for i, p := range must(must(m.Predictor()).Predict(test.X)) {
			for j := range p.Lower {
				low, high := intervalByDefinition(m, test.X.Slice([]int{i}), j)
				if math.Abs(p.Lower[j]-low) > 1e-9*math.Abs(low) || math.Abs(p.Upper[j]-high) > 1e-9*math.Abs(high) {
					t.Errorf("%s: point %d, target %d: [%g, %g], by definition [%g, %g]", name, i, j, p.Lower[j],
						p.Upper[j], low, high)
				}
			}
		}
	}
	file := filepath.Join(t.TempDir(), "train.csv")
	var b strings.Builder
	b.WriteString("a,b,c,d,e,y\n")
	for i, y := range train.Y {
		for _, v := range train.X.(points.Rows).Row(i) {
			fmt.Fprintf(&b, "%v,", v)
		}
		fmt.Fprintln(&b, y)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	l := learn(t, must(data.Options{Regression: true}.Open(file)), WithIntervals(0.8), WithSplits(nil))
	says(t, string(must(os.ReadFile(must(l.Model.PredictFile(file)).Path))), "row,prediction,lower,upper,level\n1,")
	for want, c := range map[string]struct {
		d     *data.Dataset
		level float64
	}{"are classes": {datasets.Rings(40, 1), 0.9},
		"level of the intervals is 1": {train, 1}, "level of the intervals is -1": {train, -1},
		"of level 0.99 need at least 99 points": {train, 0.99}} {
		err := testenv.ErrorText(Learn(context.Background(), c.d, WithIntervals(c.level), WithSplits(nil)))
		says(t, err, "WithIntervals", want)
	}
}

// intervalByDefinition returns the CV+ interval of target j of one point, by counting: the largest number that at most
// α(n+1) − 1 of the lower ends are below, and so for the upper ends.
func intervalByDefinition(m *model.Model, z points.Points, j int) (low, high float64) {
	var lows, highs []float64
	for _, f := range m.Intervals.Folds {
		v := must(f.Model.Values(z))
		_, c := v.Dims()
		n := len(f.Residuals) / c
		for _, r := range f.Residuals[j*n : (j+1)*n] {
			lows, highs = append(lows, v.At(0, j)-r), append(highs, v.At(0, j)+r)
		}
	}
	alpha, n := 1-m.Intervals.Level, float64(len(lows))
	below := func(list []float64, v float64) (count float64) {
		for _, w := range list {
			if w < v {
				count++
			}
		}
		return count
	}
	low, high = math.Inf(-1), math.Inf(1)
	for i := range lows {
		if below(lows, lows[i]) <= math.Floor(alpha*(n+1)+1e-9)-1 {
			low = max(low, lows[i])
		}
		if below(highs, highs[i])+1 >= math.Ceil((1-alpha)*(n+1)-1e-9) {
			high = min(high, highs[i])
		}
	}
	if m.LogTargets {
		return math.Exp(low), math.Exp(high)
	}
	return low, high
}

// Intervals of few groups are refused with the option, and intervals of enough groups cover points of new groups.
func TestIntervalsOfFewGroups(t *testing.T) {
	covered := 0.0
	for seed := range uint64(6) {
		train, _ := simulate("groups", 50, 5, seed) // 10 groups
		_, test := simulate("groups", 50, 500, seed)
		few := must(train.Slice(points.AllIndices(40)))
		says(t, testenv.ErrorText(NewPlan(few, WithIntervals(0.9))), "WithIntervals", "at least 9 groups", "has 8")
		must(NewPlan(few, WithIntervals(0.85)))
		l := must(Learn(t.Context(), train, WithIntervals(0.9), WithSplits(nil), WithMethod(UniformName)))
		c, _ := coverage(must(must(reloaded(t, l.Model).Predictor()).Predict(test.X)), test.Y)
		covered += c / 6
	}
	if t.Logf("coverage %.3f", covered); !(covered > 0.83) {
		t.Errorf("intervals of level 0.9 of 10 groups cover %.3f", covered)
	}
}

// Models of Gram matrices and of similarities have the intervals that a model of the features has, through a file too.
func TestIntervalsOfMatrices(t *testing.T) {
	train, test := simulate("smooth", 60, 40, 1)
	kernels := kernel.List{kernel.RBF{Gamma: 0.2}, kernel.Linear{}}
	names := []string{"k", "l"}
	rows, grams := points.KernelRows{N: 60, Names: names}, kernel.List{}
	similarities := *train
	similarities.X = points.AllIndices(60)
	for i, k := range kernels {
		g, cross := mat.NewDense(60, 60, nil), mat.NewDense(40, 60, nil)
		k.Cross(g, train.X, train.X)
		k.Cross(cross, test.X, train.X)
		rows.Data = append(rows.Data, cross.RawMatrix().Data)
		grams = append(grams, kernel.Precomputed{Name: names[i], N: 60, Data: g.RawMatrix().Data})
		similarities.Similarities = append(similarities.Similarities,
			data.Similarity{Name: names[i], N: 60, S: g.RawMatrix().Data})
	}
	for _, count := range []int{1, 2} {
		ofGrams, ofSimilarities := similarities, similarities
		ofGrams.Similarities, ofGrams.Kernels = nil, grams[:count]
		ofSimilarities.Similarities = similarities.Similarities[:count]
		opts := []Option{WithIntervals(0.8), WithSplits(nil), WithMethod(UniformName), WithLambda(1)}
		want := must(must(learn(t, train, append(opts, WithFamily(kernel.Sum{Kernels: kernels[:count],
			Normalize: kernel.MeanDiagonal}))...).Model.Predictor()).Predict(test.X))
		for name, d := range map[string]*data.Dataset{"Gram matrices": &ofGrams, "similarities": &ofSimilarities} {
			m := reloaded(t, learn(t, d, opts...).Model)
			got := must(must(m.Predictor()).Predict(rows))
			if c, _ := coverage(got, test.Y); c < 0.65 {
				t.Errorf("%d %s: intervals cover %.3f", count, name, c)
			}
			for i, p := range got {
				if name == "Gram matrices" && (math.Abs(p.Lower[0]-want[i].Lower[0]) > 1e-6 ||
					math.Abs(p.Upper[0]-want[i].Upper[0]) > 1e-6) {
					t.Errorf("%d %s: point %d has %+v, of features %+v", count, name, i, p, want[i])
				}
			}
		}
	}
}
