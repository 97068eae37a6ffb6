package model

import (
	"fmt"
	"math"
	"slices"
)

// Score compares predictions f with targets y on n points. What cannot be said is NaN: of real
// targets Accuracy, Balanced and AUC; AUC and Balanced where only one class occurs; R2 where all
// targets are equal.
type Score struct {
	N       int
	Classes bool    // y are ±1 labels
	RMSE    float64 // √(Σ(f−y)²/n), of ±1 labels too
	MAE     float64 // Σ|f−y|/n
	R2      float64 // 1 − Σ(f−y)²/Σ(y−ȳ)², ȳ the mean of these y

	Accuracy float64 // share of points with the sign of f that of y, f = 0 counted as +1
	Balanced float64 // mean of that share over the two classes
	AUC      float64 // share of pairs (+1, −1) that f orders rightly, ties half: area under the ROC curve
}

// Measure returns the Score of predictions f of y, of equal lengths; classes says that y are ±1.
// It costs O(n log n). It panics if the lengths differ.
func Measure(f, y []float64, classes bool) Score {
	if len(f) != len(y) {
		panic("model: lengths differ")
	}
	n := float64(len(y))
	s := Score{N: len(y), Classes: classes, Accuracy: math.NaN(), Balanced: math.NaN(), AUC: math.NaN()}
	mean, res, abs, tot := 0.0, 0.0, 0.0, 0.0
	for _, v := range y {
		mean += v / n
	}
	for i, v := range y {
		res += (f[i] - v) * (f[i] - v)
		abs += math.Abs(f[i] - v)
		tot += (v - mean) * (v - mean)
	}
	s.RMSE, s.MAE, s.R2 = math.Sqrt(res/n), abs/n, math.NaN()
	if tot > 0 {
		s.R2 = 1 - res/tot
	}
	if !classes {
		return s
	}
	var right, all [2]float64
	for i, v := range y {
		c := 0
		if v > 0 {
			c = 1
		}
		all[c]++
		if (f[i] >= 0) == (v > 0) {
			right[c]++
		}
	}
	s.Accuracy = (right[0] + right[1]) / n
	if all[0] > 0 && all[1] > 0 {
		s.Balanced = (right[0]/all[0] + right[1]/all[1]) / 2
		s.AUC = auc(f, y, all[0], all[1])
	}
	return s
}

// auc is the statistic of Mann and Whitney over its largest value: by the ranks of f, mean ranks
// for ties, (Σ ranks of the + points − p(p+1)/2) / (p q).
func auc(f, y []float64, q, p float64) float64 {
	order := make([]int, len(f))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case f[a] < f[b]:
			return -1
		case f[a] > f[b]:
			return 1
		}
		return 0
	})
	sum := 0.0
	for i := 0; i < len(order); {
		j, plus := i, 0.0
		for ; j < len(order) && f[order[j]] == f[order[i]]; j++ {
			if y[order[j]] > 0 {
				plus++
			}
		}
		if j == i { // f is NaN: it has no rank
			return math.NaN()
		}
		sum += plus * float64(i+j+1) / 2
		i = j
	}
	return (sum - p*(p+1)/2) / (p * q)
}

// String is one line.
func (s Score) String() string {
	if s.Classes {
		return fmt.Sprintf("accuracy %.4f, balanced %.4f, AUC %.4f, RMSE of ±1 %.4f on %d points", s.Accuracy, s.Balanced, s.AUC, s.RMSE, s.N)
	}
	return fmt.Sprintf("RMSE %.4g, mean absolute error %.4g, R² %.4f on %d points", s.RMSE, s.MAE, s.R2, s.N)
}
