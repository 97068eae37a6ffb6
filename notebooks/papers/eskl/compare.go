package eskl

import (
	"context"
	"embed"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/notebooks/papers/internal/kept"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Method learns on the labels of train and returns decision values of test. All methods know the similarities of all
// points; repairs use those between train, and of test to train.
type Method struct {
	Name   string
	Rho    []float64 // what ρ is chosen from; nil where there is none
	decide decision
	rough  bool // while C and ρ are chosen a gap of 5e-2 will do
}

// decision learns to the relative gap.
type decision func(ctx context.Context, s Set, train, test []int, c, rho, gap float64) (decided, error)

// decided are decision values of test.
type decided struct {
	values []float64
	gap    float64 // that is certified of a learned kernel, 0 of others
	inside bool    // no α is at C: a larger C gives the same
}

// decided are the values of a machine with dual coefficients w and bias b.
func (m machine) decided(cross *mat.Dense, c, gap float64) decided {
	return decided{values(cross, m.w, m.b), gap, floats.Norm(m.w, math.Inf(1)) < c*(1-1e-6)}
}

// machine are dual coefficients and a bias.
type machine struct {
	w []float64
	b float64
}

// Cs are what C is chosen from.
var Cs = []float64{1, 10}

// stop is when a learned kernel is good enough: 1e-2 for what is scored. What was reached is in Score.
func stop(gap float64) *mkl.Settings { return &mkl.Settings{Gap: gap, Iterations: 40, Threads: 1} }

// Single are the methods of Table 1, for one similarity.
func Single() []Method {
	return []Method{
		{"denoise", nil, repaired(similarity.Denoise), false},
		{"flip", nil, repaired(similarity.Flip), false},
		{"shift", nil, repaired(similarity.Shift), false},
		{"IndSVM", []float64{0.01, 0.1, 1}, learned(mkl.DualAscent{}, Luss), true},
		{"ESKL, L2", []float64{0.3, 3, 30}, nearness(reg.L2), true},
		{"ESKL, L1", []float64{1e-3, 1e-2, 1e-1}, nearness(reg.L1), true},
		{"ESKL, L3", []float64{0.01, 0.1, 1}, nearness(reg.L3), true},
	}
}

// Multiple are the methods of Table 3, for several similarities.
func Multiple() []Method {
	mean := func(m Method) Method {
		return Method{m.Name + " of the mean", m.Rho, func(ctx context.Context, s Set, train, test []int, c, rho, gap float64) (decided, error) {
			return m.decide(ctx, Set{Name: s.Name, S: []*mat.SymDense{s.Mean()}, Of: []string{"mean"}, Y: s.Y}, train, test, c, rho, gap)
		}, false}
	}
	one := Single()
	return []Method{
		mean(Method{"linear", nil, repaired(similarity.Linear), false}),
		mean(one[0]),
		mean(one[3]),
		{"SimpleMKL of denoised", nil, simple, false},
		{"ESKL, L1", []float64{1e-3, 1e-2, 1e-1}, nearness(reg.L1), true},
		{"EMKL, L1", []float64{1e-3, 1e-2, 1e-1}, each(reg.L1), true},
		{"EMKL, L2", []float64{0.3, 3, 30}, each(reg.L2), true},
		{"REKL, L2", []float64{0.3, 3, 30}, func(ctx context.Context, s Set, train, test []int, c, rho, gap float64) (decided, error) {
			p, err := Restricted(s, train, reg.L2, c, rho)
			if err != nil {
				return decided{}, err
			}
			return decide(ctx, p, Solver(reg.L2, true), s, test, c, gap)
		}, true},
	}
}

// repaired is the machine of a repaired similarity of the training points.
func repaired(r similarity.Repair) decision {
	return func(ctx context.Context, s Set, train, test []int, c, _, _ float64) (decided, error) {
		k, cross, err := repair(s.S[0], r, train, test)
		if err != nil {
			return decided{}, err
		}
		m, err := svm(ctx, k, s.at(train), c)
		if err != nil {
			return decided{}, err
		}
		return machine{m.W, m.Bias}.decided(cross, c, 0), nil
	}
}

// repair is the kernel of train, and that between test and train.
func repair(s *mat.SymDense, r similarity.Repair, train, test []int) (*mat.SymDense, *mat.Dense, error) {
	own, err := similarity.Symmetric(part(s, train, train))
	if err != nil {
		return nil, nil, err
	}
	spectrum, err := similarity.Decompose(own)
	if err != nil {
		return nil, nil, err
	}
	k, err := spectrum.Repair(r)
	if err != nil {
		return nil, nil, err
	}
	cross, err := k.Cross(part(s, test, train))
	return k.K, cross, err
}

// values are decisions.
func values(cross *mat.Dense, w []float64, b float64) []float64 {
	l, _ := cross.Dims()
	f := make([]float64, l)
	for i := range f {
		f[i] = floats.Dot(cross.RawRowView(i), w) + b
	}
	return f
}

func nearness(d reg.Distance) decision {
	return learned(Solver(d, false), func(s Set, rows []int, c, rho float64) *mkl.Problem { return Problem(s, rows, d, c, rho) })
}

func each(d reg.Distance) decision {
	return learned(Solver(d, true), func(s Set, rows []int, c, rho float64) *mkl.Problem { return Several(s, rows, d, c, rho) })
}

func learned(solver mkl.Solver, problem func(s Set, rows []int, c, rho float64) *mkl.Problem) decision {
	return func(ctx context.Context, s Set, train, test []int, c, rho, gap float64) (decided, error) {
		return decide(ctx, problem(s, train, c, rho), solver, s, test, c, gap)
	}
}

// decide solves a transductive problem and returns the decisions of test.
func decide(ctx context.Context, p *mkl.Problem, solver mkl.Solver, s Set, test []int, c, gap float64) (decided, error) {
	r, err := mkl.Solve(ctx, p, solver, stop(gap))
	if err != nil {
		return decided{}, err
	}
	cross := mat.NewDense(len(test), len(r.W), nil)
	p.Grams.Cross(kernel.Places(test)).Gram(cross, r.Kernel)
	return machine{r.W, r.Bias}.decided(cross, c, r.RelativeGap()), nil
}

// simple is SimpleMKL on the denoised similarities.
func simple(ctx context.Context, s Set, train, test []int, c, _, gap float64) (decided, error) {
	var list kernel.List
	var crosses []*mat.Dense
	for _, m := range s.S {
		k, cross, err := repair(m, similarity.Denoise, train, test)
		if err != nil {
			return decided{}, err
		}
		list = append(list, kernel.Precomputed{N: len(train), Data: similarity.Vec(k)})
		crosses = append(crosses, cross)
	}
	p := &mkl.Problem{Grams: list.On(kernel.AllPlaces(len(train))), Set: set.Simplex{}, Loss: loss.Hinge{C: c}, Y: s.at(train)}
	r, err := mkl.Solve(ctx, p, mkl.ReducedGradient{}, stop(gap))
	if err != nil {
		return decided{}, err
	}
	sum := mat.NewDense(len(test), len(train), nil)
	for i, cross := range crosses {
		var t mat.Dense
		t.Scale(r.Theta[i], cross)
		sum.Add(sum, &t)
	}
	return machine{r.W, r.Bias}.decided(sum, c, r.RelativeGap()), nil
}

// Score is one method on one split: shares, what was chosen, and of what was learned with it the certified relative gap.
type Score struct {
	Accuracy, F, C, Rho float64
	Gap                 float64 `json:",omitempty"`
}

// score compares signs with labels; F is that of the class +1.
func score(f, y []float64) (s Score) {
	hits, wrong, right := 0.0, 0.0, 0.0
	for i, v := range f {
		switch {
		case v*y[i] > 0:
			right++
			if y[i] > 0 {
				hits++
			}
		default:
			wrong++
		}
	}
	s.Accuracy = right / float64(len(y))
	if hits > 0 {
		s.F = 2 * hits / (2*hits + wrong)
	}
	return s
}

// Scores are methods on the same splits of one set.
type Scores struct {
	Data    string
	N       int
	Seed    uint64
	Folds   int // validated by, of five
	Methods []string
	Splits  [][]Score
}

// Compare takes splits of 80 and 20 %, as many of each class, and chooses C and ρ on the first folds of five of the
// training part, by accuracy.
func Compare(ctx context.Context, s Set, methods []Method, splits, folds int, seed uint64) (*Scores, error) {
	out := &Scores{Data: s.Name, N: s.N(), Seed: seed, Folds: folds}
	for _, m := range methods {
		out.Methods = append(out.Methods, m.Name)
	}
	for len(out.Splits) < splits {
		if err := out.More(ctx, s, methods); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// More takes one split more: split i is the same however many there are.
func (s *Scores) More(ctx context.Context, set Set, methods []Method) error {
	i := len(s.Splits)
	list, err := study.Holdout(set.Y, 0.2, i+1, s.Seed)
	if err != nil {
		return err
	}
	inner, err := study.KFold(set.at(list[i].Train), 5, s.Seed+uint64(i))
	if err != nil {
		return err
	}
	var row []Score
	for _, m := range methods {
		sc, err := m.choose(ctx, set, list[i], inner[:s.Folds])
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		row = append(row, sc)
	}
	s.Splits = append(s.Splits, row)
	return nil
}

func (m Method) choose(ctx context.Context, s Set, split study.Split, folds []study.Split) (Score, error) {
	rhos := m.Rho
	if rhos == nil {
		rhos = []float64{0}
	}
	best, chosen := math.Inf(-1), Score{}
	of := func(rows []int) []int {
		out := make([]int, len(rows))
		for i, r := range rows {
			out[i] = split.Train[r]
		}
		return out
	}
	choosing := 1e-2
	if m.rough {
		choosing = 5e-2
	}
	for _, rho := range rhos {
		for _, c := range Cs {
			right, inside := 0.0, true
			for _, fold := range folds {
				test := of(fold.Test)
				d, err := m.decide(ctx, s, of(fold.Train), test, c, rho, choosing)
				if err != nil {
					return Score{}, err
				}
				right += score(d.values, s.at(test)).Accuracy
				inside = inside && d.inside
			}
			if right > best || right == best && c < chosen.C {
				best, chosen = right, Score{C: c, Rho: rho}
			}
			if inside {
				break
			}
		}
	}
	d, err := m.decide(ctx, s, split.Train, split.Test, chosen.C, chosen.Rho, 1e-2)
	if err != nil {
		return Score{}, err
	}
	sc := score(d.values, s.at(split.Test))
	sc.C, sc.Rho, sc.Gap = chosen.C, chosen.Rho, d.gap
	return sc, nil
}

// Column are accuracies and F of method m, in per cent, one of each split.
func (s *Scores) Column(m int) (accuracy, f []float64) {
	for _, row := range s.Splits {
		accuracy, f = append(accuracy, 100*row[m].Accuracy), append(f, 100*row[m].F)
	}
	return accuracy, f
}

// Gap is the largest certified relative gap of method m.
func (s *Scores) Gap(m int) (gap float64) {
	for _, row := range s.Splits {
		gap = max(gap, row[m].Gap)
	}
	return gap
}

// Over is the difference of the mean F of method a less b over several sets, in points, that of a set the mean over its draws;
// and the least of a set in one draw.
func Over(all []*Scores, a, b int) (d Difference, least float64) {
	var names []string
	sum, draws := map[string]float64{}, map[string]float64{}
	least = math.Inf(1)
	for _, s := range all {
		_, x := s.Column(a)
		_, y := s.Column(b)
		v := stat.Mean(x, nil) - stat.Mean(y, nil)
		least = min(least, v)
		if draws[s.Data] == 0 {
			names = append(names, s.Data)
		}
		sum[s.Data], draws[s.Data] = sum[s.Data]+v, draws[s.Data]+1
	}
	var differences []float64
	for _, name := range names {
		differences = append(differences, sum[name]/draws[name])
	}
	return difference(differences), least
}

// Worst is the largest gap of some methods on all sets; +Inf where one has none.
func Worst(all []*Scores, methods ...int) (gap float64) {
	for _, s := range all {
		for _, m := range methods {
			g := s.Gap(m)
			if g == 0 {
				g = math.Inf(1)
			}
			gap = max(gap, g)
		}
	}
	return gap
}

// Results at full size that take long, made by TestKept of this package: accuracies, no data.
//
//go:embed results
var results embed.FS

// Kept are the comparisons of this kind, "single", "proteins" or "scop40", of all seeds: those of choice of points, noise and splits.
func Kept(kind string) []*Scores {
	return kept.Read[*Scores](results, "results/"+kind+"-*.json")
}

// OfSeed are the comparisons of one seed.
func OfSeed(all []*Scores, seed uint64) (of []*Scores) {
	for _, s := range all {
		if s.Seed == seed {
			of = append(of, s)
		}
	}
	return of
}

// Seeds are those of the comparisons, ascending.
func Seeds(all []*Scores) (seeds []uint64) {
	for _, s := range all {
		seeds = append(seeds, s.Seed)
	}
	slices.Sort(seeds)
	return slices.Compact(seeds)
}
