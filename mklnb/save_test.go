package mklnb

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/mklnb/setup"
)

// TestSaveAnother: a model in the place of another one says what was there, and keeps it; the same one says nothing.
func TestSaveAnother(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	of := func(note string, w ...float64) *model.Model {
		return &model.Model{Name: "rings", Note: note, Family: kernel.List{kernel.Linear{}}, X: kernel.NewRows([][]float64{{1}, {2}}), Theta: []float64{1}, W: w}
	}
	said := func(m *model.Model) string {
		t.Helper()
		r, status := record(t, func() { Save("x", m) })
		if status != -1 || len(r.shown) != 1 {
			t.Fatalf("status %d, %v", status, r.shown)
		}
		return r.shown[0].text
	}
	a, b, c := of("learned: λ=1", 1, 2), of("learned: λ=2", 3, 4), of("", 5, 6)
	for range 2 { // again, the same
		if s := said(a); s != `Saved as "x": rings: model of 2 points, 1 of 1 kernels in use; predicts numbers.` {
			t.Error(s)
		}
	}
	path := Must(modelPath("x"))
	day := time.Date(2026, 3, 5, 12, 0, 0, 0, time.Local)
	Try(os.Chtimes(path, day, day))
	want := `Saved as "x": rings: model of 2 points, 1 of 1 kernels in use; predicts numbers. Another model had this name, saved on 2026-03-05 (rings: model of 2 points, 1 of 1 kernels in use; predicts numbers; learned: λ=1): it is kept as "x.former".`
	if s := said(b); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	w := func(name string) []float64 { return LoadModel(name).W }
	if !slices.Equal(w("x"), b.W) || !slices.Equal(w("x.former"), a.W) {
		t.Errorf("x has %v, x.former %v", w("x"), w("x.former"))
	}
	if s := said(c); !strings.Contains(s, "λ=2") || !strings.HasSuffix(s, `: it is kept as "x.former", in the place of the one before it.`) {
		t.Error(s)
	}
	if !slices.Equal(w("x"), c.W) || !slices.Equal(w("x.former"), b.W) {
		t.Errorf("x has %v, x.former %v", w("x"), w("x.former"))
	}
	// a file that is no model is kept as well
	Try(os.WriteFile(path, []byte("something"), 0o644))
	if s := said(c); !strings.Contains(s, "not a model file") {
		t.Error(s)
	}
	if b, err := os.ReadFile(Must(modelPath("x.former"))); string(b) != "something" {
		t.Errorf("%s, %v", b, err)
	}
	// what cannot be saved leaves what is there
	if _, status := record(t, func() { Save("x", &model.Model{}) }); status != 1 || !slices.Equal(w("x"), c.W) {
		t.Errorf("status %d, x has %v", status, w("x"))
	}
	files, err := os.ReadDir(Must(setup.CacheDir()) + "/models")
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v, want x and x.former alone", files, err)
	}
}
