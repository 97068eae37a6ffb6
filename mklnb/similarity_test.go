package mklnb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// likes writes an indefinite similarity of n points in two classes, with the labels in its last column, and rows of
// l new ones; it returns their labels.
func likes(t *testing.T, n, l int) (old, fresh string, y []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	x := make([]float64, n+l)
	for i := range x {
		y = append(y, float64(1-2*(i%2)))
		x[i] = 1.5*y[i] + 0.7*rng.NormFloat64()
	}
	var a, b strings.Builder
	for i := range x {
		for j := range n {
			s := math.Exp(-(x[i]-x[j])*(x[i]-x[j])) + 0.1*rng.NormFloat64()
			if i < n {
				fmt.Fprintf(&a, "%g,", s)
			} else {
				fmt.Fprintf(&b, "%g%s", s, map[bool]string{true: "\n", false: ","}[j == n-1])
			}
		}
		if i < n {
			fmt.Fprintf(&a, "%s\n", map[bool]string{true: "yes", false: "no"}[y[i] > 0])
		}
	}
	dir := t.TempDir()
	old, fresh = filepath.Join(dir, "likes.csv"), filepath.Join(dir, "new.csv")
	for file, text := range map[string]string{old: a.String(), fresh: b.String()} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return old, fresh, y[n:]
}

// TestSimilarity: a similarity with labels is opened, shown without a bar for each entry, learned from, repaired,
// taken by IndSVM, and new points are predicted by rows of similarities in a file.
func TestSimilarity(t *testing.T) {
	const n, l = 60, 20
	old, fresh, y := likes(t, n, l)
	d, err := data.Options{}.OpenSimilarities(old)
	if err != nil {
		t.Fatal(err)
	}
	r, status := record(t, func() { Show(d) })
	if status >= 0 || len(r.shown) != 1 {
		t.Fatalf("status %d, %d pages", status, len(r.shown))
	}
	text := r.shown[0].text
	for _, want := range []string{"60 points", "is not symmetric, by ", "likes between 60 points, sorted by class", "likes is no kernel: ", "of 60 eigenvalues below 0, negative mass ", "no (30), yes (30)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if len(r.shown[0].pictures) != 2 {
		t.Errorf("%d figures", len(r.shown[0].pictures))
	}
	targets := *d
	targets.Classes = nil // the labels as numbers
	r, _ = record(t, func() { Show(&targets) })
	if len(r.shown) != 1 || !strings.Contains(r.shown[0].text, "from the top: the least target, −1, to the greatest, 1.") {
		t.Errorf("%v", r.shown)
	}
	right := func(name string, f []float64, err error) {
		t.Helper()
		if err != nil || len(f) != l {
			t.Fatalf("%s: %d predictions, %v", name, len(f), err)
		}
		hits := 0
		for i, v := range f {
			if v*y[i] > 0 {
				hits++
			}
		}
		t.Logf("%s: %d of %d new points right", name, hits, l)
		if hits < l*7/10 {
			t.Errorf("%s: %d of %d new points right", name, hits, l)
		}
	}
	z, err := d.Encoding.Points(fresh)
	if err != nil {
		t.Fatal(err)
	}

	// Learn
	held, err := study.Holdout(d.Y, 0.3, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	scored, err := study.Learn(context.Background(), d, study.WithSplits(held))
	if err != nil || !strings.Contains(scored.Score(), "% of points it has not seen") || !strings.Contains(scored.String(), "4 repairs of similarities (denoise, flip, shift, linear), of the points learned from alone") {
		t.Errorf("%v: %s", err, scored)
	}
	learned, err := study.Learn(context.Background(), d, study.WithSplits(nil))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.json")
	if err := learned.Model.Save(file); err != nil {
		t.Fatal(err)
	}
	m, err := model.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Predict(z)
	right("Learn", f, err)
	if _, err := m.PredictFile(fresh); err != nil {
		t.Error(err)
	}

	// IndSVM
	s := d.Similarities[0]
	family := similarity.Learned{Name: s.Name, N: s.N, S: s.S, Inductive: true}
	p := &mkl.Problem{Grams: family.On(d.X), Set: set.PSD{}, Reg: reg.Near{Rho: 0.1, Targets: [][]float64{s.S}}, Loss: loss.Hinge{C: 1}, Y: d.Y}
	res, err := mkl.Solve(context.Background(), p, mkl.DualAscent{}, nil)
	if err != nil || res.Status != mkl.Certified {
		t.Fatalf("%v, %v", res, err)
	}
	if m, err = study.Model(d, family, p, res); err != nil {
		t.Fatal(err)
	}
	f, err = m.Predict(z)
	right("IndSVM", f, err)
	if _, err := m.PredictFile(fresh); err != nil {
		t.Error(err)
	}

	// a repair, alone, as a base kernel; its rule for new points is that of similarity.Kernel
	spectrum, err := similarity.Decompose(s.Matrix())
	if err != nil {
		t.Fatal(err)
	}
	rows := mat.NewDense(l, n, z.(kernel.Related).Data[0])
	for _, repair := range similarity.Repairs {
		family := similarity.Repaired{Of: []similarity.Given{{Name: s.Name, N: s.N, S: s.S, Repairs: []similarity.Repair{repair}}}}
		q := &mkl.Problem{Grams: family.On(d.X), Set: set.Simplex{}, Loss: loss.Hinge{C: 1}, Y: d.Y}
		res, err := mkl.Solve(context.Background(), q, mkl.Level{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m, err = study.Model(d, family, q, res); err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(z)
		right(repair.String(), f, err)
		kern, err := spectrum.Repair(repair)
		if err != nil {
			t.Fatal(err)
		}
		cross, err := kern.Cross(rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f {
			want := res.Bias + mat.Dot(cross.RowView(i), mat.NewVecDense(n, res.W))
			if math.Abs(f[i]-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%v: new point %d has the value %g, want %g", repair, i+1, f[i], want)
				break
			}
		}
	}
}

// TestShowSpectrum: of a kernel nothing is negative.
func TestShowSpectrum(t *testing.T) {
	for want, m := range map[string]*mat.SymDense{
		"The similarity is a kernel as it is":                                           mat.NewSymDense(2, []float64{2, 1, 1, 2}),
		"The similarity is no kernel: 1 of 2 eigenvalues below 0, negative mass 25.0 %": mat.NewSymDense(2, []float64{1, 2, 2, 1}),
	} {
		s, err := similarity.Decompose(m)
		if err != nil {
			t.Fatal(err)
		}
		r, status := record(t, func() { Show(s) })
		if status >= 0 || len(r.shown) != 1 || !strings.Contains(r.shown[0].text, want) {
			t.Errorf("status %d, shown %v, want %q", status, r.shown, want)
		}
	}
}
