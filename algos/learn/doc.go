// Package learn learns a kernel for a dataset in one call, and explains what it learned.
//
//	l, err := learn.Learn(ctx, d)
//	fmt.Print(report.Text(l))                     // package mklnb/report: error, comparison, defaults
//	y, err := l.Model.Predict(points)             // or Classify
//
// Learn chooses a family of kernels by the kind of data, tunes hyperparameters by cross-validation, fits the model to
// all points, and compares it with uniform weights, the best single kernel, a linear model and a constant baseline on
// the same splits (package compare). Options change its defaults: WithFamily, WithLoss, WithSplits and others.
// report.Text lists every default that was used, with the option that changes it.
//
//	fit.SplitData        keeps test points apart, if you do not want the comparison alone
//	Learn                fits the model and compares it with the alternatives: NewPlan, then Fit
//	NewPlan              returns what Learn decides before it computes, as a value to read and change
//	Fit                  follows a plan
//	WithQuantile         learns a quantile of a numeric target instead of its mean
//	Importance           measures how much the score drops if a group of features is permuted
//	PartialDependenceOf  computes the mean prediction for each value of a column
//	LearningCurveOf      computes the score for several numbers of training points
//
// WithSplits(nil) leaves the comparison out, for example after SplitData. Importance and LearningCurveOf then return an
// error, because they need its splits. Features are used as they are in a family of your own, unless it has Prepare.
//
// Above 2,000 points, the weights are learned on a subset, the landmarks. A pass over all pairs of points then bounds
// how far the objective is from its minimum over all points (Learned.Proof).
//
// A weight is not an importance: a narrow kernel is nearly the identity, acts like a larger λ and gets weight for that.
package learn
