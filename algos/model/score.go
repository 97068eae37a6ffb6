package model

import (
	"fmt"
	"math"
	"slices"
)

// Score compares predictions f with targets y on n points. What cannot be said is NaN: of numbers
// what is of classes; AUC and Balanced where only one class occurs; R2 where all targets are equal,
// and of more than two classes. Of several targets RMSE, MAE and R2 are the means over the targets, each
// in its own units, R2 with equal weights.
type Score struct {
	N       int
	Classes int     // 0: y are numbers
	RMSE    float64 // √(Σ(f−y)²/n), of ±1 labels too; of several columns over all their targets
	MAE     float64 // Σ|f−y|/n
	R2      float64 // 1 − Σ(f−y)²/Σ(y−ȳ)², ȳ the mean of these y

	Accuracy  float64 // share of points whose class is the one decided on
	Balanced  float64 // mean of that share over the classes that occur
	F1        float64 // mean over classes of 2·right/(decided + there), of those that occur or are decided on
	AUC       float64 // mean over classes of the share of pairs (in it, not) that its value orders rightly, ties half
	Confusion [][]int // points of class i that were decided to be of class j; nil of numbers

	Targets []Score // of several targets that of each; else nil
}

// Measure returns the Score of predictions f of labels y, f column after column, and y too of several
// targets: see Code. It costs O(n log n) for each class. It panics if the lengths differ.
func Measure(f, y []float64, code Code) Score {
	n, c := len(y), code.Columns()
	if code.Classes == 0 && c > 1 {
		return measureEach(f, y, c)
	}
	if len(f) != n*c {
		panic("model: lengths differ")
	}
	s := Score{N: n, Classes: code.Classes, R2: math.NaN(), Accuracy: math.NaN(), Balanced: math.NaN(),
		F1: math.NaN(), AUC: math.NaN()}
	target, at := make([]float64, c), make([]float64, c)
	values := make([][]float64, code.Classes) // of each class
	classes := make([]int, n)
	if code.Classes > 0 {
		s.Confusion = make([][]int, code.Classes)
		for k := range values {
			values[k], s.Confusion[k] = make([]float64, n), make([]int, code.Classes)
		}
	}
	res, abs, terms := 0.0, 0.0, 0.0
	each := make([]float64, code.Classes)
	for i, v := range y {
		code.Encode(target, v)
		for j := range at {
			at[j] = f[j*n+i]
			if r := at[j] - target[j]; !math.IsNaN(target[j]) {
				res, abs, terms = res+r*r, abs+math.Abs(r), terms+1
			}
		}
		if code.Classes == 0 {
			continue
		}
		classes[i] = code.Class(v)
		s.Confusion[classes[i]][code.Decide(at)]++
		code.Values(each, at)
		for k, v := range each {
			values[k][i] = v
		}
	}
	s.RMSE, s.MAE = math.Sqrt(res/terms), abs/terms
	if code.Classes <= 2 {
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
	if code.Classes > 0 {
		s.decisions()
		s.AUC = meanAUC(values, classes)
	}
	return s
}

// measureEach is the Score of c targets and their means.
func measureEach(f, y []float64, c int) Score {
	n, k := len(y)/c, 1/float64(c)
	if len(f) != len(y) || n*c != len(y) {
		panic("model: lengths differ")
	}
	s := Score{N: n, Accuracy: math.NaN(), Balanced: math.NaN(), F1: math.NaN(), AUC: math.NaN()}
	for j := range c {
		t := Measure(f[j*n:(j+1)*n], y[j*n:(j+1)*n], Code{})
		s.RMSE, s.MAE, s.R2 = s.RMSE+k*t.RMSE, s.MAE+k*t.MAE, s.R2+k*t.R2
		s.Targets = append(s.Targets, t)
	}
	return s
}

// decisions fills what follows from Confusion.
func (s *Score) decisions() {
	var right, recall, f1, occur, there float64
	for k, row := range s.Confusion {
		own, decided := 0, 0
		for j, n := range row {
			own += n
			decided += s.Confusion[j][k]
		}
		right += float64(row[k])
		if own > 0 {
			recall += float64(row[k]) / float64(own)
			occur++
		}
		if own+decided > 0 {
			f1 += 2 * float64(row[k]) / float64(own+decided)
			there++
		}
	}
	s.Accuracy, s.F1 = right/float64(s.N), f1/there
	if occur > 1 {
		s.Balanced = recall / occur
	}
}

// meanAUC is the mean of auc over the classes that occur; of two classes both are the same.
func meanAUC(values [][]float64, classes []int) float64 {
	sum, n := 0.0, 0.0
	y := make([]float64, len(classes))
	for k, f := range values {
		if len(values) == 2 && k == 0 {
			continue
		}
		in := 0.0
		for i, c := range classes {
			y[i] = -1
			if c == k {
				y[i] = 1
				in++
			}
		}
		if rest := float64(len(y)) - in; in > 0 && rest > 0 {
			sum += auc(f, y, rest, in)
			n++
		}
	}
	return sum / n
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
	switch {
	case s.Classes > 0 && s.N > 0 && math.IsNaN(s.Balanced):
		return fmt.Sprintf("accuracy %.4f on %d points; all are of one class, so balanced accuracy and AUC do not exist",
			s.Accuracy, s.N)
	case s.Classes > 2:
		return fmt.Sprintf("accuracy %.4f, balanced %.4f, F1 %.4f, AUC %.4f on %d points of %d classes", s.Accuracy,
			s.Balanced, s.F1, s.AUC, s.N, s.Classes)
	case s.Classes == 2:
		return fmt.Sprintf("accuracy %.4f, balanced %.4f, AUC %.4f, RMSE of ±1 %.4f on %d points", s.Accuracy,
			s.Balanced, s.AUC, s.RMSE, s.N)
	}
	r2 := fmt.Sprintf("R² %.4f", s.R2)
	if math.IsNaN(s.R2) {
		r2 = "no R² (a target is constant)"
	}
	text := fmt.Sprintf("RMSE %.4g, mean absolute error %.4g, %s on %d points", s.RMSE, s.MAE, r2, s.N)
	if s.Targets != nil {
		text += fmt.Sprintf(", means of %d targets", len(s.Targets))
	}
	return text
}
