package learn

import (
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
)

// TestRankTables ranks the methods that the tables of two sets share by their means.
func TestRankTables(t *testing.T) {
	one, two := learn(t, comparetest.Wave(40, 1)).Table, learn(t, comparetest.Wave(40, 2)).Table
	one.Rows, two.Data = one.Rows[1:], "other wave"
	r, err := compare.Rank(compare.RMSE, one, two)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Methods) != len(one.Rows) || r.Scores[1][0] != two.Summary(one.Rows[0].Method, compare.RMSE).Mean {
		t.Errorf("%v", r)
	}
	says(t, failure(compare.Rank(compare.RMSE, one, two, one)), "appears twice")
	again := *one // of other splits
	again.Rows = two.Rows[1:]
	says(t, failure(compare.Rank(compare.RMSE, one, two, &again)), "appears twice")
	if _, err := compare.Rank(compare.RMSE); err == nil {
		t.Error("no tables are ranked")
	}
	says(t, failure(compare.Rank(compare.Accuracy, one, two)), "has no accuracy to rank by, there are [RMSE ")
}
