package study

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/sha256"
)

// Task files. A store is a folder with one file for each finished task, named by the sha256 of all
// that its result depends on: the kind of task, the numbers of the dataset, family, sets, rule or
// solver, λs, gap, the rows trained and tested on, the linear algebra, and the code. So a changed question finds
// nothing, one method changed among many recomputes that one, and a run that was killed goes on
// where it was. A file is written under another name and renamed; one that is damaged is computed
// anew.
type store struct {
	folder string
	data   string // digest of the numbers
	code   string
}

// magic begins every file of a store; then the sha256 of the rest follows, in hexadecimal, and a
// newline.
const magic = "mkl-study/1 "

// openStore makes the folder if need be.
func openStore(s *Study) (*store, error) {
	code, err := codeVersion()
	if err != nil {
		return nil, fmt.Errorf("study: store: %w", err)
	}
	if err := os.MkdirAll(s.Store, 0o755); err != nil {
		return nil, fmt.Errorf("study: store: %w", err)
	}
	return &store{folder: s.Store, data: s.Data.Digest(), code: code}, nil
}

// familyKey is the family with all its numbers.
func familyKey(f kernel.Family) (string, error) {
	b, err := registry.Marshal(f)
	return string(b), err
}

// key is the name of a task's file, "" without a store. validate has seen that the family can be
// marshalled.
func (s *store) key(kind string, q *Study, m *Method, b *grid, values []float64, split Split) string {
	if s == nil {
		return ""
	}
	h := sha256.New()
	family, _ := familyKey(m.Family)
	text(h, kind, s.code, linalg.Backend().ID(), s.data, family, fmt.Sprintf("%T%+v", m.solver(), m.solver()), fmt.Sprint(q.CentreTargets))
	text(h, fmt.Sprint(len(b.others), len(values)))
	for _, o := range b.others {
		for _, v := range values {
			c := b.candidate(o, v)
			for _, x := range []any{c.Loss, c.Set, c.Reg, c.Rule} {
				text(h, fmt.Sprintf("%T%+v", x, x))
			}
		}
	}
	set := m.settings()
	numbers(h, []float64{set.Gap, float64(set.Iterations)})
	for _, rows := range [][]int{split.Train, split.Test} {
		b := binary.LittleEndian.AppendUint64(nil, uint64(len(rows)))
		for _, r := range rows {
			b = binary.LittleEndian.AppendUint64(b, uint64(r))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func text(h hash.Hash, parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
}

func numbers(h hash.Hash, x []float64) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(x)))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	h.Write(b)
}

// get reads a task's result into v. It returns false where there is none that is whole.
func (s *store) get(key string, v any) bool {
	if s == nil {
		return false
	}
	b, err := os.ReadFile(filepath.Join(s.folder, key))
	if err != nil {
		return false
	}
	head, body, ok := bytes.Cut(b, []byte("\n"))
	sum := sha256.Sum256(body)
	if !ok || string(head) != magic+hex.EncodeToString(sum[:]) {
		return false
	}
	return gob.NewDecoder(bytes.NewReader(body)).Decode(v) == nil
}

// put writes a task's result.
func (s *store) put(key string, v any) error {
	if s == nil {
		return nil
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(v); err != nil {
		return fmt.Errorf("study: store: %w", err)
	}
	sum := sha256.Sum256(body.Bytes())
	t, err := os.CreateTemp(s.folder, ".task-*.tmp")
	if err != nil {
		return fmt.Errorf("study: store: %w", err)
	}
	defer os.Remove(t.Name())
	_, err = fmt.Fprintf(t, "%s%s\n%s", magic, hex.EncodeToString(sum[:]), body.Bytes())
	if err = errors.Join(err, t.Close()); err == nil {
		err = os.Rename(t.Name(), filepath.Join(s.folder, key))
	}
	if err != nil {
		return fmt.Errorf("study: store: %w", err)
	}
	return nil
}

// module is the path of this module.
const module = "github.com/mklnb/mkl"

// codeVersion names the code that computes: the version of this module in the program; where it is
// built from a checkout, the sha256 of the .go files of algos and data; where those are not there
// either, the sha256 of the program itself.
var codeVersion = sync.OnceValues(func() (string, error) {
	if v := released(debug.ReadBuildInfo()); v != "" {
		return v, nil
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		root := filepath.Join(filepath.Dir(file), "..", "..")
		if v, err := sources(os.DirFS(root), "algos", "data"); err == nil {
			return v, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "program " + hex.EncodeToString(h.Sum(nil)), nil
})

// released is the version of this module where it was built as a module of that version, else "".
func released(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Replace == nil && m.Sum != "" {
			return m.Version + " " + m.Sum
		}
	}
	return ""
}

// sources is the sha256 of the .go files below some folders, tests apart.
func sources(root fs.FS, folders ...string) (string, error) {
	var files []string
	for _, f := range folders {
		err := fs.WalkDir(root, f, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	if len(files) == 0 {
		return "", errors.New("no sources")
	}
	slices.Sort(files)
	h := sha256.New()
	for _, f := range files {
		b, err := fs.ReadFile(root, f)
		if err != nil {
			return "", err
		}
		text(h, f, string(b))
	}
	return "sources " + hex.EncodeToString(h.Sum(nil)), nil
}
