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

// TestTogether: two studies, and a solve run at once, each
// with its own bound of threads; each finds what it finds alone, to the last bit. For the race detector
// too.
func TestTogether(t *testing.T) {
	lx, ly := labeled(40, 2, 4)
	x, y := mkltest.Points(36, 2, 4)
	bases := kernel.List{kernel.RBF{Gamma: 0.2}, kernel.RBF{Gamma: 2}}
	halves := func(y []float64) []compare.Split {
		s, err := compare.Halves(y, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	hinges := compare.Losses(loss.Hinge{}, 0.3, 3)
	// the family is bound to the points anew in every run: nothing is warm from the run alone
	svm := func(workers int) *compare.Study {
		return &compare.Study{Data: &data.Dataset{Name: "labeled", X: lx, Y: ly, Classes: []string{"−", "+"}},
			Splits: halves(ly), Workers: workers, Selection: compare.Selection{Folds: 3, By: compare.ErrorRate},
			Methods: []compare.Method{
				{Name: "svm", Family: bases, Solver: mkl.FrankWolfe{}, Grid: compare.Grid{hinges}},
				{Name: "svm, uniform", Family: bases, Grid: compare.Grid{hinges, compare.Rules(mkl.Uniform{})}},
				{Name: "ridge", Family: bases, Grid: compare.Grid{compare.Ridge(0.1, 1)}},
			}}
	}
	regression := func(workers int) *compare.Study {
		return &compare.Study{Data: &data.Dataset{Name: "points", X: x, Y: y}, Splits: halves(y), Workers: workers,
			Selection: compare.Selection{Folds: 3}, CenterTargets: true,
			Methods: []compare.Method{
				{Name: "ridge", Family: bases, Grid: compare.Grid{compare.Ridge(0.1, 1)}},
				{Name: "learned", Family: bases, Solver: mkl.MirrorDescent{}, Grid: compare.Grid{compare.Ridge(0.1,
					1)}},
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
	aloneA, aloneB, aloneC := run(svm(1)), run(regression(2)), solve(2)
	for range 5 {
		var wg sync.WaitGroup
		var a, b *compare.Table
		var c *mkl.Result
		wg.Go(func() { a = run(svm(2)) })
		wg.Go(func() { b = run(regression(1)) })
		wg.Go(func() { c = solve(2) })
		wg.Wait()
		if !same(a, aloneA) {
			t.Errorf("the first study finds\n%v\nand alone\n%v", a, aloneA)
		}
		if !same(b, aloneB) {
			t.Errorf("the second study finds\n%v\nand alone\n%v", b, aloneB)
		}
		if !reflect.DeepEqual(c, aloneC) {
			t.Errorf("the solve finds %v, alone %v", c, aloneC)
		}
	}
	if t.Failed() {
		return
	}
	for _, table := range []*compare.Table{aloneA, aloneB} {
		if table.Stopped || !table.Certified() {
			t.Errorf("stopped or not certified:\n%v", table)
		}
	}
	if aloneC.Status != mkl.Certified {
		t.Errorf("%v", aloneC)
	}
}

// same compares all numbers to the last bit; scores that a regression does not have are NaN in both.
func same(a, b *compare.Table) bool {
	return a != nil && b != nil && fmt.Sprintf("%#v", *a) == fmt.Sprintf("%#v", *b)
}
