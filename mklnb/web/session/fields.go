package session

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// Field is an input of the page: an option of data.Options, or intervalField.
type Field struct {
	Name, Title string
	Value       string
	Proposal    string   // the value that the text of an error proposes
	IsAsked     bool     // the text of an error names the option
	Choices     []string `json:",omitempty"` // the values that the field may have; none for any text
}

// intervalField is the name of the field that adds prediction intervals.
const intervalField = "Intervals"

// labelFile matches the name of a file of labels.
var labelFile = regexp.MustCompile(`(?i)label|target|class|(^|[^a-z])y([^a-z]|$)`)

// read reads the data that a request names, with the values of its fields. Several files are Gram matrices and a file
// of labels.
func (s *Session) read(r Request) (d *data.Dataset, err error) {
	s.dataset, s.files, s.options = r.Dataset, r.Files, data.Options{}
	if len(r.Files) > 1 {
		labels := r.Options["LabelFile"]
		if labels == "" {
			labels = r.Files[max(0, slices.IndexFunc(r.Files, labelFile.MatchString))]
			r.Options["LabelFile"] = labels
		}
		s.files = slices.DeleteFunc(slices.Clone(r.Files), func(f string) bool { return f == labels })
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		if name != intervalField && err == nil {
			err = s.options.SetText(name, r.Options[name])
		}
	}
	switch {
	case err != nil:
		return nil, err
	case s.dataset != "":
		return datasets.Load(s.dataset)
	case len(r.Files) == 1:
		return s.options.Open(r.Files[0])
	}
	if d, err = s.options.OpenGrams(s.files...); err != nil {
		err = fmt.Errorf("%w. Several files are read as Gram matrices and a file of labels. Choose a table alone; a "+
			"notebook joins several tables of the same rows (data.Join), and reads similarities", err)
	}
	return d, err
}

// columns returns the columns of the table that was read, also if its target cannot be read (d is nil). It returns nil
// if they have no names, and for other data.
func (s *Session) columns(d *data.Dataset) (names []string) {
	if s.dataset != "" || len(s.files) != 1 || s.options.LabelFile != "" {
		return nil
	}
	o := s.options
	if d == nil {
		o.Label, o.Targets, o.PositiveClass = "", nil, ""
		o.Regression, o.LogTargets, o.Unlabeled, o.Missing = false, false, true, data.Fill
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
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	// Without a chosen column the file is new. Otherwise the order stays, whatever is chosen.
	if s.options.Label == "" || !slices.Equal(sorted(names), sorted(s.columnNames)) {
		s.columnNames = names
	}
	return s.columnNames
}

// fields returns the inputs for the next request: those of the files, and one for each option that err names or that
// has a value.
func (s *Session) fields(r Request, err error) (fields []Field) {
	columns := s.columns(s.data)
	switch {
	case len(r.Files) > 1:
		fields = []Field{{Name: "LabelFile", Title: "The labels are in", Choices: r.Files}}
	case columns != nil:
		fields = []Field{{Name: "Label", Title: "Predict the column (Label)", Choices: columns},
			{Name: "Group", Title: "Rows of one person or thing share (Group)",
				Choices: append([]string{""}, columns...)}}
		r.Options["Label"] = cmp.Or(r.Options["Label"], columns[len(columns)-1])
		if s.data != nil {
			r.Options["Label"] = s.data.Target
		}
	}
	if len(r.Files) > 0 && (columns != nil || s.data != nil) {
		fields = append(fields, Field{Name: "Regression", Title: "It is a number (Regression)",
			Choices: data.OptionChoices("Regression")})
	}
	if s.data != nil && s.data.Y != nil && s.data.Classes == nil {
		fields = append(fields, Field{Name: intervalField, Title: "90 % prediction intervals",
			Choices: data.OptionChoices("Regression")})
	}
	var named []data.OptionText
	if err != nil {
		named = data.OptionsNamedIn(err.Error())
	}
	for _, o := range named {
		fields = addOption(fields, o.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		if r.Options[name] != "" && name != intervalField {
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
	f := Field{Name: name, Title: name, Choices: data.OptionChoices(name)}
	switch option, _ := reflect.TypeFor[data.Options]().FieldByName(name); option.Type.Kind() {
	case reflect.Slice:
		f.Title += ` (a, b, "c, d")`
	case reflect.Map:
		f.Title += " (column=value, …)"
	}
	return append(fields, f)
}
