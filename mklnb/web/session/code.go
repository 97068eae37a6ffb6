package session

import (
	"fmt"
	"strconv"
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
	reader, expression, learnOptions := "data", "", ""
	switch {
	case s.dataset != "":
		reader, expression = "data/datasets", fmt.Sprintf("datasets.Load(%q)", s.dataset)
	case s.options.LabelFile == "":
		expression = strings.Replace(fmt.Sprintf("%#v.Open(%q)", s.options, s.files[0]), "Options{}.", "", 1)
	default:
		var files []string
		for _, f := range s.files {
			files = append(files, strconv.Quote(f))
		}
		expression = fmt.Sprintf("%#v.OpenGrams(%s)", s.options, strings.Join(files, ", "))
	}
	if s.hasIntervals {
		learnOptions = fmt.Sprintf(", learn.WithIntervals(%v)", intervalLevel)
	}
	for _, p := range r {
		if p.IsCode {
			p.Label = "The same in a notebook"
			p.Text = fmt.Sprintf("d := %s\nl := nb.Learn(d%s)\nnb.Show(l)\n\n%s", expression, learnOptions, p.Text)
		}
		with = append(with, p)
		if p.IsCode {
			with = append(with, report.Part{Label: "The same as a Go program", Folded: report.Report{{IsCode: true,
				Text: fmt.Sprintf(program, reader, expression, learnOptions)}}})
		}
	}
	return with
}
