package blocks_test

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // the tests run with the library too
	"github.com/mklnb/mkl/algos/mkl/mkltest"
)

func TestBlocks(t *testing.T) {
	x, _ := mkltest.RandomPoints(9, 2, 1)
	kerneltest.TestFamily(t, blocks.Family{Families: []kernel.Family{
		kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}},
		kernel.List{kernel.RBF{Gamma: 0.1}},
		kernel.Features{},
	}}, x)
	for _, bad := range []struct {
		f    blocks.Family
		want string
	}{
		{blocks.Family{}, "there are no families"},
		{blocks.Family{Families: []kernel.Family{nil}}, "family 1 is nil"},
		{blocks.Family{Families: []kernel.Family{kernel.Features{Degree: 2}}}, "must have degree 1"},
		{blocks.Family{Families: []kernel.Family{kernel.Features{}, kernel.List{}}}, "block 2: "},
	} {
		if err := bad.f.Bind(x).Validate(); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want %q", err, bad.want)
		}
	}
}
