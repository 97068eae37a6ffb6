package eskl

import (
	"strings"
	"testing"
)

// printedTable is a table of the paper, read column by column: for each method the accuracies and F₁ scores of its
// sets, which alternate.
type printedTable struct {
	place   string
	sets    []string
	methods []int
	columns []string
}

var printedTables = []printedTable{
	{"Table 1", []string{"sonar", "liver-bupa", "ionosphere", "pima", "heart-statlog"},
		[]int{Denoise, Flip, Shift, IndSVM, L2, L1, L3}, []string{
			"71.5 70.0 57.6 55.4 87.3 87.6 63.9 65.0 73.3 73.1",
			"72.5 70.6 54.5 53.8 89.6 89.9 58.7 58.8 63.8 65.1",
			"76.5 75.0 55.5 52.9 91.2 91.4 64.4 65.1 75.8 76.9",
			"76.5 74.8 59.7 55.8 91.5 91.8 70.2 71.4 76.3 76.5",
			"73.0 71.3 62.8 59.1 91.2 91.4 73.5 74.6 78.8 79.0",
			"75.5 73.9 61.0 58.9 88.5 88.5 73.3 74.3 78.8 79.5",
			"75.5 74.1 60.7 57.5 91.5 91.8 69.8 71.0 76.3 76.5"}},
	{"Table 2, AuralSonar", []string{"aural-sonar"}, []int{Denoise, Flip, Shift, IndSVM, L2, L1, L3}, []string{
		"87.0 86.5",
		"87.0 86.3",
		"87.0 86.3",
		"88.0 87.3",
		"87.0 86.3",
		"88.0 87.3",
		"90.0 89.1"}},
	{"Table 3", []string{"a.4.1", "b.1.18", "b.29.1", "b.40.4", "c.1.8", "c.3.1", "c.47.1", "c.67.1"},
		[]int{MeanLinear, MeanDenoise, MeanIndSVM, SimpleMKL, ESKLL1, EMKLL1, REKLL2}, []string{
			"51.9 67.5 63.8 73.9 70.6 55.6 66.9 74.8 58.8 29.5 91.9 90.9 88.1 85.7 88.8 87.2",
			"53.1 68.1 62.5 73.1 80.6 76.3 68.1 75.4 75.0 65.1 97.5 97.4 86.2 87.8 90.6 89.6",
			"54.4 68.7 58.1 70.7 75.6 67.0 59.4 71.1 66.9 50.1 95.6 95.4 76.2 81.5 90.6 89.6",
			"56.9 69.9 65.6 74.7 77.5 70.2 70.0 76.7 73.7 62.7 95.0 94.7 90.0 88.8 91.2 90.3",
			"70.0 77.1 71.9 78.6 85.0 83.5 71.9 77.3 80.6 74.6 95.6 95.2 84.4 85.7 81.9 76.8",
			"73.1 78.9 75.6 80.6 83.8 82.1 68.8 76.3 85.0 80.8 95.6 95.4 90.6 90.3 91.2 90.3",
			"84.4 86.5 74.4 78.6 75.0 71.0 76.2 78.5 80.0 77.9 96.2 96.0 84.4 86.4 93.1 92.6"}},
}

// TestPrintedNumbers compares every number of the paper's tables that the notebook uses with a second copy.
func TestPrintedNumbers(t *testing.T) {
	count := 0
	for _, table := range printedTables {
		for k, column := range table.columns {
			numbers := strings.Fields(column)
			if len(numbers) != 2*len(table.sets) {
				t.Fatalf("%s: column %d has %d numbers", table.place, k+1, len(numbers))
			}
			for i, set := range table.sets {
				for _, measure := range []Measure{Accuracy, F} {
					count++
					want := numbers[2*i+int(measure)]
					if got := percentInPaper(set, measure, table.methods[k]); got != want {
						t.Errorf("%s, %s, column %d, measure %d: the notebook uses %s, the paper prints %s",
							table.place, set, k+1, measure, got, want)
					}
				}
			}
		}
	}
	if want := 7*5*2 + 7*2 + 7*8*2; count != want {
		t.Errorf("%d numbers were compared, expected %d", count, want)
	}
}
