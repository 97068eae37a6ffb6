package eskl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/notebooks/papers/kept"
)

// The sets of Table 1 but for pima, the repairs, and what is learned.
var (
	four    = []string{"sonar", "liver-bupa", "ionosphere", "heart-statlog"}
	repairs = []int{Denoise, Flip, Shift}
	learnt  = []int{IndSVM, L2, L1, L3}
)

// best is the repair that is best on average.
func best(s *Scores) int { return s.Best(repairs) }

// decides is what a conclusion holds by.
type decides = func(all []*Scores) (holds bool, numbers string)

// onSets asks something of the differences of accuracy of some methods to another, on each of some sets, of which
// none may be missing.
func onSets(names []string, methods []int, other func(*Scores) int, holds func(d kept.Paired) bool) decides {
	return func(all []*Scores) (bool, string) {
		found, ok, numbers := 0, true, []string{}
		for _, s := range all {
			if !slices.Contains(names, s.Data) {
				continue
			}
			found++
			for _, m := range methods {
				d := kept.PairedOf(s.less(m, other(s)))
				ok = ok && holds(d)
				numbers = append(numbers, fmt.Sprintf("%s, %s %+.1f ± %.1f", s.Data, s.Methods[m], d.Mean, d.SE))
			}
		}
		return ok && found == len(names), strings.Join(numbers, "; ")
	}
}

// onAverage asks something of the differences of F of some methods less others, on average over eight super-families.
func onAverage(methods, others []int, holds func(d kept.Paired) bool) decides {
	return func(all []*Scores) (bool, string) {
		if len(all) != 8 {
			return false, fmt.Sprintf("%d super-families", len(all))
		}
		ok, numbers := true, []string{}
		for _, m := range methods {
			for _, o := range others {
				d, _ := OverSets(all, m, o)
				ok = ok && holds(d)
				numbers = append(numbers, fmt.Sprintf("%s less %s %+.1f ± %.1f", all[0].Methods[m], all[0].Methods[o],
					d.Mean, d.SE))
			}
		}
		return ok, strings.Join(numbers, "; ")
	}
}

// closeOverFive: the mean over the five sets of Table 1 is within two points of the best repair.
func closeOverFive(all []*Scores) (bool, string) {
	ok, numbers := true, ""
	for _, m := range []int{IndSVM, L2, L3} {
		mean := 0.0
		found, _ := onSets(append([]string{"pima"}, four...), []int{m}, best, func(d kept.Paired) bool {
			mean += d.Mean / 5
			return true
		})(all)
		ok, numbers = ok && found && math.Abs(mean) <= 2, numbers+fmt.Sprintf("%+.2f ", mean)
	}
	return ok, numbers
}

// Conclusions are the sentences about kept results, word for word.
func Conclusions() []kept.Conclusion[*Scores] {
	const tiny = 1e-9 // means of accuracies are rounded
	six, l3 := append([]string{"votes84", "pima"}, four...), func(*Scores) int { return L3 }
	return []kept.Conclusion[*Scores]{
		kept.Say("single", "On pima no learned kernel has a lower mean than the best repair.",
			onSets([]string{"pima"}, learnt, best, func(d kept.Paired) bool { return d.Mean > -tiny })),
		kept.Say("single", "On ionosphere every learned kernel has a lower mean than the best repair.",
			onSets([]string{"ionosphere"}, learnt, best, func(d kept.Paired) bool { return d.Mean < -tiny })),
		kept.Say("single", "On the four sets other than pima no learned kernel is clearly above the best repair.",
			onSets(four, learnt, best, func(d kept.Paired) bool { return d.Z() <= 2 })),
		kept.Say("single", "L2 and L3 are within two standard errors of each other on all six",
			onSets(six, []int{L2}, l3, func(d kept.Paired) bool { return math.Abs(d.Z()) <= 2 })),
		kept.Say("single", "On votes ESKL with L1 is below the best repair by more than twenty points.",
			onSets([]string{"votes84"}, []int{L1}, best, func(d kept.Paired) bool { return d.Mean < -20 })),
		kept.Say("single", "On votes IndSVM is within four points of the best repair.",
			onSets([]string{"votes84"}, []int{IndSVM}, best,
				func(d kept.Paired) bool { return math.Abs(d.Mean) <= 4 })),
		kept.Say("single", "Over the five sets IndSVM and ESKL with L2 or L3 are on average within two points of the "+
			"best repair.",
			closeOverFive),
		kept.Say("scop40", "REKL with L2 has on average over the eight a higher F than the denoised mean, and than "+
			"IndSVM of the mean.",
			onAverage([]int{REKLL2}, []int{MeanDenoise, MeanIndSVM},
				func(d kept.Paired) bool { return d.Mean > tiny })),
		kept.Say("scop40", "SimpleMKL on denoised matrices and EMKL are on average within three points of F of the "+
			"denoised mean.",
			onAverage([]int{SimpleMKL, EMKLL1, EMKLL2}, []int{MeanDenoise},
				func(d kept.Paired) bool { return math.Abs(d.Mean) <= 3 })),
		kept.Say("scop40", "One $K$ for three similarities with L1 is clearly below the denoised mean.",
			onAverage([]int{ESKLL1}, []int{MeanDenoise}, func(d kept.Paired) bool { return d.Z() < -2 })),
	}
}
