package fit

import _ "github.com/mklnb/mkl/algos/linalg/openblas" // the tests run with the library too
