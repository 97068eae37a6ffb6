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
	"github.com/mklnb/mkl/algos/kernel/words"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
)

// Set holds n labeled points that are described only by their pairwise similarities, in one or several matrices.
type Set struct {
	Name  string
	S     []*mat.SymDense // similarity matrices, n×n each
	Names []string        // names of the similarity matrices
	Y     []float64       // labels +1 and −1
}

// OpenAuralSonar reads the human judgments of the similarity of sonar echoes (Chen et al., 2009) from the file
// aural-sonar.csv in a folder of MKL_DATA. The file has a header, 100 columns of similarities and a column "class". If
// there is no such file, the error wraps datasets.ErrAbsent.
func OpenAuralSonar() (Set, error) {
	for _, folder := range filepath.SplitList(os.Getenv("MKL_DATA")) {
		path := filepath.Join(folder, "aural-sonar.csv")
		d, err := data.Options{Label: "class"}.Open(path)
		if !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return Set{}, err
			}
			x, s := points.ToRows(d.X), mat.NewSymDense(d.Len(), nil)
			for i := range x.N {
				for j := range i + 1 {
					s.SetSym(i, j, x.Row(i)[j]/2+x.Row(j)[i]/2)
				}
			}
			return Set{Name: d.Name, S: []*mat.SymDense{s}, Names: []string{"judgments"}, Y: d.Y}, nil
		}
	}
	return Set{}, fmt.Errorf("eskl: no folder in MKL_DATA contains aural-sonar.csv: %w", datasets.ErrAbsent)
}

// sampleBalanced returns random rows, in ascending order, with equally many labels +1 and −1: at most maxPerClass of
// each, or as many as possible if maxPerClass is 0.
func sampleBalanced(y []float64, maxPerClass int, r *rand.Rand) (rows []int) {
	rowsByClass := map[bool][]int{} // rows of class +1 (true) and −1 (false)
	for _, i := range r.Perm(len(y)) {
		rowsByClass[y[i] > 0] = append(rowsByClass[y[i] > 0], i)
	}
	n := min(len(rowsByClass[false]), len(rowsByClass[true]))
	if maxPerClass > 0 {
		n = min(n, maxPerClass)
	}
	return slices.Sorted(slices.Values(slices.Concat(rowsByClass[false][:n], rowsByClass[true][:n])))
}

// signedLabels returns the labels of the given rows of d as ±1.
func signedLabels(d *data.Dataset, rows []int) []float64 {
	y := make([]float64, len(rows))
	for i, r := range rows {
		y[i] = math.Copysign(1, d.Y[r])
	}
	return y
}

// Indefinite makes a Set with an indefinite similarity from the d numeric features of a dataset: exp(−‖x−z‖²/d) of
// standardized features, plus noise·(E + Eᵀ)/2, where E has independent standard normal entries. It uses equally many
// points of each class: at most maxPerClass, or as many as possible if maxPerClass is 0.
func Indefinite(d *data.Dataset, maxPerClass int, noise float64, seed uint64) Set {
	s := Bands(d, maxPerClass, 1, noise, seed)
	s.Names = []string{"Gaussian with noise"}
	return s
}

// Bands makes a Set with one Gaussian kernel matrix plus noise for each of bandCount groups of adjacent features.
func Bands(d *data.Dataset, maxPerClass, bandCount int, noise float64, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 4))
	rows := sampleBalanced(d.Y, maxPerClass, r)
	x := points.ToRows(d.X.Slice(rows))
	s := Set{Name: d.Name, Y: signedLabels(d, rows)}
	for b := range bandCount {
		var columns []int
		for k := b * x.D / bandCount; k < (b+1)*x.D/bandCount; k++ {
			columns = append(columns, k)
		}
		s.S = append(s.S, makeNoisyGaussianMatrix(x, columns, noise, r))
		s.Names = append(s.Names, fmt.Sprintf("features %d to %d", columns[0]+1, columns[len(columns)-1]+1))
	}
	return s
}

// makeNoisyGaussianMatrix returns the Gaussian kernel matrix on the features with the given indices plus noise·(E +
// Eᵀ)/2, where E has independent standard normal entries.
func makeNoisyGaussianMatrix(x points.Rows, columns []int, noise float64, r *rand.Rand) *mat.SymDense {
	gaussianKernel := kernel.RBF{Gamma: 1 / float64(len(columns)), Columns: columns}
	g := computeKernelMatrix(kernel.Sum{Kernels: kernel.List{gaussianKernel},
		Prepare: points.Preprocessing{points.Standardize}}, x)
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

// Proteins returns sequences of one family (label +1) and equally many others (−1), at most maxPerClass of each. d is a
// dataset of sequences, such as scop40; family is one of d.Classes. There are three similarities: normalized scores of
// Smith–Waterman and of Needleman–Wunsch (BLOSUM62; a gap costs 11 for its first residue and 1 for each further one),
// and the spectrum kernel of 3-mers.
func Proteins(ctx context.Context, d *data.Dataset, family string, maxPerClass int, seed uint64) (Set, error) {
	familyIndex := slices.Index(d.Classes, family)
	if familyIndex < 0 {
		return Set{}, fmt.Errorf("eskl: %s has no family %q; use one of %q", d.Name, family, d.Classes)
	}
	allPoints := Set{Y: make([]float64, len(d.Y))}
	for i, v := range d.Y {
		allPoints.Y[i] = -1
		if int(v) == familyIndex {
			allPoints.Y[i] = 1
		}
	}
	rows := sampleBalanced(allPoints.Y, maxPerClass, rand.New(rand.NewPCG(seed, 4)))
	x := points.MustAs[points.Sequences](d.X.Slice(rows))
	s := Set{Name: family, Y: allPoints.Labels(rows)}
	for _, a := range []similarity.Alignment{{Normalize: true}, {Global: true, Normalize: true}} {
		m, err := a.Pairs(ctx, x, nil)
		if err != nil {
			return Set{}, err
		}
		s.S = append(s.S, m)
	}
	spectrumKernel := kernel.List{words.Spectrum{K: 3, Alphabet: words.AminoAcids + "X"}}
	s.S = append(s.S, computeKernelMatrix(kernel.Sum{Kernels: spectrumKernel, Normalize: kernel.Cosine}, x))
	s.Names = []string{"Smith–Waterman", "Needleman–Wunsch", "3-mers"}
	return s, nil
}

// computeKernelMatrix returns the kernel matrix of kernelSum, which has one kernel with weight 1, on x.
func computeKernelMatrix(kernelSum kernel.Sum, x points.Points) *mat.SymDense {
	g := kernelSum.Bind(x).New()
	g.SetTheta([]float64{1})
	return g.K().Dense()
}
