package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/stat"
)

func TestRings(t *testing.T) {
	d := Rings(2001, 7)
	if !slices.Equal(d.ClassCounts(), []int{1001, 1000}) || d.Dim() != 2 {
		t.Errorf("%v, want 1001 inner and 1000 outer points", d)
	}
	for name, simulate := range map[string]func(int, uint64) *data.Dataset{"rings": Rings, "friedman": Friedman,
		"simulated-arm": SimulatedArm} {
		text := fmt.Sprint(testenv.Panic(func() { simulate(1, 0) }))
		if !strings.Contains(text, name+" got 1 points; use at least 2") {
			t.Errorf("%s: the panic is %s", name, text)
		}
	}
}

// TestFriedman: what the formula of the paper leaves of y is standard normal: mean and standard deviation to 5 standard
// errors.
func TestFriedman(t *testing.T) {
	const n = 4000
	d := Friedman(n, 3)
	x := d.X.(points.Rows)
	noise := slices.Clone(d.Y)
	for i := range noise {
		r := x.Row(i)
		for j, part := range []float64{10 * math.Sin(math.Pi*r[0]*r[1]), 20 * math.Pow(r[2]-0.5, 2), 10 * r[3],
			5 * r[4]} {
			if noise[i] -= part; part < 0 || part > []float64{10, 5, 10, 5}[j] {
				t.Fatalf("point %d: part %d is %g", i+1, j+1, part)
			}
		}
	}
	if m, sd := stat.MeanStdDev(noise, nil); math.Abs(m) > 5/math.Sqrt(n) || math.Abs(sd-1) > 5/math.Sqrt(2*n) {
		t.Errorf("noise: %g ± %g, want 0 ± 1", m, sd)
	}
}

func TestSimulatedRepeat(t *testing.T) {
	for name, make := range map[string]func(n int, seed uint64) *data.Dataset{"rings": Rings, "arm": SimulatedArm,
		"friedman": Friedman} {
		if make(50, 3).Digest() != make(50, 3).Digest() {
			t.Errorf("%s: two calls differ", name)
		}
		if make(50, 3).Digest() == make(50, 4).Digest() {
			t.Errorf("%s: two seeds agree", name)
		}
		// More points begin with the same points.
		short, long := make(50, 3), make(80, 3)
		if !slices.Equal(short.X.(points.Rows).Data, long.X.(points.Rows).Data[:50*short.Dim()]) ||
			!slices.Equal(short.Y, long.Y[:50]) {
			t.Errorf("%s: the first 50 of 80 points are others", name)
		}
	}
}

// TestArm compares the arm with the textbook's matrices, and its statistics with those of kin8nm.
func TestArm(t *testing.T) {
	// ‖p − t‖ by the 4×4 transforms of Denavit and Hartenberg, multiplied from the base, in 17 digits
	for theta, want := range map[[8]float64]float64{
		{}: 0.917785733436732, {0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7, -0.8}: 0.8444444815042763, {1.5, 1, -1, 0.5, -1.5,
			1.2, -0.3, 0.9}: 0.2691010581957655,
	} {
		if got := armDistance(theta); math.Abs(got-want) > 1e-12 { // rounding of eight products
			t.Errorf("at %v the distance is %.17g, by matrices %.17g", theta, got, want)
		}
	}
	d := SimulatedArm(8192, 1)
	x := d.X.(points.Rows)
	rss := 0.0
	for i := range x.N {
		noise := d.Y[i] - armDistance([8]float64(x.Row(i)))
		rss += noise * noise
	}
	if greatest := max(slices.Max(x.Data), -slices.Min(x.Data)); greatest > math.Pi/2 {
		t.Errorf("an angle is %g", greatest)
	}
	mean, sd := stat.MeanStdDev(d.Y, nil)
	// kin8nm has mean 0.71428 and standard deviation 0.26359, and the formula without noise leaves
	// it a root mean squared error of 0.05534; ours is 0.0555 ± 0.0005 over seeds. Bounds: five
	// standard errors, sd/√n = 0.003 and sd/√2n = 0.002.
	if math.Abs(mean-0.71428) > 0.015 || math.Abs(sd-0.26359) > 0.01 {
		t.Errorf("the distance is %g ± %g, of kin8nm 0.71428 ± 0.26359", mean, sd)
	}
	if rmse := math.Sqrt(rss / float64(x.N)); math.Abs(rmse-0.0555) > 0.0025 {
		t.Errorf("noise leaves %g, want 0.0555", rmse)
	}
}
