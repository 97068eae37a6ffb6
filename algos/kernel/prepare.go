package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Step is one preprocessing of features. Those of columns are fitted on the fixed points and give
// new points exactly that fit; those of rows look at one point alone. What would be left of it is
// rounding, so a column that is constant on the fixed points (to 1e-13 of its largest entry)
// becomes exactly 0 in MinMax, CentreColumns and Standardize, on new points too; so does a constant
// point in CentreRows, and a point of norm 0 stays 0 in UnitRows.
type Step string

const (
	MinMax        Step = "min-max"        // x_ij ↦ (x_ij − min_j)/(max_j − min_j): [0,1] on the fixed points
	MaxAbs        Step = "max-abs"        // x_ij ↦ x_ij/max_i|x_ij|; keeps zeros
	CentreColumns Step = "centre columns" // x_ij ↦ x_ij − mean_j
	Standardize   Step = "standardize"    // x_ij ↦ (x_ij − mean_j)/sd_j, sd with 1/n
	CentreRows    Step = "centre rows"    // x_ij ↦ x_ij − mean over j of x_ij
	UnitRows      Step = "unit rows"      // x_i ↦ x_i/‖x_i‖₂
)

// Prepare is steps in that order, each fitted on what the one before makes of the fixed points.
// Sparse points stay sparse: where a step shifts, the shift is kept as a term of low rank beside
// the nonzeros.
type Prepare []Step

// String lists the steps.
func (p Prepare) String() string {
	s := make([]string, len(p))
	for i, t := range p {
		s[i] = string(t)
	}
	return strings.Join(s, ", ")
}

// Check names a step that is none.
func (p Prepare) Check() error {
	for _, s := range p {
		if !slices.Contains([]Step{MinMax, MaxAbs, CentreColumns, Standardize, CentreRows, UnitRows}, s) {
			return fmt.Errorf("kernel: no step is called %q; there are %q, %q, %q, %q, %q and %q",
				s, MinMax, MaxAbs, CentreColumns, Standardize, CentreRows, UnitRows)
		}
	}
	return nil
}

// fits says that p learns something from the fixed points.
func (p Prepare) fits() bool {
	return slices.ContainsFunc(p, func(s Step) bool { return s != CentreRows && s != UnitRows })
}

// Prepared is a Prepare fitted to points.
type Prepared struct {
	d     int
	steps []fittedStep
}

// fittedStep is x_ij ↦ (x_ij − shift_j)·scale_j, or one of the steps of rows.
type fittedStep struct {
	step         Step
	shift, scale []float64 // nil: none
}

// Fit fits p to x, in O(nd) for each step; steps of columns take O(nonzeros + d) on sparse points
// until one has shifted. It returns an error for points other than Rows and Sparse and for steps that
// are none.
func (p Prepare) Fit(x Points) (*Prepared, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if len(p) == 0 {
		return &Prepared{}, nil
	}
	v, err := vectorsOf(x, nil)
	if err != nil {
		return nil, err
	}
	f, _ := p.fit(v)
	return f, nil
}

// fit also returns what it makes of x.
func (p Prepare) fit(x vectors) (*Prepared, vectors) {
	f := &Prepared{d: x.d}
	if len(p) > 0 {
		x = x.clone()
	}
	for _, s := range p {
		t := fittedStep{step: s}
		switch s {
		case MinMax, MaxAbs, CentreColumns, Standardize:
			t.shift, t.scale = x.columnFit(s)
		}
		t.apply(&x)
		f.steps = append(f.steps, t)
	}
	return f, x
}

// Apply returns z prepared by the fit. z is Rows or Sparse of as many features as were fitted; it
// panics otherwise. Sparse points come back as Sparse unless a step shifts.
func (f *Prepared) Apply(z Points) Points {
	if len(f.steps) == 0 {
		return z
	}
	v, err := vectorsOf(z, nil)
	if err != nil {
		panic(err)
	}
	return f.apply(v).points()
}

func (f *Prepared) apply(x vectors) vectors {
	if len(f.steps) == 0 {
		return x
	}
	if x.d != f.d {
		panic(fmt.Sprintf("kernel: points of %d features, the fit is of %d", x.d, f.d))
	}
	x = x.clone()
	for _, t := range f.steps {
		t.apply(&x)
	}
	return x
}

// points is x as Points.
func (x vectors) points() Points {
	switch {
	case x.isDense():
		return Rows{N: x.n, D: x.d, Data: x.dense, Names: x.names}
	case x.r == 0:
		return x.z
	}
	return lifted{x}
}

// clone copies what a step changes.
func (x vectors) clone() vectors {
	x.dense = slices.Clone(x.dense)
	x.z.Val, x.u, x.v = slices.Clone(x.z.Val), slices.Clone(x.u), slices.Clone(x.v)
	return x
}

// columnFit returns the shift and scale of each column, nil where there is none.
func (x *vectors) columnFit(s Step) (shift, scale []float64) {
	n, d := float64(x.n), x.d
	low, high, mean := make([]float64, d), make([]float64, d), make([]float64, d)
	for j := range d {
		low[j], high[j] = math.Inf(1), math.Inf(-1)
	}
	x.eachColumnwise(func(j int, v float64, times int) {
		low[j], high[j] = math.Min(low[j], v), math.Max(high[j], v)
		mean[j] += v / n * float64(times)
	})
	reciprocal := func(j int, spread float64) float64 {
		if constant(low[j], high[j]) || spread == 0 {
			return 0
		}
		return 1 / spread
	}
	switch s {
	case MinMax:
		scale = make([]float64, d)
		for j := range scale {
			scale[j] = reciprocal(j, high[j]-low[j])
			if scale[j] == 0 && !x.isDense() {
				low[j] = 0 // scaled to 0 anyway; a shift would cost a term of low rank
			}
		}
		return whereAny(low), scale
	case MaxAbs:
		scale = make([]float64, d)
		for j := range scale {
			if top := math.Max(math.Abs(low[j]), math.Abs(high[j])); top > 0 {
				scale[j] = 1 / top
			}
		}
		return nil, scale
	case CentreColumns:
		for j := range d {
			if constant(low[j], high[j]) {
				if scale == nil {
					scale = make([]float64, d)
					ones(scale)
				}
				scale[j] = 0
			}
		}
		return whereAny(mean), scale
	}
	square := make([]float64, d)
	x.eachColumnwise(func(j int, v float64, times int) {
		v -= mean[j]
		square[j] += v * v / n * float64(times)
	})
	scale = make([]float64, d)
	for j := range scale {
		scale[j] = reciprocal(j, math.Sqrt(square[j]))
	}
	return whereAny(mean), scale
}

// constant says that the entries of a column or row between low and high differ by rounding only.
func constant(low, high float64) bool {
	return high-low <= 1e-13*math.Max(math.Abs(low), math.Abs(high))
}

func whereAny(shift []float64) []float64 {
	if slices.ContainsFunc(shift, func(v float64) bool { return v != 0 }) {
		return shift
	}
	return nil
}

// eachColumnwise calls f for the entries of every column; equal entries may come at once.
func (x *vectors) eachColumnwise(f func(j int, v float64, times int)) {
	if !x.isDense() && x.r == 0 {
		count := make([]int, x.d)
		for t, j := range x.z.Col {
			f(j, x.z.Val[t], 1)
			count[j]++
		}
		for j, c := range count {
			if c < x.n {
				f(j, 0, x.n-c)
			}
		}
		return
	}
	buf := make([]float64, x.d)
	for i := range x.n {
		for j, v := range x.row(buf, i) {
			f(j, v, 1)
		}
	}
}

// apply changes x in place.
func (t fittedStep) apply(x *vectors) {
	switch t.step {
	case CentreRows:
		x.centreRows()
	case UnitRows:
		x.unitRows()
	default:
		x.affine(t.shift, t.scale)
	}
}

func (x *vectors) affine(shift, scale []float64) {
	if x.isDense() {
		for i := range x.n {
			row := x.dense[i*x.d : (i+1)*x.d]
			for j := range row {
				if shift != nil {
					row[j] -= shift[j]
				}
				if scale != nil {
					row[j] *= scale[j]
				}
			}
		}
		return
	}
	if shift != nil {
		u := make([]float64, x.n)
		ones(u)
		v := make([]float64, x.d)
		for j := range v {
			v[j] = -shift[j]
		}
		x.lift(u, v)
	}
	if scale != nil {
		for t, j := range x.z.Col {
			x.z.Val[t] *= scale[j]
		}
		for j, s := range scale {
			for t := range x.r {
				x.v[j*x.r+t] *= s
			}
		}
	}
}

// lift adds uvᵀ to sparse points.
func (x *vectors) lift(u, v []float64) {
	x.u, x.v = append1(x.u, x.r, u), append1(x.v, x.r, v)
	x.r++
}

// append1 appends a column to a row-major matrix of r columns.
func append1(a []float64, r int, column []float64) []float64 {
	b := make([]float64, 0, len(a)+len(column))
	for i, v := range column {
		b = append(append(b, a[i*r:(i+1)*r]...), v)
	}
	return b
}

func (x *vectors) centreRows() {
	mean, buf := make([]float64, x.n), make([]float64, x.d)
	flat := make([]bool, x.n)
	for i := range mean {
		row := x.row(buf, i)
		for _, v := range row {
			mean[i] += v / float64(x.d)
		}
		flat[i] = constant(slices.Min(row), slices.Max(row))
	}
	if x.isDense() {
		for i, m := range mean {
			row := x.dense[i*x.d : (i+1)*x.d]
			for j := range row {
				row[j] -= m
			}
			if flat[i] {
				clear(row)
			}
		}
		return
	}
	v := make([]float64, x.d)
	ones(v)
	for i, f := range flat {
		mean[i] = -mean[i]
		if f {
			mean[i] = 0
			clear(x.z.Val[x.z.Ptr[i]:x.z.Ptr[i+1]])
			clear(x.u[i*x.r : (i+1)*x.r])
		}
	}
	x.lift(mean, v)
}

func (x *vectors) unitRows() {
	norm := x.norms()
	for i, s := range norm {
		if s = math.Sqrt(s); s > 0 {
			s = 1 / s
		}
		if x.isDense() {
			row := x.dense[i*x.d : (i+1)*x.d]
			for j := range row {
				row[j] *= s
			}
			continue
		}
		for t := x.z.Ptr[i]; t < x.z.Ptr[i+1]; t++ {
			x.z.Val[t] *= s
		}
		for t := range x.r {
			x.u[i*x.r+t] *= s
		}
	}
}
