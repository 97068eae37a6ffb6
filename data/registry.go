package data

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed sets/*.csv sets/*.csv.gz sets/*.fa
var files embed.FS

// Info describes a dataset before it is read.
type Info struct {
	Name    string
	Aliases []string // other names that Load accepts
	Title   string

	N, D    int       // points and features of the result of Load; D = 0 for sequences
	Classes [2]string // two classes: the labels that become −1 and +1

	Source, License, SHA256, Note string

	// The fields below are empty for embedded datasets. Import compares a file with File, Size and SHA256.
	Publisher, File string // who publishes the dataset, and the file that Import expects
	Size            int64  // size of that file, in bytes
	URL             string // from where data/fetch downloads the file; empty if it has no public address
}

// set is a dataset that Load knows, with the options that read its file.
type set struct {
	Info
	read   Options
	rename [2]string // labels in the file of the classes −1 and +1; Info.Classes replaces them by clearer names

	file string // name of the embedded file if it is not Name.csv
	// nameToClass returns the class of a sequence, or the group of a row, from its name; nil if names are not used.
	nameToClass func(name string) string
	bigrams     bool // the features are the D most frequent bigrams of column Options.Sequence
	reviews     bool // Import accepts the folder of the published reviews
}

const (
	uciLicense = "CC BY 4.0 (UCI Machine Learning Repository)"
	mlbench    = "; file from Debian package r-cran-mlbench 2.1-3-1"
	weka       = "; file from Debian package weka 3.6.14-3"
	ddalpha    = "; file from Debian package r-cran-ddalpha 1.3.13-1"
)

// List returns the embedded datasets, sorted by name.
func List() []Info {
	var list []Info
	for _, s := range sets() {
		if s.isEmbedded() {
			list = append(list, s.Info)
		}
	}
	return list
}

// Names returns the names of the embedded datasets, sorted.
func Names() []string { return datasetNames(List()) }

// datasetNames returns the names of the datasets in list.
func datasetNames(list []Info) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// Load returns the dataset of the given name, in upper or lower case. It does not use the network. The embedded
// datasets (Names, List) are always available. The file of an external dataset (ExternalDatasets) is read from the
// cache folder; if it is not there, the error wraps ErrAbsent and states which file is missing and how to get it. Load
// checks the SHA-256 of the file. An unknown name is
// an error that lists the known names. Every call reads the file again.
func Load(name string) (*Dataset, error) { return Options{}.Load(name) }

// Load is the function Load with options: how to treat missing cells and duplicates, which columns to drop
// or to read as categorical, or another label. An option with its zero value is read as in the function Load.
// Options that describe a file, such as its format, are errors.
func (o Options) Load(name string) (*Dataset, error) {
	s, err := findSet(name)
	if err != nil {
		return nil, err
	}
	var raw []byte
	if s.isEmbedded() {
		raw, err = files.ReadFile("sets/" + cmp.Or(s.file, s.Name+".csv"))
	} else {
		raw, err = s.readCached()
	}
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", s.Name, err)
	}
	return o.load(s, raw)
}

// findSet returns the dataset with this name or alias.
func findSet(name string) (*set, error) {
	all := sets()
	for i, s := range all {
		names := append([]string{s.Name}, s.Aliases...)
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) }) {
			return &all[i], nil
		}
	}
	if strings.ContainsAny(name, `/\`) || (Options{}).withFormatOf(name).Format != Auto {
		return nil, fmt.Errorf("data: no dataset %s: Load takes a name; to read a file, call Open(%s)", quote(name),
			quote(name))
	}
	return nil, fmt.Errorf("data: no dataset %s (embedded: %s; external: %s)", quote(name), strings.Join(Names(), ", "),
		strings.Join(datasetNames(ExternalDatasets()), ", "))
}

// load checks the SHA-256 of raw, the bytes of the file of s, and reads the dataset from them.
func (o Options) load(s *set, raw []byte) (*Dataset, error) {
	if err := o.CheckApplicable("registered datasets", "Unlabeled", "Regression", "Log", "Positive", "Categorical",
		"Label", "DropColumns", "Missing", "DropDuplicates"); err != nil { // job.read validates the values of options
		return nil, fmt.Errorf("data: %s: %w", s.Name, err)
	}
	sum := hexSHA256(raw)
	if sum != s.SHA256 {
		advice := "import it again"
		if s.isEmbedded() {
			advice = "restore the file in data/sets from the repository"
		}
		return nil, fmt.Errorf("data: %s: the stored file is damaged: SHA-256 is %s, expected %s; %s", s.Name, sum,
			s.SHA256, advice)
	}
	var err error
	if isPacked(raw) {
		if raw, err = gunzip(raw, maxBytes, tooLarge); err != nil {
			return nil, fmt.Errorf("data: %s: %w", s.Name, err)
		}
	}
	j := &job{Options: s.options(o), nameToClass: s.nameToClass}
	if s.bigrams {
		j.bigrams = s.D
	}
	d, err := j.read(raw)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", s.Name, err)
	}
	d.Title, d.Source, d.License, d.Note, d.SHA256 = s.Title, s.Source, s.License, s.Note, sum
	if o.Label == "" {
		for k, class := range d.Classes {
			if i := slices.Index(s.rename[:], class); i >= 0 {
				d.Classes[k] = s.Classes[i]
			}
		}
	}
	return d, nil
}

// options returns the options that read the file of s, overridden by o, the options of the caller.
func (s *set) options(o Options) Options {
	r := s.read
	r.Format, r.Header, r.Name = CSV, HeaderYes, s.Name
	if strings.HasSuffix(s.file, ".fa") {
		r.Format, r.Header = FASTA, HeaderAuto
	}
	if o.Missing != Refuse {
		r.Missing = o.Missing
	}
	r.DropDuplicates = o.DropDuplicates
	r.DropColumns = append(slices.Clone(r.DropColumns), o.DropColumns...)
	r.Categorical = append(slices.Clone(r.Categorical), o.Categorical...)
	r.Log = o.Log
	if o.Positive != "" || o.Label != "" || o.Unlabeled || o.Regression {
		r.Positive, r.Regression, r.Unlabeled = o.Positive, o.Regression, o.Unlabeled
	}
	if o.Label != "" || o.Unlabeled {
		r.Label = o.Label
	}
	if o.Name != "" {
		r.Name = o.Name
	}
	return r
}
