package mklnb

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"reflect"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Show shows each of its arguments, in order, each as one output that contains its picture:
//
//	viz.Figure, []viz.Figure     the figure with its caption; if it is a table, a table
//	*mkl.Result                  how it ended, its certificate, the largest weights
//	*data.Dataset                its description and source, its first rows, its points; for similarities the
//	                             matrix, sorted by class, and its spectrum
//	*similarity.Spectrum         its eigenvalues, with a separate color for negative ones
//	*learn.Learned               score, model, comparison, weights, every default that was used
//	*compare.Table               the comparison and its intervals
//	*learn.Importances, *learn.PartialDependence, *learn.LearningCurve, *compare.Ranking
//	                             the findings in sentences, and their charts
//	*model.Model                 its training data and its outputs
//	mkl.Trace                    the certified gap against the step
//	points.Points                the number of points, and the first rows
//	[]float64, mat.Matrix        the numbers; a large matrix as colors
//	*plot.Plot of gonum          the plot, 700 pixels wide
//	image.Image                  the image
//	HTML                         the page; formulas are not typeset
//	string, error, fmt.Stringer  the text
//
// It shows any other value as fmt prints it. A figure that is not valid ends the cell. In a terminal, Show writes
// pictures and HTML pages to files, and prints the names of the files.
func Show(xs ...any) {
	for _, x := range xs {
		put(Must(Must(contentOf(x)).draw()))
	}
}

// HTML is a page, or a part of one, that Show shows unchanged:
//
//	nb.Show(nb.HTML("<b>bold</b>"))
type HTML string

// contentOf returns the content that Show shows for x. It turns a panic, such as of a String method or of the data of a
// plot, into an error.
func contentOf(x any) (c content, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("mklnb: show: a %T that cannot be shown: %v", x, r)
		}
	}()
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
		if stopped() { // the work that would have made x was stopped
			c.page = warning(fmt.Sprintf("A %T is not shown: the cell was stopped before there was one.", x))
			return c, nil
		}
		return c, fmt.Errorf("mklnb: show: a nil %T", x)
	}
	switch x := x.(type) {
	case nil:
		return c, errors.New("mklnb: show: nil")
	case viz.Figure:
		c.figures = []viz.Figure{x}
	case *viz.Figure:
		c.figures = []viz.Figure{*x}
	case []viz.Figure:
		if c.figures = x; len(x) == 0 {
			c.page = note("No figures.")
		}
	case *mkl.Result:
		c, err = ofResult(x)
	case mkl.Trace:
		c = ofTrace(x)
	case *data.Dataset:
		c.figures, err = x.Figures()
	case *learn.Learned:
		c, err = ofLearned(x)
	case *compare.Table:
		c = ofTable(x)
	case *similarity.Spectrum:
		if len(x.Values) == 0 {
			return c, errors.New("mklnb: show: the similarity.Spectrum is empty; show a result of Decompose")
		}
		c.figures = []viz.Figure{x.Figure("The similarity")}
	case mkl.Result, data.Dataset, learn.Learned, compare.Table, similarity.Spectrum, model.Model:
		p := reflect.New(reflect.TypeOf(x)) // these types are shown by pointer
		p.Elem().Set(reflect.ValueOf(x))
		return contentOf(p.Interface())
	case points.Points:
		c, err = ofPoints(x)
	case []float64:
		c.page = ofFloats(x)
	case mat.Matrix:
		c = ofMatrix(x)
	case image.Image:
		c.page, err = ofImage(x)
	case HTML:
		c.page = page{text: string(x), html: string(x), pictures: []picture{{title: "html", html: string(x)}}}
	case string:
		c.page = paragraph(x)
	case error:
		c.page = paragraph(x.Error())
	case interface {
		fmt.Stringer
		Figures() []viz.Figure
	}:
		for line := range strings.Lines(x.String()) {
			c.page = c.and(note(strings.TrimSpace(line)))
		}
		c.figures = x.Figures()
	case fmt.Stringer:
		c.page = paragraph(x.String())
	default:
		if draw, ok := writerTo(x); ok {
			c.page, err = ofPlot(x, draw)
		} else {
			c.page = paragraph(fmt.Sprintf("%+v", x))
		}
	}
	return c, err
}

// ofPoints returns the content that Show shows for points: their number and, if they have features, the first rows.
func ofPoints(x points.Points) (content, error) {
	if err := x.Validate(); err != nil {
		return content{}, err
	}
	size := viz.Count(x.Len(), "point")
	head, ok := (&data.Dataset{X: x}).Head()
	if !ok {
		return content{page: note(fmt.Sprintf("%s of kind %T.", size, x))}, nil
	}
	if d := points.Width(x); d > 0 {
		size += ", " + viz.Count(d, "feature")
	}
	return content{note(size + "."), []viz.Figure{head}}, nil
}

// writerTo returns the method WriterTo(w, h vg.Length, format string) (io.WriterTo, error) of a gonum plot. It looks
// the method up by name: an import of gonum.org/v1/plot/vg, for the type vg.Length, would be linked into every cell.
func writerTo(x any) (reflect.Value, bool) {
	m := reflect.ValueOf(x).MethodByName("WriterTo")
	if !m.IsValid() {
		return m, false
	}
	t := m.Type()
	return m, t.NumIn() == 3 && t.NumOut() == 2 && t.In(0) == t.In(1) && t.In(2) == reflect.TypeFor[string]() &&
		reflect.TypeFor[float64]().ConvertibleTo(t.In(0)) &&
		t.Out(0) == reflect.TypeFor[io.WriterTo]() && t.Out(1) == reflect.TypeFor[error]()
}

// The size of a plot in points; 3 points are 4 pixels.
const (
	plotWidth  = 525.
	plotHeight = 350.
)

// ofPlot returns a page with the gonum plot x. draw is its method WriterTo.
func ofPlot(x any, draw reflect.Value) (page, error) {
	var forms [2]bytes.Buffer
	for i, format := range []string{"svg", "png"} {
		length := draw.Type().In(0)
		width, height := reflect.ValueOf(plotWidth).Convert(length), reflect.ValueOf(plotHeight).Convert(length)
		out := draw.Call([]reflect.Value{width, height, reflect.ValueOf(format)})
		err, _ := out[1].Interface().(error)
		if err == nil {
			_, err = out[0].Interface().(io.WriterTo).WriteTo(&forms[i])
		}
		if err != nil {
			return page{}, fmt.Errorf("mklnb: show: a %T as %s: %w", x, format, err)
		}
	}
	title := ""
	if v := reflect.Indirect(reflect.ValueOf(x)); v.Kind() == reflect.Struct {
		if t := v.FieldByName("Title"); t.Kind() == reflect.Struct {
			title = fmt.Sprint(t.FieldByName("Text"))
		}
	}
	drawn := viz.Picture{SVG: forms[0].String(), PNG: forms[1].Bytes()}
	return drawnAlready(cmp.Or(title, "A plot"), "image/svg+xml", forms[0].Bytes(), drawn), nil
}

// ofImage returns a page with an image, as PNG.
func ofImage(m image.Image) (page, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return page{}, fmt.Errorf("mklnb: show: a %T of %v: %w", m, m.Bounds(), err)
	}
	size := m.Bounds().Size()
	return drawnAlready(fmt.Sprintf("An image of %d × %d pixels", size.X, size.Y), "image/png", b.Bytes(),
		viz.Picture{PNG: b.Bytes()}), nil
}

// drawnAlready returns a page with a picture. form is the content of a file of the given MIME type.
func drawnAlready(title, mime string, form []byte, pic viz.Picture) page {
	body := fmt.Sprintf(`<img alt="%s" style="max-width:100%%;height:auto" src="data:%s;base64,%s">`,
		html.EscapeString(title), mime, base64.StdEncoding.EncodeToString(form))
	return page{text: title + ".", html: body, pictures: []picture{{Picture: pic, title: title, html: body}}}
}
