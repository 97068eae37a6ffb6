package loss

import "fmt"

// validateLabels returns an error unless all labels are ±1 and both classes are present.
func validateLabels(y []float64) error {
	if err := validateFinite(y); err != nil {
		return err
	}
	positiveCount := 0
	for i, v := range y {
		switch v {
		case 1:
			positiveCount++
		case -1:
		default:
			return fmt.Errorf("loss: the label of point %d is %g; this loss needs labels 1 and −1 (encode more "+
				"classes with model.TargetEncoding and loss.Repeat; use Squared or EpsilonInsensitive for numbers)",
				i+1, v)
		}
	}
	if positiveCount == 0 || positiveCount == len(y) {
		return fmt.Errorf("loss: all %d labels are %g; include points of both classes, 1 and −1", len(y), y[0])
	}
	return nil
}

func validateTwoClasses(y, pointWeights []float64) error {
	if err := validateLabels(y); err != nil {
		return err
	}
	return validatePointWeights(pointWeights, len(y))
}

// selectWeights returns the weights of the rows, or nil without weights. It panics if a row is out of range.
func selectWeights(weights []float64, rows []int) []float64 {
	if weights == nil {
		return nil
	}
	selected := make([]float64, len(rows))
	for i, r := range rows {
		if r < 0 || r >= len(weights) {
			panic(fmt.Sprintf("loss: Slice: row %d is out of range; the loss has weights for %d points", r,
				len(weights)))
		}
		selected[i] = weights[r]
	}
	return selected
}

// validatePointWeights returns an error unless weights is nil or has one number from 1e-100 to 1e100 for each point.
func validatePointWeights(weights []float64, n int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != n {
		return fmt.Errorf("loss: got %d point weights for %d points; pass one for each point, or nil", len(weights), n)
	}
	for i, v := range weights {
		if !isPositive(v) {
			return fmt.Errorf("loss: the weight of point %d is %g; use a number from 1e-100 to 1e100", i+1, v)
		}
	}
	return nil
}

// isPositive reports whether v is positive, and such that a product of three such numbers does not over- or underflow.
func isPositive(v float64) bool { return v >= 1e-100 && v <= 1e100 }

// pointWeight returns the weight of the error of point i, 1 if there are no weights.
func pointWeight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}
