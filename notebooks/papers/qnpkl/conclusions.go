package qnpkl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Conclusion is a sentence of the notebook about kept results of one experiment, and what decides whether it holds
// for the blocks of one seed.
type Conclusion struct {
	Experiment, Text string
	Holds            func(blocks []Block) (holds bool, number string)
}

// The sets of Table 1.
var sets1 = []string{"sonar", "ionosphere", "pima"}

// over asks something of each of some sets; numbers are shown.
func over(sets []string, of func(set string) (bool, float64)) (bool, string) {
	all, numbers := true, []string{}
	for _, s := range sets {
		ok, v := of(s)
		all, numbers = all && ok, append(numbers, fmt.Sprintf("%s %.3g", s, v))
	}
	return all, strings.Join(numbers, ", ")
}

// mean of the accuracy of a method on a set, NaN if it is not there.
func mean(blocks []Block, set, method string) float64 {
	b, ok := Of(blocks, set, method)
	if !ok {
		return math.NaN()
	}
	v, _ := b.Mean()
	return v
}

// Conclusions are the sentences about kept results, word for word.
func Conclusions() []Conclusion {
	return []Conclusion{
		{"table1", "On each of the three sets the uniform product is more accurate than the SVM that the paper prints.",
			func(b []Block) (bool, string) {
				return over(sets1, func(s string) (bool, float64) {
					v := mean(b, s, Plain) - PrintedTable1[s][5]
					return v > 0, v
				})
			}},
		{"table1", "As printed, QN-PKL stays within two points of the uniform product.",
			func(b []Block) (bool, string) {
				return over(sets1, func(s string) (bool, float64) {
					v := mean(b, s, Printed) - mean(b, s, Plain)
					return math.Abs(v) < 2, v
				})
			}},
		{"table1", "No method is clearly more accurate than the uniform product, on any of the three sets.",
			func(b []Block) (bool, string) {
				return over(sets1, func(s string) (bool, float64) {
					base, ok := Of(b, s, Plain)
					if !ok {
						return false, math.NaN()
					}
					best := math.Inf(-1) // lower end of an interval
					for _, m := range b {
						if m.Data == s && m.Method != Plain {
							d, h := Difference(m, base)
							best = math.Max(best, d-h)
						}
					}
					return best < 0, best
				})
			}},
		{"table1", "The uniform product is within three points of what the paper prints for QN-PKL, on each of the three sets.",
			func(b []Block) (bool, string) {
				return over(sets1, func(s string) (bool, float64) {
					v := mean(b, s, Plain) - PrintedTable1[s][2]
					return math.Abs(v) < 3, v
				})
			}},
		{"table1", "MKL is more accurate here than printed, on each of the three sets.",
			func(b []Block) (bool, string) {
				return over(sets1, func(s string) (bool, float64) {
					v := mean(b, s, Linear) - PrintedTable1[s][0]
					return v > 0, v
				})
			}},
		{"table1", "Run to the end, the corrected algorithm is on no set clearly more accurate than after 8 steps.",
			func(b []Block) (bool, string) {
				return over(sets1, func(s string) (bool, float64) {
					late, _ := Of(b, s, Late)
					early, _ := Of(b, s, Early)
					d, h := Difference(late, early)
					return d-h < 0, d
				})
			}},
		{"speed", "As printed, QN-PKL takes less than half of the time of SimpleMKL, and run to the end four times as long as printed, or longer.",
			func(b []Block) (bool, string) {
				return over([]string{"sonar", "ionosphere"}, func(s string) (bool, float64) {
					printed, late := TimesFaster(b, Printed, s)[0], TimesFaster(b, Late, s)[0]
					return printed > 2 && late < printed/4, printed
				})
			}},
		{"noise", "Run to the end, R is 94 % or more on sonar and on ionosphere, in the mean of the 10 splits of a seed.",
			func(b []Block) (bool, string) {
				return over([]string{"sonar", "ionosphere"}, func(s string) (bool, float64) {
					late, _ := Of(b, s, Late)
					bounded, _ := Of(b, s, Bounded)
					r := math.Min(stat.Mean(late.Ratio, nil), stat.Mean(bounded.Ratio, nil))
					return len(late.Ratio) == 10 && r >= 94, r
				})
			}},
		{"noise", "As printed, R is below 80 % on both.",
			func(b []Block) (bool, string) {
				return over([]string{"sonar", "ionosphere"}, func(s string) (bool, float64) {
					p, _ := Of(b, s, Printed)
					r := stat.Mean(p.Ratio, nil)
					return r < 80, r
				})
			}},
		{"noise", "Every run of L-BFGS ends at a relative residual of at most 1e-4.",
			func(b []Block) (bool, string) {
				return over([]string{"sonar", "ionosphere"}, func(s string) (bool, float64) {
					bounded, _ := Of(b, s, Bounded)
					if len(bounded.Gap) == 0 {
						return false, math.NaN()
					}
					r := slices.Max(bounded.Gap)
					return r <= 1e-4, r
				})
			}},
		{"simplemkl", "On each of these sets the mean accuracy of SimpleMKL is within one printed standard deviation of the printed one.",
			func(b []Block) (bool, string) {
				return over(setsSimple, func(s string) (bool, float64) {
					v := mean(b, s, Reduced) - PrintedSimpleMKL[s][1]
					return math.Abs(v) <= PrintedSimpleMKL[s][2], v
				})
			}},
		{"simplemkl", "The mean number of kernels that it keeps is within four of the printed one.",
			func(b []Block) (bool, string) {
				return over(setsSimple, func(s string) (bool, float64) {
					r, _ := Of(b, s, Reduced)
					k := stat.Mean(r.Kernels, nil)
					return math.Abs(k-PrintedSimpleMKL[s][0]) <= 4, k
				})
			}},
		{"baselines", "No method gains a point or more over uniform weights in the mean over the eight sets.",
			func(b []Block) (bool, string) {
				best := math.Inf(-1)
				for _, m := range methodsOf(b) {
					gains, _, _ := Gains(b, m, Sets8...)
					best = math.Max(best, stat.Mean(gains, nil))
				}
				return !math.IsInf(best, 0) && best < 1, fmt.Sprintf("%+.2f", best)
			}},
		{"baselines", "None is clearly more accurate than uniform weights on any of the eight sets.",
			func(b []Block) (bool, string) {
				var ups []int
				for _, m := range methodsOf(b) {
					_, up, _ := Gains(b, m, Sets8...)
					ups = append(ups, up)
				}
				return len(ups) > 0 && slices.Max(ups) == 0, fmt.Sprint(ups)
			}},
	}
}
