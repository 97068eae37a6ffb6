package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/mklnb/mkl/algos/points"
)

// Ranking compares k methods over n datasets by their ranks on each dataset, because scores on different datasets are
// not comparable. Intervals over splits (Difference) compare methods on one dataset; a Ranking compares them in
// general. It is plain data.
//
//	Friedman      test that all methods are equal: χ² = [12/(nk(k+1)) Σ_j R_j² − 3n(k+1)] / C with k−1 degrees of
//	              freedom, R_j = n·Means_j, C = 1 − Σ(t³ − t)/(nk(k² − 1)), summed over ties of t methods on a set
//	Critical      Nemenyi's critical difference of mean ranks, q_k/√2 · √(k(k+1)/6n): smaller differences are not
//	              significant. q_k is the 95 % quantile of the range of k standard normal numbers
//	Pairs         for each pair of methods, Wilcoxon's signed-rank test, two-sided, with p adjusted by Holm's method
//
// References:
//   - J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), sections 3.1.3 and 3.2.
type Ranking struct {
	Sets, Methods []string    // names of the datasets and of the methods
	Scores        [][]float64 // one row for each dataset, with one score for each method
	Means         []float64   // mean rank of each method; rank 1 is the best, equal scores have their mean rank
	Friedman      Test
	Critical      float64 // Nemenyi's critical difference of mean ranks
	Pairs         []Pair
}

// Test holds the statistic and the p-value of a hypothesis test.
type Test struct{ Statistic, P float64 }

// Pair is the comparison of two methods over the datasets by Wilcoxon's signed-rank test.
type Pair struct {
	A, B      string  // names of two methods; A has the better mean rank
	W         float64 // statistic: the smaller of the rank sums of positive and of negative differences
	P         float64
	AdjustedP float64 // P adjusted by Holm's method for the number of pairs
}

// RankScores ranks methods by their scores. scores[i][j] is the score of method j on dataset sets[i].
func RankScores(sets, methods []string, scores [][]float64, largerIsBetter bool) (*Ranking, error) {
	n, k := len(sets), len(methods)
	if n < 2 || k < 2 || k > 10 || len(scores) != n {
		return nil, fmt.Errorf("compare: ranking: got %d methods, %d datasets and %d rows of scores; pass 2 to 10 "+
			"methods, at least two datasets, and one row for each dataset", k, n, len(scores))
	}
	r := &Ranking{Sets: sets, Methods: methods, Scores: scores, Means: make([]float64, k)}
	tieCorrectionSum := 0.0
	for i, row := range scores {
		if len(row) != k || slices.ContainsFunc(row, func(v float64) bool { return math.IsNaN(v - v) }) {
			return nil, fmt.Errorf("compare: ranking: the scores on %s are %v; pass %d finite numbers, one per method",
				sets[i], row, k)
		}
		if slices.Index(sets, sets[i]) < i {
			return nil, fmt.Errorf("compare: ranking: the dataset %s appears twice; give each dataset once", sets[i])
		}
		costs := slices.Clone(row)
		for j := range costs {
			if largerIsBetter {
				costs[j] = -costs[j]
			}
		}
		rowRanks, t := rankValues(costs)
		tieCorrectionSum += t
		for j, v := range rowRanks {
			r.Means[j] += v / float64(n)
		}
	}
	r.setFriedmanTest(tieCorrectionSum)
	r.Critical = rangeQuantiles[k-2] / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
	r.testMethodPairs()
	return r, nil
}

// rankValues returns the rank of each value of x, from 1 for the smallest. Equal values get the mean of their ranks.
// tieCorrectionSum is Σ(t³ − t) over all groups of t equal values.
func rankValues(x []float64) (ranks []float64, tieCorrectionSum float64) {
	sortedIndices := points.AllIndices(len(x))
	slices.SortStableFunc(sortedIndices, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	ranks = make([]float64, len(x))
	for i := 0; i < len(sortedIndices); {
		j := i
		for j < len(sortedIndices) && x[sortedIndices[j]] == x[sortedIndices[i]] {
			j++
		}
		for _, o := range sortedIndices[i:j] {
			ranks[o] = float64(i+j+1) / 2
		}
		t := float64(j - i)
		tieCorrectionSum += t*t*t - t
		i = j
	}
	return ranks, tieCorrectionSum
}

// setFriedmanTest sets r.Friedman. tieCorrectionSum is Σ(t³ − t) over all groups of t equal scores on a dataset.
func (r *Ranking) setFriedmanTest(tieCorrectionSum float64) {
	n, k := float64(len(r.Sets)), float64(len(r.Methods))
	squaredDeviations := 0.0
	for _, v := range r.Means {
		squaredDeviations += (v - (k+1)/2) * (v - (k+1)/2)
	}
	c := 1 - tieCorrectionSum/(n*k*(k*k-1))
	if c <= 0 { // all methods have equal scores on every dataset
		r.Friedman = Test{0, 1}
		return
	}
	x := 12 * n / (k * (k + 1)) * squaredDeviations / c
	r.Friedman = Test{x, mathext.GammaIncRegComp((k-1)/2, x/2)}
}

// testMethodPairs applies Wilcoxon's signed-rank test to each pair of methods and sets r.Pairs, sorted by p-value.
func (r *Ranking) testMethodPairs() {
	for a := range r.Methods {
		for b := range a {
			i, j := a, b
			if r.Means[j] < r.Means[i] || r.Means[j] == r.Means[i] && j < i {
				i, j = j, i
			}
			d := make([]float64, len(r.Sets))
			for s, row := range r.Scores {
				d[s] = row[i] - row[j]
			}
			w, p := wilcoxonTest(d)
			r.Pairs = append(r.Pairs, Pair{A: r.Methods[i], B: r.Methods[j], W: w, P: p})
		}
	}
	slices.SortStableFunc(r.Pairs, func(a, b Pair) int { return cmp.Compare(a.P, b.P) })
	p := make([]float64, len(r.Pairs))
	for i := range p {
		p[i] = r.Pairs[i].P
	}
	for i, v := range Holm(p) {
		r.Pairs[i].AdjustedP = v
	}
}

// wilcoxonTest is Wilcoxon's two-sided signed-rank test of paired differences. The n differences that are not 0 are
// ranked by size. w is the smaller of two sums: the ranks of the positive and the ranks of the negative differences. p
// is exact: the share of the 2ⁿ combinations of signs, with these ranks, whose w is at most as large.
//
// References:
//   - F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945), 80–83.
func wilcoxonTest(differences []float64) (w, p float64) {
	var sizes []float64
	var isPositive []bool
	for _, v := range differences {
		if v != 0 {
			sizes, isPositive = append(sizes, math.Abs(v)), append(isPositive, v > 0)
		}
	}
	n := len(sizes)
	ranks, _ := rankValues(sizes)
	for i, v := range ranks {
		if isPositive[i] {
			w += v
		}
	}
	w = math.Min(w, float64(n*(n+1))/2-w)
	// shareOfRankSum[s] is the share of the subsets of ranks whose sum is s/2. Ranks are multiples of 1/2.
	shareOfRankSum := make([]float64, n*(n+1)+1)
	shareOfRankSum[0] = 1
	for _, v := range ranks {
		for s := len(shareOfRankSum) - 1; s >= 0; s-- {
			if shareOfRankSum[s] /= 2; s >= int(2*v) {
				shareOfRankSum[s] += shareOfRankSum[s-int(2*v)] / 2
			}
		}
	}
	for _, v := range shareOfRankSum[:int(2*w)+1] {
		p += 2 * v
	}
	return w, math.Min(1, p)
}

// rangeQuantiles holds the 95 % quantiles of the range (largest minus smallest) of 2 … 10 independent standard normal
// numbers: scipy.stats.studentized_range.ppf(0.95, k, inf).
var rangeQuantiles = []float64{2.771807649, 3.314493155, 3.633159575, 3.857655510, 4.030092053, 4.169554155,
	4.286309409, 4.386509115, 4.474124222}
