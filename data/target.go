package data

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// target collects the labels of a file, one for each row: real targets, or indices of classes.
type target struct {
	o    *job
	name string // name of the column, if it has one

	y              []float64 // real targets, or indices in classNames
	classNames     []string  // names of the classes, in order of appearance
	classPositions []string  // for each class: position in the file of its first label, in words

	labelsAreNames   bool   // Options.Categorical names the label: numbers are names of classes too
	classesExchanged bool   // Dataset.ClassesExchanged
	warning          string // a warning, for Dataset.Doubts: classes may be quantities, misspelled, or missing values
}

func newTarget(o *job, name string) *target {
	t := &target{o: o, name: name}
	categorical := o.Categorical
	if o.training != nil {
		categorical = o.training.Options.Categorical
	}
	t.labelsAreNames = slices.Contains(categorical, t.nameInCategorical())
	return t
}

func (t *target) classesAreNumbers() bool {
	return !slices.ContainsFunc(t.classNames,
		func(s string) bool { return !sheet.NumberFormat{}.IsNumberInAnyFormat(s) })
}

// nameInCategorical returns the name of the label in Options.Categorical: the name of its column in a CSV or ARFF file,
// "label" in other formats.
func (t *target) nameInCategorical() string {
	if t.o.Format == CSV || t.o.Format == ARFF {
		return t.name
	}
	return "label"
}

// isRegression reports whether labels are real targets.
func (o *Options) isRegression() bool { return o.Regression || o.Targets != nil }

// adviceOnColumn returns the advice to choose another target, which only files with names of columns have.
func (t *target) adviceOnColumn() string {
	switch {
	case t.o.Format != CSV && t.o.Format != ARFF:
		return ""
	case t.o.Targets != nil:
		return "; or choose another column with Options.Targets"
	}
	return "; or choose another column with Options.Label"
}

// canonicalLabel returns the name of the class of label s. Numbers are written in one form, so that "1", "+1" and "1.0"
// are the same class.
func canonicalLabel(s string) string {
	if v, ok, _ := (sheet.NumberFormat{}).Parse(s); ok {
		return sheet.FormatNumber(v + 0) // turns −0 into 0
	}
	return s
}

// addLabel appends the label of the next row. position returns the position of the row in words.
func (t *target) addLabel(s string, format sheet.NumberFormat, position func() string) error {
	v, isNumber := 0.0, false
	if !t.labelsAreNames {
		var err error
		if v, isNumber, err = format.Parse(s); err != nil {
			return fmt.Errorf("%s: the label %w; Options.Categorical: []string{%q} reads labels as names", position(),
				err, t.nameInCategorical())
		}
	}
	if t.o.isRegression() {
		if !isNumber {
			advice := ""
			if unit := sheet.UnitOf([]string{s}); unit != "" && t.o.Format == CSV && t.o.training == nil {
				advice = fmt.Sprintf("; Options.Units: data.Units{%q: %q} removes the unit", t.name, unit)
			}
			return fmt.Errorf("%s: the label %s is not a number, as regression needs%s", position(), sheet.Quote(s),
				advice)
		}
		if t.o.LogTargets && v <= 0 {
			return fmt.Errorf("%s: the target %s has no logarithm; Options.LogTargets needs numbers > 0", position(),
				sheet.Quote(s))
		}
		t.y = append(t.y, v)
		return nil
	}
	cell := s
	if isNumber {
		s = sheet.FormatNumber(v + 0) // turns −0 into 0
	}
	classIndex := slices.Index(t.classNames, s)
	if classIndex >= 0 {
		t.y = append(t.y, float64(classIndex))
		return nil
	}
	switch {
	case t.o.training != nil && len(t.classNames) < maxClasses:
	case len(t.classNames) == 2 && t.o.PositiveClass != "":
		return fmt.Errorf("%s: a third class %s after %s (%s) and %s (%s); Options.PositiveClass "+
			"applies to two classes; remove it", position(), sheet.Quote(cell), sheet.Quote(t.classNames[0]),
			t.classPositions[0],
			sheet.Quote(t.classNames[1]), t.classPositions[1])
	case len(t.classNames) >= 2 && isNumber && v != math.Trunc(v):
		return fmt.Errorf("%s: the label %s is not a whole number and is a third class after %s (%s) and %s (%s); "+
			"set Options.Regression if they are numbers to predict%s", position(), sheet.Quote(cell),
			sheet.Quote(t.classNames[0]), t.classPositions[0], sheet.Quote(t.classNames[1]), t.classPositions[1],
			t.adviceOnColumn())
	case len(t.classNames) == maxClasses:
		return fmt.Errorf("%s: more than %d different labels; set Options.Regression if they are numbers "+
			"to predict%s", position(), maxClasses, t.adviceOnColumn())
	}
	t.classNames, t.classPositions = append(t.classNames, s), append(t.classPositions, position())
	t.y = append(t.y, float64(len(t.classNames)-1))
	return nil
}

// encodeLabels returns the labels and classes in the form of Dataset.Y and Dataset.Classes. It is an error if there are
// fewer than two classes, or if the labels look like quantities.
func (t *target) encodeLabels() (y []float64, classes []string, err error) {
	switch {
	case t.o.isRegression():
		t.warning = t.warnAboutTwoNumbers()
		return t.y, nil, t.rejectConstantTargets()
	case t.o.training != nil:
		return t.encodeTrainingClasses()
	}
	labelError := func(format string, args ...any) ([]float64, []string, error) {
		return nil, nil, fmt.Errorf(format, args...)
	}
	positiveClass := t.o.PositiveClass
	if !t.labelsAreNames {
		positiveClass = canonicalLabel(positiveClass)
	}
	names := slices.Clone(t.classNames)
	sortClasses(names)
	t.warning = lookAlikeWarning("classes", names)
	switch k, n := len(names), len(t.y); {
	case k == 0:
		return labelError("no labels")
	case t.firstLabelIsWord():
		return labelError("%s: the label %s is a word, and all labels below it are numbers, as in a second line of "+
			"names; remove the line, or set Options.Categorical: []string{%q} if it is a class", t.classPositions[0],
			sheet.Quote(t.classNames[0]), t.nameInCategorical())
	case k == 1:
		return labelError("all %d labels are %s; two classes or more are needed", n, sheet.Quote(names[0]))
	case k > 2 && 2*k > n && (k > identifierRows || k == n || t.classesAreNumbers()):
		return labelError("%d different labels in %d rows, such as %s; set Options.Regression if they are numbers to "+
			"predict%s", k, n, sheet.QuoteNames(t.classNames[:3], ", "), t.adviceOnColumn())
	case k > 2:
		err = t.checkNumericClasses(names)
	case positiveClass == names[0] && t.o.PositiveClass != "":
		slices.Reverse(names)
		t.classesExchanged = true
	case positiveClass != names[1] && t.o.PositiveClass != "":
		return labelError("no label is %s, the class of Options.PositiveClass: there are %s",
			sheet.Quote(t.o.PositiveClass),
			sheet.QuoteNames(t.classNames, " and "))
	}
	return t.encodeWithClasses(names), names, err
}

// firstLabelIsWord reports whether the first label of a CSV file is a word and the labels below it, two or more, are
// numbers. The word is then probably a name of the column. Other formats have no line of names.
func (t *target) firstLabelIsWord() bool {
	format := sheet.NumberFormat{}
	return t.o.Format == CSV && !t.labelsAreNames && len(t.y) > 2 && !format.IsNumberInAnyFormat(t.classNames[0]) &&
		!slices.Contains(t.y[1:], t.y[0]) &&
		!slices.ContainsFunc(t.classNames[1:], func(s string) bool { return !format.IsNumber(s) })
}

// rejectConstantTargets returns an error if a training file has two or more targets that are all the same number.
func (t *target) rejectConstantTargets() error {
	if t.o.training != nil || len(t.y) < 2 || slices.ContainsFunc(t.y, func(v float64) bool { return v != t.y[0] }) {
		return nil
	}
	subject := "target"
	if t.name != "" {
		subject += " " + sheet.Quote(t.name)
	}
	return fmt.Errorf("all %d numbers of the %s are %g, so that there is nothing to learn%s", len(t.y), subject, t.y[0],
		t.adviceOnColumn())
}

// warnAboutTwoNumbers returns a warning if ten or more real targets have only two values, which may be classes.
func (t *target) warnAboutTwoNumbers() string {
	if t.o.training != nil || t.o.Targets != nil || len(t.y) < identifierRows {
		return ""
	}
	lo, hi := slices.Min(t.y), slices.Max(t.y)
	if lo == hi || slices.ContainsFunc(t.y, func(v float64) bool { return v != lo && v != hi }) {
		return ""
	}
	return fmt.Sprintf("%s has two values, %g and %g, and is predicted as a number; if they are classes, remove "+
		"Options.Regression", cmp.Or(sheet.Shorten(t.name), "the label"), lo, hi)
}

// checkNumericClasses checks K > 2 classes whose names are numbers, in ascending order. They may be targets of
// regression, such as ages or marks. More than 10 classes are an error; other classes give a warning if they
// are not 0 … K−1 or 1 … K. Names that are not all numbers, or a label that Options.Categorical names, are not checked.
func (t *target) checkNumericClasses(names []string) error {
	if t.labelsAreNames || !t.classesAreNumbers() {
		return nil
	}
	const manyClasses = 10
	k := len(names)
	message := fmt.Sprintf("the labels are %d numbers from %s to %s; Options.Regression: true takes them as amounts "+
		"to predict, Options.Categorical: []string{%q} as names of classes", k, names[0], names[k-1],
		t.nameInCategorical())
	if k > manyClasses {
		return errors.New(message)
	}
	if !areSerialNumbers(names) {
		t.warning = message
	}
	return nil
}

// encodeTrainingClasses returns the labels of a file that is read by the encoding of a training file, and the classes
// of that training file. A class that the training file does not have is an error.
func (t *target) encodeTrainingClasses() (y []float64, classes []string, err error) {
	classes = slices.Clone(t.o.training.Classes)
	for k, name := range t.classNames {
		if !slices.Contains(classes, name) {
			return nil, nil, fmt.Errorf("%s: the label %s did not occur in the training file, which has %s",
				t.classPositions[k], sheet.Quote(name), sheet.List(classes))
		}
	}
	return t.encodeWithClasses(classes), classes, nil
}

// encodeWithClasses returns the labels as −1 and +1 for two classes, and as indices of classes otherwise.
func (t *target) encodeWithClasses(classes []string) (y []float64) {
	for _, code := range t.y {
		v := float64(slices.Index(classes, t.classNames[int(code)]))
		if len(classes) == 2 {
			v = 2*v - 1
		}
		y = append(y, v)
	}
	return y
}

// sortClasses sorts the names of classes numerically if all are numbers, and alphabetically otherwise.
func sortClasses(names []string) {
	areNumbers := !slices.ContainsFunc(names, func(s string) bool { return !sheet.NumberFormat{}.IsNumber(s) })
	slices.SortStableFunc(names, func(a, b string) int {
		if areNumbers {
			v, _, _ := sheet.NumberFormat{}.Parse(a)
			w, _, _ := sheet.NumberFormat{}.Parse(b)
			return cmp.Compare(v, w)
		}
		return strings.Compare(a, b)
	})
}
