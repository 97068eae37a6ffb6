package kernel

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/points"
)

// product is the kernel k(x,z) = Π_i k_i(x,z)^{e_i} with integer exponents e_i ≥ 0. It is positive semidefinite by
// Schur's product theorem. If all exponents are 0, it is the constant 1. Only Monomials creates products, so that no
// factor is itself a product. The fields are exported so that package registry can store them.
type product struct {
	Kernels   List
	Exponents []int // one for each kernel
}

var _ Kernel = product{}

// checkExponents returns an error unless e has count exponents from 0 to 100.
func checkExponents(e []int, count int) error {
	if len(e) != count {
		return fmt.Errorf("kernel: got %d exponents for a product of %d kernels; pass one exponent per kernel",
			len(e), count)
	}
	for i, v := range e {
		if v < 0 || v > 100 {
			return fmt.Errorf("kernel: exponent %d of kernel %d of a product is out of range; use 0 to 100", v, i+1)
		}
	}
	return nil
}

// Check returns an error for an invalid number or value of exponents, and if Check of a factor returns one.
func (k product) Check(x points.Points) error {
	if err := checkExponents(k.Exponents, len(k.Kernels)); err != nil {
		return err
	}
	for i, f := range k.Kernels {
		if f == nil {
			return fmt.Errorf("kernel: kernel %d of a product is nil", i+1)
		}
		if err := f.Check(x); err != nil {
			return err
		}
	}
	return k.checkMatrixSizes()
}

// checkMatrixSizes returns an error if Precomputed factors have matrices of different sizes: their points differ.
func (k product) checkMatrixSizes() error {
	var first Precomputed
	for _, f := range k.Kernels {
		p, ok := f.(Precomputed)
		switch {
		case !ok:
		case first.N == 0:
			first = p
		case p.N != first.N:
			return fmt.Errorf("kernel: a product has matrices of different sizes: %v has %d points, %v has %d; use "+
				"matrices of the same points", first, first.N, p, p.N)
		}
	}
	return nil
}

// Validate returns the first error of Validate of a factor with an exponent above 0.
func (k product) Validate() error {
	for i, f := range k.Kernels {
		if v, ok := f.(Validated); ok && k.Exponents[i] > 0 {
			if err := v.Validate(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Cross stores k(z_i, x_j) in dst. It computes each factor with an exponent above 0 once.
func (k product) Cross(dst *mat.Dense, z, x points.Points) {
	l, n := dst.Dims()
	for i := range l {
		row := dst.RawRowView(i)
		for j := range row {
			row[j] = 1
		}
	}
	factorValues := mat.NewDense(l, n, nil)
	for i, f := range k.Kernels {
		if k.Exponents[i] == 0 {
			continue
		}
		f.Cross(factorValues, z, x)
		for r := range l {
			row := dst.RawRowView(r)
			for j, v := range factorValues.RawRowView(r) {
				row[j] *= elementwise.IntegerPower(v, k.Exponents[i])
			}
		}
	}
}

// storeDiagonal stores k(z_i, z_i) in dst.
func (k product) storeDiagonal(dst []float64, z points.Points) {
	for j := range dst {
		dst[j] = 1
	}
	factorValues := make([]float64, len(dst))
	for i, f := range k.Kernels {
		if e := k.Exponents[i]; e > 0 {
			storeDiagonal(f, factorValues, z)
			for j, v := range factorValues {
				dst[j] *= elementwise.IntegerPower(v, e)
			}
		}
	}
}

// roundingErrorMultiplier returns the factor by which the relative rounding error of a value of k exceeds that of a
// simple kernel value, such as ⟨x,z⟩ or exp(−γ‖x−z‖²): 1 for a simple kernel, more for a power or a product.
func roundingErrorMultiplier(k Kernel) float64 {
	switch k := k.(type) {
	case Polynomial:
		return float64(max(1, k.Degree))
	case OnPart:
		return roundingErrorMultiplier(k.Kernel)
	case product:
		multiplier := 1.0
		for i, f := range k.Kernels {
			multiplier += float64(k.Exponents[i]) * (roundingErrorMultiplier(f) + 1)
		}
		return multiplier
	}
	return 1
}

// String returns a text such as "linear^2·RBF(γ=0.5)", or "1" if all exponents are 0.
func (k product) String() string {
	var parts []string
	for i, e := range k.Exponents {
		if e == 0 || i >= len(k.Kernels) {
			continue
		}
		s := fmt.Sprint(k.Kernels[i])
		if e > 1 {
			s = fmt.Sprintf("%s^%d", s, e)
		}
		parts = append(parts, s)
	}
	if parts == nil {
		return "1"
	}
	return strings.Join(parts, "·")
}
