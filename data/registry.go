package data

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data/sha256"
)

//go:embed sets/*.csv
var files embed.FS

// Info is what is known of an embedded set before it is read.
type Info struct {
	Name    string
	Aliases []string // other names Load takes
	Title   string

	N, D    int       // points and features, as Load gives them
	Classes [2]string // behind −1 and +1
	Counts  [2]int    // points of each class

	Source, Licence, SHA256, Note string
}

// set is an embedded set: what is known of it, and how its file is read.
type set struct {
	Info
	read   Options
	rename [2]string // classes of the file, where Classes has better names for them
}

const (
	uciLicence = "CC BY 4.0 (UCI Machine Learning Repository)"
	mlbench    = "; file from Debian package r-cran-mlbench 2.1-3-1"
	weka       = "; file from Debian package weka 3.6.14-3"
	ddalpha    = "; file from Debian package r-cran-ddalpha 1.3.13-1"
)

// sets are in the order of their names. The class +1 is the one a study asks for: a mine, a return
// that shows structure, a disease, a recurrence, a bad credit.
func sets() []set {
	return []set{
		{Info: Info{
			Name: "breast-ljubljana", Title: "Breast cancer (Ljubljana)",
			N: 277, D: 41, Classes: [2]string{"no-recurrence-events", "recurrence-events"}, Counts: [2]int{196, 81},
			Source:  "M. Zwitter and M. Soklič, University Medical Centre, Institute of Oncology, Ljubljana (1988), doi:10.24432/C51P4M" + weka + ", examples/breast-cancer.arff",
			Licence: uciLicence,
			SHA256:  "f24ae5f550538567f18c06e61fc76fdd2fe3135d0b513f31c77d5d3c106d8442",
			Note:    "the file has 286 points, 9 of them with a missing cell (node-caps 8, breast-quad 1); Options{Missing: Fill} keeps all, with columns node-caps=? and breast-quad=?",
		}, read: Options{Missing: Drop, Nominal: []string{"deg-malig"}}},
		{Info: Info{
			Name: "breast-wisconsin", Aliases: []string{"breast"}, Title: "Breast cancer Wisconsin (original)",
			N: 683, D: 9, Classes: [2]string{"benign", "malignant"}, Counts: [2]int{444, 239},
			Source:  "W. H. Wolberg, University of Wisconsin Hospitals (1990), doi:10.24432/C5HP4Z" + mlbench + ", BreastCancer.rda",
			Licence: uciLicence,
			SHA256:  "8dcb7f2364871e209d6e6afc63ab2aab7dddcbb190d4377380af803cf073820d",
			Note:    "the file has 699 points, 16 of them without Bare.nuclei; Options{Missing: Fill} keeps all. Grades from 1 to 10 make many points equal",
		}, read: Options{Missing: Drop, Leave: []string{"id"}}},
		{Info: Info{
			Name: "credit-g", Aliases: []string{"german", "german-credit"}, Title: "German credit (Statlog)",
			N: 1000, D: 61, Classes: [2]string{"good", "bad"}, Counts: [2]int{700, 300},
			Source:  "H. Hofmann, Universität Hamburg (1994), doi:10.24432/C5NC77" + weka + ", examples/credit-g.arff",
			Licence: uciLicence,
			SHA256:  "38b6dbf6fb4b0311a3ffc005730f42623128591fb36473ab3c22d270c0467632",
			Note:    "20 attributes, 7 of them numbers; not the version of 24 numeric columns (german.data-numeric) that some papers use",
		}, read: Options{Positive: "bad"}},
		{Info: Info{
			Name: "heart-statlog", Aliases: []string{"heart"}, Title: "Heart disease (Statlog)",
			N: 270, D: 13, Classes: [2]string{"absent", "present"}, Counts: [2]int{150, 120},
			Source:  "Statlog project, doi:10.24432/C57303" + ddalpha + ", data/heart.txt.gz",
			Licence: uciLicence,
			SHA256:  "f6e86091310ea117845667df5580053a944b0258bcc52053e72c33c3f7dfd01c",
			Note:    "the file's class is 1 for absence, 2 for presence of disease. chest_pain, rest_ecg, slope and thal are codes kept as numbers, as papers do; Options.Nominal makes them columns 0/1",
		}, rename: [2]string{"1", "2"}},
		{Info: Info{
			Name: "ionosphere", Title: "Ionosphere, radar returns",
			N: 351, D: 34, Classes: [2]string{"bad", "good"}, Counts: [2]int{126, 225},
			Source:  "V. Sigillito, S. Wing, L. Hutton and K. Baker, Johns Hopkins University (1989), doi:10.24432/C5W01B" + mlbench + ", Ionosphere.rda",
			Licence: uciLicence,
			SHA256:  "023e3073056ee9608b844c52629ef7b1dff29d6de5d980121f8f7f616ed15eb5",
			Note:    "V2 is 0 in all points, so papers count 33 or 34 features: Options{Constant: Drop} leaves it out",
		}},
		{Info: Info{
			Name: "liver-bupa", Aliases: []string{"liver", "bupa"}, Title: "Liver disorders (BUPA)",
			N: 345, D: 6, Classes: [2]string{"selector 1", "selector 2"}, Counts: [2]int{145, 200},
			Source:  "R. S. Forsyth, BUPA Medical Research Ltd. (1990), doi:10.24432/C54G67" + ddalpha + ", data/bupa.txt.gz",
			Licence: uciLicence,
			SHA256:  "ab7c9f801a6fc0568605bda3796a3962d0b940a19ced4060fb1e2ff98438b5cc",
			Note:    "the label is a mark that split the points for training and testing, NOT a diagnosis (McDermott and Forsyth 2016); papers learn it all the same. The honest target is drinks: Options{Label: \"drinks\", Regression: true, Leave: []string{\"selector\"}}",
		}, rename: [2]string{"1", "2"}},
		{Info: Info{
			Name: "pima", Aliases: []string{"diabetes"}, Title: "Pima Indians diabetes",
			N: 768, D: 8, Classes: [2]string{"neg", "pos"}, Counts: [2]int{500, 268},
			Source:  "National Institute of Diabetes and Digestive and Kidney Diseases (1990)" + mlbench + ", PimaIndiansDiabetes.rda",
			Licence: "withdrawn from UCI; CC0 on other portals",
			SHA256:  "c264f9af0e268e237949109bef67fd0f7d67b0b4d8cc18bcb2cb7fc69acb40ac",
			Note:    "0 stands for a missing value in glucose (5 points), pressure (35), triceps (227), insulin (374) and mass (11); it is kept, as papers do",
		}, read: Options{Positive: "pos"}},
		{Info: Info{
			Name: "sonar", Title: "Sonar, mines against rocks",
			N: 208, D: 60, Classes: [2]string{"R", "M"}, Counts: [2]int{97, 111},
			Source:  "T. Sejnowski and R. P. Gorman (1988), doi:10.24432/C5T01Q" + mlbench + ", Sonar.rda",
			Licence: uciLicence,
			SHA256:  "881da0ae2519d66e81755c65c993bee20e4a693e006d8fd156de5add7b455836",
			Note:    "R is a rock, M a mine (a metal cylinder). Points are in order of class and angle: shuffle before splitting",
		}, read: Options{Positive: "M"}},
	}
}

// List says what is embedded, in the order of the names.
func List() []Info {
	var l []Info
	for _, s := range sets() {
		l = append(l, s.Info)
	}
	return l
}

// Names returns the names of the embedded sets, in order.
func Names() []string {
	var names []string
	for _, s := range sets() {
		names = append(names, s.Name)
	}
	return names
}

// Load returns the embedded set of the given name, without network: see Names and List. Upper case
// does not matter. The file's sha256, the number of points and features and the class counts are
// checked. An unknown name is an error with the nearest names. Every call reads the file anew.
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
	return o.load(s, func() ([]byte, error) { return files.ReadFile("sets/" + s.Name + ".csv") })
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
	err := fmt.Sprintf("data: no dataset %s", clip(name))
	if near := nearest(strings.TrimSpace(name), known); len(near) > 0 {
		err += fmt.Sprintf(", did you mean %s?", list(near, " or "))
	}
	return nil, fmt.Errorf("%s (there are %s)", err, strings.Join(Names(), ", "))
}

// load checks and reads the bytes of a set.
func (o Options) load(s *set, file func() ([]byte, error)) (*Dataset, error) {
	if o.Format != Auto || o.Comma != 0 || o.Header != HeaderAuto || o.Blank != nil || o.Dense {
		return nil, fmt.Errorf("data: %s: Options.Format, Comma, Header, Blank and Dense describe a file, not an embedded set", s.Name)
	}
	raw, err := file()
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", s.Name, err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
		return nil, fmt.Errorf("data: %s: the file has sha256 %s, want %s: the checkout is damaged", s.Name, got, s.SHA256)
	}
	plain := s.standard(o)
	d, err := s.options(o).Read(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", s.Name, trim(err))
	}
	d.Source, d.Licence, d.Note = s.Source, s.Licence, s.Note
	if o.Label == "" {
		for k, class := range d.Classes {
			if i := slices.Index(s.rename[:], class); i >= 0 {
				d.Classes[k] = s.Classes[i]
			}
		}
	}
	if plain {
		if err := s.check(d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// standard says whether o leaves everything as it is.
func (s *set) standard(o Options) bool {
	return o.Label == "" && !o.Unlabelled && !o.Regression && o.Positive == "" && !o.Rest &&
		len(o.Leave) == 0 && len(o.Nominal) == 0 && o.Missing == Default && o.Constant == Default && o.Duplicate == Default
}

// options lays the caller's options over the set's own.
func (s *set) options(o Options) Options {
	r := s.read
	r.Format, r.Header, r.Name, r.Title = CSV, HeaderYes, s.Name, s.Title
	r.Missing = o.Missing.or(r.Missing)
	r.Constant, r.Duplicate = o.Constant, o.Duplicate
	r.Leave = append(slices.Clone(r.Leave), o.Leave...)
	r.Nominal = append(slices.Clone(r.Nominal), o.Nominal...)
	r.MaxLevels = o.MaxLevels
	r.Label, r.Unlabelled, r.Regression, r.Rest = o.Label, o.Unlabelled, o.Regression, o.Rest
	if o.Positive != "" || o.Label != "" || o.Unlabelled || o.Regression || o.Rest {
		r.Positive = o.Positive
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
	x, ok := d.X.(kernel.Rows)
	if !ok || x.N != s.N || x.D != s.D {
		return fmt.Errorf("data: %s has %d points of %d features, want %d of %d", s.Name, d.Len(), d.Dim(), s.N, s.D)
	}
	minus, plus := d.Counts()
	if got := [2]int{minus, plus}; got != s.Counts || !slices.Equal(d.Classes, s.Classes[:]) {
		return fmt.Errorf("data: %s has classes %v of %v points, want %v of %v", s.Name, d.Classes, got, s.Classes, s.Counts)
	}
	return nil
}
