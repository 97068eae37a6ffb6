package kernel

import (
	"errors"
	"fmt"
	"math"
)

// Fitted is what a family fitted to the points of its first On, as plain data: see Freezable.
type Fitted struct {
	D     int // features of the points
	Steps []FittedStep
	Scale []float64 // of each base kernel, by MeanDiagonal, else 1; nil without Normalize
	Top   []float64 // the largest k(x_i, x_i) of each base kernel; nil without Normalize
}

// FittedStep is x_ij ↦ (x_ij − Shift_j)·Scale_j, nil for 0 and 1, or a Step of rows.
type FittedStep struct {
	Step         Step
	Shift, Scale []float64
}

var (
	_ Freezable = (*sumGrams)(nil)
	_ Freezable = (*featureGrams)(nil)
)

// freeze is p as plain data.
func (p *Prepared) freeze() *Fitted { return &Fitted{D: p.d, Steps: p.steps} }

// prepare applies p to x as it is fitted, or fits it.
func (f *Fitted) prepare(p Prepare, x Points) (*Prepared, Points) {
	if f == nil {
		return p.fit(x)
	}
	fit := &Prepared{d: f.D, steps: f.Steps}
	return fit, fit.Apply(x)
}

// check says what of f is not a fit of p to points like x.
func (f *Fitted) check(p Prepare, x Points) error {
	if f == nil {
		return nil
	}
	if len(f.Steps) != len(p) {
		return fmt.Errorf("kernel: %d fitted steps for %d of Prepare, want as many", len(f.Steps), len(p))
	}
	if len(p) == 0 {
		return nil
	}
	if d, _ := x.(Featured).Features(); d != f.D { // checkFamily has seen that it has some
		return fmt.Errorf("kernel: points of %d features, Prepare was fitted to %d", d, f.D)
	}
	for k, s := range f.Steps {
		if s.Step != p[k] {
			return fmt.Errorf("kernel: fitted step %d is %q, Prepare has %q", k+1, s.Step, p[k])
		}
		for _, v := range [][]float64{s.Shift, s.Scale} {
			if v != nil && len(v) != f.D {
				return fmt.Errorf("kernel: %d numbers fitted by %q to %d features", len(v), s.Step, f.D)
			}
			if err := finiteFit(v); err != nil {
				return err
			}
		}
	}
	return nil
}

func finiteFit(v []float64) error {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("kernel: a fitted number is %g, want a finite one", x)
		}
	}
	return nil
}

// checkSum says what of f does not suit s.
func (f *Fitted) checkSum(s Sum) error {
	if f == nil {
		for _, b := range s.Kernels {
			if p, ok := b.(Precomputed); ok && len(p.Data) == 0 {
				return fmt.Errorf("kernel: %v has no matrix", p)
			}
		}
		return nil
	}
	m := len(s.Kernels)
	switch {
	case s.Centre:
		return errCentre
	case s.Normalize != None && (len(f.Scale) != m || len(f.Top) != m),
		s.Normalize == None && (f.Scale != nil || f.Top != nil):
		return fmt.Errorf("kernel: %d scales and %d largest diagonal entries fitted for %d kernels by %q",
			len(f.Scale), len(f.Top), m, s.Normalize)
	}
	return errors.Join(finiteFit(f.Scale), finiteFit(f.Top))
}

var errCentre = errors.New("kernel: centred kernels need all points that they are centred on")

// Freeze keeps steps, scales and largest entries. Centre needs all points.
func (g *sumGrams) Freeze() (Family, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	f := g.f
	if f.Centre {
		return nil, errCentre
	}
	if f.Fitted == nil {
		f.Fitted = g.prepared.freeze()
		if f.Normalize != None {
			_, fits := g.matrices(g.on)
			for _, b := range fits {
				f.Fitted.Scale, f.Fitted.Top = append(f.Fitted.Scale, b.scale), append(f.Fitted.Top, b.top)
			}
		}
	}
	f.Kernels = append(List(nil), f.Kernels...)
	for k, b := range f.Kernels {
		if p, ok := b.(Precomputed); ok {
			p.Data = nil
			f.Kernels[k] = p
		}
	}
	return f, nil
}

// of is the fit of base kernel k, nil where there is none.
func (f *Fitted) of(k int) *normalizing {
	if f == nil || f.Scale == nil {
		return nil
	}
	return &normalizing{top: f.Top[k], scale: f.Scale[k]}
}

// Freeze keeps the fitted steps.
func (g *featureGrams) Freeze() (Family, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	f := g.f
	if f.Fitted == nil {
		f.Fitted = g.prepared.freeze()
	}
	return f, nil
}
