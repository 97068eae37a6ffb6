package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
)

func TestSPG(t *testing.T) {
	mkltest.TestSolver(t, mkl.SPG{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.SPG{})
}

func TestPGD(t *testing.T) {
	mkltest.TestSolver(t, mkl.PGD{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.PGD{})
}

func TestIIA(t *testing.T) {
	mkltest.TestSolver(t, mkl.IIA{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.IIA{})
}

func TestTrustRegion(t *testing.T) {
	mkltest.TestSolver(t, mkl.TrustRegion{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.TrustRegion{})
}
