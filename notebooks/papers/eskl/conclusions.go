package eskl

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Conclusion is a sentence of the notebook about the kept comparisons of a kind, and what decides whether it holds for those
// of one draw.
type Conclusion struct {
	Kind  string // as Kept has it
	Text  string
	Holds func(all []*Scores) (holds bool, number string)
}

// The five sets of Table 1, the repairs, and what is learned.
var (
	five    = []string{"sonar", "liver-bupa", "ionosphere", "pima", "heart-statlog"}
	repairs = []int{Denoise, Flip, Shift}
	learnt  = []int{IndSVM, L2, L1, L3}
)

// over asks something of the differences of methods to the best repair on average, on some sets; a set that is not there
// holds nothing.
func over(all []*Scores, sets []string, methods []int, holds func(d Difference) bool) (bool, string) {
	ok, numbers := true, []string{}
	for _, name := range sets {
		found := false
		for _, s := range all {
			if s.Data != name {
				continue
			}
			found = true
			best := s.Best(repairs)
			for _, m := range methods {
				d := s.Less(m, best)
				ok = ok && holds(d)
				numbers = append(numbers, fmt.Sprintf("%s, %s %+.1f ± %.1f", name, s.Methods[m], d.Mean, d.SE))
			}
		}
		ok = ok && found
	}
	return ok, strings.Join(numbers, "; ")
}

// Conclusions are the sentences about kept results, word for word.
func Conclusions() []Conclusion {
	const tiny = 1e-9 // means of accuracies are rounded
	return []Conclusion{
		{"single", "On pima no learned kernel has a lower mean than the best repair.", func(all []*Scores) (bool, string) {
			return over(all, []string{"pima"}, learnt, func(d Difference) bool { return d.Mean > -tiny })
		}},
		{"single", "On ionosphere every learned kernel has a lower mean than the best repair.", func(all []*Scores) (bool, string) {
			return over(all, []string{"ionosphere"}, learnt, func(d Difference) bool { return d.Mean < -tiny })
		}},
		{"single", "On the four sets other than pima no learned kernel is clearly above the best repair.", func(all []*Scores) (bool, string) {
			return over(all, []string{"sonar", "liver-bupa", "ionosphere", "heart-statlog"}, learnt, func(d Difference) bool { return d.Z() <= 2 })
		}},
		{"single", "L2 and L3 are within two standard errors of each other on all six", func(all []*Scores) (bool, string) {
			ok, n := true, ""
			for _, name := range append([]string{"votes84"}, five...) {
				found := false
				for _, s := range all {
					if s.Data == name {
						d := s.Less(L2, L3)
						found, n = true, n+fmt.Sprintf("%s %+.1f ± %.1f ", name, d.Mean, d.SE)
						ok = ok && math.Abs(d.Z()) <= 2
					}
				}
				ok = ok && found
			}
			return ok, n
		}},
		{"single", "On votes ESKL with L1 is below the best repair by more than twenty points.", func(all []*Scores) (bool, string) {
			return over(all, []string{"votes84"}, []int{L1}, func(d Difference) bool { return d.Mean < -20 })
		}},
		{"single", "On votes IndSVM is within four points of the best repair.", func(all []*Scores) (bool, string) {
			return over(all, []string{"votes84"}, []int{IndSVM}, func(d Difference) bool { return math.Abs(d.Mean) <= 4 })
		}},
		{"single", "Over the five sets IndSVM and ESKL with L2 or L3 are on average within two points of the best repair.", func(all []*Scores) (bool, string) {
			ok, n := true, ""
			for _, m := range []int{IndSVM, L2, L3} {
				mean, found := 0.0, 0
				for _, s := range all {
					if slices.Contains(five, s.Data) {
						mean, found = mean+s.Less(m, s.Best(repairs)).Mean/float64(len(five)), found+1
					}
				}
				ok, n = ok && found == len(five) && math.Abs(mean) <= 2, n+fmt.Sprintf("%+.2f ", mean)
			}
			return ok, n
		}},
		{"scop40", "REKL with L2 has on average over the eight a higher F than the denoised mean, and than IndSVM of the mean.", func(all []*Scores) (bool, string) {
			return eight(all, []int{REKLL2}, []int{MeanDenoise, MeanIndSVM}, func(d Difference) bool { return d.Mean > tiny })
		}},
		{"scop40", "SimpleMKL on denoised matrices and EMKL are on average within three points of F of the denoised mean.", func(all []*Scores) (bool, string) {
			return eight(all, []int{SimpleMKL, EMKLL1, EMKLL2}, []int{MeanDenoise}, func(d Difference) bool { return math.Abs(d.Mean) <= 3 })
		}},
		{"scop40", "One $K$ for three similarities with L1 is clearly below the denoised mean.", func(all []*Scores) (bool, string) {
			return eight(all, []int{ESKLL1}, []int{MeanDenoise}, func(d Difference) bool { return d.Z() < -2 })
		}},
	}
}

// eight asks something of the differences of F, on average over eight super-families, of methods less others.
func eight(all []*Scores, methods, less []int, holds func(d Difference) bool) (bool, string) {
	if len(all) != 8 {
		return false, fmt.Sprintf("%d super-families", len(all))
	}
	ok, numbers := true, []string{}
	for _, m := range methods {
		for _, o := range less {
			d, _ := Over(all, m, o)
			ok = ok && holds(d)
			numbers = append(numbers, fmt.Sprintf("%s less %s %+.1f ± %.1f", all[0].Methods[m], all[0].Methods[o], d.Mean, d.SE))
		}
	}
	return ok, strings.Join(numbers, "; ")
}
