// Package mklnb provides multiple kernel learning in notebook cells, under the Jupyter kernel "Go (mkl)". Its one-line
// functions load, solve, show and check.
//
//	d := nb.Load("sonar")
//	d // the value of the last line is shown
//	r := nb.Solve(problem(d), mkl.SPG{}, nil) // problem makes an *mkl.Problem of d
//	nb.Show(r)
//	nb.Check("relative gap", r.RelativeGap(), 0, 1e-6)
//
//	Load, Open, Split                        a dataset by its name, or a file; training and test points
//	Learn                                    a model for a dataset, compared with simple ones: package learn
//	Importance, Partial, LearningCurve       which columns matter, and how; whether more points would help
//	Save, LoadModel, Score, ScoreFile        a model in a file; its error on points with labels
//	Solve, Steps, EvaluateRule, Fit          a problem of your own: package mkl; Fit makes a model of the result
//	Run                                      a comparison of methods: package compare
//	Align                                    similarities of sequences
//	Show, Check, CheckTrue                   shows any value; compares a number with what it should be
//	Must, Try, Size                          errors inside functions; a number by the size of a run (MKL_SIZE)
//
// In a Go program, call the packages themselves: package algos lists them.
//
// # Which loss, family, set, solver?
//
// Learn chooses all of them. If you choose them yourself, these are first choices:
//
//	two classes                       loss.Hinge{C: 1} (a support vector machine), solver mkl.Level{}
//	two classes, many solves          loss.Squared{Lambda: 0.1}: hyperparameters are chosen fast and exactly
//	more classes                      code := model.TargetEncoding{Classes: len(d.Classes)}; Y: code.EncodeAll(d.Y),
//	                                  Loss: loss.Repeat(loss.Hinge{C: 1}, code.Columns())
//	a number                          loss.Squared{Lambda: 0.1}
//	a number > 0, relative errors     data.Options{Regression: true, LogTargets: true} and Learn
//	rows of the same person           data.Options{Group: "person"}
//	a number, with outliers           loss.EpsilonInsensitive{C: 1, Epsilon: 0.1}, solver mkl.Level{}
//	a choice of widths                kernel.Sum of kernel.RBF, normalized to mean diagonal 1
//	features of unknown use           kernel.Sum, for each feature kernel.RBF{Gamma: 1, Columns: []int{j}}
//	products of features              kernel.Monomials{Kernels: …, Free: kernel.Exponents(p, 2)}, one kernel each
//	similarities, invalid as kernels  data.Options.OpenSimilarities and Learn; similarity.Learned,
//	                                  reg.DistancePenalty, mkl.DualAscent{}
//	sources of different quality      data.Views, or data.Join of tables, sequences and matrices, and Learn
//	which features matter             Learn, then Importance, Partial and LearningCurve
//	few nonzero weights               set.Simplex{}
//	many useful kernels               set.Ball{Q: 2, Radius: 1}, or a ball about the uniform weights
//	a differentiable objective        mkl.SPG{}, the default; with the hinge loss it has kinks: mkl.Level{}
//	more than 20,000 points           Learn with the squared loss: it fits the weights to at most 2,000 points
//	                                  (learn.WithLandmarks) and proves a bound for all points
//	weights without a solver          EvaluateRule with mkl.Uniform{}, mkl.AlignF{}, mkl.EasyMKL{}
//
// A solver that does not suit a problem returns an error that names a suitable one. Section 4 of the notebook
// 00_start_here makes such choices explicitly. Fit makes a model of a result; Save stores the model, and the model
// predicts new files.
//
// # Failure
//
// No function returns an error. A failure ends the cell with exit status 1 and one line that states the fault, its
// place and the expected value. The notebook's kernel, its declarations and its variables live on. The kernel does the
// same for calls of other packages in the statements of a cell, as in m := model.Load(path); inside functions, Must
// does.
//
// # Variables
//
// Variables of a cell have in later cells the value that they had when their cell ended. A variable of a function, a
// channel or an open file ends with its cell: its use later is an error that names the reason. Package mklnb/kept
// writes and reads them.
//
// # Output
//
// Show sends one message for each value: HTML that contains the picture, the same picture as PNG, and plain text. If
// the viewer runs scripts, the picture becomes an interactive chart; otherwise the picture stays. The kernel
// acknowledges every message before the program continues, so nothing that was shown is lost, however the cell ends.
// Labels are escaped wherever they appear. Ids of HTML elements are derived from the content of the figure. An output
// contains no times or addresses, except the day of a model that Save replaces. A notebook that is executed again
// therefore differs only if its numbers differ.
//
// Text that a cell prints with fmt, and output of GoNB's package gonbui, take other channels. Under the kernel Go
// (mkl), they appear before anything that this package shows later. Under GoNB's own kernel, the order is not certain,
// and a cell uses either this package or gonbui, not both.
//
// Outside a notebook, the same calls print text, and write the figures as SVG and PNG into the folder MKL_OUT, or into
// mkl-out if that variable is not set. Cells therefore run under go run and go test.
//
// # Long work
//
// Work that takes more than a second shows a bar with the time left. Jupyter's stop button (SIGINT) ends Solve, Steps
// and Run after the current evaluation. They show the best result so far, marked as stopped and with its certificate,
// and return it. The rest of the cell runs. The cells queued after it do not run, as after a cell that failed. Later
// long work in a stopped cell is cut short in the same way, because the kernel kills a cell five seconds after the
// button. A second interrupt ends the program at once.
//
// A program outside a notebook also goes on after the first interrupt, and ends with status 0. To exit with another
// status, it must check Stopped of a table or the Status of a result.
//
// # Size of a cell
//
// Every cell is a program that links this package, so this package imports no plotting library: figures are plain data
// (package viz), and the renderer, a separate process, draws them.
//
// # Linear algebra
//
// If an OpenBLAS library is installed, cells use it for operations that are large enough to become faster. See package
// algos/linalg/openblas, which this package imports, and the environment variable MKL_BLAS.
package mklnb

import _ "github.com/mklnb/mkl/algos/linalg/openblas"
