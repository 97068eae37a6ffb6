package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// ResidualWeights returns the weights of the residuals at the points with the indices rows, relative to the weight 1 of
// a new residual, or nil if all are 1. A group is as exchangeable with a new group as a point is with a new point, so
// the points of a group share the weight of one point. If the loss gives weight v_i to point i (nil: 1), and n_i points
// of rows are in the group of point i, the weight of its residual is
//
//	v_i/(n_i ν),  ν = Σ_g V_g²/Σ_g V_g,  V_g = Σ v_i/n_i over the points i of group g.
//
// ν is the mean weight of a group that is drawn with probabilities proportional to V, as a new one is. The sum of all
// weights is the effective number (Σ_g V_g)²/Σ_g V_g² of groups, which is their number if all V_g are equal.
//
// References:
//   - Y. Lee, R. F. Barber, R. Willett, Distribution-free inference with hierarchical data, 2023, arXiv:2306.06342, for
//     the weights of groups.
//   - R. J. Tibshirani, R. F. Barber, E. J. Candès, A. Ramdas, Conformal prediction under covariate shift, NeurIPS
//     2019, for the weights of points.
//   - L. Kish, Survey Sampling, 1965, section 8.2, for the effective number.
func ResidualWeights(d *data.Dataset, groupsHoldDuplicates bool, rows []int, pointWeights []float64) []float64 {
	hasGroups := d.Group != nil && !groupsHoldDuplicates
	if pointWeights == nil && !hasGroups {
		return nil
	}
	group := func(row int) string { return d.Group[row] }
	if !hasGroups {
		group = func(row int) string { return fmt.Sprint(row) }
	}
	groupSizes, groupWeights := map[string]float64{}, map[string]float64{}
	for _, row := range rows {
		groupSizes[group(row)]++
	}
	weights := make([]float64, len(rows))
	for i, row := range rows {
		weights[i] = 1 / groupSizes[group(row)]
		if pointWeights != nil {
			weights[i] *= pointWeights[row]
		}
		groupWeights[group(row)] += weights[i]
	}
	total, squares := floats.Sum(weights), 0.0
	for _, row := range rows { // not in the order of the map, so that rounding errors are always the same
		squares += groupWeights[group(row)] * groupWeights[group(row)] / groupSizes[group(row)]
	}
	floats.Scale(total/squares, weights)
	return weights
}

// checkExchangeable returns an error if the sum of the ResidualWeights at n points is less than minCount, up to
// rounding. subject, such as "the quantile 0.9 needs", begins the error. n points have their share of the sum for all.
func (s Settings) checkExchangeable(d *data.Dataset, subject string, minCount, n int, pointWeights []float64) error {
	noun, count := "points", float64(n)
	if weights := ResidualWeights(d, s.GroupsHoldDuplicates, points.AllIndices(len(d.Y)),
		pointWeights); weights != nil {
		count = math.Min(count, floats.Sum(weights)*float64(n)/float64(len(d.Y)))
		if d.Group != nil && !s.GroupsHoldDuplicates {
			noun = "groups"
		}
	}
	if count >= float64(minCount)-1e-6 {
		return nil
	}
	text := fmt.Sprintf("%.4g", count)
	if pointWeights != nil {
		text += ", counted by their weights (loss.Weighted)"
	}
	return fmt.Errorf("fit: %s at least %d %s; %s has %s", subject, minCount, noun, d.Name, text)
}

// CheckQuantiles returns an error if a quantile of l is too near to 0 or 1 for n points, or for the groups of n points,
// of which at most Selection.MaxPoints are used. It returns nil unless l is a loss.Pinball.
func (s Settings) CheckQuantiles(d *data.Dataset, l loss.Loss, n int) error {
	p, ok := l.(loss.Pinball)
	if !ok {
		return nil
	}
	if s.Selection.MaxPoints > 0 {
		n = min(n, s.Selection.MaxPoints)
	}
	for _, tau := range p.Levels() {
		if !(tau > 0 && tau < 1) {
			continue // Validate of the loss returns the error
		}
		minCount := model.MinPointsForIntervals(math.Max(tau, 1-tau))
		if err := s.checkExchangeable(d, fmt.Sprintf("the quantile %g needs", tau), minCount, n,
			p.Weights); err != nil {
			return fmt.Errorf("%w; use a quantile nearer to 0.5, or choose hyperparameters on more points", err)
		}
	}
	return nil
}

// CheckIntervals returns an error if prediction intervals of a level cannot be computed for d with the loss
// l: the targets are classes, the level is invalid, l estimates other quantiles than the median, or there are too few
// points or groups.
func (s Settings) CheckIntervals(d *data.Dataset, level float64, l loss.Loss) error {
	if d.Classes != nil {
		return fmt.Errorf("fit: the targets of %s are classes; intervals need numeric targets", d.Name)
	}
	if err := model.CheckIntervalLevel(level); err != nil {
		return err
	}
	if p, ok := l.(loss.Pinball); ok && !slices.Equal(p.Levels(), []float64{0.5}) {
		return fmt.Errorf("fit: intervals around a quantile other than the median are refused: τ = %g; estimate "+
			"the quantiles at both ends of the interval instead", p.Levels())
	}
	err := s.checkExchangeable(d, fmt.Sprintf("intervals of level %g need", level), model.MinPointsForIntervals(level),
		len(d.Y), loss.PointWeights(l))
	if err != nil {
		return fmt.Errorf("%w; use a lower level", err)
	}
	return nil
}

// shiftOfQuantile returns the τ quantile of a new residual that is exchangeable with the given ones, whose weights are
// ResidualWeights (nil: all 1). The sorted residuals R_(1) ≤ … ≤ R_(n), with weights v_(i), have the ranks
//
//	r_i = v_(1) + … + v_(i−1) + v_(i)/2 + ½,
//
// which are 1 … n if all weights are 1. The result has the rank τ(1 + Σv), interpolated between neighbors and clipped
// to R_(1) and R_(n). A new residual is at most R_(i) with probability about r_i/(1 + Σv): with equal weights and
// distinct residuals it is exactly i/(n+1).
func shiftOfQuantile(residuals, weights []float64, tau float64) float64 {
	order := points.AllIndices(len(residuals))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(residuals[a], residuals[b]) })
	weight, total := func(int) float64 { return 1 }, float64(len(residuals))
	if weights != nil {
		weight, total = func(i int) float64 { return weights[i] }, floats.Sum(weights)
	}
	target, sum, lastRank := tau*(1+total), 0.0, 0.0
	for k, i := range order {
		rank := sum + weight(i)/2 + 0.5
		if rank >= target {
			if k == 0 {
				return residuals[i]
			}
			last := residuals[order[k-1]]
			return last + (target-lastRank)/(rank-lastRank)*(residuals[i]-last)
		}
		sum, lastRank = sum+weight(i), rank
	}
	return residuals[order[len(order)-1]]
}
