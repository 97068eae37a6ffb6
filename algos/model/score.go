package model

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Score holds measures that compare predictions f with targets y on n points. A measure that is not defined is NaN:
// Accuracy, Balanced, F1 and AUC for regression; AUC and Balanced if only one class occurs; R2 if all targets are
// equal, or for more than two classes. For several targets RMSE, MAE and R2 are means over the targets, with equal
// weights and each target in its own units.
type Score struct {
	N       int
	Classes int     // number of classes; 0 for regression
	RMSE    float64 // √(Σ(f−y)²/n), with y = ±1 for classes; a mean over all columns and points
	MAE     float64 // Σ|f−y|/n
	R2      float64 // 1 − Σ(f−y)²/Σ(y−ȳ)², where ȳ is the mean of y

	Loss float64 // mean score of the loss (loss.Scored) over all points and columns; 0 if the loss defines none

	Accuracy  float64 // share of points whose predicted class is correct
	Balanced  float64 // balanced accuracy: share of correct points in a class, averaged over the classes that occur
	F1        float64 // mean of 2·correct/(predicted + true points) over the classes that occur or are predicted
	AUC       float64 // mean over classes of the share of pairs (in class, not in class) in correct order; ties count ½
	Confusion [][]int // number of points of class i that were predicted as class j; nil for numbers

	Targets []Score // score of each of several targets, or nil

	// Model.Score sets these for a model that predicts probabilities, intervals or quantiles. Otherwise they are nil.
	// Of several targets, Targets has the Intervals and Quantile of each.
	Probabilities *ProbabilityScore
	Intervals     *IntervalScore
	Quantile      *QuantileScore

	DroppedPoints int // number of points that were left out (data.Dataset.DroppedPoints); they are not scored
}

// ScorePredictions returns the Score of predictions f of labels or targets y (TargetEncoding). f has all points for the
// first column, then for the second, …; y has the same order for several targets. The cost is O(n log n) for each
// class. ScorePredictions panics if the lengths do not match.
func ScorePredictions(f, y []float64, encoding TargetEncoding) Score {
	n, c := len(y), encoding.Columns()
	if encoding.Classes == 0 && c > 1 {
		return scoreRegression(f, y, c)
	}
	if len(f) != n*c {
		panic(fmt.Sprintf("model: %d predictions for %d points and %d columns; pass one for each point and column",
			len(f), n, c))
	}
	s := Score{N: n, Classes: encoding.Classes, R2: math.NaN(), Accuracy: math.NaN(), Balanced: math.NaN(),
		F1: math.NaN(), AUC: math.NaN()}
	targetRow, predictedRow := make([]float64, c), make([]float64, c)
	classes := make([]int, n)
	if encoding.Classes > 0 {
		s.Confusion = make([][]int, encoding.Classes)
		for k := range s.Confusion {
			s.Confusion[k] = make([]int, encoding.Classes)
		}
	}
	squaredErrors, absoluteErrors, termCount := 0.0, 0.0, float64(n*c)
	for i, v := range y {
		encoding.Encode(targetRow, v)
		for j := range predictedRow {
			predictedRow[j] = f[j*n+i]
			r := predictedRow[j] - targetRow[j]
			squaredErrors, absoluteErrors = squaredErrors+r*r, absoluteErrors+math.Abs(r)
		}
		if encoding.Classes == 0 {
			continue
		}
		classes[i] = encoding.ClassIndex(v)
		s.Confusion[classes[i]][encoding.PredictedClass(predictedRow)]++
	}
	s.RMSE, s.MAE = math.Sqrt(squaredErrors/termCount), absoluteErrors/termCount
	// The deviations of equal targets from their mean, which is rounded, are not 0.
	if encoding.Classes <= 2 && n > 0 && slices.Min(y) < slices.Max(y) {
		mean, squaredDeviations := stat.Mean(y, nil), 0.0
		for _, v := range y {
			squaredDeviations += (v - mean) * (v - mean)
		}
		if squaredDeviations > 0 { // squares of tiny numbers can be 0
			s.R2 = 1 - squaredErrors/squaredDeviations
		}
	}
	if encoding.Classes > 0 {
		s.setConfusionMeasures()
		s.AUC = meanAUC(f, classes)
	}
	return s
}

// scoreRegression returns the Score of several regression targets: means over the targets, and the score of each in
// Targets.
func scoreRegression(f, y []float64, targetCount int) Score {
	n, k := len(y)/targetCount, 1/float64(targetCount)
	if len(f) != len(y) || n*targetCount != len(y) {
		panic(fmt.Sprintf("model: %d predictions for %d values of %d targets; pass one for each value, equally many "+
			"for each target", len(f), len(y), targetCount))
	}
	s := Score{N: n, Accuracy: math.NaN(), Balanced: math.NaN(), F1: math.NaN(), AUC: math.NaN()}
	for j := range targetCount {
		t := ScorePredictions(f[j*n:(j+1)*n], y[j*n:(j+1)*n], TargetEncoding{})
		s.RMSE, s.MAE, s.R2 = s.RMSE+k*t.RMSE, s.MAE+k*t.MAE, s.R2+k*t.R2
		s.Targets = append(s.Targets, t)
	}
	return s
}

// setConfusionMeasures sets Accuracy, Balanced and F1 from Confusion.
func (s *Score) setConfusionMeasures() {
	var correct, recall, f1, occurringClasses, involvedClasses float64
	for k, row := range s.Confusion {
		actualCount, predictedCount := 0, 0
		for j, n := range row {
			actualCount += n
			predictedCount += s.Confusion[j][k]
		}
		correct += float64(row[k])
		if actualCount > 0 {
			recall += float64(row[k]) / float64(actualCount)
			occurringClasses++
		}
		if actualCount+predictedCount > 0 {
			f1 += 2 * float64(row[k]) / float64(actualCount+predictedCount)
			involvedClasses++
		}
	}
	s.Accuracy, s.F1 = correct/float64(s.N), f1/involvedClasses
	if occurringClasses > 1 {
		s.Balanced = recall / occurringClasses
	}
}

// meanAUC returns the mean of auc over the classes that occur. f has one column for each class. For two classes it has
// only one, because both have the same auc.
func meanAUC(f []float64, classes []int) float64 {
	aucSum, classCount := 0.0, 0.0
	y := make([]float64, len(classes))
	k := 0
	if len(f) == len(classes) {
		k = 1
	}
	for column := range slices.Chunk(f, max(len(classes), 1)) {
		inClass := 0.0
		for i, c := range classes {
			y[i] = -1
			if c == k {
				y[i] = 1
				inClass++
			}
		}
		if notInClass := float64(len(y)) - inClass; inClass > 0 && notInClass > 0 {
			aucSum += auc(column, y, notInClass, inClass)
			classCount++
		}
		k++
	}
	return aucSum / classCount
}

// auc returns the area under the ROC curve, (Σ ranks of the points with y > 0 − p(p+1)/2) / (p q), for p points with y
// > 0 (positives) and q others (negatives). Equal values of f have their mean rank.
func auc(f, y []float64, negativeCount, positiveCount float64) float64 {
	sortedIndices := make([]int, len(f))
	for i := range sortedIndices {
		sortedIndices[i] = i
	}
	slices.SortFunc(sortedIndices, func(a, b int) int {
		switch {
		case f[a] < f[b]:
			return -1
		case f[a] > f[b]:
			return 1
		}
		return 0
	})
	positiveRankSum := 0.0
	for i := 0; i < len(sortedIndices); {
		j, tiedPositives := i, 0.0
		for ; j < len(sortedIndices) && f[sortedIndices[j]] == f[sortedIndices[i]]; j++ {
			if y[sortedIndices[j]] > 0 {
				tiedPositives++
			}
		}
		if j == i { // f is NaN, which has no rank
			return math.NaN()
		}
		positiveRankSum += tiedPositives * float64(i+j+1) / 2
		i = j
	}
	return (positiveRankSum - positiveCount*(positiveCount+1)/2) / (positiveCount * negativeCount)
}
