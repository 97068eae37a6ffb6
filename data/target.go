package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// target collects the labels of a file, one a row: real targets, or the codes of classes.
type target struct {
	o    *job
	name string // name of the column, if it has one

	y     []float64 // targets, or codes into names
	names []string  // names of the classes, in order of appearance
	rows  []string  // the row of the first label of each class

	named bool   // labels are names, even if they look like numbers
	doubt string // a doubt that the classes may be amounts
}

func newTarget(o *job, name string) *target {
	t := &target{o: o, name: name}
	named := o.Categorical
	if o.like != nil {
		named = o.like.Options.Categorical
	}
	t.named = slices.Contains(named, t.column())
	return t
}

// normalize returns a label in the form that add reads. A number in the given format gets a decimal point and no groups
// of digits. Other labels and labels that are names do not change.
func (t *target) normalize(s string, format numberFormat) (string, error) {
	if t.named {
		return s, nil
	}
	v, isNumber, err := format.parse(s)
	switch {
	case err != nil && t.o.real():
		return "", fmt.Errorf("the label %w", err)
	case err != nil:
		return "", fmt.Errorf("the label %w; Options.Categorical: []string{%q} reads labels as names", err, t.column())
	case isNumber:
		return formatNumber(v), nil
	}
	return s, nil
}

// isNumeric reports whether all classes are numbers.
func (t *target) isNumeric() bool {
	return !slices.ContainsFunc(t.names, func(s string) bool { return !numberFormat{}.isNumeric(s) })
}

// class returns the name of the class of a label. A label that is a name does not change.
func (t *target) class(s string) string {
	if t.named {
		return s
	}
	return class(s)
}

// column returns the name of the label in Options.Categorical. In a file that does not name columns it is "label".
func (t *target) column() string {
	if (t.o.Format == CSV || t.o.Format == ARFF) && t.o.Sequence == "" {
		return t.name
	}
	return "label"
}

// onlyLabel reports whether Categorical names only the label of a file without names of columns.
func (o *Options) onlyLabel() bool { return slices.Equal(o.Categorical, []string{"label"}) }

// real reports whether labels are real targets.
func (o *Options) real() bool { return o.Regression || o.Targets != nil }

// class returns the name of the class of label s. "1", "+1" and "1.0" are the same class.
func class(s string) string {
	if v, ok, err := (numberFormat{}).parse(s); ok && err == nil {
		return strconv.FormatFloat(v+0, 'g', -1, 64) // −0 + 0 = 0
	}
	return s
}

// add adds the label of the next row. where returns the position of the row in words.
func (t *target) add(s string, where func() string) error {
	v, ok, err := numberFormat{}.parse(s)
	if err != nil && !t.named {
		return fmt.Errorf("%s: the label %w; Options.Categorical: []string{%q} reads labels as names", where(), err,
			t.column())
	}
	if t.o.real() {
		if !ok {
			return fmt.Errorf("%s: the label %s is not a number, as regression needs", where(), clip(s))
		}
		if t.o.Log && v <= 0 {
			return fmt.Errorf("%s: the target %s has no logarithm, want a number above 0 for Options.Log", where(),
				clip(s))
		}
		t.y = append(t.y, v)
		return nil
	}
	s = t.class(s)
	for code, name := range t.names {
		if name == s {
			t.y = append(t.y, float64(code))
			return nil
		}
	}
	switch {
	case t.o.like != nil && len(t.names) < mostClasses:
	case len(t.names) == 2 && t.o.Positive != "":
		return fmt.Errorf("%s: a third class %s after %s (%s) and %s (%s); Options.Positive "+
			"applies to two classes; remove it",
			where(), clip(s), clip(t.names[0]), t.rows[0], clip(t.names[1]), t.rows[1])
	case len(t.names) >= 2 && ok && v != math.Trunc(v) && !t.named:
		return fmt.Errorf("%s: the label %s is not a whole number, and there are others, %s (%s) and %s (%s); set "+
			"Options.Regression if they are numbers to predict, or choose another column with Options.Label",
			where(), clip(s), clip(t.names[0]), t.rows[0], clip(t.names[1]), t.rows[1])
	case len(t.names) == mostClasses:
		return fmt.Errorf("%s: more than %d different labels; set Options.Regression if they are numbers to "+
			"predict, or choose another column with Options.Label", where(), mostClasses)
	}
	t.names, t.rows = append(t.names, s), append(t.rows, where())
	t.y = append(t.y, float64(len(t.names)-1))
	return nil
}

// finish returns the labels y and the classes.
func (t *target) finish() (y []float64, classes []string, err error) {
	switch {
	case t.o.real():
		return t.y, nil, t.constant()
	case t.o.like != nil:
		return t.known()
	}
	fail := func(format string, args ...any) ([]float64, []string, error) {
		return nil, nil, fmt.Errorf(format, args...)
	}
	plus := t.class(t.o.Positive)
	y, names := t.number()
	if t.doubt = sameButForCase(names); t.doubt == "" && !t.named {
		t.doubt = numbersAndWords(names)
	}
	switch k := len(names); {
	case k == 0:
		return fail("no labels")
	case k == 1:
		return fail("all %d labels are %s; two classes or more are needed", len(y), clip(names[0]))
	case k > 2 && 2*k > len(y) && (k > identifier || k == len(y) || t.isNumeric()):
		return fail("%d different labels in %d rows, such as %s, %s and %s; set Options.Regression if they are "+
			"numbers to predict, or choose another column with "+
			"Options.Label", k, len(y), clip(t.names[0]), clip(t.names[1]),
			clip(t.names[2]))
	case k > 2:
		return y, names, t.amounts(y, names)
	case plus == names[0] && t.o.Positive != "":
		slices.Reverse(names)
		for i, code := range y {
			y[i] = 1 - code
		}
	case plus != names[1] && t.o.Positive != "":
		return fail("no label is %s, the class of Options.Positive: there are %s", clip(t.o.Positive),
			list(t.names, " and "))
	}
	for i, code := range y {
		y[i] = 2*code - 1
	}
	return y, names, nil
}

// constant returns an error if all of two or more targets to learn from are the same number.
func (t *target) constant() error {
	if t.o.like != nil || len(t.y) < 2 || slices.ContainsFunc(t.y, func(v float64) bool { return v != t.y[0] }) {
		return nil
	}
	where := "target"
	if t.name != "" {
		where += " " + clip(t.name)
	}
	return fmt.Errorf("all %d numbers of the %s are %g, so that there is nothing to learn; choose another column in "+
		"Options.Label or Targets", len(t.y), where, t.y[0])
}

// sameButForCase returns a doubt about two classes whose names differ only in the case of letters, or "" if none do.
func sameButForCase(names []string) string {
	for k, a := range names {
		for _, b := range names[:k] {
			if strings.EqualFold(a, b) {
				return fmt.Sprintf("the classes %s and %s differ in the case of letters only; correct the labels if "+
					"they are one class", clip(b), clip(a))
			}
		}
	}
	return ""
}

// numbersAndWords returns a doubt if some classes are numbers and others are words, and "" otherwise.
func numbersAndWords(names []string) string {
	number := slices.IndexFunc(names, func(s string) bool { return numberFormat{}.isNumeric(s) })
	word := slices.IndexFunc(names, func(s string) bool { return !numberFormat{}.isNumeric(s) })
	if number < 0 || word < 0 {
		return ""
	}
	return fmt.Sprintf("the classes mix numbers and words, such as %s and %s; correct the labels if one is a mistake "+
		"or stands for a missing value", clip(names[number]), clip(names[word]))
}

// amounts checks more than two classes y that are numbers, in ascending order, unless an option declares them to be
// names. More than 10 classes are an error, because they look like amounts such as ages, if they have fewer than 10
// rows each on average or if one of them has a single row. Otherwise they are a doubt if they are not 0 … K−1 or 1 … K,
// if there are five to seven, like marks, or if one has more than ten times the rows of another.
func (t *target) amounts(y []float64, names []string) error {
	k, rows := len(names), make([]int, len(names))
	for _, code := range y {
		rows[int(code)]++
	}
	from, _, _ := numberFormat{}.parse(names[0])
	run := from == 0 || from == 1
	for i, name := range names {
		v, ok, _ := numberFormat{}.parse(name)
		if !ok || t.named {
			return nil
		}
		run = run && v == from+float64(i)
	}
	const (
		many = 10 // labels
		few  = 10 // rows of each
	)
	least, most := slices.Min(rows), slices.Max(rows)
	says := fmt.Sprintf("Options.Regression: true takes them as amounts to predict, Options.Categorical: []string{%q} "+
		"as names of classes", t.column())
	what := fmt.Sprintf("%d numbers from %s to %s", k, names[0], names[k-1])
	switch {
	case k > many && (len(y) < few*k || least == 1):
		return fmt.Errorf("the labels are %s, %.3g rows each on average, %s of one of them: amounts rather than "+
			"classes? %s",
			what, float64(len(y))/float64(k), count(least, "row"), says)
	case !run || k >= 5 && k <= 7 || most > 10*least:
		t.doubt = fmt.Sprintf("the labels, %s, are taken as classes without order; %s", what, says)
	}
	return nil
}

// known returns the labels of a file that is read like a training file. They are codes of the classes of that file.
func (t *target) known() (y []float64, classes []string, err error) {
	classes = slices.Clone(t.o.like.Classes)
	code := make([]float64, len(t.names))
	for k, name := range t.names {
		at := slices.Index(classes, name)
		if at < 0 {
			return nil, nil, fmt.Errorf("%s: the label %s did not occur in the file learned from, which has %s",
				t.rows[k], clip(name), some(classes))
		}
		if code[k] = float64(at); len(classes) == 2 {
			code[k] = float64(2*at - 1)
		}
	}
	for _, c := range t.y {
		y = append(y, code[int(c)])
	}
	return y, classes, nil
}

// number returns the codes of the labels and the names of the classes. Numbers are sorted by size, words
// alphabetically.
func (t *target) number() (y []float64, names []string) {
	names = slices.Clone(t.names)
	allNumbers := !slices.ContainsFunc(names, func(s string) bool { return !numberFormat{}.isNumber(s) })
	slices.SortFunc(names, func(a, b string) int {
		if allNumbers {
			v, _, _ := numberFormat{}.parse(a)
			w, _, _ := numberFormat{}.parse(b)
			return cmp.Compare(v, w)
		}
		return strings.Compare(a, b)
	})
	for _, code := range t.y {
		y = append(y, float64(slices.Index(names, t.names[int(code)])))
	}
	return y, names
}
