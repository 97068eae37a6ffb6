package compare

import (
	"context"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var (
	gaussians = kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}},
		Center: true, Normalize: kernel.MeanDiagonal, Prepare: points.Preprocessing{points.Standardize}}
	features = kernel.Features{Degree: 2, Constant: true, Prepare: points.Preprocessing{points.Standardize}}
)

// everything is a study with every kind of method.
func everything() *Study {
	d := comparetest.OverlappingClasses(36, 3, 1)
	return &Study{
		Data:     d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4}, Seed: 3},
		Splits:   must(fit.Halves(d.Y, 3, 5)),
		Methods: []fit.Method{
			{Name: "uniform", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(fit.HalfDecades(-2, 1)...),
				fit.Rules(mkl.Uniform{})}}},
			{Name: "single", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(fit.HalfDecades(-2,
				1)...).WithinDecades("uniform", 0.5),
				fit.SingleKernels{}}}},
			{Name: "simplex", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(fit.HalfDecades(-2,
				1)...).Extendable(1)}}},
			{Name: "ball", Fitter: fit.Search{Family: features, Grid: fit.Grid{fit.Ridge(fit.HalfDecades(-1,
				1)...).WithinDecades("uniform", 1),
				fit.Balls(2, 1, 0.5, 2)}}},
			{Name: "ridge", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(0.1, 1),
				fit.Sets(set.Orthant{}),
				fit.RidgeRegularizers(0.1, 1)},
				Solver: mkl.PGD{}}},
		},
	}
}

// edit changes the Search of a method.
func edit(methods []fit.Method, i int, change func(*fit.Search)) {
	search := methods[i].Search()
	change(&search)
	methods[i].Fitter = search
}

// search returns a change of a study that edits the Search of a method.
func search(i int, change func(*fit.Search)) func(*Study, []fit.Method) {
	return func(_ *Study, m []fit.Method) { edit(m, i, change) }
}

// runs is how many a table has.
func runs(t *Table) (n int) {
	for _, r := range t.Rows {
		n += len(r.Runs)
	}
	return n
}

func run1(t *testing.T, s *Study) *Table {
	t.Helper()
	table := must(s.Run(context.Background(), nil))
	return timeless(table)
}

// timeless is t without what a clock says.
func timeless(t *Table) *Table {
	t.TotalSeconds = 0
	for i := range t.Rows {
		for j := range t.Rows[i].Runs {
			t.Rows[i].Runs[j].Seconds = 0
		}
	}
	return t
}

// TestRepeatAndWorkers tests that a repeated run has the same bits for every number of workers, with each way to choose
// hyperparameters.
func TestRepeatAndWorkers(t *testing.T) {
	for _, how := range []fit.Selection{{Folds: 4}, {Folds: 3, OnAllData: true},
		{Folds: 4, By: model.ErrorRate}} {
		s := everything()
		s.Selection, s.Workers = how, 1
		want := run1(t, s)
		for _, workers := range []int{1, 2, 7} {
			s.Workers = workers
			if got := run1(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: %d workers find\n%v\nand one\n%v", how, workers, got, want)
			}
		}
		for _, r := range want.Rows {
			if len(r.Runs) != 3 {
				t.Errorf("%+v: %s has %d runs, want 3", how, r.Method, len(r.Runs))
			}
		}
		if want.Stopped {
			t.Errorf("%+v: marked as stopped", how)
		}
	}
}

// TestRunByHand compares a run with its steps done one by one: slice, center, solve, predict, score.
func TestRunByHand(t *testing.T) {
	s := everything()
	for i := range 10 {
		s.Data.Y[i] = 1 // a mean that is not 0
	}
	s.Methods = s.Methods[2:3]
	edit(s.Methods, 0, func(m *fit.Search) { m.Grid, m.Gap = fit.Grid{fit.Ridge(0.3)}, 1e-8 })
	table := run1(t, s)
	for i, split := range s.Splits {
		x, y := s.Data.X.Slice(split.Train), must(s.Data.Slice(split.Train)).Y
		mean := 0.0
		for _, v := range y {
			mean += v / float64(len(y))
		}
		for k := range y {
			y[k] -= mean
		}
		g := gaussians.Bind(x)
		r := must(mkl.Solve(context.Background(), &mkl.Problem{Grams: g, Set: set.Simplex{},
			Loss: loss.Squared{Lambda: 0.3}, Y: y}, mkl.SPG{}, &mkl.Settings{Gap: 1e-8}))
		z := s.Data.X.Slice(split.Test)
		f, sum := mat.NewDense(z.Len(), len(y), nil), 0.0
		g.Cross(z).StoreMatrix(f, r.PredictionTheta)
		for k, row := range split.Test {
			off := floats.Dot(f.RawRowView(k), r.W) + mean - s.Data.Y[row]
			sum += off * off
		}
		want := math.Sqrt(sum / float64(z.Len()))
		if got := table.Rows[0].Runs[i].Score.RMSE; math.Abs(got-want) > 1e-6 { // two solves to a gap of 1e-8
			t.Errorf("split %d: RMSE %v, by hand %v", i, got, want)
		}
	}
	var written strings.Builder
	if err := table.WriteCSV(&written); err != nil {
		t.Fatal(err)
	}
	rows := must(csv.NewReader(strings.NewReader(written.String())).ReadAll())
	column := slices.Index(rows[0], "RMSE")
	for i, v := range table.Values(table.Rows[0].Method, model.RMSE) {
		if got := must(strconv.ParseFloat(rows[i+1][column], 64)); got != v {
			t.Errorf("split %d: written RMSE %v, expected %v", i, got, v)
		}
	}
}

// scramble replaces the points and labels tested on by others.
func scramble(d *data.Dataset, test []int) *data.Dataset {
	rng := rand.New(rand.NewPCG(99, 0))
	x, e := d.X.(points.Rows), *d
	x.Data, e.Y = slices.Clone(x.Data), slices.Clone(d.Y)
	for _, r := range test {
		for j := range x.D {
			x.Data[r*x.D+j] = 100 * rng.NormFloat64()
		}
		e.Y[r] = -e.Y[r]
	}
	e.X = x
	return &e
}

// TestTestPointsDoNotLeak tests that weights and hyperparameters depend neither on the features of the test points
// (centering, scales, normalization) nor on their labels (selection, mean of targets). In the control, which chooses on
// all the data, they do, and a note reports it.
func TestTestPointsDoNotLeak(t *testing.T) {
	for _, how := range []fit.Selection{{Folds: 4}, {Folds: 4, OnAllData: true}} {
		s := everything()
		s.Splits, s.Selection = s.Splits[:1], how
		want := run1(t, s)
		s.Data = scramble(s.Data, s.Splits[0].Test)
		got := run1(t, s)
		same := true
		for i, r := range got.Rows {
			a, b := r.Runs[0], want.Rows[i].Runs[0]
			same = same && a.Value == b.Value && a.Label == b.Label && slices.Equal(a.Theta, b.Theta)
		}
		if same == how.OnAllData || strings.Contains(strings.Join(want.Notes, " "),
			"scores are optimistic") != how.OnAllData {
			t.Errorf("%+v: with other points to test on, the same is learned: %v; notes %q", how, same, want.Notes)
		}
	}
}

// TestOneClassInTraining tests that a training part with one class predicts this class for every loss, in folds and in
// splits, and that the table names the hyperparameter of the loss.
func TestOneClassInTraining(t *testing.T) {
	d := comparetest.OverlappingClasses(16, 2, 1)
	for i := range d.Y {
		d.Y[i] = -1
	}
	d.Y[7] = 1
	svm := fit.Losses(loss.Hinge{}, 0.1, 1)
	s := &Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4}}, Splits: must(fit.KFold(d.Y, 8,
			1)),
		Methods: append(everything().Methods,
			fit.Method{Name: "svm", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{svm,
				fit.Rules(mkl.Uniform{})}}},
			fit.Method{Name: "level", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{svm}, Solver: mkl.Level{}}})}
	table := run1(t, s)
	checked := 0
	for i, split := range s.Splits {
		if slices.Contains(points.Pick(d.Y, split.Train), 1) {
			continue
		}
		for _, r := range table.Rows {
			checked++
			// two test points: −1 is predicted for both
			run := r.Runs[i]
			if sc := run.Score; math.Abs(sc.RMSE-math.Sqrt(2)) > 1e-12 || sc.Accuracy != 0.5 ||
				run.Status.IsUnfinished() {
				t.Errorf("%s learned from one class: %v, %v, want RMSE √2 and accuracy 0.5", r.Method, sc, run.Status)
			}
		}
	}
	if checked == 0 {
		t.Error("no training part has one class: nothing was checked")
	}
}

// TestStop tests that a stopped study has the finished splits, equal to those of the full run, that a store lets it
// continue there, and that the progress counts each task once.
func TestStop(t *testing.T) {
	s := everything()
	s.Workers = 2
	want := run1(t, s)
	const all = 5*3 + 5*3*4 // splits, and their folds
	for _, after := range []int{0, 1, 10, 30, all} {
		s.StoreFolder = t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		if after == 0 {
			cancel()
		}
		done := 0
		got, err := s.Run(ctx, func(p Progress) {
			if done++; p.Done == after && after < all {
				cancel()
			}
			if table := p.Table(); table.Stopped != (runs(table) < 15) || done == all && table.Stopped {
				t.Errorf("the table after %d tasks has %d runs, stopped %v", done, runs(table), table.Stopped)
			}
			if p.Done != done || p.TaskName == "" || p.Stored != 0 || p.Left < 0 || done == all && p.Total != all {
				t.Errorf("progress %+v at call %d", p, done)
			}
		})
		cancel()
		if err != nil {
			t.Fatalf("after %d tasks: %v", after, err)
		}
		timeless(got)
		finished := runs(got)
		for i, r := range got.Rows {
			for _, run := range r.Runs {
				if !reflect.DeepEqual(run, want.Rows[i].Runs[run.Split]) {
					t.Errorf("after %d tasks: %s on split %d differs", after, r.Method, run.Split)
				}
			}
		}
		if got.Stopped != (after < all) || (finished == 15) != (after == all) || after == 30 && finished == 0 {
			t.Errorf("after %d tasks: %d runs, stopped %v", after, finished, got.Stopped)
		}
		stored := 0
		resumed := must(s.Run(context.Background(), func(p Progress) { stored = p.Stored }))
		if stored < min(after, done) || !reflect.DeepEqual(timeless(resumed), want) {
			t.Errorf("after %d tasks %d are stored; resumed:\n%v\nin one go:\n%v", after, stored, resumed, want)
		}
	}
}

// TestStore tests that a study reads its stored results, and that a different study reads none of them.
func TestStore(t *testing.T) {
	s := everything()
	want := run1(t, s)
	s.StoreFolder = filepath.Join(t.TempDir(), "a", "b")
	stored := func(s *Study) int {
		t.Helper()
		n := 0
		got := must(s.Run(context.Background(), func(p Progress) { n = p.Stored }))
		if s.Methods[0].Name == "uniform" && !reflect.DeepEqual(timeless(got), want) {
			t.Errorf("with a store:\n%v\nwithout:\n%v", got, want)
		}
		return n
	}
	if n := stored(s); n != 0 {
		t.Errorf("an empty store had %d tasks", n)
	}
	all := 75
	if n := stored(s); n != all {
		t.Errorf("a full store had %d tasks, want %d", n, all)
	}
	if files := must(os.ReadDir(s.StoreFolder)); len(files) != len(s.Splits) {
		t.Fatalf("%d files, want one for each split", len(files))
	}
	// the points tested on are part of the question, be the training points the same
	q := *s
	q.Methods, q.Splits = []fit.Method{{Name: "one", Fitter: fit.Search{Family: gaussians,
		Grid: fit.Grid{fit.Ridge(0.77)}}}}, nil
	fewer := fit.Split{Train: s.Splits[0].Train, Test: s.Splits[0].Test[:5]}
	for _, split := range []fit.Split{s.Splits[0], fewer} {
		q.Splits = []fit.Split{split}
		if n := stored(&q); n != 0 {
			t.Errorf("other points to test on: %d tasks were stored", n)
		}
	}
	// a name is not part of it; all else is
	s.Methods[0].Name = "equal"
	for i := range s.Methods {
		edit(s.Methods, i, func(m *fit.Search) {
			if a := m.Grid[0].(fit.Path); a.NearMethod != "" {
				a.NearMethod = "equal"
				m.Grid[0] = a
			}
		})
	}
	if n := stored(s); n != all {
		t.Errorf("under another name %d tasks were stored, want %d", n, all)
	}
	for name, change := range map[string]func(s *Study, m []fit.Method){
		"data":   func(s *Study, m []fit.Method) { s.Data = scramble(s.Data, []int{0}) },
		"gap":    search(0, func(m *fit.Search) { m.Gap = 1e-4 }),
		"family": search(0, func(m *fit.Search) { m.Family = kernel.List{kernel.RBF{Gamma: 0.25}} }),
		"set":    search(0, func(m *fit.Search) { m.Grid = append(m.Grid, fit.Sets(set.Simplex{Sum: 2})) }),
		"λ":      search(0, func(m *fit.Search) { m.Grid = fit.Grid{fit.Ridge(0.5, 0.6), m.Grid[1]} }),
		"loss": search(0, func(m *fit.Search) {
			m.Grid = fit.Grid{twin(fit.HalfDecades(-2, 1)...), m.Grid[1]}
		}),
		"solver": search(0, func(m *fit.Search) { m.Grid, m.Solver = m.Grid[:1], mkl.PGD{} }),
	} {
		q := *s
		q.Methods = slices.Clone(s.Methods[:1])
		change(&q, q.Methods)
		if n := stored(&q); n != 0 {
			t.Errorf("another %s: %d tasks were stored", name, n)
		}
	}
}

// TestStoreRefuses tests that a study runs, with a note, if its store cannot be written or its loss has no file form.
func TestStoreRefuses(t *testing.T) {
	s := everything()
	want := run1(t, s)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.StoreFolder = filepath.Join(file, "below")
	got := run1(t, s)
	unkept := func(want *Table, said string) {
		t.Helper()
		n := len(got.Notes) - 1
		says(t, got.Notes[n], said)
		if got.Notes = got.Notes[:n]; !reflect.DeepEqual(got, want) {
			t.Errorf("with a store that does not keep it:\n%v\nwithout:\n%v", got, want)
		}
	}
	unkept(want, "Some results could not be stored")
	s.StoreFolder = file
	says(t, testenv.ErrorText(s.Run(context.Background(), nil)), "is a file")
	s.StoreFolder = t.TempDir()
	edit(s.Methods, 2, func(m *fit.Search) { m.Grid[0] = unregistered(1, 2) })
	got, s.StoreFolder = run1(t, s), ""
	unkept(run1(t, s), `method "simplex" cannot be stored`)
	s.StoreFolder = t.TempDir()
	_, _, err := s.StoredTable(t.Context())
	says(t, testenv.ErrorText(0, err), `method "simplex" cannot be stored`)
}

// squaredTwin is the squared loss as another type with the same number.
type squaredTwin struct{ loss.Squared }

func init() { registry.Register(squaredTwin{}) }

func (squaredTwin) WithParameter(l float64) loss.Loss { return squaredTwin{loss.Squared{Lambda: l}} }

func twin(lambdas ...float64) fit.Axis {
	slices.Reverse(lambdas)
	return fit.Losses(squaredTwin{}, lambdas...)
}

// unregistered is the squared loss as a type without a file form.
func unregistered(values ...float64) fit.Axis {
	return fit.Losses(plain{loss.Squared{}}, values...)
}

type (
	strict loss.Loss // under a name that is not the method's
	plain  struct{ strict }
)

func (plain) Traits() loss.Traits { return loss.Traits{StrictlyConcave: true, Smooth: true} }

func (p plain) Parameter() (string, float64) { return p.strict.(loss.Squared).Parameter() }

func (p plain) WithParameter(v float64) loss.Loss { return plain{loss.Squared{Lambda: v}} }

// penalized is the squared loss by C = 1/λ.
type penalized struct{ loss.Squared }

func (p penalized) Parameter() (string, float64) { return "C", 1 / p.Lambda }

func (penalized) WithParameter(c float64) loss.Loss { return penalized{loss.Squared{Lambda: 1 / c}} }

func TestStudyErrors(t *testing.T) {
	for want, change := range map[string]func(s *Study, m []fit.Method){
		"has no data":          func(s *Study, m []fit.Method) { s.Data = nil },
		"there are no methods": func(s *Study, m []fit.Method) { s.Methods = nil },
		"has no splits":        func(s *Study, m []fit.Method) { s.Splits = nil },
		"point 1 twice":        func(s *Study, m []fit.Method) { s.Splits[0].Test = s.Splits[0].Train[:1] },
		"point 3 twice": func(s *Study, m []fit.Method) {
			s.Splits[0].Train = append(slices.Clone(s.Splits[0].Train), s.Splits[0].Train[1])
		},
		`method "simplex" has no family`: search(2, func(m *fit.Search) { m.Family = nil }),
		"name an earlier method": search(1, func(m *fit.Search) {
			m.Grid[0] = fit.Ridge(1).WithinDecades("simplex", 1)
		}),
		"searches C near the λ of": search(1, func(m *fit.Search) {
			m.Grid[0] = fit.Losses(penalized{}, 1).WithinDecades("uniform", 1)
		}),
		`Selection.By is "R²"`: func(s *Study, m []fit.Method) { s.Selection.By = model.R2 },
		"the targets are numbers": func(s *Study, m []fit.Method) {
			d := *s.Data
			d.Classes = nil
			s.Data, s.Selection.By = &d, model.ErrorRate
		},
		"λ = 0":                      search(0, func(m *fit.Search) { m.Grid[0] = fit.Ridge(1, 0) }),
		"an axis of the grid is nil": search(4, func(m *fit.Search) { m.Grid[1] = nil }),
		"has a solver and rules":     search(0, func(m *fit.Search) { m.Solver = mkl.SPG{} }),
		"does not suit":              search(2, func(m *fit.Search) { m.Solver = mkl.IIA{} }),
		"-1":                         search(2, func(m *fit.Search) { m.Family = kernel.List{kernel.RBF{Gamma: -1}} }),
		"there is no kernel 3": search(0, func(m *fit.Search) {
			m.Grid[1] = fit.Rules(fit.SingleKernel{Kernel: 3})
		}),
		"no λ within 0.5 decades": search(1, func(m *fit.Search) {
			m.Grid[0] = fit.Ridge(1e9).WithinDecades("uniform", 0.5)
		}),
		`method "ball" has no Fitter`:           func(s *Study, m []fit.Method) { m[3].Fitter = nil },
		`Candidates of method "ball" are empty`: func(s *Study, m []fit.Method) { m[3].Fitter = fit.Best{} },
		"another method has this name": func(s *Study, m []fit.Method) {
			m[3].Fitter = fit.Best{Candidates: []fit.Method{{Name: "uniform", Fitter: m[2].Fitter}}}
		},
	} {
		s := everything()
		change(s, s.Methods)
		err := testenv.ErrorText(s.Run(context.Background(), nil))
		says(t, err, want)
	}
}

// TestGrowthIsKept tests that the results of an extended path are stored, and equal for every number of workers.
func TestGrowthIsKept(t *testing.T) {
	s := everything()
	s.Methods = []fit.Method{
		{Name: "low", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(1e-4, 1e-3).Extendable(5),
			fit.Rules(mkl.Uniform{})}}},
		{Name: "near", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(1e-4,
			1e-3).Extendable(5).WithinDecades("low", 1),
			fit.Sets(set.Simplex{}, set.Orthant{}), fit.RidgeRegularizers(1)}}},
	}
	want := run1(t, s)
	for _, r := range want.Rows {
		for _, run := range r.Runs {
			if run.Value < 2e-3 || run.AtPathEnd {
				t.Errorf("%s: λ = %g, at an end: %v, want one that the path grew to", r.Method, run.Value,
					run.AtPathEnd)
			}
		}
	}
	s.StoreFolder = t.TempDir()
	for _, workers := range []int{1, 3} {
		s.Workers = workers
		if got := run1(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers and a store:\n%v\nwithout:\n%v", workers, got, want)
		}
	}
}

// own is a Fitter that is not of package fit: a Search in other clothes.
type own struct{ Search fit.Search }

func (o own) Fit(ctx context.Context, d *data.Dataset) (*fit.Fitted, error) {
	return o.Search.Fit(ctx, d)
}

func init() { registry.Register(own{}) }

// TestOwnFitter tests that a Fitter of another package has the scores and the weights of the Search that it calls, that
// its results are stored, and that a search among candidates outside of the study selects the same as inside.
func TestOwnFitter(t *testing.T) {
	s := everything()
	m := fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(0.5)}, Gap: 1e-9, Settings: s.Settings}
	outside := fit.Best{Candidates: []fit.Method{{Name: "a", Fitter: fit.Search{Family: gaussians,
		Grid: fit.Grid{fit.Ridge(0.5)}, Gap: 1e-9}}, {Name: "b", Fitter: s.Methods[0].Fitter}}}
	inside := fit.Best{Candidates: []fit.Method{{Name: "search", Fitter: m}, s.Methods[0]}}
	s.Methods = []fit.Method{{Name: "search", Fitter: m}, {Name: "own", Fitter: own{m}}, s.Methods[0],
		{Name: "inside", Fitter: inside}, {Name: "outside", Fitter: outside}}
	s.StoreFolder = t.TempDir()
	table := run1(t, s)
	for i, want := range table.Row("search").Runs {
		got := table.Row("own").Runs[i]
		if math.Abs(got.Score.RMSE-want.Score.RMSE) > 1e-6 || floats.Distance(got.Theta, want.Theta, 2) > 1e-4 {
			t.Errorf("split %d: %+v, want %+v", i, got, want)
		}
		in, out := table.Row("inside").Runs[i], table.Row("outside").Runs[i]
		if in.Score.RMSE != out.Score.RMSE || in.Value != out.Value {
			t.Errorf("split %d: candidates of the study give %+v, others %+v", i, in, out)
		}
	}
	computed := 0
	again := must(s.Run(t.Context(), func(p Progress) { computed = p.Done - p.Stored }))
	if computed > 0 || !reflect.DeepEqual(timeless(again), table) {
		t.Errorf("%d tasks were computed again", computed)
	}
}

// TestOwnFitterByLogLoss: the log loss of a Fitter of another package is that of the same model of a Search, whether or
// not the model has sigmoids of its own.
func TestOwnFitterByLogLoss(t *testing.T) {
	d := comparetest.OverlappingClasses(80, 2, 4)
	m := fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(0.5), fit.Rules(mkl.Uniform{})}}
	table := run1(t, &Study{Data: d, Settings: fit.Settings{Selection: fit.Selection{By: model.LogLoss}},
		Splits: must(fit.Holdout(d.Y, 0.25, 2, 1)), Methods: []fit.Method{{Name: "search", Fitter: m},
			{Name: "own", Fitter: own{m}}, {Name: "calibrated", Fitter: calibrated{m}}}})
	want := table.Values("search", model.LogLoss)
	for _, name := range []string{"own", "calibrated"} {
		if got := table.Values(name, model.LogLoss); !(want[0] > 0) || !(floats.Distance(got, want, 2) < 1e-9) {
			t.Errorf("%s: the log losses are %g, want %g", name, got, want)
		}
	}
}

// TestOwnFitterByMeanLoss: the predictions of a Fitter of another package have no mean loss, so a comparison by it is
// an error.
func TestOwnFitterByMeanLoss(t *testing.T) {
	d := comparetest.NoisySine(40, 1)
	m := fit.Search{Family: gaussians,
		Grid: fit.Grid{fit.Losses(loss.Pinball{Tau: 0.5}, 1), fit.Rules(mkl.Uniform{})}}
	_, err := (&Study{Data: d, Splits: must(fit.Holdout(d.Y, 0.25, 2, 1)), Methods: []fit.Method{
		{Name: "median", Fitter: m}, {Name: "own", Fitter: own{m}}}}).Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), `"own" is a Fitter of another package`) {
		t.Errorf("got the error %v", err)
	}
}

// TestOwnFitterOfMatrices: on a Gram matrix a Fitter of another package has the scores of the Search that it calls.
func TestOwnFitterOfMatrices(t *testing.T) {
	sine := comparetest.NoisySine(40, 1)
	gram := kernel.List{kernel.RBF{Gamma: 1}}.Bind(sine.X).New()
	gram.SetTheta([]float64{1})
	d := must(data.FromGrams("matrix", sine.Y, gram.K()))
	m := fit.Search{Family: kernel.List(d.Kernels), Grid: fit.Grid{fit.Ridge(0.5)}}
	table := run1(t, &Study{Data: d, Splits: must(fit.Holdout(d.SplitLabels(), 0.25, 2, 1)), Methods: []fit.Method{
		{Name: "search", Fitter: m}, {Name: "own", Fitter: own{m}}}})
	want := table.Values("search", model.RMSE)
	if got := table.Values("own", model.RMSE); !(want[0] > 0) || !(floats.Distance(got, want, 2) < 1e-9) {
		t.Errorf("the errors are %g, want %g", got, want)
	}
}

// calibrated gives the model of own sigmoids.
type calibrated struct{ Search fit.Search }

func (c calibrated) Fit(ctx context.Context, d *data.Dataset) (*fit.Fitted, error) {
	t, err := c.Search.Fit(ctx, d)
	if err == nil {
		t.Model.Sigmoids = []model.Sigmoid{{A: -0.1}}
	}
	return t, err
}

func init() { registry.Register(calibrated{}) }
