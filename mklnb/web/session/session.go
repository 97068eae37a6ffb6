// Package session is the program behind the page of mklnb/web: it reads data, learns, and predicts, as the page asks.
// Requests and answers are JSON. The reports are those of the notebook.
package session

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render"
)

// Request is a message of the page. Its fields are used by the methods that need them.
type Request struct {
	Dataset  string       // name of an embedded data set; "" for files
	Files    []string     // paths of the files; for matrices, those of the matrices
	Kind     string       // what the files are: "table", "grams" or "similarities"
	Options  data.Options // how the files are read
	Interval bool         // add prediction intervals of level 0.9
}

// Answer is a message to the page. Error and Fields are for a request that failed.
type Answer struct {
	HTML        string  `json:"html,omitempty"`
	Error       string  `json:"error,omitempty"`
	Fields      []Field `json:"fields,omitempty"`
	Opened      *opened `json:"opened,omitempty"`
	File        string  `json:"file,omitempty"` // path of the file that was written
	Names       []string
	Cell        string  `json:"cell,omitempty"`
	Program     string  `json:"program,omitempty"`
	Done, Total int     `json:",omitempty"`
	SecondsLeft float64 `json:"secondsLeft,omitempty"`
}

// opened describes the data set that was read.
type opened struct {
	Columns      []string `json:"columns"` // columns that may be the target or the group
	Target       string   `json:"target"`
	IsRegression bool     `json:"isRegression"`
}

// Session holds what the page has read and learned.
type Session struct {
	data    *data.Dataset
	learned *learn.Learned
	send    func(Answer)                             // sends an intermediate answer, such as progress
	pause   func()                                   // lets the page send a message, such as stop
	cancel  context.CancelFunc                       // ends the work in progress
	methods map[string]func(Request) (Answer, error) // by name
}

// New returns a session. It calls send with intermediate answers, and pause during long work.
func New(send func(Answer), pause func()) *Session {
	s := &Session{send: send, pause: pause, cancel: func() {}}
	s.methods = map[string]func(Request) (Answer, error){"list": s.list, "open": s.open, "learn": s.learn,
		"importance": s.importance, "predict": s.predict, "save": s.save}
	return s
}

// Call runs a method with arguments in JSON and returns its answer in JSON. An error becomes an answer with the fields
// of the options that its message names.
func (s *Session) Call(method, arguments string) string {
	var r Request
	err := json.Unmarshal([]byte(arguments), &r)
	var a Answer
	if err == nil {
		a, err = s.run(method, r)
	}
	if err != nil {
		a = Answer{Error: strings.ReplaceAll(err.Error(), "/in/", ""), Fields: fieldsOfMessage(err.Error())}
	}
	text, err := json.Marshal(a)
	if err != nil {
		return `{"error": "the answer cannot be written as JSON"}`
	}
	return string(text)
}

// Stop ends the work in progress; what is finished is its result.
func (s *Session) Stop() { s.cancel() }

// errNoModel is the error of methods that need a model.
var errNoModel = errors.New("learn a model first")

// run runs a method. A panic is an error.
func (s *Session) run(method string, r Request) (a Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault of this program, please report it: %v", p)
		}
	}()
	return s.methods[method](r)
}

// list returns the names of the embedded data sets. Large ones are not part of the page.
func (s *Session) list(Request) (a Answer, err error) {
	for _, info := range datasets.List() {
		if d, err := datasets.Load(info.Name); err == nil && d.Y != nil {
			a.Names = append(a.Names, info.Name)
		}
	}
	return a, nil
}

// open reads a data set and returns its report.
func (s *Session) open(r Request) (a Answer, err error) {
	s.data, s.learned = nil, nil
	o := r.Options
	var d *data.Dataset
	switch {
	case r.Dataset != "":
		d, err = datasets.Load(r.Dataset)
	case r.Kind == "table" && len(r.Files) != 1:
		err = errors.New("give one table; several tables of the same points are joined in a notebook (data.Join)")
	case r.Kind == "table":
		d, err = o.Open(r.Files[0])
	case r.Kind == "similarities":
		d, err = o.OpenSimilarities(r.Files...)
	default:
		d, err = o.OpenGrams(r.Files...)
	}
	if err != nil {
		return a, err
	}
	if a.HTML, err = htmlOf(d); err != nil {
		return a, err
	}
	s.data = d
	a.Opened = &opened{Target: d.Target, IsRegression: d.Y != nil && d.Classes == nil}
	if r.Dataset == "" && r.Kind == "table" {
		a.Opened.Columns = columnsOf(d, o)
	}
	a.Cell, a.Program = code(r)
	return a, nil
}

// columnsOf returns the columns of the file of d: its features, its target, its group and the columns left out.
func columnsOf(d *data.Dataset, o data.Options) (names []string) {
	for _, c := range d.FileColumns() {
		names = append(names, c.Name)
	}
	for _, name := range append([]string{d.Target, o.Group, o.Key}, o.DropColumns...) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// learn learns a kernel for the data. It sends the fitted model, then progress, and returns the report of the result.
func (s *Session) learn(r Request) (a Answer, err error) {
	if s.data == nil {
		return a, errors.New("choose a data set first")
	}
	ctx := s.begin()
	defer s.cancel()
	showModel := func(l *learn.Learned) {
		s.learned = l
		if page, err := htmlOf(report.OfFittedModel(l)); err == nil {
			s.send(Answer{HTML: page})
		}
	}
	options := []learn.Option{learn.WithWorkers(1), learn.WithProgress(s.progress),
		learn.WithFittedCallback(showModel)}
	if r.Interval {
		options = append(options, learn.WithIntervals(0.9))
	}
	l, err := learn.Learn(ctx, s.data, options...)
	if err != nil {
		return a, err
	}
	s.learned = l
	a.HTML, err = htmlOf(l)
	return a, err
}

// begin returns the context of long work, which Stop ends.
func (s *Session) begin() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	return ctx
}

// progress sends the progress of a work.
func (s *Session) progress(p compare.Progress) {
	s.send(Answer{Done: p.Done, Total: p.Total, SecondsLeft: p.Left.Seconds()})
	s.pause()
}

// importance returns the report of the importance of each column.
func (s *Session) importance(Request) (a Answer, err error) {
	if s.learned == nil {
		return a, errNoModel
	}
	ctx := s.begin()
	defer s.cancel()
	w, err := learn.Importance(ctx, s.learned, s.progress)
	if err != nil {
		return a, err
	}
	a.HTML, err = htmlOf(w)
	return a, err
}

// predict predicts files, and returns the report and the path of the predictions.
func (s *Session) predict(r Request) (a Answer, err error) {
	if s.learned == nil {
		return a, errNoModel
	}
	f, err := s.learned.Model.PredictFile(r.Files...)
	if err != nil {
		return a, err
	}
	a.File = f.Path
	a.HTML, err = htmlOf(f)
	return a, err
}

// save writes the model file.
func (s *Session) save(Request) (a Answer, err error) {
	if s.learned == nil {
		return a, errNoModel
	}
	a.File = path.Join(os.TempDir(), s.learned.Data+".model.json")
	return a, s.learned.Model.Save(a.File)
}

// htmlOf returns the report of x as HTML, with each chart as a picture.
func htmlOf(x any) (string, error) {
	r, ok := x.(report.Report)
	if !ok {
		var err error
		if r, err = report.Of(x); err != nil {
			return "", err
		}
	}
	return r.Page(func(f viz.Figure) string {
		p, err := render.SVG(f)
		if err != nil {
			return f.HTMLTable() + "<p><small>No picture: " + html.EscapeString(err.Error()) + "</small></p>"
		}
		return fmt.Sprintf(`<figure class="mkl-figure"><img alt="%s" width="%d" height="%d" `+
			`src="data:image/svg+xml;base64,%s"><figcaption>%s</figcaption></figure>`, html.EscapeString(f.Alt),
			p.Width, p.Height, base64.StdEncoding.EncodeToString([]byte(p.SVG)), html.EscapeString(f.Caption))
	}), nil
}

// code returns the cell of a notebook and the Go program that learn the same as the page.
func code(r Request) (cell, program string) {
	options := r.Options
	options.LabelFile = strings.TrimPrefix(options.LabelFile, "/in/")
	var names []string
	for _, f := range r.Files {
		names = append(names, fmt.Sprintf("%q", path.Base(f)))
	}
	files := strings.Join(names, ", ")
	opener := map[string]string{"grams": ".OpenGrams(", "similarities": ".OpenSimilarities("}[r.Kind]
	var inCell, inProgram string
	imports := "data"
	switch {
	case r.Dataset != "":
		inCell, inProgram = fmt.Sprintf("nb.Load(%q)", r.Dataset), fmt.Sprintf("datasets.Load(%q)", r.Dataset)
		imports = "data/datasets"
	case opener != "":
		inCell = fmt.Sprintf("%#v%s%s)", options, opener, files)
		inProgram = inCell
	default:
		inCell, inProgram = fmt.Sprintf("nb.Open(%s, %#v)", files, options), fmt.Sprintf("%#v.Open(%s)", options, files)
		if reflect.ValueOf(options).IsZero() {
			inCell = "nb.Open(" + files + ")"
		}
	}
	cell = "d := " + inCell + "\nl := nb.Learn(d)\nl"
	program = fmt.Sprintf(`package main

import (
	"context"
	"fmt"
	"log"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/%s"
	"github.com/mklnb/mkl/mklnb/report"
)

func main() {
	d, err := %s
	if err != nil {
		log.Fatal(err)
	}
	l, err := learn.Learn(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Text(l))
}`, imports, inProgram)
	return cell, program
}
