// Package findings draws the main results of the six notebooks, for 00_start_here.
package findings

import (
	"github.com/mklnb/mkl/algos/learn"
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
// rate in percentage points. Values and ends of intervals are means over the stored seeds.
func Figure(title string) viz.Figure {
	var names []string
	dots := viz.Bar{Name: "learned − not learned", Band: "95 % interval"}
	add := func(name string, mean, lo, hi float64) {
		names = append(names, name)
		dots.Values, dots.Lo, dots.Hi = append(dots.Values, mean), append(dots.Lo, lo), append(dots.Hi, hi)
	}
	addAccuracy := func(name string, mean, lo, hi float64) { add(name+", error rate", -mean, -hi, -lo) }
	for _, name := range []string{"sonar", "heart-statlog"} {
		var mean, lo, hi float64
		all := start.Stored(name)
		for _, d := range all {
			c := d.LearnedMinus(learn.UniformName)
			factor := 100 / stat.Mean(d.RMSE[learn.UniformName], nil) / float64(len(all))
			mean, lo, hi = mean+factor*c.Mean, lo+factor*c.Lo, hi+factor*c.Hi
		}
		add("00 "+name+", RMSE", mean, lo, hi)
	}
	table1, reviews := nkrr.Stored("table1"), nkrr.Stored("figure2")
	for _, name := range nkrr.Sets {
		g := nkrr.NewGain(table1, name, nkrr.PerExample, 0, "quadratic ℓ2")
		add("01 "+name+", RMSE", g.Mean, g.Lo, g.Hi)
	}
	for _, name := range []string{"kitchen", "electronics"} {
		g := nkrr.NewGain(reviews, name, nkrr.Stars, 500, "ℓ2")
		add("01 "+name+", RMSE", g.Mean, g.Lo, g.Hi)
	}
	kinGain := nkrr.NewGain(nkrr.Stored("figure3"), "kin-8nm", "degree 4", 5, "degree 4 learned")
	add("01 robot arm, RMSE", kinGain.Mean, kinGain.Lo, kinGain.Hi)
	halves := lvx.Stored("figures")
	for _, name := range lvx.Sets {
		var mean, lo, hi, seeds float64
		for _, d := range halves {
			if s := d.Scores[0]; d.Data == name {
				factor := 100 / (s.RMSE - s.Less[0])
				seeds, mean, lo, hi = seeds+1, mean+factor*s.Less[0], lo+factor*s.Less[1], hi+factor*s.Less[2]
			}
		}
		add("02 "+name+", sums, RMSE", mean/seeds, lo/seeds, hi/seeds)
	}
	products := qnpkl.Overall(qnpkl.Stored("table1", "more"), qnpkl.ToTheEnd, qnpkl.Sets7)
	addAccuracy("03 seven sets", products.Mean, products.Lo, products.Hi)
	learned, repaired := []int{eskl.L2, eskl.L1, eskl.L3}, []int{eskl.Denoise, eskl.Flip, eskl.Shift}
	learnedVsRepaired, _ := eskl.Overall(eskl.Stored("single"), eskl.Accuracy, learned, repaired)
	addAccuracy("04 five sets", learnedVsRepaired.Mean, learnedVsRepaired.Lo, learnedVsRepaired.Hi)
	classes := tkl.Stored("classes")
	for _, name := range tkl.Sets["classes"] {
		d := tkl.Difference(tkl.SelectSet(name, classes), tkl.LearnedDegree1, tkl.UniformDegree1)
		addAccuracy("05 "+name, d.Mean, d.Lo, d.Hi)
	}
	tiles := tkl.SelectSet("kin-8nm", tkl.Stored("arm"))
	const learnedDegree1, fixed = 2, 3 // columns of the experiment arm
	d := tkl.Difference(tiles, learnedDegree1, fixed)
	percent := 100 / stat.Mean(tkl.Values(tiles, fixed), nil)
	add("05 robot arm, RMSE", percent*d.Mean, percent*d.Lo, percent*d.Hi)
	caption := "RMSE in percent of the RMSE without learning, error rates in percentage points. Means over seeds."
	return viz.Dots(title, caption, names, dots).
		WithAxes("", "change of the error by learning (left of 0 learning is better)").WithBaseline("no change", 0)
}
