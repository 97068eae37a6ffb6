package model

import (
	"fmt"
	"math"
	"slices"
)

// Score compares predictions f with targets y on n points. A measure that is not defined is NaN: the measures of
// classes for numbers; AUC and Balanced if only one class occurs; R2 if all targets are equal, or for more than two
// classes. For several targets RMSE, MAE and R2 are means over the targets, with equal weights and each target in its
// own units.
type Score struct {
	N       int
	Classes int     // 0 for numbers
	RMSE    float64 // √(Σ(f−y)²/n), also for labels ±1; for several columns over the targets of all columns
	MAE     float64 // Σ|f−y|/n
	R2      float64 // 1 − Σ(f−y)²/Σ(y−ȳ)², where ȳ is the mean of y

	Loss float64 // mean of loss.Scored over all points and columns; 0 if the loss has no score of its own

	Accuracy  float64 // share of points whose predicted class is correct
	Balanced  float64 // balanced accuracy: mean of this share over the classes that occur
	F1        float64 // mean of 2·correct/(predicted + true points) over the classes that occur or are predicted
	AUC       float64 // mean over classes of the share of pairs (in class, not) in correct order; a tie counts half
	Confusion [][]int // number of points of class i that were predicted as class j; nil for numbers

	Targets []Score // the score of each of several targets, or nil
}

// Measure returns the Score of predictions f of labels y. f has one value for each column and point, column after
// column; for several targets, so has y. See TargetEncoding. The cost is O(n log n) for each class. Measure panics if
// the lengths differ.
func Measure(f, y []float64, encoding TargetEncoding) Score {
	n, c := len(y), encoding.Columns()
	if encoding.Classes == 0 && c > 1 {
		return measureTargets(f, y, c)
	}
	if len(f) != n*c {
		panic(fmt.Sprintf("model: %d predictions for %d targets in %d columns", len(f), n, c))
	}
	s := Score{N: n, Classes: encoding.Classes, R2: math.NaN(), Accuracy: math.NaN(), Balanced: math.NaN(),
		F1: math.NaN(), AUC: math.NaN()}
	target, row := make([]float64, c), make([]float64, c)
	classes := make([]int, n)
	if encoding.Classes > 0 {
		s.Confusion = make([][]int, encoding.Classes)
		for k := range s.Confusion {
			s.Confusion[k] = make([]int, encoding.Classes)
		}
	}
	res, abs, terms := 0.0, 0.0, float64(n*c)
	for i, v := range y {
		encoding.Encode(target, v)
		for j := range row {
			row[j] = f[j*n+i]
			r := row[j] - target[j]
			res, abs = res+r*r, abs+math.Abs(r)
		}
		if encoding.Classes == 0 {
			continue
		}
		classes[i] = encoding.Class(v)
		s.Confusion[classes[i]][encoding.Decide(row)]++
	}
	s.RMSE, s.MAE = math.Sqrt(res/terms), abs/terms
	if encoding.Classes <= 2 {
		mean, tot := 0.0, 0.0
		for _, v := range y {
			mean += v / float64(n)
		}
		for _, v := range y {
			tot += (v - mean) * (v - mean)
		}
		if tot > 0 {
			s.R2 = 1 - res/tot
		}
	}
	if encoding.Classes > 0 {
		s.measureConfusion()
		s.AUC = meanAUC(f, classes)
	}
	return s
}

// measureTargets returns the Score of c targets: means over the targets, and the score of each in Targets.
func measureTargets(f, y []float64, c int) Score {
	n, k := len(y)/c, 1/float64(c)
	if len(f) != len(y) || n*c != len(y) {
		panic(fmt.Sprintf("model: %d predictions and %d numbers for %d targets", len(f), len(y), c))
	}
	s := Score{N: n, Accuracy: math.NaN(), Balanced: math.NaN(), F1: math.NaN(), AUC: math.NaN()}
	for j := range c {
		t := Measure(f[j*n:(j+1)*n], y[j*n:(j+1)*n], TargetEncoding{})
		s.RMSE, s.MAE, s.R2 = s.RMSE+k*t.RMSE, s.MAE+k*t.MAE, s.R2+k*t.R2
		s.Targets = append(s.Targets, t)
	}
	return s
}

// measureConfusion sets the measures that follow from Confusion.
func (s *Score) measureConfusion() {
	var correct, recall, f1, occurring, involved float64
	for k, row := range s.Confusion {
		actual, predicted := 0, 0
		for j, n := range row {
			actual += n
			predicted += s.Confusion[j][k]
		}
		correct += float64(row[k])
		if actual > 0 {
			recall += float64(row[k]) / float64(actual)
			occurring++
		}
		if actual+predicted > 0 {
			f1 += 2 * float64(row[k]) / float64(actual+predicted)
			involved++
		}
	}
	s.Accuracy, s.F1 = correct/float64(s.N), f1/involved
	if occurring > 1 {
		s.Balanced = recall / occurring
	}
}

// meanAUC returns the mean of auc over the classes that occur. f has one column for each class, or only one for
// the second of two classes, which has the same auc as the first.
func meanAUC(f []float64, classes []int) float64 {
	sum, n := 0.0, 0.0
	y := make([]float64, len(classes))
	k := 0
	if len(f) == len(classes) {
		k = 1
	}
	for column := range slices.Chunk(f, max(len(classes), 1)) {
		in := 0.0
		for i, c := range classes {
			y[i] = -1
			if c == k {
				y[i] = 1
				in++
			}
		}
		if others := float64(len(y)) - in; in > 0 && others > 0 {
			sum += auc(column, y, others, in)
			n++
		}
		k++
	}
	return sum / n
}

// auc returns the Mann–Whitney statistic divided by its largest value: (Σ ranks of the + points − p(p+1)/2) / (p q),
// for p points with y > 0 and q others. Ties have their mean rank.
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
		if j == i { // f is NaN, which has no rank
			return math.NaN()
		}
		sum += plus * float64(i+j+1) / 2
		i = j
	}
	return (sum - p*(p+1)/2) / (p * q)
}
