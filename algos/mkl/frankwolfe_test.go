package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
)

func TestFrankWolfe(t *testing.T) {
	t.Run("open loop", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{}, mkltest.Options{Gap: 2e-3, MaxWarmStartSteps: -1})
	})
	t.Run("exact", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{ExactLineSearch: true}, mkltest.Options{Gap: 5e-4, MaxWarmStartSteps: 20})
	})
}
