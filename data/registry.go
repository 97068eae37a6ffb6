package data

import (
	"cmp"
	"embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

//go:embed sets/*.csv sets/*.csv.gz sets/*.fa
var files embed.FS

// Info is what is known of a set before it is read.
type Info struct {
	Name    string
	Aliases []string // other names Load takes
	Title   string

	N, D    int       // points and features, as Load gives them; D = 0 of sequences
	K       int       // number of classes where there are more than two, else 0
	Classes [2]string // of two classes, those behind −1 and +1
	Counts  [2]int    // points of each

	Source, Licence, SHA256, Note string

	// Of a set that is not part of this module: who publishes it, which file is expected, that
	// file's size in bytes, and where data/fetch fetches it, if it may. See Import.
	Publisher, File string
	Size            int64
	URL             string
}

// set is a set that Load knows: what is known of it, and how its file is read.
type set struct {
	Info
	read   Options
	rename [2]string // classes of the file, where Classes has better names for them

	file    string                   // the name of its file in sets, if not Name.csv
	of      func(name string) string // what a name stands for: the class of a sequence, the group of a row
	bigrams bool                     // of the column Sequence are the D features

	also    []int64 // sizes of other forms of the file, which convert takes
	convert func(raw []byte) ([]byte, error)
	folder  func(path string, most int64) ([]byte, error) // makes the file of a folder
}

const (
	uciLicence = "CC BY 4.0 (UCI Machine Learning Repository)"
	mlbench    = "; file from Debian package r-cran-mlbench 2.1-3-1"
	weka       = "; file from Debian package weka 3.6.14-3"
	ddalpha    = "; file from Debian package r-cran-ddalpha 1.3.13-1"
)

// List says what is embedded, in the order of the names.
func List() []Info {
	var l []Info
	for _, s := range sets() {
		if s.embedded() {
			l = append(l, s.Info)
		}
	}
	return l
}

// Names returns the names of the embedded sets, in order.
func Names() []string { return names(List()) }

func names(l []Info) []string {
	var names []string
	for _, s := range l {
		names = append(names, s.Name)
	}
	return names
}

// Load returns the set of the given name, without network. Upper case does not matter. Embedded sets
// (Names, List) are there always; the file of another (Doors) is looked for in the cache folder and in
// the folders of the environment variable MKL_DATA, and where it is in none of them, the error, which
// is ErrAbsent, says what it is and how to bring it. The file's sha256, the number of points and
// features and the class counts are checked. An unknown name is an error with the nearest names. Every
// call reads the file anew.
func Load(name string) (*Dataset, error) { return Options{}.Load(name) }

// Load is Load with options: how to treat missing cells, constant columns and duplicates, columns
// to leave out or to take as nominal, another label. What the zero value leaves open is read as the
// package function does; the format of the file is not the caller's to say. With options the
// sha256 is checked, but not the size.
func (o Options) Load(name string) (*Dataset, error) {
	s, err := find(name)
	if err != nil {
		return nil, err
	}
	return o.load(s, func() ([]byte, error) {
		if !s.embedded() {
			return s.kept()
		}
		return files.ReadFile("sets/" + cmp.Or(s.file, s.Name+".csv"))
	})
}

// find returns the set of that name or alias.
func find(name string) (*set, error) {
	all := sets()
	var known []string
	for i, s := range all {
		names := append([]string{s.Name}, s.Aliases...)
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) }) {
			return &all[i], nil
		}
		known = append(known, names...)
	}
	if strings.ContainsAny(name, `/\`) || (Options{}).suffix(name).Format != Auto {
		return nil, fmt.Errorf("data: no dataset %s: Load takes a name, Open(%s) reads a file", clip(name), clip(name))
	}
	err := fmt.Sprintf("data: no dataset %s", clip(name))
	if near := nearest(strings.TrimSpace(name), known); len(near) > 0 {
		err += fmt.Sprintf(", did you mean %s?", list(near, " or "))
	}
	return nil, fmt.Errorf("%s (there are %s; and with a file of yours %s)", err, strings.Join(Names(), ", "),
		strings.Join(names(Doors()), ", "))
}

// load checks and reads the bytes of a set.
func (o Options) load(s *set, file func() ([]byte, error)) (*Dataset, error) {
	meant := Options{Name: o.Name, Title: o.Title, Label: o.Label, Unlabelled: o.Unlabelled, Regression: o.Regression,
		Log: o.Log, Positive: o.Positive, Rest: o.Rest,
		Leave: o.Leave, Nominal: o.Nominal, Missing: o.Missing, Constant: o.Constant, Duplicate: o.Duplicate,
		MaxLevels: o.MaxLevels}
	if !reflect.DeepEqual(o, meant) {
		return nil, fmt.Errorf("data: %s: a set of a name takes Options.Name, Title, Label, Unlabelled, Regression, "+
			"Log, Positive, Rest, Leave, Nominal, Missing, Constant, Duplicate and MaxLevels: the others describe "+
			"a file",
			s.Name)
	}
	raw, err := file()
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", s.Name, trim(err))
	}
	sum := hexOf(raw)
	if sum != s.SHA256 {
		return nil, fmt.Errorf("data: %s: the file has sha256 %s, want %s: the checkout is damaged", s.Name, sum,
			s.SHA256)
	}
	if packed(raw) {
		if raw, err = gunzip(raw, maxBytes, tooLarge); err != nil {
			return nil, fmt.Errorf("data: %s: %w", s.Name, err)
		}
	}
	j := &job{Options: s.options(o), of: s.of}
	if s.bigrams {
		j.bigrams = s.D
	}
	d, err := j.read(raw)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", s.Name, trim(err))
	}
	d.Source, d.Licence, d.Note, d.SHA256 = s.Source, s.Licence, s.Note, sum
	if o.Label == "" {
		for k, class := range d.Classes {
			if i := slices.Index(s.rename[:], class); i >= 0 {
				d.Classes[k] = s.Classes[i]
			}
		}
	}
	if reflect.DeepEqual(o, Options{Name: o.Name, Title: o.Title, MaxLevels: o.MaxLevels}) {
		if err := s.check(d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// options lays the caller's options over the set's own.
func (s *set) options(o Options) Options {
	r := s.read
	r.Format, r.Header, r.Name, r.Title = CSV, HeaderYes, s.Name, s.Title
	if strings.HasSuffix(s.file, ".fa") {
		r.Format, r.Header = FASTA, HeaderAuto
	}
	r.Missing = o.Missing.or(r.Missing)
	r.Constant, r.Duplicate = o.Constant, o.Duplicate
	r.Leave = append(slices.Clone(r.Leave), o.Leave...)
	r.Nominal = append(slices.Clone(r.Nominal), o.Nominal...)
	r.MaxLevels, r.Log = o.MaxLevels, o.Log
	if o.Positive != "" || o.Label != "" || o.Unlabelled || o.Regression || o.Rest {
		r.Positive, r.Regression, r.Rest, r.Unlabelled = o.Positive, o.Regression, o.Rest, o.Unlabelled
	}
	if o.Label != "" || o.Unlabelled {
		r.Label = o.Label
	}
	if o.Name != "" {
		r.Name = o.Name
	}
	if o.Title != "" {
		r.Title = o.Title
	}
	return r
}

// check compares d with what is known of the set.
func (s *set) check(d *Dataset) error {
	if d.Len() != s.N || d.Dim() != s.D {
		return fmt.Errorf("data: %s has %d points of %d features, want %d of %d", s.Name, d.Len(), d.Dim(), s.N, s.D)
	}
	if s.Classes[0] == "" {
		if s.K > 0 && len(d.Classes) != s.K {
			return fmt.Errorf("data: %s has %d classes, want %d", s.Name, len(d.Classes), s.K)
		}
		return nil
	}
	if got := d.Counts(); !slices.Equal(got, s.Counts[:]) || !slices.Equal(d.Classes, s.Classes[:]) {
		return fmt.Errorf("data: %s has classes %v of %v points, want %v of %v", s.Name, d.Classes, got, s.Classes,
			s.Counts)
	}
	return nil
}
