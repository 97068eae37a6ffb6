// A module of its own, without Go code: users of the library do not download MathJax.
module github.com/mklnb/mkl/mklnb/setup/mathjax

go 1.26
