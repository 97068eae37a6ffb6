package compare

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/store"
)

// Seed returns the seed for everything that is drawn inside the training part: folds, the sample of Selection.Points,
// and landmarks. It is the sum of the study's seed and a number from the SHA-256 of the training part. It does not
// depend on the number of the split or on the test part.
func (s Split) Seed(study uint64) uint64 {
	h, b := sha256.New(), binary.LittleEndian.AppendUint64(nil, uint64(len(s.Train)))
	for _, row := range s.Train {
		b = binary.LittleEndian.AppendUint64(b, uint64(row))
	}
	h.Write(b)
	return study + binary.LittleEndian.Uint64(h.Sum(nil))
}

// digest returns the SHA-256 of the indices in both parts, in hexadecimal.
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

// taskStore stores the results of finished tasks, each in one file of a store.Store. The key of a file covers
// everything that the result depends on: the kind of task, the numbers of the dataset, family, loss, set, regularizer,
// rule or solver, gap and iterations of the solves, the training and test rows, the linear algebra, and the code. So a
// changed study never reads an old result. If one of several methods changes, only this method is computed again. A run
// that was killed continues where it stopped. A taskStore that is nil, or whose folder is nil, stores nothing.
type taskStore struct {
	folder  *store.Store
	study   string   // hash of the data and of the settings that all methods share
	methods []string // hash of study and each method without its candidates; Candidate.key has the hash of a candidate

	mu         sync.Mutex
	writeError error   // the folder cannot be written, or a method cannot be stored; the study continues
	damaged    []error // one for each file that exists but could not be read
}

// openTaskStore opens the folder s.Store and sets the keys of the candidates in grids. methods are the methods of s
// with their defaults. If a part of s cannot be written to a file, the taskStore stores nothing, and its writeError
// gives the reason.
func openTaskStore(s *Study, methods []Method, grids []*grid) (*taskStore, error) {
	folder, err := store.Open(s.Store)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	t, digest := &taskStore{}, s.Data.Digest()
	if t.study, err = store.Key(linalg.Backend().ID(), digest, s.CenterTargets, s.Landmarks,
		s.Selection.Restarts); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	for i, m := range methods {
		b := grids[i]
		if m.Alternatives != nil {
			t.methods = append(t.methods, "")
			continue
		}
		key, err := store.Key(t.study, m.Family, m.Solver, m.Gap, m.Iterations,
			b.path.Loss, len(b.path.Values) == 0) // true: the loss keeps its own hyperparameter
		t.methods = append(t.methods, key)
		for j := range b.candidates {
			if err != nil {
				break
			}
			o := &b.candidates[j]
			o.key, err = store.Key(o.Set, o.Reg, o.Rule)
		}
		if err != nil {
			return &taskStore{writeError: fmt.Errorf("method %q cannot be stored: %w", m.Name, err)}, nil
		}
	}
	t.folder = folder
	return t, nil
}

// taskKey returns the key of the result of a task: of a method with the candidates of b at the hyperparameter values on
// a split. kind is "fold" or "split". draws contains everything else that the result depends on, such as a seed. It
// returns "" if t stores nothing.
func (t *taskStore) taskKey(kind string, methodIndex int, b *grid, values []float64, split Split,
	draws ...any) (string, error) {
	if t == nil || t.folder == nil {
		return "", nil
	}
	candidates := make([]string, len(b.candidates))
	for j, o := range b.candidates {
		candidates[j] = o.key
	}
	key, err := store.Key(append([]any{kind, t.methods[methodIndex], candidates, values, split.digest()}, draws...)...)
	if err != nil {
		return "", fmt.Errorf("compare: %w", err)
	}
	return key, nil
}

// readResult reads the stored result of a task into v and reports whether it succeeded. A file that exists but cannot
// be read is added to t.damaged.
func (t *taskStore) readResult(key string, v any) bool {
	if key == "" {
		return false
	}
	err := t.folder.Read(key, v)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.mu.Lock()
		t.damaged = append(t.damaged, err)
		t.mu.Unlock()
	}
	return err == nil
}

// These are the first words of the notes. The command mkl-study finds the notes by them.
const (
	notKeptNote = "Not every result is kept for the next time"
	damagedNote = "Results kept that could not be read, and were taken as absent"
)

// failureNotes returns notes on results that could not be stored and on files that could not be read.
func (t *taskStore) failureNotes() (notes []string) {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.writeError != nil {
		notes = append(notes, fmt.Sprintf("%s: %v.", notKeptNote, t.writeError))
	}
	if n := len(t.damaged); n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d, the first: %v.", damagedNote, n, t.damaged[0]))
	}
	return notes
}

// writeResult stores the result of a task. If the folder cannot be written, it sets t.writeError and returns nil.
func (t *taskStore) writeResult(key string, v any) error {
	if key == "" {
		return nil
	}
	err := t.folder.Put(key, v)
	if errors.Is(err, store.ErrWrite) {
		t.mu.Lock()
		t.writeError = err
		t.mu.Unlock()
		return nil
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

// writeFailure returns an error if some result could not be stored; otherwise nil.
func (t *taskStore) writeFailure() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writeError
}
