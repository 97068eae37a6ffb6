package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// labels are n labels of which so many, spread evenly, are +1.
func labels(n, plus int) []float64 {
	y := slices.Repeat([]float64{-1}, n)
	for i := range plus {
		y[i*n/max(plus, 1)] = 1
	}
	return y
}

func count(y []float64, rows []int, label float64) int {
	c := 0
	for _, r := range rows {
		if y[r] == label {
			c++
		}
	}
	return c
}

// TestSplitsDivide tests that splits divide points, or whole groups of points, by the share and stratified by class.
func TestSplitsDivide(t *testing.T) {
	for seed := range uint64(20) {
		g := 4 + int(seed)
		group, people := people(90, g, 2+int(seed)/4, seed)
		own := make([]string, 101)
		for i := range own {
			own[i] = strconv.Itoa(i)
		}
		for _, c := range []struct {
			y     []float64
			group []string
			n     int // groups
			draw  []Draw
		}{
			{labels(101, 30), own, 101, nil}, {people, group, g, []Draw{ByGroup(group)}},
		} {
			for name, s := range map[string]struct {
				splits []Split
				test   int
			}{
				"halves":  {must(Halves(c.y, 4, seed, c.draw...)), (c.n + 1) / 2},
				"holdout": {must(Holdout(c.y, 0.3, 4, seed, c.draw...)), int(math.Round(0.3 * float64(c.n)))},
				"folds":   {must(KFold(c.y, 4, seed, c.draw...)), 0},
				"one out": {must(KFold(c.y, c.n, seed, c.draw...)), 1},
			} {
				tested := 0
				for i, split := range s.splits {
					all := slices.Concat(split.Train, split.Test)
					slices.Sort(all)
					sorted := slices.IsSorted(split.Train) && slices.IsSorted(split.Test)
					if err := split.Validate(i, len(c.y)); err != nil || !sorted || !slices.Equal(all,
						points.AllIndices(len(c.y))) {
						t.Fatalf("%s: split %d is not a division: %v, %v", name, i, split, err)
					}
					train, test := members(c.group, split.Train), members(c.group, split.Test)
					if tested += len(test); len(train)+len(test) != c.n {
						t.Errorf("%s: split %d has groups on both sides", name, i)
					}
					if s.test > 0 && len(test) != s.test || s.test == 0 && len(test)/2 > c.n/8+1 {
						t.Errorf("%s: %d of %d groups to test on, want %d", name, len(test), c.n, s.test)
					}
					for _, part := range [][]int{split.Train, split.Test} {
						plus := count(c.y, part, 1)
						off := math.Abs(float64(plus)-float64(len(part))*30/101) > 1 // from the share of the whole
						if off && c.draw == nil {
							t.Errorf("%s: %d of %d points of a part are +1, of all 30 of 101", name, plus, len(part))
						}
						if (plus == 0 || plus == len(part)) && c.n >= 8 && s.test > 1 {
							t.Errorf("%s: a part of split %d has one class", name, i)
						}
					}
				}
				if s.test < 2 && tested != c.n {
					t.Errorf("%s: %d of %d groups are tested", name, tested, c.n)
				}
			}
		}
	}
}

// TestSmallClassOnBothSides tests that each class of two or more points is in both parts.
func TestSmallClassOnBothSides(t *testing.T) {
	for _, c := range []struct {
		n, plus  int
		fraction float64
	}{{20, 2, 0.5}, {50, 2, 0.1}, {50, 2, 0.9}, {50, 48, 0.9}, {10, 2, 0.2}, {4, 2, 0.5}} {
		y := labels(c.n, c.plus)
		for _, s := range must(Holdout(y, c.fraction, 10, 1)) {
			for _, part := range [][]int{s.Train, s.Test} {
				if k := count(y, part, 1); k == 0 || k == len(part) {
					t.Errorf("%d of %d points are +1, share %g: a part of %d has %d", c.plus, c.n, c.fraction,
						len(part), k)
				}
			}
		}
	}
}

// TestEveryPointIsTestedAsOften tests that each point, or group, is a test point with the same probability for all
// sizes of classes: in 2,000 splits within 5 standard deviations of a binomial.
func TestEveryPointIsTestedAsOften(t *testing.T) {
	const splits = 2000
	check := func(what string, y []float64, fraction float64, group []string, draw ...Draw) {
		tested, of, all := map[string]float64{}, 0, len(members(group, points.AllIndices(len(group))))
		for _, s := range must(Holdout(y, fraction, splits, 1, draw...)) {
			in := members(group, s.Test)
			of = len(in)
			for g := range in {
				tested[g]++
			}
		}
		p := float64(of) / float64(all)
		for g, k := range tested {
			if math.Abs(k-splits*p) > 5*math.Sqrt(splits*p*(1-p)) || len(tested) != all {
				t.Errorf("%s: %s is tested in %g of %d splits, want about %.0f", what, g, k, splits, splits*p)
			}
		}
	}
	own := make([]string, 20)
	for i := range own {
		own[i] = strconv.Itoa(i)
	}
	for _, c := range []struct {
		n, plus  int
		fraction float64
	}{{10, 5, 0.5}, {10, 1, 0.5}, {10, 3, 0.5}, {20, 7, 0.25}, {11, 4, 0.3}, {15, 15, 0.2}} {
		check(fmt.Sprintf("%+v", c), labels(c.n, c.plus), c.fraction, own[:c.n])
	}
	group, y := people(60, 11, 4, 1)
	check("groups", y, 0.3, group, ByGroup(group))
}

func TestSplitErrors(t *testing.T) {
	y, nan := labels(10, 5), math.NaN()
	group, person := people(20, 4, 2, 1)
	for want, f := range map[string]func() ([]Split, error){
		"1 folds of 10 points":           func() ([]Split, error) { return KFold(y, 1, 0) },
		"0 splits":                       func() ([]Split, error) { return Halves(y, 0, 0) },
		"the test share 0 ":              func() ([]Split, error) { return Holdout(y, 0, 1, 0) },
		"the test share NaN ":            func() ([]Split, error) { return Holdout(y, nan, 1, 0) },
		"0 of 10 points for testing":     func() ([]Split, error) { return Holdout(y, 0.01, 1, 0) },
		"target 2 is NaN":                func() ([]Split, error) { return KFold([]float64{1, nan, -1}, 2, 0) },
		"give one group for each target": func() ([]Split, error) { return Halves(person, 1, 0, ByGroup(group[:19])) },
		"5 folds of 4 groups":            func() ([]Split, error) { return KFold(person, 5, 0, ByGroup(group)) },
		"no targets to split":            func() ([]Split, error) { return Halves(nil, 1, 0, ByGroup([]string{})) },
		"target 1 is NaN": func() ([]Split, error) {
			return Halves([]float64{nan, 1}, 1, 0, ByGroup(group[:2]))
		},
	} {
		says(t, testenv.ErrorText(f()), want)
	}
}

// TestHalfDecades tests that exponents without a finite power of 10 panic with a message of the package.
func TestHalfDecades(t *testing.T) {
	if v := HalfDecades(1, -0.5); len(v) != 4 || v[0] != 10 || v[2] != 1 {
		t.Error(v)
	}
	for _, v := range [][2]float64{{0, math.Inf(1)}, {math.NaN(), 1}, {0, 301}, {math.Inf(-1), 0}} {
		func() {
			defer func() { says(t, fmt.Sprint(recover()), "fit: HalfDecades from ", "between -300 and 300") }()
			HalfDecades(v[0], v[1])
		}()
	}
}

// TestExtendable tests that it is an error if a path would extend in more than a thousand steps.
func TestExtendable(t *testing.T) {
	m := Method{Name: "m", Fitter: Search{Family: uncentered, Grid: Grid{Ridge(1, 1+1e-9).Extendable(1)}}}
	_, err := Open(comparetest.OverlappingClasses(36, 3, 1), []Method{m}, Settings{}, nil)
	says(t, testenv.ErrorText(0, err), "λ = 1.000000001 and 1 are too close", "by 1 decades")
}

// TestFoldsHaveEveryClassForTraining tests that if groups have several labels, each training part of KFold has every
// class of two or more groups. Folds keep groups whole, and their sizes differ by at most one group.
func TestFoldsHaveEveryClassForTraining(t *testing.T) {
	exchanges := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		const groupCount, classCount = 12, 8
		var y []float64
		var group []string
		groupsOfClass := make([]map[string]bool, classCount)
		for c := range groupsOfClass {
			groupsOfClass[c] = map[string]bool{}
			for _, g := range rng.Perm(groupCount)[:1+rng.IntN(3)] { // a class is in one, two or three groups
				groupsOfClass[c][strconv.Itoa(g)] = true
				for range 1 + rng.IntN(3) {
					y, group = append(y, float64(c)), append(group, strconv.Itoa(g))
				}
			}
		}
		n := len(members(group, points.AllIndices(len(group))))
		for _, s := range must(KFold(y, 4, seed, ByGroup(group))) {
			for c, groups := range groupsOfClass {
				if len(groups) > 1 && count(y, s.Train, float64(c)) == 0 {
					t.Errorf("seed %d: a training part lacks class %d, which has %d groups", seed, c, len(groups))
				}
			}
			train, test := members(group, s.Train), members(group, s.Test)
			if len(train)+len(test) != n || len(test) != n/4 && len(test) != n/4+1 {
				t.Errorf("seed %d: %d of %d groups to train on, %d to test on", seed, len(train), n, len(test))
			}
		}
		for _, s := range must(KFold(slices.Repeat([]float64{0.5}, len(y)), 4, seed, ByGroup(group))) {
			for c, groups := range groupsOfClass { // control: the same groups at random
				if len(groups) > 1 && count(y, s.Train, float64(c)) == 0 {
					exchanges++
				}
			}
		}
	}
	if exchanges < 50 {
		t.Errorf("without exchanges only %d training parts lack a class", exchanges)
	}
}

// TestSplitDataOfMatrices tests that points that are given by a Gram matrix are divided, learned and scored like the
// same points with features.
func TestSplitDataOfMatrices(t *testing.T) {
	d := comparetest.NoisySine(60, 3)
	f := kernel.List{kernel.RBF{Gamma: 0.5}}
	gram := f.Bind(d.X).New()
	gram.SetTheta([]float64{1})
	grams := must(data.FromGrams("grams", d.Y, gram.K()))
	s := Search{Grid: Grid{Ridge(0.01, 0.1, 1)}}
	scoreOf := func(d *data.Dataset, f kernel.Family) float64 {
		train, test, err := SplitData(d, 0.3, 5)
		if err != nil {
			t.Fatal(err)
		}
		s.Family = f
		fitted := must(s.Fit(t.Context(), train))
		return must(fitted.Model.Score(test)).RMSE
	}
	want, got := scoreOf(d, f), scoreOf(grams, grams.Kernels)
	if !(math.Abs(got-want) <= 1e-9*want) || want > 0.5 {
		t.Errorf("the RMSE is %g with the Gram matrix, %g with features", got, want)
	}

	joined := *grams
	joined.X = points.Parts{Rows: points.MustAs[points.Rows](d.X)}.WithPart("grams", grams.X)
	_, _, err := SplitData(&joined, 0.3, 5)
	says(t, fmt.Sprint(err), "joins matrices with other sources", "PredictFile")
	mapped := *grams
	k := grams.Kernels[0].(kernel.Precomputed)
	k.NewPointMap = k.Data
	mapped.Kernels = kernel.List{k}
	_, _, err = SplitData(&mapped, 0.3, 5)
	says(t, fmt.Sprint(err), "matrix 1", "KernelRows")
}
