package tkl

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Method is one column of the comparison: families to choose from with C, by 3-fold cross-validation
// inside the training part.
type Method struct {
	Name     string
	Families []kernel.Family
	Set      set.Set
	Solver   mkl.Solver // nil: θ of Start is the one there is
	C        []float64
}

// Bounds are those of the box that are tried, Cs the constants.
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
	return []Method{
		{"RBF", rbf, set.Simplex{}, nil, Cs},
		{"MKL, ten kernels", []kernel.Family{kernel.Sum{Kernels: ten, Prepare: standard, Centre: true, Normalize: kernel.MeanDiagonal}},
			set.Simplex{}, mkl.SPG{Force: true}, Cs},
		{"TKL d=0", zero, set.Spectraplex{}, nil, append(append([]float64{}, Cs...), 1000)},
		{"TKL d=1 balanced", one, set.Spectraplex{}, mkl.FrankWolfe{Force: true}, Cs},
	}
}

// Stop is when the methods of the comparison do: a relative gap of 2e-2, or 30 steps.
var Stop = mkl.Settings{Gap: 2e-2, Iterations: 30, Threads: 1}

// learn is one machine; warm may be nil.
func (m Method) learn(ctx context.Context, g kernel.Grams, l loss.Loss, y []float64, warm *mkl.Result) (*mkl.Result, error) {
	p := &mkl.Problem{Grams: g, Set: m.Set, Loss: l, Y: y}
	s := Stop
	if s.Start = warm; m.Solver != nil {
		return mkl.Solve(ctx, p, m.Solver, &s)
	}
	s.Iterations, s.Gap = 1, 1e-3
	if _, ok := m.Set.(set.Spectraplex); ok {
		s.Theta = []float64{0.5, -0.5, -0.5, 0.5} // the theorem of degree 0
	}
	return mkl.Solve(ctx, p, mkl.FrankWolfe{Force: true}, &s)
}

// errs counts wrong signs of new points, or of numbers sums the squared errors.
func errs(c kernel.Cross, r *mkl.Result, y []float64, numbers bool) (wrong float64) {
	k := mat.NewDense(len(y), len(r.W), nil)
	c.Gram(k, r.Kernel)
	for i, v := range y {
		f := floats.Dot(k.RawRowView(i), r.W) + r.Bias
		switch {
		case numbers:
			wrong += (f - v) * (f - v)
		case f*v <= 0:
			wrong++
		}
	}
	return wrong
}

func at(y []float64, rows []int) []float64 {
	v := make([]float64, len(rows))
	for i, r := range rows {
		v[i] = y[r]
	}
	return v
}

// Choice is what cross-validation chose for one training part, and the loss on points left out.
type Choice struct {
	Family int
	C      float64
	Loss   float64 // share of wrong labels, or mean squared error
	Gap    float64 // relative, of the machine on the whole training part
}

// choose is one method on one split of x, y; of numbers with ε, else of labels.
func (m Method) choose(ctx context.Context, x kernel.Points, y []float64, s study.Split, epsilon float64, seed uint64) (c Choice, err error) {
	numbers := epsilon > 0
	train := x.Slice(s.Train)
	ty := at(y, s.Train)
	folds, err := study.KFold(ty, 3, seed)
	if err != nil {
		return c, err
	}
	at1 := func(constant float64) loss.Loss {
		if numbers {
			return loss.Insensitive{C: constant, Epsilon: epsilon}
		}
		return loss.Hinge{C: constant}
	}
	best := math.Inf(1)
	for f, family := range m.Families {
		wrong := make([]float64, len(m.C))
		for _, fold := range folds {
			g := family.On(train.Slice(fold.Train))
			cross := g.Cross(train.Slice(fold.Test))
			var warm *mkl.Result
			for i, constant := range m.C {
				if warm, err = m.learn(ctx, g, at1(constant), at(ty, fold.Train), warm); err != nil {
					return c, fmt.Errorf("tkl: %s, family %d, C = %g: %w", m.Name, f, constant, err)
				}
				wrong[i] += errs(cross, warm, at(ty, fold.Test), numbers)
			}
		}
		for i, w := range wrong {
			if w < best {
				best, c.Family, c.C = w, f, m.C[i]
			}
		}
	}
	g := m.Families[c.Family].On(train)
	r, err := m.learn(ctx, g, at1(c.C), ty, nil)
	if err != nil {
		return c, err
	}
	c.Gap = r.RelativeGap()
	c.Loss = errs(g.Cross(x.Slice(s.Test)), r, at(y, s.Test), numbers) / float64(len(s.Test))
	return c, nil
}

// Scores are what the methods reach on the same splits of one set.
type Scores struct {
	Data    string
	Methods []string
	Splits  [][]Choice // of each split, one of each method
}

// compare runs the methods on the splits; of numbers with ε, else of labels. seed is of the folds.
func compare(ctx context.Context, d *data.Dataset, methods []Method, splits []study.Split, epsilon float64, seed uint64) (*Scores, error) {
	out := &Scores{Data: d.Name}
	for _, m := range methods {
		out.Methods = append(out.Methods, m.Name)
	}
	for i, s := range splits {
		var row []Choice
		for _, m := range methods {
			c, err := m.choose(ctx, d.X, d.Y, s, epsilon, seed+uint64(i))
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
func Accuracy(ctx context.Context, name string, d *data.Dataset, methods []Method, splits int, seed uint64) (*Scores, error) {
	list, err := study.Holdout(d.Y, 0.2, splits, seed)
	if err != nil {
		return nil, err
	}
	s, err := compare(ctx, d, methods, list, 0, seed)
	if err == nil {
		s.Data = name
	}
	return s, err
}

// Columns are the losses of method m over the splits: mean and standard deviation, 0 of one split.
func (s *Scores) Columns(m int) (mean, sd float64) {
	var v []float64
	for _, row := range s.Splits {
		v = append(v, row[m].Loss)
	}
	if len(v) == 1 {
		return v[0], 0
	}
	return stat.MeanStdDev(v, nil)
}

// Mean returns the accuracy of method m in per cent and its standard deviation over the splits.
func (s *Scores) Mean(m int) (mean, sd float64) {
	mean, sd = s.Columns(m)
	return 100 * (1 - mean), 100 * sd
}

// Less is the mean accuracy of method a less that of b on the same splits, in per cent, and its
// standard error.
func (s *Scores) Less(a, b int) (mean, se float64) {
	var v []float64
	for _, row := range s.Splits {
		v = append(v, 100*(row[b].Loss-row[a].Loss))
	}
	mean, sd := stat.MeanStdDev(v, nil)
	return mean, sd / math.Sqrt(float64(len(v)))
}

// ByBound is the accuracy of degree 0 for each bound alone, C chosen inside the training part.
func ByBound(ctx context.Context, d *data.Dataset, bounds []float64, splits int) (Bounded, error) {
	out := Bounded{Bounds: bounds}
	var methods []Method
	for _, b := range bounds {
		methods = append(methods, Method{fmt.Sprint(b), []kernel.Family{tessellated.Family{Bound: b, Unit: true}}, set.Spectraplex{}, nil, Cs})
	}
	s, err := Accuracy(ctx, d.Name, d, methods, splits, 1)
	if err != nil {
		return out, err
	}
	for m := range methods {
		mean, _ := s.Mean(m)
		out.Accuracy = append(out.Accuracy, mean)
	}
	return out, nil
}
