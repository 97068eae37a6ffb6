package loss

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// packedGram has no K but its upper triangle.
type packedGram struct {
	shiftedGram
	a []float64
}

func (g packedGram) Root() *mat.Dense         { return nil }
func (g packedGram) Inner(*mat.SymDense) bool { return false }
func (g packedGram) Triangle() []float64      { return g.a }

// TestRowsKept: rows of points that stay active, filled before or not, are those of K, with room for all or for
// few, of a K of these points and of one of more, whole or packed.
func TestRowsKept(t *testing.T) {
	const n = 100
	r := rand.New(rand.NewPCG(3, 4))
	k := mat.NewSymDense(2*n, nil)
	for i := range 2 * n {
		for j := i; j < 2*n; j++ {
			k.SetSym(i, j, r.NormFloat64())
		}
	}
	packed := packedGram{}
	for i := range 2 * n {
		packed.a = append(packed.a, k.RawSymmetric().Data[2*n*i+i:2*n*(i+1)]...)
	}
	grams := []Gram{shiftedGram{k}, packed}
	before := most
	defer func() { most = before }()
	for trial := range 60 {
		if most = before; trial%3 == 2 {
			most = 3 * stripe * n
		}
		q := newBox(n)
		q.k, _ = upper(grams[trial/2%2], 2*n)
		q.w = make([]float64, n)
		at := func(i int) int { return i }
		if trial%2 == 1 {
			at = func(i int) int { return 2*i + 1 }
			for i := range n {
				q.place = append(q.place, at(i))
			}
		}
		q.all()
		for round := range 4 {
			for p := range q.act {
				if r.IntN(3) > 0 && round%2 == 0 {
					q.row(p)
				}
			}
			q.was = append(q.was[:0], q.act...)
			q.act = q.act[:0]
			for _, i := range q.was {
				if r.IntN(8) > 0 {
					q.act = append(q.act, i)
				}
			}
			if round == 3 { // and one that was not there
				q.act = append(q.act[:0], q.was[1:]...)
				q.was = q.was[2:]
			}
			q.retain()
			for p, i := range q.act {
				if round < 2 && r.IntN(2) > 0 {
					continue // not filled yet
				}
				for c, j := range q.act {
					if got, want := q.row(p)[c], k.At(at(i), at(j)); got != want {
						t.Fatalf("trial %d, round %d: row %d at column %d is %g, want %g", trial, round, i, j, got,
							want)
					}
				}
			}
		}
		q.release()
	}
}
