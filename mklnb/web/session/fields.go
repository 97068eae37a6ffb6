package session

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// Field is an input of the page: an option of data.Options, or what the files are.
type Field struct {
	Name, Title string
	Value       string
	Proposal    string // the value that the text of an error proposes
	IsAsked     bool   // the text of an error names the option
	Choices     []Choice
}

// Choice is a value of a Field, and its name for a person.
type Choice struct{ Value, Title string }

// source is what the page has been given to read.
type source struct {
	dataset  string   // name of an embedded data set; "" for files
	files    []string // paths of the files
	matrices []string // the same without the file of labels
	method   string   // the method of data.Options that reads them: ".Open(", ".OpenGrams(" or ".OpenSimilarities("
	options  data.Options
}

// labelFile matches the name of a file of labels.
var labelFile = regexp.MustCompile(`(?i)label|target|class|(^|[^a-z])y([^a-z]|$)`)

// kindField is the name of the field that states what several files are.
const kindField = "Kind"

// newSource returns the source that the fields of the page describe. Several files are matrices and a file of labels.
func newSource(r Request) (s source, err error) {
	s = source{dataset: r.Dataset, files: r.Files, matrices: r.Files, method: ".Open("}
	if len(r.Files) > 1 {
		guess := max(0, slices.IndexFunc(r.Files, func(f string) bool { return labelFile.MatchString(path.Base(f)) }))
		r.Options[kindField] = cmp.Or(r.Options[kindField], "OpenGrams")
		r.Options["LabelFile"] = cmp.Or(r.Options["LabelFile"], r.Files[guess])
		s.method = "." + r.Options[kindField] + "("
		isLabelFile := func(f string) bool { return f == r.Options["LabelFile"] }
		s.matrices = slices.DeleteFunc(slices.Clone(r.Files), isLabelFile)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		if name != kindField && err == nil {
			err = s.options.SetText(name, r.Options[name])
		}
	}
	return s, err
}

// read reads the data.
func (s source) read() (d *data.Dataset, err error) {
	switch {
	case s.dataset != "":
		return datasets.Load(s.dataset)
	case len(s.files) == 1:
		return s.options.Open(s.files[0])
	case s.method == ".OpenGrams(":
		d, err = s.options.OpenGrams(s.matrices...)
	default:
		d, err = s.options.OpenSimilarities(s.matrices...)
	}
	if err != nil {
		err = fmt.Errorf("%w. Several files are read as matrices and a file of labels. Choose a table alone; a "+
			"notebook joins several tables of the same rows (data.Join)", err)
	}
	return d, err
}

// columns returns the columns of the table of d, or of a file whose target cannot be read; nil if they have no names.
func (s source) columns(d *data.Dataset) (names []string) {
	if s.dataset != "" || len(s.files) != 1 {
		return nil
	}
	o := s.options
	if d == nil {
		o.Label, o.Targets, o.PositiveClass = "", nil, ""
		o.Regression, o.LogTargets, o.Unlabeled = false, false, true
		d, _ = o.Open(s.files[0])
	}
	if d == nil || d.Encoding == nil || d.Encoding.Columns == nil {
		return nil
	}
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

// fields returns the inputs for the next request: those of the source, and one for each option that err names or that
// has a value.
func (s *Session) fields(r Request, err error) (fields []Field) {
	isOpen := err == nil
	switch {
	case len(r.Files) > 1:
		fields = []Field{{Name: kindField, Title: "The files are", Choices: []Choice{
			{"OpenGrams", "Gram matrices of kernels"}, {"OpenSimilarities", "similarities"}}},
			{Name: "LabelFile", Title: "The labels are in", Choices: choices(r.Files)}}
	case s.columns != nil:
		fields = []Field{{Name: "Label", Title: "Predict the column (Label)", Choices: choices(s.columns)},
			{Name: "Group", Title: "Rows of one person or thing share (Group)",
				Choices: append([]Choice{{"", "nothing: rows are independent"}}, choices(s.columns)...)}}
		r.Options["Label"] = cmp.Or(r.Options["Label"], s.columns[len(s.columns)-1])
		if isOpen {
			r.Options["Label"] = s.data.Target
		}
	}
	if len(r.Files) > 0 && (s.columns != nil || isOpen) {
		fields = append(fields, Field{Name: "Regression", Title: "It is (Regression)",
			Choices: []Choice{{"", "a class"}, {"true", "a number"}}})
	}
	var named []data.OptionText
	if !isOpen {
		named = data.OptionsNamedIn(err.Error())
	}
	for _, o := range named {
		fields = addOption(fields, o.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		if r.Options[name] != "" {
			fields = addOption(fields, name)
		}
	}
	for i := range fields {
		f := &fields[i]
		f.Value = r.Options[f.Name]
		if k := slices.IndexFunc(named, func(o data.OptionText) bool { return o.Name == f.Name }); k >= 0 {
			f.IsAsked, f.Proposal = true, named[k].Value
		}
		if len(named) == 1 { // of several options, a person chooses
			f.Value = cmp.Or(f.Value, f.Proposal)
		}
	}
	return fields
}

// addOption adds a field for an option of data.Options, unless fields have it.
func addOption(fields []Field, name string) []Field {
	if slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
		return fields
	}
	f := Field{Name: name, Title: name}
	switch option, _ := reflect.TypeFor[data.Options]().FieldByName(name); {
	case len(data.OptionChoices(name)) > 0:
		f.Choices = choices(data.OptionChoices(name))
	case option.Type.Kind() == reflect.Slice:
		f.Title += ` (a, b, "c, d")`
	case option.Type.Kind() == reflect.Map:
		f.Title += " (column=value, …)"
	}
	return append(fields, f)
}

// choices returns values as choices, paths with the names of their files.
func choices(values []string) (all []Choice) {
	for _, v := range values {
		title := cmp.Or(strings.TrimPrefix(v, "/in/"), "no")
		if v == "true" {
			title = "yes"
		}
		all = append(all, Choice{v, title})
	}
	return all
}

// fieldsOfMatrices returns a field for each matrix, in which a person chooses the file of the new points, and the files
// in the order of the matrices once each is chosen once.
func fieldsOfMatrices(r Request, names []string) (fields []Field, files []string) {
	for _, name := range names {
		fields = append(fields, Field{Name: name, Title: name + ": file of the new points", Value: r.Options[name],
			IsAsked: true, Choices: choices(r.Files)})
		if f := r.Options[name]; f != "" && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	if len(files) < len(names) {
		files = nil
	}
	return fields, files
}
