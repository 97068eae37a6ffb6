// Package notebooks has no Go API: its folder holds the tests of the notebooks and of their kernel, for an author who
// changes a notebook, package mklnb or package setup.
//
//	go test ./mklnb/lab/notebooktest -run 'TestLimits|TestCompile'                 lengths of cells; each compiles
//	go test ./mklnb/lab/notebooktest -run TestOutputs/01_nkrr -regen -timeout 60m  runs one, stores its outputs
//	MKL_TESTS=all go test ./mklnb/lab/notebooktest -run TestMutations -timeout 60m  each check fails on a wrong cell
//
// Tests of the notebooks, which eachNotebook in notebook_test.go walks:
//
//	gate_test.go       every cell compiles
//	limits_test.go     lengths of cells and texts, words in backquotes
//	refresh_test.go    stored outputs belong to the cells
//	kept_test.go       stored outputs contain the stored results of the papers
//	mutations_test.go  every check fails if the notebook is changed
//	execute_test.go    every notebook runs from top to bottom
//	browser_test.go    JupyterLab and the exported page in a browser: charts, formulas, progress, stop button
//	first_cell_test.go the first cell of the first notebook with files of a reader
//
// Tests of the kernel:
//
//	cells_test.go      mistakes of cells
//	kernel_test.go     failed cells, order of outputs, hints in errors
//	frontends_test.go  what front-ends do beside running cells: stop, input, completion
//	variables_test.go, silent_test.go   the variables of cells
//
// harness_test.go and stored_test.go test the tests: each fault of a notebook is found.
package notebooks
