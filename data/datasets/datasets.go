// Package datasets reads datasets by name: those that come with this module, and external ones that you import. It also
// simulates datasets.
//
//	d, err := datasets.Load("sonar")                                         // embedded, offline, checked by SHA-256
//	d, err := datasets.LoadWith("votes84", data.Options{Missing: data.Drop}) // with options
//	d, err := datasets.Import("parkinsons", "parkinsons.data")               // once; then Load finds it
//	d := datasets.Rings(80, 7)                                               // simulated, from a seed
//
// The file of an external dataset (External) is not part of this module. Import and the program data/datasets/fetch
// store it in the cache folder (MKL_CACHE, or the user's cache folder + mkl), where Load finds it. If it is not there,
// the error of Load wraps ErrAbsent and states what to do. This package never uses the network.
package datasets

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data"
)

//go:embed files/*.csv files/*.csv.gz files/*.fa
var files embed.FS

// Info describes a dataset before it is read.
type Info struct {
	Name, Title string

	N, D    int       // points and features of the result of Load; D = 0 for sequences
	Classes [2]string // two classes: the labels that become −1 and +1

	Source, License, SHA256, Note string

	// The fields below are empty for embedded datasets. Import compares a file with File, FileSize and SHA256.
	Publisher, File string // who publishes the dataset, and the file that Import expects
	FileSize        int64  // size of File, in bytes
	URL             string // address from which data/datasets/fetch downloads the file; empty if there is none
}

// set is a dataset that Load knows, with the options that read its file. sets.json describes all sets, sorted by name.
// The class +1 is the class of interest: a mine, a radar return that shows structure, a disease, a bad credit. In
// sets.json, Missing is 1 for data.Drop and 2 for data.Fill.
type set struct {
	Info
	ReadOptions data.Options
	FileClasses [2]string // classes −1 and +1 in the file; Load returns Info.Classes instead

	EmbeddedFile    string // name of the embedded file if it is not Name.csv
	NameReplacement string // names that Load replaces: of "globins" or "recordings"; "" for none
	HasTextColumn   bool   // features: the Info.D most frequent word bigrams of the text column
	IsReviewFolder  bool   // Import takes the folder of the published reviews, not a file
}

//go:embed sets.json
var description []byte

func allSets() (all []set) {
	if err := json.Unmarshal(description, &all); err != nil {
		panic("datasets: sets.json: " + err.Error())
	}
	return all
}

var (
	globinName    = regexp.MustCompile(`(?m)^>(?:HBA|HB|MYG)`)
	recordingName = regexp.MustCompile(`(?m)^(\w+)_\d+,`)
)

// replaceNames returns the content of the file with other names of points. Globins: the kind goes before the UniProt
// name (alpha before HBA_HUMAN, beta before HBB_HUMAN and HBE_PONPY, myoglobin before MYG_PHYCA). Voice recordings: the
// name becomes the name of the person (phon_R01_S01 for phon_R01_S01_1).
func (s *set) replaceNames(raw []byte) []byte {
	switch s.NameReplacement {
	case "globins":
		return globinName.ReplaceAllFunc(raw, func(name []byte) []byte {
			namePrefix := map[string]string{">HBA": ">alpha ", ">HB": ">beta ", ">MYG": ">myoglobin "}[string(name)]
			return append([]byte(namePrefix), name[1:]...)
		})
	case "recordings":
		return recordingName.ReplaceAll(raw, []byte("$1,"))
	}
	return raw
}

// List returns the embedded datasets, sorted by name.
func List() []Info { return selectSets((*set).isEmbedded) }

// External returns the datasets that Load knows but this module does not contain, sorted by name. Their terms forbid
// their distribution in this module, or do not state that they permit it. Import stores a file that you have. The
// program data/datasets/fetch downloads a file that has a public address.
func External() []Info { return selectSets(func(s *set) bool { return !s.isEmbedded() }) }

// selectSets returns the descriptions of the datasets for which keep returns true.
func selectSets(keep func(s *set) bool) (list []Info) {
	for _, s := range allSets() {
		if keep(&s) {
			list = append(list, s.Info)
		}
	}
	return list
}

// Names returns the names of the datasets in list.
func Names(list []Info) (names []string) {
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// Load returns the dataset of the given name, in upper or lower case. The embedded datasets (List) are always
// available. The file of an external dataset (External) is read from the cache folder; if it is not there, the error
// wraps ErrAbsent and states which file is missing and how to get it. Load checks the SHA-256 of the file. Every call
// reads the file again.
func Load(name string) (*data.Dataset, error) { return LoadWith(name, data.Options{}) }

// LoadWith is Load with options: how to treat missing cells and duplicates, which columns to drop or to read as
// categorical, or another label. An option that is not zero replaces the option that Load uses. Options that do not
// apply, such as the format of the file, are errors. A dataset of texts takes no options.
func LoadWith(name string, o data.Options) (*data.Dataset, error) {
	s, err := findSet(name)
	if err != nil {
		return nil, err
	}
	var raw []byte
	if s.isEmbedded() {
		raw, err = files.ReadFile("files/" + cmp.Or(s.EmbeddedFile, s.Name+".csv"))
	} else {
		raw, err = s.readCached()
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", s.Name, err)
	}
	return s.load(raw, o)
}

func findSet(name string) (*set, error) {
	all := allSets()
	i := slices.IndexFunc(all, func(s set) bool { return strings.EqualFold(s.Name, strings.TrimSpace(name)) })
	if i >= 0 {
		return &all[i], nil
	}
	return nil, fmt.Errorf("datasets: no dataset %q (embedded: %s; external: %s); data.Open reads files", name,
		strings.Join(Names(List()), ", "), strings.Join(Names(External()), ", "))
}

// load checks the SHA-256 of raw, the bytes of the file of s, and reads the dataset from them.
func (s *set) load(raw []byte, o data.Options) (*data.Dataset, error) {
	d, err := s.parse(raw, o)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", s.Name, err)
	}
	if o.Label == "" {
		for k, class := range d.Classes {
			if i := slices.Index(s.FileClasses[:], class); i >= 0 {
				d.Classes[k] = s.Classes[i]
			}
		}
		d.ClassesExchanged = len(d.Classes) == 2 && d.Classes[0] == s.Classes[1]
	}
	d.Title, d.Source, d.License, d.Note, d.SHA256 = s.Title, s.Source, s.License, s.Note, s.SHA256
	return d, nil
}

// parse reads the dataset from the bytes of its file.
func (s *set) parse(raw []byte, o data.Options) (*data.Dataset, error) {
	if sum := hexSHA256(raw); sum != s.SHA256 {
		advice := "import it again"
		if s.isEmbedded() {
			advice = "restore the file in data/datasets/files from the repository"
		}
		return nil, fmt.Errorf("the stored file is damaged: SHA-256 is %s, expected %s; %s", sum, s.SHA256, advice)
	}
	allowedOptions := applicable
	if s.HasTextColumn {
		allowedOptions = nil
	}
	if err := o.CheckApplicable(s.Name, allowedOptions...); err != nil {
		return nil, err
	}
	raw, err := unpackGzip(raw)
	switch {
	case err != nil:
		return nil, err
	case s.HasTextColumn:
		return s.readTexts(raw)
	}
	return s.mergedOptions(o).Read(bytes.NewReader(s.replaceNames(raw)))
}

// applicable lists the options of LoadWith.
var applicable = []string{"Unlabeled", "Regression", "LogTargets", "PositiveClass", "Categorical", "Label",
	"DropColumns", "Missing", "DropDuplicates", "Group", "IndependentRows"}

// mergedOptions returns the options that read the file of s. An option in o that is not zero replaces the option of s.
// If o sets Label, Unlabeled or Regression, then Label, PositiveClass and Regression of s do not apply.
func (s *set) mergedOptions(o data.Options) data.Options {
	r := s.ReadOptions
	r.Name, r.Format, r.Header = cmp.Or(o.Name, s.Name), data.CSV, data.HeaderYes
	if strings.HasSuffix(s.EmbeddedFile, ".fa") {
		r.Format, r.Header = data.FASTA, data.HeaderAuto
	}
	if o.Label != "" || o.Unlabeled || o.Regression {
		r.Label, r.PositiveClass, r.Regression = "", "", false
	}
	for _, field := range applicable {
		if v := reflect.ValueOf(o).FieldByName(field); !v.IsZero() {
			reflect.ValueOf(&r).Elem().FieldByName(field).Set(v)
		}
	}
	return r
}

func hexSHA256(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
