package compare

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// Summary is the mean of a metric of a method over splits, with its interval.
type Summary struct {
	Method string // name of the method
	Metric model.Metric
	N      int     // number of splits on which the metric is defined
	Mean   float64 // NaN if N is 0
	SD     float64 // standard deviation over splits, with the divisor N−1; NaN if N is 0 or 1
	Lo, Hi float64 // ends of the 95 % interval of the mean, cut to the metric's range; NaN if N is 0 or 1
}

// Difference is the mean of d_s, the metric of Method minus the metric of Baseline on split s, over the splits on which
// both are defined. Its interval is that of the corrected resampled t-test,
//
//	mean(d) ± t_{J−1, 97.5 %} · sd(d) · √(1/J + n_test/n_train),  J splits.
//
// Training parts of random splits overlap, so the d_s are correlated. The plain 1/J is too small, and n_test/n_train
// accounts for the correlation. For k folds, n_test/n_train is 1/(k−1). The correction is a rule of thumb, and 95 % is
// nominal. In 1,000 simulated studies of 20 splits, the interval of a mean score contained its expectation in
// 95 % of the studies. The interval of a difference contained its expectation in 86 % (20 weights, 60 training points,
// which determine much of the difference) to 100 % (5 weights).
//
// References:
//   - C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003),
//     eq. (8) and section 5.2: the test "corrected resampled t".
type Difference struct {
	Method, Baseline string // names of the compared methods
	Metric           model.Metric
	N                int // number of splits on which the metric is defined for both methods
	Mean             float64
	Lo, Hi           float64 // ends of the 95 % interval; NaN if N is 0 or 1
}

// ExcludesZero reports whether the interval does not contain 0.
func (d Difference) ExcludesZero() bool { return d.Lo > 0 || d.Hi < 0 }

// MeanSD returns the mean and the standard deviation of the values that are not NaN, and the number n of these values.
func MeanSD(values []float64) (mean, sd float64, n int) {
	values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(values) == 0 {
		return math.NaN(), math.NaN(), 0
	}
	mean, sd = stat.MeanStdDev(values, nil)
	return mean, sd, len(values)
}

// CorrectedResampledDifference returns the mean of paired differences, one for each split, with its interval
// (Difference). Differences that are NaN are left out. testTrainRatio is n_test/n_train.
func CorrectedResampledDifference(differences []float64, testTrainRatio float64) (d Difference) {
	var sd float64
	d.Mean, sd, d.N = MeanSD(differences)
	h := intervalHalfWidth(sd, d.N, testTrainRatio)
	d.Lo, d.Hi = d.Mean-h, d.Mean+h
	return d
}

// PValue returns the p-value of the two-sided corrected resampled t-test of the hypothesis that the expected difference
// is 0. The p-value is 0 if all differences are equal and not 0, so that their standard deviation is 0. It is 1 if all
// differences are 0, or if Lo and Hi are NaN.
func (d Difference) PValue() float64 {
	if h := d.Hi - d.Mean; h == 0 && d.Mean != 0 {
		return 0
	} else if h > 0 {
		nu, t := float64(d.N-1), d.Mean/h*intervalHalfWidth(1, d.N, 0)*math.Sqrt(float64(d.N))
		return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t))
	}
	return 1
}

// Holm returns the p-values adjusted for multiple tests by Holm's method, in the given order.
func Holm(pValues []float64) (adjustedP []float64) {
	sortedIndices := points.AllIndices(len(pValues))
	slices.SortStableFunc(sortedIndices, func(a, b int) int { return cmp.Compare(pValues[a], pValues[b]) })
	adjustedP, runningMax := make([]float64, len(pValues)), 0.0
	for i, o := range sortedIndices {
		runningMax = math.Max(runningMax, math.Min(1, float64(len(pValues)-i)*pValues[o]))
		adjustedP[o] = runningMax
	}
	return adjustedP
}

// intervalHalfWidth returns half the length of the 95 % interval of a mean over n = splitCount splits of values with
// standard deviation sd: t_{n−1, 97.5 %}·sd·√(1/n + testTrainRatio). It is NaN for n < 2.
func intervalHalfWidth(sd float64, splitCount int, testTrainRatio float64) float64 {
	if splitCount < 2 {
		return math.NaN()
	}
	// A t variable with ν degrees of freedom has |t| > √(ν(1−x)/x) with probability I_x(ν/2, 1/2), the regularized
	// incomplete beta function. (Package distuv has this quantile too, but would enlarge every notebook cell.)
	nu := float64(splitCount - 1)
	x := mathext.InvRegIncBeta(nu/2, 0.5, 0.05)
	return math.Sqrt(nu*(1-x)/x) * sd * math.Sqrt(1/float64(splitCount)+testTrainRatio)
}

// WilsonInterval returns Wilson's 95 % interval of a rate p among n points,
//
//	(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),  z the 97.5 % quantile of the normal distribution.
//
// References:
//   - E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the
//     American Statistical Association 22 (1927), 209–212.
func WilsonInterval(rate float64, n int) (lo, hi float64) {
	z, k := mathext.NormalQuantile(0.975), float64(n)
	center, h := rate+z*z/(2*k), z*math.Sqrt(rate*(1-rate)/k+z*z/(4*k*k))
	return max(0, min(rate, (center-h)/(1+z*z/k))), min(1, max(rate, (center+h)/(1+z*z/k)))
}
