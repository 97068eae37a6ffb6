package model

import "fmt"

// ReliabilityBin summarizes the predictions whose probabilities are in one range, and how often they were true. A
// reliability diagram draws Share against Mean: if the probabilities are calibrated, the two are about equal.
type ReliabilityBin struct {
	N     int     // number of predictions
	Mean  float64 // mean of the predicted probabilities
	Share float64 // share of the predictions that were true
}

// Reliability returns the bins of a reliability diagram. The bins have equal widths between 0 and 1, and empty ones are
// left out. probabilities[i] has the probability of each class at point i, which is of class classes[i]. Each point and
// class is one prediction. For two classes only the second class counts, because the first repeats it. Probabilities of
// training points are not calibrated, so the points should be held out. Reliability panics if the lengths differ.
//
// References:
//   - M. DeGroot and S. Fienberg, The comparison and evaluation of forecasters, The Statistician 32 (1983), section 3.
func Reliability(probabilities [][]float64, classes []int, bins int) (all []ReliabilityBin) {
	if len(probabilities) != len(classes) {
		panic(fmt.Sprintf("model: %d rows of probabilities, but %d classes", len(probabilities), len(classes)))
	}
	diagram := make([]ReliabilityBin, bins)
	for i, row := range probabilities {
		for k, p := range row {
			if len(row) == 2 && k == 0 {
				continue
			}
			b := &diagram[min(int(p*float64(bins)), bins-1)]
			b.N++
			b.Mean += p
			if classes[i] == k {
				b.Share++
			}
		}
	}
	for _, b := range diagram {
		if b.N > 0 {
			all = append(all, ReliabilityBin{b.N, b.Mean / float64(b.N), b.Share / float64(b.N)})
		}
	}
	return all
}
