// Package random makes the sources of random numbers of packages fit, compare and learn: one seed of the user gives one
// stream for each purpose (splits, folds, samples, permutations), so that two purposes never draw the same numbers.
//
//	rng := random.New(seed, random.Folds)
package random

import "math/rand/v2"

// Stream is one of the sequences of random numbers that belong to a seed. Different purposes have different streams, so
// that they do not draw the same numbers.
type Stream uint64

const (
	Holdout     Stream = 0       // split i of Holdout has the stream Holdout + i, i < 1<<32
	Folds       Stream = 1 << 32 // folds of cross-validation
	Sample      Stream = 1 << 33 // samples of points: landmarks, and points for choosing hyperparameters
	Permutation Stream = 1 << 34 // permuted features for their importance
	Average     Stream = 1 << 35 // points over which partial dependence averages
)

// New returns a source of the random numbers of the seed and the stream.
func New(seed uint64, s Stream) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(s))) }
