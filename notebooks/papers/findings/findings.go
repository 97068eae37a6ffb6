// Package findings draws one figure of the notebook 00_start_here: whether learned weights have smaller errors
// than their baselines, for every dataset of the six notebooks, from their stored results.
//
//	nb.Show(findings.Figure("Learned weights help on some datasets"))
package findings

import (
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/notebooks/papers/eskl"
	"github.com/mklnb/mkl/notebooks/papers/lvx"
	"github.com/mklnb/mkl/notebooks/papers/nkrr"
	"github.com/mklnb/mkl/notebooks/papers/qnpkl"
	"github.com/mklnb/mkl/notebooks/papers/start"
	"github.com/mklnb/mkl/notebooks/papers/tkl"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

// Figure draws the stored results of the six notebooks: for each dataset the error of learned weights
// minus the error of the baseline, with its 95 % interval. An RMSE is in percent of the RMSE of the baseline, an error
// rate in percentage points. In 00, 01 and 02 values and ends of intervals are means over the stored seeds. In 03, 04
// and 05 one interval is computed from the splits of all seeds.
func Figure(title string) viz.Figure {
	var names []string
	dots := viz.Bar{Name: "learned − not learned", Band: "95 % interval"}
	addDifference := func(label string, mean, lo, hi float64) {
		names = append(names, label)
		dots.Values, dots.Lo, dots.Hi = append(dots.Values, mean), append(dots.Lo, lo), append(dots.Hi, hi)
	}
	addErrorRate := func(label string, mean, lo, hi float64) { addDifference(label+", error rate", -mean, -hi, -lo) }
	for _, name := range start.Comparisons {
		if name == "plants" || name == "sonar in ranges" {
			continue
		}
		s := start.Summarize(name, learn.LearnedName, learn.UniformName, model.RMSE)
		percentFactor := 100 / s.OfOther
		addDifference("00 "+name+", RMSE", percentFactor*s.Mean, percentFactor*s.Lo, percentFactor*s.Hi)
	}
	table1Blocks, reviewBlocks := nkrr.Stored("table1"), nkrr.Stored("figure2")
	for _, name := range nkrr.Sets {
		g := nkrr.NewGain(table1Blocks, name, nkrr.PerExample, 0, "quadratic ℓ2")
		addDifference("01 "+name+", RMSE", g.Mean, g.Lo, g.Hi)
	}
	for _, name := range []string{"kitchen", "electronics"} {
		g := nkrr.NewGain(reviewBlocks, name, nkrr.Stars, 500, "ℓ2")
		addDifference("01 "+name+", RMSE", g.Mean, g.Lo, g.Hi)
	}
	kinGain := nkrr.NewGain(nkrr.Stored("figure3"), "kin-8nm", "degree 4", 5, "degree 4 learned")
	addDifference("01 robot arm, RMSE", kinGain.Mean, kinGain.Lo, kinGain.Hi)
	lvxDraws := lvx.Stored("figures")
	for _, name := range lvx.Sets {
		var mean, lo, hi, seeds float64
		for _, d := range lvxDraws {
			if s := d.Scores[0]; d.DatasetName == name {
				percent := 100 / (s.RMSE - s.Less[0])
				seeds, mean, lo, hi = seeds+1, mean+percent*s.Less[0], lo+percent*s.Less[1], hi+percent*s.Less[2]
			}
		}
		addDifference("02 "+name+", sums, RMSE", mean/seeds, lo/seeds, hi/seeds)
	}
	productKernelGain := qnpkl.Overall(qnpkl.Standardized.Stored("table1", "more"), qnpkl.ToTheEnd,
		qnpkl.UniformProduct, qnpkl.Sets7)
	addErrorRate("03 seven sets", productKernelGain.Mean, productKernelGain.Lo, productKernelGain.Hi)
	learnedMethods, repairMethods := []int{eskl.L2, eskl.L1, eskl.L3}, []int{eskl.Denoise, eskl.Flip, eskl.Shift}
	repairGain, _ := eskl.Overall(eskl.Stored("single"), eskl.Accuracy, learnedMethods, repairMethods)
	addErrorRate("04 five sets", repairGain.Mean, repairGain.Lo, repairGain.Hi)
	classificationResults := tkl.Stored("classes")
	for _, name := range tkl.Sets["classes"] {
		d := tkl.Difference(tkl.SelectSet(name, classificationResults), tkl.LearnedDegree1, tkl.UniformDegree1)
		addErrorRate("05 "+name, d.Mean, d.Lo, d.Hi)
	}
	armResults := tkl.SelectSet("kin-8nm", tkl.Stored("arm"))
	const learnedDegree1, fixed = 2, 3 // indices of the methods in the results of "arm"
	d := tkl.Difference(armResults, learnedDegree1, fixed)
	percentFactor := 100 / stat.Mean(tkl.MethodScores(armResults, fixed), nil)
	addDifference("05 robot arm, RMSE", percentFactor*d.Mean, percentFactor*d.Lo, percentFactor*d.Hi)
	caption := "RMSE in percent of the RMSE without learning, error rates in percentage points. 00, 01, 02: means " +
		"over draws. 03, 04, 05: one interval from the splits of all seeds."
	return viz.Dots(title, caption, names, dots).
		WithAxes("", "change by learning: RMSE in %, error rate in points (left of 0 learning is better)").
		WithBaseline("no change", 0)
}
