package lvx

import "testing"

// TestPrinted compares Paper with the rows of the paper's tables, typed again in the order of the paper's columns. MSE
// is the root of the mean squared error, MSF the misclassified fraction; BM is not defined and not in Paper.
func TestPrinted(t *testing.T) {
	type pair = [2]float64
	for name, tables := range map[string]struct {
		cv       [2][4]pair // Table 1 or 3: d = 1 and d = 2; PGD, IIA, rPGD, rIIA
		mse, msf [6]pair    // Table 2 or 4: IIA, PGD d=2, rIIA, rPGD d=2, BM, UNIF
	}{
		"ionosphere": {
			[2][4]pair{{{.69, .10}, {.69, .10}, {.70, .11}, {.70, .11}}, {{.75, .13}, {}, {.76, .15}, {}}},
			[6]pair{{.82, .03}, {.86, .02}, {.83, .02}, {.94, .01}, {.82, .03}, {1.11, .16}},
			[6]pair{{.23, .03}, {.24, .04}, {.24, .02}, {.29, .05}, {.23, .04}, {.29, .06}},
		},
		"sonar": {
			[2][4]pair{{{.80, .15}, {.80, .15}, {.82, .18}, {.82, .18}}, {{.80, .11}, {}, {.81, .13}, {.81, .13}}},
			[6]pair{{.82, .03}, {.86, .04}, {.83, .02}, {.86, .04}, {1.11, .16}, {1.69, .02}},
			[6]pair{{.22, .03}, {.26, .03}, {.23, .03}, {.25, .03}, {.22, .03}, {.25, .03}},
		},
	} {
		cv := [5]pair{tables.cv[0][1], tables.cv[1][0], tables.cv[0][3], tables.cv[1][2], {}}
		for k, column := range []int{0, 1, 2, 3, 5} {
			want := Printed{CV: cv[k], RMSE: tables.mse[column], ErrorRate: tables.msf[column]}
			if got := Paper[name][k]; got != want {
				t.Errorf("%s, %s: %v, printed %v", name, Columns[k], got, want)
			}
		}
		if tables.cv[0][0] != tables.cv[0][1] || tables.cv[0][2] != tables.cv[0][3] {
			t.Errorf("%s: PGD and IIA of degree 1 do not share a column", name)
		}
	}
}

// TestEchoes checks that degree 1 is odd and degree 2 even about the mean of the training points, and that the weights
// drawn satisfy Theorem 2.1: ‖μ−1‖ = Λ.
func TestEchoes(t *testing.T) {
	d := load(t, "sonar")
	train, e1 := d.Slice([]int{0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 205})
	test, e2 := d.Slice([]int{1, 21, 150})
	echoes, e3 := PredictEchoes(t.Context(), train, test)
	for _, err := range []error{e1, e2, e3} {
		if err != nil {
			t.Fatal(err)
		}
	}
	near(t, "degree 1 of the mirror image", echoes[0].FOfMirror, -echoes[0].F, 1e-12)
	near(t, "degree 2 of the mirror image", echoes[1].FOfMirror, echoes[1].F, 1e-12)
	if e := echoes[2]; e.FOfMirror == e.F || e.FOfMirror == -e.F || e.Label != test.Y[0] {
		t.Errorf("with a constant kernel: %+v is odd or even", e)
	}
	f, weights, err := WeightsChart(t.Context(), train, 1, 1, 10)
	if err != nil || len(f.Series) < 2 {
		t.Fatal(err, f)
	}
	for i, radius := range []float64{1, 10} {
		sum := 0.0
		for _, v := range weights[i] {
			sum += (v - 1) * (v - 1)
		}
		near(t, "‖μ−1‖²", sum, radius*radius, 1e-6)
	}
	if err := EchoTable(echoes).Validate(); err != nil {
		t.Error(err)
	}
}
