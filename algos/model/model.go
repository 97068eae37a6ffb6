package model

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Model is
//
//	f(z) = Σ_i w_i k_θ(z, x_i) + b + offset
//
// or, of several targets or more than two classes, several such f with the same k_θ. It is plain
// data; its methods leave it as it is and may be called at the same time.
type Model struct {
	Name string // of the data or the method, for people
	Note string // how it was learned, for people

	Family kernel.Family
	X      points.Points // n points it was learned on
	Theta  []float64     // m weights (mkl.Result.Kernel)
	Labels []string      // m names of what they weigh, or nil
	W      []float64     // n dual coefficients; n·c of c columns, column after column
	Bias   float64
	Offset float64 // mean that was taken from the targets before learning

	// Biases and Offsets are those of several columns, c each; then Bias and Offset are 0.
	Biases, Offsets []float64

	// Classes names the class behind f < 0 and the class behind f ≥ 0, or more than two classes,
	// which Code makes columns of. It is nil where f predicts numbers.
	Classes []string
	Pairs   bool // see Code
	// Targets names several numbers that are predicted, one for each column; or it is nil.
	Targets []string
	// Log says that f is the natural logarithm of the numbers that are predicted (data.Dataset.Log): predictions
	// are exp f, which is the median where the errors of f are symmetric.
	Log bool
	// Sigmoids, one for each column, make probabilities of classes: see Probabilities. They are nil where
	// none were learned.
	Sigmoids []Sigmoid

	// Input makes points of a file, as those of X were made: see PredictFile. It is nil where nothing is
	// known of files.
	Input Input

	// Points is the number of points it was learned on, where X are its support vectors alone, or with Landmarks
	// those that it has kernels of; else 0.
	Points    int
	Landmarks bool

	// Whole says why X has points that are no support vectors, where Prune could not leave them out.
	Whole string
}

// Code is how the classes, or several targets, are columns.
func (m *Model) Code() Code {
	c := Code{Classes: len(m.Classes), Pairs: m.Pairs}
	if m.Classes == nil && m.X != nil && m.X.Len() > 0 && len(m.W) > m.X.Len() {
		c.Targets = len(m.W) / m.X.Len()
	}
	return c
}

// columns is their number c.
func (m *Model) columns() int { return m.Code().Columns() }

// targets are the names of several targets, "target 1" for the first where they have none; else nil.
func (m *Model) targets() []string {
	if m.Targets != nil || m.Classes != nil || m.columns() == 1 {
		return m.Targets
	}
	names := make([]string, m.columns())
	for j := range names {
		names[j] = fmt.Sprintf("target %d", j+1)
	}
	return names
}

// block is the number of points predicted at once: it bounds the memory at block·n numbers.
const block = 1024

// Validate says what is wrong with m: parts that are missing, lengths that differ, numbers that
// are not finite.
func (m *Model) Validate() error {
	if err := m.check(); err != nil {
		return err
	}
	_, err := m.bind()
	return err
}

// check is Validate without the family.
func (m *Model) check() error {
	switch {
	case m == nil:
		return errors.New("model: no model")
	case m.Family == nil:
		return errors.New("model: no family of kernels")
	case m.X == nil:
		return errors.New("model: no points")
	}
	if err := m.X.Validate(); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	n, c := m.X.Len(), m.columns()
	switch {
	case m.Classes != nil && len(m.Classes) < 2:
		return fmt.Errorf("model: %d classes, want 2 or more, or none for numbers", len(m.Classes))
	case c <= 1 && len(m.W) != n:
		return fmt.Errorf("model: %d dual coefficients for %d points, want as many", len(m.W), n)
	case len(m.W) != n*c:
		return fmt.Errorf("model: %d dual coefficients for %d points and %d columns, want %d", len(m.W), n, c, n*c)
	case c > 1 && (m.Bias != 0 || m.Offset != 0):
		return fmt.Errorf("model: %d columns, want Biases and Offsets, no Bias and Offset", c)
	case len(m.Biases) != 0 && len(m.Biases) != c || len(m.Offsets) != 0 && len(m.Offsets) != c:
		return fmt.Errorf("model: %d biases and %d offsets for %d columns, want as many, or none", len(m.Biases),
			len(m.Offsets), c)
	}
	if m.Log && m.Classes != nil {
		return fmt.Errorf("model: logarithms (Log) of %d classes, want them of numbers alone", len(m.Classes))
	}
	if m.Targets != nil && (m.Classes != nil || len(m.Targets) != c || c < 2) {
		return fmt.Errorf("model: names of %d targets for %d columns of %d classes, want as many as columns, two "+
			"or more of numbers, or none", len(m.Targets), c, len(m.Classes))
	}
	if len(m.Sigmoids) != 0 && (m.Classes == nil || len(m.Sigmoids) != c) {
		return fmt.Errorf("model: %d sigmoids for %d columns of %d classes, want as many as columns of classes, "+
			"or none", len(m.Sigmoids), c, len(m.Classes))
	}
	for i, s := range m.Sigmoids {
		if v := s.A + s.B; math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("model: sigmoid %d has A = %g and B = %g, want finite numbers", i+1, s.A, s.B)
		}
	}
	if len(m.Theta) == 0 {
		return errors.New("model: no weights θ")
	}
	if m.Labels != nil && len(m.Labels) != len(m.Theta) {
		return fmt.Errorf("model: %d labels for %d weights, want as many, or none", len(m.Labels), len(m.Theta))
	}
	for _, v := range []struct {
		what string
		x    []float64
	}{{"θ", m.Theta}, {"w", m.W}, {"bias", []float64{m.Bias}}, {"offset", []float64{m.Offset}}, {"biases", m.Biases},
		{"offsets", m.Offsets}} {
		for i, x := range v.x {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("model: number %d of %s is %g, want a finite number", i+1, v.what, x)
			}
		}
	}
	return nil
}

// bind is the family on the points.
func (m *Model) bind() (kernel.Grams, error) {
	g := m.Family.On(m.X)
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if k, _ := g.Dims(); k != len(m.Theta) {
		return nil, fmt.Errorf("model: %d weights θ for a family of %d kernels, want as many", len(m.Theta), k)
	}
	return g, nil
}

// Predict returns f, or exp f (Log), at each point of z, which must be of the kind of X. Features are matched by their
// names where both have some: in any order, others are ignored. Of a model of Gram matrices, z are
// points.KernelRows. It costs what the family costs on the n points and on l×n pairs. Of several columns,
// see Values.
func (m *Model) Predict(z points.Points) ([]float64, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.columns() > 1 {
		return nil, fmt.Errorf("model: it has %d columns: use Classify or Values", m.columns())
	}
	return m.predict(z)
}

// Values returns, for each point of z in a row, one number for each of several targets, or of more
// than two classes one for each class, of which the largest decides. Of two classes and of one target
// it is Predict as a column.
func (m *Model) Values(z points.Points) (*mat.Dense, error) {
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	return m.values(f), nil
}

// values makes what Values returns of the numbers f that predict returned.
func (m *Model) values(f []float64) *mat.Dense {
	c := m.columns()
	l := len(f) / c
	v := mat.DenseCopyOf(mat.NewDense(c, l, f).T())
	if len(m.Classes) <= 2 {
		return v
	}
	all := mat.NewDense(l, len(m.Classes), nil)
	for i := range l {
		m.Code().Values(all.RawRowView(i), v.RawRowView(i))
	}
	return all
}

// predict returns f, or exp f, of each column, column after column, of a model that is whole.
func (m *Model) predict(z points.Points) ([]float64, error) {
	f, _, err := m.predictUnrelated(z)
	return f, err
}

// predictUnrelated is predict. unrelated reports for each sequence of z whether its kernel with all points of m is 0, so
// that f is the bias only. It is nil if the points are not sequences.
func (m *Model) predictUnrelated(z points.Points) (f []float64, unrelated []bool, err error) {
	if err := m.check(); err != nil {
		return nil, nil, err
	}
	g, z, _, err := m.meet(z)
	if err != nil {
		return nil, nil, err
	}
	_, sequences := z.(points.Sequences)
	l, n, c := z.Len(), m.X.Len(), m.columns()
	f = make([]float64, l*c)
	k := mat.NewDense(min(l, block), n, nil)
	rows := make([]int, 0, block)
	for from := 0; from < l; from += block {
		part, to := z, min(from+block, l)
		if l > block {
			rows = rows[:0]
			for i := from; i < to; i++ {
				rows = append(rows, i)
			}
			part = z.Slice(rows)
		}
		k := k.Slice(0, to-from, 0, n).(*mat.Dense)
		g.Cross(part).Gram(k, m.Theta)
		for i := range to - from {
			if sequences {
				unrelated = append(unrelated, floats.Norm(k.RawRowView(i), math.Inf(1)) == 0)
			}
			for j := range c {
				v := floats.Dot(k.RawRowView(i), m.W[j*n:(j+1)*n]) + m.Bias + m.Offset
				if m.Biases != nil {
					v += m.Biases[j]
				}
				if m.Offsets != nil {
					v += m.Offsets[j]
				}
				if m.Log {
					v = math.Exp(v)
				}
				f[j*l+from+i] = v
			}
		}
	}
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("model: the prediction for point %d is %g, want a finite number", i%l+1, v)
		}
	}
	return f, unrelated, nil
}

// Classify returns the name of the class of each point of z: of two classes Classes[1] where f ≥ 0.
func (m *Model) Classify(z points.Points) ([]string, error) {
	if m != nil && m.Classes == nil {
		return nil, errors.New("model: it predicts numbers, not classes: use Predict")
	}
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	return m.names(f), nil
}

// names makes what Classify returns of the numbers f that predict returned.
func (m *Model) names(f []float64) []string {
	c := m.columns()
	names, at := make([]string, len(f)/c), make([]float64, c)
	for i := range names {
		for j := range at {
			at[j] = f[j*len(names)+i]
		}
		names[i] = m.Classes[m.Code().Decide(at)]
	}
	return names
}

// Score predicts z and compares with the targets or labels y: see Code. Of c targets y are n·c numbers,
// column after column (data.Dataset.AllY).
func (m *Model) Score(z points.Points, y []float64) (Score, error) {
	f, err := m.predict(z)
	if err != nil {
		return Score{}, err
	}
	if c := max(m.Code().Targets, 1); z.Len()*c != len(y) {
		if c > 1 {
			return Score{}, fmt.Errorf("model: %d numbers for %d points of %d targets, want %d, column after column",
				len(y), z.Len(), c, z.Len()*c)
		}
		return Score{}, fmt.Errorf("model: %d targets for %d points, want as many", len(y), z.Len())
	}
	what := "target"
	if m.Classes != nil {
		what = "label"
	}
	for i, v := range y {
		if wrong := m.Code().Wrong(v); wrong != "" {
			return Score{}, fmt.Errorf("model: %s %d is %g, %s", what, i+1, v, wrong)
		}
	}
	return Measure(f, y, m.Code()), nil
}

// Outside returns the points of z that lie outside the box that the family is made for, and what becomes
// of them: none of a family without one.
func (m *Model) Outside(z points.Points) (rows []int, fate string, err error) {
	if err := m.check(); err != nil {
		return nil, "", err
	}
	_, _, out, err := m.meet(z)
	return out.Rows, out.Fate, err
}

// Support is the number of points whose dual coefficients are not all 0: of a support vector machine
// its support vectors.
func (m *Model) Support() int { return len(m.support()) }

// support is the numbers of those points.
func (m *Model) support() []int {
	var rows []int
	n := m.X.Len()
	for i := range n {
		for j := i; j < len(m.W); j += n {
			if m.W[j] != 0 {
				rows = append(rows, i)
				break
			}
		}
	}
	return rows
}

// String is one line: what it was learned on and how it predicts.
func (m *Model) String() string {
	if m == nil || m.X == nil {
		return "model: empty"
	}
	used := 0
	for _, t := range m.Theta {
		if t != 0 {
			used++
		}
	}
	points := fmt.Sprintf("%d points", m.X.Len())
	if m.Points > m.X.Len() {
		points = fmt.Sprintf("%d support vectors of %d points", m.X.Len(), m.Points)
		if m.Landmarks {
			points = fmt.Sprintf("%d points, by %d landmarks", m.Points, m.X.Len())
		}
	}
	if k := m.Support(); k < m.X.Len() {
		points = fmt.Sprintf("%d points, %d of them support vectors", m.X.Len(), k)
		if m.Whole != "" {
			points += fmt.Sprintf(" (all %d kept: %s)", m.X.Len(), m.Whole)
		}
	}
	s := fmt.Sprintf("model of %s, %d of %d kernels in use", points, used, len(m.Theta))
	if m.Name != "" {
		s = m.Name + ": " + s
	}
	switch c := m.columns(); {
	case len(m.Classes) > 10:
		return s + fmt.Sprintf("; predicts %d classes, %q … %q", len(m.Classes), m.Classes[0],
			m.Classes[len(m.Classes)-1])
	case m.Classes != nil:
		names := make([]string, len(m.Classes))
		for i, name := range m.Classes {
			names[i] = strconv.Quote(name)
		}
		last := len(names) - 1
		return s + "; predicts " + strings.Join(names[:last], ", ") + " or " + names[last]
	case c > 1:
		if c > 10 {
			return s + fmt.Sprintf("; predicts %d targets", c)
		}
		return s + "; predicts " + strings.Join(m.targets(), ", ")
	}
	if m.Log {
		return s + "; predicts numbers, of which it learned the logarithms"
	}
	return s + "; predicts numbers"
}
