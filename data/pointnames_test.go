package data

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"gonum.org/v1/gonum/mat"
)

// namedMatrix writes the numbers value(row, column) in the layout of a program: 0 pandas, 1 R, 2 names of columns only,
// 3 names of rows only, 4 a word in the first cell.
func namedMatrix(layout int, rows, columns []string, value func(r, c string) float64) string {
	var b strings.Builder
	header := strings.Join(columns, ",") + "\n"
	switch layout {
	case 0:
		b.WriteString("," + header)
	case 1, 2:
		b.WriteString(header)
	case 4:
		b.WriteString("id," + header)
	}
	for _, r := range rows {
		var cells []string
		if layout != 2 {
			cells = append(cells, r)
		}
		for _, c := range columns {
			cells = append(cells, fmt.Sprint(value(r, c)))
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// TestNamesOfMatrices: two matrices with names, in any layouts and orders, their labels and new points are matched by
// the names.
func TestNamesOfMatrices(t *testing.T) {
	names := []string{"ada", "bob", "cyd", "dee", "eve"}
	number := func(name string) float64 { return float64(slices.Index(names, name) + 1) }
	a := func(r, c string) float64 { return number(r) * number(c) }
	b := func(r, c string) float64 {
		if r == c {
			return 10 * number(r)
		}
		return 1
	}
	shuffled := func(rng *rand.Rand, names []string) []string {
		names = slices.Clone(names)
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		return names
	}
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		matrix := func(name string, value func(r, c string) float64) string {
			layout, rows := rng.IntN(5), shuffled(rng, names)
			columns := rows
			if layout == 0 || layout == 1 || layout == 4 {
				columns = shuffled(rng, names)
			}
			return file(t, name, namedMatrix(layout, rows, columns, value))
		}
		labels := "id,y\n"
		if seed%2 == 0 {
			labels = ",y\n"
		}
		for _, name := range shuffled(rng, names) {
			labels += fmt.Sprintf("%s,%g\n", name, number(name))
		}
		o := Options{LabelFile: file(t, "y.csv", labels), Regression: true}
		paths := []string{matrix("a.csv", a), matrix("b.csv", b)}
		d, err := o.OpenSimilarities(paths...)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, r := range d.Keys {
			if d.Y[i] != number(r) {
				t.Errorf("seed %d: %s has the label %g", seed, r, d.Y[i])
			}
			for j, c := range d.Keys {
				if d.Similarities[0].S[i*5+j] != a(r, c) || d.Similarities[1].S[i*5+j] != b(r, c) {
					t.Errorf("seed %d: %s, %s: %g, %g", seed, r, c, d.Similarities[0].S[i*5+j],
						d.Similarities[1].S[i*5+j])
				}
			}
		}
		if _, err := o.OpenGrams(paths...); err != nil {
			t.Errorf("seed %d: Gram matrices: %v", seed, err)
		}
		// new points in other orders: rows and columns have names
		fresh := []string{"zoe", "yan"}
		value := func(r, c string) float64 { return float64(slices.Index(fresh, r)+1) + 10*number(c) }
		first := shuffled(rng, fresh)
		z := must(pointsIn(reread(t, d.Encoding), file(t, "a.csv", namedMatrix(0, first, shuffled(rng, names), value)),
			file(t, "b.csv", namedMatrix(1+3*rng.IntN(2), shuffled(rng, fresh), shuffled(rng, names),
				value)))).(points.KernelRows)
		for k := range 2 {
			for i, r := range first {
				for j, c := range d.Keys {
					if z.Data[k][i*5+j] != value(r, c) {
						t.Errorf("seed %d: new point %s, %s: %g", seed, r, c, z.Data[k][i*5+j])
					}
				}
			}
		}
		_, err = pointsIn(d.Encoding, file(t, "a.csv", namedMatrix(0, fresh, []string{"ada", "bob", "cyd", "dee",
			"eva"},
			value)), file(t, "b.csv", namedMatrix(0, fresh, names, value)))
		wantError(t, err, "a.csv", `"eve"`)
	}
	// the same names as numbers of the order 1, 2, 3 say nothing
	plain := file(t, "s.csv", ",0,1,2\n0,1,1,0\n1,1,1,1\n2,0,1,1\n")
	d := must(Options{Unlabeled: true}.OpenSimilarities(plain))
	if d.Keys != nil || d.Len() != 3 {
		t.Errorf("%v has the keys %q", d, d.Keys)
	}
}

// TestDigestOfGrams: matrices of other kernels have another digest.
func TestDigestOfGrams(t *testing.T) {
	of := func(v float64) string {
		return must(FromGrams("g", []float64{1, 2}, mat.NewDense(2, 2, []float64{1, v, v, 1}))).Digest()
	}
	if of(0.5) == of(0.25) || of(0.5) != of(0.5) {
		t.Error("the digest does not depend on the matrices alone")
	}
}

// TestSerialNames: serial numbers say nothing beside other names or none, or beside other numbers of the same matrix.
// The same numbers in another order in another file may be names or positions, which is an error.
func TestSerialNames(t *testing.T) {
	serial, shuffled, words := []string{"0", "1", "2"}, []string{"2", "0", "1"}, []string{"ada", "bob", "cyd"}
	value := func(i, j int) float64 { return float64(min(i, j) + 1) }
	matrix := func(name string, rows, columns []string) string { // in the order of the points
		text := "," + strings.Join(columns, ",") + "\n"
		for i, r := range rows {
			text += fmt.Sprintf("%s,%g,%g,%g\n", r, value(i, 0), value(i, 1), value(i, 2))
		}
		return file(t, name, text)
	}
	labels := func(names []string) string {
		if names == nil {
			return "y\n1\n2\n3\n"
		}
		return fmt.Sprintf(",y\n%s,1\n%s,2\n%s,3\n", names[0], names[1], names[2])
	}
	for _, c := range []struct {
		rows, columns, other, labels []string // names in two matrices and in the file of labels
		keys                         []string // nil for an error
	}{
		{serial, serial, words, words, words},
		{words, words, serial, serial, words},
		{serial, serial, serial, words, words},
		{shuffled, serial, shuffled, nil, shuffled}, // positions beside the index of a shuffled table
		{serial, shuffled, shuffled, nil, shuffled},
		{serial, serial, shuffled, nil, nil},
		{serial, serial, serial, shuffled, nil},
		{shuffled, shuffled, shuffled, serial, nil},
	} {
		d, err := Options{LabelFile: file(t, "y.csv", labels(c.labels)), Regression: true}.OpenGrams(
			matrix("a.csv", c.rows, c.columns), matrix("b.csv", c.other, c.other))
		if c.keys == nil {
			wantError(t, err, "they may be names or positions")
			continue
		}
		if err != nil || !slices.Equal(d.Keys, c.keys) {
			t.Errorf("%q: %v, %v", c, d, err)
			continue
		}
		for i, y := range d.Y {
			for _, k := range d.Kernels {
				if got := k.(kernel.Precomputed).Data[4*i]; y != float64(i+1) || got != value(i, i) {
					t.Errorf("%q: point %d has y = %g and K(x, x) = %g", c, i, y, got)
				}
			}
		}
	}
	d := must(Options{LabelFile: file(t, "y.csv", labels(nil)), Regression: true}.OpenGrams(matrix("a.csv", serial,
		serial)))
	if d.Keys != nil {
		t.Errorf("the keys are %q", d.Keys)
	}
	_, err := pointsIn(reread(t, d.Encoding), file(t, "a.csv", ",2,0,1\n7,3,1,2\n"))
	wantError(t, err, "they may be names or positions")
	z := must(pointsIn(d.Encoding, file(t, "a.csv", ",0,1,2\n7,1,2,3\n"))).(points.KernelRows)
	if !slices.Equal(z.Data[0], []float64{1, 2, 3}) {
		t.Errorf("a new point has %v", z.Data)
	}
}
