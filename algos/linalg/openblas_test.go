package linalg_test

import _ "github.com/mklnb/mkl/algos/linalg/openblas"
