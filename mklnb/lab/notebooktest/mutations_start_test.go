package notebooks

// mutationsStart contains the mutations of 00_start_here.
var mutationsStart = []mutation{
	{"plants: draws in which one kernel is clearly better", "f.Series[1]", "f.Series[0]"},
	{"half the length of the interval", "1./10+ratio", "1./10"},
	{"half the length of the interval", "38./112", "38./150"}, // n₂/n
	{"root mean square of the drawn errors", "off[i] -= y", "off[i] += y"},
	{"RMSE on new plants, near the noise", "score.RMSE, 0.5", "score.RMSE*score.RMSE, 0.5"},
	{"the new plants are other plants", `"new.csv", 40, 2)`, `"new.csv", 40, 1)`},
	{"mean RMSE before columns are shuffled", `"selected"`, `"learned"`},
	{"rise if light is shuffled", "groups.Groups[0]", "groups.Groups[1]"},
	{"water at the top of the curve", `nb.Partial(l, "water")`, `nb.Partial(l, "light")`},
	{"sonar: draws in which learned weights clearly beat uniform ones", "countClear(f.Series[0])",
		"countClear(f.Series[1])"},
	{"RMSE of the first split of seed 3, computed again", `"sonar", 3, 1)`, `"sonar", 4, 1)`},
	{"learned − best single of seed 3 in the chart, lower end", "52./156", "52./208"}, // n₂/n
	{"learned − best single of seed 3 in the chart, upper end", "f.Series[1].Hi[2]", "f.Series[1].Hi[3]"},
	{"source %s has its 20 bands in order", `View(start.Ranges)`,
		`View(data.Views{"low": start.Ranges["middle"], "middle": start.Ranges["low"], "high": start.Ranges["high"]})`},
	{"three sources: draws in which learned weights clearly beat one kernel", `"sonar in ranges",`, `"sonar",`},
	{"clearly better than uniform weights on one set, than one kernel on none", "f.Series[1]", "f.Series[0]"},
	{"error rate, lower end", "68./202", "68./270"},
	{"error rate, upper end, Wilson's", "+z*z/(4*n*n)", ""}, // Wald's, about Wilson's middle
	{"certified relative gap", "mkl.Level{}, nil", "mkl.Level{}, &mkl.Settings{Iterations: 3}"},
	{"least F, computed once by numpy", "loss.Hinge{C: 1}", "loss.Hinge{C: 0.9}"},
	{"least F, by another solver", "mkl.SPG{AllowNonsmooth: true}, nil",
		"mkl.SPG{AllowNonsmooth: true}, &mkl.Settings{Iterations: 3}"},
	{"sum of the hinge errors, from F and Σα", "d.Y[i]*f)", "d.Y[i]*(f-r.Bias))"}, // without the intercept
	{"comparisons with a clearly lower error", "s.Hi[i] < 0", "s.Y[i] < 0"},
	{"comparisons with a clearly higher error", "s.Lo[i] > 0", "s.Y[i] > 0"},
	{"dots from the middle of their intervals", "(lo+s.Hi[i])/2", "lo"},
	{"00 sonar, from the sums of errors", "learned/uniform-1", "1-uniform/learned"}, // in percent of the wrong RMSE
	{"01 robot arm, from its curves", `"kin-8nm", 4`, `"kin-8nm", 3`},
}
