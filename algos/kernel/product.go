package kernel

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Product is the kernel k(x,z) = Π_i k_i(x,z)^{e_i} of base kernels with whole exponents e_i ≥ 0, positive
// semidefinite by Schur's product theorem. With all exponents 0 it is 1.
type Product struct {
	Kernels   List
	Exponents []int // as many as kernels
}

var (
	_ Kernel   = Product{}
	_ Diagonal = Product{}
)

// checkExponents judges the exponents of p kernels.
func checkExponents(e []int, p int) error {
	if len(e) != p {
		return fmt.Errorf("kernel: %d exponents for a product of %d kernels", len(e), p)
	}
	for i, v := range e {
		if v < 0 || v > 100 {
			return fmt.Errorf("kernel: exponent %d of kernel %d of a product, want 0 to 100", v, i+1)
		}
	}
	return nil
}

// product is k, also of a user's kernel that embeds it.
func (k Product) product() Product { return k }

// multiplied is a kernel that is a Product.
type multiplied interface{ product() Product }

// sameSize refuses factors, at any depth, that are matrices of different sizes: of different points.
func (k Product) sameSize() error {
	first, err := Precomputed{}, error(nil)
	var look func(List)
	look = func(factors List) {
		for _, f := range factors {
			switch f := f.(type) {
			case multiplied:
				look(f.product().Kernels)
			case Precomputed:
				if first.N == 0 {
					first = f
				}
				if f.N != first.N && err == nil {
					err = fmt.Errorf("kernel: a product of matrices of different sizes: %v is of %d points, %v of %d",
						first, first.N, f, f.N)
				}
			}
		}
	}
	look(k.Kernels)
	return err
}

// Check refuses exponents that are missing or negative, matrices of different sizes, and what the factors refuse.
func (k Product) Check(x Points) error {
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
	return k.sameSize()
}

// Validate judges the exponents, the sizes of matrices, and the factors that can be judged without points.
func (k Product) Validate() error {
	if err := checkExponents(k.Exponents, len(k.Kernels)); err != nil {
		return err
	}
	for i, f := range k.Kernels {
		if v, ok := f.(Validated); ok && k.Exponents[i] > 0 {
			if err := v.Validate(); err != nil {
				return err
			}
		}
	}
	return k.sameSize()
}

// Cross stores the product, each factor with e_i > 0 computed once.
func (k Product) Cross(dst *mat.Dense, z, x Points) {
	l, n := dst.Dims()
	for i := range l {
		row := dst.RawRowView(i)
		for j := range row {
			row[j] = 1
		}
	}
	factor := mat.NewDense(l, n, nil)
	for i, f := range k.Kernels {
		if k.Exponents[i] == 0 {
			continue
		}
		f.Cross(factor, z, x)
		for r := range l {
			row := dst.RawRowView(r)
			for j, v := range factor.RawRowView(r) {
				row[j] *= integerPower(v, k.Exponents[i])
			}
		}
	}
}

// Diag stores k(z_i, z_i).
func (k Product) Diag(dst []float64, z Points) {
	for j := range dst {
		dst[j] = 1
	}
	factor := make([]float64, len(dst))
	for i, f := range k.Kernels {
		if e := k.Exponents[i]; e > 0 {
			diagonal(f, factor, z)
			for j, v := range factor {
				dst[j] *= integerPower(v, e)
			}
		}
	}
}

// operations is how many times the rounding of one kernel value a base kernel may make.
func operations(k Kernel) float64 {
	switch k := k.(type) {
	case Polynomial:
		return float64(max(1, k.Degree))
	case multiplied:
		sum, p := 1.0, k.product()
		for i, f := range p.Kernels {
			sum += float64(p.Exponents[i]) * (operations(f) + 1)
		}
		return sum
	}
	return 1
}

// String is "linear^2·RBF(γ=0.5)", or "1".
func (k Product) String() string {
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
