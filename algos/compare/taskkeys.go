package compare

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data/sha256"
)

// Seed is the seed of all that is drawn inside the training part (folds, points to choose on, landmarks): a sum of
// the study's seed and of that part itself, by its sha256, wherever the split stands among others and whatever it tests
// on.
func (s Split) Seed(study uint64) uint64 {
	h, b := sha256.New(), binary.LittleEndian.AppendUint64(nil, uint64(len(s.Train)))
	for _, row := range s.Train {
		b = binary.LittleEndian.AppendUint64(b, uint64(row))
	}
	h.Write(b)
	return study + binary.LittleEndian.Uint64(h.Sum(nil))
}

// digest is the sha256 of the rows, in hexadecimal.
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

// tasks keeps the results of finished tasks, in one file each of a store.Store, under a key of all
// that the result depends on: the kind of task, the numbers of the dataset, family, loss, set,
// regulariser, rule or solver, bounds of the solves, the rows trained and tested on, the linear
// algebra, and the code. So a changed question finds nothing, one method changed among many
// recomputes that one, and a run that was killed goes on where it was. A nil one keeps nothing, and so does one
// without a store.
type tasks struct {
	store   *store.Store
	study   string   // key of the data and what all methods share
	methods []string // key of each method on them; candidates have their own

	mu      sync.Mutex
	unkept  error   // why the folder cannot be written, or a method not stored; the study goes on
	damaged []error // of files that were there and not whole
}

// openTasks opens the store of s. Where something of s has no file form, nothing is kept.
func openTasks(s *Study, grids []*grid) (*tasks, error) {
	folder, err := store.Open(s.Store)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	t := &tasks{store: folder}
	if t.study, err = store.Key(linalg.Backend().ID(), s.Data.Digest(), s.CentreTargets, s.Landmarks,
		s.Selection.Restarts); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	for i := range s.Methods {
		m, b := &s.Methods[i], grids[i]
		if m.Among != nil { // it has no tasks of its own
			t.methods = append(t.methods, "")
			continue
		}
		set := m.settings()
		k, err := store.Key(t.study, m.Family, m.solver(), set.Gap, set.Iterations, b.code.Pairs, b.path.Loss,
			len(b.path.Values) == 0) // then the loss is taken as it is, see Path
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
	return t, nil
}

// key names the result of a task in the store: method i, candidates, rows, and what the task draws from; "" where
// nothing is kept.
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

// get reads the result of a task into v, where it is kept. What is there and cannot be read is counted.
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

// How the notes begin.
const (
	notKept  = "Not every result is kept for the next time"
	notWhole = "Results kept that could not be read, and were taken as absent"
)

// notes say what could not be kept, and what was not whole.
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

// put keeps the result of a task.
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

// lost is why not every result is kept, nil where all are.
func (t *tasks) lost() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unkept
}
