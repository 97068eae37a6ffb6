package compare

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data/sha256"
)

// Seed returns the seed for everything that is drawn inside the training part: folds, the points to choose on,
// landmarks. It is the sum of the study's seed and a number from the SHA-256 of the training part. It does not depend
// on the position of the split among the others or on the test part.
func (s Split) Seed(study uint64) uint64 {
	h, b := sha256.New(), binary.LittleEndian.AppendUint64(nil, uint64(len(s.Train)))
	for _, row := range s.Train {
		b = binary.LittleEndian.AppendUint64(b, uint64(row))
	}
	h.Write(b)
	return study + binary.LittleEndian.Uint64(h.Sum(nil))
}

// digest returns the SHA-256 of the rows, in hexadecimal.
func (s Split) digest() string {
	b := binary.AppendUvarint(nil, uint64(len(s.Train)))
	for _, rows := range [][]int{s.Train, s.Test} {
		for _, row := range rows {
			b = binary.AppendUvarint(b, uint64(row))
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// tasks stores the results of finished tasks, each in one file of a store.Store. The key covers everything that the
// result depends on: the kind of task, the numbers of the dataset, family, loss, set, regularizer, rule or solver,
// bounds of the solves, the training and test rows, the linear algebra, and the code. So if the study changes, no old
// result is read; if one of many methods changes, only this method is computed again; and a run that was killed
// continues where it stopped. A nil *tasks stores nothing, and neither does one without a store.
type tasks struct {
	store   *store.Store
	study   string   // key of the data and of the settings that all methods share
	methods []string // key of each method on these data; candidates have separate keys

	mu      sync.Mutex
	unkept  error   // why the folder cannot be written, or a method cannot be stored; the study continues
	damaged []error // one for each file that exists but could not be read
}

// openTasks opens the store of s. If a part of s cannot be written to a file, nothing is stored.
func openTasks(s *Study, grids []*grid) (*tasks, error) {
	folder, err := store.Open(s.Store)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	t := &tasks{}
	if t.study, err = store.Key(linalg.Backend().ID(), s.Data.Digest(), s.CentreTargets, s.Landmarks,
		s.Selection.Restarts); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	for i := range s.Methods {
		m, b := &s.Methods[i], grids[i]
		if m.Among != nil {
			t.methods = append(t.methods, "")
			continue
		}
		set := m.settings()
		k, err := store.Key(t.study, m.Family, m.solver(), set.Gap, set.Iterations, b.code.Pairs, b.path.Loss,
			len(b.path.Values) == 0) // if so, the loss is used as it is: see Path
		t.methods = append(t.methods, k)
		for j := range b.others {
			if err != nil {
				break
			}
			o := &b.others[j]
			o.key, err = store.Key(o.Set, o.Reg, o.Rule)
		}
		if err != nil {
			return &tasks{unkept: fmt.Errorf("method %q cannot be stored: %w", m.Name, err)}, nil
		}
	}
	origin, err := s.origin()
	if err != nil {
		return nil, err
	}
	t.store = folder.WithOrigin(origin)
	return t, nil
}

// origin describes the program, the linear algebra and the study: a store records it with each result.
func (s *Study) origin() (string, error) {
	program, err := store.Program()
	if err != nil {
		return "", fmt.Errorf("compare: %w", err)
	}
	q := *s
	q.Data, q.Splits, q.Workers, q.Store = nil, nil, 0, ""
	settings, err := registry.Marshal(q)
	if err != nil {
		return "", fmt.Errorf("compare: %w", err)
	}
	h := sha256.New()
	fmt.Fprintln(h, s.Data.Digest(), string(settings))
	for _, split := range s.Splits {
		fmt.Fprintln(h, split.digest())
	}
	return fmt.Sprintf("%s, %s, study %x of %s", program, linalg.Backend().ID(), h.Sum(nil)[:6], s.Data.Name), nil
}

// key returns the key of the result of a task: method i, candidates, rows, and the values that its draws depend on. It
// returns "" if nothing is stored.
func (t *tasks) key(kind string, i int, b *grid, values []float64, s Split, draws ...any) (string, error) {
	if t == nil || t.store == nil {
		return "", nil
	}
	candidates := make([]string, len(b.others))
	for j, o := range b.others {
		candidates[j] = o.key
	}
	key, err := store.Key(append([]any{kind, t.methods[i], candidates, values, s.digest()}, draws...)...)
	if err != nil {
		return "", fmt.Errorf("compare: %w", err)
	}
	return key, nil
}

// get reads the stored result of a task into v and reports whether it succeeded. It counts files that cannot be read.
func (t *tasks) get(key string, v any) bool {
	if key == "" {
		return false
	}
	err := t.store.Read(key, v)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.mu.Lock()
		t.damaged = append(t.damaged, err)
		t.mu.Unlock()
	}
	return err == nil
}

// These are the beginnings of the notes.
const (
	notKept  = "Not every result is kept for the next time"
	notWhole = "Results kept that could not be read, and were taken as absent"
)

// notes returns notes on results that could not be stored and on files that could not be read.
func (t *tasks) notes() (notes []string) {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.unkept != nil {
		notes = append(notes, fmt.Sprintf("%s: %v.", notKept, t.unkept))
	}
	if n := len(t.damaged); n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d, the first: %v.", notWhole, n, t.damaged[0]))
	}
	return notes
}

// put stores the result of a task.
func (t *tasks) put(key string, v any) error {
	if key == "" {
		return nil
	}
	err := t.store.Put(key, v)
	if errors.Is(err, store.ErrWrite) {
		t.mu.Lock()
		t.unkept = err
		t.mu.Unlock()
		return nil
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

// lost returns why not every result is stored; nil if all are.
func (t *tasks) lost() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unkept
}
