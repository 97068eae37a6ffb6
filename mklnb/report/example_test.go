package report_test

import (
	"fmt"
	"strings"

	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/report"
)

// Text returns the text of the report of any value that has one: here of a dataset.
func ExampleText() {
	d, err := datasets.Load("sonar")
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(report.Text(d), "\n")
	fmt.Println(first)
	// Output: Sonar, mines against rocks: 208 points, 60 features
}
