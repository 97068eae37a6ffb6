package nkrr

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"
)

// TestFigures checks that every figure of stored results is valid.
func TestFigures(t *testing.T) {
	figures := []viz.Figure{PrintedGainChart("a title", Stored("table1")), VerdictChart("a title"),
		BigramChart("a title", "a caption", filterBlocks(Stored("figure2"), "finefoods", CenteredStars, 200))}
	for _, name := range Sets {
		figures = append(figures, viz.Multiples("a title", "a caption", 1, ReadingChart(Stored("table1"), name)))
	}
	for degree := 1; degree <= 4; degree++ {
		panel := Figure3Chart(Stored("figure3"), "kin-8nm", degree)
		figures = append(figures, viz.Multiples("a title", "a caption", 1, panel))
	}
	for _, f := range figures {
		if err := f.Validate(); err != nil {
			t.Errorf("%s: %v", f.Title, err)
		}
	}
}

// TestTable1 compares stored rows of Table 1, with rows centered, with means and standard deviations of 30 halves by
// an independent implementation in numpy. The halves differ, so two means of 30 may differ by 3 sd √(1/30 + 1/30).
func TestTable1(t *testing.T) {
	for name, numpy := range map[string]struct{ mean, sd [6]float64 }{
		"ionosphere": {[6]float64{.838, .812, .822, .630, .601, .613},
			[6]float64{.029, .027, .028, .033, .030, .033}},
		"sonar": {[6]float64{.870, .881, .872, .779, .779, .782},
			[6]float64{.031, .025, .032, .047, .052, .053}},
		"breast-wisconsin": {[6]float64{.689, .691, .690, .690, .693, .690},
			[6]float64{.016, .015, .014, .015, .015, .014}},
	} {
		for _, b := range filterBlocks(Stored("table1"), name, PerExample, 0) {
			for k, c := range b.Columns {
				tol := 3 * numpy.sd[k] * math.Sqrt(2./30)
				if math.Abs(c.Mean-numpy.mean[k]) > tol || math.Abs(c.SD-numpy.sd[k]) > 1.5*numpy.sd[k] {
					t.Errorf("%s, seed %d, %s: RMSE %.4f ± %.4f, expected %.3f within %.4f, ± %.3f", name, b.Seed,
						Columns[k], c.Mean, c.SD, numpy.mean[k], tol, numpy.sd[k])
				}
			}
		}
	}
}

// TestReadings checks that labels have mean 0, that rows or columns have mean 0, and that the dataset does not change.
// With FromTraining, λ and Λ are chosen inside the training halves, which stay the same.
func TestReadings(t *testing.T) {
	d, err := datasets.Load("breast-wisconsin")
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(d.X.(points.Rows).Data)
	for _, r := range Readings()[:3] { // without the leak-free reading, which prepares inside the training part
		c, err := r.preprocess(d)
		if err != nil {
			t.Fatal(err)
		}
		x := points.ToRows(c.X)
		columns := make([]float64, x.D)
		for i := range x.N {
			floats.Add(columns, x.Row(i))
		}
		sums := append(columns, floats.Sum(c.Y))
		if r.Name == PerExample {
			sums = []float64{floats.Sum(x.Row(0)), floats.Sum(c.Y)}
		}
		if most := floats.Norm(sums, math.Inf(1)); most > 1e-9 {
			t.Errorf("%s: a sum is %g", r.Name, most)
		}
		onAll, err := Table1(d, r, 1)
		if err != nil {
			t.Fatal(err)
		}
		fromTraining, err := Table1(d, r.FromTraining(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if !onAll.Settings.Selection.OnAllData || fromTraining.Settings.Selection.OnAllData ||
			!reflect.DeepEqual(onAll.Splits, fromTraining.Splits) || !reflect.DeepEqual(fromTraining.Data.X, d.X) {
			t.Errorf("%s: FromTraining has other halves, prepared features, or a choice on all points", r.Name)
		}
	}
	if !slices.Equal(before, d.X.(points.Rows).Data) {
		t.Error("the data were changed")
	}
}

// TestSteps compares counts with an independent implementation: at λ = 100, Λ = 2 sonar takes 40 steps from μ₀ + Λ1/√m
// and 1 from μ₀.
func TestSteps(t *testing.T) {
	d, err := datasets.Load("sonar")
	if err != nil {
		t.Fatal(err)
	}
	c, err := CountProblemSteps(t.Context(), Problem(d, CenteredFamily(2), 2, 2, 100), 1e-3, 60)
	if err != nil || c.Sphere != 40 || c.Center != 1 || c.SPG > 2 {
		t.Errorf("%+v, %v, expected 40 and 1 steps", c, err)
	}
	var counts []StepCount
	for _, radius := range stepRadii {
		c.Data, c.Lambda, c.Radius = "sonar", 100, radius
		counts = append(counts, c)
	}
	if err := StepChart("a title", counts, 60).Validate(); err != nil {
		t.Error(err)
	}
	// From the sphere each step is shorter than 0.1, so that the rule stops after the first one. From the center the
	// first step goes to the sphere.
	if c.SphereStops[0].Steps != 1 || c.CenterStops[0].Steps != 2 || len(StepRows(counts, 25)) != 6 {
		t.Errorf("by the rule of the paper: %+v and %+v", c.SphereStops, c.CenterStops)
	}
	sphere, center, err := CountStepsByRule(t.Context(), Problem(d, CenteredFamily(2), 2, 2, 100), 0.01, 60)
	if err != nil || sphere != c.SphereStops[1].Steps || center != c.CenterStops[1].Steps {
		t.Errorf("with ε = 0.01: %d and %d steps, %v, expected %+v and %+v", sphere, center, err, c.SphereStops,
			c.CenterStops)
	}
}

// TestPrintedTable1 compares Printed with Table 1 of the paper (page 6), typed once more by columns. Its rows are
// Parkinsons, Iono, Sonar and Breast; entries are hundredths.
func TestPrintedTable1(t *testing.T) {
	columns := [6][4][2]int{
		{{70, 3}, {82, 3}, {90, 2}, {70, 2}}, // lin. base
		{{70, 4}, {81, 4}, {92, 3}, {71, 2}}, // lin. ℓ1
		{{70, 3}, {81, 3}, {90, 4}, {70, 2}}, // lin. ℓ2
		{{65, 3}, {62, 5}, {84, 3}, {70, 2}}, // quad. base
		{{66, 3}, {62, 5}, {80, 4}, {70, 1}}, // quad. ℓ1
		{{64, 3}, {60, 5}, {80, 4}, {70, 1}}, // quad. ℓ2
	}
	for k, column := range columns {
		for i, name := range []string{"parkinsons", "ionosphere", "sonar", "breast-wisconsin"} {
			for j, want := range column[i] {
				if got := math.Round(100 * Printed[name][k][j]); got != float64(want) {
					t.Errorf("%s, %s: %g, the paper has %d", name, Columns[k], got, want)
				}
			}
		}
	}
}
