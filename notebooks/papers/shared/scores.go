package shared

import "fmt"

// Scores holds the results of several methods on the same splits of one set of points for one seed. R is the result of
// one method on one split.
type Scores[R any] struct {
	DatasetName string  `json:"Data"`
	N           int     `json:",omitzero"` // number of points, if it is stored
	Seed        uint64  // draws points, noise and splits
	Ratio       float64 `json:",omitzero"` // n_test/n_train; 0 (no correction) if the seeds share no point
	Methods     []string
	Splits      [][]R // Splits[i][k] is the result of method k on split i
}

// SplitSeed returns the seed from which the points, the noise and the splits were drawn.
func (s *Scores[R]) SplitSeed() uint64 { return s.Seed }

// Run adds the results of each method on the given number of splits. score returns the result of a method on a split.
func (s *Scores[R]) Run(splitCount int, score func(split, method int) (R, error)) error {
	for i := range splitCount {
		row := make([]R, len(s.Methods))
		for k, name := range s.Methods {
			var err error
			if row[k], err = score(i, k); err != nil {
				return fmt.Errorf("shared: split %d: %s: %w", i+1, name, err)
			}
		}
		s.Splits = append(s.Splits, row)
	}
	return nil
}
