package mklnb

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/mklnb/mkl/mklnb/kept"
	"github.com/mklnb/mkl/mklnb/report"

	"gonum.org/v1/gonum/mat"
)

// Show shows each of its arguments, in order, each as one output that contains its picture:
//
//	viz.Figure, []viz.Figure     the figure with its caption; if it is a table, a table
//	*mkl.Result                  how the solver ended, the certificate, the largest weights
//	*data.Dataset                description, source and first rows of the dataset, a chart of its points
//	*learn.Learned               model, expected error, comparison; in folded sections the weights and all defaults
//	*compare.Table               the comparison and its intervals
//	*learn.Importances, *learn.PartialDependence, *learn.LearningCurve, *compare.Ranking, model.Score,
//	*model.PredictedFile
//	                             the findings in sentences, and their charts
//	*model.Model                 its training data and its outputs
//	mat.Matrix                   the numbers; of a large matrix those at the corners
//	string, error, fmt.Stringer  the text
//
// It shows any other value as fmt prints it. A figure that is not valid ends the cell with an error. In a terminal,
// Show writes pictures to files, and prints the names of the files. It accepts the results of a call that returns an
// error too, as in Show(m.Score(d)): after other values, an error ends the cell, and nil is not shown.
func Show(xs ...any) {
	if last := len(xs) - 1; last > 0 {
		err, isError := xs[last].(error)
		if Try(err); isError || xs[last] == nil {
			xs = xs[:last]
		}
	}
	for _, x := range xs {
		showPage(Must(makePage(x)))
	}
}

// makePage returns the page that Show shows for x. It turns a panic, such as of a String method, into an error.
func makePage(x any) (p page, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("mklnb: show: a %T cannot be shown: %v", x, r)
		}
	}()
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
		if isStopped() { // the work that would have made x was stopped
			return warningPage(fmt.Sprintf("No %T is shown: the cell was stopped before it was computed.", x)), nil
		}
		return p, fmt.Errorf("mklnb: show: the %T is nil", x)
	}
	if x == nil {
		return p, errors.New("mklnb: show: the value is nil; pass a result, a dataset or a figure")
	}
	r, err := report.Of(x)
	if !errors.Is(err, report.ErrKind) {
		if err != nil {
			return p, err
		}
		return drawReport(r.ForExpression(kept.Expression))
	}
	switch x := x.(type) {
	case mat.Matrix:
		return textPage(fmt.Sprintf("%.4g", mat.Formatted(x, mat.Excerpt(6)))), nil
	case string:
		return textPage(x), nil
	case error:
		return textPage(x.Error()), nil
	case fmt.Stringer:
		return textPage(x.String()), nil
	}
	return textPage(fmt.Sprintf("%+v", x)), nil
}
