package algos_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// TestTogether: two studies and a solve run at once, each with its own bound of threads. Each finds what it finds
// alone, to the last bit. The test is for the race detector too.
func TestTogether(t *testing.T) {
	x, y := labeled(40, 2, 4)
	bases := kernel.List{kernel.RBF{Gamma: 0.2}, kernel.RBF{Gamma: 2}}
	splits, err := compare.Halves(y, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	hinges := compare.Losses(loss.Hinge{}, 0.3, 3)
	// the family is bound to the points anew in every run: nothing is warm from the run alone
	study := func(workers int) *compare.Study {
		return &compare.Study{Data: &data.Dataset{Name: "labeled", X: x, Y: y, Classes: []string{"−", "+"}},
			Splits: splits, Workers: workers, Selection: compare.Selection{Folds: 3, By: compare.ErrorRate},
			Methods: []compare.Method{
				{Name: "svm", Family: bases, Solver: mkl.FrankWolfe{}, Grid: compare.Grid{hinges}},
				{Name: "svm, uniform", Family: bases, Grid: compare.Grid{hinges, compare.Rules(mkl.Uniform{})}},
				{Name: "ridge", Family: bases, Grid: compare.Grid{compare.Ridge(0.1, 1)}},
			}}
	}
	run := func(s *compare.Study) *compare.Table {
		table, err := s.Run(ctx, nil)
		if err != nil {
			t.Error(err)
			return nil
		}
		table.Seconds = 0
		for _, row := range table.Rows {
			for i := range row.Runs {
				row.Runs[i].Seconds = 0
			}
		}
		return table
	}
	n := 150 // large enough to be cut for threads
	if testing.Short() {
		n = 60
	}
	bx, by := mkltest.Points(n, 3, 9)
	solve := func(threads int) *mkl.Result {
		p := &mkl.Problem{Grams: kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1},
			kernel.RBF{Gamma: 0.1}}, Center: true}.Bind(bx),
			Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: by}
		r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Threads: threads})
		if err != nil {
			t.Error(err)
			return nil
		}
		for i := range r.Trace {
			r.Trace[i].Elapsed = 0
		}
		return r
	}
	aloneTable, aloneResult := run(study(1)), solve(2)
	for range 5 {
		var wg sync.WaitGroup
		var tables [2]*compare.Table
		var result *mkl.Result
		for i := range tables {
			wg.Go(func() { tables[i] = run(study(2 - i)) })
		}
		wg.Go(func() { result = solve(2) })
		wg.Wait()
		for _, table := range tables {
			if !same(table, aloneTable) {
				t.Errorf("a study finds\n%v\nand alone\n%v", table, aloneTable)
			}
		}
		if !reflect.DeepEqual(result, aloneResult) {
			t.Errorf("the solve finds %v, alone %v", result, aloneResult)
		}
	}
}

// same compares all numbers to the last bit; scores that a regression does not have are NaN in both.
func same(a, b *compare.Table) bool {
	return a != nil && b != nil && fmt.Sprintf("%#v", *a) == fmt.Sprintf("%#v", *b)
}
