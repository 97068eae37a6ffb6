package kernel

import (
	"fmt"
	"math"
)

// Normalization says how a base kernel is scaled.
type Normalization string

const (
	None         Normalization = ""              // not at all
	Cosine       Normalization = "cosine"        // k(x,z)/√(k(x,x)k(z,z)): every point on the unit sphere
	MeanDiagonal Normalization = "mean diagonal" // divided by the mean of k(x_i,x_i) over the fixed points
)

func (m Normalization) check() error {
	if m != None && m != Cosine && m != MeanDiagonal {
		return fmt.Errorf("kernel: normalization %q, want %q, %q or %q", m, None, Cosine, MeanDiagonal)
	}
	return nil
}

// A diagonal entry k̃(x,x) is taken as 0 where it cannot be told from rounding: at most zeroCentred
// times the k(x,x) that centring made it of, or at most zeroPoint times the largest k(x_i,x_i).
const (
	zeroCentred = 1e-12
	zeroPoint   = 1e-14
)

// normalizing is what Normalize fits of one base kernel.
type normalizing struct {
	top     float64   // the largest k(x_i,x_i) before centring
	inverse []float64 // Cosine: 1/√k̃(x_i,x_i), 0 where that is 0; else nil
	scale   float64   // MeanDiagonal: 1/mean_i k̃(x_i,x_i), 0 where that is 0; else 1
}

// fit fits m to a base matrix with this diagonal, before centring by c and after, c nil where it is not
// centred. A fit of other points is taken as it is.
func (m Normalization) fit(before, after []float64, c *centring, other *normalizing) normalizing {
	n := len(before)
	f := normalizing{scale: 1}
	sum, was := 0.0, 0.0
	for i, v := range before {
		f.top = math.Max(f.top, v)
		sum += after[i]
		was += v
	}
	if other != nil {
		f.top = other.top
	}
	switch m {
	case Cosine:
		f.inverse = make([]float64, n)
		for i, v := range before {
			f.inverse[i] = f.inverseRoot(after[i], v, c)
		}
	case MeanDiagonal:
		f.scale = 0
		if sum > zeroCentred*was {
			f.scale = float64(n) / sum
		}
		if other != nil {
			f.scale = other.scale
		}
	}
	return f
}

// apply scales rows lo … hi−1 of a packed base matrix.
func (f *normalizing) apply(a []float64, n, lo, hi int) {
	if f.inverse != nil {
		for i := lo; i < hi; i++ {
			row := bandRow(a, n, lo, i)
			for j := range row {
				row[j] *= f.inverse[i] * f.inverse[i+j]
			}
			row[0] = f.diagonal(row[0], i)
		}
		return
	}
	if f.scale != 1 {
		for i := range a {
			a[i] *= f.scale
		}
	}
}

// diagonal is what is made of entry i of the diagonal, v.
func (f *normalizing) diagonal(v float64, i int) float64 {
	switch {
	case f.inverse == nil:
		return v * f.scale
	case f.inverse[i] > 0:
		return 1
	}
	return 0
}

// inverseRoot is 1/√v for v = k̃(x,x), which was before centring, 0 where v is taken as 0.
func (f *normalizing) inverseRoot(v, before float64, c *centring) float64 {
	if v <= zeroPoint*f.top || c != nil && v <= zeroCentred*math.Max(before, math.Abs(c.grand)) {
		return 0
	}
	return 1 / math.Sqrt(v)
}

// newPoint scales row, k̃(z, x_j) for one new point z, in place; diag is k̃(z,z), before what it was
// before centring.
func (f *normalizing) newPoint(row []float64, diag, before float64, c *centring) {
	s := f.scale
	if f.inverse != nil {
		s = f.inverseRoot(diag, before, c)
		for j := range row {
			row[j] *= f.inverse[j]
		}
	}
	if s != 1 {
		for j := range row {
			row[j] *= s
		}
	}
}
