package model

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// decisions are values f and labels with P(+1 | f) as s says.
func decisions(n int, s Sigmoid, seed uint64) (f, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		v := 2 * rng.NormFloat64()
		f = append(f, v)
		if rng.Float64() < s.At(v) {
			y = append(y, 1)
		} else {
			y = append(y, -1)
		}
	}
	return f, y
}

// likelihood is the function to minimise, as scikit-learn's _sigmoid_calibration writes it:
// −Σ t log p + (1−t) log(1−p), p = expit(−(Af + B)).
func likelihood(f, y []float64, a, b float64) float64 {
	plus, minus := 0.0, 0.0
	for _, v := range y {
		if v > 0 {
			plus++
		} else {
			minus++
		}
	}
	sum := 0.0
	for i, v := range f {
		t, z := 1/(minus+2), -(a*v + b)
		if y[i] > 0 {
			t = (plus + 1) / (plus + 2)
		}
		// log expit(z) = −log(1 + e^{−z}), log(1 − expit(z)) = −z − log(1 + e^{−z})
		soft := math.Log1p(math.Exp(-math.Abs(z))) + math.Max(-z, 0)
		sum += t*soft + (1-t)*(z+soft)
	}
	return sum
}

// thirds is the least value of a convex f between −60 and 60.
func thirds(f func(float64) float64) float64 {
	lo, hi := -60.0, 60.0
	for range 70 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if f(a) < f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return f((lo + hi) / 2)
}

// TestFitSigmoid: a search without derivatives finds nothing better, whatever the
// scale of f and however few points there are.
func TestFitSigmoid(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		for _, scale := range []float64{1e-6, 1, 1e8} {
			for _, truth := range []Sigmoid{{-1.5, 0.4}, {-40, 0}, {0.3, -2}} { // the second separates
				f, y := decisions(n, truth, uint64(n))
				floats.Scale(scale, f)
				s, err := FitSigmoid(f, y)
				if err != nil {
					t.Fatal(err)
				}
				at := func(x []float64) float64 { return likelihood(f, y, x[0]/scale, x[1]) }
				best := at([]float64{s.A * scale, s.B})
				// it is convex: thirds of intervals, of the minimum over b
				other := thirds(func(a float64) float64 { return thirds(func(b float64) float64 { return at([]float64{a, b}) }) })
				if best > other+1e-7*(1+other) {
					t.Errorf("n = %d, scale %g, %v: %+v has %g, there is %g", n, scale, truth, s, best, other)
				}
			}
		}
	}
	if _, err := FitSigmoid(nil, nil); err == nil {
		t.Error("no points: no error")
	}
	if _, err := FitSigmoid([]float64{math.NaN()}, []float64{1}); err == nil {
		t.Error("NaN: no error")
	}
	for _, v := range []float64{-1, 1} { // one class: its share by the rule of succession
		s, err := FitSigmoid([]float64{3, 3, 3}, []float64{v, v, v})
		if want := 0.5 + 0.3*v; err != nil || math.Abs(s.At(3)-want) > 1e-6 {
			t.Errorf("three labels %g: probability %g of +1, want %g (%v)", v, s.At(3), want, err)
		}
	}
	if s := (Sigmoid{-1, 0}); s.At(1e4) != 1 || s.At(-1e4) != 0 || s.At(0) != 0.5 {
		t.Errorf("far out %g and %g", s.At(1e4), s.At(-1e4))
	}
}

// TestSigmoidIsCalibrated: of labels drawn with known probabilities the sigmoid finds these, and of the
// points with a probability about p a share of p is of the class.
func TestSigmoidIsCalibrated(t *testing.T) {
	truth := Sigmoid{-1.5, 0.4}
	f, y := decisions(40000, truth, 3)
	s, err := FitSigmoid(f, y)
	if err != nil || math.Abs(s.A-truth.A) > 0.06 || math.Abs(s.B-truth.B) > 0.06 { // three standard errors
		t.Errorf("%+v, want %+v (%v)", s, truth, err)
	}
	var share, mean, count [10]float64
	g, z := decisions(40000, truth, 4)
	for i, v := range g {
		k := min(int(10*s.At(v)), 9)
		mean[k] += s.At(v)
		count[k]++
		if z[i] > 0 {
			share[k]++
		}
	}
	for k, n := range count {
		if p := mean[k] / n; math.Abs(share[k]/n-p) > 4*math.Sqrt(p*(1-p)/n)+0.01 {
			t.Errorf("of %g points with probability %.3f a share of %.3f is of the class", n, p, share[k]/n)
		}
	}
}

// TestCouple: p solves the linear system of the problem's conditions, and r that are consistent give their
// p back.
func TestCouple(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, k := range []int{3, 4, 10} {
		for range 50 {
			r, truth := make([]float64, k*k), make([]float64, k)
			for i := range truth {
				truth[i] = rng.ExpFloat64()
			}
			floats.Scale(1/floats.Sum(truth), truth)
			for _, consistent := range []bool{true, false} {
				for i := range k {
					for j := range i {
						v := truth[i] / (truth[i] + truth[j])
						if !consistent {
							v = 0.001 + 0.998*rng.Float64()
						}
						r[i*k+j], r[j*k+i] = v, 1-v
					}
				}
				p := make([]float64, k)
				couple(p, r)
				// [Q 1; 1ᵀ 0][p; b] = [0; 1]
				a, rhs := mat.NewDense(k+1, k+1, nil), mat.NewVecDense(k+1, nil)
				rhs.SetVec(k, 1)
				for i := range k {
					a.Set(i, k, 1)
					a.Set(k, i, 1)
					for j := range k {
						if j != i {
							a.Set(i, i, a.At(i, i)+r[j*k+i]*r[j*k+i])
							a.Set(i, j, -r[j*k+i]*r[i*k+j])
						}
					}
				}
				var x mat.VecDense
				if err := x.SolveVec(a, rhs); err != nil {
					t.Fatal(err)
				}
				want := x.RawVector().Data[:k]
				if consistent {
					want = truth
				}
				if !floats.EqualApprox(p, want, 1e-9) || math.Abs(floats.Sum(p)-1) > 1e-12 {
					t.Errorf("%d classes, consistent %t: %v, want %v", k, consistent, p, want)
				}
			}
		}
	}
}

// TestProbabilities: rows add up to 1, of two, of three against the rest, and of pairs; they come back from
// a file, and what is missing is said.
func TestProbabilities(t *testing.T) {
	x := kernel.NewRows([][]float64{{0, 1}, {1, 0}, {2, 2}, {-1, 3}})
	for _, m := range []*Model{
		{Classes: []string{"a", "b"}, W: []float64{1, -1, 0.5, -0.5}, Sigmoids: []Sigmoid{{-2, 0.1}}},
		{Classes: []string{"a", "b", "c"}, W: make([]float64, 12), Biases: []float64{1, -1, 0.5}, Sigmoids: []Sigmoid{{-2, 0.1}, {-1, 0}, {-3, 0}}},
		{Classes: []string{"a", "b", "c"}, Pairs: true, W: make([]float64, 12), Biases: []float64{1, -1, 0.5}, Sigmoids: []Sigmoid{{-2, 0.1}, {-1, 0}, {-3, 0}}},
		{Classes: []string{"a", "b", "c"}, Pairs: true, W: make([]float64, 12), Biases: []float64{1e9, -1e9, 0}, Sigmoids: []Sigmoid{{-2, 0.1}, {-1, 0}, {-3, 0}}},
	} {
		m.Family, m.X, m.Theta = kernel.List{kernel.RBF{Gamma: 1}}, x, []float64{1}
		path := filepath.Join(t.TempDir(), "m.json")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		got, err := Load(path)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("comes back as %+v, %v", got, err)
		}
		p, err := got.Probabilities(x)
		if err != nil {
			t.Fatal(err)
		}
		f, err := got.predict(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			row := p.RawRowView(i)
			if math.Abs(floats.Sum(row)-1) > 1e-12 || floats.Min(row) < 0 {
				t.Errorf("%v: probabilities %v", m.Code(), row)
			}
			if want := m.Sigmoids[0].At(f[i]); len(row) == 2 && row[1] != want {
				t.Errorf("probability %g of the second class, want %g", row[1], want)
			}
		}
	}
	plain := &Model{Family: kernel.List{kernel.Linear{}}, X: x, Theta: []float64{1}, W: make([]float64, 4), Classes: []string{"a", "b"}}
	if _, err := plain.Probabilities(x); err == nil || !strings.Contains(err.Error(), "study.WithProbabilities") {
		t.Errorf("without sigmoids: %v", err)
	}
	for _, bad := range [][]Sigmoid{{{1, 2}, {3, 4}}, {{math.NaN(), 0}}} {
		m := *plain
		m.Sigmoids = bad
		if m.Validate() == nil {
			t.Errorf("sigmoids %v: no error", bad)
		}
	}
}
