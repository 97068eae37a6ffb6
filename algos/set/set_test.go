package set_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/set/settest"
)

var inf = math.Inf(1)

func ramp(m int, lo, hi float64) []float64 {
	c := make([]float64, m)
	for k := range c {
		c[k] = lo + (hi-lo)*float64((k*7)%m)/float64(m)
	}
	return c
}

func TestOrthant(t *testing.T) {
	for _, s := range []set.Orthant{{}, {At: 0.25}, {At: 1e9}, {At: 1e-9}} {
		for _, m := range []int{1, 2, 7} {
			settest.TestSet(t, s, m, settest.For(s))
		}
	}
}

func TestSimplex(t *testing.T) {
	for _, s := range []set.Simplex{{}, {Sum: 3}, {Sum: 1e9}, {Sum: 1e-9}} {
		for _, m := range []int{1, 2, 7, 40} {
			settest.TestSet(t, s, m, settest.For(s))
		}
	}
}

func TestBall(t *testing.T) {
	for _, q := range []float64{1, 1 + 1e-14, 1.01, 1.2, 1.5, 2, 2.5, 3, 10, 300, 1e16, inf} {
		t.Run(fmt.Sprintf("q=%g", q), func(t *testing.T) {
			for _, m := range []int{1, 2, 9} {
				centres := [][]float64{ramp(m, 0, 1), nil, make([]float64, m), ramp(m, 0.5, 3), ramp(m, 0, 20)}
				if testing.Short() {
					centres = centres[:1]
				}
				for _, c := range centres {
					ball := set.Ball{Q: q, Radius: 1.5, Center: c}
					settest.TestSet(t, ball, m, settest.For(ball))
				}
				if m == 9 {
					for _, s := range []float64{1e9, 1e-9} {
						ball := set.Ball{Q: q, Radius: 1.5 * s, Center: scaled(ramp(m, 0, 1), s)}
						settest.TestSet(t, ball, m, settest.For(ball))
					}
				}
			}
		})
	}
}

// TestBallAtOnce: one ball serves many runs at once, each with the same result.
func TestBallAtOnce(t *testing.T) {
	for _, q := range []float64{1, 1.5, 2} {
		b := set.Ball{Q: q, Radius: 1, Center: ramp(30, 0, 1)}
		x, want := ramp(30, -3, 3), make([]float64, 30)
		b.Project(want, x)
		least := b.Minimize(nil, x)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				p := make([]float64, len(x))
				for range 50 {
					b.Project(p, x)
					if v := b.Minimize(nil, x); !slices.Equal(p, want) || v != least {
						t.Errorf("q = %g: beside other runs %v and %g, alone %v and %g", q, p, v, want, least)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

func scaled(c []float64, s float64) []float64 {
	if c == nil {
		return nil
	}
	d := make([]float64, len(c))
	for k := range c {
		d[k] = s * c[k]
	}
	return d
}
