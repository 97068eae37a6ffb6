package mklnb

import (
	"fmt"
	"html"
	"reflect"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Show shows each of its arguments, in order, each as one output with its picture inside:
//
//	viz.Figure, []viz.Figure     the figure with its caption; a table as a table
//	*mkl.Result                  how it ended, what is proved, the largest weights
//	*data.Dataset                what it is, where it is from, its first rows, its points; of similarities the
//	                             matrix, sorted by class, and its spectrum
//	*similarity.Spectrum         its eigenvalues, the negative ones in a colour of their own
//	*study.Learned               score, model, comparison, weights, every default taken
//	*study.Table                 the comparison and its intervals
//	*model.Model                 what it was learned on and predicts
//	mkl.Trace                    the certified gap against the step
//	kernel.Points                how many they are, and the first rows
//	[]float64, mat.Matrix        the numbers, a large matrix as colours
//	string, error, fmt.Stringer  the text
//
// and whatever else as fmt prints it. A figure that does not validate ends the cell.
func Show(xs ...any) {
	for _, x := range xs {
		p, err := pageOf(x)
		if err != nil {
			fail(err)
		}
		put(p)
	}
}

// pageOf is what Show shows of x.
func pageOf(x any) (page, error) {
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
		return page{}, fmt.Errorf("mklnb: show: a nil %T", x)
	}
	switch x := x.(type) {
	case nil:
		return page{}, fmt.Errorf("mklnb: show: nil")
	case viz.Figure:
		return figures(x)
	case *viz.Figure:
		return figures(*x)
	case []viz.Figure:
		return figures(x...)
	case *mkl.Result:
		return resultPage(x)
	case mkl.Result:
		return resultPage(&x)
	case mkl.Trace:
		return tracePage(x)
	case data.Dataset:
		return pageOf(&x)
	case *data.Dataset:
		return datasetPage(x)
	case study.Learned:
		return pageOf(&x)
	case *study.Learned:
		return learnedPage(x)
	case study.Table:
		return pageOf(&x)
	case *study.Table:
		return tablePage(x)
	case model.Model:
		return pageOf(&x)
	case *model.Model:
		return textPage(x.String()), nil
	case *similarity.Spectrum:
		return figures(spectrumFigure("The similarity", x))
	case kernel.Points:
		return pointsPage(x)
	case []float64:
		return floatsPage(x), nil
	case mat.Matrix:
		return matrixPage(x)
	case string:
		return textPage(x), nil
	case error:
		return textPage(x.Error()), nil
	case fmt.Stringer:
		return textPage(x.String()), nil
	}
	return textPage(fmt.Sprintf("%+v", x)), nil
}

// figures is the page of figures, if they are valid.
func figures(fs ...viz.Figure) (page, error) {
	for _, f := range fs {
		if err := f.Validate(); err != nil {
			return page{}, err
		}
	}
	return paint(fs...), nil
}

// textPage is text as it is, its lines and spaces kept.
func textPage(text string) page {
	if strings.ContainsRune(text, '\n') {
		return page{text: text, html: `<pre class="mkl-text">` + html.EscapeString(text) + `</pre>`}
	}
	return note(text)
}

// join is several pages as one.
func join(ps ...page) page {
	var all page
	for _, p := range ps {
		all.html += p.html
		if all.text != "" && !strings.HasSuffix(all.text, "\n") {
			all.text += "\n"
		}
		all.text += p.text
		all.figures = append(all.figures, p.figures...)
	}
	return all
}
