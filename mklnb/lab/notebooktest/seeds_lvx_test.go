package notebooks

import (
	"testing"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/lvx"
)

// TestSeedsLVX judges the kept results of 02_learning_the_kernel: every sentence of lvx.Conclusions holds for each of
// ten draws of halves, and the notebook has it word for word. The curves of
// one set, degree and draw, and a table, are computed anew.
func TestSeedsLVX(t *testing.T) {
	judged(t, "02_learning_the_kernel.ipynb", lvx.Conclusions(), 10, lvx.Kept)
	d := must(data.Load("heart-statlog"))
	again := must(lvx.Learn(t.Context(), d, 1, false, must(study.Halves(d.Y, lvx.Halves, 7))))
	kept := lvx.Of(lvx.Kept("figures"), d.Name, 7).Of(1, false)
	for i, v := range kept.Test {
		if x := again.Test[i]; x-v > 1e-3 || v-x > 1e-3 {
			t.Errorf("heart, seed 7, λ = %g: RMSE %.4f, kept is %.4f", lvx.Lambdas[i], x, v)
		}
	}
	s := must(lvx.Protocol(must(data.Load("sonar")), 5, lvx.Halves, 4))
	s.Methods = s.Methods[len(s.Methods)-1:] // uniform weights
	table := must(s.Run(t.Context(), nil))
	tables := lvx.Of(lvx.Kept("tables"), "sonar", 4).Scores
	x, v := table.Summary(s.Methods[0].Name, study.RMSE).Mean, tables[len(tables)-1].RMSE
	if x-v > 1e-3 || v-x > 1e-3 {
		t.Errorf("sonar, seed 4, uniform weights: RMSE %.4f, kept is %.4f", x, v)
	}
}
