package qnpkl

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

// The rows of the tables of the paper, copied from its text (page 83).
const (
	rowsOfTable1 = `Sonar 60 77.9 5.5 6.2s 86.6 3.4 1.0s 82.3 4.8 81.3 3.9
Iono 34 91.3 2.3 7.1s 94.1 1.5 0.6s 93.0 2.1 90.1 2.3
Pima 8 71.4 4.1 4.4s 76.4 1.9 2.8s 77.2 2.1 75.4 2.3`
	rowsOfTable2 = `Sonar 72.2 3.5 84.9 80.8 6.3 97.7
Ionosphere 91.2 2.6 67.2 93.3 2.4 99.9
Pima 71.5 3.4 61.1 74.8 3.0 89.9`
)

// TestPrintedTables compares the numbers of the paper with its rows.
func TestPrintedTables(t *testing.T) {
	for i, row := range strings.Split(rowsOfTable1, "\n") {
		dataset := Sets3[i]
		p, times := PrintedTable1[dataset], PrintedTimes[dataset]
		fields := strings.Fields(row)
		got := fmt.Sprintf("%.1f %.1f %.1fs %.1f %.1f %.1fs %.1f %.1f %.1f %.1f", p[0].Mean, p[0].SD, times[0],
			p[1].Mean, p[1].SD, times[1], p[2].Mean, p[2].SD, p[3].Mean, p[3].SD)
		want := strings.Join(fields[2:], " ")
		if got != want || !strings.HasPrefix(dataset, strings.ToLower(fields[0])) {
			t.Errorf("Table 1, %s: %s, expected %s of %s", dataset, got, want, fields[0])
		}
	}
	for i, row := range strings.Split(rowsOfTable2, "\n") {
		dataset := Sets3[i]
		p, fields := PrintedTable2[dataset], strings.Fields(row)
		got := fmt.Sprintf("%.1f %.1f %.1f %.1f %.1f %.1f", p[0].Mean, p[0].SD, p[0].R, p[1].Mean, p[1].SD, p[1].R)
		if want := strings.Join(fields[1:], " "); got != want || dataset != strings.ToLower(fields[0]) {
			t.Errorf("Table 2, %s: %s, expected %s of %s", dataset, got, want, fields[0])
		}
	}
}

// TestStretch checks that J and the start of the widths are the same for features in [−1, 1] and for the same features
// without a scaling.
func TestStretch(t *testing.T) {
	d, err := Load("pima")
	if err != nil {
		t.Fatal(err)
	}
	rows, first := d.X.(points.Rows), make([]int, 60)
	for i := range first {
		first[i] = i
	}
	x, y := make([][]float64, 60), make([]float64, 60)
	gamma, stretched := make([]float64, d.Dim()), make([]float64, d.Dim())
	SymmetricInterval.WidthSet(d).Start(stretched)
	small := shared.SelectRows(d, first)
	for j := range gamma {
		gamma[j] = 1 / float64(d.Dim())
		lo, hi := rows.Row(0)[j], rows.Row(0)[j]
		for i := range x {
			lo, hi = min(lo, rows.Row(i)[j]), max(hi, rows.Row(i)[j])
		}
		for i := range x {
			x[i], y[i] = append(x[i], -1+2*(rows.Row(i)[j]-lo)/(hi-lo)), d.Y[i]
		}
	}
	got, err := shared.EvaluateAt(SymmetricInterval.Problem(small, 1), stretched, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	want, err := shared.EvaluateAt(PlaneProblem(x, y, 1), gamma, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.F()-want.F()) > 1e-6*want.F() {
		t.Errorf("J is %g for [−1, 1], expected %g of the scaled features", got.F(), want.F())
	}
}
