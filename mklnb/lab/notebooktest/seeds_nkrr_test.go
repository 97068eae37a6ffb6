package notebooks

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/nkrr"
)

// TestSeedsNKRR reruns Table 1 at full size with seeds 1 to 5, where MKL_SIZE=full and MKL_DATA has the file of
// Parkinsons, and fails where a sentence of conclusion does not hold for one of them. Else it judges the
// results that are kept. The notebook has every sentence word for word.
func TestSeedsNKRR(t *testing.T) {
	list := nkrr.KeptTable1()
	if testenv.Full() {
		list = table1(t, list)
	}
	judged(t, "01_nkrr.ipynb", nkrr.Conclusions(), 4, func(string) []nkrr.Block { return list })
	for _, name := range nkrr.Sets {
		t.Log(nkrr.Spreads(name, list).Text())
	}
}

// table1 computes the blocks anew; they are those kept but for rounding.
func table1(t *testing.T, kept []nkrr.Block) (list []nkrr.Block) {
	for _, k := range kept {
		d := must(data.Load(k.Data))
		i := slices.IndexFunc(nkrr.Readings(), func(r nkrr.Reading) bool { return r.Name == k.Reading })
		s := must(nkrr.Table1(d, nkrr.Readings()[i], nkrr.Full, k.Seed))
		table := must(s.Run(t.Context(), nil))
		b := nkrr.Summarise(table, nkrr.Readings()[i])
		for c, col := range b.Columns {
			if d := col.Mean - k.Columns[c].Mean; d > 0.005 || d < -0.005 {
				t.Errorf("%s, %s, seed %d, %s: mean %.4f, kept is %.4f", k.Data, k.Reading, k.Seed, nkrr.Columns[c],
					col.Mean, k.Columns[c].Mean)
			}
		}
		list = append(list, b)
	}
	return list
}
