package kept

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Paired is the mean of paired differences and its standard error as if they were independent, as tables of some papers
// have it. Splits overlap: see study.Difference for an interval that regards it.
type Paired struct{ Mean, SE float64 }

// PairedOf is the Paired of some differences.
func PairedOf(differences []float64) Paired {
	mean, sd := stat.MeanStdDev(differences, nil)
	return Paired{mean, sd / math.Sqrt(float64(len(differences)))}
}

// Z is the mean in standard errors.
func (p Paired) Z() float64 { return p.Mean / math.Max(p.SE, 1e-9) }
