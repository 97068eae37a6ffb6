package eskl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// Set is n points with labels that are known only by similarities, in one or several ways.
type Set struct {
	Name string
	S    []*mat.SymDense // n×n each
	Of   []string        // names of the similarities
	Y    []float64       // ±1
}

// Aural reads the human judgments of sonar echoes of Chen et al. (2009) from aural-sonar.csv in a folder of MKL_DATA:
// 100 columns of similarities and a column "class", with a header. If there is no such file, the error wraps
// data.ErrAbsent.
func Aural() (Set, error) {
	for _, folder := range filepath.SplitList(os.Getenv("MKL_DATA")) {
		path := filepath.Join(folder, "aural-sonar.csv")
		o := data.Options{Labels: path, Label: "class", DropColumns: []string{"class"}}
		d, err := o.OpenSimilarities(path)
		if !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return Set{}, err
			}
			s := d.Similarities[0].Matrix()
			return Set{Name: d.Name, S: []*mat.SymDense{s}, Of: []string{"judgements"}, Y: d.Y}, nil
		}
	}
	return Set{}, fmt.Errorf("eskl: aural-sonar.csv: %w", data.ErrAbsent)
}

// balanced returns random rows with equally many labels +1 and −1, at most most of each (0: no limit), in ascending
// order.
func sampleBalanced(y []float64, most int, r *rand.Rand) (rows []int) {
	of := map[bool][]int{} // rows by class; true is +1
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
func signedLabels(d *data.Dataset, rows []int) []float64 {
	y := make([]float64, len(rows))
	for i, r := range rows {
		y[i] = math.Copysign(1, d.Y[r])
	}
	return y
}

// Indefinite makes an indefinite similarity from numeric features: exp(−‖x−z‖²/d) of standardized features, plus noise
// times (E + Eᵀ)/2 with independent standard normal entries E. It uses equally many points of each class, at most most
// of them (0: all).
func Indefinite(d *data.Dataset, most int, noise float64, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 4))
	rows := sampleBalanced(d.Y, most, r)
	x := points.ToRows(d.X.Slice(rows))
	return Set{Name: d.Name, S: []*mat.SymDense{noisyGaussian(x, nil, noise, r)}, Of: []string{"Gaussian with noise"},
		Y: signedLabels(d, rows)}
}

// Bands is like Indefinite, with one similarity for each of several bands of adjacent features.
func Bands(d *data.Dataset, most, bands int, noise float64, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 4))
	rows := sampleBalanced(d.Y, most, r)
	x := points.ToRows(d.X.Slice(rows))
	s := Set{Name: d.Name, Y: signedLabels(d, rows)}
	for b := range bands {
		var columns []int
		for k := b * x.D / bands; k < (b+1)*x.D/bands; k++ {
			columns = append(columns, k)
		}
		s.S = append(s.S, noisyGaussian(x, columns, noise, r))
		s.Of = append(s.Of, fmt.Sprintf("features %d to %d", columns[0]+1, columns[len(columns)-1]+1))
	}
	return s
}

// noisy returns the Gaussian kernel matrix of some columns (nil: all) plus noise.
func noisyGaussian(x points.Rows, columns []int, noise float64, r *rand.Rand) *mat.SymDense {
	d := x.D
	if columns != nil {
		d = len(columns)
	}
	gaussian := kernel.RBF{Gamma: 1 / float64(d), Columns: columns}
	g := kernelMatrix(kernel.Sum{Kernels: kernel.List{gaussian}, Prepare: points.Preprocessing{points.Standardize}}, x)
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

// Proteins returns sequences of one family and equally many of others, at most most of each, with three similarities:
// normalized scores of Smith–Waterman and Needleman–Wunsch (BLOSUM62, gaps 11 + 1), and the spectrum kernel of 3-mers.
func Proteins(ctx context.Context, d *data.Dataset, family string, most int, seed uint64) (Set, error) {
	at := slices.Index(d.Classes, family)
	if at < 0 {
		return Set{}, fmt.Errorf("eskl: no family %q in %s; its families are %q", family, d.Name, d.Classes)
	}
	all := Set{Y: make([]float64, len(d.Y))}
	for i, v := range d.Y {
		all.Y[i] = -1
		if int(v) == at {
			all.Y[i] = 1
		}
	}
	rows := sampleBalanced(all.Y, most, rand.New(rand.NewPCG(seed, 4)))
	x := points.MustAs[points.Sequences](d.X.Slice(rows))
	s := Set{Name: family, Y: all.Labels(rows)}
	for _, a := range []similarity.Alignment{{Normalize: true}, {Global: true, Normalize: true}} {
		m, err := a.Pairs(ctx, x, nil)
		if err != nil {
			return Set{}, err
		}
		s.S = append(s.S, m)
	}
	s.S = append(s.S, kernelMatrix(kernel.Sum{Kernels: kernel.List{kernel.Spectrum{K: 3, Alphabet: kernel.AminoAcids + "X"}},
		Normalize: kernel.Cosine}, x))
	s.Of = []string{"Smith–Waterman", "Needleman–Wunsch", "3-mers"}
	return s, nil
}

// gram returns the kernel matrix of a family with one kernel.
func kernelMatrix(f kernel.Sum, x points.Points) *mat.SymDense {
	g := f.On(x).New()
	g.At([]float64{1})
	return g.K().Dense()
}
