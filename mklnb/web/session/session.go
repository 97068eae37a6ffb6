// Package session is the program behind the page that learns kernels in a browser (mklnb/web): the page sends a request
// in JSON, such as a file to read or the command to learn, and gets an answer in JSON, which contains the report as
// HTML. It reads data, learns and predicts by the same packages as a notebook, and its reports are those of the
// notebook.
//
//	s := session.New(func(answer string) { … })       // receives intermediate answers during long work
//	answer := s.Call("open", `{"Dataset": "sonar"}`)  // an Answer: HTML, Error, Fields, File, Share, Status
//
//	New, Session.Call   a session; a request to it: open, learn, importance, predict, save or stop, with a Request
//	Answer, Field       what the page shows, and the inputs of the page for the next request
//	Datasets            the datasets that the page offers
//
// The program mklnb/web/app, for WebAssembly, passes messages between the page and a Session.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render"
)

// intervalLevel is the level of prediction intervals.
const intervalLevel = 0.9

// Request is a message of the page. Its fields are used by the methods that need them.
type Request struct {
	Dataset string            // name of an embedded data set; "" for files
	Files   []string          // names of the files
	Options map[string]string // values of the fields, by name
}

// Answer is a message to the page.
type Answer struct {
	HTML, Error string
	Fields      []Field // inputs of the page for the next request
	File        string  // name of the file that was written
	Share       float64 // the share of the work that is done
	Status      string  // the step of the work, or the time left
}

// Session holds what the page has read and learned.
type Session struct {
	dataset      string       // name of an embedded data set; "" for files
	files        []string     // a table, or Gram matrices
	options      data.Options // how the files are read
	columnNames  []string     // of the table, in the order of the page
	hasIntervals bool         // add prediction intervals
	data         *data.Dataset
	learned      *learn.Learned
	send         func(answer string) // sends an intermediate answer in JSON, such as progress
	cancel       context.CancelFunc  // ends the work in progress
}

// New returns a session. It calls send with intermediate answers, often during long work.
func New(send func(answer string)) *Session { return &Session{send: send, cancel: func() {}} }

// json returns a in JSON.
func (a Answer) json() string {
	text, _ := json.Marshal(a) // a has no value that JSON cannot hold
	return string(text)
}

// Call runs a method with arguments in JSON and returns its answer in JSON. The answer of an error, or of a panic, has
// its text. Stop ends the work in progress; what is finished is its result.
func (s *Session) Call(method, arguments string) (answer string) {
	var a Answer
	var r Request
	err := json.Unmarshal([]byte(arguments), &r)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault of this program, please report it: %v", p)
		}
		if err != nil {
			a.Error = err.Error()
		}
		answer = a.json()
	}()
	switch {
	case err != nil:
	case method == "stop":
		s.cancel()
	case method == "open":
		err = s.open(r, &a)
	case method == "learn" && s.data == nil:
		err = errors.New("choose a data set first")
	case method == "learn":
		err = s.learn(&a)
	case s.learned == nil || s.learned.Model == nil:
		err = errors.New("learn a model first")
	case method == "importance":
		err = s.importance(&a)
	case method == "predict":
		err = s.predict(r, &a)
	case method == "save":
		a.File = s.learned.Data + ".model.json"
		err = s.learned.Model.Save(a.File)
	}
	return ""
}

// Datasets returns the names of the embedded data sets that the page offers. The program does not contain larger ones.
func Datasets() (names []string) {
	for _, info := range datasets.List() {
		if info.N <= 1000 {
			names = append(names, info.Name)
		}
	}
	return names
}

// open reads a data set.
func (s *Session) open(r Request, a *Answer) (err error) {
	s.learned = nil
	if s.data, err = s.read(r); err == nil {
		s.hasIntervals = r.Options[intervalField] != "" && s.data.Classes == nil // of classes there are none
		a.HTML, err = htmlOf(report.OfDataset(s.data))
	}
	a.Fields = s.fields(r, err)
	return err
}

// learn learns a kernel for the data. It sends the fitted model before the methods are compared.
func (s *Session) learn(a *Answer) (err error) {
	options := []learn.Option{learn.WithWorkers(1), learn.WithProgress(s.progress),
		learn.WithFittedCallback(func(l *learn.Learned) {
			if page, err := htmlOf(report.OfFittedModel(l), nil); err == nil {
				s.send(Answer{HTML: page}.json())
			}
		})}
	if s.hasIntervals {
		options = append(options, learn.WithIntervals(intervalLevel))
	}
	if s.learned, err = learn.Learn(s.begin(), s.data, options...); err != nil {
		return err
	}
	parts, err := report.OfLearned(s.learned)
	a.HTML, err = htmlOf(s.addCode(parts), err)
	return err
}

// begin returns the context of long work.
func (s *Session) begin() (ctx context.Context) {
	s.cancel() // releases the context of the work before
	ctx, s.cancel = context.WithCancel(context.Background())
	return ctx
}

// progress sends the progress of a work.
func (s *Session) progress(p compare.Progress) {
	a := Answer{Share: float64(p.Done) / float64(max(1, p.Total)), Status: p.FinalStep}
	if a.Status == "" && p.Left > 0 {
		a.Status = "about " + viz.FormatDuration(p.Left) + " left"
	}
	s.send(a.json())
}

// importance returns the report of the importance of each column.
func (s *Session) importance(a *Answer) error {
	w, err := learn.Importance(s.begin(), s.learned, s.progress)
	if err == nil {
		a.HTML, err = htmlOf(report.OfImportances(w), nil)
	}
	return err
}

// predict predicts new points. The names of several files must tell which matrix each of them belongs to.
func (s *Session) predict(r Request, a *Answer) error {
	names := s.learned.Model.Input.Grams
	files, isMatched := data.MatchFiles(r.Files, names)
	if len(names) > 1 && len(files) == len(names) && !isMatched {
		return fmt.Errorf("the names of the files do not tell which matrix each belongs to: name them after %s, such "+
			"as %s_new.csv", strings.Join(names, ", "), names[0])
	}
	f, err := s.learned.Model.PredictFile(files...)
	if err != nil {
		return err
	}
	a.File = f.Path
	var matches report.Report
	for k, name := range names {
		matches = append(matches, report.Part{Label: name, Text: files[k]})
	}
	a.HTML, err = htmlOf(append(matches, report.OfPredictedFile(f)...), nil)
	return err
}

// htmlOf returns a report as HTML, with each chart as a picture, or the error of the report.
func htmlOf(r report.Report, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return r.Page(func(f viz.Figure) string {
		p, err := render.SVG(f)
		if err != nil {
			p.Error = err.Error()
		}
		return report.ChartHTML(f, p, f.ID())
	}), nil
}
