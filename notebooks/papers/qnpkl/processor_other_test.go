//go:build !unix

package qnpkl

import "testing"

// processor is for results that are kept, which are made elsewhere.
func processor(t *testing.T) float64 {
	t.Fatal("this system does not say the processor time of a process as we ask for it")
	return 0
}
