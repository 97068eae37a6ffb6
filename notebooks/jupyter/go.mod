// A module of its own, without Go code: users of the library do not download the charts of the notebooks.
module github.com/mklnb/mkl/notebooks/jupyter

go 1.26
