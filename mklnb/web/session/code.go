package session

import (
	"fmt"
	"path"
	"strings"

	"github.com/mklnb/mkl/mklnb/report"
)

// program is the Go program that does the same as the page. Its parameters are the package that reads the data, the
// expression that reads them, and the options of Learn.
const program = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/%s"
	"github.com/mklnb/mkl/mklnb/report"
)

// main learns, and predicts the files that are its arguments.
func main() {
	d, err := %s
	if err != nil {
		log.Fatal(err)
	}
	l, err := learn.Learn(context.Background(), d%s)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Text(l))
	if len(os.Args) > 1 {
		p, err := l.Model.PredictFile(os.Args[1:]...)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p)
	}
}`

// addCode replaces the code of a report, the next steps in a notebook, by a cell that does the same as the page with
// these steps, and adds the Go program.
func (s *Session) addCode(r report.Report) (with report.Report) {
	var files []string
	for _, f := range s.source.matrices {
		files = append(files, fmt.Sprintf("%q", path.Base(f)))
	}
	o := s.source.options
	if o.LabelFile != "" {
		o.LabelFile = path.Base(o.LabelFile)
	}
	options, names, learnOptions := fmt.Sprintf("%#v", o), strings.Join(files, ", "), ""
	if s.hasIntervals {
		learnOptions = fmt.Sprintf(", learn.WithIntervals(%v)", intervalLevel)
	}
	reader, expression := "data", options+s.source.method+names+")"
	cell := expression
	switch {
	case s.source.dataset != "":
		reader, expression = "data/datasets", fmt.Sprintf("datasets.Load(%q)", s.source.dataset)
		cell = fmt.Sprintf("nb.Load(%q)", s.source.dataset)
	case len(files) == 1:
		cell = "nb.Open(" + names + strings.TrimSuffix(", "+options, ", data.Options{}") + ")"
	}
	for _, p := range r {
		if !p.IsCode {
			with = append(with, p)
			continue
		}
		p.Label = "The same in a notebook"
		p.Text = fmt.Sprintf("d := %s\nl := nb.Learn(d%s)\nnb.Show(l)\n\n%s", cell, learnOptions, p.Text)
		with = append(with, p, report.Part{Label: "The same as a Go program", Folded: report.Report{{IsCode: true,
			Text: fmt.Sprintf(program, reader, expression, learnOptions)}}})
	}
	return with
}
