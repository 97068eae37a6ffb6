package learn

import (
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
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// genes are points that four sources describe: a table, sequences, a Gram matrix and similarities of any sign. The
// class follows from the table and the matrices. A second Gram matrix is noise.
type genes struct {
	keys             []string
	table            [][]float64
	sequences, class []string
	latent, noise    [][]float64
	similarity       *mat.SymDense
}

func drawGenes(seed uint64, n int) (g genes) {
	rng := rand.New(rand.NewPCG(seed, 7))
	normal := func(d int) (x []float64) {
		for range d {
			x = append(x, rng.NormFloat64())
		}
		return x
	}
	for i := range n {
		g.keys = append(g.keys, fmt.Sprintf("g%03d", (i*37)%1000))
		g.table, g.latent = append(g.table, normal(3)), append(g.latent, normal(2))
		g.noise = append(g.noise, normal(2*n))
		class, letters := "no", "ACGT"
		if g.table[i][0]+g.latent[i][0] > 0 {
			class, letters = "yes", "ACGTAC"
		}
		s := ""
		for range 20 {
			s += string(letters[rng.IntN(len(letters))])
		}
		g.class, g.sequences = append(g.class, class), append(g.sequences, s)
	}
	g.similarity = mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			g.similarity.SetSym(i, j, math.Exp(-math.Pow(g.latent[i][0]-g.latent[j][0], 2))+0.05*rng.NormFloat64())
		}
	}
	return g
}

// write writes one file for each source. rows are the points of each file, in its order, and columns are the training
// points, in the order of the columns of matrices.
func (g genes) write(t *testing.T, rows [5][]int, columns []int) (paths []string) {
	folder := t.TempDir()
	matrix := func(rows []int, value func(i, j int) float64) string {
		var b strings.Builder
		for _, j := range columns {
			b.WriteString("," + g.keys[j])
		}
		for _, i := range rows {
			b.WriteString("\n" + g.keys[i])
			for _, j := range columns {
				fmt.Fprintf(&b, ",%v", value(i, j))
			}
		}
		return b.String() + "\n"
	}
	table, fasta := "gene,a,b,c,class\n", ""
	for _, i := range rows[0] {
		table += fmt.Sprintf("%s,%v,%v,%v,%s\n", g.keys[i], g.table[i][0], g.table[i][1], g.table[i][2], g.class[i])
	}
	for _, i := range rows[1] {
		fasta += ">" + g.keys[i] + "\n" + g.sequences[i] + "\n"
	}
	for _, f := range [][2]string{{"expression.csv", table}, {"sequences.fasta", fasta},
		{"protein.csv", matrix(rows[2], func(i, j int) float64 { return floats.Dot(g.latent[i], g.latent[j]) })},
		{"noise.csv", matrix(rows[3], func(i, j int) float64 { return floats.Dot(g.noise[i], g.noise[j]) })},
		{"scores.csv", matrix(rows[4], g.similarity.At)}} {
		paths = append(paths, filepath.Join(folder, f[0]))
		if err := os.WriteFile(paths[len(paths)-1], []byte(f[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// openGenes opens and joins the first count files that write wrote.
func openGenes(paths []string, count int) *data.Dataset {
	unlabeled := data.Options{Unlabeled: true}
	all := []*data.Dataset{must(data.Options{Key: "gene", Label: "class"}.Open(paths[0])),
		must(unlabeled.Open(paths[1])), must(unlabeled.OpenGrams(paths[2])), must(unlabeled.OpenGrams(paths[3])),
		must(unlabeled.OpenSimilarities(paths[4]))}
	return must(data.Join(all[:count]...))
}

// TestJoinedSources learns sources of different kinds, joined by key, as their Gram matrices that were bound by hand,
// in whatever order the points of each file are. Noise gets no weight. A model that was saved and read predicts new
// points from new files of other orders as the matrix of the learned kernel does.
func TestJoinedSources(t *testing.T) {
	const n, l = 60, 12
	g, rng := drawGenes(1, n+l), rand.New(rand.NewPCG(3, 3))
	train, fresh := points.AllIndices(n), points.AllIndices(n + l)[n:]
	shuffled := func(list []int) []int {
		s := slices.Clone(list)
		rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		return s
	}
	opts := []Option{WithLambda(0.1), WithSet(set.Simplex{}), WithMethod(LearnedName), WithSplits(nil), WithGap(1e-8)}
	inOrder := openGenes(g.write(t, [5][]int{train, train, train, train, train}, train), 4)
	d := openGenes(g.write(t, [5][]int{train, shuffled(train), shuffled(train), train, train}, shuffled(train)), 4)
	if !slices.Equal(d.Keys, inOrder.Keys) || len(d.Views) != 4 {
		t.Fatalf("keys %v, views %v", d.Keys, d.Views)
	}
	a, b := must(Learn(t.Context(), inOrder, opts...)), must(Learn(t.Context(), d, opts...))
	// By hand: each kernel of the family on the points of its source alone.
	f := must(NewPlan(inOrder, opts...)).Methods[0].Search().Family.(kernel.Sum)
	x, s := must(points.RowsOf(inOrder.X)), points.Sequences(g.sequences[:n])
	fitted := must(f.Prepare.Fit(x))
	var byHand kernel.List
	for _, k := range f.Kernels {
		m := mat.NewDense(n, n, nil)
		switch p, isOnPart := k.(kernel.OnPart); {
		case !isOnPart:
			k.Cross(m, fitted.Apply(x), fitted.Apply(x))
		case p.Part == "sequences":
			p.Kernel.Cross(m, s, s)
			root := make([]float64, n)
			for i := range n {
				root[i] = math.Sqrt(max(m.At(i, i), 1e-300))
			}
			m.Apply(func(i, j int, v float64) float64 { return v / (root[i] * root[j]) }, m)
		default:
			p.Kernel.Cross(m, train, train)
		}
		byHand = append(byHand, kernel.Precomputed{Name: k.String(), N: n, Data: m.RawMatrix().Data})
	}
	hand := must(data.New("by hand", train, g.class[:n]))
	hand.Kernels = byHand
	h := must(Learn(t.Context(), hand, opts...))
	areEqual := func(a, b *Learned) bool { // their gap is 1e-8 of F
		return floats.EqualApprox(a.Result.Theta, b.Result.Theta, 1e-4) &&
			math.Abs(a.Result.F-b.Result.F) <= 1e-7*a.Result.F
	}
	if !areEqual(a, h) {
		t.Errorf("weights %.6f, F = %g; of the matrices bound by hand %.6f, F = %g", a.Result.Theta, a.Result.F,
			h.Result.Theta, h.Result.F)
	}
	if !areEqual(a, b) {
		t.Errorf("weights %.6f of shuffled files, %.6f in order", b.Result.Theta, a.Result.Theta)
	}
	if b.Views[3].Name != "noise" || !(b.Views[3].WeightShare < 0.01 && b.Views[0].WeightShare > 0.05) {
		t.Errorf("shares %+v", b.Views)
	}
	newPaths := g.write(t, [5][]int{fresh, shuffled(fresh), shuffled(fresh), fresh, fresh}, shuffled(train))
	predicted := must(reloaded(t, b.Model).PredictFile(newPaths[:4]...))
	right := 0
	for i, p := range predicted.Predictions {
		if p.Key != g.keys[n+i] {
			t.Errorf("point %d has the key %s", i, p.Key)
		}
		if p.Class == g.class[n+i] {
			right++
		}
	}
	if t.Logf("%d of %d right", right, l); right < l-2 {
		t.Errorf("%d of %d new points right", right, l)
	}
	inFull := openGenes(g.write(t, [5][]int{train, train, train, train, train}, train), 4)
	again := must(Learn(t.Context(), inFull, opts...))
	newInOrder := g.write(t, [5][]int{fresh, fresh, fresh, fresh, fresh}, train)
	for i, p := range must(again.Model.PredictFile(newInOrder[:4]...)).Predictions {
		if !(math.Abs(p.Value-predicted.Predictions[i].Value) < 1e-3) {
			t.Errorf("point %d: %g, from files in another order %g", i, p.Value, predicted.Predictions[i].Value)
		}
	}
	swapped := must(b.Model.PredictFile(newPaths[0], newPaths[1], newPaths[3], newPaths[2])).Predictions
	for i, p := range predicted.Predictions {
		if !(math.Abs(swapped[i].Value-p.Value) < 1e-9) {
			t.Errorf("point %d: %g, from files in another order of the sources %g", i, p.Value, swapped[i].Value)
		}
	}
	if _, err := b.Model.PredictFile(newPaths[:3]...); err == nil || !strings.Contains(err.Error(), "noise") {
		t.Errorf("without the noise file: %v", err)
	}
}

// TestJoinedSimilarities: similarities joined with a table and sequences are repaired on each training part alone, as
// in similarity.Repaired, and importances, groups, probabilities, splits and new points work as for a table.
func TestJoinedSimilarities(t *testing.T) {
	const n, l = 40, 8
	g := drawGenes(2, n+l)
	train, fresh := points.AllIndices(n), points.AllIndices(n + l)[n:]
	paths := g.write(t, [5][]int{train, train, train, train, train}, train)
	d := openGenes(paths, 5)
	given := similarity.Given{Name: "scores", N: n, S: d.Similarities[0].S, Repairs: similarity.Repairs}
	alone := similarity.Repaired{Of: []similarity.Given{given}}.Bind(points.AllIndices(n))
	var onPart kernel.List
	for _, k := range (similarity.Repaired{Of: []similarity.Given{given}}).Kernels() {
		onPart = append(onPart, kernel.OnPart{Part: "scores", Kernel: k})
	}
	joined := onPart.Bind(d.X)
	rows, out := []int{4, 9, 2, 30, 17, 21, 39, 3}, []int{5, 11, 38}
	theta := []float64{1, 0.5, 0.25, 2}
	p, q := mat.NewDense(3, 8, nil), mat.NewDense(3, 8, nil)
	alone.Block(out, rows).StoreMatrix(p, theta)
	joined.Block(out, rows).StoreMatrix(q, theta)
	if !mat.EqualApprox(p, q, 1e-13) {
		t.Error("the block of points left out differs from similarity.Repaired")
	}
	d.Group = make([]string, n)
	for i := range d.Group {
		d.Group[i] = fmt.Sprint(i / 2)
	}
	splits := must(fit.Holdout(d.Y, 0.3, 2, 1, fit.ByGroup(d.Group)))
	learned := must(Learn(t.Context(), d, WithLambda(0.1, 1), WithSplits(splits), WithMethod(UniformName)))
	if len(learned.Views) != 5 || learned.Model.Sigmoids == nil {
		t.Errorf("views %v, sigmoids %v", learned.Views, learned.Model.Sigmoids)
	}
	w := must(Importance(t.Context(), learned, nil))
	if len(w.Groups) != 5 || w.Groups[4].Drop.Mean > w.Groups[0].Drop.Mean || w.Repeats == 0 {
		t.Errorf("importances %+v", w)
	}
	newPaths := g.write(t, [5][]int{fresh, fresh, fresh, fresh, fresh}, train)
	model := reloaded(t, learned.Model)
	if got := must(model.PredictFile(newPaths...)).Predictions; len(got) != l || len(got[0].Probabilities) != 2 {
		t.Errorf("predictions %v", got)
	}
	d.Y, d.Classes = make([]float64, n), nil
	for i := range d.Y {
		d.Y[i] = g.table[i][0] + g.latent[i][0]
	}
	model = reloaded(t, must(Learn(t.Context(), d, WithIntervals(0.8), WithLambda(0.1), WithSplits(nil),
		WithMethod(UniformName))).Model)
	if got := must(model.PredictFile(newPaths...)).Predictions; len(got) != l || len(got[0].Lower) != 1 {
		t.Errorf("intervals %v", got)
	}
}
