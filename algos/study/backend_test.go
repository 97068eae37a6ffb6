package study

import (
	"testing"

	"github.com/mklnb/mkl/algos/linalg/linalgtest"
)

func TestBackend(t *testing.T) { linalgtest.Backend(t) }
