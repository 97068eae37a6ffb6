// Package notebooks has no Go API: its folder holds the tests of the notebooks and of their kernel, for an author who
// changes a notebook, package mklnb or package setup.
//
//	go test ./mklnb/lab/notebooktest -run 'TestLimits|TestCompile'                 lengths of cells; each compiles
//	go test ./mklnb/lab/notebooktest -run TestOutputs/01_nkrr -regen -timeout 60m  runs one, stores its outputs
//	MKL_TESTS=all go test ./mklnb/lab/notebooktest -run TestMutations -timeout 60m  each check fails on a wrong cell
//
//	gate_test.go       every cell compiles
//	limits_test.go     lengths of cells and texts
//	execute_test.go    every notebook runs from top to bottom
//	mutations_test.go  every check fails if the notebook is changed
//	refresh_test.go    stored outputs belong to the cells
//	browser_test.go    JupyterLab and the exported page in a browser: charts, formulas, progress, stop button
//	cells_test.go      mistakes of cells
//	kernel_test.go     the kernel: failed cells, order of outputs, hints in errors
//	variables_test.go  the variables of cells
package notebooks
