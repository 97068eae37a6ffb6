package lvx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/kept/kepttest"
)

// TestKept makes the kept results again: TestKept/figures/SET, TestKept/tables.
func TestKept(t *testing.T) {
	kepttest.Regen(t)
	for _, name := range Sets {
		t.Run("figures/"+name, func(t *testing.T) {
			d := loadAny(t, name)
			var draws []*Draw
			for seed := uint64(1); seed <= 10; seed++ {
				draw, err := Figures(t.Context(), d, seed)
				if err != nil {
					t.Fatal(err)
				}
				draws = append(draws, draw)
			}
			kepttest.Write(t, "figures-"+name, draws)
		})
	}
	for _, name := range Sets[:2] {
		t.Run("tables/"+name, func(t *testing.T) {
			var draws []*Draw
			for seed := uint64(1); seed <= 10; seed++ {
				s, err := Protocol(load(t, name), 5, Halves, seed)
				if err != nil {
					t.Fatal(err)
				}
				table, err := s.Run(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				draws = append(draws, &Draw{Data: name, Seed: seed,
					Scores: Summarise(table, func(int) int { return 4 })})
			}
			kepttest.Write(t, "tables-"+name, draws)
		})
	}
}

// loadAny loads a set of Sets: Fourclass is not part of this module.
func loadAny(t *testing.T, name string) *data.Dataset {
	t.Helper()
	if name != "fourclass" {
		return load(t, name)
	}
	d, err := data.Open(filepath.Join(os.Getenv("MKL_DATA"), "fourclass.csv"))
	if err != nil {
		t.Skip(err)
	}
	d.Name = name
	return d
}
