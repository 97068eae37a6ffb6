package compare

import (
	"context"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
)

// BenchmarkUnits runs 10,000 units whose work is nearly nothing, of 200 points: without a store, with one, and again of
// what is kept there.
func BenchmarkUnits(b *testing.B) {
	const units = 10000
	d := comparetest.Clouds(200, 2, 1)
	s := &Study{Data: d, Splits: must(Holdout(d.Y, 0.9, units, 1)), Methods: []Method{{Name: "linear",
		Family: kernel.List{kernel.Linear{}}, Grid: Grid{Ridge(1), Rules(mkl.Uniform{})}}}}
	run := func(b *testing.B, stored int) {
		computed := 0
		table := must(s.Run(context.Background(), func(p Progress) { computed = p.Done - p.Stored }))
		if len(table.Rows[0].Runs) != units || computed != units-stored {
			b.Fatalf("%d units computed, %d runs", computed, len(table.Rows[0].Runs))
		}
	}
	each := func(b *testing.B) { b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/units, "µs/unit") }
	b.Run("no store", func(b *testing.B) {
		s.Store = ""
		for b.Loop() {
			run(b, 0)
		}
		each(b)
	})
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s.Store = b.TempDir()
			b.StartTimer()
			run(b, 0)
		}
		each(b)
	})
	b.Run("resumed", func(b *testing.B) {
		s.Store = b.TempDir()
		run(b, 0)
		for b.Loop() {
			run(b, units)
		}
		each(b)
	})
}
