package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/stat"
)

// Sizes of the scaling tasks, each five with a factor of 2: of points n at m features, and of features m at n points.
// The exponent is fitted to the three largest.
const (
	scaledPoints, fixedFeatures = 1600, 100
	scaledFeatures, fixedPoints = 6400, 400
	density                     = 0.02 // of sparse points
)

// scalingTasks are the exponents of one evaluation, value, gradient and certificate, on one thread.
func scalingTasks() (all []task) {
	for _, sparse := range []bool{false, true} {
		for d := 1; d <= 4; d++ {
			for _, in := range []string{"n", "m"} {
				kind := "dense"
				if sparse {
					kind = "sparse"
				}
				all = append(all, task{name: fmt.Sprintf("scaling %s d=%d in %s", kind, d, in), serial: true, rounds: 5,
					about: "exponent in " + in + " of one evaluation (value, gradient, certificate), one thread, three largest of five sizes; theory: of the leading term",
					make: func(context.Context, *bench) (*work, error) {
						s := newScaling(d, in, sparse)
						return &work{calls: 1, judge: func(r, _ []float64) Quality {
							theory := 1.0 // O(nm²) of few features, and O(n²m) in m
							if in == "n" && d > 1 {
								theory = 3 // the Cholesky factor
							}
							return Quality{"exponent": r[0], "theory": theory, "of multiplications": r[1]}
						}, sides: []entry{{"Go", "Go", func(context.Context, int) (side, error) { return s, nil }}}}, nil
					}})
			}
		}
	}
	return all
}

// scaling times evaluations of growing sizes.
type scaling struct {
	problems []*mkl.Problem
	size     []float64 // n or m
	products []float64 // multiplications by the theory
	least    []float64 // seconds, of all rounds
}

func newScaling(d int, in string, sparse bool) *scaling {
	s := &scaling{}
	for f := 16; f >= 1; f /= 2 {
		n, m := scaledPoints/f, fixedFeatures
		if in == "m" {
			n, m = fixedPoints, scaledFeatures/f
		}
		x := bigrams(n, m, sparse)
		var points kernel.Points = kernel.Rows{N: n, D: m, Data: x}
		if sparse {
			points = compress(n, m, x)
		}
		s.problems = append(s.problems, &mkl.Problem{Grams: kernel.Features{Degree: d}.On(points),
			Set: set.Ball{Q: 2, Radius: 1, Center: ones(m)}, Loss: loss.Squared{Lambda: 1}, Y: normal(n, 22)})
		s.size = append(s.size, float64(n))
		if in == "m" {
			s.size[len(s.size)-1] = float64(m)
		}
		s.products = append(s.products, multiplications(d, float64(n), float64(m), sparse))
		s.least = append(s.least, math.Inf(1))
	}
	return s
}

func ones(m int) []float64 {
	v := make([]float64, m)
	for k := range v {
		v[k] = 1
	}
	return v
}

// multiplications is how many one evaluation takes, by package kernel's choice for the sizes: of the few monomials
// r, n×r values, or of K by a symmetric product and a Cholesky factor, and of the derivatives. A product
// with sparse points reads pairs of nonzeros.
func multiplications(d int, n, m float64, sparse bool) float64 {
	r := 1.0
	for i := range d {
		r = r * (m + float64(i)) / float64(i+1)
	}
	part := 1.0 // of the pairs that a product reads
	if sparse {
		part = density * density
	}
	factor := n*n*n/6 + n*n
	switch {
	case r <= n/2:
		return n*r*r/2 + r*r*r/6 + 4*n*r
	case d == 1:
		return part*n*n*m/2 + factor + 4*n*m
	case d == 2 && m <= n:
		return part*n*n*m/2 + factor + part*n*m*m
	}
	return part*n*n*m/2 + factor + part*n*n*m
}

// time evaluates every size, twice at least and for 20 ms, and returns the time of the largest.
func (s *scaling) time(ctx context.Context, _ int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer linalg.SetThreads(linalg.SetThreads(1))
	last := 0.0
	for i, p := range s.problems {
		pt := p.NewPoint()
		p.Set.Start(pt.Theta)
		calls := 0
		start := time.Now()
		for time.Since(start) < least || calls < 2 {
			t := time.Now()
			if err := pt.Evaluate(nil, 0); err != nil {
				return 0, err
			}
			if _, err := p.Certify(pt, false); err != nil {
				return 0, err
			}
			last = time.Since(t).Seconds()
			if calls++; calls > 1 { // the first makes buffers
				s.least[i] = math.Min(s.least[i], last)
			}
		}
	}
	return last, ctx.Err()
}

// result is the exponent, and that of the theory.
func (s *scaling) result(context.Context) ([]float64, error) {
	n := len(s.size)
	return []float64{slope(s.size[n-3:], s.least[n-3:]), slope(s.size[n-3:], s.products[n-3:])}, nil
}

// slope is that of y against x on logarithmic axes.
func slope(x, y []float64) float64 {
	var u, v []float64
	for i := range x {
		u, v = append(u, math.Log(x[i])), append(v, math.Log(y[i]))
	}
	_, b := stat.LinearRegression(u, v, nil, false)
	return b
}

func (s *scaling) told() Origin {
	return Origin{Versions: map[string]string{"go": runtime.Version()}, Libraries: []string{linalg.Backend().String()}}
}
func (s *scaling) close() {}
