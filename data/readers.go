package data

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// inputKind is a kind of input, such as CSV files. options holds the names of the options that apply to it, each after
// a space. The option Name always applies. Any other option is an error.
type inputKind struct{ name, options string }

const (
	anyFile    = " Format"
	csvDialect = " Comma Decimal Thousands Header MissingMarkers"
	labeling   = " Unlabeled Regression Log Positive Categorical"
	byName     = " Label Targets Group" // columns by their names
)

// inputKinds holds the kinds of input. The options of Gram matrices and similarities (csvSquares, npySquares) include
// the options that apply to their file of labels.
var inputKinds = struct {
	csv, fasta, arff, libsvm, npy                inputKind
	csvMatrix, npyMatrix, csvSquares, npySquares inputKind
	registered                                   inputKind
}{
	csv: inputKind{"csv files", anyFile + csvDialect + labeling + byName + " KeepIndex Key DropColumns Dates Missing " +
		"Sequence DropDuplicates"},
	fasta:     inputKind{"fasta files", anyFile + labeling + " Label DropDuplicates"},
	arff:      inputKind{"arff files", anyFile + labeling + byName + " Key DropColumns Missing DropDuplicates"},
	libsvm:    inputKind{"libsvm files", anyFile + labeling + " DropDuplicates ZeroBased"},
	npy:       inputKind{"npy files", anyFile + labeling + byName + " Labels DropDuplicates"},
	csvMatrix: inputKind{"matrices in csv files", anyFile + csvDialect + " DropColumns"},
	npyMatrix: inputKind{"matrices in npy files", anyFile},
	csvSquares: inputKind{"Gram matrices and similarities", anyFile + csvDialect + labeling + byName +
		" Labels DropColumns"},
	npySquares: inputKind{"Gram matrices and similarities in npy files", anyFile + labeling + " Labels"},
	registered: inputKind{"registered datasets", labeling + " Label DropColumns Missing DropDuplicates"},
}

// inputKind returns the kind of input that a file of format f is with these options.
func (o *Options) inputKind(f Format) (r inputKind, err error) {
	r, ok := map[Format]inputKind{CSV: inputKinds.csv, LIBSVM: inputKinds.libsvm, ARFF: inputKinds.arff,
		NPY:   inputKinds.npy,
		FASTA: inputKinds.fasta}[f]
	if !ok {
		return r, fmt.Errorf("data: unknown %v: set Options.Format to %s", f, quoteNames(formats[1:], ", "))
	}
	return r, nil
}

// badOption returns the error for an option that has a wrong value or does not apply. reason is the format of args.
func badOption(field, reason string, args ...any) error {
	return fmt.Errorf("data: Options.%s: %s", field, fmt.Sprintf(reason, args...))
}

// validate returns an error if options contradict each other or do not apply to r.
func (o Options) validate(r inputKind) error {
	hasLabelFile := r == inputKinds.npy || r == inputKinds.csvSquares || r == inputKinds.npySquares
	if hasLabelFile && o.Labels == "" && o.namesLabelColumns() {
		return badOption("Label, Group and Targets", "they name columns of the file of labels; set Options.Labels")
	}
	if err := o.checkApplicable(r); err != nil {
		return err
	}
	if err := o.checkConsistency(); err != nil {
		return err
	}
	switch {
	case o.Sequence != "" && o.Missing == Fill:
		return badOption("Missing", "%v; a missing sequence can only be refused or dropped", o.Missing)
	case r == inputKinds.fasta:
		if k, err := strconv.Atoi(o.Label); o.Label != "" && (err != nil || k < 1 || k > 1000) ||
			o.Label == "" && (o.Regression || o.Positive != "") {
			return badOption("Label", "%q; in a fasta file the label is a word of the header: set its number, from 1",
				o.Label)
		}
	}
	if !strings.Contains(r.options+" ", " Label ") || r == inputKinds.fasta ||
		r == inputKinds.npy && o.Labels == "" {
		if len(o.Categorical) > 0 && !o.isOnlyLabelCategorical() {
			return badOption("Categorical", "in %s it can only name the label: []string{\"label\"}", r.name)
		}
	}
	return nil
}

// checkApplicable returns an error if an option is set that does not apply to r. The error names inputs to which it
// applies.
func (o *Options) checkApplicable(r inputKind) error {
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() || slices.Contains(strings.Fields("Name"+r.options), name) {
			continue
		}
		var others []string
		all := reflect.ValueOf(inputKinds)
		for k := range all.NumField() {
			if other := all.Field(k); slices.Contains(strings.Fields(other.Field(1).String()), name) {
				others = append(others, other.Field(0).String())
			}
		}
		return badOption(name, "it does not apply to %s; remove it (it applies to %s)", r.name,
			listSome(others))
	}
	return nil
}

// checkConsistency returns an error if a value is out of range or options contradict each other.
func (o *Options) checkConsistency() error {
	switch {
	case o.Log && !o.isRegression():
		return badOption("Log", "it applies to real targets; set Regression or Targets too")
	case o.Regression && o.Positive != "":
		return badOption("Regression", "real targets have no classes; remove Positive")
	case len(o.Targets) == 1:
		return badOption("Targets", "it names one column; name two or more, or set Label and Regression")
	case o.Targets != nil && (o.Label != "" || o.Positive != "" || o.Unlabeled):
		return badOption("Targets", "it replaces Label, Positive and Unlabeled; remove these")
	case o.Unlabeled && (o.Label != "" || o.Regression || o.Positive != ""):
		return badOption("Unlabeled", "the file has no labels then; remove Label, Regression and Positive")
	case o.Unlabeled && o.Labels != "":
		return badOption("Unlabeled", "Labels names a file of labels; remove one of the two")
	case o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',':
		return badOption("Decimal", "%q; set '.' or ','", o.Decimal)
	case o.Decimal == ',' && o.Comma == ',':
		return badOption("Decimal", "a comma cannot separate cells and decimals in the same file")
	case o.Thousands != 0 && (o.Thousands == o.Decimal || o.Thousands == '.' && o.Decimal == 0):
		return badOption("Thousands", "%q is the decimal mark", o.Thousands)
	case o.Thousands != 0 && !strings.ContainsRune(groupMarks, o.Thousands):
		return badOption("Thousands", "%q; set one of , . ' ’ and the space", o.Thousands)
	case o.Missing < Refuse || o.Missing > Fill:
		return badOption("Missing", "%v; set Refuse, Drop or Fill", o.Missing)
	case o.Header < HeaderAuto || o.Header > HeaderNo:
		return badOption("Header", "%d; set HeaderAuto, HeaderYes or HeaderNo", int(o.Header))
	case o.Comma == '"' || o.Comma == '\n' || o.Comma == '\r' || o.Comma < 0 || o.Comma == 0xFFFD:
		return badOption("Comma", "%q cannot separate cells", o.Comma)
	}
	return o.Dates.validate()
}
