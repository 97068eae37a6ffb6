package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// OnPart is the kernel that Kernel is on one part of points of type points.Parts, such as the sequences of points that
// also have features.
type OnPart struct {
	Part   string // name of the part
	Kernel Kernel
	// Normalize, if not empty, replaces Sum.Normalize for this kernel. So sequences can have cosines beside a Gram
	// matrix, for which cosines of new points are unknown.
	Normalize Normalization
}

var (
	_ Kernel          = OnPart{}
	_ Validated       = OnPart{}
	_ Shifted         = OnPart{}
	_ NewPointChecker = OnPart{}
	_ Freezer         = OnPart{}
)

// String returns the name of the part and the kernel, such as "protein: spectrum(3)".
func (k OnPart) String() string { return fmt.Sprintf("%s: %v", k.Part, k.Kernel) }

// Check returns an error if x does not have the part, or if the kernel does not accept it.
func (k OnPart) Check(x points.Points) error { return k.onPart(x, k.Kernel.Check) }

// CheckNewPoints returns an error if the kernel cannot be evaluated at new points z.
func (k OnPart) CheckNewPoints(z points.Points) error {
	return k.onPart(z, func(p points.Points) error { return checkNewPoints(k.Kernel, p) })
}

// onPart returns the result of check for the part of x.
func (k OnPart) onPart(x points.Points, check func(points.Points) error) error {
	if k.Kernel == nil {
		return fmt.Errorf("kernel: the kernel on the part %q is nil", k.Part)
	}
	p, err := points.Of(x, k.Part)
	if err == nil {
		err = check(p)
	}
	return err
}

// mustPart returns the part of x. It panics if Check would return an error.
func (k OnPart) mustPart(x points.Points) points.Points {
	p, err := points.Of(x, k.Part)
	if err != nil {
		panic(err)
	}
	return p
}

// Cross stores the kernel between the parts of z and x.
func (k OnPart) Cross(dst *mat.Dense, z, x points.Points) {
	k.Kernel.Cross(dst, k.mustPart(z), k.mustPart(x))
}

// Validate returns the error of Validate of the kernel, if it has this method.
func (k OnPart) Validate() error {
	if v, ok := k.Kernel.(Validated); ok {
		return v.Validate()
	}
	return nil
}

// DiagonalShift returns that of the kernel, or 0 if the kernel is not Shifted.
func (k OnPart) DiagonalShift() float64 {
	if s, ok := k.Kernel.(Shifted); ok {
		return s.DiagonalShift()
	}
	return 0
}

// Freeze returns the frozen kernel on the part.
func (k OnPart) Freeze() Kernel {
	k.Kernel = freeze(k.Kernel)
	return k
}

// withoutPart returns the kernel of an OnPart, or k itself.
func withoutPart(k Kernel) Kernel {
	if p, ok := k.(OnPart); ok {
		return p.Kernel
	}
	return k
}

// fitTo returns k, or if it is Fitted the kernel that it becomes for the points x.
func fitTo(k Kernel, x points.Points) Kernel {
	if p, ok := k.(OnPart); ok {
		p.Kernel = fitTo(p.Kernel, p.mustPart(x))
		return p
	}
	if f, ok := k.(Fitted); ok {
		return f.FitTo(x)
	}
	return k
}

func isFitted(k Kernel) bool {
	_, ok := withoutPart(k).(Fitted)
	return ok
}

// lacksMatrix reports whether k is a Precomputed without a matrix, as in a frozen family.
func lacksMatrix(k Kernel) bool {
	p, ok := withoutPart(k).(Precomputed)
	return ok && len(p.Data) == 0
}

// freeze returns the form of k for a frozen family.
func freeze(k Kernel) Kernel {
	if f, ok := k.(Freezer); ok {
		return f.Freeze()
	}
	return k
}

// checkNewPoints returns an error if k cannot be evaluated at new points z.
func checkNewPoints(k Kernel, z points.Points) error {
	if c, ok := k.(NewPointChecker); ok {
		return c.CheckNewPoints(z)
	}
	return k.Check(z)
}

// normalization returns the normalization of base kernel k.
func (f Sum) normalization(k int) Normalization {
	if p, ok := f.Kernels[k].(OnPart); ok && p.Normalize != None {
		return p.Normalize
	}
	return f.Normalize
}
