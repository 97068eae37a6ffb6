package eskl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// Set is n points known by similarities alone, in one or several ways.
type Set struct {
	Name string
	S    []*mat.SymDense // n×n each
	Of   []string        // what each of them is
	Y    []float64       // ±1
}

// Dataset is s as a reader's own similarities would be opened.
func (s Set) Dataset() *data.Dataset {
	d := &data.Dataset{Name: s.Name, X: kernel.AllPlaces(s.N()), Y: s.Y, Classes: []string{"−1", "+1"}}
	for i, m := range s.S {
		d.Similarities = append(d.Similarities, data.Similarity{Name: s.Of[i], N: s.N(), S: similarity.Vec(m)})
	}
	return d
}

// Given is a dataset of similarities (data.OpenSimilarities) of two classes.
func Given(d *data.Dataset) (Set, error) {
	if len(d.Classes) != 2 || d.Similarities == nil {
		return Set{}, fmt.Errorf("eskl: %v: want similarities and two classes", d)
	}
	x := d.X.(kernel.Places)
	s := Set{Name: d.Name, Y: d.Y}
	for _, m := range d.Similarities {
		all, part := m.Matrix(), mat.NewDense(len(x), len(x), nil)
		part.Apply(func(i, j int, _ float64) float64 { return all.At(x[i], x[j]) }, part)
		own, err := similarity.Symmetric(part)
		if err != nil {
			return Set{}, err
		}
		s.S, s.Of = append(s.S, own), append(s.Of, m.Name)
	}
	return s, nil
}

// balanced are rows with as many labels 1 as −1, at most most of each, in random order.
func balanced(y []float64, most int, r *rand.Rand) (rows []int) {
	of := map[bool][]int{} // class +1 or not
	for _, i := range r.Perm(len(y)) {
		of[y[i] > 0] = append(of[y[i] > 0], i)
	}
	n := min(len(of[false]), len(of[true]))
	if most > 0 {
		n = min(n, most)
	}
	return slices.Sorted(slices.Values(slices.Concat(of[false][:n], of[true][:n])))
}

// labels returns the labels of the given points as ±1.
func labels(d *data.Dataset, rows []int) []float64 {
	y := make([]float64, len(rows))
	for i, r := range rows {
		y[i] = math.Copysign(1, d.Y[r])
	}
	return y
}

// Indefinite is a set of numbers made indefinite: exp(−‖x−z‖²/d) of standardized features, as many points of each
// class, at most most of them (0: all), plus noise times (E + Eᵀ)/2, E of independent normal entries.
func Indefinite(d *data.Dataset, most int, noise float64, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 4))
	rows := balanced(d.Y, most, r)
	x := d.X.Slice(rows).(kernel.Rows)
	return Set{Name: d.Name, S: []*mat.SymDense{noisy(x, nil, noise, r)}, Of: []string{"Gaussian with noise"},
		Y: labels(d, rows)}
}

// Bands is Indefinite with a similarity for each of several bands of neighbouring features.
func Bands(d *data.Dataset, most, bands int, noise float64, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 4))
	rows := balanced(d.Y, most, r)
	x := d.X.Slice(rows).(kernel.Rows)
	s := Set{Name: d.Name, Y: labels(d, rows)}
	for b := range bands {
		var columns []int
		for k := b * x.D / bands; k < (b+1)*x.D/bands; k++ {
			columns = append(columns, k)
		}
		s.S = append(s.S, noisy(x, columns, noise, r))
		s.Of = append(s.Of, fmt.Sprintf("features %d to %d", columns[0]+1, columns[len(columns)-1]+1))
	}
	return s
}

// noisy is the Gaussian of some columns (nil: all), with noise.
func noisy(x kernel.Rows, columns []int, noise float64, r *rand.Rand) *mat.SymDense {
	d := x.D
	if columns != nil {
		d = len(columns)
	}
	gaussian := kernel.RBF{Gamma: 1 / float64(d), Columns: columns}
	g := gram(kernel.Sum{Kernels: kernel.List{gaussian}, Prepare: kernel.Prepare{kernel.Standardize}}, x)
	s := mat.NewSymDense(x.N, nil)
	for i := range x.N {
		for j := i; j < x.N; j++ {
			e := r.NormFloat64()
			if i != j {
				e = (e + r.NormFloat64()) / 2
			}
			s.SetSym(i, j, g.At(i, j)+noise*e)
		}
	}
	return s
}

// Votes is a set of nominal attributes by the value difference metric: the distance of two values of a column is the
// difference of their shares of the class +1, and s is minus the sum of them. At most most points of each class. The
// shares are of all these points, their labels included, as in the published similarities of this kind.
func Votes(d *data.Dataset, most int, seed uint64) Set {
	rows := balanced(d.Y, most, rand.New(rand.NewPCG(seed, 4)))
	x, y := d.X.Slice(rows).(kernel.Rows), labels(d, rows)
	shares := make([]map[float64]float64, x.D)
	for k := range shares {
		hits, all := map[float64]float64{}, map[float64]float64{}
		for i := range x.N {
			v := x.Row(i)[k]
			all[v]++
			hits[v] += (1 + y[i]) / 2
		}
		for v := range all {
			hits[v] /= all[v]
		}
		shares[k] = hits
	}
	s := mat.NewSymDense(x.N, nil)
	for i := range x.N {
		for j := i; j < x.N; j++ {
			sum := 0.0
			for k, share := range shares {
				sum += math.Abs(share[x.Row(i)[k]] - share[x.Row(j)[k]])
			}
			s.SetSym(i, j, -sum)
		}
	}
	return Set{Name: d.Name, S: []*mat.SymDense{s}, Of: []string{"minus the value difference"}, Y: y}
}

// Proteins are sequences of one family and as many of others, at most most of each, by three similarities:
// Smith–Waterman's and Needleman–Wunsch's normalized scores (BLOSUM62, gaps 11 + 1), and the spectrum of k-mers,
// which is a kernel.
func Proteins(ctx context.Context, d *data.Dataset, family string, most int, seed uint64) (Set, error) {
	at := slices.Index(d.Classes, family)
	if at < 0 {
		return Set{}, fmt.Errorf("eskl: no family %q in %s, it has %q", family, d.Name, d.Classes)
	}
	all := Set{Y: make([]float64, len(d.Y))}
	for i, v := range d.Y {
		all.Y[i] = -1
		if int(v) == at {
			all.Y[i] = 1
		}
	}
	rows := balanced(all.Y, most, rand.New(rand.NewPCG(seed, 4)))
	x := d.X.Slice(rows).(kernel.Sequences)
	s := Set{Name: family, Y: all.at(rows)}
	for _, a := range []similarity.Alignment{{Normalize: true}, {Global: true, Normalize: true}} {
		m, err := a.Pairs(ctx, x, similarity.Work{})
		if err != nil {
			return Set{}, err
		}
		s.S = append(s.S, m)
	}
	s.S = append(s.S, gram(kernel.Sum{Kernels: kernel.List{kernel.Spectrum{K: 3, Alphabet: kernel.AminoAcids + "X"}},
		Normalize: kernel.Cosine}, x))
	s.Of = []string{"Smith–Waterman", "Needleman–Wunsch", "3-mers"}
	return s, nil
}

// gram is the kernel matrix of a family of one kernel.
func gram(f kernel.Sum, x kernel.Points) *mat.SymDense {
	g := f.On(x).New()
	g.At([]float64{1})
	return g.K()
}

// Stopped aligns all pairs of x, is stopped after the first part and goes on from what was kept of it, which it
// returns with the scores.
func Stopped(a similarity.Alignment, x kernel.Points) (s *mat.SymDense, resumed similarity.Progress, err error) {
	folder, err := os.MkdirTemp("", "alignments")
	if err != nil {
		return nil, resumed, err
	}
	defer os.RemoveAll(folder)
	ctx, stop := context.WithCancel(context.Background())
	work := similarity.Work{Store: folder, Threads: 1, Progress: func(similarity.Progress) { stop() }}
	if _, err := a.Pairs(ctx, x.(kernel.Sequences), work); err != nil && !errors.Is(err, context.Canceled) {
		return nil, resumed, err
	}
	work.Progress = func(p similarity.Progress) { resumed = p }
	s, err = a.Pairs(context.Background(), x.(kernel.Sequences), work)
	return s, resumed, err
}
