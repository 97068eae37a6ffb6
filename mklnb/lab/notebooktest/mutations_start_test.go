package notebooks

// mutationsStart contains the mutations of 00_start_here.
var mutationsStart = []mutation{
	{"half the length of the interval", "1/splits+l.Table.Ratio", "1/splits"},
	{"water at the top of the curve", `nb.Partial(l, "water")`, `nb.Partial(l, "light")`},
	{"RMSE of the first split of seed 3, computed again", `"sonar", 3, 1)`, `"sonar", 4, 1)`},
	{"certified relative gap", "mkl.Level{}, nil", "mkl.Level{}, &mkl.Settings{Iterations: 3}"},
	{"least F, computed once by numpy", "loss.Hinge{C: 1}", "loss.Hinge{C: 0.9}"},
	{"least F, by another solver", "mkl.SPG{Force: true}, nil", "mkl.SPG{Force: true}, &mkl.Settings{Iterations: 3}"},
}
