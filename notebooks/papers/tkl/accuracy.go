package tkl

import (
	"context"
	"embed"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept"

	"gonum.org/v1/gonum/stat"
)

// Method is one column of the comparison: families to choose from with C, by 3-fold cross-validation
// inside the training part.
type Method struct {
	Name     string
	Families []kernel.Family
	Set      set.Set
	Solver   mkl.Solver // nil: there is one θ, or that of the theorem of degree 0 is the best
	C        []float64
}

// Bounds are the limits of the box that are tried, Cs the constants of the loss.
var (
	Bounds = []float64{0.1, 0.5, 2, 10}
	Cs     = []float64{0.1, 1, 10, 100}
)

// Methods are the columns for points of d features.
func Methods(d int) []Method {
	var rbf, zero, one []kernel.Family
	standard := kernel.Prepare{kernel.Standardize}
	for _, g := range []float64{0.1, 0.3, 1, 3} {
		rbf = append(rbf, kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: g / float64(d)}}, Prepare: standard})
	}
	var ten kernel.List
	for _, g := range []float64{0.03, 0.1, 0.3, 1, 3, 10, 30} {
		ten = append(ten, kernel.RBF{Gamma: g / float64(d)})
	}
	for p := 1; p <= 3; p++ {
		ten = append(ten, kernel.Polynomial{Degree: p, Gamma: 1 / float64(d), Offset: 1})
	}
	for _, b := range Bounds {
		one = append(one, tessellated.Family{Degree: 1, Bound: b, Metric: tessellated.Balanced, Unit: true})
		zero = append(zero, tessellated.Family{Bound: b, Unit: true})
	}
	zero = append(zero, tessellated.Family{Bound: 30, Unit: true})
	sum := kernel.Sum{Kernels: ten, Prepare: standard, Centre: true, Normalize: kernel.MeanDiagonal}
	return []Method{
		{"RBF", rbf, set.Simplex{}, nil, Cs},
		{"MKL, ten kernels", []kernel.Family{sum}, set.Simplex{}, mkl.SPG{Force: true}, Cs},
		{"TKL d=0", zero, set.Spectraplex{}, nil, append(append([]float64{}, Cs...), 1000)},
		{"TKL d=1 balanced", one, set.Spectraplex{}, mkl.FrankWolfe{Force: true}, Cs},
	}
}

// learn is one machine, to a relative gap of 2e-2 or 30 steps; warm may be nil.
func (m Method) learn(ctx context.Context, p *mkl.Problem, warm *mkl.Result) (*mkl.Result, error) {
	s := mkl.Settings{Gap: 2e-2, Iterations: 30, Threads: 1, Start: warm}
	if m.Solver != nil {
		return mkl.Solve(ctx, p, m.Solver, &s)
	}
	s.Iterations, s.Gap = 1, 1e-3
	if _, ok := m.Set.(set.Spectraplex); ok {
		s.Theta = []float64{0.5, -0.5, -0.5, 0.5}
	}
	return mkl.Solve(ctx, p, mkl.FrankWolfe{Force: true}, &s)
}

// Choice is what cross-validation chose for one training part, and the loss on points left out.
type Choice struct {
	Family int
	C      float64
	Loss   float64 // share of wrong labels, or mean squared error
	Gap    float64 // relative, of the machine on the whole training part
}

// task is points and labels, or numbers where epsilon > 0.
type task struct {
	x       kernel.Points
	y       []float64
	epsilon float64
}

func (t task) slice(rows []int) task {
	part := task{t.x.Slice(rows), make([]float64, len(rows)), t.epsilon}
	for i, r := range rows {
		part.y[i] = t.y[r]
	}
	return part
}

func (t task) problem(m Method, g kernel.Grams, c float64) *mkl.Problem {
	p := &mkl.Problem{Grams: g, Set: m.Set, Loss: loss.Hinge{C: c}, Y: t.y}
	if t.epsilon > 0 {
		p.Loss = loss.Insensitive{C: c, Epsilon: t.epsilon}
	}
	return p
}

// misses counts wrong signs, or of numbers sums the squared errors, of what r says of t.
func (t task) misses(g kernel.Grams, r *mkl.Result) (sum float64) {
	for i, f := range predict(g, r, t.x) {
		switch v := t.y[i]; {
		case t.epsilon > 0:
			sum += (f - v) * (f - v)
		case f*v <= 0:
			sum++
		}
	}
	return sum
}

// choose is one method on one split of all; seed is of the folds.
func (m Method) choose(ctx context.Context, all task, s study.Split, seed uint64) (c Choice, err error) {
	train := all.slice(s.Train)
	folds, err := study.KFold(train.y, 3, seed)
	if err != nil {
		return c, err
	}
	best := math.Inf(1)
	for f, family := range m.Families {
		wrong := make([]float64, len(m.C))
		for _, fold := range folds {
			part, rest := train.slice(fold.Train), train.slice(fold.Test)
			g := family.On(part.x)
			var warm *mkl.Result
			for i, constant := range m.C {
				if warm, err = m.learn(ctx, part.problem(m, g, constant), warm); err != nil {
					return c, fmt.Errorf("tkl: %s, family %d, C = %g: %w", m.Name, f, constant, err)
				}
				wrong[i] += rest.misses(g, warm)
			}
		}
		for i, w := range wrong {
			if w < best {
				best, c.Family, c.C = w, f, m.C[i]
			}
		}
	}
	g := m.Families[c.Family].On(train.x)
	r, err := m.learn(ctx, train.problem(m, g, c.C), nil)
	if err != nil {
		return c, err
	}
	c.Gap, c.Loss = r.RelativeGap(), all.slice(s.Test).misses(g, r)/float64(len(s.Test))
	return c, nil
}

// Scores are what the methods reach on the same splits of one set.
type Scores struct {
	Data    string
	Methods []string
	Splits  [][]Choice // of each split, one of each method
}

func compare(ctx context.Context, d *data.Dataset, methods []Method, splits []study.Split, epsilon float64,
	seed uint64) (*Scores, error) {
	out := &Scores{Data: d.Name}
	for _, m := range methods {
		out.Methods = append(out.Methods, m.Name)
	}
	for i, s := range splits {
		var row []Choice
		for _, m := range methods {
			c, err := m.choose(ctx, task{d.X, d.Y, epsilon}, s, seed+uint64(i))
			if err != nil {
				return nil, fmt.Errorf("split %d: %w", i+1, err)
			}
			row = append(row, c)
		}
		out.Splits = append(out.Splits, row)
	}
	return out, nil
}

// Accuracy compares methods on stratified splits of 80 and 20 %, the same for all.
func Accuracy(ctx context.Context, d *data.Dataset, methods []Method, splits int, seed uint64) (*Scores, error) {
	list, err := study.Holdout(d.Y, 0.2, splits, seed)
	if err != nil {
		return nil, err
	}
	return compare(ctx, d, methods, list, 0, seed)
}

// Numbers compares methods on numbers, with ε: the Loss of a Choice is the root mean squared error.
func Numbers(ctx context.Context, d *data.Dataset, methods []Method, train, splits int, epsilon float64) (*Scores,
	error) {
	list, err := study.Holdout(d.Y, 1-float64(train)/float64(d.Len()), splits, 1)
	if err != nil {
		return nil, err
	}
	s, err := compare(ctx, d, methods, list, epsilon, 0)
	if err != nil {
		return nil, err
	}
	for _, row := range s.Splits {
		for m := range row {
			row[m].Loss = math.Sqrt(row[m].Loss)
		}
	}
	return s, nil
}

// Columns are the losses of a method over the splits: mean and standard deviation, 0 of one split.
func (s *Scores) Columns(method int) (mean, sd float64) {
	var v []float64
	for _, row := range s.Splits {
		v = append(v, row[method].Loss)
	}
	if len(v) == 1 {
		return v[0], 0
	}
	return stat.MeanStdDev(v, nil)
}

// Mean returns the accuracy of a method in per cent and its standard deviation over the splits.
func (s *Scores) Mean(method int) (mean, sd float64) {
	mean, sd = s.Columns(method)
	return 100 * (1 - mean), 100 * sd
}

// Less is the mean accuracy of method a less that of b on the same splits, in per cent.
func (s *Scores) Less(a, b int) kept.Paired {
	var v []float64
	for _, row := range s.Splits {
		v = append(v, 100*(row[b].Loss-row[a].Loss))
	}
	return kept.PairedOf(v)
}

// Bounded are mean accuracies in per cent for each bound.
type Bounded struct{ Bounds, Accuracy []float64 }

// ByBound is the accuracy of degree 0 for each bound alone, C chosen inside the training part.
func ByBound(ctx context.Context, d *data.Dataset, bounds []float64, splits int) (Bounded, error) {
	out := Bounded{Bounds: bounds}
	var methods []Method
	for _, b := range bounds {
		families := []kernel.Family{tessellated.Family{Bound: b, Unit: true}}
		methods = append(methods, Method{fmt.Sprint(b), families, set.Spectraplex{}, nil, Cs})
	}
	s, err := Accuracy(ctx, d, methods, splits, 1)
	if err != nil {
		return out, err
	}
	for m := range methods {
		mean, _ := s.Mean(m)
		out.Accuracy = append(out.Accuracy, mean)
	}
	return out, nil
}

//go:embed results
var results embed.FS

// Kept are the comparisons at full size by the name of the set: 20 or 30 splits, seed 1, made by TestKept.
func Kept() map[string]*Scores {
	all := map[string]*Scores{}
	for _, s := range kept.Read[*Scores](results, "results/*.json") {
		all[s.Data] = s
	}
	return all
}
