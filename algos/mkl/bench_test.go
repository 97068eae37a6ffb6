package mkl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// BenchmarkCertify is value, gradient and certificate at one θ, quadratic kernels of 3,600 features on
// 900 points, dense and with 2 % nonzeros.
func BenchmarkCertify(b *testing.B) {
	const n, m = 900, 3600
	r := rand.New(rand.NewPCG(21, 1))
	dense, sparse := points.Rows{N: n, D: m}, points.Sparse{D: m, Ptr: []int{0}}
	for range n {
		for j := range m {
			dense.Data = append(dense.Data, r.NormFloat64()/60)
			if r.Float64() < 0.02 {
				sparse.Col, sparse.Val = append(sparse.Col, j), append(sparse.Val, r.NormFloat64()/9)
			}
		}
		sparse.Ptr = append(sparse.Ptr, len(sparse.Col))
	}
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	for _, c := range []struct {
		name string
		x    points.Points
	}{{"dense", dense}, {"sparse", sparse}} {
		b.Run(c.name, func(b *testing.B) {
			p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(c.x), Set: set.Ball{Q: 2, Radius: 60},
				Loss: loss.Squared{Lambda: 1}, Y: y}
			pt := p.NewPoint()
			p.Set.Start(pt.Theta)
			b.ReportAllocs()
			for b.Loop() {
				if err := pt.Evaluate(nil, 1e-10); err != nil {
					b.Fatal(err)
				}
				if c, err := p.Certify(pt, false); err != nil || !(c.Gap() > 0) {
					b.Fatal(c)
				}
			}
		})
	}
}
