package data

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// inputKind is a kind of input. optionNames holds the names of the options that apply to it, separated by spaces. The
// option Name always applies. Any other option is an error.
type inputKind struct{ name, optionNames string }

const (
	csvDialect = " Comma Decimal Thousands Header MissingMarkers"
	labeling   = " Format Unlabeled Regression LogTargets PositiveClass Categorical"
	byName     = " Label Targets Group" // options that name columns
)

// The kinds of input. The options of square matrices (Gram matrices and similarities) include the options that read
// the separate file of labels.
var (
	csvFiles = inputKind{"csv files", csvDialect + labeling + byName + " IndependentRows KeepIndexColumn Key " +
		"DropColumns Dates Missing Sequence DropDuplicates"}
	arffFiles = inputKind{"arff files", labeling + byName + " IndependentRows Key DropColumns Missing " +
		"DropDuplicates"}
	fastaFiles        = inputKind{"fasta files", labeling + " Label DropDuplicates"}
	libsvmFiles       = inputKind{"libsvm files", labeling + " DropDuplicates ZeroBased"}
	npyFiles          = inputKind{"npy files", labeling + " DropDuplicates"}
	csvMatrices       = inputKind{"matrices in csv files", csvDialect + " Format"}
	npyMatrices       = inputKind{"matrices in npy files", " Format"}
	csvSquareMatrices = inputKind{"Gram matrices and similarities", csvDialect + labeling + byName + " LabelFile"}
	npySquareMatrices = inputKind{"Gram matrices and similarities in npy files", labeling + " LabelFile"}

	inputKinds = []inputKind{csvFiles, arffFiles, fastaFiles, libsvmFiles, npyFiles, csvMatrices, npyMatrices,
		csvSquareMatrices, npySquareMatrices}
	fileKinds = map[Format]inputKind{CSV: csvFiles, ARFF: arffFiles, FASTA: fastaFiles, LIBSVM: libsvmFiles,
		NPY: npyFiles}
)

// badOption returns the error for an option that has a wrong value or does not apply. reason is the format of args.
func badOption(field, reason string, args ...any) error {
	return fmt.Errorf("Options.%s: %s", field, fmt.Sprintf(reason, args...))
}

// validate returns an error if options contradict each other or do not apply to input.
func (o Options) validate(input inputKind) error {
	if (input == csvSquareMatrices || input == npySquareMatrices) && o.LabelFile == "" && o.hasLabelColumnNames() {
		return badOption("Label, Group and Targets",
			"these options name columns of the file of labels; set Options.LabelFile")
	}
	if err := o.CheckApplicable(input.name, strings.Fields(input.optionNames)...); err != nil {
		return err
	}
	if err := o.checkConsistency(); err != nil {
		return err
	}
	k, err := strconv.Atoi(o.Label)
	switch {
	case o.Sequence != "" && o.Missing == Fill:
		return badOption("Missing", "%v; a missing sequence can only be refused or dropped", o.Missing)
	case input == fastaFiles && (o.Label != "" && (err != nil || k < 1 || k > 1000) ||
		o.Label == "" && (o.Regression || o.PositiveClass != "")):
		return badOption("Label", "%q; in a fasta file the label is a word of the header: set its number, from 1",
			o.Label)
	case (input == fastaFiles || !strings.Contains(input.optionNames, " Label ")) && len(o.Categorical) > 0 &&
		!slices.Equal(o.Categorical, []string{"label"}):
		return badOption("Categorical", "in %s it can only name the label: []string{\"label\"}", input.name)
	}
	return nil
}

// CheckApplicable returns an error if an option is set that is neither Name nor one of fields. input describes what is
// read with these options. The error names inputs to which the option applies.
func (o Options) CheckApplicable(input string, fields ...string) error {
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() || name == "Name" || slices.Contains(fields, name) {
			continue
		}
		var others []string
		for _, other := range inputKinds {
			if slices.Contains(strings.Fields(other.optionNames), name) {
				others = append(others, other.name)
			}
		}
		return badOption(name, "the option does not apply to %s; remove it (it applies to %s)", input,
			listFirstNames(others))
	}
	return nil
}

// checkConsistency returns an error if a value is out of range or options contradict each other.
func (o *Options) checkConsistency() error {
	switch {
	case o.LogTargets && !o.isRegression():
		return badOption("LogTargets", "the option needs real targets; set Regression or Targets too")
	case o.Regression && o.PositiveClass != "":
		return badOption("Regression",
			"real targets have no class; remove Regression, or PositiveClass, which names one")
	case len(o.Targets) == 1:
		return badOption("Targets", "the option names one column; name two or more, or set Label and Regression")
	case o.Targets != nil && (o.Label != "" || o.PositiveClass != "" || o.Unlabeled):
		return badOption("Targets", "the option replaces Label, PositiveClass and Unlabeled; remove these")
	case o.Unlabeled && (o.Label != "" || o.Regression || o.PositiveClass != ""):
		return badOption("Unlabeled",
			"an unlabeled file has no labels to read; remove Label, Regression and PositiveClass")
	case o.Unlabeled && o.LabelFile != "":
		return badOption("Unlabeled", "Options.LabelFile names a file of labels; remove one of the two options")
	case o.IndependentRows && o.Group != "":
		return badOption("IndependentRows", "Options.Group states which rows belong together; remove one of them")
	case o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',':
		return badOption("Decimal", "%q; set '.' or ','", o.Decimal)
	case o.Decimal == ',' && o.Comma == ',':
		return badOption("Decimal", "a comma cannot separate cells and decimals in the same file")
	case o.Thousands != 0 && (o.Thousands == o.Decimal || o.Thousands == '.' && o.Decimal == 0):
		return badOption("Thousands", "%q is the decimal mark; set another mark", o.Thousands)
	case o.Thousands == ' ' && o.Comma == ' ':
		return badOption("Thousands", "a space cannot separate cells and groups of digits in the same file")
	case o.Thousands != 0 && !strings.ContainsRune(groupMarks, o.Thousands):
		return badOption("Thousands", "%q; set one of , . ' ’ and the space", o.Thousands)
	case o.Missing < Refuse || o.Missing > Fill:
		return badOption("Missing", "%v; set Refuse, Drop or Fill", o.Missing)
	case o.Header < HeaderAuto || o.Header > HeaderNo:
		return badOption("Header", "%d; set HeaderAuto, HeaderYes or HeaderNo", int(o.Header))
	case o.Comma == '"' || o.Comma == '\n' || o.Comma == '\r' || o.Comma < 0 || o.Comma == 0xFFFD:
		return badOption("Comma", "%q cannot separate cells; set another separator", o.Comma)
	}
	return o.Dates.validate()
}
