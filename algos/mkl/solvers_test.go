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

// A solver from outside the package: Frank–Wolfe with the step 2/(k+2), by the exported doors alone.
type frankWolfe struct{}

func (frankWolfe) String() string { return "FrankWolfe" }
func (frankWolfe) Uses(p *mkl.Problem) (mkl.Use, error) {
	return mkl.Use{Vertex: true, Inner: 1e-2}, nil
}
func (f frankWolfe) Start(*mkl.Problem) mkl.Stepper { return f }
func (frankWolfe) Step(it *mkl.Iterate) error {
	s, t := it.Oracle().S, it.Spare()
	eta := 2 / float64(it.K+2)
	for k := range t.Theta {
		t.Theta[k] = it.Theta[k] + eta*(s[k]-it.Theta[k])
	}
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	return nil
}
