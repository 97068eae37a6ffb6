package data

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// inputKind is a kind of input, or a set of kinds.
type inputKind uint16

const (
	csvFiles inputKind = 1 << iota
	arffFiles
	fastaFiles
	libsvmFiles
	npyFiles
	csvMatrices
	npyMatrices
	csvSquareMatrices // Gram matrices and similarities; their options include those of the separate file of labels
	npySquareMatrices

	allKinds     = npySquareMatrices<<1 - 1
	csvText      = csvFiles | csvMatrices | csvSquareMatrices
	namedColumns = csvFiles | arffFiles
	labeledKinds = allKinds &^ (csvMatrices | npyMatrices)
	pointFiles   = csvFiles | arffFiles | fastaFiles | libsvmFiles | npyFiles
)

// kindNames are the names of the kinds, in the order of the constants.
var kindNames = []string{"csv files", "arff files", "fasta files", "libsvm files", "npy files", "matrices in csv files",
	"matrices in npy files", "Gram matrices and similarities", "Gram matrices and similarities in npy files"}

var fileKinds = map[Format]inputKind{CSV: csvFiles, ARFF: arffFiles, FASTA: fastaFiles, LIBSVM: libsvmFiles,
	NPY: npyFiles}

// names returns the names of the kinds in k.
func (k inputKind) names() (names []string) {
	for i, name := range kindNames {
		if k>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// optionRule states for an option to which kinds of input it applies, and returns what is wrong with its value or
// contradicts it in other options; "" if nothing is. A nil fault accepts each value.
type optionRule struct {
	field string
	kinds inputKind
	fault func(o *Options, input inputKind) string
}

// optionTable has a row for each field of Options except Name, which always applies.
var optionTable = []optionRule{
	{"Format", allKinds, nil},
	{"Comma", csvText, func(o *Options, _ inputKind) string {
		if o.Comma == '"' || o.Comma == '\n' || o.Comma == '\r' || o.Comma < 0 || o.Comma == 0xFFFD {
			return fmt.Sprintf("%q cannot separate cells; set another separator", o.Comma)
		}
		return ""
	}},
	{"Decimal", csvText, func(o *Options, _ inputKind) string {
		if o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',' {
			return fmt.Sprintf("%q; set '.' or ','", o.Decimal)
		}
		return ""
	}},
	{"Thousands", csvText, func(o *Options, _ inputKind) string {
		switch {
		case o.Thousands == 0:
		case o.Thousands == o.Decimal || o.Thousands == '.' && o.Decimal == 0:
			return fmt.Sprintf("%q is the decimal mark; set another mark", o.Thousands)
		case o.Thousands == ' ' && o.Comma == ' ':
			return "a space cannot separate cells and groups of digits in the same file"
		case !strings.ContainsRune(sheet.GroupMarks, o.Thousands):
			return fmt.Sprintf("%q; set one of , . ' ’ and the space", o.Thousands)
		}
		return ""
	}},
	{"Comment", csvText, nil},
	{"SkipRows", csvText, func(o *Options, _ inputKind) string {
		if o.SkipRows < 0 || o.SkipFooter < 0 {
			return "the numbers of lines to skip must be 0 or more"
		}
		return ""
	}},
	{"SkipFooter", csvText, nil}, // SkipRows checks it
	{"UnitLine", csvFiles, func(o *Options, _ inputKind) string {
		if o.UnitLine && o.Header == HeaderNo {
			return "units are below a header; remove HeaderNo or UnitLine"
		}
		return ""
	}},
	{"NumberRepeatedNames", csvFiles, nil},
	{"Header", csvText, func(o *Options, _ inputKind) string {
		if o.Header < HeaderAuto || o.Header > HeaderNo {
			return fmt.Sprintf("%d; set HeaderAuto, HeaderYes or HeaderNo", int(o.Header))
		}
		return ""
	}},
	{"MissingMarkers", csvText, nil},
	{"KeepIndexColumn", csvFiles, nil},
	{"Label", labeledKinds &^ (libsvmFiles | npyFiles | npySquareMatrices), func(o *Options, input inputKind) string {
		if k, err := strconv.Atoi(o.Label); input == fastaFiles && (o.Label != "" && (err != nil || k < 1 ||
			k > 1000) ||
			o.Label == "" && (o.Regression || o.PositiveClass != "")) {
			return fmt.Sprintf("%q; in a fasta file the label is a word of the header: set its number, from 1", o.Label)
		}
		return ""
	}},
	{"Targets", namedColumns | csvSquareMatrices, func(o *Options, _ inputKind) string {
		switch {
		case len(o.Targets) == 1:
			return "the option names one column; name two or more, or set Label and Regression"
		case o.Targets != nil && (o.Label != "" || o.PositiveClass != "" || o.Unlabeled):
			return "the option replaces Label, PositiveClass and Unlabeled; remove these"
		}
		return ""
	}},
	{"Unlabeled", labeledKinds, func(o *Options, _ inputKind) string {
		switch {
		case o.Unlabeled && (o.Label != "" || o.Regression || o.PositiveClass != ""):
			return "an unlabeled file has no labels to read; remove Label, Regression and PositiveClass"
		case o.Unlabeled && o.LabelFile != "":
			return "Options.LabelFile names a file of labels; remove one of the two options"
		}
		return ""
	}},
	{"Regression", labeledKinds, func(o *Options, _ inputKind) string {
		if o.Regression && o.PositiveClass != "" {
			return "real targets have no class; remove Regression, or PositiveClass, which names one"
		}
		return ""
	}},
	{"LogTargets", labeledKinds, func(o *Options, _ inputKind) string {
		if o.LogTargets && !o.isRegression() {
			return "the option needs real targets; set Regression or Targets too"
		}
		return ""
	}},
	{"PositiveClass", labeledKinds, nil},
	{"DropColumns", namedColumns, nil},
	{"Group", namedColumns | csvSquareMatrices, nil},
	{"IndependentRows", namedColumns, func(o *Options, _ inputKind) string {
		if o.IndependentRows && o.Group != "" {
			return "Options.Group states which rows belong together; remove one of them"
		}
		return ""
	}},
	{"Key", namedColumns | csvSquareMatrices, nil},
	{"Categorical", labeledKinds, func(o *Options, input inputKind) string {
		if input&(fastaFiles|libsvmFiles|npyFiles|npySquareMatrices) != 0 && len(o.Categorical) > 0 &&
			!slices.Equal(o.Categorical, []string{"label"}) {
			return fmt.Sprintf("in %s it can only name the label: []string{\"label\"}", input.names()[0])
		}
		return ""
	}},
	{"Dates", csvFiles, func(o *Options, _ inputKind) string { return o.Dates.fault() }},
	{"Units", csvFiles, func(o *Options, _ inputKind) string {
		for column, unit := range o.Units {
			if unit == "" || strings.ContainsAny(unit, "0123456789") {
				return fmt.Sprintf("%q of column %s is no unit; write it as the file does", unit, sheet.Quote(column))
			}
		}
		return ""
	}},
	{"Missing", namedColumns, func(o *Options, _ inputKind) string {
		switch {
		case o.Missing < Refuse || o.Missing > Fill:
			return fmt.Sprintf("%v; set Refuse, Drop or Fill", o.Missing)
		case o.Sequence != "" && o.Missing == Fill:
			return fmt.Sprintf("%v; a missing sequence can only be refused or dropped", o.Missing)
		}
		return ""
	}},
	{"DropDuplicates", pointFiles, nil},
	{"Sequence", csvFiles, nil},
	{"ZeroBased", libsvmFiles, nil},
	{"LabelFile", csvSquareMatrices | npySquareMatrices, nil},
}

// badOption returns the error for an option that has a wrong value or does not apply. reason is the format of args.
func badOption(field, reason string, args ...any) error {
	return fmt.Errorf("Options.%s: %s", field, fmt.Sprintf(reason, args...))
}

// validate returns an error if options contradict each other or do not apply to input.
func (o Options) validate(input inputKind) error {
	if input&(csvSquareMatrices|npySquareMatrices) != 0 && o.LabelFile == "" && o.hasLabelColumnNames() {
		return badOption("Label, Group, Key and Targets",
			"these options name columns of the file of labels; set Options.LabelFile")
	}
	var applicable []string
	for _, rule := range optionTable {
		if rule.kinds&input != 0 {
			applicable = append(applicable, rule.field)
		}
	}
	if err := o.CheckApplicable(input.names()[0], applicable...); err != nil {
		return err
	}
	for _, rule := range optionTable {
		if rule.fault != nil {
			if fault := rule.fault(&o, input); fault != "" {
				return badOption(rule.field, "%s", fault)
			}
		}
	}
	return nil
}

// CheckApplicable returns an error if an option is set that is neither Name nor one of fields. input describes what is
// read with these options. The error names inputs to which the option applies.
func (o Options) CheckApplicable(input string, fields ...string) error {
	for _, rule := range optionTable {
		if !reflect.ValueOf(o).FieldByName(rule.field).IsZero() && !slices.Contains(fields, rule.field) {
			return badOption(rule.field, "the option does not apply to %s; remove it (it applies to %s)", input,
				sheet.List(rule.kinds.names()))
		}
	}
	return nil
}
