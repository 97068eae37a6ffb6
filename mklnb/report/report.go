// Package report presents results to people in sentences, tables and charts. The packages that compute (data, compare,
// learn, mkl, model) return plain data; this package states what they mean.
//
//	l, err := learn.Learn(ctx, d)
//	fmt.Print(report.Text(l))
//
// prints, for the dataset ionosphere, first
//
//	Error rate 4.8 % on new data (95 % interval 1.5 to 8.0 %)
//	Always predicting good: 35.9 %, 7.5 times as large.
//
// and then the comparison of the methods, doubts about the data, what was proved, and the defaults that were used.
//
//	Text           the report of any value that has one, as plain text, for a program
//	Of             the same as a Report: the main finding, then warnings, tables and charts; nb.Show shows it
//	OfLearned, OfTable, OfDataset, OfResult, OfScore, OfImportances …   the Report of one type of value
//	Report, Part, Mark            what a report consists of; Report.String, HTML and Page write it
//	ComparisonTable, RankTables   the table of a comparison, and ranks over comparisons on several datasets
//
// A chart is a viz.Figure. Package viz/render draws it, and ChartHTML writes its picture for a page.
package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// Report is a result for people: parts in the order in which a reader needs them.
type Report []Part

// Part is one part of a Report: a sentence, a warning, a table or chart, or a section that is folded until a reader
// opens it.
type Part struct {
	Label      string      // printed before Text as "Model: …", or the title of Folded
	Text       string      // a sentence, or lines of code
	IsHeadline bool        // Text is the answer and is written in large letters
	Help       string      // of a headline: an explanation that a page shows if the pointer is over it
	IsWarning  bool        // Text asks the reader to do something
	IsCode     bool        // Text is code to copy
	Marks      []Mark      // verdicts beside each other
	Figure     *viz.Figure // a table or a chart
	Folded     Report
}

// Mark is a verdict in one or a few words, with a symbol for its State. A click on it shows the Detail.
type Mark struct {
	Name, Word string
	State      State
	Detail     string
	IsMinor    bool // it says nothing about new data and takes less room
}

// State is how good the verdict of a Mark is.
type State int

// The states of a Mark.
const (
	Neutral State = iota
	Good
	Doubtful
	Proved // a proof, which says nothing about how good the predictions are
)

// Symbol returns a symbol that distinguishes s without color.
func (s State) Symbol() string { return [...]string{"○", "✓", "▲", "∎"}[s] }

// addText appends a sentence with a label, which may be empty. It appends nothing if text is empty.
func (r *Report) addText(label, text string) {
	if text != "" {
		*r = append(*r, Part{Label: label, Text: text})
	}
}

// addHeadline appends the answer. The label may be empty.
func (r *Report) addHeadline(label, text string) {
	*r = append(*r, Part{Label: label, Text: text, IsHeadline: true})
}

func (r *Report) addWarnings(texts ...string) {
	for _, text := range texts {
		if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
			text += "."
		}
		*r = append(*r, Part{Text: text, IsWarning: true})
	}
}

func (r *Report) addFigures(figures ...viz.Figure) {
	for _, f := range figures {
		*r = append(*r, Part{Figure: &f})
	}
}

// addFolded appends a folded section. It appends nothing if the section is empty.
func (r *Report) addFolded(title string, section Report) {
	if len(section) > 0 {
		*r = append(*r, Part{Label: title, Folded: section})
	}
}

// Figures returns the tables and charts of r in order, including the figures of folded sections.
func (r Report) Figures() (figures []viz.Figure) {
	for _, p := range r {
		if p.Figure != nil {
			figures = append(figures, *p.Figure)
		}
		figures = append(figures, p.Folded.Figures()...)
	}
	return figures
}

// Validate returns an error if a table or chart of r is not valid.
func (r Report) Validate() error {
	for _, f := range r.Figures() {
		if err := f.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// ErrKind is returned by Of for a value of a type that has no report.
var ErrKind = errors.New("report: no report of a value of this type")

// Of returns the report of x. It is an error if the type of x has no report (ErrKind), or if x is not valid.
func Of(x any) (r Report, err error) {
	switch x := x.(type) {
	case viz.Figure:
		r.addFigures(x)
		return r, nil
	case []viz.Figure:
		r.addFigures(x...)
		return r, nil
	case *learn.Learned:
		return OfLearned(x)
	case *compare.Table:
		return OfTable(x), nil
	case *compare.Ranking:
		return OfRanking(x), nil
	case *learn.Importances:
		return OfImportances(x), nil
	case *learn.PartialDependence:
		return OfPartialDependence(x), nil
	case *learn.LearningCurve:
		return OfLearningCurve(x), nil
	case *data.Dataset:
		return OfDataset(x)
	case *mkl.Result:
		return OfResult(x), nil
	case model.Score:
		return OfScore(x), nil
	case *model.PredictedFile:
		return OfPredictedFile(x), nil
	}
	return nil, ErrKind
}

// Text returns the report of x as plain text: see Of. If there is no report of x, it returns x as fmt prints it.
func Text(x any) string {
	r, err := Of(x)
	if err != nil {
		return fmt.Sprint(x) + "\n"
	}
	return r.String()
}

// String returns r as plain text, without the code for a next cell. A folded section is written in full below its
// title. The details of marks and of the charts of a headline, and the values of all these charts but the first,
// precede the first of them.
func (r Report) String() string {
	var b, details strings.Builder
	hasChart := false
	for _, p := range r {
		switch {
		case p.IsCode:
		case p.Figure != nil && p.Figure.Sheet == nil && r[0].IsHeadline:
			f, alt := p.Figure, ""
			if b.WriteString(f.Title + "\n"); hasChart {
				alt = f.Alt + " "
			} else {
				b.WriteString(f.Alt + "\n")
			}
			hasChart = true
			fmt.Fprintln(&details, strings.TrimSpace(alt+f.Caption+" "+f.Details))
		case p.Figure != nil:
			fmt.Fprintf(&b, "\n%s", p.Figure.Text())
		case p.Marks != nil:
			for _, m := range p.Marks {
				fmt.Fprintf(&b, "%s %s: %s\n", m.State.Symbol(), m.Name, m.Word)
				fmt.Fprintf(&details, "%s: %s\n", m.Name, m.Detail)
			}
		case p.Folded != nil:
			if details.Len() > 0 {
				fmt.Fprintf(&b, "\n%s", details.String())
				details.Reset()
			}
			fmt.Fprintf(&b, "\n%s\n%s\n", p.Label, strings.Repeat("-", len([]rune(p.Label))))
			b.WriteString(strings.TrimPrefix(p.Folded.String(), "\n"))
		default:
			fmt.Fprintln(&b, p.text())
		}
	}
	b.WriteString(details.String()) // without a folded section
	return strings.TrimPrefix(b.String(), "\n")
}

// title returns the label of p with a colon, as "Model:", or without a colon if the label is a question.
func (p Part) title() string {
	if strings.HasSuffix(p.Label, "?") {
		return p.Label
	}
	return p.Label + ":"
}

// text returns a sentence with its label, or a warning, as plain text.
func (p Part) text() string {
	switch {
	case p.IsWarning:
		return "Warning: " + p.Text
	case p.Label != "":
		return p.title() + " " + p.Text
	}
	return p.Text
}
