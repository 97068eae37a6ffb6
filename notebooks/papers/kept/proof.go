package kept

import (
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/study"
)

// Proof says what is proved of all solves of a method.
func Proof(r *study.Row) string {
	switch gap, status := r.Worst(); status {
	case mkl.Certified:
		return fmt.Sprintf("global, gap ≤ %.0e", gap)
	case mkl.Stationary:
		return "first order only"
	case mkl.EvaluatedOnly:
		return "nothing to solve"
	default:
		return status.String()
	}
}
