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

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
)

// Show shows each of its arguments, in order, each as one output that contains its picture:
//
//	viz.Figure, []viz.Figure     the figure with its caption; if it is a table, a table
//	*mkl.Result                  how it ended, its certificate, the largest weights
//	*data.Dataset                its description and source, its first rows, its points; for similarities the
//	                             matrix, sorted by class, and its spectrum
//	*similarity.Spectrum         its eigenvalues, with a separate color for negative ones
//	*learn.Learned               model, expected error, comparison; folded: weights, every default that was used
//	*compare.Table               the comparison and its intervals
//	*learn.Importances, *learn.PartialDependence, *learn.LearningCurve, *compare.Ranking, model.Score,
//	*model.PredictedFile
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
		showPage(Must(makePage(x)))
	}
}

// HTML is a page, or a part of one, that Show shows unchanged:
//
//	nb.Show(nb.HTML("<b>bold</b>"))
type HTML string

// makePage returns the page that Show shows for x. It turns a panic, such as of a String method or of the data of a
// plot, into an error.
func makePage(x any) (p page, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("mklnb: show: a %T that cannot be shown: %v", x, r)
		}
	}()
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
		if stopped() { // the work that would have made x was stopped
			return warningPage(fmt.Sprintf("A %T is not shown: the cell was stopped before there was one.", x)), nil
		}
		return p, fmt.Errorf("mklnb: show: a nil %T", x)
	}
	switch x := x.(type) {
	case nil:
		return p, errors.New("mklnb: show: nil")
	case mkl.Result, data.Dataset, learn.Learned, compare.Table, similarity.Spectrum:
		pointer := reflect.New(reflect.TypeOf(x)) // these types are shown by pointer
		pointer.Elem().Set(reflect.ValueOf(x))
		return makePage(pointer.Interface())
	case image.Image:
		return imagePage(x)
	case HTML:
		return page{text: string(x), html: string(x), pictures: []picture{{title: "html", html: string(x)}}}, nil
	}
	r, err := report.Of(x)
	if !errors.Is(err, report.ErrKind) {
		if err != nil {
			return p, err
		}
		return drawReport(r)
	}
	switch x := x.(type) {
	case string:
		return textPage(x), nil
	case error:
		return textPage(x.Error()), nil
	case fmt.Stringer:
		return textPage(x.String()), nil
	}
	if method, ok := findWriterTo(x); ok {
		return plotPage(x, method)
	}
	return textPage(fmt.Sprintf("%+v", x)), nil
}

// findWriterTo returns the method WriterTo(w, h vg.Length, format string) (io.WriterTo, error) of a gonum plot. It
// looks the method up by name: an import of gonum.org/v1/plot/vg, for the type vg.Length, would be linked into every
// cell.
func findWriterTo(x any) (reflect.Value, bool) {
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

// plotPage returns a page with the gonum plot x as SVG and PNG. draw is its method WriterTo.
func plotPage(x any, draw reflect.Value) (page, error) {
	var files [2]bytes.Buffer
	for i, format := range []string{"svg", "png"} {
		length := draw.Type().In(0)
		width, height := reflect.ValueOf(plotWidth).Convert(length), reflect.ValueOf(plotHeight).Convert(length)
		out := draw.Call([]reflect.Value{width, height, reflect.ValueOf(format)})
		err, _ := out[1].Interface().(error)
		if err == nil {
			_, err = out[0].Interface().(io.WriterTo).WriteTo(&files[i])
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
	drawn := viz.Picture{SVG: files[0].String(), PNG: files[1].Bytes()}
	return picturePage(cmp.Or(title, "A plot"), "image/svg+xml", files[0].Bytes(), drawn), nil
}

// imagePage returns a page with an image, as PNG.
func imagePage(m image.Image) (page, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return page{}, fmt.Errorf("mklnb: show: a %T of %v: %w", m, m.Bounds(), err)
	}
	size := m.Bounds().Size()
	return picturePage(fmt.Sprintf("An image of %d × %d pixels", size.X, size.Y), "image/png", b.Bytes(),
		viz.Picture{PNG: b.Bytes()}), nil
}

// picturePage returns a page with a finished picture. form is the content of the picture in the page, of the given MIME
// type. pic holds the files that are written outside a notebook.
func picturePage(title, mime string, content []byte, pic viz.Picture) page {
	body := fmt.Sprintf(`<img alt="%s" style="max-width:100%%;height:auto" src="data:%s;base64,%s">`,
		html.EscapeString(title), mime, base64.StdEncoding.EncodeToString(content))
	return page{text: title + ".", html: body, pictures: []picture{{Picture: pic, title: title, html: body}}}
}
