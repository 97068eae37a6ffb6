package mklnb

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
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
//	*plot.Plot of gonum          the plot, 700 pixels wide
//	image.Image                  the image
//	HTML                         the page that it is, formulas not typeset
//	string, error, fmt.Stringer  the text
//
// and whatever else as fmt prints it. A figure that does not validate ends the cell. In a terminal pictures, and pages of
// HTML, are files, whose names are printed.
func Show(xs ...any) {
	for _, x := range xs {
		p, err := safePage(x)
		if err != nil {
			fail(err)
		}
		put(p)
	}
}

// HTML is a page, or a part of one, that Show shows as it is:
//
//	nb.Show(nb.HTML("<b>bold</b>"))
type HTML string

// safePage is pageOf, where a panic, of a String method or a plot's data, is an error.
func safePage(x any) (p page, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("mklnb: show: a %T that cannot be shown: %v", x, r)
		}
	}()
	return pageOf(x)
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
	case similarity.Spectrum:
		return pageOf(&x)
	case *similarity.Spectrum:
		if len(x.Values) == 0 {
			return page{}, fmt.Errorf("mklnb: show: an empty similarity.Spectrum, want what Decompose returned")
		}
		return figures(spectrumFigure("The similarity", x))
	case kernel.Points:
		return pointsPage(x)
	case []float64:
		return floatsPage(x), nil
	case mat.Matrix:
		return matrixPage(x)
	case image.Image:
		return imagePage(x)
	case HTML:
		return page{text: string(x), html: string(x), figures: []figure{{title: "html", html: string(x)}}}, nil
	case string:
		return textPage(x), nil
	case error:
		return textPage(x.Error()), nil
	case fmt.Stringer:
		return textPage(x.String()), nil
	}
	if draw, ok := writerTo(x); ok {
		return plotPage(x, draw)
	}
	return textPage(fmt.Sprintf("%+v", x)), nil
}

// writerTo is the method WriterTo(w, h vg.Length, format string) (io.WriterTo, error) of a plot of gonum. It is looked up
// by its name: an import of gonum.org/v1/plot/vg, for the type vg.Length, would be linked into every cell.
func writerTo(x any) (reflect.Value, bool) {
	m := reflect.ValueOf(x).MethodByName("WriterTo")
	if !m.IsValid() {
		return m, false
	}
	t, length := m.Type(), reflect.TypeFor[float64]()
	return m, t.NumIn() == 3 && t.NumOut() == 2 && length.ConvertibleTo(t.In(0)) && t.In(0) == t.In(1) && t.In(2) == reflect.TypeFor[string]() &&
		t.Out(0) == reflect.TypeFor[io.WriterTo]() && t.Out(1) == reflect.TypeFor[error]()
}

// plotPage is the plot x, which writes itself by draw.
func plotPage(x any, draw reflect.Value) (page, error) {
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
	return picturePage(cmp.Or(title, "A plot"), "image/svg+xml", forms[0].Bytes(), viz.Picture{SVG: forms[0].String(), PNG: forms[1].Bytes()}), nil
}

// The size of a plot in points, of which 3 are 4 pixels.
const (
	plotWidth  = 525.
	plotHeight = 350.
)

// imagePage is an image, as PNG.
func imagePage(m image.Image) (page, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return page{}, fmt.Errorf("mklnb: show: a %T of %v: %w", m, m.Bounds(), err)
	}
	size := m.Bounds().Size()
	return picturePage(fmt.Sprintf("An image of %d × %d pixels", size.X, size.Y), "image/png", b.Bytes(), viz.Picture{PNG: b.Bytes()}), nil
}

// picturePage is a picture that is there in a form of this MIME type.
func picturePage(title, mime string, form []byte, pic viz.Picture) page {
	body := fmt.Sprintf(`<img alt="%s" style="max-width:100%%;height:auto" src="data:%s;base64,%s">`,
		html.EscapeString(title), mime, base64.StdEncoding.EncodeToString(form))
	return page{text: title + ".", html: body, figures: []figure{{Picture: pic, title: title, html: body}}}
}

// figures is the page of figures, if they are valid.
func figures(fs ...viz.Figure) (page, error) {
	if len(fs) == 0 {
		return note("No figures."), nil
	}
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
