// Package mklnb is multiple kernel learning in notebook cells, under Jupyter's kernel "Go (mkl)":
// verbs of one line that load, solve, show and check.
//
//	d := nb.Load("sonar")
//	nb.Show(d)
//	r := nb.Solve(problem(d), mkl.SPG{}, nil)
//	nb.Show(r)
//	nb.Check("relative gap", r.RelativeGap(), 0, 1e-6)
//
// # Which loss, family, set, solver?
//
// Learn takes all of them by itself. By hand, with a first choice for each:
//
//	two classes                       loss.Hinge{C: 1} (a support vector machine), solver mkl.Level{}
//	two classes, many solves          loss.Squared{Lambda: 0.1}: constants are chosen fast and exactly
//	more classes                      code := model.TargetEncoding{Classes: len(d.Classes)}; Y: code.EncodeAll(d.Y),
//	and
//	                                  loss.Repeat(loss.Hinge{C: 1}, code.Columns())
//	a number                          loss.Squared{Lambda: 0.1}
//	a number > 0, errors in shares    data.Options{Regression: true, Log: true} and Learn
//	rows of the same person           data.Options{Group: "person"}
//	a number, with outliers           loss.EpsilonInsensitive{C: 1, Epsilon: 0.1}, solver mkl.Level{}
//	widths to choose among            kernel.Sum of kernel.RBF, normalised to mean diagonal 1
//	features of unknown use           kernel.Sum of one kernel a feature, kernel.RBF{Gamma: 1, Columns: []int{j}}
//	products of features              kernel.Monomials{Kernels: …, Free: kernel.Exponents(p, 2)}, one kernel each
//	similarities that are no kernels  data.OpenSimilarities and Learn; similarity.Learned, reg.DistancePenalty,
//	                                  mkl.DualAscent{}
//	sources of different worth        data.Views, or data.OpenGrams for matrices in files, and Learn
//	to know which features matter     Learn, then Importance, Partial and LearningCurve
//	few weights other than 0          set.Simplex{}
//	many useful kernels               set.Ball{Q: 2, Radius: 1}, or one about the uniform weights
//	a differentiable F                mkl.SPG{}, the default; F of the hinge loss has kinks: mkl.Level{}
//	more than 20,000 points           Learn with learn.WithBudget; by hand loss.Squared, or loss.SquaredHinge of two
//	                                  classes, and solver mkl.Subspace{}: other solvers form n×n matrices
//	weights without a solver          Weigh with mkl.Uniform{}, mkl.Alignment{} or mkl.EasyMKL{}
//
// A solver that does not suit a problem says so, and names one that does. Section 4 of 00_start_here
// takes such choices by hand. Fit makes a model of a result: it is kept by Save, and predicts new files.
//
// # Failure
//
// No verb returns an error. What goes wrong ends the cell with one line that says what, where and
// what was expected, and with exit status 1; the notebook's kernel and its declarations live on.
// Must does so for calls of other packages.
//
// # Output
//
// Show sends one message for each value: HTML with the picture inside, the same picture as PNG, and
// plain text. Where scripts run the picture becomes an interactive chart, where they do not it
// stays. Every message is acknowledged by the kernel before the program goes on, so nothing shown
// is lost, however the cell ends. Labels are escaped wherever they appear, ids are made of the
// figure's content, and neither times nor addresses are in an output, but for the day of a model that
// Save finds in its place, so a notebook that is executed again differs where its numbers do.
//
// What a cell prints with fmt, or shows by GoNB's own gonbui, goes other ways; under the kernel Go (mkl) it
// stands before what this package shows after it. Under GoNB's own kernel lines may appear before or after,
// and a cell uses this package or gonbui, not both.
//
// Outside a notebook the same calls print text and write the figures as SVG, PNG and HTML into the
// folder MKL_OUT, or mkl-out where that is not set. Cells therefore run under go run and go test.
//
// # Long work
//
// What takes more than a second shows a bar with the time left. Jupyter's stop button (SIGINT) ends
// Solve, Steps and Run after the evaluation in flight: they show the best so far, marked as stopped
// with what is proved of it, and return it; the rest of the cell runs, the cells queued after it do not, as after
// a cell that failed.
// What comes later in a stopped cell and is long is cut short in the same way: the kernel kills a
// cell five seconds after the button. A second interrupt ends the program at once. A program goes on too, and ends with
// status 0 unless it asks Stopped of a table, or the Status of a result, and exits with another.
//
// # Weight
//
// Every cell is a program that links this package, so it imports no plotting library: figures are
// plain data (package viz) and a renderer in a process of its own draws them.
//
// # Linear algebra
//
// Where an OpenBLAS library is installed, cells use it for what is large enough to gain; see package
// algos/linalg/openblas, which this package imports, and the variable MKL_BLAS.
package mklnb

import _ "github.com/mklnb/mkl/algos/linalg/openblas"
