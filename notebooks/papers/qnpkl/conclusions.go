package qnpkl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/notebooks/papers/kept"

	"gonum.org/v1/gonum/stat"
)

// The sets of Table 1, and those of the times and of Table 2.
var (
	sets1 = []string{"sonar", "ionosphere", "pima"}
	sets2 = sets1[:2]
)

// decides is what a conclusion holds by.
type decides = func(blocks []Block) (holds bool, numbers string)

// onEach asks something of a number of each of some sets.
func onEach(sets []string, holds func(v float64) bool, number func(blocks []Block, set string) float64) decides {
	return func(blocks []Block) (bool, string) {
		all, numbers := true, []string{}
		for _, s := range sets {
			v := number(blocks, s)
			all, numbers = all && holds(v), append(numbers, fmt.Sprintf("%s %.3g", s, v))
		}
		return all, strings.Join(numbers, ", ")
	}
}

// mean is the mean accuracy of a method on a set.
func mean(blocks []Block, set, method string) float64 {
	return stat.Mean(Of(blocks, set, method).Correct, nil)
}

// Conclusions are the sentences about kept results, word for word.
func Conclusions() []kept.Conclusion[Block] {
	positive := func(v float64) bool { return v > 0 }
	within := func(most float64) func(float64) bool { return func(v float64) bool { return math.Abs(v) < most } }
	return []kept.Conclusion[Block]{
		kept.Say("table1", "On each of the three sets the uniform product is more accurate than the SVM that the "+
			"paper prints.",
			onEach(sets1, positive, func(b []Block, s string) float64 {
				return mean(b, s, Plain) - PrintedTable1[s][5]
			})),
		kept.Say("table1", "As printed, QN-PKL stays within two points of the uniform product.",
			onEach(sets1, within(2),
				func(b []Block, s string) float64 { return mean(b, s, Printed) - mean(b, s, Plain) })),
		kept.Say("table1", "No method is clearly more accurate than the uniform product, on any of the three sets.",
			onEach(sets1, func(v float64) bool { return v < 0 }, func(b []Block, s string) float64 {
				best := math.NaN() // lower end of an interval
				for _, m := range b {
					if m.Data == s && m.Method != Plain {
						if lo := Difference(m, Of(b, s, Plain)).Lo; !(lo <= best) {
							best = lo
						}
					}
				}
				return best
			})),
		kept.Say("table1", "The uniform product is within three points of what the paper prints for QN-PKL, on each "+
			"of the three sets.",
			onEach(sets1, within(3),
				func(b []Block, s string) float64 { return mean(b, s, Plain) - PrintedTable1[s][2] })),
		kept.Say("table1", "MKL is more accurate here than printed, on each of the three sets.",
			onEach(sets1, positive, func(b []Block, s string) float64 {
				return mean(b, s, Linear) - PrintedTable1[s][0]
			})),
		kept.Say("table1", "Run to the end, the corrected algorithm is on no set clearly more accurate than after 8 "+
			"steps.",
			onEach(sets1, func(v float64) bool { return v < 0 }, func(b []Block, s string) float64 {
				return Difference(Of(b, s, Late), Of(b, s, Early)).Lo
			})),
		kept.Say("speed", "As printed, QN-PKL takes less than half of the time of SimpleMKL, and run to the end four "+
			"times as long as printed, or longer.",
			func(b []Block) (bool, string) {
				twice, numbers := onEach(sets2, func(v float64) bool { return v > 2 },
					func(b []Block, s string) float64 { return TimesFaster(b, Printed, s)[0] })(b)
				late, _ := onEach(sets2, positive, func(b []Block, s string) float64 {
					return TimesFaster(b, Printed, s)[0]/4 - TimesFaster(b, Late, s)[0]
				})(b)
				return twice && late, numbers
			}),
		kept.Say("noise", "Run to the end, R is 94 % or more on sonar and on ionosphere, in the mean of the 10 "+
			"splits of a seed.",
			onEach(sets2, func(v float64) bool { return v >= 94 }, func(b []Block, s string) float64 {
				late, bounded := Of(b, s, Late).Ratio, Of(b, s, Bounded).Ratio
				if len(late) != 10 {
					return math.NaN()
				}
				return math.Min(stat.Mean(late, nil), stat.Mean(bounded, nil))
			})),
		kept.Say("noise", "As printed, R is below 80 % on both.",
			onEach(sets2, func(v float64) bool { return v < 80 },
				func(b []Block, s string) float64 { return stat.Mean(Of(b, s, Printed).Ratio, nil) })),
		kept.Say("noise", "Every run of L-BFGS ends at a relative residual of at most 1e-4.",
			onEach(sets2, func(v float64) bool { return v <= 1e-4 },
				func(b []Block, s string) float64 { return worst(Of(b, s, Bounded)) })),
		kept.Say("simplemkl", "On each of these sets the mean accuracy of SimpleMKL is within one printed standard "+
			"deviation of the printed one.",
			onEach(setsSimple, within(1), func(b []Block, s string) float64 {
				return (mean(b, s, Reduced) - PrintedSimpleMKL[s][1]) / PrintedSimpleMKL[s][2]
			})),
		kept.Say("simplemkl", "The mean number of kernels that it keeps is within four of the printed one.",
			onEach(setsSimple, within(4), func(b []Block, s string) float64 {
				return stat.Mean(Of(b, s, Reduced).Kernels, nil) - PrintedSimpleMKL[s][0]
			})),
		kept.Say("baselines", "No method gains a point or more over uniform weights in the mean over the eight sets.",
			func(b []Block) (bool, string) {
				best := math.Inf(-1)
				for _, m := range methodsOf(b) {
					gains, _, _ := Gains(b, m, Sets8...)
					best = math.Max(best, stat.Mean(gains, nil))
				}
				return !math.IsInf(best, 0) && best < 1, fmt.Sprintf("%+.2f", best)
			}),
		kept.Say("baselines", "None is clearly more accurate than uniform weights on any of the eight sets.",
			func(b []Block) (bool, string) {
				var ups []int
				for _, m := range methodsOf(b) {
					_, up, _ := Gains(b, m, Sets8...)
					ups = append(ups, up)
				}
				return len(ups) > 0 && slices.Max(ups) == 0, fmt.Sprint(ups)
			}),
	}
}

// worst is the largest residual at which a fit ended, NaN of none.
func worst(b Block) float64 {
	if len(b.Gap) == 0 {
		return math.NaN()
	}
	return slices.Max(b.Gap)
}
