package learn

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// gramsWithNoise returns n points with one Gram matrix of signal and two of noise.
func gramsWithNoise(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &data.Dataset{Name: "grams", X: points.AllIndices(n), Y: make([]float64, n)}
	for _, name := range []string{"signal", "noise", "more noise"} {
		x, k := make([]float64, n), make([]float64, 0, n*n)
		for i := range x {
			if x[i] = 2 * rng.NormFloat64(); name == "signal" {
				d.Y[i] = math.Sin(x[i]) + 0.1*rng.NormFloat64()
			}
		}
		for i := range x {
			for j := range x {
				k = append(k, math.Exp(-(x[i]-x[j])*(x[i]-x[j])))
			}
		}
		d.Kernels = append(d.Kernels, kernel.Precomputed{Name: name, N: n, Data: k})
	}
	return d
}

// optionNames returns the names of the exported functions in options.go, the options of Learn.
func optionNames() (names []string) {
	for _, declaration := range must(parser.ParseFile(token.NewFileSet(), "options.go", nil, 0)).Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Name.IsExported() {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// Every option reaches the comparison without one of the kernels: it is the comparison of Learn in all fields except
// the families and the default balls.
func TestImportanceOfKernelsKeepsOptions(t *testing.T) {
	d := gramsWithNoise(40, 1)
	classes := *d
	classes.Y, classes.Classes = slices.Clone(d.Y), []string{"a", "b"}
	for i, v := range d.Y {
		classes.Y[i] = math.Copysign(1, v)
	}
	positive := *d
	positive.Y = slices.Clone(d.Y)
	floats.AddConst(1-slices.Min(d.Y), positive.Y)
	options := map[string]Option{"WithFamily": WithFamily(kernel.Sum{Kernels: d.Kernels, Center: true}),
		"WithSet":      WithSet(set.Simplex{}),
		"WithLoss":     WithLoss(fit.Losses(loss.EpsilonInsensitive{Epsilon: 0.1}, 1, 2)),
		"WithQuantile": WithQuantile(0.5), "WithLambda": WithLambda(0.1, 0.2), "WithFolds": WithFolds(3),
		"WithSplits": WithSplits(must(fit.Holdout(d.Y, 0.5, 2, 7))), "WithSeed": WithSeed(3),
		"WithSolver": WithSolver(mkl.PGD{}), "WithGap": WithGap(1e-4), "WithMethod": WithMethod(LearnedName),
		"WithSelectionPoints": WithSelectionPoints(16), "WithLandmarks": WithLandmarks(20),
		"WithWorkers": WithWorkers(1),
		"WithStore":   WithStore(t.TempDir()), "WithoutProbabilities": WithoutProbabilities(),
		"WithLogCandidate": WithLogCandidate(), "WithMetric": WithMetric(model.AUC),
		"WithBalancedClasses": WithBalancedClasses(),
		"WithRules":           WithRules(mkl.AlignF{}),
		"WithIntervals":       WithIntervals(0.8), "WithFittedCallback": WithFittedCallback(func(*Learned) {}),
		"WithProgress": WithProgress(func(compare.Progress) {}), "WithViews": nil} // views need features
	for _, name := range optionNames() {
		o, ok := options[name]
		switch {
		case !ok:
			t.Errorf("%s is missing in this test", name)
			continue
		case o == nil:
			continue
		}
		c := d
		if name == "WithoutProbabilities" || name == "WithMetric" || name == "WithBalancedClasses" {
			c = &classes
		} else if name == "WithLogCandidate" {
			c = &positive
		}
		p, s, err := planStudy(c, []Option{o})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		reduced := must((&Learned{Plan: p, study: s}).studyWithoutKernel(1))
		checkEqualFields(t, name, *reduced, *s, "Methods")
		for i, m := range reduced.Methods {
			checkEqualFields(t, name+", method "+m.Name, m, s.Methods[i], "Fitter")
			checkEqualFields(t, name+", method "+m.Name, m.Search(), s.Methods[i].Search(), "Family", "Grid")
			for j, axis := range m.Search().Grid {
				want := s.Methods[i].Search().Grid[j]
				if reflect.DeepEqual(want, defaultBalls(3)) {
					want = defaultBalls(2)
				}
				if !reflect.DeepEqual(axis, want) {
					t.Errorf("%s, method %s: %v, want %v", name, m.Name, axis, want)
				}
			}
			if m.Search().Family != nil && len(kernel.KernelsOf(m.Search().Family)) != 2 {
				t.Errorf("%s, method %s: the family is %v", name, m.Name, m.Search().Family)
			}
		}
	}
}

// checkEqualFields checks that all fields of the structs a and b are equal, except those named.
func checkEqualFields(t *testing.T, name string, a, b any, except ...string) {
	t.Helper()
	for _, f := range reflect.VisibleFields(reflect.TypeOf(a)) {
		got, want := reflect.ValueOf(a).FieldByIndex(f.Index), reflect.ValueOf(b).FieldByIndex(f.Index)
		if !slices.Contains(except, f.Name) && !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Errorf("%s: %s is %v, want %v", name, f.Name, got, want)
		}
	}
}

// One of three equal kernels has no importance: without it, uniform weights give the same kernel matrix. So a drop
// shows that other settings differ.
func TestImportanceOfEqualKernels(t *testing.T) {
	d := gramsWithNoise(60, 1)
	for i := range d.Kernels {
		k := d.Kernels[0].(kernel.Precomputed)
		k.Name = string(rune('a' + i))
		d.Kernels[i] = k
	}
	splits := WithSplits(must(fit.Holdout(d.Y, 0.25, 3, 1)))
	for name, o := range map[string]Option{"default": WithSeed(0), "selection points": WithSelectionPoints(16),
		"loss": WithLoss(fit.Losses(loss.EpsilonInsensitive{Epsilon: 0.1}, 0.01, 0.1, 1)), "seed": WithSeed(3)} {
		l := must(Learn(t.Context(), d, splits, WithMethod(UniformName), o))
		for _, g := range must(Importance(t.Context(), l, nil)).Groups {
			if !(math.Abs(g.Drop.Mean) < 1e-3) { // the relative gap of the comparison
				t.Errorf("%s, kernel %s: %+v", name, g.Name, g.Drop)
			}
		}
	}
}

// TestWithoutKernel tests that a plan without a kernel is followed on the same data, and that other kernels are errors.
func TestWithoutKernel(t *testing.T) {
	d := gramsWithNoise(40, 1)
	p := must(NewPlan(d, WithSplits(nil), WithLambda(0.1), WithMethod(LearnedName)))
	l := must(Fit(t.Context(), d, must(p.WithoutKernel(1))))
	g := p.Methods[0].Search().Family.Bind(d.X)
	if want := []string{g.Label(0), g.Label(2)}; !slices.Equal(l.Result.ThetaLabels, want) {
		t.Errorf("kernels %q, want %q", l.Result.ThetaLabels, want)
	}
	for _, k := range []int{-1, 3} {
		if _, err := p.WithoutKernel(k); err == nil {
			t.Errorf("kernel %d: no error", k)
		}
	}
	if _, err := (Plan{}).WithoutKernel(0); err == nil {
		t.Error("a plan without methods: no error")
	}
}

// A given set stays the set; if it does not suit one kernel fewer, the error names the option. A single kernel is alone
// also if no weights of the set have it alone.
func TestImportanceOfKernelsWithSet(t *testing.T) {
	d := gramsWithNoise(40, 1)
	splits := WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1)))
	for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1, Center: []float64{1, 1, 1}},
		set.Ball{Q: 2, Radius: 1, Center: []float64{1, 0, 0}}} { // with the first kernel alone, not with the others
		suits := s == set.Set(set.Simplex{})
		l := must(Learn(t.Context(), d, splits, WithSet(s), WithLambda(0.1)))
		for _, r := range l.Table.Row(SingleName).Runs {
			if got := len(slices.DeleteFunc(slices.Clone(r.Theta), func(v float64) bool { return v == 0 })); got != 1 {
				t.Errorf("%v: the weights of a single kernel are %v", s, r.Theta)
			}
		}
		err := testenv.ErrorText(Importance(t.Context(), l, nil))
		if suits != (err == "") || !suits && !strings.Contains(err, "WithSet") {
			t.Errorf("%v: %q", s, err)
		}
	}
}
