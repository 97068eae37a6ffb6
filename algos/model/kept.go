package model

import (
	"errors"
	"fmt"
	"math"
)

// keptPoints is the number of points at which a file keeps what the kernel adds to f.
const keptPoints = 8

// keptError bounds the difference of two sums of the same terms, over the sum of their absolute values. Backends round
// entries of k_θ differently, by about ε times what cancels in them. Pure Go and OpenBLAS differed by 1e-16, but for
// centred kernels of features far from 0: by 1e-10 where their mean is 1e3 standard deviations, by 1e-6 where it is
// 1e5.
const keptError = 1e-5

// kept returns the numbers of up to keptPoints points of m, evenly spaced, and of each column j of W, column after
// column,
//
//	v = Σ_t w_tj k_θ(x_i, x_t),  size = Σ_t |w_tj k_θ(x_i, x_t)|.
//
// It is an error where m cannot meet its own points, as where it keeps no matrix (Prune), or k_θ is not finite there.
func (m *Model) kept() (at []int, v, size []float64, err error) {
	n := m.X.Len()
	for i := range min(n, keptPoints) {
		at = append(at, i*n/min(n, keptPoints))
	}
	if len(at) == 0 {
		return nil, nil, nil, errors.New("model: no points")
	}
	k, err := m.Gram(m.X.Slice(at), nil)
	if err != nil {
		return nil, nil, nil, err
	}
	for j := range m.columns() {
		for i := range at {
			var sum, terms float64
			for t, k := range k.RawRowView(i) {
				sum += m.W[j*n+t] * k
				terms += math.Abs(m.W[j*n+t] * k)
			}
			if math.IsInf(terms, 0) || math.IsNaN(terms) {
				return nil, nil, nil, fmt.Errorf("model: k_θ between its own points sums to %g, want finite numbers",
					sum)
			}
			v, size = append(v, sum), append(size, terms)
		}
	}
	return at, v, size, nil
}

// compare says where the kernel is another one than that of kept values: its code has changed since, for a model is
// known by the names of its types.
func (m *Model) compare(kept []float64) error {
	at, v, size, err := m.kept()
	if err != nil {
		return fmt.Errorf("its kernel could be evaluated at its own points when it was saved: %w", err)
	}
	if len(kept) != len(v) {
		return fmt.Errorf("the file keeps %d values of its kernel, want %d", len(kept), len(v))
	}
	for i, was := range kept {
		if math.Abs(v[i]-was) <= keptError*size[i] {
			continue
		}
		p, w := at[i%len(at)]+1, "w_j"
		if m.columns() > 1 {
			w = fmt.Sprintf("w_j%d", i/len(at)+1)
		}
		return fmt.Errorf("the kernel is another one than when the model was saved: at its own point %d, Σ_j %s "+
			"k(x_%[1]d, x_j) is %.6[3]g, and was %.6[4]g: the code of %[5]T, or of a kernel in it, has changed since; "+
			"bring the former code back, or learn the model again",
			p, w, v[i], was, m.Family)
	}
	return nil
}
