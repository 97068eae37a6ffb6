package loss

import "fmt"

// labels asks for ±1, both of them.
func labels(y []float64) error {
	if err := finite(y); err != nil {
		return err
	}
	plus := 0
	for i, v := range y {
		switch v {
		case 1:
			plus++
		case -1:
		default:
			return fmt.Errorf("loss: the label of point %d is %g, want 1 or −1 (a loss for two classes; of more make "+
				"columns with model.Code and loss.Repeat; for numbers there are Squared and Insensitive)", i+1, v)
		}
	}
	if plus == 0 || plus == len(y) {
		return fmt.Errorf("loss: all %d labels are %g, want points of both classes, 1 and -1", len(y), y[0])
	}
	return nil
}

// margin asks for what the losses of a margin do: weights of classes, labels, weights of points.
func margin(y []float64, plus, minus float64, points []float64) error {
	if err := classWeight("positive", plus); err != nil {
		return err
	}
	if err := classWeight("negative", minus); err != nil {
		return err
	}
	if err := labels(y); err != nil {
		return err
	}
	return weights(points, len(y))
}

// sliced is the weights of some rows; nil stays nil.
func sliced(w []float64, rows []int) []float64 {
	if w == nil {
		return nil
	}
	s := make([]float64, len(rows))
	for i, r := range rows {
		s[i] = w[r]
	}
	return s
}

// weights asks for one finite positive number a point, or for none.
func weights(w []float64, n int) error {
	if w == nil {
		return nil
	}
	if len(w) != n {
		return fmt.Errorf("loss: %d weights of points, want %d, one for each, or none", len(w), n)
	}
	for i, v := range w {
		if !positive(v) {
			return fmt.Errorf("loss: the weight of point %d is %g, want a finite number above 0", i+1, v)
		}
	}
	return nil
}

// classWeight asks for a finite positive number, or for 0, which stands for 1.
func classWeight(class string, v float64) error {
	if v != 0 && !positive(v) {
		return fmt.Errorf("loss: the weight of the %s class is %g, want a finite number above 0, or 0 for 1", class, v)
	}
	return nil
}

// positive refuses also what a product of three could not hold.
func positive(v float64) bool { return v >= 1e-100 && v <= 1e100 }

// weight is the weight of point i, whose label is y: its own times that of its class.
func weight(points []float64, i int, y, plus, minus float64) float64 {
	v := plus
	if y < 0 {
		v = minus
	}
	if v == 0 {
		v = 1
	}
	if points != nil {
		v *= points[i]
	}
	return v
}
