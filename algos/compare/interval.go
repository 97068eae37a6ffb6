package compare

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/points"
)

// Summary is the mean of a metric over splits.
type Summary struct {
	Method string // the summarized method
	Metric Metric
	N      int     // splits on which it is defined
	Mean   float64 // NaN if N is 0
	SD     float64 // standard deviation over splits, with the divisor N−1; NaN if N is 0 or 1
	Lo, Hi float64 // ends of the 95 % interval of the mean, cut to the metric's range; NaN if N is 0 or 1
}

// Difference is the mean of d_s = metric of Method − metric of Baseline over the splits s on which
// both are defined, with the interval of the corrected resampled t-test,
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
	Method, Baseline string // the compared methods
	Metric           Metric
	N                int // splits on which both are defined
	Mean             float64
	Lo, Hi           float64 // ends of the 95 % interval; NaN if N is 0 or 1
}

// ExcludesZero reports whether the interval does not contain 0.
func (d Difference) ExcludesZero() bool { return d.Lo > 0 || d.Hi < 0 }

// MeanSD returns mean and standard deviation of the values that are not NaN, and their number.
func MeanSD(x []float64) (mean, sd float64, n int) {
	x = slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	if len(x) == 0 {
		return math.NaN(), math.NaN(), 0
	}
	mean, sd = stat.MeanStdDev(x, nil)
	return mean, sd, len(x)
}

// CorrectedResampledDifference returns the Difference of values that are not in a table. x has one paired difference
// for each split, NaN if it is not defined. ratio is n_test/n_train.
func CorrectedResampledDifference(x []float64, ratio float64) (d Difference) {
	var sd float64
	d.Mean, sd, d.N = MeanSD(x)
	h := halfWidth(sd, d.N, ratio)
	d.Lo, d.Hi = d.Mean-h, d.Mean+h
	return d
}

// P returns the p value of the two-sided corrected resampled t-test of the hypothesis that the expected difference is
// 0. It is 0 if all differences are equal and not 0. It is 1 if all are 0, or if Lo and Hi are NaN.
func (d Difference) P() float64 {
	if h := d.Hi - d.Mean; h == 0 && d.Mean != 0 {
		return 0
	} else if h > 0 {
		nu, t := float64(d.N-1), d.Mean/h*halfWidth(1, d.N, 0)*math.Sqrt(float64(d.N))
		return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t))
	}
	return 1
}

// Holm returns the p values adjusted for multiple tests by Holm's method, in the order of p.
func Holm(p []float64) []float64 {
	order := points.AllIndices(len(p))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted, runningMax := make([]float64, len(p)), 0.0
	for i, o := range order {
		runningMax = math.Max(runningMax, math.Min(1, float64(len(p)-i)*p[o]))
		adjusted[o] = runningMax
	}
	return adjusted
}

// halfWidth returns half the length of the 95 % interval of a mean over n splits of values with standard deviation sd,
// t_{n−1, 97.5 %}·sd·√(1/n + ratio). ratio is n_test/n_train. It is NaN for n < 2.
func halfWidth(sd float64, splits int, ratio float64) float64 {
	if splits < 2 {
		return math.NaN()
	}
	// A t variable with ν degrees of freedom has |t| > √(ν(1−x)/x) with probability I_x(ν/2, 1/2). Package distuv has
	// this quantile too, but would make the program of every notebook cell larger.
	nu := float64(splits - 1)
	x := mathext.InvRegIncBeta(nu/2, 0.5, 0.05)
	return math.Sqrt(nu*(1-x)/x) * sd * math.Sqrt(1/float64(splits)+ratio)
}

// wilsonInterval returns the 95 % interval of a rate p of n points,
//
//	(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),  z the 97.5 % quantile of the normal distribution.
//
// References:
//   - E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the
//     American Statistical Association 22 (1927), 209–212.
func wilsonInterval(p float64, n int) (lo, hi float64) {
	z, k := mathext.NormalQuantile(0.975), float64(n)
	mid, h := p+z*z/(2*k), z*math.Sqrt(p*(1-p)/k+z*z/(4*k*k))
	return max(0, min(p, (mid-h)/(1+z*z/k))), min(1, max(p, (mid+h)/(1+z*z/k)))
}
