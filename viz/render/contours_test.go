package render

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/viz"
)

// spaced is n values from lo to hi, at distances that grow if bent.
func spaced(lo, hi float64, n int, bent bool) []float64 {
	v := make([]float64, n)
	for i := range v {
		t := float64(i) / float64(n-1)
		if bent {
			t *= (1 + t) / 2
		}
		v[i] = lo + (hi-lo)*t
	}
	return v
}

func TestContourOfACircle(t *testing.T) {
	for _, bent := range []bool{false, true} {
		xs, ys := spaced(-2, 2, 81, bent), spaced(-2, 2, 61, bent)
		z := viz.Tabulate(xs, ys, func(x, y float64) float64 { return x*x + y*y })
		lines := grid{xs, ys, z}.contours(1)
		if len(lines) != 1 {
			t.Fatalf("%d contours of a circle", len(lines))
		}
		line := lines[0]
		if line[0] != line[len(line)-1] {
			t.Errorf("the contour is not closed: %v … %v", line[0], line[len(line)-1])
		}
		var length float64
		for i, q := range line {
			// Interpolating x² linearly over a step h errs by at most h²/8 in z, h²/16 in the radius.
			if r := math.Hypot(q.X, q.Y); math.Abs(r-1) > 0.1*0.1/16*2 {
				t.Errorf("(%v, %v) has radius %v", q.X, q.Y, r)
			}
			if i > 0 {
				length += math.Hypot(q.X-line[i-1].X, q.Y-line[i-1].Y)
			}
		}
		if math.Abs(length-2*math.Pi) > 0.02 {
			t.Errorf("the contour of the unit circle is %v long", length)
		}
	}
}
