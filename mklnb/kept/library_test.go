package kept

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// families returns a family of each kind of Grams with points for it.
func families(x points.Points) map[string]kernel.Bound {
	n := x.Len()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.RawSymmetric().Data[i*n+j], s.RawSymmetric().Data[j*n+i] = 0.1, 0.1
		}
		s.RawSymmetric().Data[i*n+i] = 1.5
	}
	list := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Linear{}}
	indices := points.Indices{}
	for i := range n {
		indices = append(indices, i)
	}
	return map[string]kernel.Bound{
		"sum":       {Family: kernel.Sum{Kernels: list, Center: true, Normalize: kernel.MeanDiagonal}, Points: x},
		"features":  {Family: kernel.Features{Degree: 2}, Points: x},
		"gaussians": {Family: kernel.Gaussians{}, Points: x},
		"monomials": {Family: kernel.Monomials{Kernels: list, Tied: kernel.Exponents(2, 2)}, Points: x},
		"products":  {Family: kernel.Monomials{Kernels: list, Free: kernel.Exponents(2, 2)}, Points: x},
		"tessellated": {Family: tessellated.Family{Degree: 1}, Points: points.FromMatrix(mat.NewDense(3, 2, []float64{
			0, 1, 1, 0, 0.5, 2}))},
		"learned": {Family: similarity.Learned{N: n}, Points: indices},
		"blocks": {Family: blocks.Family{Families: []kernel.Family{list, kernel.Sum{Kernels: list[:1]}}},
			Points: x},
		"precomputed": {Family: kernel.List{kernel.Precomputed{N: n, Data: s.RawSymmetric().Data}}, Points: indices},
	}
}

// TestProblem tests that a problem with each kind of Grams is the same after reading: K(θ) has the same bytes.
func TestProblem(t *testing.T) {
	d, err := datasets.Load("sonar")
	if err != nil {
		t.Fatal(err)
	}
	d, err = d.Slice([]int{0, 5, 50, 100, 120, 130, 140, 150, 160, 200})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range families(d.X) {
		p := &mkl.Problem{Grams: b.Family.Bind(b.Points), Set: set.Simplex{}, Loss: loss.Hinge{C: 1},
			Y: d.Y[:b.Points.Len()]}
		if err := p.Grams.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		q := *roundTrip(t, &p)[0].(**mkl.Problem)
		m, n := p.Grams.Dims()
		if m2, n2 := q.Grams.Dims(); m2 != m || n2 != n || reflect.TypeOf(q.Grams) != reflect.TypeOf(p.Grams) {
			t.Errorf("%s: %T with %d parameters and %d points is read as %T with %d and %d", name, p.Grams, m, n,
				q.Grams, m2, n2)
			continue
		}
		theta := make([]float64, m)
		for i := range theta {
			theta[i] = 1 / float64(i+2)
		}
		if rows, _ := p.Grams.ThetaShape(); rows > 1 {
			for i := range theta {
				theta[i] = 0
			}
			for i := range rows {
				theta[i*rows+i] = 1
			}
		}
		products := func(p *mkl.Problem) []float64 {
			g := p.Grams.New()
			g.SetTheta(theta)
			v := make([]float64, m)
			g.Gradient(v, p.Y)
			return v
		}
		if a, b := products(p), products(q); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the gradient is %v, expected %v", name, b, a)
		}
	}
}

// openLearned returns points of a table with a class of count, or with a real target if count is 0.
func openLearned(t *testing.T, count int) *data.Dataset {
	rng := rand.New(rand.NewPCG(uint64(count), 1))
	text := "a,b,c,color,y\n"
	for i := range 24 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		y := fmt.Sprint(a + 0.1*b)
		if count > 0 {
			y = fmt.Sprint("class", i%count)
			a += float64(i % count)
		}
		text += fmt.Sprintf("%v,%v,%v,%s,%s\n", a, b, rng.NormFloat64(), []string{"red", "blue"}[i%2], y)
	}
	path := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := data.Options{Label: "y", Regression: count == 0}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// withMatrix returns the points of d as those of a Gram matrix, or of a matrix of similarities.
func withMatrix(d *data.Dataset, isGram bool) *data.Dataset {
	n := d.Len()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, math.Exp(-math.Abs(d.Y[i]-d.Y[j]))+0.01*float64((i*j)%7))
		}
	}
	m := &data.Dataset{Name: "matrix", X: points.AllIndices(n), Y: d.Y, Classes: d.Classes}
	if isGram {
		square := mat.DenseCopyOf(s).RawMatrix().Data
		for i := range n {
			square[i*n+i] += 1
		}
		m.Kernels = kernel.List{kernel.Precomputed{Name: "gram", N: n, Data: square},
			kernel.Precomputed{Name: "identity", N: n, Data: mat.DenseCopyOf(mat.NewDiagDense(n,
				slices.Repeat([]float64{1}, n))).RawMatrix().Data}}
	} else {
		m.Similarities = []data.Similarity{{Name: "s", N: n, S: similarity.Vec(s)}}
	}
	return m
}

// TestLearned tests that a kept result of Learn gives the same bytes as the fresh one: predictions, score, importances,
// partial dependence and learning curve.
func TestLearned(t *testing.T) {
	two, three, numbers := openLearned(t, 2), openLearned(t, 3), openLearned(t, 0)
	table := *two
	table.Y, table.Classes = nil, nil
	joined, err := data.Join(&table, withMatrix(two, true))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, c := range map[string]struct {
		d       *data.Dataset
		options []learn.Option
		isLong  bool
	}{
		"two classes":    {two, nil, false},
		"three classes":  {three, nil, true},
		"intervals":      {numbers, []learn.Option{learn.WithIntervals(0.8)}, false},
		"quantiles":      {numbers, []learn.Option{learn.WithQuantile(0.2, 0.8)}, true},
		"views":          {two, []learn.Option{learn.WithViews(data.Views{"ab": {"a", "b"}, "c": {"c"}})}, true},
		"Gram matrix":    {withMatrix(two, true), nil, true},
		"similarities":   {withMatrix(two, false), nil, true},
		"joined sources": {joined, nil, false},
		"landmarks":      {numbers, []learn.Option{learn.WithLandmarks(8)}, true},
		"squared hinge":  {three, []learn.Option{learn.WithLoss(fit.Losses(loss.SquaredHinge{}, 1))}, true},
	} {
		if c.isLong && testing.Short() {
			continue
		}
		options := []learn.Option{learn.WithFolds(2), learn.WithLambda(0.1)}
		if name == "quantiles" || name == "squared hinge" {
			options = options[:1] // they set λ
		}
		l, err := learn.Learn(ctx, c.d, append(options, c.options...)...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := *roundTrip(t, &l)[0].(**learn.Learned)
		for what, f := range map[string]func(l *learn.Learned) (any, error){
			"predictions": func(l *learn.Learned) (any, error) {
				p, err := l.Model.Predictor()
				if err != nil {
					return nil, err
				}
				return p.Predict(c.d.X)
			},
			"model": func(l *learn.Learned) (any, error) {
				var b bytes.Buffer
				err := l.Model.Write(&b)
				return b.String(), err
			},
			"score":      func(l *learn.Learned) (any, error) { return l.Model.Score(c.d) },
			"importance": func(l *learn.Learned) (any, error) { return learn.Importance(ctx, l, nil) },
			"partial":    func(l *learn.Learned) (any, error) { return learn.PartialDependenceOf(ctx, l, nil, "a") },
			"curve":      func(l *learn.Learned) (any, error) { return learn.LearningCurveOf(ctx, l, nil) },
		} {
			a, errA := f(l)
			b, errB := f(r)
			x, _ := registry.MarshalValue(a)
			y, _ := registry.MarshalValue(b)
			if fmt.Sprint(errA) != fmt.Sprint(errB) || string(x) != string(y) {
				t.Errorf("%s, %s: %v, expected %v; %.200s, expected %.200s", name, what, errB, errA, y, x)
			}
			if errA != nil && c.d.Kernels == nil && c.d.Similarities == nil {
				t.Errorf("%s, %s: %v", name, what, errA)
			}
		}
		if fmt.Sprint(l.Table) != fmt.Sprint(r.Table) {
			t.Errorf("%s: the table differs", name)
		}
	}
}

// TestChangedPoints tests that a bound family is not kept if its points have changed since it was seen first, in the
// cell that bound it or in a later one.
func TestChangedPoints(t *testing.T) {
	checked := 0
	for name, f := range families(points.FromMatrix(mat.NewDense(3, 2, []float64{0, 1, 1, 0, 0.5, 2}))) {
		rows, ok := f.Points.(points.Rows)
		if !ok {
			continue
		}
		checked++
		g := f.Family.Bind(rows)
		v := Var("g", &g)
		noteForms(v)
		if _, _, err := encode([]Variable{v}, 1<<20); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		rows.Data[0]++
		if _, _, err := encode([]Variable{v}, 1<<20); err == nil {
			t.Errorf("%s is written after a point has changed", name)
		}
		rows.Data[0]--
	}
	if checked < 5 {
		t.Errorf("only %d families were checked", checked)
	}
}

// TestSolved tests that a kept problem with each registered loss and each registered set is solved to the same bytes as
// the fresh one.
func TestSolved(t *testing.T) {
	d, err := datasets.Load("sonar")
	if err == nil {
		d, err = d.Slice([]int{0, 5, 50, 100, 120, 130, 140, 150, 160, 200})
	}
	if err != nil {
		t.Fatal(err)
	}
	all, n := families(d.X), d.Len()
	twice := slices.Concat(d.Y, d.Y)
	hinge, simplex := loss.Hinge{C: 1}, set.Simplex{}
	unsolved := 0
	tested := map[string]bool{}
	for _, c := range []struct {
		family string
		loss   loss.Loss
		set    set.Set
		y      []float64
		solver mkl.Solver
	}{
		{"sum", loss.Squared{Lambda: 1}, simplex, d.Y, mkl.SPG{}},
		{"sum", loss.SquaredHinge{Lambda: 1}, set.Ball{Q: 2, Radius: 1}, d.Y, mkl.SPG{}},
		{"sum", loss.EpsilonInsensitive{C: 1, Epsilon: 0.1}, simplex, d.Y, mkl.Level{}},
		{"sum", loss.Pinball{C: 1, Tau: 0.5}, simplex, d.Y, mkl.Level{}},
		{"sum", loss.Columns{Loss: hinge, Count: 2}, simplex, twice, mkl.Level{}},
		{"gaussians", hinge, set.Orthant{}, d.Y, mkl.LBFGS{}},
		{"tessellated", hinge, set.Spectraplex{}, []float64{1, -1, 1}, mkl.FrankWolfe{}},
		{"learned", hinge, set.PSD{}, d.Y, mkl.DualAscent{}},
		{"blocks", loss.BlockNorm{Loss: hinge}, set.Product{Factor: simplex, Count: 3}, d.Y,
			mkl.MirrorDescent{}},
	} {
		tested[fmt.Sprintf("%T", c.loss)], tested[fmt.Sprintf("%T", c.set)] = true, true
		tested[fmt.Sprintf("%T", hinge)] = true
		b := all[c.family]
		p := &mkl.Problem{Grams: b.Family.Bind(b.Points), Set: c.set, Loss: c.loss, Y: c.y}
		if c.family == "learned" { // near the identity
			target := make([]float64, n*n)
			for i := range n {
				target[i*n+i] = 1
			}
			p.Reg = reg.DistancePenalty{Rho: 1, Distance: reg.SquaredNorm, Targets: [][]float64{target}}
		}
		q := *roundTrip(t, &p)[0].(**mkl.Problem)
		solve := func(p *mkl.Problem) string {
			r, err := mkl.Solve(context.Background(), p, c.solver, &mkl.Settings{Iterations: 5})
			if err != nil {
				unsolved++
				t.Logf("%s with %T and %T: %v", c.family, c.loss, c.set, err)
				return err.Error()
			}
			return fmt.Sprintf("%x %x %x", r.Theta, r.W, r.F)
		}
		if a, b := solve(p), solve(q); a != b {
			t.Errorf("%s with %T and %T: the kept problem gives %.200s, expected %.200s", c.family, c.loss, c.set, b, a)
		}
	}
	for _, name := range registry.Names() {
		if short := name[strings.LastIndexByte(name, '/')+1:]; !tested[short] &&
			(strings.HasPrefix(short, "loss.") || strings.HasPrefix(short, "set.")) {
			t.Errorf("%s is not tested", name)
		}
	}
	if unsolved > 0 {
		t.Errorf("%d problems were not solved", unsolved)
	}
}
