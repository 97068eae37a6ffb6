package kept

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

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

// TestLearned tests that a result of Learn gives the same importances, partial dependence and learning curve after
// reading.
func TestLearned(t *testing.T) {
	d, err := datasets.Load("sonar")
	if err != nil {
		t.Fatal(err)
	}
	if d, err = d.Slice([]int{0, 5, 50, 60, 70, 80, 90, 100, 120, 130, 140, 150, 160, 170, 180, 190, 200,
		205}); err != nil {
		t.Fatal(err)
	}
	l, err := learn.Learn(context.Background(), d, learn.WithFolds(2), learn.WithLambda(0.1))
	if err != nil {
		t.Fatal(err)
	}
	r := *roundTrip(t, &l)[0].(**learn.Learned)
	for name, f := range map[string]func(l *learn.Learned) (any, error){
		"importance": func(l *learn.Learned) (any, error) { return learn.Importance(context.Background(), l, nil) },
		"score":      func(l *learn.Learned) (any, error) { return l.Model.Score(d) },
	} {
		a, errA := f(l)
		b, errB := f(r)
		x, _ := registry.MarshalValue(a)
		y, _ := registry.MarshalValue(b)
		if errA != nil || errB != nil || string(x) != string(y) {
			t.Errorf("%s: %v, %v; %.200s, expected %.200s", name, errA, errB, y, x)
		}
	}
	if fmt.Sprint(l.Table) != fmt.Sprint(r.Table) {
		t.Error("the table differs")
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
