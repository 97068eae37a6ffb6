package kernel_test

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
)

func TestBlocks(t *testing.T) {
	x, _ := mkltest.Points(9, 2, 1)
	kerneltest.TestFamily(t, kernel.Blocks{Of: []kernel.Family{
		kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}},
		kernel.List{kernel.RBF{Gamma: 0.1}},
		kernel.Features{},
	}}, x)
	for _, bad := range []struct {
		f    kernel.Blocks
		want string
	}{
		{kernel.Blocks{}, "Blocks has no families"},
		{kernel.Blocks{Of: []kernel.Family{nil}}, "family 1 of the blocks is nil"},
		{kernel.Blocks{Of: []kernel.Family{kernel.Features{Degree: 2}}}, "family 1 of the blocks is not of degree 1"},
		{kernel.Blocks{Of: []kernel.Family{kernel.Features{}, kernel.List{}}}, "block 2: "},
	} {
		if err := bad.f.On(x).Validate(); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want %q", err, bad.want)
		}
	}
}
