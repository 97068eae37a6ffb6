package model

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Score holds measures that compare predictions f with targets y on n points. A measure that is not defined is NaN:
// Accuracy, Balanced, F1, PositiveF1 and AUC for regression; AUC and Balanced if only one class occurs; R2 if all
// targets are equal, or for more than two classes. For several targets RMSE, MAE and R2 are means over the targets,
// with equal weights and each target in its own units.
type Score struct {
	N       int
	Classes int     // number of classes; 0 for regression
	RMSE    float64 // √(Σ(f−y)²/n), with y = ±1 for classes; a mean over all columns and points
	MAE     float64 // Σ|f−y|/n
	R2      float64 // 1 − Σ(f−y)²/Σ(y−ȳ)², where ȳ is the mean of y

	Loss float64 // mean score of the loss (loss.Scored) over all points and columns; 0 if the loss defines none

	Accuracy float64 // share of points whose predicted class is correct
	Balanced float64 // balanced accuracy: share of correct points in a class, averaged over the classes that occur
	F1       float64 // mean of 2·correct/(predicted + true points) over the classes that occur or are predicted
	// PositiveF1 is 2·correct/(predicted + true points) of the second of two classes, the positive one. It is NaN for
	// more classes, or if this class neither occurs nor is predicted.
	PositiveF1 float64

	AUC       float64 // mean over classes of the share of pairs (in class, not in class) in correct order; ties count ½
	Confusion [][]int // number of points of class i that were predicted as class j; nil for numbers

	Targets []Score // score of each of several targets, or nil

	// Model.Score sets these for a model that predicts probabilities, intervals or quantiles. Otherwise they are nil,
	// but a choice by LogLoss sets Probabilities by ScoreCalibrated. Of several targets, Targets has the Intervals and
	// Quantile of each.
	Probabilities *ProbabilityScore
	Intervals     *IntervalScore
	Quantile      *QuantileScore

	DroppedPoints int // number of points that were left out (data.Dataset.DroppedPoints); they are not scored

	// Model.Score sets StoredPoints, the number of training points that the model contains, and SharedPoints, how many
	// of these are among the scored points. The score of training points is too good.
	StoredPoints, SharedPoints int `json:",omitzero"`
	// Model.Score sets Groups, the number of groups of the scored points (data.Dataset.Group); 0 if there are none.
	Groups int `json:",omitzero"`
}

// ScorePredictions returns the Score of predictions f of labels or targets y (TargetEncoding). f has all points for the
// first column, then for the second, …; y has the same order for several targets. The cost is O(n log n) for each
// class. ScorePredictions panics if the lengths do not match.
func ScorePredictions(f, y []float64, encoding TargetEncoding) Score {
	return ScoreWeighted(f, y, nil, encoding)
}

// ScoreWeighted is like ScorePredictions with a weight for each point, which multiplies its term in each sum, mean and
// share. Only N and Confusion count points. If weights is nil, all are 1.
func ScoreWeighted(f, y, weights []float64, encoding TargetEncoding) Score {
	n, c := len(y), encoding.Columns()
	if encoding.Classes == 0 && c > 1 {
		return scoreRegression(f, y, weights, c)
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	}
	if len(f) != n*c {
		panic(fmt.Sprintf("model: %d predictions for %d points and %d columns; pass one for each point and column",
			len(f), n, c))
	}
	s := Score{N: n, Classes: encoding.Classes, R2: math.NaN(), Accuracy: math.NaN(), Balanced: math.NaN(),
		F1: math.NaN(), PositiveF1: math.NaN(), AUC: math.NaN()}
	targetRow, predictedRow := make([]float64, c), make([]float64, c)
	classes := make([]int, n)
	if encoding.Classes > 0 {
		s.Confusion = make([][]int, encoding.Classes)
		for k := range s.Confusion {
			s.Confusion[k] = make([]int, encoding.Classes)
		}
	}
	squaredErrors, absoluteErrors, termWeight := 0.0, 0.0, floats.Sum(weights)*float64(c)
	confusion := make([][]float64, encoding.Classes) // sums of weights
	for k := range confusion {
		confusion[k] = make([]float64, encoding.Classes)
	}
	for i, v := range y {
		encoding.Encode(targetRow, v)
		for j := range predictedRow {
			predictedRow[j] = f[j*n+i]
			r := predictedRow[j] - targetRow[j]
			squaredErrors, absoluteErrors = squaredErrors+weights[i]*r*r, absoluteErrors+weights[i]*math.Abs(r)
		}
		if encoding.Classes == 0 {
			continue
		}
		classes[i] = encoding.ClassIndex(v)
		predictedClass := encoding.PredictedClass(predictedRow)
		s.Confusion[classes[i]][predictedClass]++
		confusion[classes[i]][predictedClass] += weights[i]
	}
	s.RMSE, s.MAE = math.Sqrt(squaredErrors/termWeight), absoluteErrors/termWeight
	// The deviations of equal targets from their mean, which is rounded, are not 0.
	if encoding.Classes <= 2 && n > 0 && slices.Min(y) < slices.Max(y) {
		mean, squaredDeviations := stat.Mean(y, weights), 0.0
		for i, v := range y {
			squaredDeviations += weights[i] * (v - mean) * (v - mean)
		}
		if squaredDeviations > 0 { // squares of tiny numbers can be 0
			s.R2 = 1 - squaredErrors/squaredDeviations
		}
	}
	if encoding.Classes > 0 {
		s.setConfusionMeasures(confusion)
		s.AUC = meanAUC(f, weights, classes)
	}
	return s
}

// scoreRegression returns the Score of several regression targets: means over the targets, and the score of each in
// Targets.
func scoreRegression(f, y, weights []float64, targetCount int) Score {
	n, k := len(y)/targetCount, 1/float64(targetCount)
	if len(f) != len(y) || n*targetCount != len(y) {
		panic(fmt.Sprintf("model: %d predictions for %d values of %d targets; pass one for each value, equally many "+
			"for each target", len(f), len(y), targetCount))
	}
	s := Score{N: n, Accuracy: math.NaN(), Balanced: math.NaN(), F1: math.NaN(), PositiveF1: math.NaN(),
		AUC: math.NaN()}
	for j := range targetCount {
		t := ScoreWeighted(f[j*n:(j+1)*n], y[j*n:(j+1)*n], weights, TargetEncoding{})
		s.RMSE, s.MAE, s.R2 = s.RMSE+k*t.RMSE, s.MAE+k*t.MAE, s.R2+k*t.R2
		s.Targets = append(s.Targets, t)
	}
	return s
}

// setConfusionMeasures sets Accuracy, Balanced, F1 and PositiveF1. confusion contains, for each class and each
// predicted class, the sum of the weights of its points.
func (s *Score) setConfusionMeasures(confusion [][]float64) {
	var correct, total, recall, f1, occurringClasses, involvedClasses float64
	for k, row := range confusion {
		actual, predicted := 0.0, 0.0
		for j, w := range row {
			actual += w
			predicted += confusion[j][k]
		}
		correct, total = correct+row[k], total+actual
		if actual > 0 {
			recall += row[k] / actual
			occurringClasses++
		}
		if actual+predicted > 0 {
			classF1 := 2 * row[k] / (actual + predicted)
			if f1 += classF1; k == 1 && len(confusion) == 2 {
				s.PositiveF1 = classF1
			}
			involvedClasses++
		}
	}
	s.Accuracy, s.F1 = correct/total, f1/involvedClasses
	if occurringClasses > 1 {
		s.Balanced = recall / occurringClasses
	}
}

// meanAUC returns the mean of auc over the classes that occur. f has one column for each class. For two classes it has
// only one, because both have the same auc.
func meanAUC(f, weights []float64, classes []int) float64 {
	aucSum, classCount := 0.0, 0.0
	k := 0
	if len(f) == len(classes) {
		k = 1
	}
	for column := range slices.Chunk(f, max(len(classes), 1)) {
		if v, ok := auc(column, weights, func(i int) bool { return classes[i] == k }); ok {
			aucSum += v
			classCount++
		}
		k++
	}
	return aucSum / classCount
}

// auc returns the area under the ROC curve: the share of pairs (in class, not in class) in correct order, where ties
// count ½ and a pair has the product of its weights. ok is false if a side has no points.
func auc(f, weights []float64, isInClass func(i int) bool) (area float64, ok bool) {
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
	correct, inClass, notInClass := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j, tiedInClass, tiedNotInClass := i, 0.0, 0.0
		for ; j < len(order) && f[order[j]] == f[order[i]]; j++ {
			if isInClass(order[j]) {
				tiedInClass += weights[order[j]]
			} else {
				tiedNotInClass += weights[order[j]]
			}
		}
		if j == i { // f is NaN, which has no rank
			return math.NaN(), true
		}
		correct += tiedInClass * (notInClass + tiedNotInClass/2)
		inClass, notInClass = inClass+tiedInClass, notInClass+tiedNotInClass
		i = j
	}
	return correct / (inClass * notInClass), inClass > 0 && notInClass > 0
}
