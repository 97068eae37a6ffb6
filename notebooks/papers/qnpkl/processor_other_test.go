//go:build !unix

package qnpkl

import "testing"

// processor is not implemented on this system; stored results are computed on Unix.
func processor(t *testing.T) float64 {
	t.Fatal("processor times of stored results can be measured only on Unix")
	return 0
}
