// Package algos contains no code. Its folders are the packages of the library, and this is the way through them.
//
//	Learn from a table, a file or Gram matrices       data.Open, data.FromGrams, data.Join; learn.Learn
//	Keep test points apart                            fit.SplitData; model.Model.Score
//	Predict, save, serve                              model.Model, model.Load, model.Model.Predictor
//	Explain                                           learn.Importance, learn.PartialDependenceOf
//	Print a result                                    report.Text (package mklnb/report)
//	Choose kernels, loss, set and solver yourself     mkl.Problem, mkl.Solve; tables in mkl, kernel, set, loss
//	A model from a solved problem                     fit.BuildModel
//	Cross-validate hyperparameters or families        fit.Search, fit.Best
//	Compare methods on repeated splits                compare.Study
//	Similarities that are no kernels                  package similarity
//	A kernel, loss, set, regularizer or solver        .github/CONTRIBUTING.md has a guide and an example for each;
//	of your own                                       kerneltest, losstest, settest, regtest, mkltest check it
package algos
