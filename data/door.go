package data

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data/sha256"
)

// Some sets may not be passed on with this module, or not by us. Load finds the file of such a set by
// its sha256, whatever its name, in the cache folder or in a folder that MKL_DATA names. Import checks
// a file and puts it into the cache folder; the program data/fetch fetches one and imports it.

// ErrAbsent is in the error of Load where a set that is not part of this module is not on this machine
// either.
var ErrAbsent = errors.New("not on this machine")

// Doors says what Load knows beyond the embedded sets, in the order of the names: sets whose file the
// reader brings. SHA256 and Size are those of the file that Import keeps.
func Doors() []Info {
	var l []Info
	for _, s := range sets() {
		if !s.embedded() {
			l = append(l, s.Info)
		}
	}
	return l
}

func (s *set) embedded() bool { return s.Publisher == "" }

// Import takes file, a copy of the set name as it is published, packed by gzip or not, and keeps it in
// the cache folder, from where Load takes it. The file is known by its sha256; one of another form,
// such as other line ends or ARFF, is converted and counts where that gives the sha256; where Info.File
// speaks of a folder, file names it. Any other file
// is an error, and nothing is kept. A reader never sees half a file.
func Import(name, file string) (*Dataset, error) {
	s, err := find(name)
	if err != nil {
		return nil, err
	}
	if s.embedded() {
		return nil, fmt.Errorf("data: %s is part of this module: Load gives it without a file", s.Name)
	}
	return s.take(file)
}

// take is Import of s.
func (s *set) take(file string) (*Dataset, error) {
	raw, err := s.open(file)
	if err != nil {
		return nil, fmt.Errorf("data: import %s: %s: %w", s.Name, filepath.Base(file), err)
	}
	if raw, err = s.own(raw); err != nil {
		return nil, fmt.Errorf("data: import %s: %s: %w", s.Name, filepath.Base(file), err)
	}
	d, err := Options{}.load(s, func() ([]byte, error) { return raw, nil })
	if err != nil {
		return nil, err
	}
	folder, err := cache()
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = store.WriteFile(filepath.Join(folder, s.Name+".csv"), raw, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("data: import %s: %w", s.Name, err)
	}
	return d, nil
}

// cache is the folder that Import writes.
func cache() (string, error) {
	dir, err := store.CacheDir()
	return filepath.Join(dir, "data"), err
}

// most bounds the bytes of a file of s.
func (s *set) most() int64 {
	return max(4*s.Size, slices.Max(append(s.also, 0)))
}

// open reads a file and unpacks it, as far as a file of s may go: its text may take four times the
// room that it takes in ours.
func (s *set) open(path string) ([]byte, error) {
	most := s.most()
	if info, err := os.Stat(path); err == nil && info.IsDir() && s.folder != nil {
		return s.folder(path, most)
	}
	raw, err := readFile(path, most, tooLarge)
	if err != nil || !packed(raw) {
		return raw, err
	}
	return gunzip(raw, most, tooLarge)
}

const tooLarge = "more than %d bytes, too large to be it"

func packed(raw []byte) bool { return bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) }

// own is raw in the form that s has here.
func (s *set) own(raw []byte) ([]byte, error) {
	sum := hexOf(raw)
	if sum == s.SHA256 {
		return raw, nil
	}
	if s.convert != nil {
		c, err := s.convert(raw)
		switch {
		case err != nil:
			return nil, fmt.Errorf("sha256 %s, want %s (%s), and it cannot be converted: %w", sum, s.SHA256, s.File,
				err)
		case hexOf(c) == s.SHA256:
			return c, nil
		}
	}
	return nil, fmt.Errorf("sha256 %s, want %s (%s): another version of the set, or a damaged one", sum, s.SHA256,
		s.File)
}

func hexOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// kept finds the file of s: in the cache folder, then in the folders of MKL_DATA, not in those below.
// Only files of the right size and those packed are read.
func (s *set) kept() ([]byte, error) {
	var notes []string
	dir, err := cache()
	if err != nil {
		notes = append(notes, err.Error())
	} else if raw, err := s.in(dir); raw != nil {
		return raw, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		notes = append(notes, err.Error())
	} else if _, err := os.Stat(filepath.Join(dir, s.Name+".csv")); err == nil {
		notes = append(notes, filepath.Join(dir, s.Name+".csv")+" is damaged")
	}
	for _, dir := range filepath.SplitList(os.Getenv("MKL_DATA")) {
		raw, err := s.in(dir)
		if raw != nil {
			return raw, nil
		}
		if err != nil {
			notes = append(notes, "MKL_DATA: "+err.Error())
		} else {
			notes = append(notes, "not in "+dir)
		}
	}
	way := fmt.Sprintf("data.Import(%q, file) takes a copy", s.Name)
	if s.URL != "" {
		way = fmt.Sprintf("\"go run %s/data/fetch %s\" fetches it, ", module, s.Name) + way
	}
	looked := ""
	if len(notes) > 0 {
		looked = " (" + strings.Join(notes, "; ") + ")"
	}
	return nil, fmt.Errorf("%s, is not part of this module and %w%s; it is published by %s; expected is %s, "+
		"sha256 %s; %s, and Load looks into the folders of MKL_DATA",
		s.Title, ErrAbsent, looked, s.Publisher, s.File, s.SHA256, way)
}

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// in finds the file of s in a folder, by its sha256; nil where it is not there.
func (s *set) in(folder string) ([]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || !slices.Contains(append(s.also, s.Size), info.Size()) &&
			!strings.EqualFold(filepath.Ext(path), ".gz") {
			continue
		}
		raw, err := s.open(path)
		if err != nil {
			continue // another file of that size
		}
		if raw, err = s.own(raw); err == nil {
			return raw, nil
		}
	}
	return nil, nil
}

// columns converts a CSV file to one with these columns in this order and these line ends; cells stay
// as they are.
func columns(names []string, end string) func(raw []byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, errors.New("no rows")
		}
		place := make([]int, len(names))
		for k, name := range names {
			if place[k] = slices.Index(rows[0], name); place[k] < 0 {
				return nil, fmt.Errorf("no column %s", clip(name))
			}
		}
		var b bytes.Buffer
		for _, row := range rows {
			for k, j := range place {
				if k > 0 {
					b.WriteByte(',')
				}
				b.WriteString(row[j])
			}
			b.WriteString(end)
		}
		return b.Bytes(), nil
	}
}

// superfamilies converts a FASTA file whose headers begin with a domain and its place in SCOP, a.4.1.1, to a
// table of the domains of some super-families.
func superfamilies(names []string) func(raw []byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		var b bytes.Buffer
		b.WriteString("domain,sccs,superfamily,sequence")
		taken := false
		for line := range bytes.Lines(raw) {
			line = bytes.TrimSpace(line)
			if !bytes.HasPrefix(line, []byte(">")) {
				if taken {
					b.Write(bytes.ToUpper(line))
				}
				continue
			}
			words := strings.Fields(string(line[1:]))
			if len(words) < 2 {
				return nil, fmt.Errorf("the header %s has no place in SCOP", clip(string(line)))
			}
			super := words[1][:max(0, strings.LastIndexByte(words[1], '.'))]
			if taken = slices.Contains(names, super); taken {
				fmt.Fprintf(&b, "\n%s,%s,%s,", words[0], words[1], super)
			}
		}
		b.WriteByte('\n')
		return b.Bytes(), nil
	}
}

// digits converts a file of numbers, CSV, ARFF or between spaces, to CSV with these names and eight
// digits a number.
func digits(names []string) func(raw []byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		o := Options{Format: CSV, Regression: true}
		first, _, _ := bytes.Cut(raw, []byte("\n"))
		switch {
		case bytes.Contains(bytes.ToLower(raw), []byte("@data")):
			o.Format = ARFF
		case !bytes.Contains(first, []byte(",")):
			var b bytes.Buffer
			for line := range bytes.Lines(raw) {
				b.Write(bytes.Join(bytes.Fields(line), []byte(",")))
				b.WriteByte('\n')
			}
			raw = b.Bytes()
		}
		d, err := o.Read(bytes.NewReader(raw))
		if err != nil {
			return nil, trim(err)
		}
		x, ok := d.X.(kernel.Rows)
		if !ok || x.D != len(names)-1 {
			return nil, fmt.Errorf("%d columns, want %d", d.Dim()+1, len(names))
		}
		b := []byte(strings.Join(names, ",") + "\n")
		for i := range x.N {
			for _, v := range x.Row(i) {
				b = append(strconv.AppendFloat(b, v, 'e', 7, 64), ',')
			}
			b = append(strconv.AppendFloat(b, d.Y[i], 'e', 7, 64), '\n')
		}
		return b, nil
	}
}
