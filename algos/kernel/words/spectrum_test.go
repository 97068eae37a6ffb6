package words_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/kernel/words"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // the tests run with the library too
	"github.com/mklnb/mkl/algos/points"
)

// randomSequences draws n sequences of an alphabet; every third repeats parts of the first.
func randomSequences(n int, alphabet string, seed uint64) points.Sequences {
	r := rand.New(rand.NewPCG(seed, 1))
	var x points.Sequences
	for i := range n {
		b := make([]byte, 5+r.IntN(25))
		for j := range b {
			b[j] = alphabet[r.IntN(len(alphabet))]
		}
		if s := string(b); i%3 == 2 {
			x = append(x, x[0]+s[:5])
		} else {
			x = append(x, s)
		}
	}
	return x
}

// features counts, word by word of the alphabet, the places that are near: the definition.
func features(k words.Spectrum, alphabet, s string) []float64 {
	s = strings.ToUpper(s)
	all := []string{""}
	for range k.K {
		var next []string
		for _, w := range all {
			for i := range len(alphabet) {
				next = append(next, w+alphabet[i:i+1])
			}
		}
		all = next
	}
	phi := make([]float64, len(all))
	for b, word := range all {
		for i := 0; i+k.K <= len(s); i++ {
			differs := 0
			for j := range k.K {
				if c := s[i+j]; strings.IndexByte(alphabet, c) < 0 {
					differs = k.K + 1
				} else if c != word[j] {
					differs++
				}
			}
			if differs <= k.Mismatches {
				phi[b]++
			}
		}
	}
	return phi
}

// TestSpectrum compares with the definition, over all words, for one set, two sets and the diagonal.
func TestSpectrum(t *testing.T) {
	for _, c := range []struct {
		k        words.Spectrum
		alphabet string
	}{
		{words.Spectrum{K: 1}, words.AminoAcids}, {words.Spectrum{K: 2}, words.AminoAcids},
		{words.Spectrum{K: 2, Mismatches: 1}, words.AminoAcids},
		{words.Spectrum{K: 4, Alphabet: "ACGT"}, "ACGT"},
		{words.Spectrum{K: 5, Mismatches: 2, Alphabet: "acgt"}, "ACGT"},
		{words.Spectrum{K: 3, Mismatches: 2, Alphabet: "AB*"}, "AB*"},
	} {
		x := append(randomSequences(9, c.alphabet+strings.ToLower(c.alphabet[:2])+"XN", 1), "", "A",
			c.alphabet[:1]+"X"+c.alphabet)
		z := x.Slice([]int{4, 4, 0, 10, 2})
		inner := func(a, b string) (sum float64) {
			p, q := features(c.k, c.alphabet, a), features(c.k, c.alphabet, b)
			for i := range p {
				sum += p[i] * q[i]
			}
			return sum
		}
		if err := c.k.Check(x); err != nil {
			t.Fatal(err)
		}
		gram, cross := mat.NewDense(len(x), len(x), nil), mat.NewDense(z.Len(), len(x), nil)
		c.k.Cross(gram, x, x)
		c.k.Cross(cross, z, x)
		for j := range x {
			for i := range x {
				if want := inner(x[i], x[j]); gram.At(i, j) != want {
					t.Errorf("%v of %q and %q is %g, want %g", c.k, x[i], x[j], gram.At(i, j), want)
				}
			}
			for i, s := range z.(points.Sequences) {
				if want := inner(s, x[j]); cross.At(i, j) != want {
					t.Errorf("%v of new %q and %q is %g, want %g", c.k, s, x[j], cross.At(i, j), want)
				}
			}
		}
	}
}

// TestSpectrumFamily tests the kernel as a base kernel of sums, normalized and not.
func TestSpectrumFamily(t *testing.T) {
	x := randomSequences(9, words.AminoAcids, 2)
	list := kernel.List{words.Spectrum{K: 1}, words.Spectrum{K: 3}, words.Spectrum{K: 3, Mismatches: 1}}
	kerneltest.TestFamily(t, list, x)
	for _, n := range []kernel.Normalization{kernel.Cosine, kernel.MeanDiagonal} {
		kerneltest.TestFamily(t, kernel.Sum{Kernels: list, Normalize: n, Degree: 2}, x)
		kerneltest.TestFamily(t, kernel.Sum{Kernels: list, Normalize: n, Center: true}, x)
	}
}

func TestBadSpectrum(t *testing.T) {
	x := points.Sequences{"ACD"}
	for _, c := range []struct {
		k    words.Spectrum
		x    points.Points
		want string
	}{
		{words.Spectrum{}, x, "K = 0"},
		{words.Spectrum{K: 3, Mismatches: 3}, x, "Mismatches = 3"},
		{words.Spectrum{K: 3, Alphabet: "AA"}, x, "letter 2"},
		{words.Spectrum{K: 3}, points.Indices{0}, "points.Sequences"},
	} {
		if err := c.k.Check(c.x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.k, err, c.want)
		}
	}
	if err := (points.Sequences{"AC", "A.C"}).Validate(); err == nil ||
		!strings.Contains(err.Error(), "sequence 2: character 2") {
		t.Error(err)
	}
	if a, b, c := (points.Sequences{"AAA", "C", "AA"}).Lengths(); a != 1 || b != 2 || c != 3 {
		t.Errorf("lengths %d, %d, %d", a, b, c)
	}
}

func ExampleSpectrum() {
	x := points.Sequences{"ACDEF", "ACDWF", "WWWWW"}
	for _, k := range []kernel.Kernel{words.Spectrum{K: 2}, words.Spectrum{K: 2, Mismatches: 1}} {
		dst := mat.NewDense(3, 3, nil)
		k.Cross(dst, x, x)
		fmt.Println(k)
		fmt.Println(mat.Formatted(dst))
	}
	// Output:
	// spectrum(2)
	// ⎡ 4   2   0⎤
	// ⎢ 2   4   0⎥
	// ⎣ 0   0  16⎦
	// mismatch(2, 1)
	// ⎡180  142   32⎤
	// ⎢142  180  176⎥
	// ⎣ 32  176  624⎦
}
